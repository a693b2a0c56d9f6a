"""`spidercap caption`: say what is in pictures."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from spidercap.errors import DataError, UsageError
from spidercap.terminal import say, say_json, tell
from spidercap.text.amounts import amount

if TYPE_CHECKING:
    from spidercap.decode.chosen import ChosenImages
    from spidercap.decode.decoding import Decoding
    from spidercap.decode.images import Images
    from spidercap.model.captioner import Captioner
    from spidercap.report.caption_output import Captioned

BEAM_OF_SEVERAL = 5


def caption(
    sources: Annotated[list[Path], Parameter(name="IMAGES")],
    /,
    *,
    model: Path | None = None,
    out: Path | None = None,
    json: bool = False,
    explain: bool = False,
    n_best: int = 1,
    beam: int | None = None,
    length_penalty: float | None = None,
    sample: bool = False,
    temperature: float | None = None,
    top_k: int | None = None,
    top_p: float | None = None,
    seed: int | None = None,
    limit: int = 30,
    split: str | None = None,
    features: Path | None = None,
    images: Path | None = None,
    encoder: Literal["torch", "openvino"] = "torch",
    batch: int = 16,
) -> None:
    """Caption pictures: the file, a tab and the caption, one a line; or JSON, or a COCO results file.

    Pictures that cannot be read are named and left out.

    Example: spidercap caption scenes --features scenes-features --model runs/first --out captions_all_mle_results.json

    Parameters
    ----------
    sources
        Picture files, folders (with all below them), a prepared dataset, or a feature store.
    model
        A model folder, or a run folder (its `best` is taken); by default the model that comes with the package.
    out
        Write a COCO results file, such as captions_val2014_NAME_results.json, instead of printing.
    json
        Print one JSON object instead of lines.
    explain
        Show the probability of every word.
    n_best
        Captions of each image: the best of the beam, or with --sample so many that are drawn.
    beam
        Search with so many beginnings at once; by default greedy, and 5 or more where --n-best asks for several.
    length_penalty
        Rank the captions of a beam by log probability ÷ length to this power (default 0.7).
    sample
        Draw the words instead of taking the likeliest.
    temperature
        With --sample: below 1 favours likely words, above 1 unlikely ones (default 1).
    top_k
        With --sample: only from the so many likeliest words (default 0: all).
    top_p
        With --sample: only from the fewest likeliest words that have this probability together (default 1).
    seed
        With --sample: what is drawn from; an image's captions depend on this and its id alone (default 0).
    limit
        Symbols of a caption at most, its end included.
    split
        Of a prepared dataset, only this split.
    features
        The feature store of a prepared dataset's images: no picture is read.
    images
        The folder that a dataset's file names start from.
    encoder
        What runs the network; both give the same vectors. `openvino` is faster and needs spidercap[openvino].
    batch
        Pictures that go through the network together.
    """
    _check_output(json, out, explain, n_best, batch)
    from spidercap.extras import require

    require("caption")
    if encoder == "openvino":
        require("openvino")
    from spidercap.decode.chosen import choose_images

    # Before anything large is loaded: what is not there is told at once.
    chosen = choose_images(sources, features=features, images=images, split=split)
    for reason in chosen.left_out:
        tell(f"left out: {reason}")
    from functools import partial

    from spidercap.decode.images import image_batches
    from spidercap.model.folder import find_model, load_model
    from spidercap.vision.encoders import ENCODERS
    from spidercap.vision.tuned import TUNED_FILE, tuned_encoder

    decoding = _decoding(n_best, beam, length_penalty, sample, temperature, top_k, top_p, seed, limit)
    folder = find_model(model)
    captioner = load_model(folder)
    tuned = (folder / TUNED_FILE).is_file()
    make_encoder = partial(tuned_encoder, folder, encoder) if tuned else ENCODERS[encoder]
    found = image_batches(chosen, captioner, make_encoder, batch)
    _run(captioner, found, chosen, decoding, out, json, explain)


def _check_output(json: bool, out: Path | None, explain: bool, n_best: int, batch: int) -> None:
    from spidercap.report.caption_output import check_results_path

    if batch < 1:
        raise UsageError(f"--batch must be at least 1, got {batch}")
    if out is not None:
        if json or explain or n_best > 1:
            raise UsageError(
                "a results file holds one caption an image; --json, --explain and --n-best go without --out"
            )
        check_results_path(out)


def _decoding(
    n_best: int,
    beam: int | None,
    length_penalty: float | None,
    sample: bool,
    temperature: float | None,
    top_k: int | None,
    top_p: float | None,
    seed: int | None,
    limit: int,
) -> "Decoding":
    from spidercap.decode.beam import LENGTH_PENALTY
    from spidercap.decode.decoding import Decoding
    from spidercap.decode.sample import LogitsWarper

    of_sampling = {"--temperature": temperature, "--top-k": top_k, "--top-p": top_p, "--seed": seed}
    of_beams = {"--beam": beam, "--length-penalty": length_penalty}
    for name, value in of_beams.items() if sample else of_sampling.items():
        if value is not None:
            raise UsageError(f"{name} goes {'without' if sample else 'with'} --sample")
    if length_penalty is not None and beam in (None, 1) and n_best == 1:
        raise UsageError("--length-penalty goes with a beam; add --beam, such as --beam 5")
    width = beam if beam is not None else max(BEAM_OF_SEVERAL, n_best) if n_best > 1 else 1
    return Decoding(
        method="sample" if sample else "greedy" if width == 1 and n_best == 1 else "beam",
        n_best=n_best,
        beam=width,
        length_penalty=LENGTH_PENALTY if length_penalty is None else length_penalty,
        warper=LogitsWarper(1.0 if temperature is None else temperature, top_k or 0, 1.0 if top_p is None else top_p),
        seed=seed or 0,
        limit=limit,
    )


def _run(
    captioner: "Captioner",
    found: "Images",
    chosen: "ChosenImages",
    decoding: "Decoding",
    out: Path | None,
    json: bool,
    explain: bool,
) -> None:
    """Caption batch after batch; lines are printed as they come."""
    from itertools import chain

    skipped: list[str] = []
    parts = _captioned(captioner, found, decoding, skipped, explained=json or explain or decoding.n_best > 1)
    if found.note:
        tell(f"note: {found.note}")
    if out is not None or json:
        _write(list(chain.from_iterable(parts)), [*chosen.left_out, *skipped], out, explain, chosen.named)
    else:
        _print(parts, explain)
    for reason in skipped:
        tell(f"skipped: {reason}")


def _captioned(
    captioner: "Captioner", found: "Images", decoding: "Decoding", skipped: list[str], *, explained: bool
) -> "Iterator[list[Captioned]]":
    """The captions of each batch; why pictures were left out is added to `skipped`."""
    from contextlib import nullcontext
    from sys import stdout

    from spidercap.decode.decoding import captions_of
    from spidercap.progress import progress_bar
    from spidercap.report.caption_output import Captioned
    from spidercap.vision.pictures import none_readable

    done = 0
    # Lines that appear in the terminal are progress enough.
    with nullcontext() if stdout.isatty() else progress_bar("captions", "images") as progress:
        for batch in found.batches:
            ids = [picture.id for picture in batch.pictures]
            captions = captions_of(captioner, batch.features, ids, decoding, explained=explained)
            skipped.extend(batch.skipped)
            done += len(ids)
            if progress is not None:
                progress(done + len(skipped), found.count)
            pairs = zip(batch.pictures, captions, strict=True)
            yield [Captioned(picture.id, picture.file, each) for picture, each in pairs]
    if not done:
        raise DataError(none_readable(skipped))


def _write(captioned: "list[Captioned]", skipped: list[str], out: Path | None, explain: bool, named: bool) -> None:

    from spidercap.report.caption_output import as_json, write_results

    if out is None:
        say_json({"images": as_json(captioned, explain=explain), "skipped": skipped})
    else:
        write_results(captioned, out, named=named)
        say(f"{amount(len(captioned), 'caption')} written to {out}; {amount(len(skipped), 'picture')} skipped")


def _print(parts: "Iterator[list[Captioned]]", explain: bool) -> None:
    from spidercap.report.caption_output import print_explained, print_lines

    for part in parts:
        if explain:
            print_explained(part)
        else:
            print_lines(part)
