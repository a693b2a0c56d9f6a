"""The best score of a caption by the plainest search: every step over every two neighbouring spans."""

import struct
from collections import defaultdict
from itertools import pairwise

import numpy as np

IMPOSSIBLE = -1e8


def sections_of(data):
    """The named arrays of a model file, whose layout tools/parser/model_file.py describes."""
    (count,) = struct.unpack_from("<I", data, 12)
    rows = [struct.unpack_from("<24sQQ", data, 48 + 40 * number) for number in range(count)]
    return {name.rstrip(b"\0").decode(): data[offset : offset + size] for name, offset, size in rows}


class NaiveParser:
    """Reads the arrays of a model file by itself: these tests also run where there is only the wheel."""

    def __init__(self, data):
        sections = sections_of(data)

        def array(name, kind):
            return np.frombuffer(sections[name], kind)

        self.labels, self.root = array("counts", np.uint32)[[1, 4]].tolist()
        places = pairwise(array("word_starts", np.uint32).tolist())
        self.words = {sections["word_text"][first:end].decode(): word for word, (first, end) in enumerate(places)}
        self.offset, self.unseen = array("word_offset", np.float32), array("unseen_weight", np.float32)
        self.closed = array("word_closed", np.uint8)
        self.starts = array("word_entries", np.uint32)
        self.entry_tag, self.entry_weight = array("entry_tag", np.uint16), array("entry_weight", np.float32)
        self.unary = self._steps(array("unary_steps", np.uint32), "unary", array)
        self.binary = defaultdict(list)
        self._add_pairs(array)

    @staticmethod
    def _steps(starts, name, array):
        parents, weights = array(f"{name}_parent", np.uint16).tolist(), array(f"{name}_weight", np.float32).tolist()
        steps = list(zip(parents, weights, strict=True))
        return [steps[first:end] for first, end in pairwise(starts)]

    def _add_pairs(self, array):
        steps = self._steps(array("pair_steps", np.uint32), "step", array)
        lefts, rights = array("pair_left", np.uint16).tolist(), array("pair_right", np.uint16).tolist()
        for left, right, of_pair in zip(lefts, rights, steps, strict=True):
            self.binary[left] += [(right, parent, weight) for parent, weight in of_pair]

    def _terms(self, word, any_tag):
        row = self.words[word]
        is_open = any_tag or not self.closed[row]
        terms = self.unseen + self.offset[row] if is_open else np.full_like(self.unseen, 10 * IMPOSSIBLE)
        entries = slice(self.starts[row], self.starts[row + 1])
        terms[self.entry_tag[entries]] = self.entry_weight[entries]
        return {tag: float(term) for tag, term in enumerate(terms) if term > IMPOSSIBLE}

    def _add_unary(self, cell):
        waiting = [state for state in cell if state < self.labels]
        while waiting:
            child = waiting.pop()
            for parent, weight in self.unary[child]:
                if cell[child] + weight > cell.get(parent, -np.inf) + 1e-9:
                    cell[parent] = cell[child] + weight
                    waiting.append(parent)
        return cell

    def best(self, caption):
        """Log-probability of the best tree, with any tags if there is none without; none if there is none at all."""
        usual = self._best(caption.split(), any_tag=False)
        return self._best(caption.split(), any_tag=True) if usual is None else usual

    def _best(self, words, any_tag):
        cells = {(i, i + 1): self._add_unary(self._terms(word, any_tag)) for i, word in enumerate(words)}
        for length in range(2, len(words) + 1):
            for i in range(len(words) - length + 1):
                cell = {}
                for k in range(i + 1, i + length):
                    self._join(cells[i, k], cells[k, i + length], cell)
                cells[i, i + length] = self._add_unary(cell)
        return cells[0, len(words)].get(self.root)

    def _join(self, lefts, rights, cell):
        for left, left_score in lefts.items():
            for right, parent, weight in self.binary[left]:
                if right in rights:
                    score = left_score + rights[right] + weight
                    if score > cell.get(parent, -np.inf):
                        cell[parent] = score
