"""The feature store: what is written is read, and files that do not fit are refused."""

import json
import pickle
from contextlib import closing

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spidercap.errors import DataError
from spidercap.vision.feature_store import FeatureStore, RowFile, import_vectors, read_ids


@pytest.fixture
def vectors():
    return np.arange(12, dtype=np.float32).reshape(4, 3)


@pytest.fixture
def store(tmp_path, vectors):
    """A store of four vectors."""
    save = tmp_path / "vectors.npy"
    np.save(save, vectors)
    import_vectors(save, ["a", "b", "c", "d"], tmp_path / "store")
    return tmp_path / "store"


def imported(tmp_path, array, ids, dtype=None):
    np.save(tmp_path / "vectors.npy", array)
    import_vectors(tmp_path / "vectors.npy", ids, tmp_path / "store", dtype)
    return FeatureStore.open(tmp_path / "store")


def test_rows_come_in_the_order_asked_for(store, vectors):
    opened = FeatureStore.open(store)
    assert opened.ids == ("a", "b", "c", "d")
    assert (len(opened), opened.width) == (4, 3)
    assert "a" in opened
    assert "z" not in opened
    rows = opened.rows(["d", "a", "d"])
    assert rows.dtype == np.float32
    assert np.array_equal(rows, vectors[[3, 0, 3]])
    assert opened.rows([]).shape == (0, 3)


def test_vectors_are_memory_mapped(store):
    assert isinstance(FeatureStore.open(store).vectors, np.memmap)


def test_other_tools_can_read_the_files(store, vectors):
    assert np.array_equal(np.load(store / "features.npy"), vectors)
    assert (store / "ids.txt").read_text(encoding="utf-8") == "a\nb\nc\nd\n"
    description = json.loads((store / "features.json").read_text(encoding="utf-8"))
    assert (description["count"], description["width"], description["dtype"]) == (4, 3, "float32")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    ids=st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\0"), min_size=1),
        min_size=1,
        unique=True,
    )
)
def test_any_ids_of_one_line_round_trip(tmp_path_factory, ids):
    folder = tmp_path_factory.mktemp("ids")
    assert imported(folder, np.zeros((len(ids), 2), np.float16), ids).ids == tuple(ids)


@pytest.mark.parametrize(
    ("given_type", "asked", "stored"),
    [
        ("float16", None, "float16"),
        ("float32", None, "float32"),
        ("float64", None, "float32"),
        ("int64", None, "float32"),
        (">f4", None, "float32"),
        ("float32", "float16", "float16"),
    ],
)
def test_number_types(tmp_path, given_type, asked, stored):
    opened = imported(tmp_path, np.array([[1, 2]], given_type), ["a"], asked)
    assert opened.vectors.dtype == stored
    assert opened.rows(["a"]).tolist() == [[1, 2]]


def test_fortran_order_is_turned(tmp_path, vectors):
    opened = imported(tmp_path, np.asfortranarray(vectors), list("abcd"))
    assert np.array_equal(opened.rows(list("abcd")), vectors)


def test_missing_ids_are_counted_and_named(store):
    with pytest.raises(DataError, match="no vector for 2 of 3 images, the first is 'x'"):
        FeatureStore.open(store).rows(["a", "x", "y"])


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_import_refuses_values_that_are_not_finite(tmp_path, vectors, value):
    vectors[2, 1] = value
    with pytest.raises(DataError, match="the vector of 'c' holds NaN or infinite values"):
        imported(tmp_path, vectors, list("abcd"))
    assert not (tmp_path / "store").exists()


def test_import_refuses_what_float16_cannot_hold(tmp_path):
    with pytest.raises(DataError, match="as float16: the vector of 'a'"):
        imported(tmp_path, np.array([[1e6]]), ["a"], "float16")


def test_rows_damaged_later_are_found_when_read(store):
    content = bytearray((store / "features.npy").read_bytes())
    content[-4:] = np.float32(np.nan).tobytes()
    (store / "features.npy").write_bytes(content)
    opened = FeatureStore.open(store)
    assert opened.rows(["a"]).shape == (1, 3)
    with pytest.raises(DataError, match="the vector of 'd' holds NaN"):
        opened.rows(["a", "d"])


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros(3), "holds 3, expected one matrix"),
        (np.zeros((1, 2, 3)), "holds 1 × 2 × 3, expected one matrix"),
        (np.zeros((0, 3)), "holds 0 × 3, expected one matrix"),
        (np.array([["x"]]), "expected real numbers"),
        (np.array([[1j]]), "expected real numbers"),
        (np.zeros((2, 3)), "holds 2 vectors, but there are 1 ids"),
    ],
)
def test_import_refuses_other_arrays(tmp_path, array, message):
    with pytest.raises(DataError, match=message):
        imported(tmp_path, array, ["a"])
    assert not (tmp_path / "store").exists()


