"""What a study found: standings, comparisons, agreement, raters to look at, correlations, examples."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from spidercap.errors import UsageError
from spidercap.extras import PARTS
from spidercap.metrics.correlation import Correlation, correlate
from spidercap.metrics.names import TEXT_METRICS
from spidercap.metrics.resampling import Interval
from spidercap.metrics.settings import Settings
from spidercap.metrics.systems import evaluate
from spidercap.study.scales import GROUND_TRUTH, MISPLACED, PAIRWISE
from spidercap.study.stats import difference_interval, fleiss_kappa, krippendorff_alpha, wilson
from spidercap.study.store import Store
from spidercap.study.stored import ItemRecord
from spidercap.study.verdicts import (
    BAD,
    Outcomes,
    Ratings,
    SignTest,
    Verdict,
    all_outcomes,
    by_system,
    collect,
    compare_all,
    is_control,
    outcomes_of_pairs,
)

PAIR_LABELS = {1: "better", 0: "no difference", -1: "worse"}


@dataclass(frozen=True)
class Choices:
    """What a report is asked for; the thresholds are those beyond which a rater is flagged."""

    baseline: str | None = None
    four_classes: bool = False
    without: tuple[str, ...] = ()
    examples: int = 4
    metrics: bool = True
    fast_seconds: float = 1.5
    control_failures: float = 0.5
    constant_share: float = 0.95
    least_answers: int = 10


@dataclass(frozen=True)
class Standing:
    """One system: how its images were judged; `share` is "not bad" (of pairs: better, ties as halves).

    `difference` is the share above the baseline's (of pairs: better less worse), None for the baseline itself.
    """

    name: str
    counts: dict[str, int]
    unknown: int
    pending: int
    share: float | None
    interval: Interval | None
    difference: float | None
    difference_interval: Interval | None

    @property
    def known(self) -> int:
        """Images with a majority."""
        return sum(self.counts.values())


@dataclass(frozen=True)
class Agreement:
    """How far raters agree."""

    alpha_ordinal: float | None
    alpha_nominal: float | None
    kappa: float | None
    complete: int


@dataclass(frozen=True)
class RaterFinding:
    """One rater's habits, and what is conspicuous about them."""

    name: str
    answers: int
    seconds: float
    controls: int
    failures: int
    commonest: str
    commonest_share: float
    flags: tuple[str, ...]


@dataclass(frozen=True)
class JudgedExample:
    """An image on which a system won or lost against the baseline."""

    system: str
    won: bool
    image: str
    picture: str
    caption: str
    baseline_caption: str
    votes: str


@dataclass(frozen=True)
class Findings:
    """Everything that the report tells."""

    baseline: str
    standings: tuple[Standing, ...]
    control: Standing | None
    comparisons: tuple[SignTest, ...]
    agreement: Agreement
    raters: tuple[RaterFinding, ...]
    correlations: tuple[Correlation, ...]
    examples: tuple[JudgedExample, ...]
    ratings: Ratings
    late: int
    warnings: tuple[str, ...] = field(default=())


def find(store: Store, choices: Choices) -> Findings:
    """All findings of a study as it stands."""
    systems = store.settings.systems
    baseline = choices.baseline or systems[0]
    if baseline not in systems:
        raise UsageError(f"`baseline` {baseline} is no system of this study; choose one of {', '.join(systems)}")
    pairwise = store.settings.scale_name == PAIRWISE.name
    if pairwise and choices.four_classes:
        raise UsageError("`four_classes` is for four-point studies, and this one is pairwise; leave it out")
    _check_names(store, choices.without)
    ratings = collect(store, choices.without)
    outcomes = all_outcomes(systems, ratings, store, choices.four_classes)
    standings = _pair_standings if pairwise else _class_standings
    control = _control(store, ratings, pairwise)
    return Findings(
        baseline=baseline,
        standings=tuple(standings(store, ratings, baseline, outcomes)),
        control=control,
        comparisons=tuple(compare_all(systems, outcomes)),
        agreement=_agreement(store, ratings),
        raters=tuple(_raters(ratings, choices)),
        correlations=tuple(_correlations(store, ratings)) if choices.metrics and not pairwise else (),
        examples=tuple(_examples(store, ratings, outcomes, baseline, choices.examples)),
        ratings=ratings,
        late=sum(not answer.counted for answer in ratings.answers),
        warnings=tuple(f"{path} has changed since the study was made" for path in store.settings.changed_sources()),
    )


