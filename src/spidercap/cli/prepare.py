"""`spidercap prepare`: captions of any source into one folder, with a vocabulary and a table of counts."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from spidercap.terminal import console, say_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from spidercap.data.scenes import Scenes
    from spidercap.text.prepared import Prepared

Format = Literal["coco", "karpathy", "flickr8k", "csv", "json", "prepared", "scenes"]


def prepare(
    sources: Annotated[list[str], Parameter(name="SOURCE")],
    /,
    *,
    out: Path,
    source_format: Annotated[Format | None, Parameter(name="--format")] = None,
    protocol: Literal["paper", "official"] | None = None,
    split: str | None = None,
    restval: Literal["train", "none"] = "train",
    columns: Annotated[list[str] | None, Parameter(consume_multiple=True)] = None,
    id_from: Literal["name", "path"] = "name",
    minimum_count: Annotated[int, Parameter(name="--min-count")] = 5,
    strict: bool = False,
    drop_empty: bool = False,
    count: int | None = None,
    seed: int | None = None,
    size: Annotated[int | None, Parameter(name="--picture-size")] = None,
    json: bool = False,
) -> None:
    """Read captions from any source, check them, and write one folder that training and scoring read.

    The folder holds `captions.jsonl`, `dataset.json` and `vocabulary.txt`. A table tells what each split holds.
    Nothing is written when the source is faulty, and nothing is written over.

    Example: spidercap prepare scenes --count 20 --out scenes

    Parameters
    ----------
    sources
        COCO `captions_*.json` (or .jsonl, .jsonl.xz; several files or their folder), Karpathy's `dataset_*.json`,
        the folder of Flickr8k, CSV, JSON {id: [captions]}, a prepared folder, or the word `scenes` (built in).
    out
        The folder to make.
    source_format
        The format of the sources, where it is not to be told from what they hold.
    protocol
        COCO only: `paper` keeps 1,665 images of val2014 for validation and trains on all others (the default where
        both files are given); `official` leaves train2014 and val2014 as they are.
    split
        Fractions of train, val and test, such as 0.8,0.1,0.1, by a hash of the image id; replaces the splits of the
        source. The default where a source tells no splits.
    restval
        Karpathy's files only: where the images of the split restval go.
    columns
        Tables only: which columns are the id, file, caption or split, such as file=photo caption=description.
    id_from
        Tables without an id column: the id is the file's `name` without its ending, or its whole `path` without it.
    minimum_count
        Words that occur at least this often in training captions enter the vocabulary (5: more than 4, as the paper).
    strict
        Line separators inside a caption are an error; otherwise each becomes a blank and is counted.
    drop_empty
        Leave out empty captions, and images without captions, and count them; otherwise they are errors.
    count
        Scenes only: how many pictures (default 1000).
    seed
        Scenes only: what the pictures are drawn from (default 0).
    size
        Scenes only: width and height of a picture (default 299).
    json
        Print the counts as JSON instead of a table.
    """
    from spidercap.data.intake import ReadOptions
    from spidercap.data.scenes import Scenes, read_scenes
    from spidercap.data.sources import read_sources
    from spidercap.data.splits import parse_fractions
    from spidercap.data.table import parse_columns
    from spidercap.files import refuse_existing
    from spidercap.text.prepared import count_dataset, write_prepared

    refuse_existing(out)
    fractions = None if split is None else parse_fractions(split)
    told = parse_columns(columns or ())
    options = ReadOptions(strict, drop_empty, fractions, protocol, restval, columns=told, id_from=id_from)
    given = {"count": count, "seed": seed, "size": size}
    scenes = Scenes(**{key: value for key, value in given.items() if value is not None})
    if sources == ["scenes"] or source_format == "scenes":
        dataset, pictures = read_scenes(scenes, options), _draw(scenes)
    else:
        _refuse_scene_options(given)
        dataset, pictures = read_sources([Path(source) for source in sources], options, source_format), None
    prepared = count_dataset(dataset, minimum_count)
    write_prepared(prepared, out, pictures)
    _print_json(prepared) if json else _print_table(prepared, out)


def _draw(scenes: "Scenes") -> "Callable[[Path], None]":
    def draw(folder: Path) -> None:
        from spidercap.progress import progress_bar

        with progress_bar("scenes", "pictures") as progress:
            scenes.draw(folder, progress)

    return draw


def _refuse_scene_options(given: dict[str, int | None]) -> None:
    from spidercap.errors import UsageError

    for key in (key for key, value in given.items() if value is not None):
        raise UsageError(f"`{key}` is for the built-in scenes; leave it out, or name the source `scenes`")


def _print_json(prepared: "Prepared") -> None:
    say_json(prepared.description())


def _print_table(prepared: "Prepared", out: Path) -> None:
    from spidercap.text.statistics import table

    terminal = console()
    terminal.print(table(prepared.statistics, unicode=terminal.encoding.startswith("utf")))
    for line in prepared.summary():
        terminal.print(line, soft_wrap=True)
    terminal.print(f"written to {out}", soft_wrap=True)
