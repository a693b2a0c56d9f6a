"""Captions from feature vectors: greedy, sampling and beam search, in processor seconds.

    python bench/decode.py [--images 1000] [--repeats 3] [--model FOLDER --features STORE]

Without a model it is one of the paper's sizes (V = 8,864, 512 units) with random weights. Such a model does not stop by
itself: all captions have 30 symbols, the worst case. A trained model shows what captions that end cost. One warm-up,
then the least of the repeats. Prints a Markdown table.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor

from spidercap.decode.beam import BeamSettings, beam_search
from spidercap.decode.greedy import greedy
from spidercap.decode.sample import sample
from spidercap.model.captioner import Captioner
from spidercap.model.folder import find_model, load_model
from spidercap.model.random_stream import RandomStream
from spidercap.model.show_and_tell import ModelSizes, ShowAndTell
from spidercap.text.vocabulary import Vocabulary
from spidercap.vision.feature_store import FeatureStore

Contestant = Callable[[], int]
"""Decodes all images and returns the number of symbols said."""


def contestants(model: Captioner, features: Tensor) -> dict[str, Contestant]:
    """What is measured, by name."""
    examples, stream = torch.arange(len(features)), RandomStream(0, "bench")

    def sampled(**options: float) -> Contestant:
        return lambda: int(sample(model, features, stream, examples, **options).lengths.sum())  # type: ignore[arg-type]

    def searched(width: int) -> Contestant:
        return lambda: sum(len(best.words) for best, *_ in beam_search(model, features, BeamSettings(width)))

    return {
        "greedy": lambda: int(greedy(model, features).lengths.sum()),
        "sample": sampled(),
        "sample, temperature 0.7": sampled(temperature=0.7),
        "sample, top-k 50": sampled(top_k=50),
        "sample, top-p 0.9": sampled(top_p=0.9),
        "beam 3": searched(3),
        "beam 5": searched(5),
    }


def measure(run: Contestant, repeats: int) -> tuple[float, float, int]:
    """Least processor seconds, least wall seconds, symbols."""
    symbols = run()
    times = []
    for _ in range(repeats):
        processor, wall = time.process_time(), time.perf_counter()
        run()
        times.append((time.process_time() - processor, time.perf_counter() - wall))
    return min(each for each, _ in times), min(each for _, each in times), symbols


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--features", type=Path)
    options = parser.parse_args()
    model: Captioner
    if options.model:
        model = load_model(find_model(options.model))
        store = FeatureStore.open(options.features)
        features = torch.from_numpy(store.rows(store.ids[: options.images]))
    else:
        vocabulary = Vocabulary(tuple(f"word{number}" for number in range(8855)))
        model = ShowAndTell(ModelSizes(features=2048, symbols=vocabulary.size), vocabulary)
        features = torch.rand(options.images, 2048, generator=torch.Generator().manual_seed(0))
    print(f"{len(features):,} images, V = {model.vocabulary_size:,}, {torch.get_num_threads()} threads\n")
    print("| what | CPU-seconds | seconds | images a CPU-second | symbols a caption |\n| --- | --- | --- | --- | --- |")
    for name, run in contestants(model, features).items():
        processor, wall, symbols = measure(run, options.repeats)
        each = symbols / len(features)
        print(f"| {name} | {processor:.2f} | {wall:.2f} | {len(features) / processor:,.0f} | {each:.1f} |")


if __name__ == "__main__":
    main()
