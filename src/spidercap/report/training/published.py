"""Published results on the COCO test server (C-5), to set beside ours: other data, so to be read as a pattern."""

COLUMNS = ("CIDEr", "METEOR", "ROUGE_L", "Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4")
CAVEAT = (
    "Published results are of other data: COCO's test images, with captioners trained on COCO. See whether methods "
    "rank alike; do not compare these numbers with those above."
)

_PAPER = """
MLE           0.947 0.251 0.531 0.724 0.552 0.405 0.294
PG-BLEU-4     0.966 0.249 0.550 0.737 0.587 0.455 0.346
PG-CIDEr      0.995 0.249 0.548 0.737 0.581 0.442 0.333
MIXER-BCMR    0.924 0.245 0.532 0.729 0.559 0.415 0.306
MIXER-BCMR-A  0.991 0.258 0.545 0.747 0.579 0.431 0.317
PG-BCMR       1.013 0.257 0.550 0.754 0.591 0.445 0.332
PG-SPIDEr     1.000 0.251 0.544 0.743 0.578 0.433 0.322
"""
_SERVER = """
MSM@MSRA      0.984 0.256 0.542 0.739 0.575 0.436 0.330
Review Net    0.965 0.256 0.533 0.720 0.550 0.414 0.313
ATT           0.943 0.250 0.535 0.731 0.565 0.424 0.316
Google        0.943 0.254 0.530 0.713 0.542 0.407 0.309
Berkeley LRCN 0.921 0.247 0.528 0.718 0.548 0.409 0.306
"""


def _read(text: str) -> dict[str, dict[str, float]]:
    rows = (line.rsplit(maxsplit=len(COLUMNS)) for line in text.strip().splitlines())
    return {name: dict(zip(COLUMNS, map(float, numbers), strict=True)) for name, *numbers in rows}


PAPER = _read(_PAPER)
"""Table 1 of Liu et al., ICCV 2017."""
SERVER = _read(_SERVER)
"""The best entries of the server at that time."""
