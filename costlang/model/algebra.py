"""What an evaluator needs to know of numbers: exact ones here, formulas on the floor above."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar, Protocol

from costlang.model import exact

Value = Any
"""A number of the algebra, a truth, an enum's member, an instance or an operator."""


class Algebra(Protocol):
    """Arithmetic over values of one kind."""

    def number(self, value: Fraction) -> Value:
        """Return the number *value*."""

    def infinity(self) -> Value:
        """Return infinity."""

    def binary(self, operator: str, left: Value, right: Value) -> Value:
        """Return `left operator right`."""

    def negative(self, operand: Value) -> Value:
        """Return `-operand`."""

    def function(self, name: str, arguments: list[Value]) -> Value:
        """Return the built-in *name* of *arguments*."""

    def compare(self, operator: str, left: Value, right: Value) -> Value:
        """Return whether `left operator right`."""


class ExactAlgebra:
    """Rationals, and certified intervals where a root, a logarithm or an exponential stands."""

    _BINARY: ClassVar = {
        "+": exact.add,
        "-": exact.subtract,
        "*": exact.multiply,
        "/": exact.divide,
        "^": exact.power,
    }
    _UNARY: ClassVar = {
        "ceil": exact.ceil,
        "floor": exact.floor,
        "abs": exact.absolute,
        "sqrt": exact.sqrt,
        "log2": exact.log2,
        "exp": exact.exp,
    }

    def number(self, value: Fraction) -> Value:
        """Return *value* itself."""
        return value

    def infinity(self) -> Value:
        """Return infinity."""
        return exact.INFINITY

    def binary(self, operator: str, left: Value, right: Value) -> Value:
        """Return `left operator right`."""
        return self._BINARY[operator](left, right)

    def negative(self, operand: Value) -> Value:
        """Return `-operand`."""
        return exact.negate(operand)

    def function(self, name: str, arguments: list[Value]) -> Value:
        """Return the built-in *name* of *arguments*."""
        if name == "max":
            return exact.largest(arguments)
        if name == "min":
            return exact.smallest(arguments)
        return self._UNARY[name](arguments[0])

    def compare(self, operator: str, left: Value, right: Value) -> Value:
        """Return whether `left operator right`."""
        return exact.compare(operator, left, right)
