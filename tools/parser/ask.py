"""Asks the reference for what the training still lacks, and keeps its answers as a file for train.py:

    python tools/parser/ask.py invented --reference ../shared/oracle/run ../oracle --out kbest_shapes_00.jsonl.xz
    python tools/parser/ask.py words DATA MODEL --reference ... --out ../asked/kbest_asked_00.jsonl.xz
    python tools/parser/ask.py alone DATA MODEL --reference ... --out alone_00.jsonl.xz
    python tools/parser/ask.py alone DATA MODEL --more WORDS --reference ... --out alone_01.jsonl.xz
    python tools/parser/ask.py counts MODEL --reference ... --out kbest_counts_00.jsonl.xz
    python tools/parser/ask.py closed ALONE --reference ... --out kbest_closed_00.jsonl.xz
    python tools/parser/ask.py sentences DATA MODEL --count 20000 --reference ... --out ../kbest_sentences.jsonl.xz
    python tools/parser/ask.py steps DATA MODEL --answers ../kbest_sentences.jsonl.xz --reference ... --out ...
    python tools/parser/ask.py rare DATA MODEL --reference ... --out kbest_rare_00.jsonl.xz

invented: frames around made-up words of every shape. words: frames around the words that the model or the answers to
`alone` know, or that the lists of sentences hold, but that no frame and no tree shows. alone: each of these words by
itself, and how many trees it has; with --more, of another list, a word a line, those that the reference knows. counts:
more frames, and more of their trees, around words that have a tag which no tree shows (word_counts.py). closed: the
same around the words that take no tags but their own (by the answers to `alone`). sentences: of the lists, those not
parsed yet, as many of each kind. steps: for the trees of such answers that show a step which no tree of DATA and
tools/parser/asked has, sentences with the same tags and other words. rare: the same for the steps that few trees of
these folders have, so that no single word is taken for what the step weighs. The answers to all but `sentences`, which
are other people's, are in tools/parser/asked. Without --reference the questions are printed. The reference, a black
box, gives its 200 best trees of each question, of `closed` and `counts` its 1,000 best.
"""

import argparse
import json
import lzma
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from lexicon import UNKNOWN_ALONE, is_closed
from model_file import read, read_texts
from treebank import Treebank, load, read_lines
from trees import Rule, is_word, local_rules
from word_counts import incomplete_words, lexicon_of_file

from train import KINDS, data_files, trees_alone

INVENTED = Path(__file__).parent / "asked" / "invented_words.txt"
WORD_FRAMES = ("the {}", "a {} man", "he {} it", "it is {}", "to {}", "they {} dogs")
SHAPE_FRAMES = (*WORD_FRAMES, "{}", "{} and red", "some {} dogs", "two {}", "he runs {}", "very {}")
CLOSED_FRAMES = (
    *SHAPE_FRAMES,
    *("{} the dog", "a dog {} a man", "a dog {}", "he runs {} it", "{} he runs", "it is {} by him", "dogs with {}"),
    *("a very {} dog", "he is {} it", "a man {} is red", "they {}", "what {} is it"),
)
TREES, MANY_TREES, RARE, ONCE, ALL = 200, 1000, 3, 1, 10**9
"""Trees a question, of which those are kept that show something shown fewer times before."""
TREES_OF = {"closed": MANY_TREES, "counts": MANY_TREES}
RARE_OF = {"alone": ALL, "words": ONCE, "counts": ONCE}
PARSED = ("parses_*.jsonl.xz", "heldout_*.jsonl.xz")
LONGEST = 40
"""Words of a sentence that is asked for."""
REWORDINGS, WORDS_A_TAG = 3, 40
OPEN_CLASSES = ("NN", "VB", "JJ", "RB", "CD")
NEEDED_FILES = {"closed": "the file with the answers to `alone`", "counts": "a model file"}
FEW = 5
"""Trees that show a step which is asked for again."""
LISTS = ("captions.tsv.xz", "pool.tsv.xz")


