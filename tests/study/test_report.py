"""The report: the paper's numbers from constructed answers, and what a reader sees."""

import csv
import io
import re

import pytest

from spidercap.cli import main
from spidercap.errors import UsageError
from spidercap.study.export import aggregated, judgements, log, raw_ratings
from spidercap.study.findings import Choices, find
from spidercap.study.report import live_report, write_report
from spidercap.study.store import Store
from spidercap.study.verdicts import collect, compare_all
from spidercap.web.keys import new_key

NAMES = ("ann", "bob", "cat")


def answer_as(store, verdict, names=NAMES, seconds=4.0):
    """Let raters answer every item by a function of (image, systems, rater)."""
    raters = [store.invite(name, new_key().hash) for name in names]
    items = {item.code: item for item in store.item_records()}
    for rater in raters:
        while queue := store.desk(rater).queue:
            item = items[queue[0].code]
            store._clock.now += seconds
            choice = verdict(item.image, {credit.system for credit in item.credits}, rater.name)
            store.answer(rater, queue[0].code, queue[0].turn, choice, round(1000 * seconds))


def test_a_worked_test_in_the_paper_s_form(tmp_path, new_material, clock):
    """Fancy is "not bad" and plain "bad" on 43 images, the other way round on 24, both "okay" on 3."""
    wins, losses, ties = 43, 24, 3
    larger = new_material(tmp_path, wins + losses + ties)
    store = Store(larger.study(raters=1), clock)
    place = {image: number for number, image in enumerate(larger.ids)}

    def verdict(image, systems, rater):
        loser = "plain" if place[image] < wins else "fancy" if place[image] < wins + losses else ""
        return "bad" if loser in systems else "okay"

    answer_as(store, verdict, ("ann",))
    found = find(store, Choices(metrics=False, examples=0))
    best = found.comparisons[0]
    assert (best.better, best.worse, best.wins, best.losses, best.ties) == ("fancy", "plain", wins, losses, ties)
    assert best.p == pytest.approx(0.0136, abs=5e-5)
    assert best.corrected == pytest.approx(2 * best.p)
    plain, fancy = found.standings
    assert plain.share == pytest.approx((losses + ties) / 70)
    assert fancy.difference == pytest.approx((wins - losses) / 70)
    assert fancy.difference_interval.low < fancy.difference < fancy.difference_interval.high
    assert plain.difference is None


def test_discordant_counts_of_the_paper_s_second_pair():
    outcomes = {str(number): 1 if number < 85 else -1 for number in range(85 + 52)} | {"t": 0, "u": None}
    turned = {image: outcome and -outcome for image, outcome in outcomes.items()}
    best, worst = compare_all(["b", "m"], {("b", "m"): outcomes, ("m", "b"): turned})
    assert (best.better, best.wins, best.losses, best.ties, best.left_out) == ("b", 85, 52, 1, 1)
    assert best.p == pytest.approx(0.0030, abs=5e-5)
    assert worst.p > 0.99


@pytest.fixture
def rated(material, clock):
    """Six images; fancy is excellent but for p000 (bad) and p001 (no majority); plain is bad but for p000."""
    store = Store(material.study(control=0.5), clock)

    def verdict(image, systems, rater):
        if systems == {"fancy"}:
            if image == "p001":
                return dict(zip(NAMES, ("bad", "okay", "good"), strict=True))[rater]
            return "bad" if image == "p000" else "excellent"
        return "good" if image == "p000" or "ground truth" in systems else "bad"

    answer_as(store, verdict)
    return store


def test_standings_unknown_and_control(rated):
    found = find(rated, Choices(metrics=False))
    plain, fancy = found.standings
    assert (fancy.unknown, fancy.pending, fancy.known) == (1, 0, 5)
    assert fancy.counts == {"excellent": 4, "good": 0, "okay": 0, "bad": 1}
    assert fancy.share == 0.8
    assert plain.known == 6
    assert found.control.share == 1.0
    assert found.control.known == 3
    assert found.agreement.complete == len(found.ratings.items)
    assert found.agreement.alpha_nominal == pytest.approx(0.85, abs=0.1)


