"""Drop-in for scripts written for pycocoevalcap: change the imports, keep the numbers.

The classes have the same names, methods, arguments and returns. `compute_score` does not tokenise, as theirs does not:
run `PTBTokenizer().tokenize` first, or let `COCOEvalCap` do so.
"""

from spidercap.compat.coco import COCO, COCOEvalCap
from spidercap.compat.scorers import Bleu, Cider, Meteor, PTBTokenizer, Rouge, Spice

__all__ = ["COCO", "Bleu", "COCOEvalCap", "Cider", "Meteor", "PTBTokenizer", "Rouge", "Spice"]
