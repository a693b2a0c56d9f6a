"""CIDEr: n-grams weighted by how rare they are among the images; CIDEr-D, which tables call CIDEr, and the original."""

from spidercap.metrics.metric import Metric
from spidercap.metrics.ngrams import NgramDigest
from spidercap.metrics.settings import Settings

SINGLE_IMAGE = (
    "CIDEr of a single image with document frequencies from its own references is 0 by definition: every n-gram occurs "
    "in all images, so its weight is log(1/1) = 0; use df='coco' or a file made by `spidercap df`"
)


def frequency_facts(settings: Settings, images: int) -> tuple[str, ...]:
    """Which document frequencies were used."""
    table = settings.frequencies
    return (f"df:{table.source}({table.images},{table.fingerprint})" if table else f"df:corpus({images})",)


CIDER = Metric(
    key="cider",
    names=("CIDEr",),
    reads=NgramDigest,
    asks="cider_d",
    variant="CIDEr-D|n:4|sigma:6",
    facts=frequency_facts,
    needs_frequencies=True,
    sees_end=True,
    aliases={"ciderd": "CIDEr"},
)
CIDER_ORIGINAL = Metric(
    key="cider_original",
    names=("CIDEr_original",),
    reads=NgramDigest,
    asks="cider",
    variant="CIDEr|n:4",
    facts=frequency_facts,
    needs_frequencies=True,
    sees_end=True,
    default=False,
)
