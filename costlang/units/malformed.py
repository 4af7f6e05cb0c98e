"""Why a text cannot be a unit at all, and how the same would be written."""

from __future__ import annotations

import re

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_RAISED = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_TIMES = re.compile("[·\N{MULTIPLICATION SIGN}⋅]")
_PRICE = re.compile(r"\$ ?([0-9][0-9._]*)(\D*)")
_BY_NUMBER = re.compile(r"([/*])[0-9]")


def malformed(text: str) -> tuple[str, str | None]:
    """
    Return the message and the help for *text*, which does not have the form of a unit.

    >>> malformed("tok²")
    ('a power is written with `^`', 'write `tok^2`')
    """
    if not text:
        return "a unit is missing", None
    if price := _PRICE.fullmatch(text):
        return "the unit stands after its number", f"write `{price[1]} ${price[2]}`"
    for found, message, mended in _mends(text):
        if found:
            return message, f"write `{mended}`"
    if number := _BY_NUMBER.search(text):
        verb = "divide" if number[1] == "/" else "multiply"
        return (
            "a unit has no numbers inside",
            f"put spaces around `{number[1]}` to {verb} by a number",
        )
    return f"`{text}` is not how a unit is written", "a unit is like `TB/s` or `FLOP/tok^2`"


def _mends(text: str) -> tuple[tuple[bool, str, str], ...]:
    raised = _RAISED.sub(lambda found: "^" + found[0].translate(_SUPERSCRIPTS), text)
    times = _TIMES.sub("*", text)
    opened = re.fullmatch(r"([^()]*)/\(([^()/]*)\)", text)
    divided = f"{opened[1]}/{opened[2].replace('*', '/')}" if opened else text
    return (
        (raised != text, "a power is written with `^`", raised),
        ("**" in text, "a power is written with `^`", text.replace("**", "^")),
        (times != text, "a product of units is written with `*`", times),
        (divided != text, "a unit has no brackets inside", divided),
    )
