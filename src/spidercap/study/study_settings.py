"""What a study is, apart from its items: decided when it is made, stored with it, never changed."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from spidercap.files import sha256_of
from spidercap.study.scales import SCALES, RatingScale


@dataclass(frozen=True)
class SourceState:
    """A file that the study was made from, as it was then."""

    path: str
    sha256: str
    size: int
    modified: int

    @classmethod
    def of(cls, path: Path) -> "SourceState":
        """The state of a file now."""
        facts = path.stat()
        return cls(str(path.resolve()), sha256_of(path), facts.st_size, facts.st_mtime_ns)

    def has_changed(self) -> bool:
        """Whether the file holds something else now; one that was moved away has not changed."""
        path = Path(self.path)
        if not path.is_file():
            return False
        facts = path.stat()
        if (facts.st_size, facts.st_mtime_ns) == (self.size, self.modified):
            return False
        return sha256_of(path) != self.sha256


@dataclass(frozen=True)
class StudySettings:
    """The settings of a study; `patience` in seconds."""

    name: str
    code: str
    scale_name: str
    raters: int
    seed: int
    patience: float
    systems: tuple[str, ...]
    sources: tuple[SourceState, ...] = ()

    @property
    def scale(self) -> RatingScale:
        """What raters may answer."""
        return SCALES[self.scale_name]

    def changed_sources(self) -> list[str]:
        """The files that changed since the study was made."""
        return [source.path for source in self.sources if source.has_changed()]

    def to_json(self) -> str:
        """As stored."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "StudySettings":
        """As it was stored."""
        record = json.loads(text)
        sources = tuple(SourceState(**source) for source in record.pop("sources"))
        return cls(**{**record, "systems": tuple(record["systems"])}, sources=sources)
