"""What the best captioner of each run says of a split, by greedy decoding; kept in the run's folder."""

from collections.abc import Sequence
from pathlib import Path

from spidercap.data.captions import Dataset
from spidercap.data.results import read_results
from spidercap.decode.chosen import choose_images
from spidercap.decode.decoding import Decoding, captions_of
from spidercap.decode.images import Images, image_batches
from spidercap.errors import DataError
from spidercap.model.captioner import Captioner
from spidercap.model.folder import load_model
from spidercap.progress import progress_bar
from spidercap.report.training.runs import Run
from spidercap.vision.encoders import ENCODERS
from spidercap.vision.tuned import tuned_encoder

SPLITS = ("test", "val")
"""Which split is reported where none is named: the first of these that the dataset has."""


def choose_split(dataset: Dataset, asked: str | None) -> str:
    """The split to report."""
    if asked is not None:
        if not dataset.split(asked):
            raise DataError(f"{dataset.name} has no image in the split {asked!r}; it has {', '.join(dataset.splits())}")
        return asked
    found = next((split for split in SPLITS if dataset.split(split)), None)
    if found is None:
        raise DataError(f"{dataset.name} has no split {' or '.join(SPLITS)}; name one of its own by `split`")
    return found


def captions_of_runs(
    runs: Sequence[Run], ids: Sequence[str], split: str, images: Path | None = None
) -> list[list[str]]:
    """The captions of each run, in the order of the ids; `images` has the pictures for runs with their own encoder."""
    captions = []
    with progress_bar("captions", "runs") as progress:
        for number, run in enumerate(runs, 1):
            said = _kept(run, ids, split) or _caption(run, split, images)
            captions.append([said[image] for image in ids])
            progress(number, len(runs))
    return captions


def _name(run: Run, split: str) -> str:
    """Of the file that keeps the captions; the step tells which weights said them."""
    return f"{split}-{run.facts['steps']:08}"


def _kept(run: Run, ids: Sequence[str], split: str) -> dict[str, str] | None:
    path = run.folder.captions(_name(run, split))
    if not path.exists():
        return None
    captions = read_results(path).captions
    return captions if captions.keys() == set(ids) else None


def _caption(run: Run, split: str, pictures: Path | None) -> dict[str, str]:
    captioner = load_model(run.folder.best)
    decoding = Decoding(limit=run.config.decode.limit)
    said: dict[str, str] = {}
    for batch in _images(run, captioner, split, pictures).batches:
        if batch.skipped:
            raise DataError(f"{batch.skipped[0]}; a report needs every picture of the split {split}")
        names = [picture.id for picture in batch.pictures]
        found = captions_of(captioner, batch.features, names, decoding, explained=False)
        said |= {name: captions[0].text for name, captions in zip(names, found, strict=True)}
    run.folder.write_captions(_name(run, split), said)
    return said


def _images(run: Run, captioner: Captioner, split: str, pictures: Path | None) -> Images:
    """The vectors of a split: stored, or those of its pictures where the run trained its encoder too."""
    config, best = run.config, run.folder.best
    sources = [Path(config.data.folder)]
    if not config.encoder.finetune:
        store = Path(config.features.folder)
        return image_batches(choose_images(sources, features=store, split=split), captioner, ENCODERS["torch"])
    folder = pictures or (Path(config.data.images) if config.data.images else None)
    chosen = choose_images(sources, images=folder, split=split)
    if chosen.left_out:
        raise DataError(f"{chosen.left_out[0]}; a report needs every picture")
    return image_batches(chosen, captioner, lambda: tuned_encoder(best, "torch"))
