"""`spidercap demo`: what spidercap does, end to end, on the built-in scenes."""

from collections.abc import Callable
from pathlib import Path


def demo(*, out: Path = Path("runs/demo"), count: int = 1000, seed: int = 0) -> None:
    """Draw the built-in scenes, compute their features and write a page that shows them; print the time of each part.

    Parts that an earlier run finished are kept.

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
    from time import perf_counter

    from spidercap.extras import require

    for part in ("caption", "weights", "pages"):
        require(part)
    begin = perf_counter()
    scenes, features, page = out / "scenes", out / "features", out / "dataset.html"
    _check_earlier_run(scenes, count, seed)
    _timed("scenes", scenes, lambda: _prepare(scenes, count, seed))
    _timed("features", features, lambda: _features(scenes, features))
    _timed("page", page, lambda: _browse(scenes, features, page))
    print(f"all parts: {perf_counter() - begin:.1f} s; open {page}")


def _timed(name: str, made: Path, work: Callable[[], None]) -> None:
    from time import perf_counter

    if made.exists():
        print(f"{name}: kept {made} from an earlier run")
        return
    begin = perf_counter()
    work()
    print(f"{name}: {perf_counter() - begin:.1f} s\n", flush=True)


def _check_earlier_run(scenes: Path, count: int, seed: int) -> None:
    """Refuse to mix pictures of other settings with these."""
    from spidercap.data.sources import Scenes
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
