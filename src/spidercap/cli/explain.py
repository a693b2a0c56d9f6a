"""`spidercap explain`: what each word of a sampled caption is worth."""

from pathlib import Path

from spidercap.terminal import say, tell


def explain(
    run: Path,
    /,
    *,
    image: str,
    out: Path,
    reward: str | None = None,
    rollouts: int = 3,
    images: Path | None = None,
    seed: int = 0,
) -> None:
    """Draw the paper's Figure 1 for a real caption: the path, its rollouts with rewards, value, baseline, advantage.

    The captioner of a run says a caption of one image of its dataset; from each word of it some ways to go on are
    sampled and rewarded as in training. Baseline and advantage are there where the run has a baseline (pg and mixer).

    Example: spidercap explain runs/first --image scene-000000 --out explained.html

    Parameters
    ----------
    run
        A folder made by `spidercap train`.
    image
        The id of an image of the run's dataset.
    out
        The HTML file to write.
    reward
        Pay by this reward instead of the run's own, which the baseline learnt: it is left out then.
    rollouts
        Ways to go on from each word.
    images
        The folder of the pictures (default: `data.images` of the run, else `images` in the dataset).
    seed
        Chooses which caption is sampled.
    """
    from spidercap.errors import UsageError
    from spidercap.extras import require

    require("caption")
    require("pages")
    if rollouts < 1:
        raise UsageError(f"--rollouts must be at least 1, got {rollouts}")
    from spidercap.data.captions import Dataset
    from spidercap.files import check_new_file, new_file
    from spidercap.report.inline_picture import data_uri
    from spidercap.report.training.rollout_page import rollout_page
    from spidercap.train.explained_image import explain_image, find_image
    from spidercap.train.run_folder import RunFolder

    check_new_file(out)
    finished = RunFolder(run).finished()
    folder = Path(finished.config.data.folder)
    dataset = Dataset.load(folder)
    chosen = find_image(dataset, image)
    found = explain_image(finished, dataset, chosen, reward=reward or "", rollouts=rollouts, images=images, seed=seed)
    picture = chosen.picture_in(images or Path(finished.config.data.images or folder / "images"))
    found_picture = images is not None or (bool(chosen.file) and picture.is_file())
    shown = data_uri(picture, image) if found_picture else ""
    with new_file(out) as file:
        file.write(rollout_page(run.name, image, found, chosen.captions, shown))
    explained = found.explanation
    say(f"{out}: “{explained.caption}”, {found.reward} {explained.reward:.3f}, {explained.length} explained")
    if not found_picture:
        tell(f"note: the page has no picture, {picture} is not there; give the folder of the pictures by --images")
