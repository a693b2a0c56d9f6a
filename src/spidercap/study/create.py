"""`study new`: from results, references and pictures to a study folder."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from spidercap.data.captions import Note
from spidercap.data.results import AS_WRITTEN, is_line_aligned, read_references, read_results
from spidercap.data.sources import read_sources
from spidercap.errors import DataError, UsageError
from spidercap.files import new_file, new_folder, refuse_existing
from spidercap.progress import Progress
from spidercap.study.database import create
from spidercap.study.plan import Plan, Wishes, make_plan
from spidercap.study.scales import GROUND_TRUTH, MISPLACED
from spidercap.study.store import Store
from spidercap.study.study_settings import SourceState, StudySettings
from spidercap.vision.find_pictures import picture_files
from spidercap.web.keys import new_key

PICTURES = "pictures"
LARGEST_SIDE = 1600
LONG_CAPTION = 300


@dataclass(frozen=True)
class NewStudy:
    """What was made: the plan, the owner's key (it is stored only as a hash) and what the owner should know."""

    plan: Plan
    owner_key: str
    warnings: tuple[str, ...]


def new_study(
    folder: Path,
    systems: Mapping[str, Path],
    references: Sequence[Path],
    images: Path,
    wishes: Wishes,
    progress: Progress | None = None,
) -> NewStudy:
    """Make a study folder, whole or not at all."""
    check_systems(systems)
    refuse_existing(folder, "folder")
    captions = {name: read_results(path).captions for name, path in systems.items()}
    truths, files = _read_references(references)
    pictures = PictureFolder(images, files)
    wanted = list(dict.fromkeys([*(image for texts in captions.values() for image in texts), *truths]))
    found = {image: path for image in wanted if (path := pictures.find(image))}
    plan = make_plan(captions, truths, list(found), wishes)
    sources = tuple(SourceState.of(path) for path in (*systems.values(), *(p for p in references if p.is_file())))
    settings = StudySettings(
        name=wishes.name or folder.resolve().name,
        code=secrets.token_hex(4),
        scale_name=wishes.scale,
        raters=wishes.raters,
        seed=wishes.seed,
        patience=60 * wishes.patience,
        systems=tuple(systems),
        sources=sources,
    )
    key = new_key()
    with new_folder(folder) as temporary:
        codes = create(temporary, settings, plan, _codes())
        _copy_pictures({code: found[image] for image, code in codes.items()}, temporary / PICTURES, progress)
        store = Store(temporary)
        store.new_owner_key(key.hash)
        store.close()
    return NewStudy(plan, key.text, tuple(_warnings(plan)))


def check_systems(systems: Mapping[str, Path]) -> None:
    """There must be systems, with names that are not ours."""
    if not systems:
        raise UsageError("name at least one system and its results with `systems`")
    for name in systems:
        if not name.strip() or not name.isprintable() or name in (GROUND_TRUTH, MISPLACED):
            raise UsageError(f"`systems` {name}: a system's name must be printable and not {GROUND_TRUTH!r}")


def _codes() -> Iterator[str]:
    """Names that tell nothing and cannot be guessed."""
    while True:
        yield secrets.token_hex(8)


def _read_references(paths: Sequence[Path]) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    """The references of each image, and the names of the picture files where the source tells them."""
    if not paths:
        return {}, {}
    if is_line_aligned(paths):
        return read_references(paths).captions, {}
    dataset = read_sources(paths, AS_WRITTEN)
    captions = {image.id: tuple(text for text in image.captions if text.strip()) for image in dataset.images}
    return captions, {image.id: image.file for image in dataset.images if image.file}


class PictureFolder:
    """The pictures below a folder, found by the file name that the dataset tells, by id, or by COCO's padded number."""

    def __init__(self, folder: Path, files: Mapping[str, str]) -> None:
        if not folder.is_dir():
            raise DataError(f"{folder} is not a folder; `images` names the folder that holds the pictures")
        self._files = {image: folder / file for image, file in files.items()}
        self._paths = set(picture_files(folder))
        self._by_stem: dict[str, list[Path]] = {}
        self._by_number: dict[str, list[Path]] = {}
        for path in sorted(self._paths):
            self._by_stem.setdefault(path.stem, []).append(path)
            number = path.stem.rpartition("_")[2].lstrip("0")
            if number.isdigit():
                self._by_number.setdefault(number, []).append(path)

    def find(self, image: str) -> Path | None:
        """The picture of an image, if there is one inside the folder; two that it could be are an error."""
        told = self._files.get(image)
        if told in self._paths:
            return told
        named = self._by_stem.get(told.stem) if told else None
        found = named or self._by_stem.get(image) or self._by_number.get(image) or []
        if len(found) > 1:
            raise DataError(
                f"{found[0]} and {found[1]} could both be the picture of image {image}; rename or remove one of them"
            )
        return found[0] if found else None


def _copy_pictures(files: Mapping[str, Path], folder: Path, progress: Progress | None) -> None:
    """Write each picture under its blind name, upright and without what cameras note in files."""
    from PIL import Image

    from spidercap.vision.pictures import open_picture, quiet_pillow

    folder.mkdir()
    with quiet_pillow():
        for number, (code, path) in enumerate(files.items(), 1):
            try:
                picture = open_picture(path)
            except DataError as error:
                raise DataError(f"{error}; mend it, or remove it and leave it out with `allow_partial`") from None
            picture.thumbnail((LARGEST_SIDE, LARGEST_SIDE), Image.Resampling.LANCZOS)
            with new_file(folder / f"{code}.jpg", "wb") as file:
                picture.save(file, "JPEG", quality=93)
            if progress:
                progress(number, len(files))


def _warnings(plan: Plan) -> Iterator[str]:
    texts = [(system, image, text) for system, found in plan.captions.items() for image, text in found.items()]
    for what, chosen in (
        ("empty captions; raters see that they are empty", [one for one in texts if not one[2]]),
        (f"captions of more than {LONG_CAPTION} characters", [one for one in texts if len(one[2]) > LONG_CAPTION]),
    ):
        if chosen:
            yield str(Note(what, len(chosen), f"{chosen[0][0]}, image {chosen[0][1]}"))
