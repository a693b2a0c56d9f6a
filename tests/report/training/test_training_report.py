"""Reports of training runs: tables, curves, examples and all forms, from real small runs."""

import csv
import io
import itertools
import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from spidercap.cli.train import read_recipe
from spidercap.errors import DataError, UsageError
from spidercap.learn.algorithms import ALGORITHMS
from spidercap.metrics.resampling import Interval
from spidercap.metrics.score import score
from spidercap.report.training import curves
from spidercap.report.training.leaderboard import METRICS, Cell, Leaderboard, Row, leaderboard, spice_parts
from spidercap.report.training.methods import method_lines
from spidercap.report.training.published import CAVEAT, PAPER, SERVER
from spidercap.report.training.runs import load_runs, method_name
from spidercap.report.training.strokes import COLOURS, DASHES, GREY, MAXIMUM_LIKELIHOOD, Stroke, strokes
from spidercap.report.training.training_page import training_page
from spidercap.report.training.training_report import ReportRequest, make_report, report_runs
from spidercap.report.training.training_tables import (
    comma_separated,
    few_images_note,
    latex,
    markdown,
    note,
    print_leaderboard,
    unchanged_note,
)

RUNS = ("mle", "pg", "mixer")


@pytest.fixture(scope="module")
def made(trained):
    """The report of all three runs."""
    page = [Path("report.html")]
    return make_report(ReportRequest([trained / name for name in RUNS], page, published=True, examples=3))


@pytest.fixture
def copy(trained, tmp_path):
    """The runs in a folder of their own, to be spoiled; their data stays where it is."""
    for name in RUNS:
        shutil.copytree(trained / name, tmp_path / name)
    return tmp_path