def test_the_baseline_can_be_chosen_and_raters_left_out(rated):
    assert find(rated, Choices(baseline="fancy", metrics=False)).standings[0].difference < 0
    without = find(rated, Choices(without=("ann",), metrics=False))
    assert {rater.name for rater in without.raters} == {"bob", "cat"}
    assert without.standings[1].pending == 1  # p001 has two different answers and lacks the third
    with pytest.raises(UsageError, match="`baseline` x is no system of this study; choose one of plain, fancy"):
        find(rated, Choices(baseline="x"))
    with pytest.raises(UsageError, match="`without` dora: this study has no rater of that name"):
        find(rated, Choices(without=("dora",)))


def test_four_classes_see_differences_that_two_do_not(material, clock):
    store = Store(material.study(), clock)
    answer_as(store, lambda image, systems, rater: "excellent" if systems == {"fancy"} else "okay")
    two, four = (find(store, Choices(four_classes=flag, metrics=False)).comparisons for flag in (False, True))
    assert {(c.wins, c.ties) for c in two} == {(0, 6)}
    assert (four[0].better, four[0].wins, four[0].p) == ("fancy", 6, pytest.approx(1 / 64))


def test_four_classes_of_a_pairwise_study_are_refused(material, clock):
    store = Store(material.study(scale="pairwise"), clock)
    with pytest.raises(UsageError, match="`four_classes` is for four-point studies, and this one is pairwise; leave"):
        find(store, Choices(four_classes=True))


def test_conspicuous_raters_are_flagged(material, clock):
    store = Store(material.study(control=1.0, raters=4), clock)
    answer_as(store, lambda image, systems, rater: "good" if image < "p003" else "okay", NAMES)
    answer_as(store, lambda image, systems, rater: "bad", ("hasty",), seconds=0.5)
    flags = {rater.name: rater.flags for rater in find(store, Choices(metrics=False)).raters}
    assert all(flags[name] == () for name in NAMES)
    assert [flag.split(":")[0] for flag in flags["hasty"]] == ["failed 6 of 6 quality controls", "too fast", "constant"]


def test_every_metric_is_correlated_with_the_judgements(rated):
    found = find(rated, Choices()).correlations
    assert [c.metric for c in found][:5] == ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "METEOR"]
    assert "SPICE" in {c.metric for c in found}
    assert {c.judgements for c in found} == {36}
    # Plain repeats a reference and is judged bad: metrics must disagree with these raters.
    assert next(c for c in found if c.metric == "ROUGE_L").kendall_b < -0.3


def test_pairs(material, clock):
    store = Store(material.study(scale="pairwise", control=0.5), clock)
    answer_as(
        store, lambda image, systems, rater: "first" if "ground truth" in systems or image == "p002" else "second"
    )
    found = find(store, Choices())
    fancy = found.standings[0]
    assert (fancy.name, fancy.counts) == ("fancy", {"better": 5, "no difference": 0, "worse": 1})
    assert fancy.share == pytest.approx(5 / 6)
    assert found.control.counts["better"] == 3
    assert (found.comparisons[0].better, found.comparisons[0].wins, found.comparisons[0].losses) == ("fancy", 5, 1)
    assert {example.image for example in found.examples if not example.won} == {"p002"}
    assert all(rater.failures == 0 for rater in found.raters)


def test_the_report_is_written_in_all_forms(rated, tmp_path):
    folder = rated.path.parent
    write_report(rated, folder, tmp_path / "out", Choices())
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["items.csv", "judgements-1-plain.csv", "judgements-2-fancy.csv", "log.csv", "ratings.csv",
                     "report.html", "report.md"]  # fmt: skip
    page = (tmp_path / "out" / "report.html").read_text()
    for title in ("Systems", "Distribution", "Sign tests", "Agreement", "Raters", "Automatic metrics", "Examples"):
        assert f"<h2>{title}</h2>" in page
    titles = page.count("<title>Difference to") + page.count("<title>Share of each answer")
    assert page.count('role="img"') == titles == 2
    assert re.findall(r'(?:src|href)="(?!data:image/jpeg;base64,)', page) == []
    assert " style=" not in page
    text = (tmp_path / "out" / "report.md").read_text()
    assert "| fancy | 5 | 80.0 % |" in text
    assert "## Sign tests" in text


