"""Trees as the reference prints them: local rules, the binarised steps behind them, and the steps of any flat rule.

A local rule is a tuple: parent and children; a tag's rule is (tag, word, WORD). In a binarised tree the states that
begin with `@` are unfinished phrases (active edges, in a chart parser's words): the head child comes first, then its
siblings at the right, then those at the left, one a step. What a state remembers of the siblings is in its name; which
state follows is known from the state, the sibling, its side and whether it is the last (no tree contradicts it), so
that a flat rule has one chain of steps, also one that was never seen binarised.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

Rule = tuple[str, ...]

NODE = re.compile(r"\(([^()]*)|\)")
WORD = ""
"""The empty third entry of a tag's rule tells it from a unary step."""
END = ".$$."
"""The mark of the sentence's end, which the binarised trees have beside the topmost phrase."""
ROOT = "ROOT"
LEFT, RIGHT = "<", ">"


def is_word(rule: Rule) -> bool:
    """Whether the rule is a tag over a word."""
    return rule[-1] == WORD


def is_split_by_parser(last_word: str) -> bool:
    """Whether the parser may take the period at the end of a caption's last word for a word of its own."""
    return last_word != "." and last_word.endswith(".")


def is_active(state: str) -> bool:
    """Whether the state is an unfinished phrase."""
    return state.startswith("@")


def local_rules(bracketed: str) -> list[Rule]:
    """The local rules of a bracketed tree, parents before children, left to right; the end mark is left out.

    Labels of unfinished states hold blanks; a word with a blank inside, such as "4 1/2", gets one that does not break.
    """
    stack: list[list[str]] = []
    nodes: list[list[str]] = []
    for match in NODE.finditer(bracketed):
        body = match.group(1)
        if body is None:
            stack.pop()
            continue
        if bracketed[match.end()] != ")":
            node = [body.rstrip()]
        else:
            tag, word = body.split(" ", 1)
            node = [tag, word.replace(" ", "\u00a0"), WORD]
        if node[0] != END:
            if stack:
                stack[-1].append(node[0])
            nodes.append(node)
        stack.append(node)
    return [tuple(node) for node in nodes]


def flat_rules(binarised: list[Rule]) -> Iterator[tuple[Rule, tuple[Rule, ...]]]:
    """The flat rules of a binarised tree, each with its chain of steps from the phrase down to its head."""
    rules = iter(binarised)
    found: list[tuple[Rule, tuple[Rule, ...]]] = []

    def walk(rule: Rule) -> tuple[list[str], list[Rule]]:
        """The children of an unfinished state and its steps; a finished phrase adds its rule to the found ones."""
        children: list[str] = []
        steps = [rule]
        for child in () if is_word(rule) else rule[1:]:
            below, more = walk(next(rules))
            if is_active(child):
                children += below
                steps += more
            else:
                children.append(child)
        if not is_active(rule[0]) and not is_word(rule):
            found.append(((rule[0], *children), tuple(steps)))
        return children, steps

    walk(next(rules))
    yield from found


@dataclass
class Binariser:
    """The chains of steps that binarised trees have shown, and by them those of other flat rules."""

    chains: dict[Rule, tuple[Rule, ...]] = field(default_factory=dict)
    heads: dict[tuple[str, str], str] = field(default_factory=dict)
    """Phrase and head child → the state of the head alone."""
    following: dict[tuple[str, str, str, bool], str] = field(default_factory=dict)
    """State, side of the next sibling, the sibling, whether it is the last → the next state."""
    finals: set[tuple[str, str]] = field(default_factory=set)

    def learn(self, rules: Iterable[tuple[Rule, tuple[Rule, ...]]]) -> None:
        """Take in flat rules with their steps."""
        for rule, steps in rules:
            if rule in self.chains:
                continue
            self.chains[rule] = steps
            if len(steps) > 1:
                self.learn_chain(rule[0], steps)

    def learn_chain(self, phrase: str, steps: tuple[Rule, ...]) -> None:
        """Take in one chain of several steps."""
        self.finals.add((phrase, steps[0][1]))
        state, head = steps[-1]
        self.heads[phrase, head] = state
        for number, (parent, left, right) in enumerate(reversed(steps[1:-1])):
            side, sibling = (LEFT, left) if is_active(right) else (RIGHT, right)
            self.following[state, side, sibling, number == len(steps) - 3] = parent
            state = parent

    def steps(self, rule: Rule) -> tuple[Rule, ...] | None:
        """The steps of a flat rule; none if a step of it was never shown, or if there are two ways."""
        if is_word(rule) or len(rule) == 2:
            return (rule,)
        if rule not in self.chains:
            found = [chain for head in range(1, len(rule)) if (chain := self.chain(rule, head)) is not None]
            if len(found) != 1:
                return None
            self.chains[rule] = found[0]
        return self.chains[rule]

    def chain(self, rule: Rule, head: int) -> tuple[Rule, ...] | None:
        """The steps of a flat rule with the given child as its head, if all of them are known."""
        siblings = [(RIGHT, child) for child in rule[head + 1 :]] + [(LEFT, child) for child in rule[head - 1 : 0 : -1]]
        state = self.heads.get((rule[0], rule[head]))
        steps: list[Rule] = [(state or "", rule[head])]
        for number, (side, sibling) in enumerate(siblings):
            parent = self.following.get((state or "", side, sibling, number == len(siblings) - 1))
            if state is None or parent is None:
                return None
            steps.append((parent, state, sibling) if side == RIGHT else (parent, sibling, state))
            state = parent
        return ((rule[0], state or ""), *reversed(steps)) if (rule[0], state) in self.finals else None
