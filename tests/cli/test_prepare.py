"""`spidercap prepare` as people run it: what it prints, its exit code, and what is on the disk afterwards."""

import json
import subprocess
import sys

import pytest

from spidercap.cli import main
from spidercap.data.captions import Dataset
from spidercap.text.vocabulary import Vocabulary

TABLE = "image_id,split,caption\n" + "".join(
    f"{number},{split},a {animal} runs\n"
    for number, (split, animal) in enumerate([("train", "dog")] * 5 + [("val", "cat")] * 2)
)


def run(*arguments, **more):
    command = [sys.executable, "-m", "spidercap", "prepare", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def everything_in(folder):
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "pets.csv"
    path.write_text(TABLE)
    return path


def test_a_table_is_printed_and_a_folder_made(table, tmp_path):
    result = run(table, "--out", tmp_path / "new" / "pets")
    assert (result.returncode, result.stderr) == (0, "")
    rows = [line.split() for line in result.stdout.splitlines()]
    assert " ".join(rows[0]) == "split images captions words distinct mean median lengths 5 to 20+ UNK"
    assert rows[2] == ["train", "5", "5", "15", "3", "3.0", "3", "█", "0.00%"]
    assert rows[3] == ["val", "2", "2", "6", "3", "3.0", "3", "█", "33.33%"]
    assert "vocabulary: 3 words, each at least 5 times in the captions of 5 images" in result.stdout
    assert len(Dataset.load(tmp_path / "new" / "pets").images) == 7
    assert Vocabulary.load(tmp_path / "new" / "pets" / "vocabulary.txt").words == ("a", "dog", "runs")


def test_json(table, tmp_path):
    result = run(table, "--out", tmp_path / "pets", "--json", "--min-count", "6")
    facts = json.loads(result.stdout)
    assert facts["splits"]["val"]["unknown_rate"] == 1.0
    assert facts["vocabulary"]["words"] == 0
    assert facts.items() <= json.loads((tmp_path / "pets" / "dataset.json").read_text()).items()


def test_options_reach_the_readers(tmp_path):
    source = tmp_path / "pets.json"
    source.write_text(json.dumps({"1": ["a dog\r", ""], "2": []}))
    result = run(source, "--out", tmp_path / "a", "--drop-empty", "--split", "1,0,0", "--format", "json")
    assert result.returncode == 0
    for note in ("1 caption with line separators", "1 empty caption left out", "1 image without captions left out"):
        assert note in result.stdout
    assert [(image.id, image.split) for image in Dataset.load(tmp_path / "a").images] == [("1", "train")]
    assert run(source, "--out", tmp_path / "b", "--drop-empty", "--strict").returncode == 1


BAD = {
    "x.json": [
        (b'{"7": ["a c', r"is cut short"),
        (b"hello", r"is not JSON"),
        (b'{"annotations": []}', r'the key "images" is missing'),
        (b'{"7": ["a"], "7": ["b"]}', r'the key "7" occurs twice'),
        (b'{"7": []}', r"image 7 has no captions"),
        (b'{"7": [" "]}', r"image 7: caption 1 is empty"),
        (b'{"7": ["\\u0000"]}', r"image 7: caption 1 holds a NUL character"),
        (b'{"7": ["\\ud800"]}', r"image 7: caption 1 holds half a surrogate pair"),
        (b'{"7": ["\xff"]}', r"line 1: byte 0xff is not UTF-8"),
        (b'{"\\ud800": ["a"]}', r"the image id '\ud800' is blank or holds control characters"),
    ],
    "x.csv": [
        (b"id,split,caption\n7,tarin,a\n", r"image 7: unknown split 'tarin'"),
        (b"id,caption_1,caption_2\n7,a,b\n7,a,b\n", r"image 7: the image id occurs twice"),
    ],
}


@pytest.mark.parametrize(("name", "content", "message"), [(name, *case) for name in BAD for case in BAD[name]])
def test_bad_sources_leave_the_disk_as_it_was(tmp_path, capsys, name, content, message):
    (tmp_path / name).write_bytes(content)
    before = everything_in(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        main(["prepare", str(tmp_path / name), "--out", str(tmp_path / "new" / "out")])
    printed = capsys.readouterr()
    assert (stopped.value.code, printed.out) == (1, "")
    assert printed.err.startswith(f"spidercap: {tmp_path / name}")
    assert printed.err.count("\n") == 1
    assert message in printed.err
    assert everything_in(tmp_path) == before


def test_a_bad_source_in_a_process_of_its_own(tmp_path):
    (tmp_path / "x.json").write_text('{"7": ["a dog", "\\ud800"]}')
    result = run(tmp_path / "x.json", "--out", tmp_path / "out")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == (
        f"spidercap: {tmp_path / 'x.json'}, image 7: caption 2 holds half a surrogate pair (U+D800); "
        "expected text, remove it\n"
    )
    assert not (tmp_path / "out").exists()


def test_output_that_exists_is_left_alone(table, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("precious")
    before = everything_in(tmp_path)
    result = run(table, "--out", tmp_path / "out")
    assert result.returncode == 1
    assert result.stderr == f"spidercap: {tmp_path / 'out'} already exists; choose another --out or remove it first\n"
    assert everything_in(tmp_path) == before


def test_output_that_exists_is_told_before_anything_is_read(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["prepare", str(tmp_path / "nowhere.csv"), "--out", str(tmp_path)])
    assert "already exists" in capsys.readouterr().err


def test_output_that_cannot_be_written(table, tmp_path):
    before = everything_in(tmp_path)
    result = run(table, "--out", table / "out")
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert "pets.csv/out cannot be written: Not a directory; choose a place with space" in result.stderr
    assert everything_in(tmp_path) == before


def test_a_disk_that_is_full(table, tmp_path):
    resource = pytest.importorskip("resource")
    before = everything_in(tmp_path)
    result = run(
        table, "--out", tmp_path / "a" / "b", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
    )
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert f"spidercap: {tmp_path / 'a' / 'b'} cannot be written: File too large; choose a place" in result.stderr
    assert everything_in(tmp_path) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--split", "0.5"], "--split must be three numbers such as 0.8,0.1,0.1, got '0.5'"),
        (["--min-count", "0"], "--min-count must be at least 1, got 0"),
        (["--protocol", "paper"], "--protocol is for COCO sources"),
        (["--restval", "none"], "--restval is for Karpathy's files"),
        (["--count", "3"], "--count is for the built-in scenes; leave it out, or name the source `scenes`"),
        (["--picture-size", "64"], "--picture-size is for the built-in scenes"),
        (["--format", "xml"], "xml"),
    ],
)
def test_usage_errors(table, tmp_path, capsys, arguments, message):
    with pytest.raises(SystemExit) as stopped:
        main(["prepare", str(table), "--out", str(tmp_path / "out"), *arguments])
    error = capsys.readouterr().err
    assert (stopped.value.code, error.count("\n")) == (2, 1)
    assert message in error
    assert not (tmp_path / "out").exists()


def test_no_source(tmp_path):
    result = run("--out", tmp_path / "out")
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)


