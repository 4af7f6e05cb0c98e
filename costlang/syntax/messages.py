"""Why the parser stopped, in the author's words."""

from __future__ import annotations

import re

from costlang.syntax.lexer import CLAUSES, FOLLOWING, Lexeme, lexemes
from costlang.syntax.parser import BEGINNINGS, Stop
from costlang.text import Diagnostic, Edit, Label, Source, Span
from costlang.text.near import did_you_mean, near_names

SIGNS = {
    "×": "*",
    "·": "*",
    "÷": "/",
    "−": "-",
    "–": "-",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "→": "->",
    "∞": "inf",
}
"""Signs that people type, and how the language writes them."""

BRACKETS = {"(": ")", "[": "]", "{": "}"}
CONDITIONS = re.compile(r"\b(?:check|require|law|query|solve|with|where|if|and|or)\b")
SIDE = r"[A-Za-z0-9_.]+(?: [A-Za-z%$][A-Za-z0-9^/*]*)?"
SIDES_BEFORE = re.compile(rf"{SIDE}\s*(?:[<>]=?|[=!]=)\s*({SIDE})\s*\Z")
SIDE_AFTER = re.compile(rf"\s*({SIDE})[ \t]*(?=$|#|\n|,|\bat\b|\bsource\b)")
OPERAND_ENDS = ("word", "number", "quantity")
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


ELSEWHERE = {
    **dict.fromkeys(("const", "var", "val", "def", "define"), "a named value is a `let`"),
    **dict.fromkeys(("function", "func", "fn"), "a function is `let f(x: count) = …`"),
    **dict.fromkeys(("class", "struct", "type"), "a kind of record is an `interface`"),
    **dict.fromkeys(("assert", "expect"), "a fact that must hold is a `check`"),
    **dict.fromkeys(("print", "return", "eval"), "a question is `query name: …`"),
    **dict.fromkeys(
        ("include", "from", "using", "require_file"), "write `import std.ops (linear)`"
    ),
}
"""Words of other languages, and what is written here."""


def explain(stop: Stop, source: Source) -> Diagnostic:
    """Return the message for *stop*, at the place of the mistake."""
    found = stop.found
    if found.kind == "end":
        return _at_end(stop, source)
    opened = _left_open(stop, source)
    if opened is not None:
        return opened
    for rule in (
        _comma,
        _stray,
        _doubled,
        _equals,
        _chained,
        _missing,
        _percent,
        _keyword,
        _beside,
    ):
        message = rule(stop, source)
        if message is not None:
            return message
    return _unexpected(stop, source)


def _message(
    source: Source,
    code: str,
    title: str,
    found: Lexeme,
    label: str,
    help: str | None = None,
    labels: tuple[Label, ...] = (),
    edit: str | None = None,
) -> Diagnostic:
    """Return a message about *found*; *edit* is what should surely stand in its place."""
    span = Span(source, found.start, max(found.end, found.start))
    mend = Edit(span, edit) if edit is not None else None
    return Diagnostic(code, title, Label(span, label), labels, (), help, edit=mend)


def _at_end(stop: Stop, source: Source) -> Diagnostic:
    end = stop.before.end if stop.before is not None else 0
    here = Lexeme("end", end, end, "")
    if stop.open:
        last = stop.open[-1]
        label = Label(Span(source, last.start, last.end), "opened here")
        if last.text == "{":
            return _message(
                source,
                "unclosed-block",
                "the file ends inside a block",
                here,
                "`}` belongs here",
                labels=(label,),
            )
        return _unclosed(source, last)
    if _wants_operand(stop):
        return _message(
            source,
            "missing-expression",
            "the text ends where an expression belongs",
            here,
            "nothing follows",
        )
    return _message(
        source,
        "unexpected-end",
        "the text ends too early",
        here,
        _wanted(stop) or "more belongs here",
    )


