"""The built-in scenes: prefix property, splits without a leak, captions that are English and true."""

import re
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spidercap.data.scenes import scene_images
from spidercap.scenes.actions import ACTIONS
from spidercap.scenes.compose import CLUTTER_KINDS, Scene, compose
from spidercap.scenes.describe import captions_of
from spidercap.scenes.english import finite, ing, plural, with_article
from spidercap.scenes.kinds import KINDS, PLACES

COUNT = 2500


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    return [compose(index, 1) for index in range(COUNT)]


@pytest.fixture(scope="module")
def captions(scenes) -> list[tuple[Scene, str]]:
    return [(scene, caption) for scene in scenes[:1200] for caption in captions_of(scene)]


def things_of(scene: Scene):
    return [thing for thing in (scene.subject, scene.object, scene.companion) if thing]


def test_a_small_dataset_is_the_prefix_of_a_larger_one():
    assert list(scene_images(30, 5)) == list(scene_images(90, 5))[:30]


def test_seeds_differ():
    assert [image.captions for image in scene_images(5, 1)] != [image.captions for image in scene_images(5, 2)]


def test_another_process_with_another_hash_seed_makes_the_same_scenes():
    code = "from spidercap.data.scenes import scene_images; print(list(scene_images(20, 3)))"
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        )
        for seed in ("1", "2")
    ]
    assert runs[0].stdout == runs[1].stdout == f"{list(scene_images(20, 3))}\n"


def test_captions_need_no_pillow():
    code = (
        "import sys; sys.modules['PIL'] = None; from spidercap.data.scenes import scene_images; "
        "print(len(list(scene_images(3, 1))))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "3\n"


def test_ids_files_and_splits():
    images = list(scene_images(300, 1))
    assert images[123].id == "scene-000123"
    assert images[123].file == "scene-000123.jpg"
    assert {image.split for image in images} == {"train", "val", "test"}


def test_splits_are_about_eight_to_one_to_one(scenes):
    shares = Counter(scene.split() for scene in scenes)
    assert 0.76 < shares["train"] / COUNT < 0.84
    assert 0.07 < shares["val"] / COUNT < 0.13
    assert 0.07 < shares["test"] / COUNT < 0.13


def test_no_composition_is_in_two_splits(scenes):
    others = [compose(index, 2) for index in range(500)]
    splits: dict[str, set[str]] = {}
    for scene in [*scenes, *others]:
        splits.setdefault(scene.composition(), set()).add(scene.split())
    assert len(splits) < len(scenes) + len(others), "some compositions must occur twice for this test to mean anything"
    assert all(len(found) == 1 for found in splits.values())


def test_all_kinds_places_and_actions_occur(scenes):
    far = [*scenes, *(compose(index, 1) for index in range(COUNT, 2 * COUNT))]
    assert {thing.kind for scene in far for thing in things_of(scene)} == set(KINDS)
    assert {scene.place for scene in far} == set(PLACES)
    assert {scene.action for scene in far} == set(ACTIONS)
    assert len(KINDS) >= 45
    assert len(PLACES) >= 10


def test_kinds_are_uneven_as_in_the_world(scenes):
    counts = sorted(Counter(thing.kind for scene in scenes for thing in things_of(scene)).values())
    assert counts[-1] > 20 * counts[len(counts) // 10]


def test_five_different_captions_of_six_to_eighteen_words(captions):
    found: dict[int, set[str]] = {}
    for scene, caption in captions:
        assert 6 <= len(caption.split()) <= 18, caption
        found.setdefault(scene.index, set()).add(caption.lower().rstrip("."))
    assert all(len(texts) == 5 for texts in found.values())


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**9), st.integers(-(2**40), 2**40))
def test_any_index_and_seed_gives_five_captions(index, seed):
    assert len(captions_of(compose(index, seed))) == 5


def test_captions_are_clean_text(captions):
    for _, caption in captions:
        assert re.fullmatch(r"[A-Za-z]+( [a-z]+)*\.?", caption), caption


def test_articles_fit_the_next_word(captions):
    for _, caption in captions:
        for article, word in re.findall(r"\b(an?) (\w+)", caption.lower()):
            assert (article == "an") == (word[0] in "aeiou"), caption
        assert not re.search(r"\b(a|an) (a|an|the|two|three|skis)\b", caption.lower()), caption


