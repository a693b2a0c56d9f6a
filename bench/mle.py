"""A maximum-likelihood step against a plain padded `nn.LSTM` step: real words a second, the same loss.

    python bench/mle.py [--repeats 7] [--threads 2]

Both learn from the same batches of 64 captions of ~11 words (lengths as COCO's) with 8,864 symbols and the full
softmax, by Adam. The plain step pads every caption to 16; ours leaves the padding out, and never says BOS: its loss is
smaller by log(8,864 / 8,863) at the start. Steps alternate, medians are taken.
"""

from argparse import ArgumentParser
from statistics import median
from time import perf_counter

import torch
from torch import Tensor, nn
from torch.nn import functional

from spidercap.learn.algorithm import Batch
from spidercap.learn.mle import MaximumLikelihood
from spidercap.model.packed import pack
from spidercap.model.show_and_tell import ModelSizes, ShowAndTell
from spidercap.text.vocabulary import BOS, EOS, Vocabulary

BATCH, SYMBOLS, LENGTH, FEATURES, WIDTH = 64, 8864, 16, 2048, 512
# Words of a caption, end included, as often as in COCO train2014 (longer ones cut at 16).
LENGTHS = {9: 14, 10: 25, 11: 23, 12: 15, 13: 9, 14: 6, 15: 3, 16: 5}


class PlainCaptioner(nn.Module):
    """Show and Tell as anyone would write it: padded captions through `nn.LSTM`."""

    def __init__(self) -> None:
        super().__init__()
        self.projection = nn.Linear(FEATURES, WIDTH)
        self.embedding = nn.Embedding(SYMBOLS, WIDTH)
        self.lstm = nn.LSTM(WIDTH, WIDTH, batch_first=True)
        self.output = nn.Linear(WIDTH, SYMBOLS)

    def forward(self, features: Tensor, words: Tensor, mask: Tensor) -> Tensor:
        """The mean of −log p over the words under the mask."""
        start = self.projection(features)[None]
        before = torch.cat([torch.full_like(words[:, :1], BOS), words[:, :-1]], dim=1)
        hidden, _ = self.lstm(self.embedding(before), (start, start))
        logits = self.output(hidden)
        losses = functional.cross_entropy(logits.flatten(0, 1), words.flatten(), reduction="none")
        return (losses * mask.flatten()).sum() / mask.sum()


class PlainStep:
    """The fixed comparison of all training benchmarks."""

    def __init__(self) -> None:
        torch.manual_seed(0)
        self.model = PlainCaptioner()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)

    def __call__(self, features: Tensor, words: Tensor, lengths: Tensor) -> float:
        """One update; the loss."""
        mask = (torch.arange(LENGTH) < lengths[:, None]).float()
        self.optimizer.zero_grad()
        loss = self.model(features, words, mask)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.optimizer.step()
        return float(loss.detach())


class OurStep:
    """The step of `spidercap train`, without dropout as the plain one."""

    def __init__(self) -> None:
        vocabulary = Vocabulary(tuple(f"word{number}" for number in range(SYMBOLS - 3)))
        self.model = ShowAndTell(ModelSizes(FEATURES, SYMBOLS, WIDTH, WIDTH), vocabulary)
        self.algorithm = MaximumLikelihood(self.model, seed=0)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3, weight_decay=0.0, fused=True)

    def __call__(self, features: Tensor, words: Tensor, lengths: Tensor) -> float:
        """One update; the loss."""
        ids = tuple(map(str, range(BATCH)))
        batch = Batch(ids, features, torch.arange(BATCH), BATCH, pack(words, lengths), int(lengths.sum()))
        self.optimizer.zero_grad()
        loss = self.algorithm.loss(batch, 0).loss
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.optimizer.step()
        return float(loss.detach())

    def copy_weights(self, plain: PlainCaptioner) -> None:
        """Start from the weights of the plain model, so that both must have the same loss."""
        i, f, g, o = range(4)
        order = torch.cat([torch.arange(WIDTH) + WIDTH * gate for gate in (i, f, o, g)])
        lstm = plain.lstm.state_dict()
        with torch.no_grad():
            for mine, theirs in ((self.model.projection, plain.projection), (self.model.output, plain.output)):
                mine.load_state_dict(theirs.state_dict())
            self.model.embedding.load_state_dict(plain.embedding.state_dict())
            self.model.lstm.input_weight.copy_(lstm["weight_ih_l0"][order])
            self.model.lstm.recurrent_weight.copy_(lstm["weight_hh_l0"][order])
            self.model.lstm.bias.copy_((lstm["bias_ih_l0"] + lstm["bias_hh_l0"])[order])


def make_batch(seed: int) -> tuple[Tensor, Tensor, Tensor]:
    """Features, words and lengths of a batch, sorted by falling length; words as rare as in real captions."""
    generator = torch.Generator().manual_seed(seed)
    weights = torch.tensor(list(LENGTHS.values()), dtype=torch.float)
    drawn = torch.multinomial(weights, BATCH, replacement=True, generator=generator)
    lengths = torch.tensor(list(LENGTHS))[drawn].sort(descending=True).values
    ranks = (torch.rand(BATCH, LENGTH, generator=generator) * 9).exp().long().clamp(max=SYMBOLS - 4) + 3
    words = torch.where(torch.arange(LENGTH) < lengths[:, None] - 1, ranks, EOS)
    return torch.randn(BATCH, FEATURES, generator=generator).abs() * 0.4, words, lengths


def gemm_rate() -> float:
    """Floating-point operations a second of a large matrix product: the most that this machine gives."""
    size, times = 2048, []
    matrix = torch.randn(size, size)
    for _ in range(5):
        begin = perf_counter()
        matrix @ matrix
        times.append(perf_counter() - begin)
    return 2 * size**3 / median(times)


def flops(words: int) -> float:
    """Of one step of ours: every multiply-add of the layers counts two, forward once and backward twice."""
    a_word = 4 * WIDTH * WIDTH * 2 + WIDTH * SYMBOLS
    return 6.0 * (words * a_word + BATCH * FEATURES * WIDTH)


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    plain, ours = PlainStep(), OurStep()
    ours.copy_weights(plain.model)
    batches = [make_batch(seed) for seed in range(arguments.repeats + 1)]
    losses = [(plain(*batches[0]), ours(*batches[0]))]
    times: dict[str, list[float]] = {"plain": [], "ours": []}
    for batch in batches[1:]:
        for name, step in (("plain", plain), ("ours", ours)):
            begin = perf_counter()
            step(*batch)
            times[name].append(perf_counter() - begin)
    words = [int(lengths.sum()) for _, _, lengths in batches[1:]]
    rates = {name: median(w / t for w, t in zip(words, taken, strict=True)) for name, taken in times.items()}
    ratios = sorted(p / o for p, o in zip(times["plain"], times["ours"], strict=True))
    done = median(flops(w) / t for w, t in zip(words, times["ours"], strict=True))
    most = gemm_rate()
    print(f"loss of the first step: plain {losses[0][0]:.6f}, ours {losses[0][1]:.6f}")
    for name, rate in rates.items():
        print(f"{name}: {1000 * median(times[name]):.0f} ms a step, {rate:,.0f} real words/s")
    print(f"ratio: {median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})")
    print(
        f"ours: {flops(round(median(words))) / 1e9:.1f} GFLOP a step, {done / 1e9:.0f} GFLOP/s, "
        f"{100 * done / most:.0f} % of a matrix product's {most / 1e9:.0f} GFLOP/s"
    )


if __name__ == "__main__":
    main()