def test_captions_and_names_are_escaped_everywhere(material, clock, tmp_path):
    evil = material.write("evil", {image: f"<script>alert('{image}')</script>|=1" for image in material.ids})
    store = Store(material.study(systems={"<b>x": evil, "plain": material.systems["plain"]}), clock)
    answer_as(store, lambda image, systems, rater: "good" if "<b>x" in systems else "bad", ("<i>r", "b", "c"))
    page, policy = live_report(store, store.path.parent)
    assert "<script" not in page
    assert "<b>x" not in page
    assert "<i>r" not in page
    assert "default-src 'none'" in policy
    write_report(store, store.path.parent, tmp_path / "out", Choices(metrics=False))
    text = (tmp_path / "out" / "report.md").read_text()
    assert "<script" not in text
    assert "<b>" not in text


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_tables(rated):
    ratings = collect(rated)
    raw = rows(raw_ratings(ratings))
    controls = [item for item in rated.item_records() if len(item.credits) > 1]
    assert len(raw) == 3 * (rated.items + len(controls))
    assert {row["counted"] for row in raw} == {"1"}
    assert {row["seconds"] for row in raw} == {"4.0"}
    decided = {(row["image"], row["system"]): row for row in rows(aggregated(ratings, rated.settings.scale))}
    assert decided["p001", "fancy"]["state"] == "unknown"
    assert decided["p001", "fancy"]["majority"] == ""
    assert decided["p002", "fancy"]["excellent"] == "3"
    assert {row["event"] for row in rows(log(rated))} == {"given", "rated"}
    judged = rows(judgements(ratings, rated.settings)["fancy"])
    assert sorted(row["rating"] for row in judged if row["id"] == "p001") == ["0", "1", "2"]
    assert len(judged) == 18


def test_formulas_do_not_reach_spreadsheets(material, clock):
    formula = material.write("formula", dict.fromkeys(material.ids, "=HYPERLINK(1)"))
    store = Store(material.study(systems={"@s": formula}), clock)
    answer_as(store, lambda *_: "bad", ("+r", "b", "c"))
    written = rows(raw_ratings(collect(store)))
    assert {row["caption"] for row in written} == {"'=HYPERLINK(1)"}
    assert {row["system"] for row in written} == {"'@s"}
    assert {row["rater"] for row in written} == {"'+r", "b", "c"}


def test_the_judgements_are_what_score_correlate_reads(rated, material, tmp_path, capsys):
    write_report(rated, rated.path.parent, tmp_path / "out", Choices(metrics=False))
    with pytest.raises(SystemExit) as stopped:
        main(["score", str(material.systems["fancy"]), "--refs", str(material.references), "--metrics", "bleu",
              "--correlate", str(tmp_path / "out" / "judgements-2-fancy.csv")])  # fmt: skip
    assert stopped.value.code == 0
    assert "18 judgements" in capsys.readouterr().out


def test_a_report_of_nothing(store, tmp_path):
    write_report(store, store.path.parent, tmp_path / "out", Choices())
    page = (tmp_path / "out" / "report.html").read_text()
    assert "0 of 36 answers" in page
    assert "<svg" not in page


def test_a_dash_stands_where_no_image_was_decided(store, tmp_path):
    write_report(store, store.path.parent, tmp_path / "out", Choices())
    text = (tmp_path / "out" / "report.md").read_text()
    assert text.count("| plain | – | – | – | – |") == 1
    assert "| plain | 0 | – | – | – | – | 0 | 6 |" in text
    assert "| plain | fancy | 0 | 0 | 0 | 6 | – | – |" in text


def test_negative_differences_have_a_true_minus_sign(rated, tmp_path):
    write_report(rated, rated.path.parent, tmp_path / "out", Choices(baseline="fancy", metrics=False))
    text = (tmp_path / "out" / "report.md").read_text()
    (row,) = [line for line in text.splitlines() if line.startswith("| plain | 6 |")]
    difference = re.search(r"\| (−\d+\.\d) \| −\d", row)[1]
    assert "-" not in row
    assert f"{difference}</text>" in (tmp_path / "out" / "report.html").read_text()


def test_one_rater_is_one_rater(material, clock):
    store = Store(material.study(raters=1), clock)
    answer_as(store, lambda *_: "good", ("ann",))
    assert "1 rater;" in live_report(store, store.path.parent)[0]


def test_tables_that_scroll_say_so(rated):
    page, _ = live_report(rated, rated.path.parent)
    assert "background-attachment: local, local, scroll, scroll" in page
    assert page.count('<div class="scroll" role="region"') == page.count("<table")
