"""References digested once, then captions to rows of statistics: the core that scoring, rewards and training share."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spidercap import __version__
from spidercap.files import cache_folder, make_cache_folder
from spidercap.metrics.checks import check_needs
from spidercap.metrics.metric import Metric, Rows
from spidercap.metrics.reference_digest import DetailedDigest, KeptDigest, ReferenceDigest, ReferenceTexts
from spidercap.metrics.settings import Settings
from spidercap.text.tokenize import tokenize


class Digest:
    """The references of images 0, 1, 2, …, ready to score captions against.

    With `tokenised` the references are token strings already; `inputs[name]` holds what else the metrics need, one
    value an image. With `keep` the digest is kept in the cache folder under a name that its content decides, and read
    from there the next time the same references are digested the same way.
    """

    def __init__(
        self,
        references: Sequence[Sequence[str]],
        metrics: Iterable[Metric],
        settings: Settings,
        *,
        tokenised: bool = False,
        keep: bool = False,
        inputs: Mapping[str, Sequence[Any]] | None = None,
    ) -> None:
        self.metrics = tuple(metrics)
        check_needs(self.metrics, inputs or {})
        self.settings = settings.loaded()
        texts = ReferenceTexts(references, self.settings, tokenised=tokenised, inputs=inputs)
        fingerprint = _fingerprint(references) if keep else None
        kinds = dict.fromkeys(metric.reads for metric in self.metrics)
        self._digests = {kind: _digest(kind, texts, self.settings, fingerprint) for kind in kinds}

    @property
    def detailed(self) -> list[DetailedDigest]:
        """The digests that can say more of a caption than its statistics."""
        return [digest for digest in self._digests.values() if isinstance(digest, DetailedDigest)]

    def rows(self, images: NDArray[np.int64], captions: Sequence[str]) -> dict[str, Rows]:
        """The rows of each metric for raw captions of the images with these indices."""
        return self.rows_of_tokens(images, tokenize(captions, self.settings.tokenizer, self.settings.threads))

    def rows_of_tokens(self, images: NDArray[np.int64], tokens: Sequence[str]) -> dict[str, Rows]:
        """The rows of each metric for tokenised captions of the images with these indices."""
        rows: dict[str, Rows] = {}
        for kind, digest in self._digests.items():
            readers = [metric for metric in self.metrics if metric.reads is kind]
            asked = [metric.asks for metric in readers]
            found = digest.statistics(images, tokens, asked, self.settings.threads)
            for metric in readers:
                values = found[metric.asks].astype(np.float64, copy=False)
                rows[metric.key] = values.reshape(len(tokens), metric.width)
        return rows


def _digest(
    kind: type[ReferenceDigest], references: ReferenceTexts, settings: Settings, fingerprint: str | None
) -> ReferenceDigest:
    """A digest, made or, where it was kept and is whole, read; kept where the references have a fingerprint."""
    if fingerprint is None or kind.needs or not issubclass(kind, KeptDigest):
        return kind.of(references, settings)
    decisive = (__version__, settings.tokenizer, fingerprint, *kind.facts(settings))
    key = hashlib.sha256(repr(decisive).encode()).hexdigest()[:32]
    path = cache_folder() / "digests" / f"{key}.{kind.name}"
    with suppress(OSError, ValueError):
        return kind.load(path, key, settings)
    made = kind.of(references, settings)
    make_cache_folder(path.parent)
    made.save(path, key)
    return made


def _fingerprint(references: Sequence[Sequence[str]]) -> str:
    digest = hashlib.sha256()
    for image in references:
        digest.update(repr(list(image)).encode())
    return digest.hexdigest()
