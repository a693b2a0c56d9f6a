"""`spidercap doctor`: what is installed, what is missing and how to get it."""

from spidercap.terminal import console, say_json

PACKAGES = ("numpy", "scipy", "rich", "cyclopts", "torch", "safetensors", "pillow", "openvino", "starlette", "uvicorn")


def doctor(*, json: bool = False) -> None:
    """Print versions, threads and optional parts, with the command that installs what is missing.

    Example: spidercap doctor

    Parameters
    ----------
    json
        Print one JSON object instead of tables.
    """
    if json:
        _print_json()
    else:
        _print_tables()


def _versions() -> dict[str, str]:
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from spidercap import __version__

    found = {"spidercap": __version__, "python": platform.python_version(), "platform": platform.platform()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def _threads() -> dict[str, int]:
    import os

    affinity = getattr(os, "sched_getaffinity", None)
    cores = os.cpu_count() or 1
    return {"cores": cores, "usable threads": len(affinity(0)) if affinity else cores}


def _print_json() -> None:
    from dataclasses import asdict

    from spidercap.extras import PARTS

    parts = {name: asdict(part) | {"installed": part.installed} for name, part in PARTS.items()}
    say_json({"versions": _versions(), "threads": _threads(), "parts": parts})


def _print_tables() -> None:
    from rich.table import Table

    from spidercap.extras import PARTS

    versions = Table("what", "found", title="Versions and threads")
    for name, value in {**_versions(), **_threads()}.items():
        versions.add_row(name, str(value))
    parts = Table("part", "for", "state", title="Optional parts")
    for name, part in PARTS.items():
        parts.add_row(name, part.purpose, "installed" if part.installed else f"missing; run: {part.command}")
    console().print(versions, parts)
