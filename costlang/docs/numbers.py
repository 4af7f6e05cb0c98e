"""A value as a page writes it: digits, unit and sign as the embed wants them, in its language."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from costlang.answer import Bounds
from costlang.emit.values import DIGITS, value_text
from costlang.units import NONE, Dimension, Unit, choose_unit, digits_of

ENGLISH = ("en", "en_US", "en_GB")


class NeedsBabel(Exception):
    """Numbers of this language are written with Babel, which is not installed."""


class UnknownLocale(Exception):
    """There is no such locale."""


@dataclass(frozen=True)
class Wanted:
    """
    How a number is wanted.

    *digits* count after the point, *significant* from the first digit on; *words* stand in the
    place of the unit, and *bare* is without any.
    """

    digits: int | None = None
    significant: int | None = None
    unit: Unit | None = None
    words: str | None = None
    bare: bool = False
    sign: str = "auto"
    locale: str = "en"


def number_text(value: object, dimension: Dimension | None, wanted: Wanted) -> str:
    """Return *value*, in base units of *dimension*, as a page writes it."""
    match value:
        case Fraction():
            unit = unit_for(value, dimension, wanted)
            return with_unit(signed(value / unit.scale, unit, wanted), unit, wanted)
        case Bounds(low=low, high=high) if isinstance(low, Fraction) and isinstance(high, Fraction):
            return _bounds(value, low, high, dimension, wanted)
        case _:
            return value_text(value, dimension)


def unit_for(value: Fraction, dimension: Dimension | None, wanted: Wanted) -> Unit:
    """Return the unit in which *value* is written."""
    return wanted.unit or choose_unit(value, dimension or NONE, wanted.significant or DIGITS)


def with_unit(number: str, unit: Unit, wanted: Wanted) -> str:
    """Return *number* with its unit, or what stands in the place of that."""
    name = wanted.words if wanted.words is not None else unit.text
    return number if wanted.bare or name in ("", "1") else f"{number} {name}"


def signed(number: Fraction, unit: Unit, wanted: Wanted) -> str:
    """Return *number* with as many digits as are wanted, and the sign that is wanted."""
    text = localized(_digits(abs(number), unit, wanted), wanted.locale)
    if number < 0 and wanted.sign != "never":
        return f"-{text}"
    return f"+{text}" if number > 0 and wanted.sign == "always" else text


def _digits(number: Fraction, unit: Unit, wanted: Wanted) -> str:
    if wanted.digits is not None:
        return fixed(number, wanted.digits)
    few = unit.text == "%" and number < 1 and wanted.significant is None
    return digits_of(number, wanted.significant or (DIGITS - 1 if few else DIGITS))


def fixed(number: Fraction, places: int) -> str:
    """
    Return *number* with so many digits after the point, half to even: `41.79`, `2_000.0`.

    >>> fixed(Fraction(80159, 3350), 2)
    '23.93'
    """
    whole, part = divmod(round(abs(number) * 10**places), 10**places)
    sign = "-" if number < 0 else ""
    return f"{sign}{whole:_}.{part:0{places}d}" if places else f"{sign}{whole:_}"


def _bounds(
    value: Bounds, low: Fraction, high: Fraction, dimension: Dimension | None, wanted: Wanted
) -> str:
    """Return a range by its ends; a number that is only enclosed, as far as its digits agree."""
    unit = unit_for(max(low, high, key=abs), dimension, wanted)
    first, last = (signed(end / unit.scale, unit, wanted) for end in (low, high))
    if value.kind == "certified" and first != last and wanted.digits is None:
        return with_unit(_agreeing(low / unit.scale, high / unit.scale, wanted), unit, wanted)
    return with_unit(first if first == last else f"{first}\u2013{last}", unit, wanted)


def _agreeing(low: Fraction, high: Fraction, wanted: Wanted) -> str:
    for count in range(wanted.significant or DIGITS, 0, -1):
        if digits_of(low, count) == digits_of(high, count):
            return localized(digits_of(low, count), wanted.locale)
    return f"{digits_of(low)}\u2013{digits_of(high)}"


# ---- languages


def localized(text: str, locale: str) -> str:
    """
    Return the digits *text* of the language, `2_000.5`, as they are written in *locale*.

    Raises `NeedsBabel` where that is not English and Babel is not there, `UnknownLocale` for none.
    """
    number, _, power = text.partition("e")
    written = _written(number, locale)
    return f"{written} × 10^{power}" if power else written


def _written(number: str, locale: str) -> str:
    if locale in ENGLISH:
        return number.replace("_", ",")
    plain = number.replace("_", "")
    whole, point, part = plain.partition(".")
    found = _babel(locale)
    grouped: str = found.format_decimal(Decimal(whole), locale=locale, decimal_quantization=False)
    return f"{grouped}{separators(locale)[0]}{part}" if point else grouped


def separators(locale: str) -> tuple[str, str]:
    """Return the sign before the fraction and the sign between groups in *locale*."""
    if locale in ENGLISH:
        return ".", ","
    found = _babel(locale)
    return found.get_decimal_symbol(locale), found.get_group_symbol(locale)


@lru_cache(maxsize=32)
def _babel(locale: str) -> Any:
    """Return the part of Babel that writes numbers, once it knows *locale*."""
    try:
        from babel import Locale, UnknownLocaleError, numbers
    except ImportError:
        raise NeedsBabel(locale) from None
    try:
        Locale.parse(locale)
    except (UnknownLocaleError, ValueError):
        raise UnknownLocale(locale) from None
    return numbers
