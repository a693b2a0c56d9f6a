"""What is checked before anything is scored: ids, captions, references, and what else metrics need of images."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from spidercap.errors import DataError, UsageError
from spidercap.metrics.metric import Metric

Inputs = Mapping[str, Mapping[Any, Any] | Sequence[Any]]
"""What metrics need of images, by name: one value an image, by its id or in the order of the captions."""


def paired(
    candidates: Sequence[str] | Mapping[Any, str], references: Sequence[Sequence[str]] | Mapping[Any, Sequence[str]]
) -> tuple[list[Hashable], list[str], list[Sequence[str]]]:
    """Ids, captions and references in one order (that of the references), after all checks."""
    if isinstance(candidates, Mapping) != isinstance(references, Mapping):
        raise DataError("candidates and references must be two lists, or two dicts with the same ids")
    if isinstance(candidates, Mapping) and isinstance(references, Mapping):
        check_ids(candidates, references)
        ids = list(references)
        texts, truths = [candidates[image] for image in ids], [references[image] for image in ids]
    else:
        if len(candidates) != len(references):
            raise DataError(
                f"{len(candidates)} candidates and {len(references)} lists of references; give one for each"
            )
        ids, texts, truths = list(range(len(candidates))), list(candidates), list(references)
    check_texts(ids, texts, truths)
    return ids, texts, truths


def check_ids(candidates: Mapping[Any, object], references: Mapping[Any, object]) -> None:
    """Both must have the same ids."""
    for have, lack, what in ((candidates, references, "references"), (references, candidates, "caption")):
        missing = [image for image in have if image not in lack]
        if missing:
            raise DataError(
                f"{len(missing)} of {len(have)} images have no {what}, the first is {missing[0]!r}; "
                "candidates and references must have the same ids"
            )


def check_texts(ids: Sequence[Hashable], texts: Sequence[object], truths: Sequence[object]) -> None:
    """Captions must be text, and references non-empty lists of text."""
    if not ids:
        raise DataError("there is nothing to score: no candidates and no references")
    check_captions(ids, texts)
    check_references(ids, truths)


def check_captions(ids: Sequence[Hashable], texts: Sequence[object]) -> None:
    """Captions must be text."""
    for image, text in zip(ids, texts, strict=True):
        if not isinstance(text, str):
            raise DataError(f"the caption of image {image!r} is {type(text).__name__}, expected text")


def check_references(ids: Iterable[Hashable], truths: Iterable[object]) -> None:
    """References must be non-empty lists of text."""
    for image, truth in zip(ids, truths, strict=True):
        if isinstance(truth, str) or not isinstance(truth, Sequence) or not truth:
            raise DataError(f"the references of image {image!r} must be a list of one or more captions")
        if not all(isinstance(reference, str) for reference in truth):
            raise DataError(f"a reference of image {image!r} is not text")


def ordered_inputs(
    metrics: Sequence[Metric], inputs: Inputs | None, ids: Sequence[Hashable]
) -> dict[str, Sequence[Any]]:
    """What the metrics need of each image and is given, in the order of the ids."""
    needed = dict.fromkeys(name for metric in metrics for name in metric.needs)
    return {name: _ordered(name, inputs[name], ids) for name in needed if inputs and name in inputs}


def _ordered(name: str, given: Mapping[Any, Any] | Sequence[Any], ids: Sequence[Hashable]) -> Sequence[Any]:
    if isinstance(given, Mapping):
        missing = [image for image in ids if image not in given]
        if missing:
            raise DataError(f"{len(missing)} of {len(ids)} images have no {name}, the first is {missing[0]!r}")
        return [given[image] for image in ids]
    if len(given) != len(ids):
        raise DataError(f"{len(ids)} captions and {name} of {len(given)} images; give one for each")
    return given


def check_needs(metrics: Sequence[Metric], inputs: Mapping[str, object]) -> None:
    """All that the metrics need of images must be given."""
    for metric in metrics:
        for name in metric.needs:
            if name not in inputs:
                raise UsageError(
                    f"{metric.names[0]} needs {name} of each image besides captions and references; "
                    f"score it in Python, with inputs={{{name!r}: …}}"
                )