def _check_names(store: Store, names: Iterable[str]) -> None:
    known = {rater.name for rater in store.rater_progress()}
    for name in names:
        if name not in known:
            raise UsageError(f"`without` {name}: this study has no rater of that name")


def _class_standings(
    store: Store, ratings: Ratings, baseline: str, outcomes: Mapping[tuple[str, str], Outcomes]
) -> Iterator[Standing]:
    graded = by_system(ratings.verdicts)
    base = _not_bad(graded.get(baseline, {}))
    for name in store.settings.systems:
        yield _class_standing(store, name, graded.get(name, {}), base if name != baseline else None)


def _class_standing(
    store: Store, name: str, verdicts: Mapping[str, Verdict], base: Mapping[str, float] | None
) -> Standing:
    chosen = Counter(verdict.choice for verdict in verdicts.values() if verdict.choice is not None)
    states = Counter(verdict.state for verdict in verdicts.values())
    mine = _not_bad(verdicts)
    share = sum(mine.values()) / len(mine) if mine else None
    return Standing(
        name=name,
        counts={choice.name: chosen[choice.name] for choice in store.settings.scale.choices},
        unknown=states["unknown"],
        pending=states["pending"],
        share=share,
        interval=wilson(round(sum(mine.values())), len(mine)),
        difference=share - sum(base.values()) / len(base) if base and share is not None else None,
        difference_interval=difference_interval(base, mine, store.settings.seed) if base and mine else None,
    )


def _not_bad(verdicts: Mapping[str, Verdict]) -> dict[str, float]:
    return {i: float(verdict.choice != BAD) for i, verdict in verdicts.items() if verdict.choice is not None}


def _pair_standings(
    store: Store, ratings: Ratings, baseline: str, outcomes: Mapping[tuple[str, str], Outcomes]
) -> Iterator[Standing]:
    for name in store.settings.systems:
        if name != baseline:
            yield _pair_standing(store, name, outcomes[name, baseline], ratings)


def _pair_standing(store: Store, name: str, outcomes: Outcomes, ratings: Ratings) -> Standing:
    known = {image: float(outcome) for image, outcome in outcomes.items() if outcome is not None}
    counts = Counter(known.values())
    pending = {verdict.item.image for verdict in ratings.verdicts if verdict.state == "pending"}
    open_images = [image for image, outcome in outcomes.items() if outcome is None]
    nothing = dict.fromkeys(known, 0.0)
    mean = sum(known.values()) / len(known) if known else None
    interval = difference_interval(nothing, known, store.settings.seed)
    return Standing(
        name=name,
        counts={label: counts[sign] for sign, label in PAIR_LABELS.items()},
        unknown=sum(image not in pending for image in open_images),
        pending=sum(image in pending for image in open_images),
        share=None if mean is None else (1 + mean) / 2,
        interval=interval and Interval((1 + interval.low) / 2, (1 + interval.high) / 2),
        difference=mean,
        difference_interval=interval,
    )


def _control(store: Store, ratings: Ratings, pairwise: bool) -> Standing | None:
    """How ground truth fared, an approximate ceiling."""
    if not any(is_control(item) for item in ratings.items):
        return None
    if pairwise:
        outcomes = outcomes_of_pairs(GROUND_TRUTH, MISPLACED, ratings.verdicts, {})
        return _pair_standing(store, GROUND_TRUTH, outcomes, ratings)
    return _class_standing(store, GROUND_TRUTH, by_system(ratings.verdicts)[GROUND_TRUTH], None)


def _agreement(store: Store, ratings: Ratings) -> Agreement:
    values = store.settings.scale.values
    units = [[values[choice] for choice in choices] for choices in ratings.choices()]
    return Agreement(
        alpha_ordinal=krippendorff_alpha(units, "ordinal"),
        alpha_nominal=krippendorff_alpha(units, "nominal"),
        kappa=fleiss_kappa(units, store.settings.raters),
        complete=sum(len(unit) >= store.settings.raters for unit in units),
    )


