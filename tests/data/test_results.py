"""Files of captions to be scored and of references: every form, and every way to be wrong."""

import json
import lzma

import pytest

from spidercap.data.captions import CaptionedImage, Dataset, Note
from spidercap.data.results import AlignedFiles, read_references, read_results
from spidercap.errors import DataError

CAPTIONS = {"1": "a dog", "2": "a cat"}
FORMS = {
    "coco.json": json.dumps([{"image_id": 1, "caption": "a dog"}, {"image_id": 2, "caption": "a cat"}]),
    "map.json": json.dumps(CAPTIONS),
    "lists.json": json.dumps({"1": ["a dog"], "2": ["a cat"]}),
    "lines.jsonl": '{"id": 1, "caption": "a dog"}\n\n{"image_id": "2", "caption": "a cat", "id": 77}\n',
    "table.csv": "image_id,caption\n1,a dog\n2,a cat\n",
    "predicted.csv": "file_name,caption_predicted,caption_reference_01\n1.wav,a dog,x\n2.wav,a cat,y\n",
    "table.tsv": "id\thypothesis\n1\ta dog\n2\ta cat\n",
    "lines.txt": "a dog\na cat\n",
    "windows.txt": "\ufeffa dog\r\na cat",
}


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("packed", ["", ".xz"])
def test_every_form_of_results(write, name, packed):
    system = read_results(write(name + packed, FORMS[name]))
    assert system.captions == CAPTIONS
    assert (system.name, system.notes) == (name.split(".")[0], ())


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.json", '[{"image_id": 1, "caption": "a"}, {"image_id": "1", "caption": "b"}]', "image id occurs twice"),
        ("x.json", '{"1": "a", "1": "b"}', 'the key "1" occurs twice in one object'),
        ("x.csv", "id,caption\n1,a\n1,b\n", "image 1: the image id occurs twice"),
        ("x.json", '[{"image_id": 1, "caption": null}]', 'entry 1, image 1: "caption" is null, expected text'),
        ("x.json", '[{"image_id": 1, "caption": 5}]', 'entry 1, image 1: "caption" is a whole number, expected text'),
        ("x.json", '{"1": null}', "image 1: caption 1 is null, expected text"),
        ("x.json", '{"1": 2.5}', "image 1: caption 1 is a number, expected text"),
        ("x.json", '{"1": ["a", "b"]}', "image 1: 2 captions, expected one"),
        ("x.json", '{"1": []}', "image 1: 0 captions, expected one"),
        ("x.json", '[{"caption": "a"}]', 'entry 1: the key "image_id" is missing'),
        ("x.json", '[{"image_id": 1}]', 'image 1: the key "caption" is missing'),
        ("x.json", '[{"image_id": null, "caption": "a"}]', '"image_id" is null, expected a whole number or text'),
        ("x.json", '["a"]', 'entry 1: text, expected an object with the key "image_id"'),
        ("x.json", "3", r'a whole number, expected a list of \{"image_id", "caption"\} or an object \{id: caption\}'),
        ("x.json", '[{"image_id": 1, "capt', "is cut short"),
        ("x.json", "[]", "no caption was found; expected at least one"),
        ("x.txt", "", "no caption was found; expected at least one"),
        ("x.jsonl", '{"id": 1, "caption": "a"}\n{"id"', "x.jsonl, line 2 is cut short"),
        ("x.csv", "a,b\n1,2\n", "line 1: expected a header with an id column"),
        ("x.csv", "id,caption\n1,a,b\n", "line 2: 3 columns, the header has 2"),
        ("x.pkl", "", "cannot tell its format by its name; expected a name that ends in one of .json, .jsonl, .csv"),
        ("x.txt", b"a dog\n\xff\xfe\n", "x.txt, line 2: byte 0xff is not UTF-8; save the file as UTF-8"),
        ("x.txt", "a dog".encode("utf-16"), "x.txt, line 1: byte 0xff is not UTF-8"),
        ("x.json", '{"1": "caf\u00e9"}'.encode("latin-1"), "byte 0xe9 is not UTF-8; save the file as UTF-8"),
        ("x.txt", "a\na\0b\n", "x.txt, line 2: NUL character"),
        ("x.json", '{"1": "a\\u0000"}', "image 1: caption 1 holds a NUL character"),
        ("x.json", '{"1": "a\\ud800"}', r"image 1: caption 1 holds half a surrogate pair \(U\+D800\)"),
        ("x.json", '{"": "a"}', "the image id '' is blank"),
    ],
)
def test_bad_results_get_their_sentence(write, name, content, message):
    with pytest.raises(DataError, match=message):
        read_results(write(name, content))


def test_a_missing_file_and_a_folder(tmp_path):
    with pytest.raises(DataError, match="none.json does not exist; check the path"):
        read_results(tmp_path / "none.json")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(DataError, match="folder.json is a folder, expected a file"):
        read_results(tmp_path / "folder.json")


def test_gigantic_captions_are_refused_before_they_are_scored(write):
    with pytest.raises(DataError, match="x.json, image 1: caption 1 has 100,001 characters, expected at most 100,000"):
        read_results(write("x.json", {"1": "x" * 100_001}))
    assert len(read_results(write("x.json", {"1": "x" * 100_000})).captions["1"]) == 100_000
    with pytest.raises(DataError, match="x.txt, line 2 has more than 1,048,576 bytes; expected one caption a line"):
        read_results(write("x.txt", "a\n" + "x" * 2_000_000))
    with pytest.raises(DataError, match="r.txt, image 1: caption 1 has 200,000 characters"):
        read_references([write("r.txt", "x" * 200_000)])


