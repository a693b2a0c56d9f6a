"""`spidercap features`: pictures to vectors, or vectors from elsewhere to a feature store."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from spidercap.errors import DataError, UsageError
from spidercap.terminal import say, tell
from spidercap.text.amounts import amount

if TYPE_CHECKING:
    from spidercap.vision.encoders import Encoder
    from spidercap.vision.extract import Extraction

SKIPPED_SHOWN = 20


def features(
    sources: Annotated[list[Path] | None, Parameter(name="IMAGES")] = None,
    /,
    *,
    out: Path,
    images: Path | None = None,
    encoder: Literal["torch", "openvino"] = "torch",
    dtype: Literal["float32", "float16"] | None = None,
    batch: int = 16,
    on_error: Literal["skip", "fail"] = "skip",
    import_vectors: Annotated[Path | None, Parameter(name="--import")] = None,
    ids: Path | None = None,
    ids_are_files: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Turn pictures into Inception-V3 vectors, or take in vectors made elsewhere, as a feature store.

    The store is a folder: `features.npy` (one row an image), `ids.txt` and `features.json`. It appears when it is
    complete; until then the work is kept in OUT.partial, and the same command goes on where it stopped, even after a
    kill. Pictures that cannot be read are named at the end.

    Example: spidercap features scenes --out scenes-features

    Parameters
    ----------
    sources
        Picture files (JPEG, PNG, WebP, GIF, BMP, TIFF, AVIF; HEIC with spidercap[heic]), folders (with all below them),
        or a prepared dataset. The id of a picture is its file name without the ending; in a dataset, the id there.
    out
        The folder to make.
    images
        The folder that a dataset's file names start from (default: `images` in the dataset's folder, or that folder).
    encoder
        What runs the network; both give the same vectors. `openvino` is faster and needs spidercap[openvino].
    dtype
        Type of the stored numbers: float32 by default; float16 takes half the space. Imported vectors keep theirs.
    batch
        Pictures that go through the network together.
    on_error
        Pictures that cannot be read: `skip` leaves them out and names them, `fail` stops at the first.
    import_vectors
        Take vectors from this `.npy` file (images × any width) instead of computing them; needs --ids.
    ids
        The ids of imported vectors, one a line, in the order of the rows.
    ids_are_files
        The lines of --ids are file names: drop their folders and endings.
    """
    _check_options(sources, import_vectors, ids, images, batch)
    if ids_are_files and ids is None:
        raise UsageError("--ids-are-files goes with --ids")
    if import_vectors is not None and ids is not None:
        _import(import_vectors, ids, ids_are_files, out, dtype)
    else:
        _extract(sources or [], images, out, encoder, dtype or "float32", batch, on_error)


def _check_options(
    sources: list[Path] | None, import_vectors: Path | None, ids: Path | None, images: Path | None, batch: int
) -> None:
    if bool(sources) == (import_vectors is not None):
        raise UsageError("give either IMAGES (files, folders or a dataset) or --import VECTORS.npy --ids IDS.txt")
    if (import_vectors is None) != (ids is None):
        raise UsageError("--import and --ids go together: vectors and the id of each row")
    if import_vectors is not None and images is not None:
        raise UsageError("--images goes with IMAGES, not with --import")
    if batch < 1:
        raise UsageError(f"--batch must be at least 1, got {batch}")


def _import(vectors: Path, ids: Path, ids_are_files: bool, out: Path, dtype: str | None) -> None:
    from spidercap.vision.feature_store import check_ids, import_vectors, read_ids

    names = read_ids(ids)
    if ids_are_files:
        names = [Path(name).stem for name in names]
        check_ids(names, str(ids))
    count, width = import_vectors(vectors, names, out, dtype)
    say(f"{amount(count, 'vector')} of width {width:,} written to {out}")


def _extract(
    sources: list[Path],
    images: Path | None,
    out: Path,
    encoder: str,
    dtype: str,
    batch: int,
    on_error: Literal["skip", "fail"],
) -> None:
    from spidercap.extras import require
    from spidercap.progress import progress_bar

    require("caption")
    if encoder == "openvino":
        require("openvino")
    from spidercap.vision.extract import extract
    from spidercap.vision.find_pictures import find_pictures

    found = find_pictures(sources, images)
    for reason in found.left_out:
        if on_error == "fail":
            raise DataError(f"{reason}, or leave such pictures out with --on-error skip")
        tell(f"left out: {reason}")
    with progress_bar("features", "images") as progress:
        made = extract(
            found.pictures,
            lambda: _encoder(encoder),
            out,
            dtype=dtype,
            batch=batch,
            on_error=on_error,
            progress=progress,
        )
    _report(made, out)


def _encoder(name: str) -> "Encoder":
    from spidercap.vision.encoders import ENCODERS

    return ENCODERS[name]()


def _report(made: "Extraction", out: Path) -> None:

    for reason in made.skipped[:SKIPPED_SHOWN]:
        tell(f"skipped: {reason}")
    if len(made.skipped) > SKIPPED_SHOWN:
        more = len(made.skipped) - SKIPPED_SHOWN
        tell(f"skipped: {more:,} more, listed in {out / 'features.json'}")
    done = "written to" if made.computed else "already in"
    skipped = amount(len(made.skipped), "picture")
    say(f"{amount(made.count, 'vector')} of width {made.width:,} {done} {out}; {skipped} skipped")
