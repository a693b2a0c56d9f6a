"""Caption scores over the processes of `torch.distributed`, for those who have torch."""

from typing import Any

import torch.distributed as dist

from spidercap.metrics.caption_metric import CaptionMetric


class DistributedCaptionMetric(CaptionMetric):
    """A `CaptionMetric` whose `compute` counts the captions of all processes.

    Each process updates its own; `compute` must be called by all of them and gives each the same numbers, which are
    those of one process that has seen all captions. Without a process group it is a plain `CaptionMetric`.
    """

    def __init__(self, *arguments: Any, group: "dist.ProcessGroup | None" = None, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._group = group

    def compute(self) -> dict[str, float]:
        """The corpus score of each metric over all that was added in all processes."""
        states = self._gather()
        return super().compute() if states is None else self.merged(states).compute()

    def sync(self) -> None:
        """Take in what the other processes have added, so that each has all; to be followed by `reset`."""
        states = self._gather()
        if states is not None:
            self.reset()
            for state in states:
                self.merge(state)

    def _gather(self) -> list[dict[str, Any]] | None:
        """The states of all processes by rank; None where there is only this one."""
        if not dist.is_available() or not dist.is_initialized():
            return None
        states: list[Any] = [None] * dist.get_world_size(self._group)
        dist.all_gather_object(states, self.state(), group=self._group)
        return states
