"""Characters to tokens: words are keywords only where the grammar asks for one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

FOLLOWING = frozenset(
    "in at within show source for with over as is to of and or not then else where increasing "
    "decreasing convex homogeneous".split()
)
"""Words that can follow an expression, and so are never units."""

CLAUSES = frozenset("at over with within for where source then else and or".split())
"""Words with which a line goes on the statement before it."""

DIGITS = r"\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?"
UNIT = r"[A-Za-zµμ%$][A-Za-z0-9µμ]*(?:\^-?\d+)?(?:[/*][A-Za-zµμ$%][A-Za-z0-9µμ]*(?:\^-?\d+)?)*"

NUMBER = re.compile(DIGITS)
QUANTITY = re.compile(rf"((?>{DIGITS}))( ?)({UNIT})")
ENDS_IN_POINT = re.compile(r"\d[\d_]*\.(?![\d.])")
COMMA_GROUPS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\w)")
OPENS_SET = re.compile(r"\bin[ \t]*\Z")
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
SHOWN = re.compile(rf"{UNIT}|1(?=\s*(?:[,\r\n}}#]|$))")
TYPE_UNIT = re.compile(rf"\[(?:{UNIT}|1(?:/{UNIT})?)\]")
STRING = re.compile(r'"[^"\n]*"')
OPERATOR = re.compile(r"<=|>=|==|!=|->|\.\.|[-+*/^<>=(){}\[\],:.?]")
PAIRS = {")": "(", "]": "[", "}": "{"}
BLANK = re.compile(r"[ \t]+")
BREAK = re.compile(r"\r?\n|\r")
EMPTY_LINES = re.compile(r"(?:[ \t]*(?:#(?!#)[^\r\n]*)?(?:\r?\n|\r))+")
CONTINUES = re.compile(r"[-+*/^<>]|==|!=|=(?!=)")


@dataclass(frozen=True)
class Lexeme:
    """A piece of text: *kind* is `word number quantity string operator newline doc stray end`."""

    kind: str
    start: int
    end: int
    text: str


@dataclass(eq=False)
class Scanner:
    """
    Walks over a text, one lexeme at a time; *open* holds the brackets that are not closed.

    *passed* is the last stretch of blank lines and comments that was looked over, so that each is
    looked over once, however often something asks what follows it.
    """

    text: str
    at: int = 0
    open: list[Lexeme] = field(default_factory=list)
    passed: tuple[int, int] = (0, -1)

    def next(self, wants: frozenset[str]) -> Lexeme:
        """Return the next lexeme; *wants* are the kinds of terminal that may stand here."""
        while True:
            self._skip_blanks()
            if self.at >= len(self.text):
                return Lexeme("end", self.at, self.at, "")
            if self.text.startswith("#", self.at):
                doc = self._comment(wants)
                if doc is not None:
                    return doc
                continue
            return self._track(self._match(wants))

    def _skip_blanks(self) -> None:
        found = BLANK.match(self.text, self.at)
        if found:
            self.at = found.end()

    def _comment(self, wants: frozenset[str]) -> Lexeme | None:
        end = _line_end(self.text, self.at)
        start, self.at = self.at, end
        is_doc = self.text.startswith("##", start) and "DOC" in wants
        if is_doc and self._declares_after(end):
            return Lexeme("doc", start, end, self.text[start:end])
        return None

    def _match(self, wants: frozenset[str]) -> Lexeme:
        text, at = self.text, self.at
        if "UNIT" in wants and (found := SHOWN.match(text, at)):
            return self._take("unit", found.end())
        if "UNITNAME" in wants and (found := TYPE_UNIT.match(text, at)):
            return self._take("unitname", found.end())
        if found := BREAK.match(text, at):
            return self._take("newline", found.end())
        if text[at].isdigit():
            return self._number()
        for kind, pattern in (("word", WORD), ("string", STRING), ("operator", OPERATOR)):
            if found := pattern.match(text, at):
                return self._take(kind, found.end())
        return self._take("stray", at + 1)

    def _number(self) -> Lexeme:
        broken = ENDS_IN_POINT.match(self.text, self.at)
        if broken is None and not self._in_list():
            broken = COMMA_GROUPS.match(self.text, self.at)
        if broken is not None:
            return self._take("stray", broken.end())
        found = QUANTITY.match(self.text, self.at)
        if found and WORD.match(found.group(3)) and self._is_unit(found):
            return self._take("quantity", found.end())
        if found and found.group(3)[0] in "%$µμ":
            return self._take("quantity", found.end())
        plain = NUMBER.match(self.text, self.at)
        if plain is None:
            return self._take("stray", self.at + 1)
        return self._take("number", plain.end())

    def _in_list(self) -> bool:
        """Whether a comma parts two things here: in brackets, or in a set after `in`."""
        last = self.open[-1] if self.open else None
        if last is None or last.text != "{":
            return last is not None
        return bool(OPENS_SET.search(self.text, max(0, last.start - 40), last.start))

    def _is_unit(self, found: re.Match[str]) -> bool:
        word = WORD.match(found.group(3))
        return word is None or word.group(0) not in FOLLOWING

    def _take(self, kind: str, end: int) -> Lexeme:
        start, self.at = self.at, end
        return Lexeme(kind, start, end, self.text[start:end])

    def _track(self, found: Lexeme) -> Lexeme:
        if found.kind == "operator":
            if found.text in "([{":
                self.open.append(found)
            elif self.open and PAIRS.get(found.text) == self.open[-1].text:
                self.open.pop()
        return found

    def skip_empty_lines(self) -> None:
        """Pass over whole lines that say nothing: blank ones, and comments that are no docs."""
        found = EMPTY_LINES.match(self.text, self.at)
        if found:
            self.at = found.end()

    def line_goes_on(self) -> bool:
        """Whether what follows this line's end still belongs to the statement before it."""
        at = self._beyond(self.at)
        if at >= len(self.text):
            return False
        if self.text[at] == "}" or CONTINUES.match(self.text, at):
            return True
        word = WORD.match(self.text, at)
        return bool(word) and word.group(0) in CLAUSES and not _is_named(self.text, word.end())  # type: ignore[union-attr]

    def _beyond(self, at: int) -> int:
        """Return the first place from *at* on that is no blank, no line's end and no comment."""
        start, end = self.passed
        if not start <= at <= end:
            self.passed = (at, _skip_lines(self.text, at))
        return self.passed[1]

    def _declares_after(self, at: int) -> bool:
        text, at = self.text, self._beyond(at)
        if at >= len(text) or text[at] == "}":
            return False
        word = WORD.match(text, at)
        return (
            word is None or word.group(0) not in ("import", "cost") or self.names_here(word.end())
        )

    def names_here(self, end: int) -> bool:
        """Whether the word that ends at *end* is a name by what follows it."""
        return _is_named(self.text, end)


def _is_named(text: str, end: int) -> bool:
    found = BLANK.match(text, end)
    at = found.end() if found else end
    if text.startswith("==", at) or text.startswith("..", at):
        return False
    return text[at : at + 1] in ("=", ".", "[")


def _line_end(text: str, at: int) -> int:
    found = BREAK.search(text, at)
    return found.start() if found else len(text)


def _skip_lines(text: str, at: int) -> int:
    """Return the first place after *at* that is no blank, no line's end and no comment."""
    while at < len(text):
        if text[at] in " \t\r\n":
            at += 1
        elif text[at] == "#":
            at = _line_end(text, at)
        else:
            return at
    return at


def count_tokens(text: str, limit: int) -> int:
    """Return how many tokens *text* has, or *limit* + 1 when there are more."""
    scanner, count = Scanner(text), 0
    nothing: frozenset[str] = frozenset()
    while scanner.next(nothing).kind != "end":
        count += 1
        if count > limit:
            return count
    return count


def lexemes(text: str) -> Iterator[Lexeme]:
    """Yield the lexemes of *text*, without knowing the grammar."""
    scanner = Scanner(text)
    while (found := scanner.next(frozenset())).kind != "end":
        yield found
