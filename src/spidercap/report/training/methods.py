"""What the methods of a report are, in a line each."""

from collections.abc import Iterator, Sequence

from spidercap.learn.policy import RewardSettings
from spidercap.metrics.catalogue import MEANS
from spidercap.metrics.expression import MIXES
from spidercap.metrics.names import title
from spidercap.report.training.runs import Run, is_adam_mixer


def method_lines(runs: Sequence[Run]) -> Iterator[tuple[str, str]]:
    """The runs of each algorithm with what it does, then the rewards that have names of their own."""
    by_title: dict[str, list[Run]] = {}
    for run in runs:
        by_title.setdefault(run.config.learn.title, []).append(run)
    for members in by_title.values():
        yield ", ".join(run.name for run in members), members[0].config.learn.meaning + _worth(members)
    rewards = [run.config.learn.reward for run in runs if isinstance(run.config.learn, RewardSettings)]
    for reward in dict.fromkeys(rewards):
        if reward in MIXES:
            yield reward, " + ".join(f"{weight:g} {title(metric)}" for metric, weight in MIXES[reward].items())
        elif reward in MEANS:
            yield reward, "the mean of " + " and ".join(map(title, MEANS[reward].parts))


def _worth(members: Sequence[Run]) -> str:
    """How captions are valued, and what the letter A in a name means."""
    if not isinstance(members[0].config.learn, RewardSettings):
        return ""
    adam = "; -A learns by Adam instead of SGD" if any(is_adam_mixer(run.config) for run in members) else ""
    return f", by the reward in its name{adam}"
