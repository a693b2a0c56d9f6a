"""Turn a training run into the captioner that comes with the package: half precision, test scores, model card.

    python tools/captioner/ship.py RUN --photos FOLDER…

Run where the run was trained, so that the paths in its settings hold. The folder src/spidercap/model/shipped gets the
weights in 16 bits; that captioner, not the one of the run, is then scored on the test images. The card is card.md with
its blanks filled. Examples are judged by hand in examples.tsv, each with the caption that was judged: a caption that
the captioner does not say is an error, so a verdict is never shown beside words it was not about. Same run, same bytes.
"""

import argparse
import csv
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch

from spidercap.data.captions import Dataset
from spidercap.decode.chosen import choose_images
from spidercap.decode.decoding import Decoding, captions_of
from spidercap.decode.images import IMPORTED, image_batches
from spidercap.errors import DataError, SpidercapError
from spidercap.files import make_folder, new_file
from spidercap.metrics.names import title
from spidercap.metrics.scores import Scores
from spidercap.metrics.settings import Settings
from spidercap.metrics.systems import evaluate
from spidercap.model.captioner import Captioner
from spidercap.model.folder import CARD_FILE, SHIPPED, WEIGHTS_FILE, load_model, save_model
from spidercap.report.training.leaderboard import METRICS
from spidercap.report.training.runs import Run, load_dataset, load_runs
from spidercap.text.vocabulary import Vocabulary
from spidercap.vision.encoders import ENCODERS, Encoder
from spidercap.vision.feature_store import FeatureStore
from spidercap.vision.find_pictures import Picture, find_pictures
from spidercap.vision.picture_batches import decoded_batches, encoded

HERE = Path(__file__).parent
LARGEST = 25_000_000
"""Bytes of weights that a package should carry at most."""
ALIKE = 0.9999
"""Smallest cosine of the vectors of one picture by the same network."""
VERDICTS = ("good", "bad")
MOST_COMPARED = 8
"""Pictures whose stored vectors are computed again."""


@dataclass(frozen=True)
class Judged:
    """A picture, the caption that the captioner gave it, and what a person thinks of it."""

    picture: str
    verdict: str
    caption: str
    shows: str


