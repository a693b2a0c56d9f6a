"""Asks the reference for what the training still lacks, and keeps its answers as a file for train.py:

    python tools/parser/ask.py invented --reference ../shared/oracle/run ../oracle --out kbest_shapes_00.jsonl.xz
    python tools/parser/ask.py words DATA MODEL --reference ... --out ../asked/kbest_asked_00.jsonl.xz
    python tools/parser/ask.py sentences DATA MODEL --count 20000 --reference ... --out ...

invented: frames around made-up words of every shape (the answers are in tools/parser/asked). words: frames around the
words that the model knows, or that the lists of sentences hold, but that no frame and no tree shows. sentences: of the
lists, those not parsed yet that the model covers worst. Without --reference the questions are printed. The reference, a
black box, gives its 200 best trees of each question.
"""

import argparse
import lzma
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from model_file import read, read_texts
from treebank import read_lines

from spidercap._native import CaptionParser

INVENTED = Path(__file__).parent / "asked" / "invented_words.txt"
WORD_FRAMES = ("the {}", "a {} man", "he {} it", "it is {}", "to {}", "they {} dogs")
SHAPE_FRAMES = (*WORD_FRAMES, "{}", "{} and red", "some {} dogs", "two {}", "he runs {}", "very {}")
TREES, RARE = 200, 3
"""Trees a question, of which those are kept that show something shown fewer times before."""
LISTS = ("captions.tsv.xz", "pool.tsv.xz")


def framed(words: Iterable[str], frames: Sequence[str]) -> list[str]:
    """Every word in every frame."""
    return [frame.format(word) for word in words for frame in frames]


def listed(data: Path) -> Iterator[str]:
    """The sentences of the lists."""
    for name in LISTS:
        with lzma.open(data / name, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield line.rstrip("\n").split("\t", 1)[1]


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


def missing_words(data: Path, model: Path) -> list[str]:
    """Known words without frames of K best trees, then words of the lists that no tree shows."""
    framed_words = words_of(shown_texts(data, "kbest_frames_*.jsonl.xz"))
    shown = framed_words | words_of(shown_texts(data, "parses_*.jsonl.xz")) | words_of(shown_texts(data, "frames_*"))
    known = [word for word in read_texts(read(model), "word") if word not in framed_words]
    new = [word for word in words_of(listed(data)) if word not in shown]
    return [word for word in dict.fromkeys([*known, *new]) if is_askable(word)]


def doubtful_sentences(data: Path, model: Path, count: int) -> list[str]:
    """Sentences not parsed yet: first those that the grammar does not cover whole, then by score a word."""
    parsed = {record["c"] for path in sorted(data.glob("parses_*.jsonl.xz")) for record in read_lines(path)}
    new = [text for text in dict.fromkeys(listed(data)) if text not in parsed and text == text.lower()]
    found = CaptionParser(str(model)).trees(new)
    rated = [
        (whole, score / len(text.split()), text) for text, (_, score, whole) in zip(new, found, strict=True) if text
    ]
    return [text for _, _, text in sorted(rated)[:count]]


def ask(reference: Sequence[str], questions: Sequence[str], out: Path) -> None:
    """Let the reference answer, and write the answers beside their place first."""
    asked = [*reference, "kbest", str(TREES), str(RARE)]
    answers = subprocess.run(asked, input="".join(f"{text}\n" for text in questions).encode(), stdout=-1, check=True)
    temporary = out.with_suffix(".tmp")
    temporary.write_bytes(lzma.compress(answers.stdout))
    temporary.replace(out)


def main() -> None:
    """Read the arguments and ask."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("invented", "words", "sentences"))
    parser.add_argument("data", type=Path, nargs="?", help="folder with the parses and the lists of sentences")
    parser.add_argument("model", type=Path, nargs="?", help="model file")
    parser.add_argument("--count", type=int, default=20000, help="sentences to ask for")
    parser.add_argument("--reference", nargs=2, metavar=("RUN", "FOLDER"), help="the reference's script and its folder")
    parser.add_argument("--out", type=Path, help="file for the answers, kbest_*.jsonl.xz")
    arguments = parser.parse_args()
    if arguments.what != "invented" and not arguments.model:
        parser.error(f"{arguments.what} needs the folder of data and a model file")
    if bool(arguments.reference) != bool(arguments.out):
        parser.error("--reference and --out go together")
    if arguments.what == "invented":
        questions = framed(INVENTED.read_text(encoding="utf-8").split(), SHAPE_FRAMES)
    elif arguments.what == "words":
        questions = framed(missing_words(arguments.data, arguments.model), WORD_FRAMES)
    else:
        questions = doubtful_sentences(arguments.data, arguments.model, arguments.count)
    if arguments.reference:
        ask(arguments.reference, questions, arguments.out)
    else:
        print("\n".join(questions))


if __name__ == "__main__":
    main()