class Tags(HTMLParser):
    """Counts tags, and notes those that are closed in the wrong order."""

    VOID = frozenset(("meta", "img", "path", "use", "link"))

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.wrong, self.sources = [], [], [], []

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        self.sources += [value for name, value in attributes if name in ("src", "href", "xlink:href")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


@pytest.mark.parametrize(
    ("flags", "name"),
    [
        ([], "MLE"),
        (["--learn.algorithm=pg"], "PG-SPIDEr"),
        (["--learn.algorithm=pg", "--reward=Bleu_4"], "PG-BLEU-4"),
        (["--learn.algorithm=mixer", "--reward=BCMR", "--train.optimizer=sgd"], "MIXER-BCMR"),
        (["--learn.algorithm=mixer", "--reward=BCMR"], "MIXER-BCMR-A"),
        (["--learn.algorithm=scst", "--reward=CIDEr"], "SCST-CIDEr"),
    ],
)
def test_methods_are_named_as_in_the_paper(flags, name):
    assert method_name(read_recipe(None, flags)) == name


def test_equal_methods_are_told_apart_by_their_folders(trained, copy):
    names = [run.name for run in load_runs([trained / "mle", copy / "pg", trained / "pg"])]
    method = "PG-0.5*BLEU-4 + ROUGE-L"
    assert names == ["MLE", f"{method} ({copy / 'pg'})", f"{method} ({trained / 'pg'})"]
    (copy / "pg").rename(copy / "pg-2")
    assert [run.name for run in load_runs([copy / "pg-2", trained / "pg"])] == [f"{method} (pg-2)", f"{method} (pg)"]


def test_the_scores_are_those_of_the_captions_kept_in_the_run(trained, made):
    images = load_runs([trained / "mle"])[0]
    path = images.folder.captions(f"test-{images.facts['steps']:08}")
    from spidercap.data.captions import Dataset
    from spidercap.data.results import read_results

    captions = read_results(path).captions
    references = {image.id: image.captions for image in Dataset.load(trained / "data").split("test")}
    expected = score(captions, references, METRICS).corpus
    assert {metric: cell.value for metric, cell in made.board.rows[0].cells.items()} == pytest.approx(expected)


def test_captions_are_made_once(copy):
    request = ReportRequest([copy / "mle", copy / "pg"], [], examples=0)
    make_report(request)
    kept = sorted((copy / "mle" / "captions").glob("test-*.json"))
    assert len(kept) == 1
    (copy / "mle" / "best" / "model.safetensors").unlink()
    again = make_report(request)
    assert again.board.rows[0].name == "MLE"
    kept[0].write_text('[{"image_id": "dog-grass", "caption": "a dog"}]')
    with pytest.raises(DataError, match=r"model\.safetensors"):
        make_report(request)


def test_change_and_marks_are_against_maximum_likelihood():
    references = [[f"a {colour} dog number {n} runs on grass"] for n in range(20) for colour in ("red", "blue")]
    bad, good = ["a cat sleeps there"] * 40, [each[0] for each in references]
    board = leaderboard(["PG", "MLE"], [score(good, references, METRICS), score(bad, references, METRICS)], against=1)
    better, base = (row.cells["Bleu_1"] for row in board.rows)
    assert board.against == "MLE"
    assert base.change is None
    assert not base.best
    assert not base.sure
    assert better.best
    assert better.sure
    assert better.value == pytest.approx(1)
    assert better.change == pytest.approx((better.value - base.value) / base.value)
    assert board.rows[0].cells["Bleu_4"].interval.low <= better.value


def test_no_method_is_best_where_all_are_alike():
    scores = score(["a dog", "a cat"], [["a dog runs"], ["a cat sits"]], METRICS)
    board = leaderboard(["MLE", "PG"], [scores, scores], against=0)
    assert not any(cell.best for row in board.rows for cell in row.cells.values())
    assert board.rows[1].cells["Bleu_1"].change == 0
    assert not board.rows[1].cells["Bleu_1"].sure


def test_spice_by_category_is_the_mean_over_images_that_have_it():
    scores = score(["a red dog", "a cat"], [["a red dog"], ["a dog"]], ["SPICE", "CIDEr"])
    parts = spice_parts(scores)
    assert parts["Object"] == pytest.approx(0.5)
    assert parts["Color"] == pytest.approx(1.0)
    assert parts["Size"] != parts["Size"]


def test_published_rows_are_the_papers(made):
    groups = {row.group for row in made.board.rows}
    assert len(groups) == 3
    assert len(PAPER) == 7
    assert len(SERVER) == 5
    assert PAPER["PG-BCMR"] == dict(
        zip(
            ("CIDEr", "METEOR", "ROUGE_L", "Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4"),
            (1.013, 0.257, 0.550, 0.754, 0.591, 0.445, 0.332),
            strict=True,
        )
    )
    assert SERVER["Berkeley LRCN"]["Bleu_4"] == 0.306


def test_the_page_is_whole_and_needs_nothing_else(made):
    text = training_page(made)
    tags = Tags()
    tags.feed(text)
    assert tags.wrong == []
    assert tags.open == []
    assert "script" not in tags.seen
    assert all(source.startswith(("data:image/jpeg;base64,", "#")) for source in tags.sources)
    assert "http" not in re.sub(r"data:[^\"]*", "", text)
    assert tags.seen.count("article") == 3
    # Each example has its picture, and so has each caption that is shown word by word.
    assert tags.seen.count("img") == len(made.examples) + len(made.rollouts) == 6
    assert "looks &lt;up&gt;" in text
    assert text.count('aria-label="CIDEr against') == 3
    for heading in ("entropy of a word", "variance that the baseline explains", "loss of maximum likelihood"):
        assert f'aria-label="{heading}' in text
    for run in made.runs:
        assert text.count(run.name) >= 5


def test_maximum_likelihood_is_a_level_beside_the_methods_that_follow_it(made, monkeypatch):
    drawn = {}
    monkeypatch.setattr(curves, "panel", lambda heading, label, lines: drawn.setdefault((heading, label), lines))
    captions = [figure.caption for figure in curves.validation_figures(made.runs)]
    assert captions == [
        "gradient steps after maximum likelihood",
        "seconds of training after maximum likelihood",
        "gradient steps of maximum likelihood",
    ]
    mle, pg, _ = made.runs
    after = drawn["CIDEr", captions[0]]
    assert [line.stroke for line in after] == [Stroke(COLOURS[0]), Stroke(COLOURS[1], DASHES[1]), MAXIMUM_LIKELIHOOD]
    assert after[0].x == [line["step"] for line in pg.validation]
    best = next(line["CIDEr"] for line in mle.validation if line["step"] == mle.facts["steps"])
    assert after[-1].y == [best, best]
    assert after[-1].x == [0, max(point for line in after[:-1] for point in line.x)]
    (own,) = drawn["CIDEr", captions[2]]
    assert own.y == [line["CIDEr"] for line in mle.validation]
    assert [figure.caption for figure in curves.validation_figures([mle])] == ["gradient steps", "seconds of training"]


def test_a_page_without_pictures_has_words_alone(trained, tmp_path):
    made = make_report(ReportRequest([trained / "mle"], [], images=tmp_path, examples=2))
    text = training_page(made)
    assert "<img" not in text
    assert text.count('class="example bare"') == 2


def test_rollouts_are_of_pages_alone_and_do_not_depend_on_the_examples(trained):
    assert make_report(ReportRequest([trained / "pg"], [Path("report.csv")])).rollouts == []
    made = make_report(ReportRequest([trained / "pg"], [Path("report.csv"), Path("report.html")], examples=0))
    assert len(made.rollouts) == 3
    assert made.examples == []


def test_a_report_goes_on_without_a_reward_or_last_weights(copy):
    page = [Path("report.html")]
    settings = copy / "pg" / "config.json"
    settings.write_text(settings.read_text().replace("0.5*Bleu_4 + ROUGE_L", "nowhere:f"))
    made = make_report(ReportRequest([copy / "mle", copy / "pg"], page))
    assert made.rollouts == []
    assert "worth to PG-nowhere:f is left out: reward nowhere:f: cannot import" in training_page(made)
    (copy / "pg" / "last" / "training.pt").write_bytes(b"cut")
    assert "training.pt is not a whole checkpoint" in make_report(ReportRequest([copy / "pg"], page)).rollouts_note


def test_a_picture_that_cannot_be_read_is_left_out(trained, tmp_path):
    for image in (trained / "data" / "images").iterdir():
        (tmp_path / image.name).write_bytes(b"no picture")
    made = make_report(ReportRequest([trained / "mle"], [], images=tmp_path, examples=2))
    assert [each.source for each in made.examples] == ["", ""]


def test_markdown_has_all_tables(made):
    text = markdown(made)
    assert text.count("| MLE |") == 4 + len(made.examples)
    own, published = text.split("## Published\n\n" + CAVEAT)
    assert "Berkeley" not in own
    assert "| Published: the paper, COCO test server | CIDEr |" in published
    assert "* MLE: maximum likelihood: learns to say the next word" in published
    table = [line for line in own.splitlines() if line.startswith("|")]
    assert len(table) == 2 + len(made.runs)
    assert all(line.count(" | ") == len(METRICS) for line in table)


def test_markdown_shows_names_as_they_are(made):
    text = markdown(made)
    assert "PG-0.5*" not in text
    assert text.count(r"| PG-0.5\*BLEU-4 + ROUGE-L |") == 3 + len(made.examples)
    assert r"relative to A\_B\|C;" in markdown(replace(made, board=replace(made.board, against="A_B|C")))


def test_a_method_that_never_beat_its_start_is_named(made):
    started = [replace(run, facts=run.facts | {"steps": 0 if run.init else 5}) for run in made.runs]
    changed = replace(made, runs=started)
    sentence = "MIXER-BCMR did not become better than the start"
    assert sentence in training_page(changed)
    assert sentence in markdown(changed)
    assert "MLE" not in unchanged_note(changed)
    kept = replace(made, runs=[replace(run, facts=run.facts | {"steps": 5}) for run in made.runs])
    assert unchanged_note(kept) == ""


def test_latex_marks_best_and_sure_and_escapes_names():
    cells = {metric: Cell(0.5, True, Interval(0.4, 0.6), 0.1, 0.001) for metric in METRICS}
    text = latex(Leaderboard([Row("PG_50%", cells)], "MLE", 3))
    assert r"PG\_50\% & \textbf{0.500}$^{*}$" in text
    assert text.count("&") == 2 * len(METRICS)


def test_csv_holds_every_digit(made):
    rows = list(csv.DictReader(io.StringIO(comma_separated(made.board))))
    assert len(rows) == 3 * len(METRICS) + 12 * 7
    first = made.board.rows[0].cells["CIDEr"]
    assert float(rows[0]["value"]) == first.value
    assert float(rows[0]["low"]) == first.interval.low
    assert rows[0]["p"] == ""
    assert float(rows[len(METRICS)]["p"]) == made.board.rows[1].cells["CIDEr"].p


def test_the_terminal_shows_our_own_rows(made, capsys):
    print_leaderboard(made.board)
    text = capsys.readouterr().out
    assert "MIXER-BCMR" in text
    assert "Berkeley" not in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("p", [0.01, 0.5])
def test_the_star_is_explained_where_there_is_one(p, capsys):
    rows = [Row("MLE", {m: Cell(0.1) for m in METRICS}), Row("PG", {m: Cell(0.2, change=1.0, p=p) for m in METRICS})]
    print_leaderboard(Leaderboard(rows, "MLE", 3))
    assert ("* differs from MLE" in capsys.readouterr().out) == (p < 0.05)


def test_the_old_name_of_a_logged_number_is_understood(copy):
    log = copy / "pg" / "metrics.jsonl"
    log.write_text(log.read_text().replace("repeated_bigram_rate", "repetition_rate"))
    (run,) = load_runs([copy / "pg"])
    assert all("repeated_bigram_rate" in line for line in run.training)


def test_a_line_that_is_still_being_written_is_not_read(copy):
    with (copy / "mle" / "metrics.jsonl").open("a") as file:
        file.write('{"kind": "train", "st')
    before, after = load_runs([copy / "pg"]), load_runs([copy / "mle"])
    assert after[0].steps > 0
    assert before[0].steps > 0


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda run: shutil.rmtree(run / "best"), "has no best captioner yet; train it to its first validation"),
        (lambda run: (run / "config.json").unlink(), "is not a run; expected a folder made by `spidercap train`"),
        (lambda run: shutil.copy(run / "best" / "config.json", run), "is not a run"),
        (lambda run: (run / "metrics.jsonl").write_text("{]\n"), r"metrics\.jsonl, line 1 is not JSON"),
        (lambda run: (run / "metrics.jsonl").unlink(), r"metrics\.jsonl does not exist"),
        (
            lambda run: (run / "metrics.jsonl").write_text('{"step": 1}\n'),
            r'line 1 is not what .* found {"step": 1}',
        ),
        (lambda run: (run / "config.json").write_text("3"), "is not a run"),
        (lambda run: (run / "best" / "config.json").write_text("{}"), 'best.config.json: the key "facts" is missing'),
        (
            lambda run: (run / "best" / "config.json").write_text('{"facts": {"steps": 1}}'),
            'best.config.json, facts: the key "data" is missing',
        ),
    ],
)
def test_what_is_no_run_is_named(copy, spoil, message):
    spoil(copy / "pg")
    with pytest.raises(DataError, match=message):
        load_runs([copy / "mle", copy / "pg"])