def framed(words: Iterable[str], frames: Sequence[str]) -> list[str]:
    """Every word in every frame."""
    return [frame.format(word) for word in words for frame in frames]


def listed_kinds(data: Path) -> Iterator[tuple[str, str]]:
    """The sentences of the lists with their kinds."""
    for name in LISTS:
        with lzma.open(data / name, "rt", encoding="utf-8") as lines:
            for line in lines:
                kind, text = line.rstrip("\n").split("\t", 1)
                yield kind, text


def listed(data: Path) -> Iterator[str]:
    """The sentences of the lists."""
    return (text for _, text in listed_kinds(data))


def shown_texts(data: Path, pattern: str) -> Iterator[str]:
    """The words of all sentences in the files of a pattern."""
    for path in sorted(data.glob(pattern)):
        for record in read_lines(path):
            yield from (sentence["w"] for sentence in record.get("s", [record]))


def words_of(texts: Iterable[str]) -> dict[str, None]:
    """The different words, in the order they come."""
    return dict.fromkeys(word for text in texts for word in text.split())


def is_askable(word: str) -> bool:
    """Whether the reference takes it for one word of a caption, which has no capital letter."""
    return word == word.lower() and not {"(", ")", "\u00a0"} & set(word)


def missing_words(data: Path, model: Path, asked: Path) -> list[str]:
    """Known words without frames of K best trees, then words of the lists that no tree shows."""
    framed_words = words_of(shown_texts(data, "kbest_frames_*.jsonl.xz"))
    framed_words |= words_of(shown_texts(asked, "kbest_words_*.jsonl.xz"))
    alone = [word for word, trees in trees_alone([asked]).items() if trees != UNKNOWN_ALONE]
    shown = framed_words | words_of(shown_texts(data, "parses_*.jsonl.xz")) | words_of(shown_texts(data, "frames_*"))
    known = [word for word in [*read_texts(read(model), "word"), *alone] if word not in framed_words]
    new = [word for word in words_of(listed(data)) if word not in shown]
    return [word for word in dict.fromkeys([*known, *new]) if is_askable(word)]


def words_alone(data: Path, model: Path, more: Path | None) -> list[str]:
    """All words that the model, the lists or the trees have; or those of another list that was not asked for yet."""
    if more:
        asked = trees_alone([INVENTED.parent])
        listed_words = dict.fromkeys(more.read_text(encoding="utf-8").split())
        return [word for word in listed_words if word not in asked and is_askable(word)]
    trees = (text for kind in KINDS for folder in (data, INVENTED.parent) for text in shown_texts(folder, f"{kind}_*"))
    words = dict.fromkeys(read_texts(read(model), "word")) | words_of(listed(data)) | words_of(trees)
    return sorted(word for word in words if is_askable(word))


def closed_words(alone: Path) -> list[str]:
    """The words that take no tags but their own."""
    counts = {record["w"]: record["trees"] for record in read_lines(alone)}
    return [word for word, trees in counts.items() if trees != UNKNOWN_ALONE and is_closed(trees)]


