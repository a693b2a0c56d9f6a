"""`spidercap df`: document frequencies for CIDEr from one's own data."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from spidercap.terminal import say


def df(
    sources: Annotated[list[Path], Parameter(name="REFERENCES")],
    /,
    *,
    out: Path,
    split: str | None = None,
    tokenizer: Literal["ptb", "ptb-compat", "none"] = "ptb",
) -> None:
    """Count in how many images each n-gram of the references occurs, into a readable file for `score --df`.

    The file is gzipped text: four header lines, then `n-gram⇥count`. N-grams of a single image are left out: what is
    not listed counts as 1.

    Example: spidercap df references.json --out frequencies.tsv.gz

    Parameters
    ----------
    sources
        A prepared dataset, or references in any form that `spidercap score --refs` reads.
    out
        The file to write, such as frequencies.tsv.gz.
    split
        Count only this split of a prepared dataset (`train` for a reward).
    tokenizer
        How references are tokenised; captions scored with the file must be tokenised alike.
    """
    from spidercap.data.results import read_references
    from spidercap.files import refuse_existing
    from spidercap.metrics.document_frequency import DocumentFrequencies
    from spidercap.metrics.settings import Settings, tokenize_references

    refuse_existing(out)
    references = read_references(sources, split)
    # The name stands on one line of the file and in signatures.
    name = "_".join("+".join(source.name for source in sources).split()) + (f":{split}" if split else "")
    tokens = tokenize_references(list(references.captions.values()), Settings(tokenizer))
    frequencies = DocumentFrequencies.of([tokens], tokenizer, name)
    frequencies.save(out)
    say(
        f"{out}: {len(frequencies.counts):,} n-grams that occur in at least 2 of {frequencies.images:,} images, "
        f"fingerprint {frequencies.fingerprint}"
    )