def test_runs_of_different_datasets_are_refused(copy):
    path = copy / "pg" / "best" / "config.json"
    path.write_text(re.sub(r'"captions_sha256": "\w+"', '"captions_sha256": "0123456789"', path.read_text()))
    with pytest.raises(
        DataError, match=r"pg was trained on captions \(01234567\) and .*mle on captions .*one dataset together"
    ):
        load_runs([copy / "mle", copy / "pg"])
    with pytest.raises(DataError, match="its captions have changed since"):
        make_report(ReportRequest([copy / "pg"], []))


def test_wrong_requests_are_refused(trained):
    with pytest.raises(UsageError, match=r"`out` report\.pdf: expected a name that ends in \.html, \.md, \.tex, \.csv"):
        ReportRequest([trained / "mle"], [Path("report.pdf")])
    with pytest.raises(UsageError, match="`examples` must be 0 or more, got -1"):
        ReportRequest([trained / "mle"], [], examples=-1)
    with pytest.raises(DataError, match="has no image in the split 'dev'; it has train, val, test"):
        make_report(ReportRequest([trained / "mle"], [], split="dev"))
    with pytest.raises(DataError, match="nope is not a folder; `images` names the folder that holds the pictures"):
        make_report(ReportRequest([trained / "mle"], [], images=trained / "nope"))
    with pytest.raises(UsageError, match="name at least one run"):
        load_runs([])


