"""Everything knows a captioner by its interface alone: a toy of another kind goes through all of it."""

import json
import re
from dataclasses import dataclass
from typing import NamedTuple

import pytest
import torch
from torch import Tensor, nn

from spidercap.cli import main
from spidercap.cli.train import read_recipe
from spidercap.learn.algorithms import ALGORITHMS
from spidercap.model.architectures import ARCHITECTURES
from spidercap.model.captioner import Captioner, TeacherForced
from spidercap.model.folder import load_model
from spidercap.model.packed import one_step_before
from spidercap.text.vocabulary import Vocabulary
from spidercap.train import start
from spidercap.train.start import train_run


class Memory(NamedTuple):
    """The image, and the hidden state after the symbol before."""

    images: Tensor
    hidden: Tensor

    def rows(self, index):
        return Memory(self.images[index], self.hidden[index])


@dataclass(frozen=True)
class BigramSizes:
    """The width of the vectors and the number of symbols."""

    features: int
    symbols: int


class Bigram(Captioner):
    """The next symbol depends on the image and on the symbol before."""

    architecture, title, sizes_type = "bigram", "Bigram", BigramSizes
    hidden_size, numbers_a_symbol = 8, 40
    image_width = property(lambda self: self.sizes.features)
    vocabulary_size = property(lambda self: self.sizes.symbols)

    def __init__(self, sizes, vocabulary):
        super().__init__(sizes, vocabulary)
        self.image, self.before = nn.Linear(sizes.features, 8), nn.Embedding(sizes.symbols, 8)
        self.output = nn.Linear(8, sizes.symbols)

    def begin(self, images):
        return self.advance(Memory(images, images), torch.zeros(len(images), dtype=torch.int64))

    def advance(self, state, symbols):
        return Memory(state.images, torch.tanh(self.image(state.images) + self.before(symbols)))

    def head(self, hidden):
        return self.output(hidden).index_fill(1, torch.tensor(0), -torch.inf)

    def sharpen(self, factor):
        self.output.weight.data.mul_(factor)
        self.output.bias.data.mul_(factor)

    def teacher_forced(self, images, captions, *, fed=None, dropout=None, smoothing=0.0):
        first = torch.zeros(len(images), dtype=torch.int64)
        before = one_step_before(first, captions.targets if fed is None else fed, captions.sizes)
        hidden = self.advance(Memory(images[captions.rows], None), before).hidden
        return TeacherForced(self.head(hidden).log_softmax(1).gather(1, captions.targets[:, None])[:, 0], hidden)


class Whispered(Vocabulary):
    """Words that are told as parts of words, as subwords are: without a blank before the second and the third."""

    def decode(self, ids):
        words = super().decode(ids).split()
        return "".join(words[:3]) + "".join(f" {word}" for word in words[3:])


@pytest.fixture
def bigrams(monkeypatch):
    """Every new captioner is a bigram one, and model folders know it."""

    def new(config, width, vocabulary, seed=0):
        torch.manual_seed(seed)
        return Bigram(BigramSizes(width, vocabulary.size), vocabulary)

    monkeypatch.setitem(ARCHITECTURES, "bigram", Bigram)
    monkeypatch.setattr(start, "new_captioner", new)


def run(*arguments):
    with pytest.raises(SystemExit) as stopped:
        main([*map(str, arguments)])
    return stopped.value.code


def lines(folder, kind):
    found = map(json.loads, (folder / "metrics.jsonl").read_text().splitlines())
    return [line for line in found if line["kind"] == kind]


QUICK = ("--train.learning_rate=0.03", "--train.log_every=1", "--train.batch=12", "--decode.limit=9")


@pytest.fixture
def taught(settings, tmp_path, bigrams):
    flags = [*settings, *QUICK, "--train.epochs=12", "--learn.scheduled_sampling=0.2"]
    train_run(read_recipe(None, flags), tmp_path / "mle")
    return tmp_path / "mle"


def test_maximum_likelihood_teaches_a_toy(taught):
    found = lines(taught, "train")
    assert found[-1]["loss"] < 0.7 * found[0]["loss"]
    best = load_model(taught / "best")
    assert isinstance(best, Bigram)
    assert best.facts["algorithm"] == "mle"


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS.keys() - {"mle"}))
def test_every_algorithm_raises_the_reward_of_a_toy(settings, taught, tmp_path, algorithm):
    flags = [*settings, *QUICK, f"--learn.algorithm={algorithm}", "--reward=CIDEr", "--train.epochs=25"]
    more = {"pg": ["--learn.baseline_steps=3"], "mixer": ["--learn.mixer_words=0"]}.get(algorithm, [])
    train_run(read_recipe(None, [*flags, *more]), tmp_path / "run", taught)
    rewards = [line["reward"] for line in lines(tmp_path / "run", "train")]
    assert sum(rewards[-10:]) > sum(rewards[:10]) + 1


@pytest.mark.parametrize(
    "decoding", [(), ("--beam", 3, "--n-best", 2), ("--sample",)], ids=["greedy", "beam", "sample"]
)
def test_a_toy_captions(taught, small, capsys, decoding):
    assert run("caption", small / "features", "--model", taught, "--json", "--explain", *decoding) == 0
    captions = json.loads(capsys.readouterr().out)["images"][0]["captions"]
    for each in captions:
        words = [word["word"] for word in each["words"]]
        assert each["caption"].split() == [word for word in words if word != "<eos>"]


def test_symbols_need_not_be_words(taught, tmp_path, capsys, monkeypatch):
    """The texts on the page of `explain` are those of the symbols together, wherever a word begins."""
    monkeypatch.setattr("spidercap.model.folder.Vocabulary", Whispered)
    page = tmp_path / "page.html"
    arguments = ("--image", "red-dog-grass", "--reward", "Bleu_1", "--rollouts", 2)
    assert run("explain", taught, *arguments, "--out", page) == 0
    caption = re.search("“(.*?)”", capsys.readouterr().out)[1]
    words = [word for word in re.findall(r'class="word">([^<]+)<', page.read_text()) if not word.startswith("&")]
    assert caption == Whispered(tuple(words)).decode(range(3, 3 + len(words)))
    rollouts = re.findall(r"<li><span>(.*?)</span><data", page.read_text())
    ways = [re.sub("</?em>", "", each).removesuffix(" (ends)") for each in rollouts]
    assert all(" " not in way[: len("".join(way.split()[:1]))] for way in ways)
    assert any(way.startswith("".join(words[:3])) for way in ways)
