"""From a program to its model: every name resolved, every expression with its dimension."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from costlang.loader import Program, library_index
from costlang.model import arithmetic, calls
from costlang.model import declared as d
from costlang.model.collect import collect, parents_first
from costlang.model.context import Context, Scope
from costlang.model.domains import literal
from costlang.model.fitting import fit
from costlang.model.givens import check_givens
from costlang.model.infer import expression
from costlang.model.parameters import check_values, declare_kinds
from costlang.model.questions import open_slot
from costlang.model.reading_terms import read_terms
from costlang.model.rings import check_operators, in_order_of_need, words_of
from costlang.model.slots import slot_type
from costlang.model.statements import check_members
from costlang.model.types import BROKEN, NumberType
from costlang.model.written import written_type
from costlang.syntax import tree
from costlang.text import Diagnostic, in_source_order
from costlang.units import Dimension, Unit, UnitTable

RULES = (arithmetic, calls)
"""Modules that teach the checker further kinds of expression, by being imported."""


@dataclass(frozen=True, eq=False)
class Model:
    """
    A checked program.

    *files* by key, the first the one that was asked for; *diagnostics* in source order, those of
    reading included. A model with errors still holds what is sound.
    """

    files: dict[str, d.FileScope]
    entry: str
    diagnostics: tuple[Diagnostic, ...]
    context: Context

    @property
    def main(self) -> d.FileScope:
        """The file that was asked for."""
        return self.files[self.entry]

    @property
    def sound(self) -> bool:
        """Whether no error was found."""
        return not any(item.is_error for item in self.diagnostics)

    def scenarios(self) -> dict[str, d.ScenarioDecl]:
        """Return the scenarios of the main file, in order."""
        found = self.main.own.items()
        return {name: decl for name, decl in found if isinstance(decl, d.ScenarioDecl)}


def check(program: Program) -> Model:
    """Return the model of *program*; its mistakes are among the diagnostics."""
    context = Context({}, library_index, open_slot=open_slot)
    collect(program, context)
    declared = (decl for scope in context.files.values() for decl in scope.own.values())
    owners = parents_first([decl for decl in declared if isinstance(decl, d.Owner)])
    _units(context)
    for owner in owners:
        declare_kinds(context, owner)
    _resources(context)
    _tops(context)
    for owner in owners:
        read_terms(context, owner)
    for owner in owners:
        check_values(context, owner)
    for owner in owners:
        check_members(context, owner)
    check_operators(context, [owner for owner in owners if isinstance(owner, d.OpDecl)])
    for owner in owners:
        check_givens(context, owner)
    found = in_source_order((*program.diagnostics, *context.diagnostics))
    return Model(context.files, program.files[0].key, found, context)


# ---- what stands at the top of a file


def _units(context: Context) -> None:
    for scope in context.files.values():
        mine: dict[str, Unit] = {}
        for node in in_order_of_need(context, scope):
            scope.units = UnitTable({word: mine[word] for word in words_of(node) if word in mine})
            made = _unit(context, scope, node)
            if made is not None:
                mine[node.name.text] = made
        scope.units = UnitTable(mine)
    for scope in context.files.values():
        extra = {
            name: unit
            for name, decl in scope.imported.items()
            if isinstance(decl, d.UnitDecl)
            and isinstance(unit := decl.file.units.parse(name), Unit)
        }
        if extra:
            scope.units = UnitTable({**_own_units(scope), **extra})


def _own_units(scope: d.FileScope) -> dict[str, Unit]:
    return {
        name: unit
        for name, decl in scope.own.items()
        if isinstance(decl, d.UnitDecl) and isinstance(unit := scope.units.parse(name), Unit)
    }


def _unit(context: Context, scope: d.FileScope, node: tree.UnitDecl) -> Unit | None:
    if node.value is None:
        return Unit(node.name.text, Dimension.of(node.name.text), Fraction(1))
    value = expression(context, node.value, Scope(scope))
    number = literal(value)
    if number is None or not isinstance(value.type, NumberType) or number <= 0:
        if value.type is not BROKEN:
            context.report(
                "unit-not-constant",
                "a unit is defined by one number with its unit",
                node.value.span,
                "worked out, or no number",
            )
        return None
    dimension = value.type.dimension
    return Unit(node.name.text, dimension, number) if dimension is not None else None


def _resources(context: Context) -> None:
    for scope in context.files.values():
        for node in scope.tree.declarations:
            decl = scope.own.get(node.name.text)
            if isinstance(node, tree.Resource) and isinstance(decl, d.ResourceDecl):
                decl.type = written_type(context, node.type, scope)
    for scope in context.files.values():
        for node in scope.tree.declarations:
            decl = scope.own.get(node.name.text)
            if (
                isinstance(node, tree.Resource)
                and isinstance(decl, d.ResourceDecl)
                and node.default
            ):
                inside = Scope(scope, totalled=True)
                value = expression(context, node.default, inside, decl.type)
                decl.default = fit(context, value, decl.type, node.default)


def _tops(context: Context) -> None:
    for scope in context.files.values():
        for decl in scope.own.values():
            if isinstance(decl, d.FunctionDecl) and decl.let is not None:
                slot_type(context, decl.let)
