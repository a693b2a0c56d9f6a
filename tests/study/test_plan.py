"""Which pictures and captions a study shows."""

import pytest

from spidercap.errors import DataError, UsageError
from spidercap.study.plan import Credit, Wishes, make_plan
from spidercap.study.scales import GROUND_TRUTH, MISPLACED

IMAGES = [str(number) for number in range(20)]
ALPHA = {image: f"alpha {image}" for image in IMAGES}
BETA = {image: f"beta {image}" for image in IMAGES}
TRUTHS = {image: [f"truth {image}", f"fact {image}"] for image in [*IMAGES, "30", "31", "32"]}
PICTURES = [*IMAGES, "30", "31", "32"]


def plan(systems=None, references=TRUTHS, pictures=PICTURES, **wishes):
    return make_plan(systems or {"a": ALPHA, "b": BETA}, references, pictures, Wishes(**wishes))


def test_every_caption_of_every_chosen_picture_is_an_item():
    made = plan(control=0)
    assert len(made.items) == 40
    assert {(item.image, item.caption) for item in made.items} == {*ALPHA.items(), *BETA.items()}
    assert made.studied == tuple(IMAGES)


def test_the_seed_chooses_pictures_and_order():
    assert plan(count=5, seed=1) == plan(count=5, seed=1)
    assert len(plan(count=5).studied) == 5
    assert plan(count=5, seed=1).studied != plan(count=5, seed=2).studied
    assert [i.caption for i in plan(control=0).items] != [i.caption for i in plan(control=0, seed=1).items]


def test_the_same_caption_is_rated_once_and_credited_to_both():
    made = plan({"a": ALPHA, "b": {**BETA, "3": " alpha  3 "}}, control=0)
    shared = [item for item in made.items if len(item.credits) == 2]
    assert [(item.image, item.caption, item.credits) for item in shared] == [
        ("3", "alpha 3", [Credit("a"), Credit("b")])
    ]
    assert len(made.items) == 39


def test_ground_truth_of_studied_pictures_and_of_others():
    controls = [item for item in plan(control=0.25).items if Credit(GROUND_TRUTH) in item.credits]
    assert len(controls) == 5
    assert all(item.caption in TRUTHS[item.image] for item in controls)
    assert sum(Credit(GROUND_TRUTH) in item.credits for item in plan(count=2, control=0.2).items) == 1
    others = [i for i in plan(control=0.15, control_from="others").items if Credit(GROUND_TRUTH) in i.credits]
    assert {item.image for item in others} == {"30", "31", "32"}


def test_a_control_that_a_system_also_wrote_is_credited_to_both():
    made = plan({"a": {image: f"truth {image}" for image in IMAGES}}, {i: [f"truth {i}"] for i in IMAGES}, control=1.0)
    assert all(item.credits == [Credit("a"), Credit(GROUND_TRUTH)] for item in made.items)


def test_pairs_of_systems():
    third = {**BETA, "5": "alpha 5"}
    made = plan({"a": ALPHA, "b": BETA, "c": third}, scale="pairwise", control=0.1)
    controls = [item for item in made.items if Credit(GROUND_TRUTH, MISPLACED) in item.credits]
    assert len(controls) == 2
    assert all(item.other not in TRUTHS[item.image] for item in controls)
    shown = {(item.image, item.caption, item.other): item.credits for item in made.items if item not in controls}
    # b and c are equal but on image 5, where c equals a: one pair an image, credited to all whose captions it shows.
    assert len(shown) == 20
    assert shown["7", "alpha 7", "beta 7"] == [Credit("a", "b"), Credit("a", "c")]
    assert shown["5", "alpha 5", "beta 5"] == [Credit("a", "b"), Credit("c", "b")]


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({"scale": "stars"}, "`scale` must be one of four-point, pairwise"),
        ({"raters": 0}, "`raters` must be between 1 and 1,000, got 0"),
        ({"raters": 10**20}, "`raters` must be between 1 and 1,000, got 1000"),
        ({"count": 0}, "`count` must be at least 1"),
        ({"count": 21}, "`count` asks for 21 pictures, and there are 20"),
        ({"seed": -1}, "`seed` must be 0 or more, got -1"),
        ({"control": -1}, "`control` must be 0 or more"),
        ({"control": float("nan")}, "`control` must be 0 or more, got nan"),
        ({"control_from": "elsewhere"}, "`control_from` must be studied or others"),
        ({"patience": 0}, "`patience` must be more than 0"),
        ({"control": 1.0, "control_from": "others"}, "asks for 20 ground-truth captions, and 3 pictures"),
    ],
)
def test_wishes_that_cannot_be_met(wishes, message):
    with pytest.raises(UsageError, match=message):
        plan(**wishes)


def test_missing_captions_and_pictures():
    partial = {"a": ALPHA, "b": {"1": "x"}}
    with pytest.raises(
        DataError, match="the system b has no caption of 19 images .* the first is 0; .*`allow_partial`"
    ):
        plan(partial)
    assert plan(partial, allow_partial=True, control=0).studied == ("1",)
    with pytest.raises(DataError, match="2 of 20 captioned images have no picture .* the first is 4"):
        plan(pictures=[image for image in IMAGES if image not in ("4", "9")])
    with pytest.raises(DataError, match="no image has a picture and a caption"):
        plan(pictures=["99"], allow_partial=True)


def test_pairs_need_two_systems_and_a_difference():
    with pytest.raises(UsageError, match="give at least two"):
        plan({"a": ALPHA}, scale="pairwise")
    with pytest.raises(DataError, match="nothing to compare"):
        plan({"a": ALPHA, "b": ALPHA}, scale="pairwise", control=0)
