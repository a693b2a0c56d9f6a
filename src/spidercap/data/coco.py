"""COCO captions: the official `captions_*.json`, the compact one-image-a-line form, and the paper's split."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from spidercap.data.captions import Dataset
from spidercap.data.intake import Intake
from spidercap.data.json_fields import field, identifier
from spidercap.data.splits import smallest_hashes, split_from_file_name
from spidercap.errors import DataError, UsageError
from spidercap.files import parse_json, read_lines

HELD_OUT = 1665
_PART = re.compile(r"(train|val|test)(2014|2015|2017)")
# The release of 2017 names its pictures by the bare number.
_FILE_NAMES = {
    "2014": "COCO_{part}_{number:012d}.jpg",
    "2015": "COCO_{part}_{number:012d}.jpg",
    "2017": "{number:012d}.jpg",
}


def read_coco(paths: Sequence[Path], intake: Intake) -> Dataset:
    """One or several COCO caption files; the file names tell the splits."""
    for path in paths:
        if ".jsonl" in path.suffixes:
            _read_compact(path, intake)
        else:
            _read_official(path, intake)
    _apply_protocol(intake)
    origins = {image.origin for image in intake.images if image.origin.startswith("train")}
    return intake.dataset("coco", paths, vocabulary_origin=origins.pop() if len(origins) == 1 else "")


def _read_official(path: Path, intake: Intake) -> None:
    content = intake.json(path)
    files: dict[str, str] = {}
    for number, image in enumerate(field(content, "images", list, str(path)), 1):
        identity = intake.claim(path, identifier(image, "id", f"{path}, entry {number} of images"))
        files[identity] = field(image, "file_name", str, f"{path}, image {identity}") if "file_name" in image else ""
    captions = _captions_by_image(path, content, files)
    split, origin = split_from_file_name(path.name), _part(path)
    for identity, file in files.items():
        with intake.entry():
            intake.add(path, identity, file, split, captions[identity], origin)


def _captions_by_image(path: Path, content: object, files: dict[str, str]) -> dict[str, list[object]]:
    captions: dict[str, list[object]] = {identity: [] for identity in files}
    seen: set[str] = set()
    for number, annotation in enumerate(field(content, "annotations", list, str(path)), 1):
        where = f"{path}, entry {number} of annotations"
        caption_id, identity = identifier(annotation, "id", where), identifier(annotation, "image_id", where)
        if caption_id in seen:
            raise DataError(f"{path}, image {identity}: the caption id {caption_id} occurs twice; ids must be unique")
        seen.add(caption_id)
        if identity not in captions:
            raise DataError(f'{path}, caption {caption_id}: its image {identity} is not among "images"; add it there')
        captions[identity].append(field(annotation, "caption", str, f"{path}, image {identity}"))
    return captions


def _read_compact(path: Path, intake: Intake) -> None:
    split, origin = split_from_file_name(path.name), _part(path)
    for number, line in enumerate(read_lines(path), 1):
        with intake.entry():
            where = f"{path}, line {number}"
            record = parse_json(line, where)
            identity = intake.claim(path, identifier(record, "image_id", where))
            captions = field(record, "captions", list, where)
            intake.add(path, identity, _file_name(origin, identity), split, captions, origin)


def _part(path: Path) -> str:
    """`train2014` of `captions_train2014.json`; "" for names without it."""
    found = _PART.search(path.name)
    return found.group() if found else ""


def _file_name(part: str, identity: str) -> str:
    if not part or not identity.isdecimal() or len(identity) > 12:
        return ""
    return _FILE_NAMES[part[-4:]].format(part=part, number=int(identity))


def _apply_protocol(intake: Intake) -> None:
    """Keep 1,665 images of val2014 for tuning and train on the others, as the paper does."""
    options = intake.options
    both = {"train2014", "val2014"} <= {image.origin for image in intake.images}
    if options.protocol == "paper" and not both:
        raise UsageError("`protocol` paper needs the captions of train2014 and of val2014; give both files")
    if options.split or not both or options.protocol == "official":
        return
    held_out = smallest_hashes((image.id for image in intake.images if image.origin == "val2014"), HELD_OUT)
    for position, image in enumerate(intake.images):
        if image.origin == "val2014" and image.id not in held_out:
            intake.images[position] = replace(image, split="train")
            intake.note("images of val2014 joined to train, as the paper does", f"image {image.id}")
