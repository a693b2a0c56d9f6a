"""`spidercap study`: human studies: make one, serve its rating page, report what raters found."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

from spidercap.terminal import say, tell
from spidercap.text.amounts import amount

if TYPE_CHECKING:
    from spidercap.study.findings import Findings

Several = Parameter(consume_multiple=True)
ADDRESS = "http://127.0.0.1:8000"

study = App(
    name="study",
    help="""Human studies: a rating page with blind random order, majority vote, sign test.

Example: spidercap study demo --out runs/study-demo --no-serve""",
    default_parameter=Parameter(negative=()),
)


@study.command
def new(
    folder: Annotated[Path, Parameter(name="DIR")],
    /,
    *,
    systems: Annotated[list[str], Parameter(name="--system", consume_multiple=True)],
    images: Path,
    references: Annotated[list[Path] | None, Several] = None,
    name: str = "",
    scale: Literal["four-point", "pairwise"] = "four-point",
    raters: int = 3,
    count: int | None = None,
    seed: int = 0,
    control: float | None = None,
    control_from: Literal["studied", "others"] = "studied",
    allow_partial: bool = False,
    patience: float = 30.0,
    url: str = ADDRESS,
) -> None:
    """Make a study: choose pictures, mix the systems' captions with hidden ground truth, and print the owner's link.

    The folder holds everything raters need; the files it was made from are only read.

    Example: spidercap study new my-study --system ours=results.json --references references.json --images pictures

    Parameters
    ----------
    folder
        The folder to make.
    systems
        NAME=RESULTS, once for each system: its name and its captions in any form that `spidercap score` reads.
    images
        The folder of the pictures; a picture's name is its image id (COCO's numbered names are understood).
    references
        Captions by people, for quality control and for the automatic metrics of the report.
    name
        What the owner's page and the report are headed (default: the folder's name); raters do not see it.
    scale
        `four-point`: excellent, good, okay, bad, as the paper; `pairwise`: which of two systems' captions is better.
    raters
        How many raters each caption gets.
    count
        How many pictures to study, chosen by the seed (default: all).
    seed
        What pictures, quality controls and orders are drawn from.
    control
        Ground-truth captions mixed in, as a share of the studied pictures (default 0.2 with references, else 0; the
        paper: 1.03).
    control_from
        Take them from the `studied` pictures, or from `others` with references, as the paper did.
    allow_partial
        Leave out images that lack a picture or a system's caption.
    patience
        Minutes after which the items of a rater who went away go to others.
    url
        The address that the printed link starts with.
    """
    from spidercap.extras import require

    require("study")
    from spidercap.errors import UsageError
    from spidercap.progress import progress_bar
    from spidercap.study.create import new_study
    from spidercap.study.plan import Wishes

    if control is None:
        control = 0.2 if references else 0.0
    elif control and not references:
        raise UsageError("--control needs ground truth; give it with --references")
    wishes = Wishes(name, scale, raters, count, seed, control, control_from, allow_partial, patience)
    with progress_bar("study", "pictures") as progress:
        made = new_study(folder, _named(systems), references or [], images, wishes, progress)
    _print_warnings(made.warnings)
    items = len(made.plan.items)
    counts = (amount(len(made.plan.studied), "picture"), amount(items, "item"), amount(items * raters, "answer"))
    say(f"{folder}: {', '.join(counts)} wanted")
    say(f"owner's link (shown once): {url.rstrip('/')}/owner?token={made.owner_key}")
    say(f"next: spidercap study invite {folder} NAME…, then spidercap study serve {folder}")


def _named(systems: list[str]) -> dict[str, Path]:
    """NAME=FILE as name and path."""
    from spidercap.errors import UsageError

    found: dict[str, Path] = {}
    for text in systems:
        name, equals, path = text.partition("=")
        if not equals or not name.strip() or not path:
            raise UsageError(f"--system {text}: expected NAME=RESULTS, such as ours=results.json")
        if name.strip() in found:
            raise UsageError(f"--system {text}: another system is named {name.strip()!r} too; rename one of them")
        found[name.strip()] = Path(path)
    return found


def _print_warnings(warnings: tuple[str, ...]) -> None:

    for warning in warnings:
        tell(f"warning: {warning}")


@study.command
def invite(
    folder: Annotated[Path, Parameter(name="DIR")],
    names: Annotated[list[str] | None, Parameter(name="NAME")] = None,
    /,
    *,
    owner: bool = False,
    url: str = ADDRESS,
) -> None:
    """Print links for raters, or a new one for the owner; links are shown once, for only their hashes are stored.

    Example: spidercap study invite my-study anna ben

    Parameters
    ----------
    folder
        A study.
    names
        Names or pseudonyms of raters; a new link for a known name replaces the old one.
    owner
        Make a new link of the owner's; the old one no longer works.
    url
        The address that the links start with.
    """
    from spidercap.errors import UsageError
    from spidercap.study.store import Store
    from spidercap.web.keys import new_key

    if not names and not owner:
        raise UsageError("name the raters to invite, or ask for the owner's link with --owner")
    store = Store(folder)
    address = url.rstrip("/")
    # A name that is given twice would get two links, of which the second kills the first.
    for name in dict.fromkeys(name.strip() for name in names or ()):
        key = new_key()
        say(store.invite(name, key.hash).name, f"{address}/rate?token={key.text}")
    if owner:
        key = new_key()
        store.new_owner_key(key.hash)
        say("owner", f"{address}/owner?token={key.text}")
    store.close()


@study.command
def serve(
    folder: Annotated[Path, Parameter(name="DIR")],
    /,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    keep_captions: bool = False,
) -> None:
    """Serve the rating page and the owner's page until interrupted.

    Example: spidercap study serve my-study

    Parameters
    ----------
    folder
        A study.
    host
        The address to listen on; only this machine can reach the default.
    port
        The port to listen on; 0 takes any that is free.
    keep_captions
        Go on although a results file has changed since the study was made; raters see the captions of then.
    """
    from spidercap.extras import require

    require("study")
    _serve(folder, host, port, keep_captions)


def _serve(folder: Path, host: str, port: int, keep_captions: bool, keys: tuple[str, str] = ("", "")) -> None:

    from spidercap.study.serve import serve as serve_study
    from spidercap.web.binding import is_loopback

    if not is_loopback(host):
        tell("warning: others can reach this address; put a proxy with HTTPS before it")

    hints = f" (by its link; a new one: spidercap study invite {folder} --owner)", " (by the links of invite)"

    def announce(address: str) -> None:
        owner, rater = (f"?token={key}" if key else hint for key, hint in zip(keys, hints, strict=True))
        say(f"owner: {address}/owner{owner}")
        say(f"raters: {address}/rate{rater}")
        say("stop with Ctrl-C")

    serve_study(folder, host, port, keep_captions, announce)


@study.command
def report(
    folder: Annotated[Path, Parameter(name="DIR")],
    /,
    *,
    out: Path,
    baseline: str | None = None,
    four_classes: bool = False,
    without: Annotated[list[str] | None, Several] = None,
    examples: int = 4,
    no_metrics: bool = False,
    fast_seconds: float = 1.5,
) -> None:
    """Write what raters found: figure, distribution, sign tests, agreement, raters to look at, metrics, examples.

    Example: spidercap study report my-study --out my-report

    Parameters
    ----------
    folder
        A study, being served or not.
    out
        The folder to make: report.html, report.md, ratings.csv, items.csv, log.csv and a CSV for `score --correlate`.
    baseline
        The system that others are compared with (default: the first).
    four_classes
        Sign tests on all four classes instead of "not bad" against "bad"; not for pairwise studies.
    without
        Raters whose answers are left out.
    examples
        Images shown that each system won, and as many that it lost.
    no_metrics
        Leave out the correlation with automatic metrics.
    fast_seconds
        Raters whose median time is below this are flagged.
    """
    from spidercap.errors import UsageError
    from spidercap.extras import require
    from spidercap.files import refuse_existing

    require("study")
    from spidercap.study.findings import Choices
    from spidercap.study.report import write_report
    from spidercap.study.store import Store

    refuse_existing(out)
    if examples < 0:
        raise UsageError(f"--examples must be 0 or more, got {examples}")
    if not fast_seconds >= 0:
        raise UsageError(f"--fast-seconds must be 0 or more, got {fast_seconds:g}")
    choices = Choices(baseline, four_classes, tuple(without or ()), examples, not no_metrics, fast_seconds)
    store = Store(folder, read_only=True)
    findings = write_report(store, folder, out, choices)
    store.close()
    _print_warnings(findings.warnings)
    _print_findings(findings)
    say(f"written to {out}")


def _print_findings(findings: "Findings") -> None:
    for standing in findings.standings:
        share = "–" if standing.share is None else f"{standing.share:.1%}"
        say(f"{standing.name}: {share} of {standing.known} images, {standing.unknown} unknown")
    for one in findings.comparisons:
        if one.p < 0.05:
            say(f"{one.better} > {one.worse}: {one.wins}:{one.losses}, p = {one.p:.4f}, Holm {one.corrected:.4f}")


@study.command
def demo(
    *,
    out: Path = Path("runs/study-demo"),
    no_serve: bool = False,
    host: str = "127.0.0.1",
    port: int = 8000,
    count: int = 40,
    seed: int = 0,
) -> None:
    """Make a study of made-up systems on the built-in scenes, rated in part by simulated raters, and serve it.

    A demo that is already there is kept, and served again.

    Example: spidercap study demo --out runs/study-demo --no-serve

    Parameters
    ----------
    out
        The folder to make, or that of an earlier demo.
    no_serve
        Make the study and its report, print the links, and stop.
    host
        The address to listen on.
    port
        The port to listen on; 0 takes any that is free, but not with --no-serve, which prints links.
    count
        How many pictures.
    seed
        What everything is drawn from.
    """
    from spidercap.extras import require

    for part in ("pictures", "study"):
        require(part)
    from spidercap.progress import progress_bar
    from spidercap.study.demo import check_demo, demo_links, demo_report, make_demo
    from spidercap.web.binding import address_of, check_port

    # Links to a port that is chosen later lead nowhere.
    check_port(port, lowest=1 if no_serve else 0)
    if (out / "study").exists():
        check_demo(out / "study")
        say(f"kept {out / 'study'} from an earlier run")
    else:
        with progress_bar("scenes", "pictures") as progress:
            make_demo(out, count, seed, progress)
    if not (out / "report").exists():
        _print_findings(demo_report(out))
    say(f"report: {out / 'report' / 'report.html'}")
    links = demo_links(out / "study")
    if no_serve:
        address = address_of(host, port)
        say(f"owner: {address}/owner?token={links.owner}")
        say(f"raters: {address}/rate?token={links.rater}")
        say(f"serve it with: spidercap study serve {out / 'study'} --port {port}")
    else:
        _serve(out / "study", host, port, keep_captions=False, keys=(links.owner, links.rater))