def test_nothing_is_written_where_a_file_cannot_be(trained, tmp_path):
    request = ReportRequest([trained / "mle"], [tmp_path / "nowhere" / "report.csv"], examples=0)
    with pytest.raises(DataError, match="cannot be written"):
        report_runs(request)
    assert list(tmp_path.iterdir()) == []


def test_the_curves_are_a_picture_of_their_own(made):
    picture = ElementTree.fromstring(curves.curves_picture(made.runs))
    panels = [part for part in picture if part.tag.endswith("svg")]
    assert [part.get("aria-label").split(" against ")[0] for part in panels] == ["BLEU-4", "ROUGE-L", "CIDEr", "METEOR"]
    names = {text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")}
    assert {run.name for run in made.runs} <= names


def test_methods_are_explained_in_a_line_each(made):
    text = training_page(made)
    for name in ("MLE", "PG-0.5*BLEU-4 + ROUGE-L", "MIXER-BCMR"):
        assert f"<dt>{name}</dt><dd>" in text
    assert (
        "<dt>BCMR</dt><dd>0.5 BLEU-1 + 0.5 BLEU-2 + 1 BLEU-3 + 1 BLEU-4 + 1 CIDEr + 5 METEOR + 2 ROUGE-L</dd>" in text
    )
    mixer = made.runs[2]
    adam = replace(mixer, config=replace(mixer.config, train=replace(mixer.config.train, optimizer="adam")))
    assert "-A learns by Adam" not in text
    assert "-A learns by Adam" in dict(method_lines([adam]))["MIXER-BCMR"]


def test_every_algorithm_says_what_it_does():
    meanings = [settings.meaning for settings in ALGORITHMS.values()]
    assert len({*meanings}) == len(ALGORITHMS)
    assert all("\n" not in meaning and len(meaning) < 140 for meaning in meanings)


def test_published_rows_stand_apart_with_a_caveat(made):
    text = training_page(made)
    own, published = text.split('<h2 id="published">')
    assert "Berkeley LRCN" not in own
    assert published.index("Published results are of other data") < published.index("Berkeley LRCN")
    alone = training_page(replace(made, board=replace(made.board, rows=made.board.own)))
    assert "other data" not in alone
    assert "#published" not in alone


def test_rewards_of_different_scales_are_not_on_one_axis(made, monkeypatch):
    drawn = {}
    monkeypatch.setattr(curves, "panel", lambda heading, label, lines: drawn.setdefault(heading, lines))
    curves.diagnostic_figure(made.runs)
    for what in ("reward of sampled captions", "variance of the advantage", "length of the gradient"):
        assert len(drawn[f"{what}: 0.5*BLEU-4 + ROUGE-L"]) == len(drawn[f"{what}: BCMR"]) == 1
    assert len(drawn["entropy of a word (nats)"]) == 2
    drawn.clear()
    curves.diagnostic_figure(made.runs[:2])
    assert len(drawn["reward of sampled captions"]) == 1


def luminance(colour):
    """Relative luminance of a colour as `#rrggbb`."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear(colour):
    parts = np.array([int(colour[n : n + 2], 16) for n in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


# What is left of red, green and blue light for people without red, green or blue cones (Machado and others, 2009).
COLOUR_VISION = {
    "usual": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


@pytest.mark.parametrize("vision", COLOUR_VISION)
def test_colours_of_lines_are_told_apart_by_everyone(vision):
    seen = [np.clip(np.array(COLOUR_VISION[vision]) @ linear(colour), 0, 1) for colour in COLOURS]
    for first, second in itertools.combinations(seen, 2):
        assert np.linalg.norm(np.cbrt(first) - np.cbrt(second)) > 0.4


@pytest.mark.parametrize("paper", ["#ffffff", "#1f2530"])
def test_lines_are_seen_on_light_and_dark_paper(paper):
    for colour in (*COLOURS, GREY):
        light, dark = sorted((luminance(colour), luminance(paper)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 3


def test_lines_differ_in_pattern_as_well_as_colour(made):
    pg = made.runs[1]
    made_strokes = list(strokes([replace(pg, name=str(number)) for number in range(16)]).values())
    assert len({*made_strokes}) == 16
    for first, second in itertools.pairwise(made_strokes[:8]):
        assert first.colour != second.colour
        assert first.dashes != second.dashes
    assert len({stroke.dashes for stroke in made_strokes[:4]}) == 4
    assert MAXIMUM_LIKELIHOOD.dashes not in DASHES
    assert training_page(made).count(f'stroke-dasharray="{DASHES[1][0] * 2.5:g} ') == 2, "both legends"


def test_every_drawing_has_a_title_and_a_role(made):
    text = training_page(made)
    drawings = re.findall(r"<svg [^>]*>(?:<title>.*?</title>)?", text)
    hidden = [drawing for drawing in drawings if 'aria-hidden="true"' in drawing]
    assert len(hidden) == 2 * len(made.runs), "the lines of the two legends"
    shown = [drawing for drawing in drawings if drawing not in hidden]
    assert len(shown) > 12
    assert all('role="img"' in drawing and "<title>" in drawing for drawing in shown)
    picture = ElementTree.fromstring(curves.curves_picture(made.runs))
    assert picture.get("role") == "img"
    assert picture[0].text == "Scores on the validation images against gradient steps"


def test_bars_of_words_have_their_scale(made):
    text = training_page(made)
    words = sum(len(view.explanation.words) for view in made.rollouts)
    view = made.rollouts[0]
    assert text.count('<div class="ruler">') == words
    assert f"<span>{view.low:.2f}</span>" in text
    assert f"</div><span>{view.high:.2f}</span></div>" in text
    assert f"on a scale from {view.low:.2f} to {view.high:.2f}: Q " in text


def test_negative_numbers_have_a_true_minus_sign(made):
    view = made.rollouts[0]
    word = replace(view.explanation.words[0], value=-0.25, baseline=0.5)
    view = replace(view, low=-0.25, explanation=replace(view.explanation, words=(word,)))
    worse = replace(made.board.rows[1], cells={metric: Cell(0.1, change=-0.5, p=0.01) for metric in METRICS})
    changed = replace(made, board=replace(made.board, rows=[made.board.rows[0], worse]), rollouts=[view])
    assert "Q −0.250" in training_page(changed)
    assert "Q − B −0.750" in training_page(changed)
    for text in (training_page(changed), markdown(changed)):
        assert "−50.0 %" in text
        assert not re.search(r"[\s>]-\d+\.\d", re.sub(r'(?s)<svg.*?</svg>|<pre>.*?</pre>|style="[^"]*"', "", text))


def scored(texts):
    references = [[f"a {colour} dog number {n} runs on grass"] for n in range(20) for colour in ("red", "blue")]
    return score(texts[: len(references)], references[: len(texts)], METRICS)


GOOD = [f"a {colour} dog number {n} runs on grass" for n in range(20) for colour in ("red", "blue")]
BAD = ["a cat sleeps there"] * 40


def test_too_few_images_to_tell_methods_apart_are_told(made, capsys):
    board = leaderboard(["MLE", "PG"], [scored(BAD[:4]), scored(GOOD[:4])], against=0)
    assert (board.pairs.count, board.pairs.unsure) == (1, 1), "of four exchanges one in eight is as large by chance"
    sentence = "Too few images (4) to tell these methods apart: by CIDEr, 1 of 1 pair of methods differ by no more than"
    changed = replace(made, board=board)
    assert f'<p class="notice">{sentence}' in training_page(changed)
    assert sentence in markdown(changed)
    assert f"% {sentence}" in latex(board)
    print_leaderboard(board)
    assert sentence in capsys.readouterr().out


def test_enough_images_and_equal_methods_are_no_reason_to_warn():
    good = scored([*GOOD[:35], *BAD[:5]])
    board = leaderboard(["MLE", "PG", "again"], [scored(BAD), good, good], against=0)
    assert (board.pairs.count, board.pairs.unsure) == (1, 0)
    assert board.pairs.margin > 0
    assert few_images_note(board) == ""
    assert f"Differences in CIDEr below about {board.pairs.margin:.3f} may be chance." in note(board)
    half = leaderboard(["MLE", "PG"], [scored(GOOD), scored([*GOOD[:39], "a blue dog runs on grass"])], against=0)
    assert (half.pairs.count, half.pairs.unsure) == (1, 1)
