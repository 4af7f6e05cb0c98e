"""Random laws, written as specs, and points that the prover never saw."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from costlang.model.check import Model
from costlang.pipeline import model_of
from costlang.prove import Effort, Outcome, judged
from costlang.prove.claims import Claim, claim_of
from costlang.prove.places import places_of, standing_for
from costlang.prove.points import Sequence, drawn, holds
from costlang.prove.reading import NotHere, read_law
from costlang.prove.trying import truth_at
from costlang.text import Source

DOMAINS = {
    "a": "count",
    "b": "count in 0..4",
    "c": "ratio",
    "d": "ratio in 0..1",
    "e": "ratio in 0..",
    "f": "ratio in -2..3",
    "g": "count in {1, 2, 4}",
}
NAMES = st.sampled_from(sorted(DOMAINS))
NUMBERS = st.sampled_from(["0", "1", "2", "0.5", "3"])


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return expressions one step larger."""
    both = st.tuples(inner, inner)
    return st.one_of(
        both.map(lambda x: f"({x[0]} + {x[1]})"),
        both.map(lambda x: f"({x[0]} - {x[1]})"),
        both.map(lambda x: f"({x[0]} * {x[1]})"),
        both.map(lambda x: f"({x[0]} / ({x[1]} + 1))"),
        both.map(lambda x: f"({x[0]} / {x[1]})"),
        both.map(lambda x: f"max({x[0]}, {x[1]})"),
        both.map(lambda x: f"min({x[0]}, {x[1]})"),
        st.tuples(inner, NAMES).map(lambda x: f"ceil({x[0]} / {x[1]})"),
        inner.map(lambda x: f"floor({x})"),
        inner.map(lambda x: f"abs({x})"),
        inner.map(lambda x: f"({x})^2"),
        inner.map(lambda x: f"sqrt(abs({x}))"),
        st.tuples(st.sampled_from("cdef"), st.sampled_from("abg")).map(
            lambda x: f"(1 - {x[0]})^{x[1]}"
        ),
        st.tuples(inner, inner, inner, NAMES).map(
            lambda x: f"(if {x[0]} > {x[3]} then {x[1]} else {x[2]})"
        ),
        st.tuples(NAMES, NUMBERS, inner, inner).map(
            lambda x: f"(if {x[0]} == {x[1]} then {x[2]} else {x[3]})"
        ),
        inner.map(lambda x: f"sum(over i in 1..b: {x} * i)"),
    )


EXPRESSIONS = st.recursive(st.one_of(NAMES, NUMBERS), grown, max_leaves=5)


@st.composite
def laws(draw: st.DrawFn) -> str:
    """Return the words of a law."""
    left = draw(EXPRESSIONS)
    kind = draw(st.sampled_from(["<=", ">=", "<", ">", "==", "!=", "up", "down", "convex", "hom"]))
    where = draw(
        st.sampled_from(["", "", " where a >= e", " where c < a and d != 1", " where a > 1"])
    )
    if kind == "up":
        return f"{left} increasing in {draw(NAMES)}{where}"
    if kind == "down":
        return f"{left} decreasing in {draw(NAMES)}{where}"
    if kind == "convex":
        return f"{left} convex in {draw(NAMES)}{where}"
    if kind == "hom":
        return f"{left} homogeneous of {draw(st.sampled_from('012'))} in c, e{where}"
    return f"{left} {kind} {draw(EXPRESSIONS)}{where}"


def model(law: str) -> Model:
    """Return the model of a spec with one law about all names."""
    params = "\n".join(f"  param {name} : {kind}" for name, kind in DOMAINS.items())
    return model_of(
        Source("attack.cost", f"cost 1\ninterface it {{\n{params}\n  law one: {law}\n}}\n")
    )


def outcome(found: Model, effort: Effort) -> Outcome:
    """Return how the one law of a model ends."""
    (end,) = judged(found, effort)
    assert end is not None
    return end


def claims(found: Model) -> list[Claim]:
    """Return what the one law of a model claims."""
    (place,) = places_of(found)
    (law,) = place.laws
    try:
        return [claim_of(r.reading) for r in read_law(place, law, lambda x: standing_for(found, x))]
    except NotHere:
        return []


def point_against(claim: Claim, seed: int, number: int) -> dict[str, str] | None:
    """Return a point of small numbers at which *claim* fails, None where there is none."""
    sequence = Sequence(seed)
    plain = tuple(Fraction(n, m) for m in (1, 2, 3) for n in range(-6, 13))
    for _ in range(number):
        point = {}
        for name, domain in claim.domains.items():
            inside = tuple(x for x in plain if holds(domain, x))
            near = inside and sequence.next(8)
            point[name] = sequence.one_of(inside) if near else drawn(domain, sequence, 3, few=True)
        if truth_at(claim, point)[0] is False:
            return {name.name: str(value) for name, value in point.items()}
    return None