def read_judged(path: Path) -> list[Judged]:
    """The examples judged by hand."""
    with path.open(encoding="utf-8", newline="") as file:
        judged = [Judged(**row) for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    for each in judged:
        if each.verdict not in VERDICTS:
            raise DataError(
                f"{path}, {each.picture}: the verdict must be one of {', '.join(VERDICTS)}, got {each.verdict!r}"
            )
    return judged


def ship(run: Path, photos: Sequence[Path], out: Path, judged: Sequence[Judged]) -> Scores:
    """Write the shipped folder, when all has been checked; the scores are those of what was written."""
    with TemporaryDirectory() as draft:
        scores = _write(run, photos, Path(draft), judged)
        make_folder(out)
        for file in Path(draft).iterdir():
            shutil.copyfile(file, out / file.name)
    return scores


def _write(run_folder: Path, photos: Sequence[Path], out: Path, judged: Sequence[Judged]) -> Scores:
    (run,) = load_runs([run_folder])
    encoder = ENCODERS["torch"]()
    pictures = find_pictures(photos).pictures if photos else []
    facts = run.facts | {"method": run.name, "features": _features(run, encoder, pictures)}
    best = load_model(run.folder.best)
    best.facts = facts
    save_model(out, best, half=True)
    size = (out / WEIGHTS_FILE).stat().st_size
    if size > LARGEST:
        raise DataError(
            f"{run_folder}: {size:,} bytes of weights, at most {LARGEST:,} are shipped; train a smaller one"
        )
    captioner = load_model(out)
    check_judged(judged, captioner, encoder, pictures)
    dataset = load_dataset(run)
    scores = _test_scores(run, captioner, dataset)
    tested = {name: {"value": value, "signature": scores.signature[name]} for name, value in scores.corpus.items()}
    captioner.facts = facts | {"test": tested}
    save_model(out, captioner, half=True)
    with new_file(out / CARD_FILE) as file:
        file.write(card(run, captioner, dataset, scores, judged, size))
    return scores


def _features(run: Run, encoder: Encoder, pictures: Sequence[Picture]) -> dict[str, Any]:
    """What the captioner is to be fed with: our encoder's vectors, if those of its training were like them."""
    trained: dict[str, Any] = run.facts["features"]
    if trained["network"] == encoder.network:
        return trained
    if IMPORTED not in trained["network"]:
        raise DataError(f"{run.folder.path} was trained on features of {trained['network']}, not {encoder.network}")
    store = FeatureStore.open(Path(run.config.features.folder))
    known = set(store.ids)
    shared = [each for each in pictures if each.id in known][:MOST_COMPARED]
    if not shared:
        raise DataError(f"{store.folder} was imported; --photos must name some of its pictures, to compare vectors")
    (part,) = decoded_batches(shared, encoder.size, MOST_COMPARED)
    ours, theirs = encoded(part, encoder), store.rows([each.id for each in shared])
    cosine = (ours * theirs).sum(1) / (np.linalg.norm(ours, axis=1) * np.linalg.norm(theirs, axis=1))
    if cosine.min() < ALIKE:
        raise DataError(f"{store.folder} holds other vectors than {encoder.network} gives: cosine {cosine.min():.4f}")
    return trained | {"network": encoder.network, "stored": trained["network"]}


def check_judged(judged: Sequence[Judged], captioner: Captioner, encoder: Encoder, pictures: Sequence[Picture]) -> None:
    """Raise unless the captioner says of each picture what was judged."""
    names = {each.picture for each in judged}
    chosen = [picture for picture in pictures if picture.id in names]
    said = _said_of_pictures(captioner, encoder, chosen)
    for each in judged:
        if each.picture not in said:
            raise DataError(f"the picture {each.picture} of an example is in none of the folders of --photos")
        if said[each.picture] != each.caption:
            raise DataError(
                f"of {each.picture} it says {said[each.picture]!r}, but {each.caption!r} was judged; judge it again"
            )


def _said_of_pictures(captioner: Captioner, encoder: Encoder, pictures: Sequence[Picture]) -> dict[str, str]:
    """As `spidercap caption` says it."""
    said: dict[str, str] = {}
    for part in decoded_batches(pictures, encoder.size, MOST_COMPARED):
        ids = [each.picture.id for each in part if each.pixels is not None]
        said |= _said(captioner, torch.from_numpy(encoded(part, encoder)), ids, Decoding())
    return said


def _said(captioner: Captioner, features: torch.Tensor, ids: Sequence[str], decoding: Decoding) -> dict[str, str]:
    found = captions_of(captioner, features, ids, decoding, explained=False)
    return {image: captions[0].text for image, captions in zip(ids, found, strict=True)}


def _test_scores(run: Run, captioner: Captioner, dataset: Dataset) -> Scores:
    images = dataset.split("test")
    # The store may be called otherwise than the network; that they are alike has been checked.
    plain = copy(captioner)
    plain.facts = {}
    store = Path(run.config.features.folder)
    chosen = choose_images([Path(run.config.data.folder)], features=store, split="test")
    found = image_batches(chosen, plain, ENCODERS["torch"])
    said: dict[str, str] = {}
    decoding = Decoding(limit=run.config.decode.limit)
    for batch in found.batches:
        said |= _said(captioner, batch.features, [each.id for each in batch.pictures], decoding)
    captions = [said[image.id] for image in images]
    return evaluate(
        [image.id for image in images], [captions], [image.captions for image in images], METRICS, Settings()
    )[0]


def card(run: Run, captioner: Captioner, dataset: Dataset, scores: Scores, judged: Sequence[Judged], size: int) -> str:
    """card.md with its blanks filled."""
    vocabulary = captioner.vocabulary
    assert isinstance(vocabulary, Vocabulary)
    validated: Mapping[str, Mapping[str, float]] = run.facts["metrics"]
    numbers = [
        (title(name), f"{value:.3f}", f"{validated[name]['value']:.3f}" if name in validated else "–")
        for name, value in scores.corpus.items()
    ]
    return Template((HERE / "card.md").read_text(encoding="utf-8")).substitute(
        method=run.name,
        data=dataset.name,
        training_images=f"{len(dataset.split('train')):,}",
        test_images=f"{len(dataset.split('test')):,}",
        validation_images=f"{len(dataset.split('val')):,}",
        captions_sha256=run.facts["data"]["captions_sha256"],
        megabytes=f"{size / 1e6:.1f}",
        parameters=f"{sum(each.numel() for each in captioner.parameters()):,}",
        words=f"{len(vocabulary.words):,}",
        network=captioner.facts["features"]["network"],
        steps=f"{run.facts['steps']:,}",
        seed=run.facts["seed"],
        scores="\n".join(_table(("metric", "test", "validation"), numbers)),
        signatures="\n".join(f"* `{text}`" for text in dict.fromkeys(scores.signature.values())),
        good="\n".join(_examples(judged, "good")),
        bad="\n".join(_examples(judged, "bad")),
    )


def _examples(judged: Iterable[Judged], verdict: str) -> Iterator[str]:
    rows = [(each.picture, each.caption, each.shows) for each in judged if each.verdict == verdict]
    return _table(("picture", "caption", "what it shows"), rows) if rows else iter(("None has been judged.",))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for line in (head, ["---"] * len(head), *rows):
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("--photos", type=Path, nargs="*", default=[], help="folders of pictures, those of the examples")
    parser.add_argument("--examples", type=Path, default=HERE / "examples.tsv", help="judged by hand")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    given = parser.parse_args()
    try:
        scores = ship(given.run, given.photos, given.out, read_judged(given.examples))
    except SpidercapError as error:
        raise SystemExit(f"ship: {error}") from None
    for name, value in scores.corpus.items():
        print(f"{title(name):8} {value:.4f}")
    print(f"{given.out}: {(given.out / WEIGHTS_FILE).stat().st_size:,} bytes of weights, card {given.out / CARD_FILE}")


if __name__ == "__main__":
    main()
