"""The shape of the repository: folders import only what stands before them, documents name what exists."""

import ast
import graphlib
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from spidercap.cli import COMMANDS, VERBS, app

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "spidercap"
PLACES = (
    *("terminal", "errors", "files", "extras", "progress", "options"),
    *("scenes", "data", "text", "vision", "model", "decode", "metrics", "reward", "learn"),
    *("config", "recipe", "train", "report", "web", "study", "compat", "distributed", "cli", "__main__"),
)
"""Every folder and file of the package: each imports only what stands before it, inside functions too."""
PRODUCTS = ("scores", "parses", "training")
ROOMS = ("core", "text", "ngram", "meteor", "parser", "spice", "bind")
"""Every folder of native/: each includes only what stands before it."""
WITHOUT_TORCH = ("scenes", "data", "text", "metrics", "web", "study")


def imported(path):
    """The absolute names that a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def included(path):
    """What a C++ file includes of ours, written from native/ as root."""
    return re.findall(r'^#include "([^"]+)"', path.read_text(), flags=re.MULTILINE)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_of_the_native_core_includes_only_rooms_before_it(room):
    allowed = set(ROOMS[: ROOMS.index(room) + 1])
    files = sorted((ROOT / "native" / room).iterdir())
    assert files
    for path in files:
        used = {name.split("/")[0] for name in included(path)}
        assert used <= allowed, f"{path.relative_to(ROOT)} includes {sorted(used - allowed)}"
        assert all((ROOT / "native" / name).is_file() for name in included(path)), path


def test_every_file_of_the_native_core_is_in_a_room():
    assert {path.name for path in (ROOT / "native").iterdir()} - {"README.md"} == set(ROOMS)


def test_the_map_of_the_native_core_names_its_rooms_and_files():
    text = (ROOT / "native" / "README.md").read_text()
    assert tuple(re.findall(r"^\| `(\w+)/` \|", text, flags=re.MULTILINE)) == ROOMS
    for name in re.findall(rf"`((?:{'|'.join(ROOMS)})/\w+\.h)`", text):
        assert (ROOT / "native" / name).is_file(), f"native/README.md names {name}, which does not exist"


def place_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_places(path):
    return {name.split(".")[1] for name in imported(path) if name.startswith("spidercap.")}


def module_name(path):
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


def test_every_folder_and_file_imports_only_what_stands_before_it():
    for path in set(PACKAGE.rglob("*.py")) - {PACKAGE / "__init__.py"}:
        place = place_of(path)
        assert place in PLACES, f"{path.relative_to(ROOT)} has no place in the order of the package"
        wrong = imported_places(path) - {*PLACES[: PLACES.index(place) + 1], "_native", "__version__"}
        assert not wrong, f"{path.relative_to(ROOT)} imports {sorted(wrong)}"


def test_no_two_modules_have_the_same_name():
    """A verb's file is called as the verb; COCO is a format in data/ and somebody's interface in compat/."""
    names = Counter(path.stem for path in PACKAGE.rglob("*.py") if PACKAGE / "cli" not in path.parents)
    assert {name for name, count in names.items() if count > 1} == {"__init__", "coco"}


def test_no_two_classes_have_the_same_name():
    trees = [ast.parse(path.read_text()) for path in PACKAGE.rglob("*.py")]
    names = Counter(node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    assert [name for name, count in names.items() if count > 1] == []


def test_no_place_is_kept_for_what_does_not_exist():
    assert set(PLACES) == {place_of(path) for path in PACKAGE.rglob("*.py")} - {"__init__"}


def test_modules_import_one_another_without_a_cycle():
    """Imports inside functions count: one that hides a cycle is found."""
    modules = {module_name(path): path for path in PACKAGE.rglob("*.py")}

    def module_of(name):
        while name not in modules:
            name = name.rpartition(".")[0]
        return name

    graph = {
        module: {module_of(name) for name in imported(path) if name.startswith("spidercap.")} - {"spidercap", module}
        for module, path in modules.items()
    }
    graphlib.TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_product_of_the_report_imports_no_other(product):
    others = {f"spidercap.report.{other}" for other in PRODUCTS if other != product}
    for path in (PACKAGE / "report" / product).rglob("*.py"):
        assert not {name for name in imported(path) if ".".join(name.split(".")[:3]) in others}, path


def test_tests_mirror_the_package():
    folders = {path.relative_to(ROOT / "tests") for path in (ROOT / "tests").rglob("*") if path.is_dir()}
    others = {"native", "golden", "smoke", "distributed", "tools", "more"}
    known = {path.relative_to(PACKAGE) for path in PACKAGE.rglob("*") if path.is_dir()}
    extra = {path for path in folders - known if path.parts[0] not in others and path.name != "__pycache__"}
    assert not extra, f"tests/ has folders that src/spidercap has not: {sorted(map(str, extra))}"


@pytest.mark.parametrize("stage", WITHOUT_TORCH)
def test_torch_is_not_imported_by(stage):
    for path in (PACKAGE / stage).rglob("*.py"):
        assert not {name for name in imported(path) if name.split(".")[0] == "torch"}, path


def test_help_imports_neither_torch_nor_pillow_nor_scipy():
    code = "import sys, spidercap.cli; print([m for m in ('torch', 'PIL', 'scipy', 'matplotlib') if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_a_captioner_is_known_by_its_interface_alone():
    """Ids of special symbols are its vocabulary's; what kind it is, model/ alone knows."""
    private = {"BOS", "EOS", "UNK", "SPECIALS", "ShowAndTell"}
    for path in PACKAGE.rglob("*.py"):
        if path.is_relative_to(PACKAGE / "model") or path.is_relative_to(PACKAGE / "text"):
            continue
        found = {name.rpartition(".")[2] for name in imported(path)} & private
        assert not found, f"{path.relative_to(ROOT)} imports {sorted(found)}"


