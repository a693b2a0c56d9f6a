"""`spidercap demo`: the paper in miniature, end to end, on the built-in scenes."""

from collections.abc import Callable
from os import times
from pathlib import Path
from time import perf_counter

from spidercap.terminal import say

COUNT = 1000
MINUTES = 4
"""What the demo takes with that many pictures on two idle cores, installation apart."""
RECIPE = Path(__file__).parent / "demo.toml"
PG = {
    "learn.algorithm": "pg",
    "learn.sharpen": 2.0,
    "train.learning_rate": 4e-4,
    "train.epochs": 10.0,
    "train.validate_every": 26,
}
MIXER = {"learn.algorithm": "mixer", "learn.reward": "BCMR", "train.epochs": 4.0, "train.validate_every": 26}
METHODS: dict[str, dict[str, object]] = {
    # METEOR, because CIDEr is 0 where there is a single validation image: a small demo would keep its first weights.
    "mle": {"train.select": "METEOR"},
    "pg-spider": {**PG, "learn.reward": "SPIDEr", "train.select": "SPIDEr"},
    "pg-bcmr": {**PG, "learn.reward": "BCMR"},
    "pg-cider": {**PG, "learn.reward": "CIDEr"},
    "pg-bleu4": {**PG, "learn.reward": "Bleu_4", "train.select": "Bleu_4"},
    "pg-spice": {**PG, "learn.reward": "SPICE", "train.select": "SPICE"},
    "mixer-bcmr": {**MIXER, "train.optimizer": "sgd", "train.learning_rate": 0.1, "train.schedule": "exponential"},
    "mixer-bcmr-a": {**MIXER, "train.learning_rate": 5e-4},
}
"""The methods of the paper's Table 1, and PG-SPICE, each with its settings beside the recipe's."""


def demo(*, out: Path = Path("runs/demo"), count: int = COUNT, seed: int = 0) -> None:
    """Show the paper in miniature: draw scenes, compute features, train its eight methods, and report them on a page.

    Parts that an earlier run finished are kept, and a training that was stopped goes on.

    Example: spidercap demo --count 24 --out runs/small-demo

    Parameters
    ----------
    out
        The folder that gets everything.
    count
        How many pictures.
    seed
        What the pictures are drawn from.
    """
    from spidercap.extras import require

    for part in ("caption", "weights", "pages", "plots", "meteor"):
        require(part)
    clock = _Clock()
    scenes, features, page = out / "scenes", out / "features", out / "dataset.html"
    _check_earlier_run(scenes, count, seed)
    _tell_plan(count)
    _timed("scenes", scenes, lambda: _prepare(scenes, count, seed))
    _timed("features", features, lambda: _features(scenes, features))
    _timed("page", page, lambda: _browse(scenes, features, page))
    for name in METHODS:
        _train(name, out, count)
    _report(out)
    say(f"all parts: {clock.told()}")
    _tell_what_is_next(out)


def _tell_plan(count: int) -> None:
    minutes = max(1, round(count * MINUTES / COUNT))
    say(f"The paper in miniature: {count:,} drawn scenes, their features, {len(METHODS)} trainings and a report,")
    say(f"about {minutes} min on two cores. It may be stopped: the same command goes on, and keeps what is finished.")
    say()


def _tell_what_is_next(out: Path) -> None:
    """Say what people can open or type after the demo."""
    places = {
        f"{out / 'report.html'}": "how the methods compare: table, curves, captions, what each word is worth",
        f"{out / 'dataset.html'}": "the pictures and captions they learnt from",
        "spidercap caption photo.jpg": "captions of your own pictures",
        "docs/tutorial.md": "the same with your own photos and captions",
    }
    say("What to look at next:")
    for place, why in places.items():
        say(f"  {place:27} {why}")


class _Clock:
    """Time since it was made: of the clock on the wall, and of the processor for all threads and helping processes."""

    def __init__(self) -> None:
        self.wall, self.processor = perf_counter(), _processor_time()

    def told(self) -> str:
        return f"{perf_counter() - self.wall:.1f} s ({_processor_time() - self.processor:.1f} s of processor time)"


def _processor_time() -> float:
    return sum(times()[:4])


def _timed(name: str, made: Path, work: Callable[[], None]) -> None:
    if made.exists():
        say(f"{name}: kept {made} from an earlier run")
        return
    clock = _Clock()
    work()
    say(f"{name}: {clock.told()}")
    say()


def _check_earlier_run(scenes: Path, count: int, seed: int) -> None:
    """Refuse to mix pictures of other settings with these."""
    from spidercap.data.scenes import Scenes
    from spidercap.errors import UsageError
    from spidercap.files import read_json

    if not scenes.exists():
        return
    wanted = Scenes(count, seed).source.name
    found = read_json(scenes / "dataset.json")["sources"][0]["name"]
    if found != wanted:
        raise UsageError(f"{scenes} holds {found}, not {wanted}; choose another --out or remove {scenes.parent}")


def _prepare(scenes: Path, count: int, seed: int) -> None:
    from spidercap.cli.prepare import prepare

    prepare(["scenes"], out=scenes, count=count, seed=seed)


def _features(scenes: Path, features: Path) -> None:
    from spidercap.cli.features import features as compute
    from spidercap.extras import PARTS

    compute([scenes], out=features, encoder="openvino" if PARTS["openvino"].installed else "torch")


def _browse(scenes: Path, features: Path, page: Path) -> None:
    from spidercap.cli.browse import browse

    browse(scenes, features=features, out=page)


def _train(name: str, out: Path, count: int) -> None:
    """Train a method from the maximum-likelihood captioner, go on with it, or find it finished."""
    from dataclasses import replace

    from spidercap.learn.policy_gradient import PolicyGradientSettings
    from spidercap.recipe import load_recipe
    from spidercap.train.start import train_run

    clock = _Clock()
    folders = {"data.folder": str(out / "scenes"), "features.folder": str(out / "features")}
    config = load_recipe(RECIPE, folders | METHODS[name])
    if count < COUNT and isinstance(config.learn, PolicyGradientSettings):
        # The captioner's steps fall with the number of pictures; those of its baseline alone should too.
        steps = config.learn.baseline_steps * count // COUNT
        config = replace(config, learn=replace(config.learn, baseline_steps=steps))
    say(f"{name}:")
    done = train_run(config, out / name, None if name == "mle" else out / "mle")
    told = f", {done.step:,} steps, the best is step {done.best_step:,}" if done is not None else ""
    say(f"{name}: {clock.told()}{told}")
    say()


def _report(out: Path) -> None:
    from spidercap.cli.report import report

    clock = _Clock()
    report([out / name for name in METHODS], out=[out / "report.html"], published=True)
    say(f"report: {clock.told()}")
    say()
