"""SPIDEr: the mean of SPICE and CIDEr."""

from spidercap.metrics.metric import Mean

SPIDER = Mean("SPIDEr", ("SPICE", "CIDEr"))
