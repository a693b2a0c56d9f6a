"""Karpathy's `dataset_*.json`: captions of COCO, Flickr8k or Flickr30k with the splits that most papers use."""

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from spidercap.data.captions import Dataset
from spidercap.data.intake import Intake
from spidercap.data.json_fields import field, identifier
from spidercap.errors import DataError

SPLITS_OF_SOURCE = ("train", "restval", "val", "test")


def read_karpathy(paths: Sequence[Path], intake: Intake) -> Dataset:
    """One or several files; `restval` joins train, or another split by option."""
    names = []
    for path in paths:
        content = intake.json(path)
        _read_images(path, content, intake)
        names.append(content["dataset"] if isinstance(content.get("dataset"), str) else path.stem)
    return intake.dataset(" ".join(names), paths, vocabulary_origin="train")


def _read_images(path: Path, content: object, intake: Intake) -> None:
    seen: set[str] = set()
    for number, image in enumerate(field(content, "images", list, str(path)), 1):
        with intake.entry():
            file = field(image, "filename", str, f"{path}, entry {number} of images")
            key = "cocoid" if "cocoid" in image else "filename"
            # Flickr images have no number of their own: their id is the file name without its ending.
            identity = identifier(image, key, str(path)) if key == "cocoid" else PurePosixPath(file).stem
            where = f"{path}, image {intake.claim(path, identity)}"
            origin = field(image, "split", str, where)
            captions = _captions(field(image, "sentences", list, where), seen, where)
            intake.add(path, identity, file, _split(origin, intake.options.restval, where), captions, origin)


def _split(name: str, restval: str, where: str) -> str:
    if name not in SPLITS_OF_SOURCE:
        raise DataError(f"{where}: unknown split {name!r}; expected one of {', '.join(SPLITS_OF_SOURCE)}")
    return restval if name == "restval" else name


def _captions(sentences: list[object], seen: set[str], where: str) -> list[str]:
    """The raw sentences; a sentence id that was seen before is an error."""
    for sentence in sentences:
        if isinstance(sentence, dict) and "sentid" in sentence:
            sentence_id = identifier(sentence, "sentid", where)
            if sentence_id in seen:
                raise DataError(f"{where}: the caption id {sentence_id} occurs twice; ids must be unique")
            seen.add(sentence_id)
    return [field(sentence, "raw", str, where) for sentence in sentences]
