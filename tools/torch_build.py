"""Which build of torch is installed: one for the processor alone, or the registry's, which brings CUDA's packages.

On Linux the registry's build is made for NVIDIA's GPUs and takes three times the room of all the rest. Without such
a GPU a build for the processor is taken where one can be had: where pip already looks (a folder of wheels, a company's
index), then in PyTorch's own index. TORCH=cpu and TORCH=cuda insist.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

WISHES = ("cpu", "cuda")
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
ANSWER_SECONDS = 5
"""How long PyTorch's index may take to answer; without a network nobody should wait for it."""


@dataclass(frozen=True)
class Build:
    """A build of torch: what pip is asked for, where it looks, and what people are told."""

    requirement: str
    told: str
    gigabytes: float
    index: str | None = None


def for_cuda(version: str, why: str) -> Build:
    """The registry's build; `===` because a wheel `+cpu` in a folder of wheels would count as newer."""
    return Build(f"torch==={version}", f"the registry's build for CUDA{why}", 4.6)


def choose(pip: Sequence[str], version: str, wish: str) -> Build | None:
    """The build to install; None when `wish` is for the processor's and none can be had."""
    if sys.platform != "linux":
        return Build(f"torch=={version}", "the registry's build", 0.8)
    if wish == "cuda" or (not wish and has_gpu()):
        return for_cuda(version, "" if wish else ", because there is an NVIDIA GPU")
    for index in (None, CPU_INDEX):
        if f"{version}+cpu" in versions(pip, index):
            told = f"the build for the processor, from {'where pip looks' if index is None else index}"
            return Build(f"torch=={version}+cpu", told, 0.8, index)
    if wish == "cpu":
        return None
    return for_cuda(version, f", because no build for the processor is where pip looks, and {CPU_INDEX} has no answer")


def has_gpu() -> bool:
    """Whether NVIDIA's driver knows a GPU."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return False
    try:
        listed = subprocess.run([program, "-L"], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return listed.returncode == 0 and "GPU" in listed.stdout


def versions(pip: Sequence[str], index: str | None) -> list[str]:
    """The versions of torch for this Python that pip finds where it looks, or in one index; none without an answer."""
    place = [] if index is None else ["--index-url", index, "--timeout", str(ANSWER_SECONDS), "--retries", "0"]
    seconds = None if index is None else 3 * ANSWER_SECONDS
    try:
        asked = subprocess.run(
            [*pip, "index", "versions", "torch", *place], capture_output=True, text=True, timeout=seconds, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    found = re.search(r"^Available versions: (.+)$", asked.stdout, flags=re.MULTILINE)
    return found[1].split(", ") if found else []


def installed(venv: Path) -> str | None:
    """`cpu` or `cuda`: the build that an environment has; None without torch."""
    for path in venv.glob("lib/python*/site-packages/torch/version.py"):
        return "cpu" if re.search(r"^cuda\b.*= None$", path.read_text(), flags=re.MULTILINE) else "cuda"
    return None
