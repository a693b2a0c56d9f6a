"""The shape of the repository: stages import only what stands above them, documents name what exists."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from spidercap.cli import COMMANDS, VERBS, app

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "spidercap"
STAGES = ("scenes", "data", "text", "vision", "model", "decode", "metrics", "reward", "learn", "train", "report")
BASICS = {"errors", "files", "extras", "progress", "config", "recipe", "_native"}
WITHOUT_TORCH = ("scenes", "data", "text", "metrics", "study")


def imported(path):
    """The absolute names that a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def stage_of(name):
    return name.split(".")[1] if name.startswith("spidercap.") else None


@pytest.mark.parametrize("stage", [stage for stage in STAGES if (PACKAGE / stage).exists()])
def test_a_stage_imports_only_stages_above_it(stage):
    allowed = {*STAGES[: STAGES.index(stage) + 1], *BASICS, "__version__"}
    for path in (PACKAGE / stage).rglob("*.py"):
        used = {stage_of(name) for name in imported(path)} - {None}
        assert used <= allowed, f"{path.relative_to(ROOT)} imports {sorted(used - allowed)}"


def test_every_folder_of_the_package_has_its_place():
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= {*STAGES, "study", "cli", "compat"}


@pytest.mark.parametrize("stage", [stage for stage in WITHOUT_TORCH if (PACKAGE / stage).exists()])
def test_torch_is_not_imported_by(stage):
    for path in (PACKAGE / stage).rglob("*.py"):
        assert not {name for name in imported(path) if name.split(".")[0] == "torch"}, path


def test_help_imports_neither_torch_nor_pillow_nor_scipy():
    code = "import sys, spidercap.cli; print([m for m in ('torch', 'PIL', 'scipy', 'matplotlib') if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_scenes_are_reached_through_one_adapter():
    beside = [path for path in PACKAGE.rglob("*.py") if PACKAGE / "scenes" not in path.parents]
    users = {path for path in beside if "scenes" in {stage_of(name) for name in imported(path)}}
    assert users == {PACKAGE / "data" / "scenes.py"}


def test_scoring_imports_nothing_of_the_scenes(tmp_path):
    code = (
        "import sys, spidercap, spidercap.report.evaluation, spidercap.data.sources; "
        "spidercap.score(['a dog'], [['a dog']], metrics=['Bleu_1']); print([m for m in sys.modules if 'scenes' in m])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_every_verb_has_its_file_and_every_file_its_verb():
    files = {path.stem for path in (PACKAGE / "cli").glob("*.py")} - {"__init__"}
    assert files == set(VERBS)


def section_of(command):
    """The section of docs/cli.md on a command; that of a group tells of all commands in it."""
    sections = re.split(r"^## ", (ROOT / "docs" / "cli.md").read_text(), flags=re.MULTILINE)
    found = next((text for text in sections if text.startswith(f"`spidercap {' '.join(command)}")), None)
    assert found, f"docs/cli.md has no section for `spidercap {' '.join(command)}`"
    return found


def arguments_of(command):
    found = app
    for name in command:
        found = found[name]
    return found.assemble_argument_collection(parse_docstring=True)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_option_is_documented(command):
    section = section_of(command)
    for argument in arguments_of(command):
        name = argument.names[0]
        assert name in section, f"docs/cli.md does not name {name} of `spidercap {' '.join(command)}`"
        assert argument.parameter.help, f"{name} of `spidercap {' '.join(command)}` has no help"


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_documents_name_no_option_that_does_not_exist(command):
    real = {name for argument in arguments_of(command) for name in argument.names}
    named = set(re.findall(r"^\| `(--[a-z0-9-]+)", section_of(command), flags=re.MULTILINE))
    assert named <= real, f"docs/cli.md names {named - real} of `spidercap {' '.join(command)}`"


def test_the_tour_of_the_readme_matches_the_tree():
    tour = re.search(r"^## Tour.*?```\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL | re.MULTILINE)
    assert tour, "README.md has no tour"
    paths, parent = set(), ""
    for line in tour[1].splitlines():
        name = line.split()[0]
        parent = name if not line.startswith(" ") else parent
        paths.add(name if name == parent else parent + name)
    for path in paths:
        assert (ROOT / path).exists(), f"README.md's tour names {path}, which does not exist"
    folders = {f"src/spidercap/{path.name}/" for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    assert folders <= paths, f"README.md's tour leaves out {sorted(folders - paths)}"


def test_no_tracked_file_names_this_machine():
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode != 0:
        pytest.skip("not a git checkout")
    for name in filter(None, tracked.stdout.split("\0")):
        content = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b""
        assert str(ROOT.parent).encode() + b"/" not in content or str(ROOT.parent) == "/", name