def test_scenes_are_reached_through_one_adapter():
    beside = [path for path in PACKAGE.rglob("*.py") if PACKAGE / "scenes" not in path.parents]
    users = {path for path in beside if "scenes" in imported_places(path)}
    assert users == {PACKAGE / "data" / "scenes.py"}


def test_scoring_imports_nothing_of_the_scenes():
    code = (
        "import sys, spidercap, spidercap.report.scores.evaluation, spidercap.data.sources; "
        "spidercap.score(['a dog'], [['a dog']], metrics=['Bleu_1']); print([m for m in sys.modules if 'scenes' in m])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_all_that_is_printed_goes_through_the_terminal_module():
    """So that no file name, id or caption reaches a terminal as it is."""
    for path in set(PACKAGE.rglob("*.py")) - {PACKAGE / "terminal.py"}:
        called = {node.func.id for node in ast.walk(ast.parse(path.read_text())) if is_call_by_name(node)}
        assert not called & {"print", "Console"}, f"{path.relative_to(ROOT)} prints past spidercap.terminal"


def is_call_by_name(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


def texts(path):
    """The texts of a file that may be printed: all but docstrings."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    described = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    return [node.value for node in nodes if is_text(node) and id(node) not in described]


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_only_the_command_line_names_its_options():
    """The library marks its arguments, and the command line prints options in their place; whole commands may stay."""
    for path in set(PACKAGE.rglob("*.py")) - set((PACKAGE / "cli").iterdir()) - {PACKAGE / "extras.py"}:
        for text in texts(path):
            loose = re.sub(r"(pip install|spidercap caption) [^;`]*|^ --force-reinstall$", "", text)
            assert not re.search(r"(?<![\w-])--[a-z]", loose), f"{path.relative_to(ROOT)} names an option: {text!r}"


def test_errors_mark_arguments_that_exist():
    """So that Python callers find them, and the command line its options."""
    trees = [ast.parse(path.read_text()) for path in PACKAGE.rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    arguments = {node.arg for node in nodes if isinstance(node, ast.arg)}
    fields = {node.target.id for node in nodes if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}
    raised = [node for node in nodes if isinstance(node, ast.Raise) and node.exc]
    said = [node.value for each in raised for node in ast.walk(each) if is_text(node)]
    marked = {name for text in said for name in re.findall(r"`(\w+)`", text)}
    assert {"images", "minimum_count"} <= marked
    assert marked <= arguments | fields | {"scenes"}


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


def test_documents_name_files_that_exist():
    """Paths that begin with a folder of the package or of the repository."""
    roots = {path.name: path.parent for base in (ROOT, PACKAGE) for path in base.iterdir() if path.is_dir()}
    for document in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for path in re.findall(r"`((?:\w+/)+\w+\.(?:py|h|cpp|toml|md))`", document.read_text()):
            root = roots.get(path.split("/")[0])
            assert root is None or (root / path).is_file() or (ROOT / path).is_file(), f"{document.name} names {path}"


def test_no_tracked_file_names_this_machine():
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode != 0:
        pytest.skip("not a git checkout")
    for name in filter(None, tracked.stdout.split("\0")):
        content = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b""
        assert str(ROOT.parent).encode() + b"/" not in content or str(ROOT.parent) == "/", name