def test_scenes_get_their_pictures(tmp_path, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["prepare", "scenes", "--count", "3", "--picture-size", "32", "--out", str(tmp_path / "out")])
    assert stopped.value.code == 0
    for image in Dataset.load(tmp_path / "out").images:
        assert (tmp_path / "out" / "images" / image.file).is_file()
    assert "written to" in capsys.readouterr().out


def prepared(tmp_path, capsys, text, *options, name="x.csv"):
    """Prepare a table; the exit code and what was told."""
    (tmp_path / name).write_text(text)
    with pytest.raises(SystemExit) as stopped:
        main(["prepare", str(tmp_path / name), "--out", str(tmp_path / "out"), *options])
    output = capsys.readouterr()
    return stopped.value.code, output.out, output.err


def test_up_to_ten_faulty_rows_are_named_and_all_are_counted(tmp_path, capsys):
    rows = [f"p{number}.jpg,{'' if number % 2 else 'a dog'}" for number in range(40)]
    code, _, told = prepared(tmp_path, capsys, "\n".join(["file,caption", *rows, "one,two,three"]))
    lines = told.splitlines()
    assert code == 1
    assert lines[0] == (
        "spidercap: 21 entries are faulty, of which these are the first 10; mend them and run the command again"
    )
    assert len(lines) == 11
    assert "line 42: 3 columns, the header has 2" in lines[1]
    assert "image p1: caption 1 is empty" in lines[2]
    assert not (tmp_path / "out").exists()