def _raters(ratings: Ratings, choices: Choices) -> Iterator[RaterFinding]:
    items = {item.number: item for item in ratings.items}
    names = list(dict.fromkeys(answer.rater for answer in ratings.answers))
    for name in sorted(names):
        own = [answer for answer in ratings.answers if answer.rater == name]
        controls = [answer for answer in own if is_control(items[answer.item])]
        failures = sum(_fails(items[answer.item], answer.choice) for answer in controls)
        commonest, votes = Counter(answer.choice for answer in own).most_common(1)[0]
        seconds = median(answer.milliseconds for answer in own) / 1000
        share = votes / len(own)
        flags = _flags(choices, len(own), seconds, len(controls), failures, share)
        yield RaterFinding(name, len(own), seconds, len(controls), failures, commonest, share, tuple(flags))


def _fails(item: ItemRecord, choice: str) -> bool:
    """Whether an answer to a control is a mistake: ground truth called bad, or not better than what does not belong."""
    if item.other is None:
        return choice == BAD
    return choice != ("first" if any(credit.system == GROUND_TRUTH for credit in item.credits) else "second")


def _flags(
    choices: Choices, answers: int, seconds: float, controls: int, failures: int, commonest: float
) -> Iterator[str]:
    if controls >= 3 and failures / controls >= choices.control_failures:
        yield f"failed {failures} of {controls} quality controls"
    if answers < choices.least_answers:
        return
    if seconds < choices.fast_seconds:
        yield f"too fast: half of the answers within {seconds:.1f} s"
    if commonest >= choices.constant_share:
        yield f"constant: {commonest:.0%} of the answers are the same"


def _correlations(store: Store, ratings: Ratings) -> Iterator[Correlation]:
    """Every automatic metric against every counted judgement of the systems' captions."""
    references, captions = store.references(), store.captions()
    values = store.settings.scale.values
    images = [image for image in next(iter(captions.values())) if references.get(image)]
    graded = by_system(ratings.verdicts)
    judged = [
        (system, image, values[choice])
        for system in store.settings.systems
        for image in images
        for choice in (graded[system][image].choices if image in graded.get(system, {}) else ())
    ]
    if not judged:
        return
    texts = [[captions[system][image] for image in images] for system in store.settings.systems]
    settings = Settings(paraphrases=PARTS["meteor"].installed)
    found = evaluate(images, texts, [references[image] for image in images], TEXT_METRICS, settings)
    scores = dict(zip(store.settings.systems, found, strict=True))
    for metric in TEXT_METRICS:
        columns = {s: dict(zip(images, scores[s].per_image.column(metric), strict=True)) for s in scores}
        yield correlate(metric, [float(columns[s][i]) for s, i, _ in judged], [float(value) for *_, value in judged])


def _examples(
    store: Store, ratings: Ratings, outcomes: Mapping[tuple[str, str], Outcomes], baseline: str, count: int
) -> Iterator[JudgedExample]:
    captions = store.captions()
    by_image: dict[str, list[Verdict]] = {}
    for verdict in ratings.verdicts:
        by_image.setdefault(verdict.item.image, []).append(verdict)
    for system in (name for name in store.settings.systems if name != baseline):
        for won in (True, False):
            images = [i for i, outcome in outcomes[system, baseline].items() if outcome == (1 if won else -1)]
            for image in images[:count]:
                shown = _concerning(by_image[image], {system, baseline})
                texts = captions[system][image], captions[baseline][image]
                yield JudgedExample(system, won, image, by_image[image][0].item.picture, *texts, "; ".join(shown))


def _concerning(verdicts: Sequence[Verdict], systems: set[str]) -> Iterator[str]:
    """The votes on the items that are credited to some systems, in words."""
    for verdict in verdicts:
        names = {credit.system for credit in verdict.item.credits}
        both = {credit.against for credit in verdict.item.credits} & systems
        if (verdict.item.other is None and names & systems) or (names & systems and both):
            who = " and ".join(sorted(names & systems)) if verdict.item.other is None else "the pair"
            yield f"{who}: {', '.join(verdict.choices)}"
