"""CSV in the forms people have, and JSON {id: [captions]}."""

import pytest

from spidercap.data.captions import CaptionedImage
from spidercap.errors import DataError


def rows(dataset):
    return [(image.id, image.file, image.captions) for image in dataset.images]


FORMS = {
    "id,caption\n7,a dog\n7,one dog\n8,a cat\n": [("7", "", ("a dog", "one dog")), ("8", "", ("a cat",))],
    'caption,image_id\r\n"a dog, a cat",7\r\n': [("7", "", ("a dog, a cat",))],
    "file_name,caption_1,caption_2\na.b.wav,a dog,one dog\n": [("a.b", "a.b.wav", ("a dog", "one dog"))],
    "id,caption_reference_01,caption_reference_02,caption_predicted\n7,a,b,c\n": [("7", "", ("a", "b"))],
    "id,image_id,caption\n100,7,a dog\n101,7,a cat\n": [("7", "", ("a dog", "a cat"))],
    'raw,sentids,filename,img_id\n"[""a"", ""b""]",1,x.jpg,7\n': [("7", "x.jpg", ("a", "b"))],
    "image_name| comment_number| comment\n1.jpg| 0| A dog, running\n": [("1", "1.jpg", ("A dog, running",))],
    "ID\tCaption\n7\ta dog\n": [("7", "", ("a dog",))],
    '\ufeff"id";"caption"\n7;"a; dog\nruns"\n\n': [("7", "", ("a; dog runs",))],
    "image,caption\nx/1.jpg,a dog\n": [("1", "x/1.jpg", ("a dog",))],
}


@pytest.mark.parametrize("text", FORMS)
def test_forms_of_csv(read, text):
    assert rows(read("train.csv", text)) == FORMS[text]


@pytest.mark.parametrize("name", ["train.txt", "train.tsv", "train.csv"])
def test_endings_of_tables(read, name):
    assert rows(read(name, "id,caption\n7,a dog\n")) == [("7", "", ("a dog",))]


def test_splits_of_a_column(read):
    dataset = read("all.csv", "id,split,caption\n1,train,a\n2,dev,b\n3,Validation,c\n4,test,d\n5,none,e\n")
    assert [image.split for image in dataset.images] == ["train", "val", "val", "test", "none"]


def test_splits_by_the_file_name(read):
    assert read("clotho_validation.csv", "id,caption\n1,a\n").images == (CaptionedImage("1", "", "val", ("a",)),)


def test_splits_by_hash_where_there_are_none(read):
    text = "id,caption\n" + "".join(f"{number},a dog\n" for number in range(1000))
    dataset = read("mine.csv", text)
    assert [len(dataset.split(name)) for name in ("train", "val", "test")] == [820, 85, 95]
    assert dataset.notes[0].count == 1000


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", r"x\.csv, line 1: expected a header with an id column .*; got ''"),
        ("7,a dog\n", r"x\.csv, line 1: expected a header with an id column .*; got '7,a dog'"),
        ("id,words\n7,a dog\n", r"x\.csv, line 1: expected a header"),
        ("id,caption,caption\n7,a,b\n", r"x\.csv, line 1: expected a header .* no name twice"),
        ("id,caption\n7,a dog, running\n", r"x\.csv, line 2: 3 columns, the header has 2; put quotes around"),
        ("id,caption\n7\n", r"x\.csv, line 2: 1 columns, the header has 2"),
        ('id,caption\n7,"a dog\n', r"x\.csv, line 2 is not CSV: unexpected end of data; mend the quotes"),
        ('id,caption\n7,"a" dog\n', r"x\.csv, line 2 is not CSV: .* expected after"),
        ("id,caption_1,caption_2\n7,a,b\n7,c,d\n", r"x\.csv, line 3, image 7: the image id occurs twice; ids must"),
        ("id,caption_1,caption_2\n7,a,\n", r"x\.csv, image 7: caption 2 is empty"),
        ("id,caption\n7, \n", r"x\.csv, image 7: caption 1 is empty"),
        ("id,caption\n,a dog\n", r"x\.csv: the image id '' is blank"),
        ("id,split,caption\n7,tarin,a\n", r"line 2, image 7: unknown split 'tarin'; expected one of train, training"),
        ("id,split,caption\n7,train,a\n7,val,b\n", r"line 3, image 7: file '' and split 'val' differ from those of an"),
        ("id,file,caption\n7,a.jpg,a\n7,b.jpg,b\n", r"line 3, image 7: file 'b\.jpg' and split .* differ from those"),
        ('id,caption\n7,"[""a"", 3]"\n', r"x\.csv, image 7: caption 2 is a whole number, expected text"),
        ('id,caption\n7,"[""a"""\n', r"x\.csv, line 2, image 7 is cut short"),
        ("id,caption\n" + "7," + "a" * 200_000, r"x\.csv, line 2 holds a cell of more than 131,072 characters"),
        ("id,caption\n", r"x\.csv: no captioned image was found"),
    ],
)
def test_wrong_csv(read, text, sentence):
    with pytest.raises(DataError, match=sentence):
        read("x.csv", text)


def test_empty_cells_can_be_dropped(read):
    assert rows(read("x.csv", "id,caption_1,caption_2\n7,a,\n", drop_empty=True)) == [("7", "", ("a",))]


def test_json_by_id(read):
    dataset = read("refs_test.json", {"7": ["a dog", "one dog"], "x/8.jpg": "a cat"})
    assert rows(dataset) == [("7", "", ("a dog", "one dog")), ("x/8.jpg", "", ("a cat",))]
    assert {image.split for image in dataset.images} == {"test"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"7": {"a": 1}}, r"x\.json, image 7: an object, expected a list of captions"),
        ({"7": None}, r"x\.json, image 7: null, expected a list of captions"),
        ({}, r"x\.json: no captioned image was found"),
    ],
)
def test_wrong_json_by_id(read, content, sentence):
    with pytest.raises(DataError, match=sentence):
        read("x.json", content)


def test_a_list_read_as_json_by_id(read):
    with pytest.raises(DataError, match=r"x\.json: a list, expected an object \{id: \[captions\]\}"):
        read("x.json", [1], "json")