def test_two_faulty_rows(tmp_path, capsys):
    code, _, told = prepared(tmp_path, capsys, "file,caption,split\na.jpg,a dog,tarin\nb.jpg,,train\n")
    assert code == 1
    assert told.splitlines()[0] == "spidercap: 2 entries are faulty; mend them and run the command again"


def test_columns_of_other_names(tmp_path, capsys):
    text = "Photo,Description,Note\na.jpg,a dog,x\nb.jpg,a cat,y\n"
    code, _, told = prepared(tmp_path, capsys, text)
    assert code == 1
    assert "an id column (image_id, img_id," in told
    assert "--columns file=photo caption=description" in told
    code, _, told = prepared(tmp_path, capsys, text, "--columns", "file=photo", "caption=description")
    assert (code, told) == (0, "")
    assert Dataset.load(tmp_path / "out").images[0].captions == ("a dog",)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--columns", "file=photo"], "--columns file=photo does not fit the header 'file,caption'"),
        (["--columns", "photo"], "--columns photo: expected id=NAME, file=NAME, caption=NAME, split=NAME"),
    ],
)
def test_columns_that_are_not_there(tmp_path, capsys, options, sentence):
    code, _, told = prepared(tmp_path, capsys, "file,caption\na.jpg,a dog\n", *options)
    assert code
    assert sentence in told


def test_several_columns_of_captions_by_name(tmp_path, capsys):
    text = "photo,first,second\na.jpg,a dog,one dog\n"
    options = ("--columns", "file=photo", "caption=first", "caption=second")
    assert prepared(tmp_path, capsys, text, *options)[0] == 0
    assert Dataset.load(tmp_path / "out").images[0].captions == ("a dog", "one dog")


def test_files_of_one_name_in_two_folders(tmp_path, capsys):
    text = "file,caption\na/dog.jpg,a dog\nb/dog.jpg,another dog\n"
    code, _, told = prepared(tmp_path, capsys, text)
    assert code == 1
    assert "a/dog.jpg and b/dog.jpg have the same name; tell them apart by their folders with --id-from path" in told
    assert prepared(tmp_path, capsys, text, "--id-from", "path")[0] == 0
    assert [image.id for image in Dataset.load(tmp_path / "out").images] == ["a/dog", "b/dog"]


def test_the_first_line_that_excel_adds(tmp_path, capsys):
    assert prepared(tmp_path, capsys, "sep=;\nfile;caption\na.jpg;a dog, and a cat\n")[0] == 0
    assert Dataset.load(tmp_path / "out").images[0].captions == ("a dog, and a cat",)


def test_a_huge_cell_is_not_blamed_on_quotes(tmp_path, capsys):
    code, _, told = prepared(tmp_path, capsys, "file,caption\na.jpg," + "a " * 5_000_000 + "\n")
    assert code == 1
    assert "line 2 holds a cell of more than 131,072 characters, which is no caption; shorten it" in told


def test_captions_that_repeat_are_told(tmp_path, capsys):
    _, told, _ = prepared(tmp_path, capsys, "file,caption\na.jpg,a dog\na.jpg,a dog\na.jpg,a cat\na.jpg,a dog\n")
    assert "note: 2 captions that say word for word what another of their image says, kept (first: x.csv" in told


def test_options_of_tables_are_for_tables(tmp_path, capsys):
    code, _, told = prepared(tmp_path, capsys, '{"7": ["a"]}', "--id-from", "path", name="x.json")
    assert code == 2
    assert "--id-from is for tables, these are of the format json; leave it out" in told
