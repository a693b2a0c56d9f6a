"""A one-layer LSTM over captions of different lengths, without padding.

Captions are sorted by falling length and lie step after step (`packed`): step t holds the first `sizes[t]` of them.
The products with all inputs of all steps are single matrix products; only the recurrence goes step by step.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional

from spidercap.model.packed import one_step_before


class LstmState(NamedTuple):
    """Hidden state h and cell c, (rows, hidden) each."""

    h: Tensor
    c: Tensor

    def rows(self, index: Tensor | slice) -> "LstmState":
        """The state of some rows."""
        return LstmState(self.h[index], self.c[index])


class Lstm(nn.Module):
    """The gates lie side by side in the order input, forget, output (sigmoid), candidate (tanh)."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.input_weight = nn.Parameter(torch.empty(4 * hidden, inputs))
        self.recurrent_weight = nn.Parameter(torch.empty(4 * hidden, hidden))
        self.bias = nn.Parameter(torch.zeros(4 * hidden))

    def initialise(self, generator: torch.Generator) -> None:
        """Random weights; the forget gates start open."""
        hidden = self.recurrent_weight.shape[1]
        for weight in (self.input_weight, self.recurrent_weight):
            nn.init.uniform_(weight, -(hidden**-0.5), hidden**-0.5, generator=generator)
        nn.init.zeros_(self.bias)
        nn.init.ones_(self.bias[hidden : 2 * hidden])

    def step(self, inputs: Tensor, state: LstmState) -> LstmState:
        """One step of every row."""
        return self.step_from_gates(functional.linear(inputs, self.input_weight, self.bias), state)

    def step_from_gates(self, input_gates: Tensor, state: LstmState) -> LstmState:
        """One step of every row, the inputs' share of the gates being known."""
        gates = torch.addmm(input_gates, state.h, self.recurrent_weight.t())
        return LstmState(*_advance(gates, state.c)[:2])

    def sequence(self, inputs: Tensor, state: LstmState, sizes: Sequence[int]) -> Tensor:
        """The hidden state after each packed input, (N, hidden)."""
        gates = functional.linear(inputs, self.input_weight, self.bias)
        hidden: Tensor = _Recurrence.apply(gates, self.recurrent_weight, state.h, state.c, tuple(sizes))  # type: ignore[no-untyped-call]
        return hidden


def _advance(gates: Tensor, cell: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The new h and c, the activated gates and tanh(c)."""
    hidden = cell.shape[1]
    activated = torch.cat([gates[:, : 3 * hidden].sigmoid(), gates[:, 3 * hidden :].tanh()], dim=1)
    i, f, o, g = activated.chunk(4, dim=1)
    c = torch.addcmul(f * cell, i, g)
    tanh_c = c.tanh()
    return o * tanh_c, c, activated, tanh_c


class _Recurrence(torch.autograd.Function):
    """The recurrence with its derivative by hand: one product for the weights' gradient instead of one a step."""

    @staticmethod
    def forward(ctx: Any, gates: Tensor, weight: Tensor, h: Tensor, c: Tensor, sizes: tuple[int, ...]) -> Tensor:
        activated = torch.empty_like(gates)
        hidden, cells, tanhs = (gates.new_empty(len(gates), h.shape[1]) for _ in range(3))
        state, begin = LstmState(h, c), 0
        for size in sizes:
            part = slice(begin, begin + size)
            state = state.rows(slice(size))
            total = torch.addmm(gates[part], state.h, weight.t())
            new_h, new_c, activated[part], tanhs[part] = _advance(total, state.c)
            hidden[part], cells[part] = new_h, new_c
            state, begin = LstmState(new_h, new_c), begin + size
        ctx.sizes = sizes
        ctx.save_for_backward(weight, h, c, activated, hidden, cells, tanhs)
        return hidden

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, None]:
        weight, h, c, activated, hidden, cells, tanhs = ctx.saved_tensors
        d_gates = torch.empty_like(activated)
        d_h, d_c = torch.zeros_like(h), torch.zeros_like(c)
        begin = len(gradient)
        for t in reversed(range(len(ctx.sizes))):
            size = ctx.sizes[t]
            begin -= size
            part = slice(begin, begin + size)
            previous = cells[begin - ctx.sizes[t - 1] :][:size] if t else c[:size]
            i, f, o, g = activated[part].chunk(4, dim=1)
            d_h[:size] += gradient[part]
            d_c[:size] += d_h[:size] * o * (1 - tanhs[part] ** 2)
            d_i, d_f, d_o, d_g = d_gates[part].chunk(4, dim=1)
            torch.mul(d_c[:size] * g, i * (1 - i), out=d_i)
            torch.mul(d_c[:size] * previous, f * (1 - f), out=d_f)
            torch.mul(d_h[:size] * tanhs[part], o * (1 - o), out=d_o)
            torch.mul(d_c[:size] * i, 1 - g**2, out=d_g)
            d_c[:size] *= f
            torch.mm(d_gates[part], weight, out=d_h[:size])
        before = one_step_before(h, hidden, ctx.sizes)
        return d_gates, d_gates.t() @ before, d_h, d_c, None
