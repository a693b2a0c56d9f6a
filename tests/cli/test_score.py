"""`spidercap score` as people run it: what it prints, its exit code, and what is on the disk afterwards."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import spidercap
from spidercap.cli import app, main
from spidercap.metrics.names import COCO_METRICS, DEFAULT_METRICS
from spidercap.metrics.spice.caption_parse import parse_caption
from spidercap.report.scores import evaluation

CAPTIONS = {"1": "a man on a horse", "2": "dogs run in snow", "3": "a red bus"}
OTHERS = {"1": "a person on a horse", "2": "two dogs play", "3": "the bus is red"}
REFERENCES = {
    "1": ["A man rides a horse.", "a person on a horse"],
    "2": ["Two dogs play in the snow."],
    "3": ["A red bus on the street"],
}
PLAIN = ("--no-paraphrases",)


@pytest.fixture
def files(tmp_path):
    """Two systems and references as JSON."""
    paths = []
    for name, content in (("ours.json", CAPTIONS), ("theirs.json", OTHERS), ("refs.json", REFERENCES)):
        path = tmp_path / name
        path.write_text(json.dumps(content))
        paths.append(path)
    return paths


@pytest.fixture
def run(capsys):
    """Run the command; give its exit code, standard output and standard error."""

    def command(*arguments):
        with pytest.raises(SystemExit) as stopped:
            main(["score", *map(str, arguments), *PLAIN])
        out, err = capsys.readouterr()
        return stopped.value.code, out, err

    return command


def write_lines(tmp_path, captions=CAPTIONS, references=REFERENCES):
    results, truths = tmp_path / "ours.txt", [tmp_path / "r1.txt", tmp_path / "r2.txt"]
    results.write_text("".join(f"{text}\n" for text in captions.values()))
    for number, path in enumerate(truths):
        path.write_text("".join(f"{texts[number % len(texts)]}\n" for texts in references.values()))
    return results, truths


def test_a_table_and_signatures(files, run):
    code, out, err = run(files[0], "--refs", files[2])
    assert (code, err) == (0, "")
    expected = spidercap.score(CAPTIONS, REFERENCES, paraphrases=False)
    row = next(line.split() for line in out.splitlines() if line.strip().startswith("ours"))
    assert row == ["ours", *(f"{value:.4f}" for value in expected.corpus.values())]
    assert "3 images" in out
    assert set(expected.signature.values()) == {line for line in out.splitlines() if line.endswith("spidercap:0.1.0")}


def test_several_systems_are_rows_and_metrics_are_columns(files, run):
    _, out, _ = run(*files[:2], "--refs", files[2], "--ci", "--resamples", "50")
    lines = [line.split() for line in out.splitlines()]
    names = list(DEFAULT_METRICS)
    at = lines.index(["system", *names])
    table = lines[at + 2 : at + 8]
    assert [line[0] for line in table] == ["ours", "from", "to", "theirs", "from", "to"]
    assert {len(line) for line in table} == {1 + len(names)}
    for score, low, high in (table[:3], table[3:]):
        assert all(float(a) <= float(b) <= float(c) for a, b, c in zip(low[1:], score[1:], high[1:], strict=True))


def test_more_metrics_than_a_line_has_room_for_are_two_tables(files, run):
    _, out, _ = run(*files[:2], "--refs", files[2], "--metrics", "coco", "CIDEr_original", "SPICE", "SPIDEr")
    heads = [line.split()[1:] for line in out.splitlines() if "system" in line and "words" not in line]
    assert len(heads) == 2
    assert [name for head in heads for name in head] == [*COCO_METRICS, "CIDEr_original", "SPICE", "SPIDEr"]


def test_percent(files, run):
    _, out, _ = run(files[0], "--refs", files[2], "--metrics", "rouge", "--percent")
    assert f"{100 * spidercap.score(CAPTIONS, REFERENCES, 'rouge').corpus['ROUGE_L']:.2f}" in out


def test_json_has_the_shape_that_others_rely_on(files, run):
    code, out, _ = run(files[0], files[1], "--refs", files[2], "--json", "--metrics", "bleu,CIDEr", "--ci", "--compare")
    printed = json.loads(out)
    assert code == 0
    assert list(printed) == ["systems", "comparisons", "warnings"]
    assert [system["name"] for system in printed["systems"]] == ["ours", "theirs"]
    expected = spidercap.score(CAPTIONS, REFERENCES, ["bleu", "cider"])
    scores = printed["systems"][0]["scores"]
    assert {metric: score["value"] for metric, score in scores.items()} == expected.corpus
    assert {metric: score["signature"] for metric, score in scores.items()} == expected.signature
    assert all(score["ci"][0] <= score["value"] <= score["ci"][1] for score in scores.values())
    assert [one["metric"] for one in printed["comparisons"]] == list(expected.corpus)
    assert set(printed["comparisons"][0]) == {
        "metric", "first", "second", "difference", "interval", "bootstrap_p", "randomisation_p"
    }  # fmt: skip
    other = spidercap.score(OTHERS, REFERENCES, ["bleu", "cider"])
    differences = {one["metric"]: one["difference"] for one in printed["comparisons"]}
    assert differences == pytest.approx({name: other.corpus[name] - expected.corpus[name] for name in differences})
    assert {(one["first"], one["second"]) for one in printed["comparisons"]} == {("ours", "theirs")}
    assert printed["warnings"] == []


def test_without_ci_the_interval_is_null(files, run):
    printed = json.loads(run(files[0], "--refs", files[2], "--json", "--metrics", "cider")[1])
    assert printed["systems"][0]["scores"]["CIDEr"]["ci"] is None


def test_per_image_scores_as_json_lines_and_csv(files, run, tmp_path):
    expected = spidercap.score(CAPTIONS, REFERENCES, ["cider", "Bleu_1"]).per_image
    lines, table = tmp_path / "out.jsonl", tmp_path / "out.csv"
    for path in (lines, table):
        assert run(*files[:2], "--refs", files[2], "--metrics", "cider", "Bleu_1", "--per-image", path)[0] == 0
    records = [json.loads(line) for line in lines.read_text().splitlines()]
    assert [(record["system"], record["id"]) for record in records] == [
        (s, i) for s in ("ours", "theirs") for i in "123"
    ]
    assert records[1] == {"system": "ours", "id": "2", "caption": CAPTIONS["2"], "scores": expected["2"]}
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert list(rows[0]) == ["system", "id", "caption", "CIDEr", "Bleu_1"]
    assert [float(row["CIDEr"]) for row in rows[:3]] == [expected[image]["CIDEr"] for image in "123"]


def test_correlation_with_ratings(files, run, tmp_path):
    ratings = tmp_path / "ratings.csv"
    ratings.write_text("id,rating\n1,4\n1,3\n2,1\n3,2\n")
    code, out, _ = run(files[0], "--refs", files[2], "--correlate", ratings, "--metrics", "cider")
    assert code == 0
    assert "ours: correlation with 4 judgements" in out
    printed = json.loads(run(files[0], "--refs", files[2], "--correlate", ratings, "--metrics", "cider", "--json")[1])
    (found,) = printed["systems"][0]["correlations"]
    assert found["metric"] == "CIDEr"
    assert -1 <= found["kendall_c"] <= 1


def test_ratings_of_unknown_images_are_named(files, run, tmp_path):
    ratings = tmp_path / "ratings.csv"
    ratings.write_text("id,rating\n1,4\nx,3\n")
    code, _, err = run(files[0], "--refs", files[2], "--correlate", ratings)
    assert code == 1
    assert "1 rating of images without a score, the first is x; use the ids of the results" in err


@pytest.mark.parametrize("metrics", [["bleu"], ["bleu", "rouge", "cider", "CIDEr_original", "meteor"]])
@pytest.mark.parametrize("options", [[], ["--ci", "--compare", "--percent"]])
def test_tables_fit_80_columns_and_nothing_is_cut(files, run, tmp_path, monkeypatch, metrics, options):
    monkeypatch.setenv("COLUMNS", "80")
    longer = tmp_path / "a_system_with_a_name_that_is_far_too_long_for_a_narrow_table_epoch_12.json"
    longer.write_text(files[1].read_text())
    ratings = tmp_path / "ratings.csv"
    ratings.write_text("id,rating\n1,4\n2,1\n3,2\n")
    code, out, _ = run(files[0], longer, "--refs", files[2], "--correlate", ratings, *options, "--metrics", *metrics)
    assert code == 0
    tables = [line for line in out.splitlines() if "spidercap:" not in line]
    assert max(map(len, tables)) <= 80
    assert "…" not in out.replace(" … ", "")
    for metric in spidercap.score(CAPTIONS, REFERENCES, metrics, paraphrases=False).corpus:
        assert metric in out


def test_results_without_references_and_the_other_way_round(files, run, tmp_path):
    more, fewer = tmp_path / "more.json", tmp_path / "fewer.json"
    more.write_text(json.dumps(CAPTIONS | {"9": "a", "8": "b"}))
    fewer.write_text(json.dumps({"2": "dogs"}))
    code, _, err = run(more, "--refs", files[2])
    assert code == 1
    assert "more.json: 2 captions without references, the first is 9; give both for every image" in err
    assert "--allow-partial" in err
    code, _, err = run(fewer, "--refs", files[2])
    assert code == 1
    assert "fewer.json: 2 images without a caption, the first is 1" in err


def test_partial_results_are_scored_on_what_all_have(files, run, tmp_path):
    partial = tmp_path / "partial.json"
    partial.write_text(json.dumps({"9": "a", "3": "a red bus", "1": "a horse"}))
    code, out, err = run(files[0], partial, "--refs", files[2], "--allow-partial", "--json", "--metrics", "cider")
    printed = json.loads(out)
    assert code == 0
    assert [system["images"] for system in printed["systems"]] == [2, 2]
    assert printed["warnings"] == [
        "partial: 1 caption without references left out (first: 9)",
        "partial: 1 image without a caption left out (first: 2)",
    ]
    assert err == "".join(f"warning: {text}\n" for text in printed["warnings"])
    expected = spidercap.score({i: CAPTIONS[i] for i in "13"}, {i: REFERENCES[i] for i in "13"}, "cider").corpus
    assert printed["systems"][0]["scores"]["CIDEr"]["value"] == expected["CIDEr"]


def test_a_split_of_references_without_splits_is_refused(files, run, tmp_path):
    results, truths = write_lines(tmp_path)
    for command in ((files[0], "--refs", files[2]), (results, "--refs", *truths)):
        code, out, err = run(*command, "--split", "test", "--allow-partial", "--metrics", "rouge")
        assert (code, out) == (1, "")
        assert "tells no splits, so there is no 'test'; leave out --split" in err
    assert run(results, "--refs", *truths, "--split", "test", "--metrics", "rouge")[0] == 1


def test_nothing_in_common(files, run, tmp_path):
    other = tmp_path / "other.json"
    other.write_text('{"x": "a"}')
    code, _, err = run(other, "--refs", files[2], "--allow-partial")
    assert code == 1
    assert "no image has both a caption and references; check that the ids are the same" in err


def test_empty_captions_and_a_single_image_warn(run, tmp_path):
    results, refs = tmp_path / "r.json", tmp_path / "refs.json"
    results.write_text('{"1": " "}')
    refs.write_text('{"1": ["a\\u2028dog"]}')
    code, _, err = run(results, "--refs", refs)
    assert code == 0
    lines = err.splitlines()
    assert lines[0] == "warning: references: 1 caption with line separators, now blanks (first: refs.json, image 1)"
    assert lines[1].startswith("warning: r: 1 of 1 captions are empty; they are scored")
    assert lines[2].startswith("warning: r: CIDEr of a single image")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--compare"], "--compare needs at least two result files"),
        (["--per-image", "out.xlsx"], "--per-image out.xlsx: expected a name that ends in .jsonl or .csv"),
        (["--metrics", "cidr"], "unknown metric 'cidr'; did you mean CIDEr?"),
        (["--df", "nowhere"], "unknown document frequencies 'nowhere'; expected corpus, coco or a file"),
        (["--ci", "--level", "95"], "--level must be between 0 and 1, got 95"),
        (["--ci", "--resamples", "0"], "--resamples must be at least 1, got 0"),
        (["--ci", "--seed", "-1"], "--seed must be 0 or more, got -1"),
        (["--percent", "--json"], "--percent is for tables, and JSON holds raw scores; leave out one of the two"),
        (["--threads", "-1"], "threads must be 0 (all cores) or more, got -1"),
        (["--tokenizer", "moses"], "moses"),
    ],
)
def test_usage_errors_exit_with_2(files, run, arguments, message):
    code, out, err = run(files[0], "--refs", files[2], *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("spidercap: ")
    assert err.count("\n") == 1
    assert message in err


@pytest.mark.parametrize("name", ["[b]we.json", "[1]:dog:.json", "{c}.json"])
def test_names_with_brackets_are_names(files, run, monkeypatch, name):
    files[0].rename(files[0].with_name(name))
    files[2].rename(files[2].with_name("[r].json"))
    monkeypatch.chdir(files[0].parent)
    code, out, err = run(name, "--refs", "[r].json", "--metrics", "rouge")
    assert (code, err) == (0, "")
    assert name.removesuffix(".json") in out


def test_two_systems_of_one_name(files, run, tmp_path):
    (tmp_path / "other").mkdir()
    twin = tmp_path / "other" / "ours.json"
    twin.write_text(files[0].read_text())
    code, _, err = run(files[0], twin, "--refs", files[2])
    assert code == 2
    assert "another result file is named 'ours' too; rename one of them" in err


@pytest.fixture
def nothing_is_read(monkeypatch):
    """Whoever opens results or references has begun to work."""

    def refuse(*arguments):
        raise AssertionError("read before the check")

    for reader in ("read_results", "read_references"):
        monkeypatch.setattr(evaluation, reader, refuse)


@pytest.mark.usefixtures("nothing_is_read")
def test_a_per_image_file_without_a_folder_is_refused_at_once(files, run, tmp_path):
    out = tmp_path / "nowhere" / "out.jsonl"
    code, printed, err = run(files[0], "--refs", files[2], "--per-image", out)
    assert (code, printed) == (1, "")
    assert "out.jsonl cannot be written: " in err
    assert "nowhere is not a folder; make it first" in err
    assert not out.parent.exists()


@pytest.mark.usefixtures("nothing_is_read")
def test_a_per_image_file_is_never_written_over(files, run, tmp_path):
    results, table = tmp_path / "s.jsonl", tmp_path / "keep.csv"
    for path in (results, table):
        path.write_text("mine")
        code, printed, err = run(results, "--refs", files[2], "--per-image", path)
        assert (code, printed, path.read_text()) == (1, "", "mine")
        assert f"{path.name} already exists; choose another --per-image or remove it first" in err


def test_per_image_lines_carry_tuples_and_scores_by_category(files, run, tmp_path):
    path = tmp_path / "out.jsonl"
    assert run(*files[:2], "--refs", files[2], "--metrics", "SPIDEr", "--per-image", path)[0] == 0
    records = [json.loads(line) for line in path.read_text().splitlines()]
    expected = spidercap.score(OTHERS, REFERENCES, "SPICE")
    for record in records[3:]:
        spice = record["spice"]
        assert list(record) == ["system", "id", "caption", "scores", "spice"]
        assert spice == expected.details[record["id"]]["spice"].as_json()
        assert spice["scores"]["All"]["f"] == expected.per_image[record["id"]]["SPICE"]
        assert list(spice["scores"]) == ["All", "Object", "Attribute", "Relation", "Cardinality", "Color", "Size"]
    assert {"tuple": ["bus", "red"], "matched": True} in records[5]["spice"]["candidate"]
    assert {"tuple": ["street"], "matched": False} in records[5]["spice"]["references"]
    path = tmp_path / "rouge.jsonl"
    assert run(files[0], "--refs", files[2], "--metrics", "rouge", "--per-image", path)[0] == 0
    assert "spice" not in json.loads(path.read_text().splitlines()[0])


def test_how_captions_are_written_stands_beside_spice(files, run, tmp_path):
    captions = CAPTIONS | {"2": "a dog on a dog on a dog on a dog on a"}
    files[0].write_text(json.dumps(captions))
    _, out, _ = run(*files[:2], "--refs", files[2], "--metrics", "SPICE", "--json")
    found = [system["captions"] for system in json.loads(out)["systems"]]
    raw = [parse_caption(caption).tuples for caption in captions.values()]
    repeated = sum(len(tuples) - len(set(tuples)) for tuples in raw)
    assert repeated > 0
    assert found[0] == {
        "captions": 3,
        "mean_length": (5 + 13 + 3) / 3,
        "repetition": 1 / 3,
        "repeated_bigrams": 1 / 3,
        "bad_endings": 1 / 3,
        "distinct": 3,
        "vocabulary": 7,
        "repeated_tuples": repeated / sum(map(len, raw)),
    }
    assert (found[1]["repetition"], found[1]["bad_endings"]) == (0, 0)
    table = run(*files[:2], "--refs", files[2], "--metrics", "SPIDEr")[1]
    row = next(line.split() for line in reversed(table.splitlines()) if line.strip().startswith("ours"))
    assert row[:6] == ["ours", "7.0", "3", "7", "33.3%", "33.3%"]
    assert row[7] == "33.3%"
    plain = run(files[0], "--refs", files[2], "--metrics", "rouge", "--json")[1]
    assert "captions" not in json.loads(plain)["systems"][0]


@pytest.mark.parametrize("df", ["corpus", "coco"])
def test_spice_is_streamed_with_the_same_numbers(run, tmp_path, monkeypatch, df):
    results, truths = write_lines(tmp_path)
    command = [results, "--refs", *truths, "--json", "--metrics", "SPIDEr", "--df", df]
    loaded = run(*command, "--per-image", tmp_path / "out.jsonl")
    monkeypatch.setattr(evaluation, "CHUNK", 2)
    monkeypatch.setattr(evaluation, "read_results", None)
    streamed = run(*command)
    assert json.loads(streamed[1]) == json.loads(loaded[1])
    assert json.loads(streamed[1])["systems"][0]["captions"]["captions"] == 3


@pytest.mark.parametrize("df", ["corpus", "coco"])
@pytest.mark.parametrize("tokenizer", ["ptb", "none"])
def test_text_files_are_streamed_with_the_same_numbers(run, tmp_path, monkeypatch, df, tokenizer):
    results, truths = write_lines(
        tmp_path, CAPTIONS | {"4": "", "5": "a\u2028b"}, REFERENCES | {"4": ["x"], "5": ["a b"]}
    )
    command = [results, "--refs", *truths, "--json", "--df", df, "--tokenizer", tokenizer]
    if (df, tokenizer) == ("coco", "none"):
        assert run(*command)[0] == 2
        return
    loaded = run(*command, "--per-image", tmp_path / "out.jsonl")
    monkeypatch.setattr(evaluation, "CHUNK", 2)
    monkeypatch.setattr(evaluation, "read_results", None)
    streamed = run(*command)
    assert streamed[0] == loaded[0] == 0
    assert json.loads(streamed[1])["systems"] == json.loads(loaded[1])["systems"]
    assert "1 caption with line separators, now blanks (first: ours.txt, image 5)" in streamed[2]
    assert "ours: 1 of 5 captions are empty" in streamed[2]


def test_streamed_files_of_unequal_length(run, tmp_path):
    results, truths = write_lines(tmp_path)
    results.write_text("a\nb\n")
    code, _, err = run(results, "--refs", *truths)
    assert code == 1
    assert "ours.txt has 2 lines and" in err
    results.write_text("a\n" * 7)
    assert "r1.txt has 3 lines and" in run(results, "--refs", *truths)[2]


def test_nothing_to_stream(run, tmp_path):
    results, truths = write_lines(tmp_path, {}, {})
    code, _, err = run(results, "--refs", *truths)
    assert code == 1
    assert "ours.txt: no caption was found; expected at least one" in err


def test_one_table_may_hold_captions_and_references(run, tmp_path):
    table = tmp_path / "all.csv"
    rows = [f'{i}.wav,{CAPTIONS[i]},"{REFERENCES[i][0]}","{REFERENCES[i][-1]}"\n' for i in CAPTIONS]
    table.write_text("file_name,caption_predicted,caption_reference_01,caption_reference_02\n" + "".join(rows))
    code, out, _ = run(table, "--refs", table, "--json", "--metrics", "rouge")
    expected = spidercap.score(CAPTIONS, {i: [r[0], r[-1]] for i, r in REFERENCES.items()}, "rouge").corpus["ROUGE_L"]
    assert code == 0
    assert json.loads(out)["systems"][0]["scores"]["ROUGE_L"]["value"] == expected


def test_the_example_of_the_help_runs(files, tmp_path):
    files[0].rename(tmp_path / "results.json")
    files[2].rename(tmp_path / "references.json")
    shown = subprocess.run(
        [sys.executable, "-m", "spidercap", "score", "--help"], capture_output=True, text=True
    ).stdout
    example = next(line for line in shown.splitlines() if "Example: spidercap" in line).split("Example: spidercap")[1]
    command = [sys.executable, "-m", "spidercap", *example.split(), *PLAIN]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert "CIDEr" in result.stdout


def test_commands_of_the_document_can_be_parsed():
    document = (Path(__file__).parents[2] / "docs" / "scoring.md").read_text()
    commands = re.findall(r"^spidercap ((?:score|df) .*)$", document, flags=re.MULTILINE)
    assert len(commands) >= 6
    for command in commands:
        app.parse_args(command, exit_on_error=False, print_error=False)


def test_the_python_of_the_document_runs():
    document = (Path(__file__).parents[2] / "docs" / "scoring.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", document, flags=re.MULTILINE | re.DOTALL)
    rewards = next(block for block in blocks if "Scorer(" in block)
    functions = next(block for block in blocks if "def caption_reward" in block)
    names = {"spidercap": spidercap}
    exec(rewards.replace("METEOR", "ROUGE_L").replace("keep=True", "keep=False") + functions, names)
    assert (
        names["caption_reward"](["a man on a horse"], ["7"], prompts=["?"])
        == names["reward"].score(["7"], ["a man on a horse"]).tolist()
    )
