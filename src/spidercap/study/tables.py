"""The tables of a report, the same for HTML and Markdown."""

from collections.abc import Iterator
from dataclasses import dataclass

from spidercap.metrics.resampling import Interval
from spidercap.study.findings import Choices, Findings, Standing
from spidercap.study.scales import PAIRWISE
from spidercap.study.store import Store
from spidercap.study.verdicts import SignTest
from spidercap.text.amounts import decimal

_CLASS_WORDS = (
    "not bad",
    "The share of images whose caption is “okay”, “good” or “excellent”; the difference is to",
    "Intervals of shares are Wilson's, those of differences are bootstrapped over images; 95 %.",
)
_PAIR_WORDS = (
    "preferred",
    "The share of images on which raters prefer the system, ties as halves; the difference is better less worse than",
    "Intervals are bootstrapped over images; 95 %.",
)
_CLASS_WINS = {False: "its caption is “not bad” and the other's is “bad”", True: "its caption's class is higher"}
_PAIR_WIN = "raters prefer its caption"


@dataclass(frozen=True)
class Table:
    """One table of the report, with what must be known to read it."""

    title: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables_of(store: Store, findings: Findings, choices: Choices) -> Iterator[Table]:
    """All tables of a report, in their order."""
    pairwise = store.settings.scale_name == PAIRWISE.name
    yield _standing_table(findings, pairwise)
    yield _distribution_table(findings)
    yield _sign_table(findings, pairwise, choices.four_classes)
    yield _agreement_table(findings)
    yield _rater_table(findings)
    if findings.correlations:
        yield _correlation_table(findings)


def _standing_table(findings: Findings, pairwise: bool) -> Table:
    share, meaning, intervals = _PAIR_WORDS if pairwise else _CLASS_WORDS
    note = (
        f"{meaning} {findings.baseline}. The majority of an image's raters decides; images without one are unknown "
        f"and left out, those that still lack answers are pending. {intervals}"
    )
    rows = [_standing_row(standing) for standing in findings.standings]
    if findings.control:
        note += " Ground truth is the hidden quality control, an approximate ceiling."
        rows.append(_standing_row(findings.control))
    head = ("system", "decided", share, "interval", "difference", "interval", "unknown", "pending")
    return Table("Systems", note, head, tuple(rows))


def _standing_row(standing: Standing) -> tuple[str, ...]:
    return (
        standing.name,
        f"{standing.known:,}",
        _percent(standing.share),
        _interval(standing.interval),
        "–" if standing.difference is None else decimal(100 * standing.difference, 1, "+"),
        _interval(standing.difference_interval, "+"),
        str(standing.unknown),
        str(standing.pending),
    )


def _distribution_table(findings: Findings) -> Table:
    standings = [*findings.standings, *([findings.control] if findings.control else [])]
    rows = [
        (s.name, *(f"{count} ({count / s.known:.0%})" if s.known else "–" for count in s.counts.values()))
        for s in standings
    ]
    head = ("system", *(findings.standings[0].counts if findings.standings else ()))
    return Table("Distribution", "Images by the answer of the majority.", head, tuple(rows))


def _sign_table(findings: Findings, pairwise: bool, four_classes: bool) -> Table:
    kind = _PAIR_WIN if pairwise else _CLASS_WINS[four_classes]
    note = (
        "One-sided exact binomial test on the images where one system wins and the other loses: a system wins where "
        f"{kind}. Equal images are dropped; left out are those that lack a majority. Every system is tested against "
        "every other, in both directions; Holm's correction is over all rows."
    )
    rows = [
        (c.better, c.worse, *map(str, (c.wins, c.losses, c.ties, c.left_out)), *_p_values(c))
        for c in findings.comparisons
    ]
    head = ("better", "than", "won", "lost", "equal", "left out", "p", "p (Holm)")
    return Table("Sign tests", note, head, tuple(rows))


def _agreement_table(findings: Findings) -> Table:
    found = findings.agreement
    note = (
        f"1 is perfect, 0 is chance. κ is over the {found.complete:,} items with all their answers, "
        "α over all items with two or more."
    )
    rows = (
        ("Krippendorff's α, ordinal", _coefficient(found.alpha_ordinal)),
        ("Krippendorff's α, nominal", _coefficient(found.alpha_nominal)),
        ("Fleiss' κ", _coefficient(found.kappa)),
    )
    return Table("Agreement", note, ("measure", "value"), rows)


def _rater_table(findings: Findings) -> Table:
    rows = [
        (
            rater.name,
            str(rater.answers),
            f"{rater.seconds:.1f} s",
            f"{rater.failures} of {rater.controls}",
            f"{rater.commonest} {rater.commonest_share:.0%}",
            "; ".join(rater.flags) or "–",
        )
        for rater in findings.raters
    ]
    note = "A flag is a reason to look, not a proof. A report can leave raters out by name."
    head = ("rater", "answers", "median time", "controls failed", "commonest answer", "flags")
    return Table("Raters", note, head, tuple(rows))


def _correlation_table(findings: Findings) -> Table:
    rows = [
        (c.metric, *(_hundred(v) for v in (c.kendall_b, c.kendall_c, c.spearman, c.pearson)))
        for c in findings.correlations
    ]
    note = (
        f"Per caption, over {findings.correlations[0].judgements:,} judgements of the systems' captions (excellent 3 … "
        "bad 0), × 100. CIDEr's document frequencies are from the studied images' references; controls are left out."
    )
    return Table(
        "Automatic metrics", note, ("metric", "Kendall τ_b", "Kendall τ_c", "Spearman", "Pearson"), tuple(rows)
    )


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _interval(interval: Interval | None, sign: str = "") -> str:
    return "–" if interval is None else " … ".join(decimal(100 * end, 1, sign) for end in (interval.low, interval.high))


def _coefficient(value: float | None) -> str:
    return "–" if value is None else decimal(value, 3)


def _hundred(value: float | None) -> str:
    return "–" if value is None else decimal(100 * value, 1)


def _p_values(test: SignTest) -> tuple[str, str]:
    """Dashes where no image decides between the two."""
    return (_p_value(test.p), _p_value(test.corrected)) if test.wins + test.losses else ("–", "–")


def _p_value(p: float) -> str:
    return "< .0001" if p < 0.0001 else f"{p:.4f}".removeprefix("0")
