"""The PTB tokenizer: worked examples, both modes, odd characters, and input made to be slow."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spidercap._native import tokenize

NBSP = "\u00a0"

EXAMPLES = {
    # contractions and words with apostrophes
    "can't won't": "ca n't wo n't",
    "don’t": "do n't",
    "shouldn't've": "should n't 've",
    "I'd've": "i 'd 've",
    "boys'": "boys",
    "y'all": "y' all",
    "isn`t": "is n`t",
    "CONT'D x": "cont 'd x",
    "cont'd. x": "cont'd. x",
    "cannot": "can not",
    "Cannot's": "cannot 's",
    "'tis": "'t is",
    "gonna-be": "gonna-be",
    "O'Brien's ma'am": "o'brien 's ma'am",
    "rock'n'roll": "rock 'n' roll",
    "'90s": "'90s",
    "5'10\"": "5 10",
    "J'AI": "j'ai",
    "'empire'": "'em pire",
    "'tissue'": "'t issue",
    "‘street’": "street",
    "’street’": "'s treet",
    # hyphens, slashes, numbers
    "t-shirt's": "t-shirt 's",
    "a--b": "a b",
    "a ----- b": "a ----- b",
    "and/or/not/if": "and/or/not / if",
    "1,000,000.": "1,000,000",
    "v1.2": "v1 .2",
    "9:30a.m.": "9:30 a.m.",
    "1 1/2": f"1{NBSP}1/2",
    "2 1/2-inch": f"2{NBSP}1/2 inch",
    "1½ cups": "1 1/2 cups",
    "2014 201520": f"2014{NBSP}201520",
    "(555) 123-4567": f"-lrb-555-rrb-{NBSP}123-4567",
    # signs and abbreviations
    "US$20 us$20": "us$ 20 us $ 20",
    "5¢ £5.50": "5 cents # 5.50",
    "#winning! #1": "#winning # 1",
    "m² H₂O": "m ² h ₂ o",
    "Dr.Who J. K. Rowling": "dr.who j. k. rowling",
    "Ill. ill.": "ill. ill",
    "No.1 no.": "no. 1 no",
    "letter a...": "letter a.",
    "dec.a b": "dec. a b",
    "dec.ab": "dec.ab",
    "sink., wi-fi., AT&T., x": "sink. wi-fi. at&t. x",
    "K. The dog": "k the dog",
    "k. <b> x": "k <b> x",
    "k. <b>x": "k. <b> x",
    "PTY. Pty.": "pty pty.",
    # marks, brackets, entities, smileys
    "wait . . . what?!": "wait what ?!",
    "(x) [x] {x}": "-lrb- x -rrb- -lsb- x -rsb- -lcb- x -rcb-",
    "< hello > <hello>": "< hello > <hello>",
    "<a href='x y'>z</a>": f"<a{NBSP}href='x{NBSP}y'> z </a>",
    "&amp; &lt;3 &QUOT;x &quot;x": "& < 3 &quot; x x",
    "it&apos;s it&APOS;s": "it 's it &apos;s",
    ":) :-) :D": ":-rrb- :--rrb- :d",
    "“‘ ’” ‘’": "``` ''' `'",
    # web and files
    "http://a.b/c. x": "http://a.b/c x",
    "X.com/maps x.com/maps x.com/y": "x.com / maps x.com/maps x.com / y",
    "www.x.co/ab. www.x.co": "www.x.co/ab www.x.co",
    "me@home, a.b@c.com.": "me@home, a.b@c.com",
    "<bob@x.com> @bob a @ b": "<bob@x.com> @bob a @ b",
    "main.py 3.jpg img_3.jpg": "main.py 3.jpg img_3 jpg",
    # other scripts
    "naïve 日本 a😀b": "naïve 日本 a b",
    "İ K Ⓐ": "i\u0307 k ⓐ",
    "ΣΑΣ ΣΑΣ-ΣΑΣ": "σας σασ-σας",
    "co\u00adop a\u200bb": "coop a b",
    "": "",
    " . , ; !? -": "!?",
}


@pytest.mark.parametrize("caption", EXAMPLES)
def test_examples(caption):
    assert tokenize([caption]) == [EXAMPLES[caption]]


WORDS = st.sampled_from(["a", "Dog", "RED", "zebra", "park", "two", "can", "not", "x"])
MARKS = st.sampled_from(["", ",", ";", ":", "!", "?", '"'])


@settings(deadline=None)
@given(st.lists(st.tuples(WORDS, MARKS, st.sampled_from([" ", "  ", "\t", "\n", "\r\n", "\u2028"]))))
def test_plain_words_lose_case_and_marks(parts):
    caption = "".join(word + mark + blank for word, mark, blank in parts)
    assert tokenize([caption]) == [" ".join(word.lower() for word, _, _ in parts)]


MARK_ATOMS = ["'", "’", '"', "&", "<", ">", "<a b='", "&amp;", ".", "...", ",", "-", "/", "@", "#", "$", "(", ")", ":"]
BLANK_ATOMS = ["\u00ad", "\u00a0", "\u3000", " ", "\t", "\r", "\x00", "\u0301"]
WORD_ATOMS = [
    "n't",
    "'s",
    "K.",
    "U.S",
    "etc.",
    "no.",
    "1",
    "1/2",
    "½",
    "The ",
    "dog",
    "gonna",
    "é",
    "日",
    "😀",
    "Σ",
    "İ",
]
ATOMS = st.sampled_from([*MARK_ATOMS, *BLANK_ATOMS, *WORD_ATOMS, "www.", "x.com", "http://", "a@b"])
CAPTIONS = st.one_of(st.text(max_size=20), st.lists(ATOMS, max_size=8).map("".join))


@settings(deadline=None)
@given(st.lists(CAPTIONS, max_size=6))
def test_captions_never_shift_and_never_depend_on_each_other(captions):
    alone = tokenize(captions)
    assert alone == [tokenize([caption])[0] for caption in captions]
    assert len(tokenize(captions, together=True)) == len(captions)


@settings(deadline=None)
@given(CAPTIONS)
def test_a_blank_or_break_around_a_caption_changes_nothing(caption):
    assert tokenize([caption + "\n"]) == tokenize([caption + " "])
    assert tokenize([" " + caption]) == tokenize(["\r" + caption])


@settings(deadline=None)
@given(CAPTIONS)
def test_token_strings_are_clean(caption):
    (tokens,) = tokenize([caption])
    assert tokens == tokens.strip(" ")
    assert "  " not in tokens
    assert not any("A" <= character <= "Z" for character in tokens)
    assert not set(tokens) & set("\n\r\v\f\x85\u2028\u2029")


@settings(deadline=None)
@given(st.lists(CAPTIONS.map(lambda caption: caption + " dog"), max_size=6))
def test_together_equals_alone_behind_a_plain_word(captions):
    # A quote left open inside a tag is the one thing that reaches over a plain word.
    captions = [caption.replace("<", "") for caption in captions]
    assert tokenize(captions, together=True) == tokenize(captions)


def test_together_sees_the_next_caption():
    captions = ["letter K.", "A dog", "no.", "5 dogs", "a <a b='x", "y'> b", "we'll"]
    expected = ["letter k", "a dog", "no.", "5 dogs", f"a <a{NBSP}b='x", "y'> b", "we ll"]
    assert tokenize(captions, together=True) == expected
    assert tokenize(["final 3.jpg"], together=True) == ["final 3 jpg"]
    assert tokenize([], together=True) == tokenize([]) == []


def test_line_breaks_inside_a_caption_do_not_shift():
    captions = ["one dog", "two\rdogs", "three\u2028cats", "four\x0bcats"]
    expected = ["one dog", "two dogs", "three cats", "four cats"]
    assert tokenize(captions) == tokenize(captions, together=True) == expected


def test_lone_surrogates_are_blanks():
    assert tokenize(["a\ud800b \udfffc", "d"]) == ["a b c", "d"]


def test_threads_change_nothing():
    captions = [f"caption {i} isn't here" for i in range(3000)]
    assert tokenize(captions, threads=2) == tokenize(captions)


def test_what_is_no_list_of_captions_is_an_error():
    with pytest.raises(TypeError, match="caption 1: expected str, found int"):
        tokenize(["a", 3])
    with pytest.raises(TypeError, match="found one str"):
        tokenize("a caption")


SLOW_MARKS = [
    ".",
    "<a b='",
    "<!a",
    "<a b=\"' ",
    "<a b='\" <a c=\"'",
    "'",
    "`",
    "#",
    "(1",
    "1/",
    "\u00ad",
    "etc. <",
    "K. ",
]
SLOW_WORDS = [
    "~.",
    "www.-",
    "a,",
    "a.1.",
    "a@",
    "x..@",
    "a'",
    "n't",
    "-a-",
    "http://",
    "a.b-",
    "&eacute;1.",
    "o'",
    "A&",
]


@pytest.mark.parametrize("piece", [*SLOW_MARKS, *SLOW_WORDS])
@pytest.mark.parametrize("together", [False, True])
def test_a_long_caption_takes_time_in_proportion(piece, together):
    # Quadratic work on 100,000 characters would take many seconds.
    (tokens,) = tokenize([piece * (100_000 // len(piece))], together=together)
    assert isinstance(tokens, str)
