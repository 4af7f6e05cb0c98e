"""From the trees of a program to its declarations: names, imports, parents, members."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile

from costlang.loader import File, Program
from costlang.model import declared as d
from costlang.model.context import Context
from costlang.model.missing import unknown_name
from costlang.syntax import tree
from costlang.text import Label
from costlang.text.near import did_you_mean, near_names

MOST_PARENTS = 100
"""Declarations that amend each other, one above the other."""


def collect(program: Program, context: Context) -> None:
    """Fill *context* with the files of *program* and what they declare, no expression read yet."""
    for file in program.files:
        _declare_file(context, file)
    for file in program.files:
        _import_names(context, file)
    for scope in context.files.values():
        for decl in scope.own.values():
            _find_parent(context, decl)
    declared = [decl for scope in context.files.values() for decl in scope.own.values()]
    owners = [decl for decl in declared if isinstance(decl, d.Owner)]
    _break_circles(context, owners)
    for decl in parents_first(owners):
        _declare_members(context, decl)
    for decl in declared:
        if not isinstance(decl, d.Owner):
            _declare_members(context, decl)


def parents_first(owners: list[d.Owner]) -> list[d.Owner]:
    """Return *owners*, of whatever files, each behind the one that it amends."""
    depth: dict[d.Owner, int] = {}
    for owner in owners:
        way: list[d.Owner] = []
        at: d.Owner | None = owner
        while at is not None and at not in depth:
            way.append(at)
            at = at.parent
        above = depth[at] if at is not None else -1
        for count, passed in enumerate(reversed(way), start=above + 1):
            depth[passed] = count
    return sorted(owners, key=lambda owner: depth[owner])


def _declare_file(context: Context, file: File) -> None:
    scope = d.FileScope(file.key, file.tree)
    scope.broken.update(file.lost)
    context.files[file.key] = scope
    for node in file.tree.declarations:
        name = node.name
        _check_words(context, node)
        earlier = scope.own.get(name.text)
        if earlier is not None:
            context.report(
                "declared-twice",
                f"`{name.text}` is declared twice in this file",
                name.span,
                "declared again here",
                labels=(Label(earlier.span, "first declared here"),),
            )
            continue
        decl = _decl(node, scope)
        scope.own[name.text] = decl
        if isinstance(decl, d.Owner) and decl.name in file.damaged:
            decl.broken.add("*" if isinstance(decl, d.RecordDecl) else "()")
        if isinstance(decl, d.ResourceDecl):
            context.resources.setdefault(decl.name, []).append(decl)


WORDS_OF_EXPRESSIONS = frozenset("if then else and or not true false inf".split())
"""Names that could be declared and never be read."""


def _check_words(context: Context, node: tree.Declaration) -> None:
    """Refuse a name that means something else in every expression, and a member given twice."""
    _refuse_reserved(context, node.name)
    for member in getattr(node, "members", ()):
        name = getattr(member, "name", None)
        if isinstance(name, tree.Word):
            _refuse_reserved(context, name)
    if isinstance(node, tree.EnumDecl):
        _refuse_twins(context, node)


def _refuse_reserved(context: Context, name: tree.Word) -> None:
    if name.text in WORDS_OF_EXPRESSIONS:
        context.report(
            "reserved-word",
            f"`{name.text}` is a word of every expression, and cannot be a name",
            name.span,
            "another name belongs here",
        )


def _refuse_twins(context: Context, node: tree.EnumDecl) -> None:
    first: dict[str, tree.Word] = {}
    for word in node.members:
        if word.text in first:
            context.report(
                "declared-twice",
                f"`{word.text}` is a member of `{node.name.text}` twice",
                word.span,
                "again here",
                labels=(Label(first[word.text].span, "first here"),),
            )
        _refuse_reserved(context, word)
        first.setdefault(word.text, word)


def _decl(node: tree.Declaration, scope: d.FileScope) -> d.Decl:
    common = (node.name.text, node.name.span, scope, node.docs)
    match node:
        case tree.Resource():
            return d.ResourceDecl(*common)
        case tree.Let():
            return d.FunctionDecl(*common, node=node)
        case tree.UnitDecl():
            return d.UnitDecl(*common)
        case tree.EnumDecl():
            return d.EnumDecl(*common, members=tuple(dict.fromkeys(w.text for w in node.members)))
        case tree.Record():
            return d.RecordDecl(*common, kind=node.kind, node=node)
        case tree.Phase():
            return d.PhaseDecl(*common, node=node)
        case tree.Op():
            return d.OpDecl(*common, node=node)
        case tree.Scenario():
            return d.ScenarioDecl(*common, node=node)
        case _:
            return d.Decl(*common)


def _import_names(context: Context, file: File) -> None:
    scope = context.files[file.key]
    for resolved in file.imports:
        target = context.files.get(resolved.key) if resolved.key is not None else None
        for word in resolved.node.names:
            found = target.own.get(word.text) if target is not None else None
            if found is None:
                scope.broken.add(word.text)
            else:
                scope.imported.setdefault(word.text, found)


PARENTS: dict[type[d.Decl], tuple[type[d.Decl], str]] = {
    d.RecordDecl: (d.RecordDecl, "an interface, a model, a hardware or a record"),
    d.PhaseDecl: (d.PhaseDecl, "a phase"),
}


def _find_parent(context: Context, decl: d.Decl) -> None:
    node = decl.node if isinstance(decl, (d.RecordDecl, d.PhaseDecl)) else None
    if not isinstance(node, (tree.Record, tree.Phase)) or not node.parent:
        return
    assert isinstance(decl, d.Owner)
    word = node.parent[-1]
    parent = decl.file.find(word.text)
    wanted, words = PARENTS[type(decl)]
    if isinstance(parent, wanted) and isinstance(parent, d.Owner):
        decl.parent = parent
        return
    decl.broken.add("*")
    if parent is None and word.text in decl.file.broken:
        return
    if parent is None:
        unknown_name(context, word.text, word.span, [*decl.file.own, *decl.file.imported])
        return
    context.report(
        "wrong-parent",
        f"`{decl.name}` cannot amend `{word.text}`",
        word.span,
        f"this is not {words}",
        labels=(Label(parent.span, "declared here"),),
    )


def _break_circles(context: Context, owners: list[d.Owner]) -> None:
    """Report declarations that amend each other, and let none of them have a parent."""
    free: set[d.Owner] = set()
    for owner in owners:
        way: dict[d.Owner, int] = {}
        at: d.Owner | None = owner
        while at is not None and at not in free and at not in way:
            way[at] = len(way)
            at = at.parent
        if at is not None and at in way:
            _report_circle(context, at, list(way)[way[at] :])
        free.update(way)
    _cut_deep(context, owners)


def _cut_deep(context: Context, owners: list[d.Owner]) -> None:
    """Report the first declaration with too many parents above it; those below have none."""
    depth: dict[d.Owner, int] = {}
    deep: list[d.Owner] = []
    for owner in owners:
        above = list(takewhile(lambda each: each not in depth, owner.lineage()))
        for each in reversed(above):
            depth[each] = depth[each.parent] + 1 if each.parent is not None else 0
            if depth[each] > MOST_PARENTS:
                deep.append(each)
    for each in deep:
        each.parent = None
        each.broken.add("*")
    if deep:
        words = f"`{deep[0].name}` has more than {MOST_PARENTS} parents, one above the other"
        context.report("nesting-too-deep", words, deep[0].span, "too deep here")


def _report_circle(context: Context, first: d.Owner, ring: list[d.Owner]) -> None:
    way = " is ".join(f"`{owner.name}`" for owner in [*ring, first])
    context.report(
        "circular-parents",
        f"these amend each other: {way}",
        first.span,
        "in the circle",
        labels=tuple(Label(owner.span, "and this") for owner in ring if owner is not first),
    )
    for owner in ring:
        owner.parent = None
        owner.broken.add("*")


def _declare_members(context: Context, decl: d.Decl) -> None:
    if isinstance(decl, d.FunctionDecl) and decl.node is not None:
        node = decl.node
        owner = d.Owner(decl.name, decl.span, decl.file)
        decl.let = d.Let(decl.name, decl.span, owner, node=node)
        decl.let.alias = node.alias.text if node.alias else None
        return
    if not isinstance(decl, d.Owner) or decl.node is None:
        return
    for member in decl.node.members:  # type: ignore[attr-defined]
        maker = MEMBERS.get(type(member))
        if maker is not None:
            _add_slot(context, decl, maker(member, decl), member)


def _param(node: tree.Param, owner: d.Owner) -> d.Slot:
    return d.Param(
        node.name.text,
        node.name.span,
        owner,
        node.alias.text if node.alias else None,
        node.docs,
        node=node,
        source=node.source.text if node.source else None,
    )


def _let(node: tree.Let, owner: d.Owner) -> d.Slot:
    return d.Let(
        node.name.text,
        node.name.span,
        owner,
        node.alias.text if node.alias else None,
        node.docs,
        node=node,
        source=node.source.text if node.source else None,
    )


def _table(node: tree.Table, owner: d.Owner) -> d.Slot:
    alias = node.alias.text if node.alias else None
    return d.Table(node.name.text, node.name.span, owner, alias, node.docs, node=node)


def _use(node: tree.Use, owner: d.Owner) -> d.Slot:
    return d.UseSlot(node.name.text, node.name.span, owner, None, node.docs, node=node)


def _query(node: tree.Query, owner: d.Owner) -> d.Slot:
    return d.QuerySlot(node.name.text, node.name.span, owner, None, node.docs, node=node)


MEMBERS: dict[type[tree.Node], Callable[..., d.Slot]] = {
    tree.Param: _param,
    tree.Let: _let,
    tree.Table: _table,
    tree.Use: _use,
    tree.Query: _query,
}


def _add_slot(context: Context, owner: d.Owner, slot: d.Slot, node: tree.Node) -> None:
    if isinstance(node, tree.Let) and node.override:
        assert isinstance(slot, d.Let)
        _override(context, owner, slot)
        return
    earlier = owner.find(slot.name)
    if earlier is not None:
        mend = None
        if isinstance(earlier, d.Param) and earlier.owner is not owner:
            mend = f"to set it, write `{slot.name} = …`"
        elif isinstance(earlier, d.Let) and earlier.owner is not owner:
            mend = f"to replace it, write `override let {slot.name} = …`"
        context.report(
            "declared-twice",
            f"`{slot.name}` is already a member here",
            slot.span,
            "declared again here",
            labels=(Label(earlier.span, "first declared here"),),
            help=mend,
        )
        return
    owner.slots[slot.name] = slot


def _override(context: Context, owner: d.Owner, slot: d.Let) -> None:
    earlier = owner.parent.find(slot.name) if owner.parent is not None else None
    if isinstance(earlier, d.Let):
        slot.replaced = earlier
        slot.alias = slot.alias or earlier.alias
        owner.slots[slot.name] = slot
        return
    owner.slots.setdefault(slot.name, slot)
    if owner.broken_name("*") or context.lost(slot.name):
        return
    context.report(
        "nothing-to-override",
        f"no inherited definition is called `{slot.name}`",
        slot.span,
        "nothing here is replaced",
        help=_override_help(owner, slot, earlier),
    )


def _override_help(owner: d.Owner, slot: d.Let, earlier: d.Slot | None) -> str | None:
    if isinstance(earlier, d.Param):
        return f"it is a parameter: to set it, write `{slot.name} = …`"
    if earlier is not None or owner.parent is None:
        return f"to declare it, write `let {slot.name} = …`" if earlier is None else None
    inherited = [n for n in owner.parent.names() if isinstance(owner.parent.find(n), d.Let)]
    near = did_you_mean(near_names(slot.name, inherited))
    return near or f"to declare it, write `let {slot.name} = …`"