def _unclosed(source: Source, bracket: Lexeme) -> Diagnostic:
    closing = BRACKETS[bracket.text]
    return _message(
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


def _stray(stop: Stop, source: Source) -> Diagnostic | None:
    found = stop.found
    if found.kind != "stray" and found.text != ".":
        return None
    rest = source.text[found.start :]
    if found.text in SIGNS:
        sign = SIGNS[found.text]
        return _message(
            source,
            "unicode-operator",
            f"`{found.text}` is no operator here",
            found,
            "an operator of another alphabet",
            f"write `{sign}`",
            edit=sign,
        )
    if found.text == "$" and (money := re.match(r"\$ ?(\d[\d_.,]*)(/[A-Za-z]+)?", rest)):
        amount, per = money.group(1), money.group(2) or ""
        whole = Lexeme("stray", found.start, found.start + money.end(), money.group(0))
        return _message(
            source,
            "money-before-number",
            "a unit stands after its number, money as well",
            whole,
            "money before its number",
            f"write `{amount} ${per}`",
            edit=f"{amount} ${per}",
        )
    if found.text == '"':
        return _message(
            source, "unterminated-string", "this text has no closing quote", found, "opened here"
        )
    if found.text == "." and (number := re.match(r"\.\d+", rest)):
        whole = Lexeme("stray", found.start, found.start + number.end(), number.group(0))
        return _message(
            source,
            "leading-dot",
            "a number begins with a digit",
            whole,
            "a dot first",
            f"write `0{number.group(0)}`",
            edit=f"0{number.group(0)}",
        )
    if found.kind != "stray":
        return None
    if found.text[0].isdigit():
        return _message(
            source,
            "stray-character",
            "a number does not end with its point",
            found,
            "a dot last",
            f"write `{found.text[:-1]}`",
            edit=found.text[:-1],
        )
    shown = found.text if found.text.isprintable() else f"U+{ord(found.text):04X}"
    return _message(
        source, "stray-character", f"`{shown}` means nothing here", found, "unknown character"
    )


def _doubled(stop: Stop, source: Source) -> Diagnostic | None:
    found, before = stop.found, stop.before
    if found.text != "*" or before is None or before.text != "*" or before.end != found.start:
        return None
    whole = Lexeme("operator", before.start, found.end, "**")
    mend = "a power is written `^`"
    return _message(
        source, "double-star", "`**` is no operator here", whole, "not an operator", mend, edit="^"
    )


def _comma(stop: Stop, source: Source) -> Diagnostic | None:
    found, before = stop.found, stop.before
    whole = found if found.kind == "stray" and "," in found.text else None
    if found.text == "," and before is not None and before.kind == "number":
        tail = re.match(r"(?:,\d{3})+(?!\d)", source.text[found.start :])
        if tail is not None and len(before.text) <= 3:
            whole = Lexeme("number", before.start, found.start + tail.end(), "")
    if whole is None:
        return None
    text = source.text[whole.start : whole.end]
    return _message(
        source,
        "comma-in-number",
        "a number has no commas",
        whole,
        "digits are grouped with `_`",
        f"write `{text.replace(',', '_')}`",
        edit=text.replace(",", "_"),
    )


def _equals(stop: Stop, source: Source) -> Diagnostic | None:
    if stop.found.text != "=" or not _compares(stop, source):
        return None
    return _message(
        source,
        "single-equals",
        "`=` sets a value; two sides are compared with `==`",
        stop.found,
        "a comparison belongs here",
        "write `==`",
        edit="==",
    )


def _compares(stop: Stop, source: Source) -> bool:
    """Whether the place asks for a condition: after a word such as `check`, on the same line."""
    if stop.before is None or not _ends_operand(stop.before):
        return False
    start = source.text.rfind("\n", 0, stop.found.start) + 1
    return bool(CONDITIONS.search(source.text, start, stop.found.start))


def _chained(stop: Stop, source: Source) -> Diagnostic | None:
    signs = ("<", "<=", "==", "!=", ">=", ">")
    if stop.found.text not in signs or "CMP" in stop.wants or _wants_operand(stop):
        return None
    return _message(
        source,
        "chained-comparison",
        "comparisons are not chained",
        stop.found,
        "a second comparison",
        _unchained(stop, source),
    )


def _unchained(stop: Stop, source: Source) -> str:
    """Write the chain as two comparisons, in the author's words where its sides are plain."""
    start = source.text.rfind("\n", 0, stop.found.start) + 1
    left = SIDES_BEFORE.search(source.text, start, stop.found.start)
    right = SIDE_AFTER.match(source.text, stop.found.end)
    if left is None or right is None:
        return "write `a < b and b < c`"
    return f"write `{left[0].strip()} and {left[1]} {stop.found.text} {right[1]}`"


def _wants_operand(stop: Stop) -> bool:
    return "QTY" in stop.wants and "NAME" in stop.wants


def _missing(stop: Stop, source: Source) -> Diagnostic | None:
    if stop.found.kind == "string" and stop.before is not None and stop.before.text == "source":
        title = "an expression is missing before `source`"
        return _message(source, "missing-expression", title, stop.before, "it belongs here")
    clause = stop.found.text in FOLLOWING or stop.found.text in CLAUSES
    if not _wants_operand(stop) or (stop.found.kind in OPERAND_ENDS and not clause):
        return None
    before = stop.before
    after = f" after `{before.text}`" if before is not None else ""
    if before is not None and _later(stop, source):
        end = Lexeme("end", before.end, before.end, "")
        title = f"an expression is missing{after}"
        return _message(source, "missing-expression", title, end, "it belongs here")
    shown = "the line's end" if stop.found.kind == "newline" else f"`{stop.found.text}`"
    return _message(
        source,
        "missing-expression",
        f"an expression is missing{after}",
        stop.found,
        f"{shown} stands where it belongs",
    )


def _later(stop: Stop, source: Source) -> bool:
    """Whether the parser stopped on a later line than that of the lexeme before."""
    assert stop.before is not None
    return "\n" in source.text[stop.before.end : stop.found.end]


def _percent(stop: Stop, source: Source) -> Diagnostic | None:
    """`80 % of x` and `5 % x`: a percentage is a number, and multiplies what it is of."""
    found, before = stop.found, stop.before
    if before is None or not before.text.endswith("%") or found.kind != "word":
        return None
    if before.kind != "quantity" or not _follows_operand(stop):
        return None
    ends = found.end
    if found.text == "of":
        ends = _skip_word(source.text, found.end)
    whole = Lexeme("quantity", before.start, ends, "")
    thing = source.text[found.end : ends].strip() if found.text == "of" else found.text
    return _message(
        source,
        "percent-of",
        "a percentage is a number, and multiplies what it is a part of",
        whole,
        "`*` is missing",
        f"write `{before.text} * {thing or '…'}`",
        edit=f"{before.text} * {thing}" if thing else None,
    )


def _skip_word(text: str, at: int) -> int:
    found = re.compile(r"[ \t]*[A-Za-z_0-9.]*").match(text, at)
    return found.end() if found else at


def _keyword(stop: Stop, source: Source) -> Diagnostic | None:
    """A line that begins with a word like a keyword, and goes on as no setting does."""
    first = _first_word(stop, source)
    if first is None or first.text in BEGINNINGS:
        return None
    near = near_names(first.text, [*sorted(BEGINNINGS), "import", "source"])
    return _message(
        source,
        "unknown-statement",
        f"no statement begins with `{first.text}`",
        first,
        "a keyword or a setting belongs here",
        did_you_mean(near[:1]) or ELSEWHERE.get(first.text),
    )


def _first_word(stop: Stop, source: Source) -> Lexeme | None:
    """Return the word with which a line begins, where the reading stopped at it or behind it."""
    found, before = stop.found, stop.before
    if found.kind == "word" and _is_first(found, source) and "LET" in stop.wants:
        return found
    behind = before is not None and found.kind in ("word", "string")
    if behind and before is not None and before.kind == "word" and _is_first(before, source):
        return before
    return None


def _is_first(word: Lexeme, source: Source) -> bool:
    line = source.text.rfind("\n", 0, word.start) + 1
    return not source.text[line : word.start].strip(" \t{")


def _beside(stop: Stop, source: Source) -> Diagnostic | None:
    found, before = stop.found, stop.before
    if before is None or not _follows_operand(stop) or "STAR" not in stop.wants:
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
        return _message(
            source,
            "spaced-unit",
            "a unit has no spaces inside",
            whole,
            "read as two things",
            f"write `{joined}` if it is one unit",
        )
    return _message(
        source,
        "juxtaposition",
        "two expressions stand side by side",
        found,
        "an operator is missing before this",
        "a product is written with `*`",
        (Label(Span(source, before.start, before.end), "the first ends here"),),
    )


def _follows_operand(stop: Stop) -> bool:
    return stop.before is not None and _ends_operand(stop.before) and not _wants_operand(stop)


def _ends_operand(before: Lexeme) -> bool:
    return before.kind in OPERAND_ENDS or before.text in (")", "]", "?")


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
        return _message(
            source,
            "unexpected-end",
            "this line ends too early",
            Lexeme("newline", end, end, ""),
            _wanted(stop) or "more belongs here",
        )
    if found.text in ")]}" and _closes(source, found):
        return _message(
            source,
            "unexpected-end",
            f"this `{found.text}` comes too early",
            found,
            _wanted(stop) or "more belongs before it",
        )
    if found.text in ")]}":
        return _message(
            source,
            "unopened-bracket",
            f"nothing is closed by this `{found.text}`",
            found,
            "no such bracket is open",
        )
    return _message(
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
        and _later(stop, source)
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
