"""The built-in scenes as a source of captions: the one place where the rest of the package meets `spidercap.scenes`."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from spidercap.data.captions import CaptionedImage, Dataset, SourceFile
from spidercap.data.intake import Intake, ReadOptions
from spidercap.errors import UsageError
from spidercap.extras import require
from spidercap.progress import Progress
from spidercap.scenes import captions_of, compose, draw_scene, write_pictures

SMALLEST_PICTURE = 32

__all__ = ["Scenes", "draw_scene", "read_scenes", "scene_images", "write_pictures"]


@dataclass(frozen=True)
class Scenes:
    """Which of the built-in pictures."""

    count: int = 1000
    seed: int = 0
    size: int = 299

    def __post_init__(self) -> None:
        if self.count < 1:
            raise UsageError(f"`count` must be at least 1, got {self.count}")
        if self.size < SMALLEST_PICTURE:
            raise UsageError(f"`size` must be at least {SMALLEST_PICTURE}, got {self.size}")

    @property
    def source(self) -> SourceFile:
        """What stands for a source file in the description of the dataset."""
        return SourceFile(f"built-in scenes, count {self.count}, seed {self.seed}", "")

    def draw(self, folder: Path, progress: Progress | None = None) -> None:
        """Put the pictures into `folder`/images."""
        require("pictures")
        write_pictures(folder / "images", self.count, self.seed, self.size, progress)


def scene_images(count: int, seed: int) -> Iterator[CaptionedImage]:
    """The first `count` scenes of a seed: ids, file names, splits and captions, without drawing anything."""
    for index in range(count):
        scene = compose(index, seed)
        yield CaptionedImage(scene.id, scene.file, scene.split(), captions_of(scene))


def read_scenes(scenes: Scenes, options: ReadOptions) -> Dataset:
    """The captions of the built-in pictures."""
    options.check_for("scenes")
    intake = Intake(options)
    source = Path("scenes")
    for image in scene_images(scenes.count, scenes.seed):
        intake.add(source, intake.claim(source, image.id), image.file, image.split, image.captions)
    return replace(intake.dataset("scenes", []), sources=(scenes.source,))
