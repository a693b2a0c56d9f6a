"""`spidercap browse`: a page that shows a prepared dataset."""

from pathlib import Path

from spidercap.terminal import say
from spidercap.text.amounts import amount


def browse(
    dataset: Path,
    /,
    *,
    out: Path,
    images: Path | None = None,
    features: Path | None = None,
    count: int = 24,
    seed: int = 0,
) -> None:
    """Write one self-contained HTML page that shows a prepared dataset: counts, pictures, captions, neighbours.

    Example: spidercap browse scenes --features scenes-features --out scenes.html

    Parameters
    ----------
    dataset
        A folder made by `spidercap prepare`.
    out
        The HTML file to write.
    images
        The folder of the pictures; by default `images` inside the dataset's folder.
    features
        A feature store made by `spidercap features`; adds nearest neighbours to the page.
    count
        How many pictures to show.
    seed
        Chooses which pictures are shown.
    """
    from spidercap.errors import UsageError
    from spidercap.extras import require

    require("pages")
    if count < 1:
        raise UsageError(f"--count must be at least 1, got {count}")
    from spidercap.data.captions import Dataset
    from spidercap.files import check_new_file, new_file
    from spidercap.report.dataset_page import dataset_page
    from spidercap.text.vocabulary import Vocabulary
    from spidercap.vision.feature_store import FeatureStore

    check_new_file(out)
    prepared = Dataset.load(dataset)
    vocabulary = Vocabulary.load(dataset / "vocabulary.txt")
    store = FeatureStore.open(features) if features else None
    page = dataset_page(prepared, vocabulary, images or dataset / "images", store, count, seed)
    with new_file(out) as file:
        file.write(page)
    say(f"{out}: {amount(len(prepared.images), 'image')}, {min(count, len(prepared.images))} shown")
