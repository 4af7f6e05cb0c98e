"""Why the parser stopped, in the author's words."""

from __future__ import annotations

from costlang.syntax.lexer import CLAUSES, FOLLOWING, Lexeme, lexemes
from costlang.syntax.parser import Stop
from costlang.syntax.slips import chained, comma, doubled, equals, keyword, percent, stray
from costlang.syntax.stops import (
    OPERAND_ENDS,
    follows_operand,
    is_later,
    message,
    wants_operand,
)
from costlang.text import Diagnostic, Label, Source, Span

BRACKETS = {"(": ")", "[": "]", "{": "}"}
WORDS = {
    "EQUAL": "`=`",
    "COLON": "`:`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "RSQB": "`]`",
    "STRING": "a text in quotes",
    "NAME": "a name",
    "INT": "a whole number",
    "UNIT": "a unit",
    "IN": "`in`",
    "FOR": "`for`",
    "THEN": "`then`",
    "ELSE": "`else`",
}


def explain(stop: Stop, source: Source) -> Diagnostic:
    """Return the message for *stop*, at the place of the mistake."""
    found = stop.found
    if found.kind == "end":
        return _at_end(stop, source)
    opened = _left_open(stop, source)
    if opened is not None:
        return opened
    for rule in (
        comma,
        stray,
        doubled,
        equals,
        chained,
        _missing,
        percent,
        keyword,
        _beside,
    ):
        found_out = rule(stop, source)
        if found_out is not None:
            return found_out
    return _unexpected(stop, source)


def _at_end(stop: Stop, source: Source) -> Diagnostic:
    end = stop.before.end if stop.before is not None else 0
    here = Lexeme("end", end, end, "")
    if stop.open:
        last = stop.open[-1]
        label = Label(Span(source, last.start, last.end), "opened here")
        if last.text == "{":
            return message(
                source,
                "unclosed-block",
                "the file ends inside a block",
                here,
                "`}` belongs here",
                labels=(label,),
            )
        return _unclosed(source, last)
    if wants_operand(stop):
        return message(
            source,
            "missing-expression",
            "the text ends where an expression belongs",
            here,
            "nothing follows",
        )
    return message(
        source,
        "unexpected-end",
        "the text ends too early",
        here,
        _wanted(stop) or "more belongs here",
    )


def _unclosed(source: Source, bracket: Lexeme) -> Diagnostic:
    closing = BRACKETS[bracket.text]
    return message(
        source,
        "unclosed-bracket",
        f"this `{bracket.text}` is not closed",
        bracket,
        f"`{closing}` is missing",
    )


def _left_open(stop: Stop, source: Source) -> Diagnostic | None:
    """A bracket of an earlier line that is still open explains what follows."""
    inner = [b for b in stop.open if b.text in "(["]
    if not inner or stop.found is inner[-1]:
        return None
    last = inner[-1]
    line = source.position(last.start)[0]
    if source.position(stop.found.start)[0] > line and stop.found.kind == "word":
        return _unclosed(source, last)
    clause = stop.found.text in CLAUSES and "RPAR" in stop.wants
    if stop.found.text == "}" or (clause and last.text == "("):
        return _unclosed(source, last)
    return None


def _missing(stop: Stop, source: Source) -> Diagnostic | None:
    if stop.found.kind == "string" and stop.before is not None and stop.before.text == "source":
        title = "an expression is missing before `source`"
        return message(source, "missing-expression", title, stop.before, "it belongs here")
    clause = stop.found.text in FOLLOWING or stop.found.text in CLAUSES
    if not wants_operand(stop) or (stop.found.kind in OPERAND_ENDS and not clause):
        return None
    before = stop.before
    after = f" after `{before.text}`" if before is not None else ""
    if before is not None and is_later(stop, source):
        end = Lexeme("end", before.end, before.end, "")
        title = f"an expression is missing{after}"
        return message(source, "missing-expression", title, end, "it belongs here")
    shown = "the line's end" if stop.found.kind == "newline" else f"`{stop.found.text}`"
    return message(
        source,
        "missing-expression",
        f"an expression is missing{after}",
        stop.found,
        f"{shown} stands where it belongs",
    )


