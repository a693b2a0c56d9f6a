"""`study demo`: a study of made-up systems on the built-in scenes, rated in part by simulated raters."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from spidercap.data.scenes import Scenes, scene_images
from spidercap.errors import DataError
from spidercap.files import new_file, new_folder
from spidercap.progress import Progress
from spidercap.study.create import new_study
from spidercap.study.findings import Choices, Findings
from spidercap.study.plan import Wishes
from spidercap.study.report import write_report
from spidercap.study.simulate import SimulatedClock, SimulatedRater, rate_share, simulated_captions
from spidercap.study.store import Store
from spidercap.web.keys import new_key

NAME = "Made-up systems on drawn scenes"
# Shares of right captions and of captions cut short; the others belong to another picture.
SYSTEMS = {"sloppy": (0.35, 0.25), "middling": (0.5, 0.25), "careful": (0.75, 0.15)}
RATERS = (
    SimulatedRater("Ada", noise=0.08),
    SimulatedRater("Ben", noise=0.1, seconds=4.5),
    SimulatedRater("Cyd", noise=0.12, seconds=7.0),
    SimulatedRater("Hasty", seconds=0.7, habit="good"),
)
SHARE = 0.9
"""Of all answers; the rest is for whoever tries the page."""


@dataclass(frozen=True)
class DemoLinks:
    """Keys to click through the demo with."""

    owner: str
    rater: str


def make_demo(out: Path, count: int, seed: int, progress: Progress | None = None) -> None:
    """Draw the scenes, make up three systems, make a study of them and let simulated raters do most of it.

    The folder appears whole or not at all.
    """
    scenes = Scenes(count, seed)
    wishes = Wishes(NAME, seed=seed, control=0.25)
    with new_folder(out) as folder:
        scenes.draw(folder / "scenes", progress)
        _make_study(folder, scenes, wishes)
        _rate(folder / "study", seed)


def _make_study(folder: Path, scenes: Scenes, wishes: Wishes) -> None:
    captions = {image.id: image.captions for image in scene_images(scenes.count, scenes.seed)}
    systems = {name: simulated_captions(captions, *shares, scenes.seed) for name, shares in SYSTEMS.items()}
    files = {name: _write(folder / f"{name}.json", found) for name, found in systems.items()}
    # The caption that right answers repeat is no reference, or metrics would see nothing but copies.
    references = _write(folder / "references.json", {image: list(texts[1:]) for image, texts in captions.items()})
    new_study(folder / "study", files, [references], folder / "scenes" / "images", wishes)


def _rate(study: Path, seed: int) -> None:
    clock = SimulatedClock()
    store = Store(study, clock)
    raters = [(simulated, store.invite(simulated.name, new_key().hash)) for simulated in RATERS]
    rate_share(store, raters, clock, SHARE, seed)
    for _, rater in raters:
        # They do not come back: what they have in hand goes to whoever tries the page.
        store.set_paused(rater.number, True)
        store.set_paused(rater.number, False)
    store.close()


def _write(path: Path, captions: Mapping[str, object]) -> Path:
    with new_file(path) as file:
        json.dump(captions, file, indent=1, ensure_ascii=False)
    return path


def check_demo(study: Path) -> None:
    """Raise if this is someone's own study: a demo's links would take the owner's away."""
    store = Store(study)
    name = store.settings.name
    store.close()
    if name != NAME:
        raise DataError(f"{study} holds the study {name!r}, expected that of an earlier demo; choose another `out`")


def demo_links(study: Path) -> DemoLinks:
    """New keys of the owner and of a rater for whoever tries the demo."""
    owner, rater = new_key(), new_key()
    store = Store(study)
    store.new_owner_key(owner.hash)
    store.invite("you", rater.hash)
    store.close()
    return DemoLinks(owner.text, rater.text)


def demo_report(out: Path) -> Findings:
    """The report of the demo's study."""
    store = Store(out / "study")
    findings = write_report(store, out / "study", out / "report", Choices())
    store.close()
    return findings
