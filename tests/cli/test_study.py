"""`spidercap study` as a command: make, invite, report, demo; one line of error."""

import json
import re

import pytest

pytest.importorskip("starlette", reason="needs the study extra: pip install 'spidercap[study]'")

from PIL import Image

from spidercap.cli import main
from spidercap.study.store import Store
from spidercap.web.keys import hash_key

IDS = ("1", "2", "3", "4", "5")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pictures").mkdir()
    for image in IDS:
        Image.new("RGB", (20, 20), "navy").save(tmp_path / "pictures" / f"{image}.jpg")
    for name in ("ours", "theirs"):
        records = [{"image_id": int(image), "caption": f"{name} {image}"} for image in IDS]
        (tmp_path / f"{name}.json").write_text(json.dumps(records))
    (tmp_path / "refs.json").write_text(json.dumps({image: [f"truth {image}"] for image in IDS}))
    return tmp_path


def run(capsys, *arguments):
    """Exit code, output, error."""
    with pytest.raises(SystemExit) as stopped:
        main(["study", *arguments])
    captured = capsys.readouterr()
    return stopped.value.code, captured.out, captured.err


NEW = ("new", "s", "--system", "ours=ours.json", "--system", "theirs=theirs.json", "--images", "pictures")
REFERENCES = ("--references", "refs.json")


def test_new_invite_report(folder, capsys):
    code, out, _ = run(capsys, *NEW, *REFERENCES, "--count", "4", "--control", "0.5", "--url", "https://x.test/study/")
    assert code == 0
    assert "s: 4 pictures, 10 items, 30 answers wanted" in out
    store = Store(folder / "s")
    owner = re.search(r"https://x.test/study/owner\?token=(\S+)", out)[1]
    assert store.owner_has(hash_key(owner))
    code, out, _ = run(capsys, "invite", "s", "anna", "ben", "--owner")
    links = dict(line.split("\t") for line in out.splitlines())
    assert set(links) == {"anna", "ben", "owner"}
    assert not store.owner_has(hash_key(owner))
    anna = store.rater_of(hash_key(links["anna"].partition("token=")[2]))
    assert anna.name == "anna"
    while queue := store.desk(anna).queue:
        store.answer(anna, queue[0].code, 0, "good", 3000)
    store.close()
    code, out, _ = run(capsys, "report", "s", "--out", "r", "--baseline", "theirs", "--no-metrics")
    assert code == 0
    assert "ours: – of 0 images, 0 unknown" in out
    assert (folder / "r" / "report.html").exists()


def test_a_name_that_is_given_twice_gets_one_link_that_works(folder, capsys):
    run(capsys, *NEW)
    _, out, _ = run(capsys, "invite", "s", "anna", "ben", " anna")
    links = [line.split("\t") for line in out.splitlines()]
    assert [name for name, _ in links] == ["anna", "ben"]
    store = Store(folder / "s")
    assert store.rater_of(hash_key(links[0][1].partition("token=")[2])).name == "anna"
    store.close()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("new", "s", "--system", "ours.json", "--images", "pictures"), 2, "--system ours.json: expected NAME=RESULTS"),
        ((*NEW, "--system", "ours=theirs.json"), 2, "another system is named 'ours' too"),
        ((*NEW, "--control", "0.5"), 2, "--control needs ground truth; give it with --references"),
        ((*NEW, *REFERENCES, "--raters", "0"), 2, "--raters must be between 1 and 1,000, got 0"),
        (("new", "s", "--system", "a=nothing.json", "--images", "pictures"), 1, "nothing.json does not exist"),
        (("new", "s", "--system", "a=ours.json", "--images", "nowhere"), 1, "nowhere is not a folder; --images"),
        (("invite", "pictures", "anna"), 1, "pictures is not a study (no study.sqlite)"),
        (("invite", "pictures"), 2, "name the raters to invite, or ask for the owner's link with --owner"),
        (("report", "pictures", "--out", "r"), 1, "pictures is not a study"),
        (("report", "pictures", "--out", "pictures"), 1, "pictures already exists"),
        (("report", "pictures", "--out", "r", "--examples", "-1"), 2, "--examples must be 0 or more, got -1"),
        (("report", "pictures", "--out", "r", "--fast-seconds", "-1"), 2, "--fast-seconds must be 0 or more, got -1"),
        (("report", "pictures", "--out", "r", "--fast-seconds", "nan"), 2, "--fast-seconds must be 0 or more, got nan"),
        (("serve", "pictures"), 1, "pictures is not a study"),
        (("demo", "--out", "pictures", "--no-serve"), 1, "pictures already exists; choose another --out"),
        (("demo", "--out", "d", "--seed", "-1"), 2, "--seed must be 0 or more, got -1"),
        (("demo", "--out", "d", "--count", "0"), 2, "--count must be at least 1, got 0"),
        (("demo", "--out", "d", "--port", "99999"), 2, "--port must be between 0 and 65535, got 99999"),
        (("demo", "--out", "d", "--no-serve", "--port", "0"), 2, "--port must be between 1 and 65535, got 0"),
    ],
)
def test_errors_are_one_line_and_leave_nothing(folder, capsys, arguments, code, message):
    before = sorted(folder.rglob("*"))
    found, out, err = run(capsys, *arguments)
    assert (found, out) == (code, "")
    assert err.startswith("spidercap: ")
    assert err.count("\n") == 1
    assert message in err
    assert sorted(folder.rglob("*")) == before


def test_the_demo_takes_no_study_over(folder, capsys):
    own = ("new", "own/study", *NEW[2:])
    owner = re.search(r"owner\?token=(\S+)", run(capsys, *own)[1])[1]
    code, out, err = run(capsys, "demo", "--out", "own", "--no-serve")
    assert (code, out) == (1, "")
    assert "study holds the study 'study', expected that of an earlier demo; choose another --out" in err
    assert [path.name for path in (folder / "own").iterdir()] == ["study"]
    store = Store(folder / "own" / "study")
    assert store.owner_has(hash_key(owner))
    store.close()


def test_the_demo_is_made_reported_and_kept(tmp_path, capsys):
    arguments = ("demo", "--out", str(tmp_path / "d"), "--no-serve", "--count", "6")
    code, out, _ = run(capsys, *arguments)
    assert code == 0
    assert "careful" in out
    links = dict(re.findall(r"(owner|raters): \S+\?token=(\S+)", out))
    store = Store(tmp_path / "d" / "study")
    you = store.rater_of(hash_key(links["raters"]))
    assert store.owner_has(hash_key(links["owner"]))
    assert store.desk(you).left > 0
    store.close()
    assert "Hasty" in (tmp_path / "d" / "report" / "report.md").read_text()
    again = run(capsys, *arguments)
    assert again[0] == 0
    assert "kept" in again[1]