def test_a_packed_file_cut_short(write, tmp_path):
    path = write("x.txt.xz", "a dog\n" * 1000)
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(DataError, match="is not a whole xz file"):
        read_results(path)


@pytest.mark.parametrize("separator", ["\r", "\v", "\u2028", "\x85"])
def test_line_separators_inside_captions_shift_nothing_and_are_counted(write, separator):
    for name, content in (("x.txt", f"a{separator}b\nc\n"), ("x.json", json.dumps({"1": f"a{separator}b", "2": "c"}))):
        system = read_results(write(name, content))
        assert system.captions == {"1": "a b", "2": "c"}
        assert system.notes == (Note("captions with line separators, now blanks", 1, f"{name}, image 1"),)


def test_captions_are_taken_as_they_are(write):
    """Blanks count where nothing is tokenised, and an empty caption is one to be scored."""
    assert read_results(write("x.txt", " a  b \n\nc\n")).captions == {"1": " a  b ", "2": "", "3": "c"}
    references = read_references([write("r.json", {"1": [" a  b ", ""], "2": "c "})])
    assert references.captions == {"1": (" a  b ", ""), "2": ("c ",)}


def test_references_from_line_aligned_files(write):
    paths = [write("r1.txt", "a dog\na cat\n"), write("r2.txt", "one dog\r\n\n")]
    assert read_references(paths).captions == {"1": ("a dog", "one dog"), "2": ("a cat", "")}


@pytest.mark.parametrize(("first", "second"), [("a\nb\nc\n", "a\nb\n"), ("a\nb\n", "a\nb\nc\n")])
def test_files_of_unequal_length_are_named(write, first, second):
    paths = [write("one.txt", first), write("two.txt", second)]
    with pytest.raises(DataError, match=r"(one|two)\.txt has 2 lines and .*(one|two)\.txt has more; line-aligned"):
        read_references(paths)


def test_no_line_at_all(write):
    with pytest.raises(DataError, match="r.txt: no caption was found"):
        read_references([write("r.txt", "")])


def test_a_table_named_txt_is_still_a_table(write):
    path = write("captions.txt", "image,caption\n7.jpg,a dog\n7.jpg,one dog\n")
    assert read_references([path]).captions == {"7": ("a dog", "one dog")}


def test_empty_cells_of_a_table_are_no_references(write):
    path = write("r.csv", "id,caption_reference_01,caption_reference_02\n1,a dog,\n2,a cat,one cat\n")
    assert read_references([path]).captions == {"1": ("a dog",), "2": ("a cat", "one cat")}


def test_images_without_any_reference_are_left_out_and_counted(write, coco):
    content = coco((1, "a dog"))
    content["images"].append({"id": 2, "file_name": "2.jpg"})
    references = read_references([write("captions_x.json", content)])
    assert references.captions == {"1": ("a dog",)}
    assert references.notes == (Note("images without captions left out", 1, "captions_x.json, image 2"),)


def test_a_split_of_a_prepared_dataset(tmp_path):
    images = (CaptionedImage("a", "a.jpg", "train", ("x",)), CaptionedImage("b", "b.jpg", "test", ("y", "z")))
    folder = tmp_path / "prepared"
    folder.mkdir()
    Dataset("pets", images).save(folder)
    assert read_references([folder], "test").captions == {"b": ("y", "z")}
    assert set(read_references([folder]).captions) == {"a", "b"}
    with pytest.raises(DataError, match="no image is in the split 'val'; it has train, test"):
        read_references([folder], "val")


@pytest.mark.parametrize("name", ["refs.json", "refs.txt"])
def test_no_split_is_made_up_for_references_that_tell_none(write, name):
    path = write(name, {"1": ["a dog"], "2": ["a cat"]} if name == "refs.json" else "a dog\na cat\n")
    with pytest.raises(DataError, match=f"{name} tells no splits, so there is no 'test'; leave out `split`"):
        read_references([path], "test")


def test_the_name_of_a_file_may_tell_the_split(write):
    path = write("refs_test.json", {"1": ["a dog"]})
    assert read_references([path], "test").captions == {"1": ("a dog",)}
    with pytest.raises(DataError, match="no image is in the split 'val'; it has test"):
        read_references([path], "val")


def test_aligned_files_come_in_chunks(write):
    files = AlignedFiles([write("a.txt", "1\n2\n3\n"), write("b.txt.xz", "x\ny\rw\nz\n")])
    assert list(files.chunks(2)) == [[("1", "x"), ("2", "y w")], [("3", "z")]]
    assert [(note.count, note.first) for note in files.notes] == [(1, "b.txt.xz, image 2")]


def test_a_packed_file_is_read_as_it_lies(tmp_path):
    path = tmp_path / "captions_val2014.jsonl.xz"
    path.write_bytes(lzma.compress(b'{"image_id": 5, "captions": ["a dog", " a cat"]}\n'))
    assert read_references([path]).captions == {"5": ("a dog", " a cat")}
