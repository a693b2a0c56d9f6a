"""The network of odds: what it learns from words and charts, and that what is stored says the same."""

from pathlib import Path

import numpy as np
import pytest
import torch

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "tools" / "parser"
SHIPPED = ROOT / "src" / "spidercap" / "metrics" / "data" / "spice_parser.bin"


@pytest.fixture(autouse=True)
def tools(monkeypatch):
    """The tools, with small tables: most of a step is spent on their rows."""
    monkeypatch.syspath_prepend(str(TOOLS))
    for module in ("odds", "tag_odds", "span_odds"):
        monkeypatch.setattr(f"{module}.ROWS", 1 << 10)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def test_odds_of_tags_rise_with_what_is_recorded(monkeypatch):
    from odds import ROWS, rows_of
    from tag_odds import Choices, learn

    monkeypatch.setattr("tag_odds.BATCH", 200)
    bits = np.random.default_rng(1).integers(0, 2, (4000, 17))
    features = (2 * np.arange(17) + bits).astype(np.uint32)
    tags = np.tile(np.array([0, 1], np.uint16), len(features))
    is_right = tags == np.repeat(bits[:, 3], 2)
    words = Choices(features, np.arange(0, len(tags) + 1, 2), tags, np.zeros(len(tags), np.float32), is_right)
    arrays = learn([words], 2, rounds=30)
    two = 2 * np.arange(17) + np.array([np.zeros(17), np.arange(17) == 3])
    rows = rows_of(two.astype(np.uint32), ROWS).numpy()
    hidden = np.maximum(0, arrays["embedding"][rows].sum(axis=1))
    odds = hidden @ arrays["vectors"].T + arrays["bias"]
    assert odds[0, 0] > odds[0, 1] + 1
    assert odds[1, 1] > odds[1, 0] + 1


def wide_stage():
    from span_odds import Stage

    return Stage(0, {"label_odds": -20.0, "active_odds": -20.0, "class_odds": -20.0}, 1.0, 60)


def charts_of(model, captions):
    from model_file import read
    from odds import Outputs
    from span_odds import read_charts

    tags, labels, _, states = np.frombuffer(read(model)["counts"], np.uint32)[:4].tolist()
    outputs = Outputs.of(model, np.full(states - labels, tags))
    return read_charts(model, captions, outputs, wide_stage()), outputs


def test_a_batch_has_the_items_of_its_captions():
    from span_odds import Batches

    charts, outputs = charts_of(SHIPPED, ["a dog runs", "two cats"])
    batch = Batches(charts, outputs, 0.5)(np.array([1, 0]))
    assert len(batch.features) == 5
    assert batch.first.max() == 4
    in_tree = batch.wanted.numpy() > 0
    spans = set(zip(batch.first[in_tree].tolist(), batch.last[in_tree].tolist(), strict=True))
    # "two cats", "a dog" and the whole of the second; not "dog runs".
    assert {(0, 1), (2, 3), (2, 4)} <= spans
    assert (3, 4) not in spans
    assert (batch.weight.numpy() == np.where(in_tree, 1, 2)).all()


def stored_odds(arrays, charts, words, output):
    """The odds of an output over the first so many words of the first caption, by the stored numbers, no estimate."""
    from odds import INNER, INNER_ROWS, ROWS, rows_of

    embedding, inner, shapes = (arrays[name].astype(int) for name in ("odds_embedding", "odds_inner", "odds_shapes"))
    rows, places = rows_of(charts.features, ROWS).numpy(), rows_of(charts.features[:, INNER], INNER_ROWS).numpy()
    shape = words * 4 + 2 + (words == charts.words[1])
    hidden = embedding[rows[0]].sum(axis=0)[:32] + embedding[rows[words - 1]].sum(axis=0)[32:64] + shapes[shape]
    hidden += shapes[64 + charts.is_verb[:words].sum()] + inner[places[:words]].sum(axis=(0, 1))
    return arrays["class_bias"][output] + arrays["odds_units"][2] * (
        arrays["class_vectors"][output].astype(int) @ np.maximum(hidden, 0)
    )


def test_a_word_with_a_blank_that_does_not_break_is_one_word():
    charts, _ = charts_of(SHIPPED, ["4\u00a01/2 dogs", "two cats"])
    assert charts.words.tolist() == [0, 2, 4]
    assert len(charts.features) == len(charts.is_verb) == 4


def test_odds_of_states_are_learnt_from_what_stands_where():
    from model_file import read, read_texts
    from odds import ROWS
    from span_odds import learn

    charts, outputs = charts_of(SHIPPED, ["a dog runs", "two cats sit on a mat", "a man rides a horse"] * 40)
    tags = {"embedding": np.ones((ROWS, 32)), "vectors": np.ones((2, 32)), "bias": np.zeros(2), "trust": np.ones(2)}
    arrays = learn(charts, outputs, tags, wide_stage())
    noun_phrases = outputs.class_of[read_texts(read(SHIPPED), "plain")[outputs.tags :].index("NP")]
    over, whole = (stored_odds(arrays, charts, words, noun_phrases) for words in (2, 3))
    # A noun phrase over "a dog", and over "a dog runs".
    assert over > whole + 2
