"""Making a study: what is found, copied, refused; nothing half-made is left."""

import json

import pytest
from PIL import Image

from spidercap.errors import DataError, UsageError
from spidercap.study.create import PICTURES, PictureFolder, new_study
from spidercap.study.plan import Wishes
from spidercap.study.store import Store


def make(material, folder="study", systems=None, **wishes):
    return new_study(
        material.folder / folder, systems or material.systems, [material.references], material.images, Wishes(**wishes)
    )


def test_a_study_is_whole_and_holds_no_name_of_a_picture(material):
    made = make(material)
    folder = material.folder / "study"
    store = Store(folder)
    pictures = {path.stem for path in (folder / PICTURES).iterdir()}
    assert pictures == {item.picture for item in store.item_records()}
    assert not any(image in name for image in material.ids for name in pictures)
    assert len(made.owner_key) > 40
    assert len({item.code for item in store.item_records()}) == store.items == len(made.plan.items)
    assert store.settings.systems == ("plain", "fancy")
    assert store.references()["p001"] == ["a wall p001", "the wall of p001"]


def test_codes_differ_between_studies_of_the_same_seed(material):
    make(material, "one")
    make(material, "two")
    one, two = (Store(material.folder / name).item_records() for name in ("one", "two"))
    assert [item.caption for item in one] == [item.caption for item in two]
    assert not {item.code for item in one} & {item.code for item in two}


def test_pictures_are_upright_small_and_without_what_cameras_note(material):
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    exif[0x010E] = "taken at home"
    Image.new("RGB", (2000, 1000), "red").save(material.images / "p000.jpg", exif=exif)
    (material.images / "p000.png").unlink()
    make(material)
    folder = material.folder / "study" / PICTURES
    sizes = {}
    for path in folder.iterdir():
        with Image.open(path) as picture:
            sizes[picture.size] = picture.getexif()
    assert (800, 1600) in sizes
    assert not any(sizes.values())
    assert all(b"taken at home" not in path.read_bytes() for path in folder.iterdir())


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda path: path.write_bytes(b""), r"p002.png is empty \(0 bytes\)"),
        (lambda path: path.write_text("hello"), "p002.png is not a picture; expected JPEG, PNG"),
        (lambda path: path.write_bytes(path.read_bytes()[:60]), "p002.png cannot be decoded: .*; mend it, or remove"),
        (
            lambda path: path.unlink(),
            "1 of 6 captioned images have no picture in the folder `images`, the first is p002",
        ),
    ],
)
def test_broken_pictures_are_named_and_nothing_is_left(material, damage, message):
    damage(material.images / "p002.png")
    with pytest.raises(DataError, match=message):
        make(material)
    assert sorted(path.name for path in material.folder.iterdir()) == [
        "fancy.json", "images", "plain.json", "references.json",
    ]  # fmt: skip


def test_an_existing_folder_is_not_touched(material):
    (material.folder / "study").mkdir()
    with pytest.raises(DataError, match="study already exists; choose another `folder` or remove it first"):
        make(material)


def test_systems_need_names_of_their_own(material):
    with pytest.raises(UsageError, match="name at least one system"):
        new_study(material.folder / "s", {}, [], material.images, Wishes())
    with pytest.raises(UsageError, match="a system's name must be printable and not 'ground truth'"):
        make(material, systems={"ground truth": material.systems["plain"]})


def test_empty_and_long_captions_are_told(material):
    odd = material.write("odd", dict.fromkeys(material.ids, "fine") | {"p001": " ", "p004": "x" * 10_000})
    warnings = make(material, systems={"odd": odd}).warnings
    assert warnings[0].startswith("1 empty caption; raters see that they are empty (first: odd, image p001)")
    assert warnings[1].startswith("1 caption of more than 300 characters (first: odd, image p004)")


def test_pictures_are_found_by_file_name_by_id_and_by_coco_s_number(tmp_path):
    for name in ("COCO_val2014_000000000042.jpg", "7.png", "sub/cat.webp", "named.jpeg"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    folder = PictureFolder(tmp_path, {"n": "elsewhere/named.jpg", "7": "missing.jpg"})
    found = {image: folder.find(image) for image in ("42", "7", "cat", "n", "43", "../x")}
    assert {image: path and path.name for image, path in found.items()} == {
        "42": "COCO_val2014_000000000042.jpg",
        "7": "7.png",
        "cat": "cat.webp",
        "n": "named.jpeg",
        "43": None,
        "../x": None,
    }
    with pytest.raises(DataError, match="is not a folder; `images`"):
        PictureFolder(tmp_path / "nowhere", {})


@pytest.mark.parametrize("names", [("a/x.jpg", "b/x.jpg"), ("x.jpg", "x.png"), ("val_0007.jpg", "train_0007.jpg")])
def test_two_pictures_of_one_name_are_refused_where_one_is_needed(tmp_path, names):
    for name in (*names, "y.jpg"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    image = "7" if "0007" in names[0] else "x"
    first, second = sorted(names)
    message = f"{first} and .*{second} could both be the picture of image {image}; rename or remove one of them"
    with pytest.raises(DataError, match=message):
        PictureFolder(tmp_path, {}).find(image)
    assert PictureFolder(tmp_path, {}).find("y") == tmp_path / "y.jpg"
    assert PictureFolder(tmp_path, {image: names[1]}).find(image) == tmp_path / names[1], "the dataset tells which"


def test_references_in_other_forms(material):
    annotations = [{"image_id": n, "id": n, "caption": f"a wall {n}"} for n in range(3)]
    images = [{"id": n, "file_name": f"p00{n}.png"} for n in range(3)]
    coco = material.write("captions_coco", {"images": images, "annotations": annotations})
    results = material.write("coco_results", [{"image_id": n, "caption": f"wall {n}"} for n in range(3)])
    made = new_study(material.folder / "s", {"a": results}, [coco], material.images, Wishes(control=1.0))
    assert made.plan.studied == ("0", "1", "2")
    assert made.plan.references["2"] == ("a wall 2",)


def test_a_changed_source_is_noticed_and_a_touched_or_moved_one_is_not(material):
    make(material)
    settings = Store(material.folder / "study").settings
    assert settings.changed_sources() == []
    plain = material.systems["plain"]
    plain.touch()
    assert settings.changed_sources() == []
    plain.write_text(json.dumps({"p000": "new"}))
    assert settings.changed_sources() == [str(plain.resolve())]
    plain.unlink()
    assert settings.changed_sources() == []
