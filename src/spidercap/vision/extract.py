"""Pictures to a feature store: decoding in threads ahead of the network, memory bounded, resumable at any moment."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from spidercap.data.json_fields import field
from spidercap.errors import DataError
from spidercap.files import read_json
from spidercap.progress import Progress
from spidercap.vision.feature_store import DESCRIPTION_FILE, FeatureStore
from spidercap.vision.find_pictures import Picture
from spidercap.vision.partial import Entry, PartialStore, fingerprint, key_of, remove_leftovers
from spidercap.vision.picture_batches import DecodedPicture, decoded_batches, encoded
from spidercap.vision.pictures import none_readable

if TYPE_CHECKING:
    from spidercap.vision.encoders import Encoder


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a finished extraction holds: images in the store, and the reason for each picture that was skipped."""

    count: int
    width: int
    skipped: tuple[str, ...]
    computed: int


def _ignore_progress(done: int, total: int) -> None:
    pass


def extract(
    pictures: Sequence[Picture],
    encoder: "Callable[[], Encoder]",
    out: Path,
    *,
    dtype: str = "float32",
    batch: int = 16,
    on_error: Literal["skip", "fail"] = "skip",
    progress: Progress = _ignore_progress,
) -> Extraction:
    """Make the store `out`; killed at any moment and called again, it goes on where it stopped.

    The encoder is made only if there is something to compute.
    """
    keys = [key_of(picture) for picture in pictures]
    if os.path.lexists(out):
        return _finished_before(out, keys)
    made = encoder()
    try:
        with PartialStore(out, made.network, made.width, dtype) as partial:
            done = partial.resume(keys, keep_skipped=on_error == "skip")
            progress(done, len(pictures))
            for part in decoded_batches(pictures[done:], made.size, batch):
                _add_batch(partial, part, keys, made, on_error)
                progress(len(partial.entries), len(pictures))
            return _finish(partial, pictures, len(pictures) - done)
    except OSError as error:
        raise DataError(
            f"{out} cannot be written: {error.strerror or error}; mend that and run the same command again"
        ) from error


def _add_batch(
    partial: PartialStore, part: list[DecodedPicture], keys: Sequence[str], encoder: "Encoder", on_error: str
) -> None:
    for each in part:
        if each.reason is not None and on_error == "fail":
            raise DataError(f"{each.reason}; mend or remove it, or leave such pictures out with `on_error` skip")
    start = len(partial.entries)
    entries = [Entry(keys[start + number], each.reason) for number, each in enumerate(part)]
    partial.add([each.picture for each in part], entries, encoded(part, encoder))


def _finish(partial: PartialStore, pictures: Sequence[Picture], computed: int) -> Extraction:
    skipped = tuple(entry.skipped for entry in partial.entries if entry.skipped is not None)
    if len(skipped) == len(pictures):
        raise DataError(none_readable(skipped))
    partial.finish(pictures)
    return Extraction(len(pictures) - len(skipped), partial.width, skipped, computed)


def _finished_before(out: Path, keys: Sequence[str]) -> Extraction:
    """The extraction that made `out`, if it was of the same pictures."""
    path = out / DESCRIPTION_FILE
    description = read_json(path) if path.is_file() else {}
    if not isinstance(description, dict) or description.get("pictures_sha256") != fingerprint(keys):
        raise DataError(f"{out} already exists and is not of these pictures; choose another `out` or remove it first")
    store = FeatureStore.open(out)
    remove_leftovers(out)
    skipped = tuple(
        field(each, "reason", str, f"{path}, skipped") for each in field(description, "skipped", list, str(path))
    )
    return Extraction(len(store), store.width, skipped, 0)
