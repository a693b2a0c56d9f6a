"""Tree to heads and labels by rules: worked examples (all as the reference has them), and trees that are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spidercap._native import tree_dependencies


def arcs(tree):
    """The dependencies of a tree as `label(governor, dependent)`, the root without a governor."""
    words, _, heads, labels = tree_dependencies([tree])[0]
    return [
        f"{label}({words[head - 1]}, {word})" if head else f"{label}({word})"
        for word, head, label in zip(words, heads, labels, strict=True)
    ]


def noun(word):
    return f"(NP (DT a) (NN {word}))"


def test_auxiliary_object_and_preposition():
    tree = f"(ROOT (S {noun('man')} (VP (VBZ is) (VP (VBG riding) {noun('horse')} (PP (IN on) {noun('beach')})))))"
    assert arcs(tree) == [
        "det(man, a)",
        "nsubj(riding, man)",
        "aux(riding, is)",
        "root(riding)",
        "det(horse, a)",
        "dobj(riding, horse)",
        "case(beach, on)",
        "det(beach, a)",
        "nmod(riding, beach)",
    ]


def test_marks_make_no_difference():
    plain = "(ROOT (S (NP (EX there)) (VP (VBP are) (NP (QP (RB only) (CD two)) (JJ adult) (NNS skunks)))))"
    marked = (
        "(ROOT (S^ROOT-v (NP^S-B (EX^NP there)) (VP^S-VBF-v (VBP^VP-BE are) "
        "(NP^VP (QP (RB^QP only) (CD^QP two)) (JJ^NP adult) (NNS^NP skunks)))))"
    )
    assert tree_dependencies([plain]) == tree_dependencies([marked])
    assert arcs(plain)[:2] == ["expl(are, there)", "root(are)"]
    assert arcs(plain)[-1] == "nsubj(are, skunks)"


def test_a_copula_and_a_passive_auxiliary():
    assert arcs(f"(ROOT (S {noun('dog')} (VP (VBZ is) (ADJP (JJ brown)))))")[1:] == [
        "nsubj(brown, dog)",
        "cop(brown, is)",
        "root(brown)",
    ]
    assert arcs(f"(ROOT (S {noun('cake')} (VP (VBZ is) (VP (VBG being) (VP (VBN eaten))))))")[1:] == [
        "nsubjpass(eaten, cake)",
        "aux(eaten, is)",
        "auxpass(eaten, being)",
        "root(eaten)",
    ]


@pytest.mark.parametrize(
    ("flat", "expected"),
    [
        # Modifiers that are coordinated, and conjuncts that have modifiers.
        ("(DT a) (JJ brown) (CC and) (JJ black) (NN dog)", "conj(brown, black)"),
        ("(NN man) (CC and) (NN woman) (NN talking)", "compound(talking, man)"),
        ("(NNS cupboards) (CC and) (NN counter) (NN space)", "conj(cupboards, space)"),
        ("(DT a) (JJ plaid) (NN tie) (CC and) (JJ yellow) (NN flower)", "amod(flower, yellow)"),
        ("(DT both) (NN talk) (CC and) (NN yell)", "cc:preconj(talk, both)"),
    ],
)
def test_coordination_in_a_flat_noun_phrase(flat, expected):
    assert expected in arcs(f"(ROOT (NP {flat}))")


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("(VP (VBZ wants) (S (NP (PRP him)) (VP (TO to) (VP (VB go)))))", ["dobj(wants, him)", "xcomp(wants, go)"]),
        ("(VP (VBZ watches) (S (NP (PRP him)) (VP (VB go))))", ["nsubj(go, him)", "ccomp(watches, go)"]),
        ("(VP (VBZ swings) (NP (NN leg)) (S (VP (TO to) (VP (VB punt)))))", ["advcl(swings, punt)"]),
        ("(VP (VBZ leaps) (S (VP (TO to) (VP (VB punt)))))", ["xcomp(leaps, punt)"]),
        ("(VP (VBZ sleeps) (SBAR (IN while) (S (NP (PRP it)) (VP (VBZ rains)))))", ["mark(rains, while)"]),
        ("(VP (VBZ sleeps) (SBAR (IN while) (S (NP (PRP it)) (VP (VBZ rains)))))", ["advcl(sleeps, rains)"]),
        ("(VP (VBZ becomes) (NP (NN king)))", ["xcomp(becomes, king)"]),
        ("(VP (VBZ gives) (NP (PRP him)) (NP (NN food)))", ["iobj(gives, him)", "dobj(gives, food)"]),
        ("(VP (VBZ is) (PP (IN in) (CC and) (IN around) (NP (NN town))))", ["cc(in, and)", "conj(in, around)"]),
    ],
)
def test_verb_phrases(inner, expected):
    found = arcs(f"(ROOT (S (NP (NN man)) {inner}))")
    assert [arc for arc in expected if arc not in found] == []


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        # Flat noun phrases with several conjunctions.
        ("(NP (NN milk) (CC and) (NN tea) (CC and) (NN rum))", ["conj(milk, tea)", "conj(milk, rum)"]),
        (
            "(NP (NN fish) (CC and) (NN meat) (NNS pies) (CC and) (NNS cakes))",
            ["compound(pies, fish)", "conj(fish, meat)", "conj(pies, cakes)"],
        ),
        ("(NP (CD two) (CC or) (CD three) (NNS owls))", ["compound(owls, two)", "conj(two, three)"]),
        ("(NP (ADJP (JJ light) (CC and) (JJ dark)) (JJ brown))", ["root(brown)", "amod(brown, light)"]),
        # Adverbs behind a conjunction: "then", "not" and phrases of one adverb lead the conjunct.
        ("(NP (NP (NN rain)) (CC and) (RB then) (NP (NN hail)))", ["advmod(hail, then)", "conj(rain, hail)"]),
        ("(NP (NP (NN rain)) (CC or) (RB perhaps) (NP (NN hail)))", ["advmod(rain, perhaps)", "dep(rain, hail)"]),
        (
            "(PP (PP (IN in) (NP (NN tea))) (CC and) (RB out) (PP (IN of) (NP (NN milk))))",
            ["conj(tea, out)", "nmod(tea, milk)"],
        ),
        ("(ADVP (RB up) (CC and) (RB down) (NP (DT the) (NN hill)))", ["conj(up, down)", "nmod:npmod(up, hill)"]),
        ("(VP (VP (VBZ naps)) (CC and) (ADVP (RB softly)) (VP (VBZ snores)))", ["advmod(snores, softly)"]),
        ("(VP (VP (VBZ naps)) (CC and) (ADVP (RB very) (RB softly)) (VP (VBZ snores)))", ["advmod(naps, softly)"]),
        # Unlike conjuncts.
        ("(UCP (NP (NN lake)) (CC and) (S (VP (TO to) (VP (VB swim)))))", ["acl(lake, swim)"]),
        ("(UCP (NP (NN lake)) (CC and) (RRC (ADVP (RB nearby)) (PP (IN in) (NP (NN fog)))))", ["acl:relcl(lake, fog)"]),
        ("(QP (CD six) (CC and) (DT a) (NN half))", ["root(six)", "det(half, a)", "conj(six, half)"]),
        ("(QP (CD six) (CC or) (RB so))", ["conj(six, so)"]),
        # Clauses of nouns: a relative one lacks something that the noun may be.
        ("(NP (NP (NN hill)) (SBAR (IN as) (S (NP (NNS goats)) (VP (VBP graze)))))", ["acl:relcl(hill, graze)"]),
        ("(NP (NP (NN hill)) (SBAR (IN as) (S (NP (NNS goats)) (VP (VBP eat) (NP (NN hay))))))", ["dep(hill, eat)"]),
        ("(NP (NP (NN hill)) (SBAR (WHNP (WP what)) (S (VP (TO to) (VP (VB climb))))))", ["acl(hill, climb)"]),
        ("(NP (NP (NN hill)) (SBAR (WHADVP (WRB how)) (S (NP (PRP it)) (VP (VBZ grows)))))", ["dep(hill, grows)"]),
        ("(NP (PRP they) (DT all))", ["det(they, all)"]),
        ("(NP (PRP them) (DT a))", ["dep(them, a)"]),
        ("(NP (NN goat) (RB not))", ["neg(goat, not)"]),
        ("(NP (NP (NN ham)) (NX (NX (NN tea)) (CC and) (NX (NN milk))))", ["dep(tea, ham)"]),
        ("(NP (NP (DT another)) (POS 's) (NN hat))", ["nmod:poss(hat, another)"]),
        ("(NP (NP (NNS people)) (NP (DT a) (NN shop) (POS 's)))", ["nmod:poss(people, shop)"]),
        ("(PP (RB just) (VBG leaving) (NP (DT the) (NN station)))", ["dep(station, leaving)"]),
        ("(NP (NP (NN owl)) (PRN (CC but) (PP (IN in) (NP (NN fog)))))", ["nmod(owl, fog)"]),
        # Measures.
        ("(ADJP (NP (CD six) (NNS feet)) (JJ tall))", ["nmod:npmod(tall, feet)"]),
        ("(ADJP (NP (CD six) (NNS feet)) (RB very) (JJ tall))", ["dep(tall, feet)"]),
        ("(ADJP (JJ odd) (CC but) (RB not) (JJ ugly))", ["conj(ugly, not)"]),
        ("(NP (NP (NN owl)) (ADVP (IN at) (JJS least)))", ["case(least, at)", "advmod(owl, least)"]),
        ("(ADVP (NN kind) (IN of))", ["mwe(kind, of)"]),
        # "there" makes a subject of an object behind a conjunction.
        (
            "(S (NP (EX there)) (VP (VP (VBZ is) (NP (NN lamp))) (CC and) (VP (VBZ shines) (NP (NN light)))))",
            ["root(lamp)", "nsubj(lamp, light)"],
        ),
        # Questions by a copula.
        (
            "(SBARQ (WHNP (WP what)) (SQ (VBZ is) (NP (DT the) (NN time))))",
            ["root(what)", "cop(what, is)", "nsubj(what, time)"],
        ),
    ],
)
def test_phrases(tree, expected):
    found = arcs(f"(ROOT {tree})")
    assert [arc for arc in expected if arc not in found] == []


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("(VP (VBZ rests) (PP (IN in) (NP (IN between))))", ["advcl(rests, in)", "mwe(in, between)"]),
        ("(VP (VBZ is) (UCP (ADVP (RB away)) (CC and) (ADJP (JJ happy))))", ["root(is)"]),
        (
            "(VP (VBZ is) (UCP (ADJP (JJ tall)) (CC and) (VP (VBN bent))))",
            ["auxpass(tall, is)", "nsubjpass(tall, man)"],
        ),
        ("(VP (VBZ is) (UCP (NP (NN king)) (CC and) (VP (VBN bent))))", ["cop(king, is)", "nsubj(king, man)"]),
        ("(VP (NN walk) (VP (VB rest)))", ["root(rest)"]),
        ("(VP (VBZ remains) (VP (VBN bent)))", ["xcomp(remains, bent)"]),
        ("(VP (VBZ grows) (CC and) (VBZ becomes) (NP (NN king)))", ["xcomp(grows, king)"]),
        ("(VP (VBZ is) (ADJP (JJ glad)) (NP (PRP he)))", ["dep(glad, he)"]),
        ("(VP (VBZ leaps) (SBAR (RB yet) (S (NP (PRP it)) (VP (VBZ rains)))))", ["ccomp(leaps, rains)"]),
        ("(VP (VBZ leaps) (SBAR (RB so) (IN that) (S (NP (PRP it)) (VP (VBZ works)))))", ["advcl(leaps, works)"]),
        ("(VP (VBZ knows) (SBAR (WHADVP (WRB when)) (S (NP (PRP it)) (VP (VBZ rains)))))", ["ccomp(knows, rains)"]),
        ("(VP (VBZ leaps) (SBAR (WHADVP (WRB when)) (S (NP (PRP it)) (VP (VBZ rains)))))", ["advcl(leaps, rains)"]),
        ("(VP (VBZ knows) (SBAR (WHADVP (WRB where)) (S (VP (TO to) (VP (VB go))))))", ["xcomp(knows, go)"]),
        (
            "(VP (VBZ leaps) (ADVP (ADVP (RBR higher)) (SBAR (IN as) (S (NP (PRP it)) (VP (VBZ rains))))))",
            ["advcl(higher, rains)"],
        ),
        ("(VP (VBG napping) (S (VP (ADVP (RB then)) (VBG eating))))", ["advcl(napping, eating)"]),
        ("(VP (VBZ looks) (PP (IN from) (PP (IN above) (S (VP (VBG waving))))))", ["dep(looks, waving)"]),
        ("(VP (VBZ naps) (PP (RB next) (PP (TO to) (NP (NN tea)))))", ["advcl(naps, tea)"]),
        ("(VP (VBZ looks) (PP (IN at) (S (VP (NN tea) (NP (NNS cups))))))", ["case(tea, at)"]),
        ("(VP (VBZ naps) (PRN (CC and) (S (NP (PRP it)) (VP (VBZ rains)))) (NP (NN tea)))", ["parataxis(naps, rains)"]),
        ("(VP (VBZ naps) (PRN (ADVP (RB here)) (ADVP (RB now))) (NP (NN tea)))", ["dep(naps, here)"]),
        ("(VP (VP (VBZ naps)) (CC both) (VP (VBZ eats)))", ["dep(naps, both)"]),
    ],
)
def test_predicates(inner, expected):
    found = arcs(f"(ROOT (S (NP (NN man)) {inner}))")
    assert [arc for arc in expected if arc not in found] == []


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ("", "not closed, or there is none"),
        ("(ROOT (NN dog)", "not closed"),
        ("(ROOT (NN dog)))", "was not opened"),
        ("(NN dog) (NN cat)", "beside the tree"),
        ("dog", "beside the tree"),
        ("(ROOT (NP))", "has no word"),
        ("(ROOT (NP dog (NN cat)))", "children too"),
    ],
)
def test_what_is_no_tree_is_refused(tree, message):
    with pytest.raises(ValueError, match=message):
        tree_dependencies([tree])


LABELS = [
    "NP",
    "VP",
    "PP",
    "S",
    "SBAR",
    "ADJP",
    "ADVP",
    "UCP",
    "QP",
    "FRAG",
    "SINV",
    "CONJP",
    "WHNP",
    "NX",
    "X",
    "ROOT",
    "strange",
]
TAGS = [
    "NN",
    "NNS",
    "DT",
    "JJ",
    "RB",
    "IN",
    "TO",
    "VBZ",
    "VBG",
    "VBN",
    "VB",
    "MD",
    "CC",
    "CD",
    "EX",
    "PRP$",
    "POS",
    ",",
    "ODD",
]
WORDS = ["dog", "is", "to", "not", "that", "as", "if", "more", "than", "both", "there", "being"]
LEAVES = st.builds("({} {})".format, st.sampled_from(TAGS), st.sampled_from(WORDS))
TREES = st.recursive(
    LEAVES,
    lambda trees: st.builds(
        lambda label, children: f"({label} {' '.join(children)})",
        st.sampled_from(LABELS),
        st.lists(trees, min_size=1, max_size=6),
    ),
    max_leaves=25,
)


@given(TREES)
def test_any_tree_gives_one_root_that_all_words_lead_to(tree):
    words, tags, heads, labels = tree_dependencies([tree])[0]
    assert len(words) == len(tags) == len(heads) == len(labels)
    assert [label == "root" for label in labels] == [head == 0 for head in heads]
    assert heads.count(0) == 1
    for word in range(len(words)):
        steps = 0
        while heads[word]:
            word, steps = heads[word] - 1, steps + 1
            assert steps <= len(words)
