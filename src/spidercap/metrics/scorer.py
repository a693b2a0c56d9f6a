"""The reward form: references digested once, then batches of captions scored in one native call."""

from collections.abc import Hashable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spidercap.errors import DataError
from spidercap.metrics.catalogue import metrics_of, per_image_scores, signature
from spidercap.metrics.checks import Inputs, check_captions, check_references, ordered_inputs
from spidercap.metrics.digest import Digest
from spidercap.metrics.document_frequency import DocumentFrequencies
from spidercap.metrics.expression import parse_expression
from spidercap.metrics.settings import Settings, one_by_one


class Scorer:
    """A weighted sum of metrics as a function of (image ids, captions).

    Safe to call from several threads; the work is done by the native core without the interpreter's lock. The same
    captions get the same numbers as from `spidercap score` with the same document frequencies. With `keep` the digested
    references are kept in the cache folder, so that the next start is quick. `inputs` is what a metric needs of each
    image besides, by name and id.
    """

    def __init__(
        self,
        expression: str,
        references: Mapping[Any, Sequence[str]],
        df: str | PathLike[str] | DocumentFrequencies = "corpus",
        *,
        tokenizer: str = "ptb",
        paraphrases: bool = True,
        threads: int = 0,
        keep: bool = False,
        inputs: Inputs | None = None,
    ) -> None:
        if not references:
            raise DataError("a Scorer needs references of at least one image")
        check_references(references.keys(), references.values())
        self.weights = parse_expression(expression)
        self._index = {image: row for row, image in enumerate(references)}
        settings = one_by_one(Settings(tokenizer, df, paraphrases, threads))
        metrics = metrics_of(self.weights)
        further = ordered_inputs(metrics, inputs, list(references))
        self._digest = Digest(list(references.values()), metrics, settings, keep=keep, inputs=further)
        self.signature = " + ".join(
            f"{weight:g}*({signature(name, self._digest.settings, len(references))})"
            for name, weight in self.weights.items()
        )

    def score(self, ids: Sequence[Hashable], captions: Sequence[str]) -> NDArray[np.float64]:
        """The reward of each caption for the image with the id beside it."""
        # Not a matrix product: its rounding could depend on the size of the batch.
        reward: NDArray[np.float64] = (self.metrics(ids, captions) * list(self.weights.values())).sum(axis=1)
        return reward

    def metrics(self, ids: Sequence[Hashable], captions: Sequence[str]) -> NDArray[np.float64]:
        """The score of each caption on each metric of the expression, in the order of `weights`."""
        if len(ids) != len(captions):
            raise DataError(f"{len(ids)} ids and {len(captions)} captions; give one id for each caption")
        check_captions(ids, captions)
        rows = self._digest.rows(self._rows_of(ids), captions)
        return per_image_scores(rows, list(self.weights))

    def __call__(self, *, ids: Sequence[Hashable], completions: Sequence[str], **_: Any) -> list[float]:
        """The reward in the style of trl: keyword arguments in, a list of floats out; unknown arguments are ignored."""
        rewards: list[float] = self.score(ids, completions).tolist()
        return rewards

    def _rows_of(self, ids: Sequence[Hashable]) -> NDArray[np.int64]:
        try:
            return np.fromiter((self._index[image] for image in ids), dtype=np.int64, count=len(ids))
        except KeyError as error:
            raise DataError(f"the Scorer has no references of the image {error.args[0]!r}") from None
