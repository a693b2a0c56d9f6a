"""A metric is one file and its line in the catalogue: everything else finds it there.

The package is copied, two toy metrics are added to the copy as a newcomer would add them, and the copy is used.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import spidercap
from spidercap import _native

TOYS = Path(__file__).parent / "toy_metrics.py"
# An editable install puts itself before PYTHONPATH.
PLAIN = "import sys; sys.meta_path[:] = [f for f in sys.meta_path if not type(f).__module__.startswith('_editable')]; "
CAPTIONS = {"1": "a dog runs", "2": "", "3": "a cat on snow"}
REFERENCES = {"1": ["a dog plays", "one dog"], "2": ["a man"], "3": ["the cat"]}


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A folder with a copy of the package that has the toy metrics."""
    folder = tmp_path_factory.mktemp("copy")
    for path in Path(spidercap.__file__).parent.rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            link = folder / "spidercap" / path.relative_to(Path(spidercap.__file__).parent)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(path)
    native = Path(_native.__file__)
    if not (folder / "spidercap" / native.name).exists():
        (folder / "spidercap" / native.name).symlink_to(native)
    metrics = folder / "spidercap" / "metrics"
    (metrics / "toy.py").symlink_to(TOYS)
    listed = (metrics / "catalogue.py").read_text()
    assert "    SPICE,\n" in listed
    listed = listed.replace("_LISTED:", "from spidercap.metrics.toy import KNOWN_WORDS, OBJECTS\n\n_LISTED:", 1)
    listed = listed.replace("    SPICE,\n", "    SPICE,\n    KNOWN_WORDS,\n    OBJECTS,\n")
    (metrics / "catalogue.py").unlink()
    (metrics / "catalogue.py").write_text(listed)
    return folder


@pytest.fixture
def run(package, tmp_path):
    """Run a program with that copy; what it prints."""

    def python(code):
        environment = os.environ | {
            "PYTHONPATH": str(package),
            "SPIDERCAP_CACHE": str(tmp_path / "cache"),
            "COLUMNS": "120",
        }
        command = [sys.executable, "-c", PLAIN + code]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return python


def command(*arguments):
    return f"from spidercap.cli import main; main({[str(argument) for argument in arguments]!r})"


SCORES = """
import json, spidercap
captions, references = json.loads({pair!r})
found = spidercap.score(captions, references, paraphrases=False)
asked = ["KnownWords", "Bleu_1"]
scorer = spidercap.Scorer("CIDEr + 0.5*KnownWords", references, df="coco")
whole = spidercap.CaptionMetric(asked)
for image in references:
    part = spidercap.CaptionMetric(asked)
    part.update([captions[image]], [references[image]])
    whole.merge(json.loads(json.dumps(part.state())))
print(json.dumps([
    found.corpus, {{image: str(scores["KnownWords"]) for image, scores in found.per_image.items()}},
    found.signature["KnownWords"], scorer.score(["1"], ["a dog runs"]).tolist(),
    scorer.metrics(["1"], ["a dog runs"]).tolist(), whole.compute(),
]))
"""


def test_python_finds_it(run):
    corpus, per_image, signature, rewards, parts, streamed = json.loads(
        run(SCORES.format(pair=json.dumps([CAPTIONS, REFERENCES])))
    )
    assert list(corpus)[-3:] == ["SPICE", "KnownWords", "SPIDEr"]
    assert per_image == {"1": str(2 / 3), "2": "nan", "3": str(1 / 4)}
    assert corpus["KnownWords"] == pytest.approx((2 / 3 + 1 / 4) / 2)  # of the two images that have a score
    assert signature == "known words|tok:ptb|spidercap:" + spidercap.__version__
    assert rewards == [pytest.approx(parts[0][0] + 0.5 * 2 / 3)]
    assert streamed["KnownWords"] == corpus["KnownWords"]


