"""From what the reference prints to the shipped model file, in one deterministic run:

    python tools/parser/train.py ../shared/data/spice_parses tools/parser/asked MODEL

(the shipped MODEL is src/spidercap/metrics/data/spice_parser.bin).

Every folder before the model file may hold parses_*, frames_*, kbest_* and alone_*.jsonl.xz (tools/parser/ask.py makes
more).
Steps: read the trees; fit one term for every step and every tag over a word to the trees' scores; find the lexicon's
rule in the terms of words; fold the steps into a grammar; count what stands beside what; learn which tags the search
may leave out, then, from charts, which states over which words. Two processes, less than 10 GB of memory; a folder
given with --checkpoints keeps finished steps for the next run.
"""

import argparse
import pickle
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import grammar
import lexicon
import numpy as np
from fit import Fit, fit_terms
from grammar import Arrays, Grammar, States
from model_file import write
from neighbours import neighbour_arrays
from odds import Outputs
from span_odds import listed_captions, recorded_captions, span_arrays
from tag_odds import tag_arrays
from treebank import Treebank, load, read_lines
from trees import is_word

T = TypeVar("T")

ITERATIONS = 400
"""Of the fit: the residuals' root mean square is 7e-5 by then, about what the scores are rounded to."""
KINDS = ("parses", "frames", "kbest")
"""Kinds of files, in the order they are read in."""


def kept(folder: Path | None, name: str, make: Callable[[], T]) -> T:
    """The result of a step, from its checkpoint if there is one; says how long the step took."""
    path = folder / f"{name}.pickle" if folder else None
    if path and path.exists():
        with path.open("rb") as stored:
            return pickle.load(stored)  # type: ignore[no-any-return]  # noqa: S301 (our own checkpoint)
    started = time.monotonic()
    result = make()
    print(f"{name}: {time.monotonic() - started:.0f} s", flush=True)
    if path:
        with path.open("wb") as new:
            pickle.dump(result, new, protocol=5)
    return result


def data_files(folders: Sequence[Path]) -> list[Path]:
    """The files of the folders, parses first."""
    files = [path for kind in KINDS for folder in folders for path in sorted(folder.glob(f"{kind}_*.jsonl.xz"))]
    if not files:
        raise SystemExit(f"no parses_*, frames_* or kbest_*.jsonl.xz in {', '.join(map(str, folders))}")
    return files


def read_trees(files: Sequence[Path]) -> Treebank:
    """All trees of the files."""
    treebank = load(files)
    words = sum(is_word(term) for term in treebank.terms)
    print(
        f"{len(treebank.best)} best trees, {len(treebank.scored)} scored trees in {len(treebank.terms) - words} steps "
        f"and {words} tags of words",
        flush=True,
    )
    return treebank


def fit_scores(treebank: Treebank) -> Fit:
    """The terms that give back the scores."""
    fit = fit_terms(treebank, ITERATIONS)
    left = np.abs(fit.residuals)
    print(
        f"residuals: rms {np.sqrt((left**2).mean()):.6f}, median {np.median(left):.6f}, largest {left.max():.3f}",
        flush=True,
    )
    return fit


def trees_alone(folders: Sequence[Path]) -> dict[str, int]:
    """How many trees the reference gives to words that stand alone."""
    files = (path for folder in folders for path in sorted(folder.glob("alone_*.jsonl.xz")))
    return {record["w"]: record["trees"] for path in files for record in read_lines(path)}


def make_grammar(treebank: Treebank, fit: Fit, alone: dict[str, int]) -> tuple[Grammar, States, Arrays]:
    """The grammar, its states, and the arrays of steps and words."""
    words = lexicon.lexicon_of(treebank, fit.weights, alone)
    print(lexicon.report(words), flush=True)
    words, taken = lexicon.normalised(words)
    fitted = zip(treebank.terms, fit.weights.tolist(), strict=True)
    weights = {term: weight for term, weight in fitted if not is_word(term)}
    steps = grammar.fold(grammar.normalised(weights, treebank.step_uses(), taken))
    tags = {term[0] for term in treebank.terms if is_word(term)}
    states = grammar.number_states(steps, tags, treebank.state_uses())
    arrays = grammar.label_arrays(states) | grammar.step_arrays(states, steps) | grammar.word_arrays(states, words)
    print(
        f"{states.tags} tags, {states.labels - states.tags} phrases, {len(states.names) - states.labels} actives, "
        f"{len(steps.binary)} binary and {len(steps.unary)} unary steps",
        flush=True,
    )
    return steps, states, arrays


def train(folders: Sequence[Path], model: Path, checkpoints: Path | None) -> str:
    """All steps; returns the hash of the model file."""
    files = data_files(folders)
    treebank = kept(checkpoints, "trees", lambda: read_trees(files))
    fit = kept(checkpoints, "fit", lambda: fit_scores(treebank))
    steps, states, arrays = kept(checkpoints, "grammar", lambda: make_grammar(treebank, fit, trees_alone(folders)))
    arrays |= kept(checkpoints, "neighbours", lambda: neighbour_arrays(treebank, states))
    trial = model.with_suffix(".trial")
    write(trial, arrays)
    tags = kept(checkpoints, "odds of tags", lambda: tag_arrays(treebank, trial))
    captions = listed_captions(folders) or recorded_captions(treebank)
    outputs = Outputs.of(trial, np.array([states.ids[steps.phrase_of[name]] for name in states.names[states.labels :]]))
    arrays |= kept(checkpoints, "odds of states", lambda: span_arrays(captions, tags, outputs, trial))
    trial.unlink()
    return write(model, arrays)


def data_arguments(description: str | None) -> argparse.ArgumentParser:
    """Arguments of the commands that read trees: folders, and where checkpoints are."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="+", help="folders with parses_*, frames_* and kbest_*.jsonl.xz")
    parser.add_argument("--checkpoints", type=Path, help="folder that keeps finished steps")
    return parser


def main() -> None:
    """Read the arguments and train."""
    parser = data_arguments(__doc__)
    parser.add_argument("model", type=Path, help="model file to write")
    arguments = parser.parse_args()
    if arguments.checkpoints:
        arguments.checkpoints.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    digest = train(arguments.data, arguments.model, arguments.checkpoints)
    print(f"{digest}, {arguments.model.stat().st_size / 1e6:.1f} MB, {(time.monotonic() - started) / 60:.1f} minutes")


if __name__ == "__main__":
    main()
