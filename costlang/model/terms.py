"""Totals: the sum over the operators of a record, however deep, each times its repeats."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model import exact
from costlang.model.algebra import ExactAlgebra, Value
from costlang.model.faults import fault, ours
from costlang.model.instances import Env, Instance, Operator
from costlang.model.termtree import all_terms
from costlang.model.trace import Trace
from costlang.units import digits_of

Node = d.Term | d.Repeat
Leaf = Callable[[Operator], Value]


class Terms:
    """The part of the evaluator that adds up over operators."""

    algebra: ExactAlgebra
    trace: Trace

    def value(self, core: c.Core, env: Env) -> Value:
        """Return what *core* is in *env*."""
        raise NotImplementedError

    def read(self, holder: Instance | Operator, name: str, core: c.Core) -> Value:
        """Return a member of *holder*."""
        raise NotImplementedError

    def whole(self, core: c.Core, value: Value) -> int:
        """Return *value* as a whole number."""
        raise NotImplementedError

    def zero(self) -> Value:
        """Return 0."""
        return self.algebra.number(Fraction(0))

    def _total(self, core: c.Total, env: Env) -> Value:
        base = self.value(core.base, env)
        if isinstance(base, exact.Unknown):
            return base

        def leaf(operator: Operator) -> Value:
            return self.value(core.body, Env(env.holder, env.locals, operator, env.definition))

        return self.total_of(base, leaf)

    def total_of(self, base: Instance | Operator, leaf: Leaf) -> Value:
        """Return the sum of *leaf* over the operators of *base*."""
        if isinstance(base, Operator) and not base.decl.composite:
            return self.leaf_value(base, leaf)
        site = Env(base)
        return self.sum_nodes(all_terms(base.decl), site, leaf, ())

    def sum_nodes(self, nodes: list[Node], site: Env, leaf: Leaf, path: c.Path) -> Value:
        """Return the sum of *leaf* over the operators of *nodes*, which stand in *site*."""
        total = self.zero()
        for node in nodes:
            if isinstance(node, d.Term):
                part = self.term_value(node, site, leaf, path)
            else:
                part = self.repeat_value(node, site, leaf, path)
            total = self.algebra.binary("+", total, part)
        return total

    def term_value(self, node: d.Term, site: Env, leaf: Leaf, path: c.Path) -> Value:
        """Return the sum of *leaf* over the operators of one term."""
        if not isinstance(node.call, c.NewOp):
            raise ours("this term stands in a file with mistakes", node.span)
        operator = self.operator_at(node, site)
        inner = (*path, node.label)
        if operator.decl.composite:
            return self.sum_nodes(operator.decl.terms, Env(operator), leaf, inner)
        return self.leaf_value(operator, leaf)

    def operator_at(self, node: d.Term, site: Env) -> Operator:
        """Return the operator of *node* in *site*, one for each site without an index."""
        assert isinstance(node.call, c.NewOp)
        if site.locals or site.holder is None:
            return Operator(node.call.op, node.call, site)
        key = f"term {id(node)}"
        if key not in site.holder.cache:
            site.holder.cache[key] = Operator(node.call.op, node.call, site)
        found = site.holder.cache[key]
        assert isinstance(found, Operator)
        return found

    def leaf_value(self, operator: Operator, leaf: Leaf) -> Value:
        """Return *leaf* of one simple operator, and remember what it requires."""
        if not operator.cache.get("required"):
            operator.cache["required"] = True
            for requirement in operator.decl.requires:
                self.trace.operators.append((requirement, operator))
        return leaf(operator)

    def repeat_value(self, node: d.Repeat, site: Env, leaf: Leaf, path: c.Path) -> Value:
        """Return the sum of *leaf* over the copies of a repeat."""
        count = self.value(node.count, site)
        inner = (*path, node.segment) if node.segment is not None else path
        if isinstance(count, exact.Unknown):
            locals_ = {node.index: count} if node.index is not None else {}
            body = self.sum_nodes(node.body, site.with_locals(locals_), leaf, inner)
            return exact.unknown(count, body)
        if isinstance(count, exact.Interval) and node.index is None:
            return exact.multiply(count, self.sum_nodes(node.body, site, leaf, inner))
        copies = self.whole(node.count, count)
        if copies <= 0:
            return self.zero()
        if node.index is None:
            body = self.sum_nodes(node.body, site, leaf, inner)
            return self.algebra.binary("*", self.algebra.number(Fraction(copies)), body)
        return self._indexed(node, copies, site, leaf, inner)

    def _indexed(self, node: d.Repeat, copies: int, site: Env, leaf: Leaf, path: c.Path) -> Value:
        assert node.index is not None
        if copies > 100_000:
            words = f"this repeats {digits_of(Fraction(copies))} times"
            raise fault("too-many-steps", words, node.span)
        total = self.zero()
        for at in range(1, copies + 1):
            inside = site.with_locals({node.index: self.algebra.number(Fraction(at))})
            total = self.algebra.binary("+", total, self.sum_nodes(node.body, inside, leaf, path))
        return total

    # ---- resources

    def _resource(self, core: c.Resource, env: Env) -> Value:
        operator = env.operator
        if operator is None:
            raise fault("no-operator", f"`{core.resource.name}` is a resource", core.span)
        return self.use(operator, core.resource, core)

    def use(self, operator: Operator, resource: d.ResourceDecl, core: c.Core) -> Value:
        """Return what *operator* uses of *resource*."""
        slot = operator.decl.find(resource.name)
        if isinstance(slot, d.Let):
            return self.read(operator, resource.name, core)
        if operator.decl.composite:
            return self.total_of(operator, lambda inner: self.use(inner, resource, core))
        if resource.default is not None:
            return self.value(resource.default, Env(None, {}, operator))
        return self.zero()

    def _used(self, core: c.Used, env: Env) -> Value:
        base = self.value(core.base, env)
        if isinstance(base, exact.Unknown):
            return base
        if core.resource is None:
            raise fault("not-a-number", "terms are read by one of their resources", core.span)
        resource = core.resource

        def leaf(operator: Operator) -> Value:
            return self.use(operator, resource, core)

        if not core.path:
            return self.total_of(base, leaf)
        return self._at_path(all_terms(base.decl), Env(base), core.path, leaf)

    def _at_path(self, nodes: list[Node], site: Env, path: c.Path, leaf: Leaf) -> Value:
        total = self.zero()
        for node in nodes:
            if isinstance(node, d.Term) and node.label == path[0]:
                part = self._inside_term(node, site, path[1:], leaf)
            elif isinstance(node, d.Repeat) and node.segment in (None, path[0]):
                part = self._inside_repeat(node, site, path, leaf)
            else:
                continue
            total = self.algebra.binary("+", total, part)
        return total

    def _inside_term(self, node: d.Term, site: Env, path: c.Path, leaf: Leaf) -> Value:
        if not path:
            return self.term_value(node, site, leaf, ())
        operator = self.operator_at(node, site)
        return self._at_path(operator.decl.terms, Env(operator), path, leaf)

    def _inside_repeat(self, node: d.Repeat, site: Env, path: c.Path, leaf: Leaf) -> Value:
        rest = path[1:] if node.segment is not None else path
        if not rest:
            return self.repeat_value(node, site, leaf, ())
        count = self.value(node.count, site)
        missing = exact.unknown(count)
        if missing is not None:
            return missing
        copies = self.whole(node.count, count)
        total = self.zero()
        for at in range(1, copies + 1) if node.index is not None else range(1):
            locals_ = {node.index: self.algebra.number(Fraction(at))} if node.index else {}
            part = self._at_path(node.body, site.with_locals(locals_), rest, leaf)
            total = self.algebra.binary("+", total, part)
        if node.index is None:
            return self.algebra.binary("*", self.algebra.number(Fraction(max(copies, 0))), total)
        return total
