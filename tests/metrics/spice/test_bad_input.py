"""Captions that are none, through every door of SPICE: a score within its range, in bounded time."""

import json
import math
import time

import pytest

import spidercap
from spidercap.cli import main
from spidercap.compat import Spice

WORDS = 1000
CAPTIONS = {
    "empty": "",
    "blank": " \t ",
    "one word": "dog",
    "one letter": "a",
    "punctuation": "?! . , ... ;;; -- '' ``",
    "another script": "犬が雪の中を走る",
    "right to left": "كلب بني يركض في الثلج",
    "emoji": "🐶🏃‍♂️❄️",
    "combining": "a\u0301 do\u0308g ru\u0302ns",
    "control": "\x01\x02 dog \x7f",
    "markup": "<b>dog</b> &amp; [cat] {x} \\n",
    "long": " ".join(["a red dog runs on the green hill with two cats"] * (WORDS // 10)),
    "long word": "x" * 5000,
    "the same word": "dog " * WORDS,
    "only function words": "of the and in to " * (WORDS // 5),
}
REFERENCES = ["a brown dog runs in the snow", "two dogs"]
# The slowest here takes a fifth of a second on an idle core; a cubic parse of 1,000 words would take minutes.
MOST_SECONDS = 20


@pytest.fixture(params=CAPTIONS)
def caption(request):
    start = time.process_time()
    yield CAPTIONS[request.param]
    assert time.process_time() - start < MOST_SECONDS


def test_score(caption):
    found = spidercap.score({"x": caption}, {"x": REFERENCES}, ["SPICE", "SPIDEr"], df="coco")
    assert 0 <= found.corpus["SPICE"] <= 1
    assert 0 <= found.corpus["SPIDEr"] <= 5.5
    details = found.details["x"]["spice"]
    assert details.scores["All"]["f"] == found.per_image["x"]["SPICE"]
    json.dumps(details.as_json(), allow_nan=False)
    assert 0 <= found.captions.repeated_tuples <= 1


def test_as_a_reference(caption):
    found = spidercap.score(["a brown dog"], [[caption]], ["SPICE"])
    assert 0 <= found.corpus["SPICE"] <= 1
    same = spidercap.score([caption], [[caption]], ["SPICE"])
    scores = same.details[0]["spice"]
    assert same.corpus["SPICE"] == (1.0 if scores.candidate else 0.0)


def test_scorer(caption):
    scorer = spidercap.Scorer("SPIDEr", {1: REFERENCES, 2: [caption]}, df="coco")
    rewards = scorer.score([1, 2, 1], [caption, "a dog", ""])
    assert all(map(math.isfinite, rewards.tolist()))
    assert rewards[2] == 0


def test_compat(caption):
    corpus, (scores,) = Spice().compute_score({1: REFERENCES}, {1: [caption]})
    assert corpus == scores["All"]["f"]
    assert 0 <= corpus <= 1


def test_command(caption, tmp_path, capsys):
    for name, content in (("ours", {"1": caption, "2": "a dog"}), ("refs", {"1": REFERENCES, "2": ["", "."]})):
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    out = tmp_path / "out.jsonl"
    arguments = ["--refs", tmp_path / "refs.json", "--metrics", "SPIDEr", "--per-image", out, "--json"]
    with pytest.raises(SystemExit) as stopped:
        main(["score", *map(str, [tmp_path / "ours.json", *arguments])])
    assert stopped.value.code == 0

    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    printed = json.loads(capsys.readouterr().out, parse_constant=refuse)
    records = [json.loads(line, parse_constant=refuse) for line in out.read_text().splitlines()]
    assert [record["id"] for record in records] == ["1", "2"]
    assert records[1]["spice"]["scores"]["All"]["f"] == 0
    assert records[1]["spice"]["scores"]["Object"]["f"] is None
    assert 0 <= printed["systems"][0]["captions"]["repetition"] <= 1


def test_time_grows_with_the_length_of_a_long_caption():
    def seconds(words):
        start = time.process_time()
        spidercap.score(
            [("a red dog runs on the green hill with two cats " * (words // 10)).strip()], [["x"]], ["SPICE"]
        )
        return time.process_time() - start

    seconds(100)
    assert seconds(4 * WORDS) < 12 * max(seconds(WORDS), 0.05)  # a cubic parse would take 64 times as long
