"""The processes of one job: `torchrun` starts them, gloo (CPU) or NCCL (GPU) connects them."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.distributed_c10d import PrefixStore
from torch.distributed.rendezvous import rendezvous

from spidercap.errors import DataError

Item = TypeVar("Item")
CPU = torch.device("cpu")
CONNECTING, WORKING = timedelta(seconds=120), timedelta(minutes=30)
"""How long processes wait for each other: until they are connected, and in each of their common steps."""


@dataclass(frozen=True)
class World:
    """Which process this is, of how many, and where it computes."""

    rank: int = 0
    size: int = 1
    device: torch.device = CPU

    @property
    def main(self) -> bool:
        """Whether this process writes the files."""
        return self.rank == 0

    def sum_gradients(self, parameters: Sequence[nn.Parameter], numbers: Sequence[float]) -> list[float]:
        """Add the gradients of all processes, and some numbers along with them; the sums of the numbers.

        Each process holds its share of one mean, so the sum is the gradient that one process alone would have.
        """
        if self.size == 1:
            return list(numbers)
        gradients = [_gradient(parameter) for parameter in parameters]
        sums = torch.tensor(numbers, dtype=torch.float64, device=self.device)
        flat = torch.cat([each.reshape(-1) for each in gradients])
        with _lost_processes():
            dist.all_reduce(flat)
            dist.all_reduce(sums)
        begin = 0
        for gradient in gradients:
            gradient.copy_(flat[begin : begin + gradient.numel()].view_as(gradient))
            begin += gradient.numel()
        return [float(number) for number in sums]

    def gather(self, share: Sequence[Item]) -> list[Item]:
        """What the processes hold, dealt out like cards, in the order before the dealing."""
        if self.size == 1:
            return list(share)
        shares: list[Sequence[Item]] = [()] * self.size
        with _lost_processes():
            dist.all_gather_object(shares, list(share))
        whole = sum(len(each) for each in shares)
        return [shares[index % self.size][index // self.size] for index in range(whole)]

    def wait(self) -> None:
        """Go on when every process is here."""
        if self.size > 1:
            with _lost_processes():
                dist.barrier()


def _gradient(parameter: nn.Parameter) -> Tensor:
    """The gradient; zeros where this process had nothing to do with the parameter."""
    if parameter.grad is None:
        parameter.grad = torch.zeros_like(parameter)
    return parameter.grad


@contextmanager
def _lost_processes() -> Iterator[None]:
    try:
        yield
    except RuntimeError as error:
        raise DataError(
            f"another process of this job has ended ({str(error).splitlines()[0][:120]}); "
            "the last checkpoint is kept, start the same command again to go on"
        ) from None


def _connect(backend: str) -> None:
    """Find the other processes of this start.

    torchrun keeps one store over its restarts, in which the addresses of processes that have ended still stand: each
    restart writes and reads under a prefix of its own.
    """
    restart = os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")
    try:
        store, rank, size = next(rendezvous("env://", timeout=CONNECTING))
        fresh = PrefixStore(f"restart-{restart}", store)
        dist.init_process_group(backend, store=fresh, rank=rank, world_size=size, timeout=CONNECTING)
    except RuntimeError as error:
        raise DataError(
            f"the processes of this job did not find each other within {CONNECTING.seconds} s "
            f"({str(error).splitlines()[0][:120]}); start the same command again"
        ) from None
    dist.distributed_c10d._set_pg_timeout(WORKING)


@contextmanager
def connected() -> Iterator[World]:
    """This process's place in the job that torchrun's environment variables describe; alone without them."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    gpu = torch.cuda.is_available()
    local = int(os.environ.get("LOCAL_RANK", "0"))
    device = torch.device("cuda", local) if gpu else torch.device("cpu")
    if size == 1:
        yield World(device=device)
        return
    _connect("nccl" if gpu else "gloo")
    try:
        yield World(dist.get_rank(), size, device)
    finally:
        dist.destroy_process_group()