def test_the_end_symbol_stays_away_from_it(run):
    code = "from spidercap.reward.reward import make_reward; " + (
        "reward = make_reward('KnownWords + 0*CIDEr', {'1': ['a dog']}, eos_token=True); "
        "print(reward(['1', '1'], ['a dog', 'a cat'], [True, True]).tolist())"
    )
    assert json.loads(run(code)) == [1.0, 0.5]


def test_the_command_and_its_help_know_it(run, tmp_path):
    assert "KnownWords" in run(command("score", "--help"))
    for name, content in (("ours.json", CAPTIONS), ("refs.json", REFERENCES)):
        (tmp_path / name).write_text(json.dumps(content))
    asked = ("score", "ours.json", "--refs", "refs.json", "--no-paraphrases", "--ci", "--resamples", "20")
    assert re.search(r"system .*KnownWords", run(command(*asked)))
    (system,) = json.loads(run(command(*asked, "--json", "--per-image", "images.jsonl")))["systems"]
    low, high = system["scores"]["KnownWords"]["ci"]
    assert 0.25 <= low <= system["scores"]["KnownWords"]["value"] <= high <= 2 / 3
    images = [json.loads(line) for line in (tmp_path / "images.jsonl").read_text().splitlines()]
    assert [image["scores"]["KnownWords"] for image in images] == [2 / 3, None, 1 / 4]


def test_training_validates_and_reports_it(run, trained, tmp_path):
    flags = [f"--data.folder={trained / 'data'}", f"--features.folder={trained / 'features'}", "--train.epochs=1"]
    flags += [
        "--model.hidden=16",
        "--model.embedding=16",
        "--train.metrics=CIDEr,KnownWords",
        "--train.select=KnownWords",
    ]
    run(command("train", *flags, "--out", "run") + "")
    logged = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    assert any(0 <= line.get("KnownWords", -1) <= 1 for line in logged if line["kind"] == "validation")
    assert ": 1 run, 6 images of the split" in run(
        command("report", "run", "--out", "report.md", "--out", "report.csv")
    )
    assert "| SPICE | known words | SPIDEr |" in (tmp_path / "report.md").read_text()
    assert re.search(r"MLE,KnownWords,[01]\.", (tmp_path / "report.csv").read_text())


INPUTS = """
import json, spidercap
captions, references = json.loads({pair!r})
objects = {{"1": ["dog"], "2": [], "3": ["cat", "snow"]}}
scorer = spidercap.Scorer("Objects", references, inputs={{"objects": objects}})
metric = spidercap.CaptionMetric(["Objects", "CIDEr"], df="corpus")
for image in references:
    metric.update([captions[image]], [references[image]], {{"objects": [objects[image]]}})
merged = metric.merged([json.loads(json.dumps(metric.state()))])
refused = []
for given in (None, {{"objects": {{"1": []}}}}, {{"objects": [[]]}}):
    try:
        spidercap.score(captions, references, "Objects", inputs=given)
    except Exception as error:
        refused.append(str(error))
print(json.dumps([
    spidercap.score(captions, references, "Objects", inputs={{"objects": objects}}).corpus,
    scorer.score(["3"], ["a cat"]).tolist(), merged.compute(), refused,
    "Objects" in spidercap.score(captions, references, paraphrases=False).corpus,
]))
"""


def test_what_a_metric_needs_besides_is_given_or_asked_for(run, tmp_path):
    corpus, rewards, merged, refused, by_default = json.loads(
        run(INPUTS.format(pair=json.dumps([CAPTIONS, REFERENCES])))
    )
    assert corpus["Objects"] == pytest.approx((1 / 3 + 2 / 4) / 2)
    assert rewards == [0.5]
    assert merged["Objects"] == corpus["Objects"]
    assert refused == [
        "Objects needs objects of each image besides captions and references; score it in Python, with "
        "inputs={'objects': …}",
        "2 of 3 images have no objects, the first is '2'",
        "3 captions and objects of 1 images; give one for each",
    ]
    assert not by_default