def _beside(stop: Stop, source: Source) -> Diagnostic | None:
    found, before = stop.found, stop.before
    if before is None or not follows_operand(stop) or "STAR" not in stop.wants:
        return None
    if found.text in FOLLOWING or found.text in CLAUSES:
        return None
    if found.kind not in OPERAND_ENDS and found.text not in ("(", "["):
        return None
    if source.position(before.start)[0] != source.position(found.start)[0]:
        return None
    if before.kind == "quantity" and found.kind == "word":
        joined = f"{before.text}{found.text}"
        whole = Lexeme("quantity", before.start, found.end, "")
        return message(
            source,
            "spaced-unit",
            "a unit has no spaces inside",
            whole,
            "read as two things",
            f"write `{joined}` if it is one unit",
        )
    return message(
        source,
        "juxtaposition",
        "two expressions stand side by side",
        found,
        "an operator is missing before this",
        "a product is written with `*`",
        (Label(Span(source, before.start, before.end), "the first ends here"),),
    )


def _wanted(stop: Stop) -> str | None:
    named = [WORDS[name] for name in sorted(stop.wants) if name in WORDS]
    keywords = sorted(
        f"`{name.lower()}`"
        for name in stop.wants
        if name.isalpha() and name.isupper() and name not in WORDS
    )
    known = [word for word in [*named, *keywords] if word[1:-1] not in _HIDDEN]
    if not known or len(known) > 6:
        return None
    return f"expected {' or '.join(known)}"


_HIDDEN = {"cmp", "dots", "plus", "minus", "star", "slash", "circumflex", "comma", "dot", "lsqb"}


def _unexpected(stop: Stop, source: Source) -> Diagnostic:
    found = stop.found
    if found.kind == "newline" or _ended_before(stop, source):
        end = found.start if found.kind == "newline" or stop.before is None else stop.before.end
        return message(
            source,
            "unexpected-end",
            "this line ends too early",
            Lexeme("newline", end, end, ""),
            _wanted(stop) or "more belongs here",
        )
    if found.text in ")]}" and _closes(source, found):
        return message(
            source,
            "unexpected-end",
            f"this `{found.text}` comes too early",
            found,
            _wanted(stop) or "more belongs before it",
        )
    if found.text in ")]}":
        return message(
            source,
            "unopened-bracket",
            f"nothing is closed by this `{found.text}`",
            found,
            "no such bracket is open",
        )
    return message(
        source,
        "unexpected-word",
        f"`{found.text}` cannot stand here",
        found,
        _home(found.text) or _wanted(stop) or "not in this place",
        "write `=`" if source.text.startswith(":=", found.start) else None,
    )


def _ended_before(stop: Stop, source: Source) -> bool:
    """Whether a statement lacks its end, and the reading stopped at a brace of a later line."""
    before = stop.before
    return (
        before is not None
        and stop.found.text == "}"
        and before.text not in ("{", "}")
        and is_later(stop, source)
        and "RBRACE" not in stop.wants
        and bool(_wanted(stop))
    )


def _home(word: str) -> str | None:
    """Say where statements of this kind stand."""
    if word in ("query", "use", "show"):
        return "a question stands in a scenario" if word == "query" else "it stands in a scenario"
    if word == "import":
        return "imports stand first in a file"
    if word in ("model", "hardware", "record", "interface", "phase", "op", "scenario", "resource"):
        return "it stands at the top of a file, in no block"
    return None


def _closes(source: Source, found: Lexeme) -> bool:
    """Whether the bracket *found* closes the one that was opened last before it."""
    opened = []
    for lexeme in lexemes(source.text[: found.start]):
        if lexeme.kind == "operator" and lexeme.text in BRACKETS:
            opened.append(lexeme.text)
        elif lexeme.kind == "operator" and lexeme.text in BRACKETS.values() and opened:
            opened.pop()
    return bool(opened) and BRACKETS[opened[-1]] == found.text
