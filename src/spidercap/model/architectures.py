"""The kinds of captioners by name, and the making of a new one from the settings of a run."""

from dataclasses import dataclass

from spidercap.model.captioner import Captioner
from spidercap.model.show_and_tell import ModelSizes, ShowAndTell
from spidercap.options import at_least, option, share
from spidercap.text.vocabulary import Vocabulary

ARCHITECTURES: dict[str, type[Captioner]] = {"show-and-tell": ShowAndTell}


@dataclass(frozen=True)
class ModelConfig:
    """Sizes of the captioner."""

    embedding: int = option(512, "width of the word vectors")
    hidden: int = option(512, "units of the LSTM")
    dropout: float = option(0.5, "share of units dropped before and after the LSTM, in maximum likelihood only")

    def __post_init__(self) -> None:
        at_least("model", self, 1, "embedding", "hidden")
        share("model", self, "dropout")


def new_captioner(config: ModelConfig, image_width: int, vocabulary: Vocabulary, seed: int = 0) -> Captioner:
    """A captioner with random weights."""
    return ShowAndTell(ModelSizes(image_width, vocabulary.size, config.embedding, config.hidden), vocabulary, seed)
