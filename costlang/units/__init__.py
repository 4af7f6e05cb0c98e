"""What quantities measure, the units they are written in, and how they are read and shown."""

from costlang.units.digits import digits_of
from costlang.units.dimension import BASES, NONE, Dimension
from costlang.units.fault import UnitFault
from costlang.units.mismatch import compare_lines, missing_factor
from costlang.units.quantity import choose_unit, present
from costlang.units.unit import Unit, UnitTable, base_unit

__all__ = [
    "BASES",
    "NONE",
    "Dimension",
    "Unit",
    "UnitFault",
    "UnitTable",
    "base_unit",
    "choose_unit",
    "compare_lines",
    "digits_of",
    "missing_factor",
    "present",
]