def test_grown_animals_are_not_called_young(captions):
    for _, caption in captions:
        assert not re.search(r"\b(big|large) (\w+ )?(puppy|kitty)", caption.lower()), caption


def test_adults_kneel_by_low_animals(captions):
    seen = 0
    for scene, caption in captions:
        low = scene.object is not None and scene.object.kind in ("dog", "sheep", "duck")
        if scene.action in ("pet", "feed ducks") and low and scene.subject.kind in ("man", "woman"):
            seen += 1
            assert " stand" not in caption, caption
    assert seen


def test_no_word_is_doubled(captions):
    for _, caption in captions:
        assert not re.search(r"\b(\w+) \1\b", caption.lower()), caption


def test_verbs_agree_with_their_subjects(captions):
    for scene, caption in captions:
        text = caption.lower()
        wrong = "is" if scene.subject.count > 1 else "are"
        assert f"there {wrong} " not in text, caption
        if text.startswith(("two ", "three ", "four ", "five ")):
            assert not re.match(r"\w+( \w+){1,4} is ", text), caption


def test_number_words_are_true(captions):
    numbers = {"two": 2, "three": 3, "four": 4, "five": 5, "couple": 2, "pair": 2}
    said = Counter()
    for scene, caption in captions:
        counts = {thing.count for thing in things_of(scene)}
        for word in caption.lower().rstrip(".").split():
            if word in numbers:
                said[word] += 1
                assert numbers[word] in counts, caption
            if word in ("few", "several", "herd", "flock", "group", "pack", "bunch"):
                assert max(counts) >= 3, caption
    assert all(said[word] for word in numbers)


def test_colour_words_are_true(captions):
    colours = {colour for kind in KINDS.values() for colour in kind.colours} - {"orange"}
    for scene, caption in captions:
        true = {thing.colour for thing in things_of(scene)}
        true |= {"black", "white"} if "cow" in {thing.kind for thing in things_of(scene)} else set()
        for word in caption.lower().replace("under a blue sky", "").replace("a green ", "").rstrip(".").split():
            if word in colours:
                assert word in true or f"{word} meadow" in caption or f"{word} hills" in caption, caption


def test_nothing_is_named_that_is_not_there(captions):
    for kind in ("bus", "elephant", "kite", "laptop", "pizza", "refrigerator", "snowman", "tent", "train"):
        names = {name.split()[-1] for name in KINDS[kind].names} - {"computer", "man"}
        for scene, caption in captions:
            if kind not in {thing.kind for thing in things_of(scene)} and scene.place != "train station":
                assert not names & set(caption.lower().rstrip(".").split()), caption


def test_hour_and_weather_are_true(captions):
    claims = {"night": "night", "dark": "night", "sunset": "sunset", "evening": "sunset"}
    weathers = {"rain": "rain", "rainy": "rain", "foggy": "fog", "fog": "fog", "cloudy": "cloudy", "sunny": "clear"}
    for scene, caption in captions:
        for word in caption.lower().rstrip(".").split():
            assert claims.get(word, scene.time) == scene.time, caption
            assert weathers.get(word, scene.weather) == scene.weather, caption


def test_clutter_never_makes_a_count_untrue(scenes):
    for scene in scenes:
        kinds = {thing.kind for thing in things_of(scene)}
        assert not kinds & {CLUTTER_KINDS.get(item, item) for item in scene.clutter}


def test_captions_differ_in_case_and_stop(captions):
    styles = Counter((caption[0].isupper(), caption.endswith(".")) for _, caption in captions)
    assert set(styles) == {(True, True), (True, False), (False, True), (False, False)}
    assert styles[True, True] > len(captions) / 2


@pytest.mark.parametrize(
    ("noun", "expected"),
    [("man", "men"), ("bus", "buses"), ("cup of coffee", "cups of coffee"), ("park bench", "park benches"),
     ("sheep", "sheep"), ("vase with flowers", "vases with flowers")],
)  # fmt: skip
def test_plurals(noun, expected):
    assert plural(noun) == expected


def test_verb_forms():
    assert [ing(verb) for verb in ("ride", "sit", "lie", "walk", "be")] == ["riding", "sitting", "lying", "walking", ""]
    assert [finite(verb, False) for verb in ("fly", "watch", "be", "go")] == ["flies", "watches", "is", "goes"]
    assert finite("be", True) == "are"


def test_articles():
    assert with_article("orange cat") == "an orange cat"
    assert with_article("skis") == "skis"