def new_sentences(data: Path, count: int) -> list[str]:
    """Sentences of the lists that are neither parsed nor held out, as many of each kind, in random order."""
    parsed = {record["c"] for name in PARSED for path in sorted(data.glob(name)) for record in read_lines(path)}
    kinds = defaultdict[str, list[str]](list)
    for kind, text in listed_kinds(data):
        if text not in parsed and is_askable(text) and 0 < len(text.split()) <= LONGEST:
            kinds[kind].append(text)
    random = Random(1)
    found = [
        text
        for _, texts in sorted(kinds.items())
        for text in random.sample(texts, min(len(texts), count // max(1, len(kinds))))
    ]
    return random.sample(found, len(found))


def words_by_tag(model: Path) -> dict[str, list[str]]:
    """For each tag the likeliest of the words that have it as one of their own."""
    found = defaultdict[str, list[tuple[float, str]]](list)
    for word, terms in lexicon_of_file(model).pairs.items():
        for tag, term in terms.items():
            if is_askable(word):
                found[tag].append((term, word))
    return {tag: [word for _, word in sorted(words, reverse=True)[:WORDS_A_TAG]] for tag, words in found.items()}


def reworded(
    tagged: Iterable[Rule], words: dict[str, list[str]], random: Random, classes: str | tuple[str, ...] = OPEN_CLASSES
) -> str:
    """A sentence with the same tags: nouns, verbs, adjectives and adverbs are other words."""
    return " ".join(
        random.choice(words[tag]) if tag.startswith(classes) and tag in words else word for tag, word, _ in tagged
    )


def rare_steps(treebank: Treebank) -> set[Rule]:
    """The steps that few trees have."""
    uses = np.bincount(treebank.scored.numbers, minlength=len(treebank.terms)).tolist()
    return {term for term, count in zip(treebank.terms, uses, strict=True) if count <= FEW and not is_word(term)}


def rare_rewordings(treebank: Treebank, model: Path) -> list[str]:
    """For each step that few trees have, sentences with the tags of the shortest tree that has it, all words others."""
    words, random, wanted = words_by_tag(model), Random(1), rare_steps(treebank)
    shortest: dict[Rule, list[Rule]] = {}
    for index in range(len(treebank.scored)):
        terms = [treebank.terms[number] for number in treebank.scored[index].tolist()]
        for step in wanted.intersection(terms):
            tagged = [term for term in terms if is_word(term)]
            shortest[step] = min(shortest.get(step, tagged), tagged, key=len)
    sentences = [reworded(shortest[step], words, random, "") for step in sorted(shortest) for _ in range(REWORDINGS)]
    return list(dict.fromkeys(sentences))


def new_steps(tree: str, known: set[Rule]) -> list[Rule]:
    """The steps of a tree that are not known."""
    return [rule for rule in dict.fromkeys(local_rules(tree)) if rule not in known and not is_word(rule)]


def rewordings(answers: Path, model: Path, known: set[Rule]) -> list[str]:
    """For each step that is not known, sentences with the tags of the answers' best tree that shows it."""
    words, random = words_by_tag(model), Random(1)
    best: dict[Rule, tuple[float, str]] = {}
    for record in read_lines(answers):
        for _, score, tree in record["kb"]:
            behind = record["kb"][0][1] - score
            for step in new_steps(tree, known):
                best[step] = min(best.get(step, (behind, tree)), (behind, tree))
    tagged = [[rule for rule in local_rules(tree) if is_word(rule)] for _, tree in best.values()]
    return list(dict.fromkeys(reworded(rules, words, random) for rules in tagged for _ in range(REWORDINGS)))


def showing_new_steps(found: bytes, known: set[Rule]) -> bytes:
    """The answers with the trees that show a step which is not known and few trees before them show."""
    shown, kept = Counter[Rule](), list[str]()
    for record in map(json.loads, found.splitlines()):
        rare = list[Any]()
        for ranked in record["kb"]:
            steps = new_steps(ranked[2], known)
            if any(shown[step] < RARE for step in steps):
                shown.update(steps)
                rare.append(ranked)
        if rare:
            best = record["kb"][:1] if rare[0] != record["kb"][0] else []
            kept.append(json.dumps({"w": record["w"], "kb": best + rare}, ensure_ascii=False) + "\n")
    return "".join(kept).encode()


def answers(reference: Sequence[str], questions: Sequence[str], trees: int, rare: int) -> bytes:
    """What the reference answers: its best trees of each question, as far as they show something rare."""
    asked = [*reference, "kbest", str(trees), str(rare)]
    text = "".join(f"{question}\n" for question in questions).encode()
    return subprocess.run(asked, input=text, stdout=subprocess.PIPE, check=True).stdout


def counted(found: bytes, known_only: bool) -> bytes:
    """How many trees each word has, of the answers to words alone."""
    records = (json.loads(line) for line in found.splitlines())
    counts = {record["w"]: len(record["kb"]) for record in records if " " not in record["w"]}
    return "".join(
        json.dumps({"w": word, "trees": trees}, ensure_ascii=False) + "\n"
        for word, trees in counts.items()
        if trees and not (known_only and trees == UNKNOWN_ALONE)
    ).encode()


def keep(found: bytes, out: Path) -> None:
    """Write answers beside their place first."""
    temporary = out.with_suffix(".tmp")
    temporary.write_bytes(lzma.compress(found))
    temporary.replace(out)


def questions_of(arguments: argparse.Namespace, treebank: Treebank | None) -> list[str]:
    """What is asked; for what trees lack, with these trees."""
    data, model = arguments.data, arguments.model
    if arguments.what == "invented":
        return framed(INVENTED.read_text(encoding="utf-8").split(), SHAPE_FRAMES)
    if arguments.what == "words":
        return framed(missing_words(data, model, INVENTED.parent), WORD_FRAMES)
    if arguments.what == "alone":
        return words_alone(data, model, arguments.more)
    if arguments.what == "counts":
        return framed(filter(is_askable, incomplete_words(lexicon_of_file(data))), CLOSED_FRAMES)
    if arguments.what == "closed":
        return framed(closed_words(data), CLOSED_FRAMES)
    if treebank:
        return (
            rare_rewordings(treebank, model)
            if arguments.what == "rare"
            else rewordings(arguments.answers, model, set(treebank.terms))
        )
    return new_sentences(data, arguments.count)


def main() -> None:
    """Read the arguments and ask."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "what", choices=("invented", "words", "alone", "counts", "closed", "sentences", "steps", "rare")
    )
    parser.add_argument(
        "data",
        type=Path,
        nargs="?",
        help="folder with the parses and the lists of sentences; of `closed` and `counts` a file",
    )
    parser.add_argument("model", type=Path, nargs="?", help="model file")
    parser.add_argument("--count", type=int, default=20000, help="sentences to ask for")
    parser.add_argument("--answers", type=Path, help="of `steps`: the answers to `sentences`")
    parser.add_argument("--more", type=Path, help="of `alone`: another list of words")
    parser.add_argument("--reference", nargs=2, metavar=("RUN", "FOLDER"), help="the reference's script and its folder")
    parser.add_argument("--out", type=Path, help="file for the answers, kbest_*.jsonl.xz or alone_*.jsonl.xz")
    arguments = parser.parse_args()
    if arguments.what in ("closed", "counts") and not arguments.data:
        parser.error(f"{arguments.what} needs {NEEDED_FILES[arguments.what]}")
    if arguments.what in ("words", "alone", "sentences", "steps", "rare") and not arguments.model:
        parser.error(f"{arguments.what} needs the folder of data and a model file")
    if arguments.what == "steps" and not arguments.answers:
        parser.error("steps needs --answers, the answers to `sentences`")
    if bool(arguments.reference) != bool(arguments.out):
        parser.error("--reference and --out go together")
    needs_trees = arguments.what in ("steps", "rare")
    treebank = load(data_files([arguments.data, INVENTED.parent])) if needs_trees else None
    questions = questions_of(arguments, treebank)
    if not arguments.reference:
        print("\n".join(questions))
        return
    trees = TREES_OF.get(arguments.what, TREES)
    found = answers(arguments.reference, questions, trees, RARE_OF.get(arguments.what, RARE))
    if arguments.what == "alone":
        found = counted(found, known_only=bool(arguments.more))
    elif treebank:
        rare = rare_steps(treebank) if arguments.what == "rare" else set[Rule]()
        found = showing_new_steps(found, set(treebank.terms) - rare)
    keep(found, arguments.out)


if __name__ == "__main__":
    main()