class Trap:
    """Fails the test if it is ever unpickled."""

    def __reduce__(self):
        return (pytest.fail, ("unpickled",))


def test_pickles_are_never_loaded(tmp_path):
    np.save(tmp_path / "objects.npy", np.array([[Trap()]], dtype=object), allow_pickle=True)
    (tmp_path / "plain.npy").write_bytes(pickle.dumps(Trap()))
    for name in ("objects.npy", "plain.npy"):
        with pytest.raises(DataError, match=f"{name} is not a whole .npy file"):
            import_vectors(tmp_path / name, ["a"], tmp_path / "store")


def test_import_refuses_a_cut_file_and_a_missing_one(tmp_path, vectors):
    np.save(tmp_path / "v.npy", vectors)
    (tmp_path / "v.npy").write_bytes((tmp_path / "v.npy").read_bytes()[:-5])
    with pytest.raises(DataError, match=r"v\.npy is not a whole \.npy file"):
        import_vectors(tmp_path / "v.npy", list("abcd"), tmp_path / "store")
    with pytest.raises(DataError, match=r"w\.npy does not exist"):
        import_vectors(tmp_path / "w.npy", list("abcd"), tmp_path / "store")


def test_import_refuses_archives_of_arrays(tmp_path, vectors):
    np.savez(tmp_path / "v.npz", vectors)
    with pytest.raises(DataError, match="holds an archive"):
        import_vectors(tmp_path / "v.npz", list("abcd"), tmp_path / "store")


def test_import_never_writes_over(store, tmp_path):
    with pytest.raises(DataError, match="already exists"):
        import_vectors(tmp_path / "vectors.npy", list("abcd"), store)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a\nb\na\n", "entry 3: the id 'a' occurs twice"),
        (b"a\n\nb\n", "entry 2: '' cannot be an id"),
        (b"a\rb\n", "cannot be an id"),
        (b"a\0\n", "NUL"),
        (b"\xff\n", "not UTF-8"),
    ],
)
def test_ids_that_cannot_be(tmp_path, content, message):
    (tmp_path / "ids.txt").write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_ids(tmp_path / "ids.txt")


def test_ids_with_windows_line_ends_and_without_a_last_one(tmp_path):
    (tmp_path / "ids.txt").write_bytes(b"a\r\nb")
    assert read_ids(tmp_path / "ids.txt") == ["a", "b"]


def test_folder_that_is_no_store(tmp_path):
    with pytest.raises(DataError, match="is not a feature store"):
        FeatureStore.open(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("ids.txt", "a\nb\n", "do not belong together: features.npy is 4 × 3, .* holds 2 ids"),
        ("features.json", '{"version": 1, "count": 4, "width": 9}', "features.json says 4 × 9"),
        ("features.json", '{"version": 9, "count": 4, "width": 3}', "version 9, expected 1"),
        ("features.json", "[]", "does not describe features"),
        ("features.json", "{", "cut short|not JSON"),
        ("features.npy", "", "is not a whole .npy file"),
    ],
)
def test_files_that_do_not_fit(store, name, content, message):
    (store / name).write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        FeatureStore.open(store)


def test_row_file_goes_on_after_rows_it_holds(tmp_path, vectors):
    path = tmp_path / "features.npy"
    rows = RowFile(path, 3, "float32")
    rows.append(vectors, list("abcd"), "test")
    rows.close()
    assert RowFile.rows_in(path, 3, "float32") == 4
    again = RowFile(path, 3, "float32", 2)
    again.append(vectors[:1], ["e"], "test")
    again.finish()
    assert np.array_equal(np.load(path), vectors[[0, 1, 0]])


def test_row_file_refuses_another_width(tmp_path, vectors):
    rows = RowFile(tmp_path / "f.npy", 5, "float32")
    with closing(rows), pytest.raises(ValueError, match="expected vectors 4 × 5, got 4 × 3"):
        rows.append(vectors, list("abcd"), "test")
