"""Pictures to features: our encoders against plain eager PyTorch, in one run.

    python bench/features.py [--repeats 9] [--photos FOLDER] [--cpu-time]

Plain eager PyTorch is the unfolded network in fp32, channels first, batches of 16, pictures decoded one after another.
The contestants take turns within each repeat, and a ratio is the median over the repeats: what else the machine does
meets all of them alike. On a machine too busy even for that, give the process one core and compare processor seconds:
`OMP_NUM_THREADS=1 taskset -c 0 python bench/features.py --cpu-time`. Prints a Markdown table.
"""

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from spidercap.errors import MissingExtraError
from spidercap.vision.encoders import ENCODERS, Encoder, Vectors
from spidercap.vision.extract import extract
from spidercap.vision.feature_store import FeatureStore
from spidercap.vision.find_pictures import Picture, find_pictures
from spidercap.vision.inception import INPUT_SIZE, Inception
from spidercap.vision.pictures import Pixels, decode
from spidercap.vision.weights import load_inception

BATCH = 16
Contestant = Callable[[], Vectors]


def eager(network: Inception, pixels: Pixels) -> Vectors:
    """The network as it is, channels first."""
    pictures = torch.from_numpy(pixels).permute(0, 3, 1, 2).contiguous()
    with torch.inference_mode():
        vectors: Vectors = network((pictures.float() - 128) / 128).numpy()
    return vectors


def eager_files(network: Inception, pictures: list[Picture]) -> Vectors:
    """Decode a batch, run it, decode the next."""
    parts = []
    for start in range(0, len(pictures), BATCH):
        part = pictures[start : start + BATCH]
        parts.append(eager(network, np.stack([decode(Path(picture.file), INPUT_SIZE) for picture in part])))
    return np.concatenate(parts)


def our_files(encoder: Encoder, pictures: list[Picture], folder: Path) -> Vectors:
    """The whole of `spidercap features`, but for the start of the process."""
    out = folder / "store"
    extract(pictures, lambda: encoder, out, batch=BATCH)
    store = FeatureStore.open(out)
    vectors = store.rows(store.ids)
    shutil.rmtree(out)
    return vectors


def draw_photos(folder: Path, count: int) -> None:
    """JPEG files of the size of Flickr8k's photos, with detail at all scales."""
    generator = np.random.default_rng(0)
    for number in range(count):
        layers = [generator.integers(0, 256, (h, h * 4 // 3, 3), dtype=np.uint8) for h in (3, 12, 48, 192)]
        sized = [np.asarray(Image.fromarray(each).resize((500, 375)), dtype=np.float32) for each in layers]
        Image.fromarray(np.mean(sized, axis=0).astype(np.uint8)).save(folder / f"{number:03}.jpg", quality=90)


def race(contestants: dict[str, Contestant], repeats: int, clock: Callable[[], float]) -> list[str]:
    """Rows of the table; the first contestant is the measure of the others."""
    expected = next(iter(contestants.values()))()
    difference = {name: float(np.abs(run() - expected).max()) for name, run in contestants.items()}
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(repeats):
        for name, run in contestants.items():
            start = clock()
            run()
            seconds[name].append(clock() - start)
    base = next(iter(seconds.values()))
    rows = []
    for name, times in seconds.items():
        ratios = sorted(slow / fast for slow, fast in zip(base, times, strict=True))
        speed = len(expected) / statistics.median(times)
        quartiles = f"{ratios[len(ratios) // 4]:.2f}–{ratios[-1 - len(ratios) // 4]:.2f}"
        rows.append(
            f"| {name} | {speed:.1f} | {len(expected) / min(times):.1f} | **{statistics.median(ratios):.2f} ×** "
            f"| {quartiles} | {difference[name]:.0e} |"
        )
    return rows


def available_encoders() -> dict[str, Encoder]:
    """The encoders that are installed."""
    made: dict[str, Encoder] = {}
    for name, make in ENCODERS.items():
        try:
            made[name] = make()
        except MissingExtraError as error:
            print(f"{name} left out: {error}")
    return made


def main() -> None:
    """Run both races and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--cpu-time", action="store_true", help="processor seconds in place of wall time")
    parser.add_argument("--photos", type=Path, help="a folder of photos; drawn ones without it")
    options = parser.parse_args()
    network, encoders = load_inception(), available_encoders()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.photos is None:
            draw_photos(folder, 2 * BATCH)
        pictures = find_pictures([options.photos or folder]).pictures[: 2 * BATCH]
        pixels = np.stack([decode(Path(picture.file), INPUT_SIZE) for picture in pictures[:BATCH]])
        alone: dict[str, Contestant] = {"network: plain eager torch": lambda: eager(network, pixels)}
        whole: dict[str, Contestant] = {"files: plain eager torch": lambda: eager_files(network, pictures)}
        for each, encoder in encoders.items():
            alone[f"network: {each}"] = lambda encoder=encoder: encoder.encode(pixels)  # type: ignore[misc]
            whole[f"files: {each}"] = lambda encoder=encoder: our_files(encoder, pictures, folder)  # type: ignore[misc]
        clock = time.process_time if options.cpu_time else time.perf_counter
        rows = race(alone, options.repeats, clock) + race(whole, max(3, options.repeats // 2), clock)
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads, batches of {BATCH}\n")
    print("| what | images/s, median | best | against eager | quartiles | max difference |")
    print("| --- | --- | --- | --- | --- | --- |")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
