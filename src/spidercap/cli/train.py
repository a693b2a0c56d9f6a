"""`spidercap train`: a captioner from a recipe."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from spidercap.errors import UsageError
from spidercap.terminal import say

if TYPE_CHECKING:
    from spidercap.config import Config
    from spidercap.train.start import RunPlan

# Short forms of flags that are typed often.
SHORT = {"reward": "learn.reward"}
# What there is besides settings, for the hint at a typo.
OPTIONS = ("out", "init", "dry-run", *SHORT)


def train(
    *settings: Annotated[str, Parameter(name="RECIPE", allow_leading_hyphen=True)],
    out: Path | None = None,
    init: Path | None = None,
    dry_run: bool = False,
) -> None:
    """Train a captioner as a recipe says, validate it as it learns, and keep the best.

    A recipe is a TOML file with the sections data, features, encoder, model, decode, learn and train; any of its keys
    can be set here as well, as in `--train.batch 32` (docs/training.md explains all of them). The run folder OUT gets
    the resolved configuration, `metrics.jsonl`, captions of each validation, the state of the training (`last`) and
    the best captioner (`best`). A run that was stopped or killed goes on with the same command, as if nothing had
    happened. Several processes: `torchrun --nproc-per-node 2 -m spidercap train …`.

    Example: spidercap train --data.folder scenes --features.folder scenes-features --train.epochs 2 --out runs/first

    Parameters
    ----------
    settings
        The TOML file, and keys with other values than there: `--section.key value`; `--reward` is short for
        `--learn.reward`. Without a file all keys have their defaults.
    out
        The run folder (default: runs/RECIPE-ALGORITHM).
    init
        Start from the best captioner of this run, or from this model folder.
    dry_run
        Print the resolved configuration, the number of parameters and the memory needed; train nothing.
    """
    from spidercap.extras import require

    require("caption")
    recipe = Path(settings[0]) if settings and not settings[0].startswith("--") else None
    config = read_recipe(recipe, settings if recipe is None else settings[1:])
    from spidercap.train.start import describe, train_run

    if dry_run:
        _print_plan(describe(config, init))
        return
    folder = out or Path("runs", f"{recipe.stem if recipe else 'run'}-{config.learn.algorithm}")
    done = train_run(config, folder, init)
    if done is not None:
        say(f"{config.train.select} {done.best:.4f} at step {done.best_step:,} of {done.step:,}: {folder / 'best'}")


def _print_plan(plan: "RunPlan") -> None:
    import json

    from spidercap.recipe import as_tables

    for section, values in as_tables(plan.config).items():
        say(f"[{section}]")
        for key, value in values.items():
            say(f"{key} = {json.dumps(value)}")
        say()
    for name, text in plan.facts.items():
        say(f"{name}: {text}")
    for text in plan.notes:
        say(f"note: {text}")


def read_recipe(path: Path | None, flags: Sequence[str] = ()) -> "Config":
    """The configuration of a TOML file and of flags such as `--train.batch 32` or `--train.batch=32`."""
    from spidercap.recipe import load_recipe

    return load_recipe(path, dict(_settings(flags)))


def _settings(flags: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Key and value of each flag; a typo is told before a missing value, which only settings need."""
    from spidercap.recipe import split_key

    waiting = iter(flags)
    for flag in waiting:
        if not flag.startswith("--"):
            raise UsageError(f"{flag!r} is not a setting; write --section.key value, for example --train.batch 32")
        name, equals, value = flag[2:].partition("=")
        key = SHORT.get(name, name)
        if "." not in key:
            raise _no_option(name)
        split_key(key)
        if not equals:
            value = next(waiting, "")
            if not value or (value.startswith("--") and not value[2:3].isdigit()):
                raise UsageError(f"--{name} needs a value; write --{name} VALUE")
        yield key, value


def _no_option(name: str) -> UsageError:
    from difflib import get_close_matches

    from spidercap.recipe import describe_keys

    near = get_close_matches(name, [*OPTIONS, *(key for key, _, _ in describe_keys())], n=1, cutoff=0.3)
    hint = f"; did you mean --{near[0]}?" if near else ""
    return UsageError(f"--{name} is no option; settings are written --section.key{hint}")
