"""The choice of tokenizer by name, and the search for line breaks."""

import pytest

from spidercap.errors import UsageError
from spidercap.text.tokenize import TOKENIZERS, tokenize, with_line_breaks


def test_the_three_tokenizers_by_name():
    captions = ["The letter K.", "A dog's ball."]
    assert tokenize(captions) == ["the letter k.", "a dog 's ball"]
    assert tokenize(captions, "ptb-compat") == ["the letter k", "a dog 's ball"]
    assert tokenize(captions, "none") == captions


def test_an_unknown_tokenizer_is_named():
    with pytest.raises(UsageError, match="`tokenizer` must be one of ptb, ptb-compat, none, got 'moses'"):
        tokenize(["a"], "moses")


def test_line_breaks_are_found_where_the_reference_would_shift():
    assert with_line_breaks(["a\nb", "a\rb", "plain", "a\u2028b", "a\x85b"]) == [1, 3, 4]


def test_half_a_surrogate_pair_becomes_a_blank_everywhere():
    for tokenizer in TOKENIZERS:
        assert tokenize(["caf\u00e9 a\ud800b"], tokenizer) == ["caf\u00e9 a b"]
