"""One law in one place to its outcome: rules first, then points, then what is left to say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from costlang.model import declared as d
from costlang.model.check import Model
from costlang.model.faults import Fault
from costlang.model.work import TooMuchWork, sentence
from costlang.prove import smt
from costlang.prove.cases import Proving, by_direction
from costlang.prove.claims import Claim, claim_of
from costlang.prove.counterexamples import counterexample
from costlang.prove.deciding import Step
from costlang.prove.effort import Effort
from costlang.prove.outcome import (
    PROVED,
    REFUTED,
    TESTED,
    UNDECIDED,
    Coverage,
    Outcome,
)
from costlang.prove.pairs import pairs_of
from costlang.prove.places import Place, places_of, standing_for
from costlang.prove.points import Point
from costlang.prove.reading import NotHere, Read, read_law
from costlang.prove.shrinking import shrunk
from costlang.prove.trying import Trying

READING, PROVING = 20_000_000, 3_000_000
"""The budgets of one law in one place: to read it, and to look for a proof."""
RULES, POINTS, Z3 = "rules", "points", "z3"
VACUOUS = "its condition is never met, so that it says nothing"
NEVER = "its condition does not hold here, whatever the numbers"


def judged(
    model: Model, effort: Effort, places: Iterable[Place] | None = None
) -> Iterator[Outcome | None]:
    """
    Yield how the laws of the main file end in each of its *places*, or in those that are given.

    None stands where a law says nothing in a place.
    """
    for place in places_of(model) if places is None else places:
        for law in place.laws:
            passed = effort.own and _is_inherited(place, law)
            yield None if passed else _judge(model, place, law, effort)


def law_count(model: Model) -> int:
    """Return how many laws, each in each place, there are to look at."""
    return sum(len(place.laws) for place in places_of(model))


def _judge(model: Model, place: Place, law: d.LawDecl, effort: Effort) -> Outcome | None:
    """Return how *law* ends in *place*; None where it is inherited and its variable is set."""
    blank = Outcome(
        law.name, law.owner.name, place.words, words_of(law), law.span, UNDECIDED, seed=effort.seed
    )
    try:
        found = _looked_at(model, place, law, effort, blank, loose=False)
        if found.reason in (VACUOUS, NEVER) and place.scenario is None:
            found = _looked_at(model, place, law, effort, blank, loose=True)
        return None if found.reason == NEVER and _is_inherited(place, law) else found
    except NotHere as why:
        if _is_inherited(place, law):
            return None
        return replace(blank, reason=str(why))
    except (TooMuchWork, Fault):
        return replace(blank, reason="it takes more work than is done for one law")


def _is_inherited(place: Place, law: d.LawDecl) -> bool:
    return law.owner is not place.decl or place.use is not None


def _looked_at(
    model: Model, place: Place, law: d.LawDecl, effort: Effort, blank: Outcome, *, loose: bool
) -> Outcome:
    with sentence(READING):
        reads = read_law(place, law, lambda record: standing_for(model, record), loose=loose)
    return _decided(place, law, reads, effort, blank)


def words_of(law: d.LawDecl) -> str:
    """Return the words of a law, as the author wrote them."""
    words = " ".join(law.subject.span.text.split())
    names = ", ".join(" ".join(core.span.text.split()) for core in law.variables)
    if law.kind == "homogeneous" and law.degree is not None:
        words = f"{words} homogeneous of degree {' '.join(law.degree.span.text.split())} in {names}"
    elif law.kind != "holds":
        words = f"{words} {law.kind} in {names}"
    return f"{words} where {' '.join(law.where.span.text.split())}" if law.where else words


def _decided(
    place: Place, law: d.LawDecl, reads: list[Read], effort: Effort, blank: Outcome
) -> Outcome:
    """Return the outcome over all worlds: the worst of them, and what speaks for it."""
    blank = replace(blank, taken=tuple(dict.fromkeys(t for read in reads for t in read.taken)))
    if all(read.repeats for read in reads):
        return replace(blank, status=PROVED, method="definition", repeats=True)
    ends: list[Outcome] = []
    for read in reads:
        if any(each is False for each in read.reading.given):
            continue
        ends.append(_one(place, law, read, effort, blank, len(reads)))
        if ends[-1].status == REFUTED:
            return ends[-1]
    if not ends:
        return replace(blank, reason=NEVER)
    return _joined(blank, ends)


def _joined(blank: Outcome, ends: list[Outcome]) -> Outcome:
    order = (UNDECIDED, TESTED, PROVED)
    worst = min(ends, key=lambda end: order.index(end.status))
    proofs = tuple(end.proof for end in ends if end.proof is not None)
    proof = proofs[0] if len(set(proofs)) == 1 else Step("each choice in turn", proofs)
    coverages = [end.coverage for end in ends if end.status == TESTED]
    coverage = Coverage(
        sum(x.sides for x in coverages),
        sum(x.met for x in coverages),
        tuple(dict.fromkeys(word for x in coverages for word in x.missed)),
    )
    cases = sum(end.cases for end in ends)
    proof_ = proof if worst.status == PROVED and proofs else None
    return replace(worst, proof=proof_, cases=cases, coverage=coverage)


def _one(
    place: Place, law: d.LawDecl, read: Read, effort: Effort, blank: Outcome, part: int
) -> Outcome:
    """Return the outcome in one world of *part*, which share the time."""
    claim = claim_of(read.reading)
    proof = None if effort.only_points else _proof(read, claim, part)
    if proof is not None:
        with sentence(effort.trying):
            trial = Trying(claim, 1, effort.seed).tried()
        if trial.met == 0:
            return replace(blank, reason=VACUOUS)
        if trial.against is None:
            return replace(blank, status=PROVED, method=RULES, proof=proof)
        return replace(blank, reason="a rule and a point disagree: this is our fault")
    if effort.only_rules:
        return replace(blank, reason="the rules alone do not tell")
    if not effort.outside:
        return _by_points(place, law, read, claim, effort, blank)
    if not smt.is_there():
        blank = replace(blank, passed=(smt.NOT_THERE,))
        return _by_points(place, law, read, claim, effort, blank)
    said = smt.asked(claim, smt.MILLISECONDS // part)
    found = _by_points(place, law, read, claim, effort, blank, said.point)
    if said.proved and found.status == TESTED:
        return replace(blank, status=PROVED, method=Z3, proof=Step("z3 finds no point against it"))
    return found


def _proof(read: Read, claim: Claim, part: int) -> Step | None:
    try:
        with sentence(PROVING // part):
            found = by_direction(read.reading, claim)
            if found is not None:
                return found
            return Proving(claim.build, pairs_of(read.reading, claim)).proof(claim)
    except TooMuchWork:
        return None


def _by_points(
    place: Place,
    law: d.LawDecl,
    read: Read,
    claim: Claim,
    effort: Effort,
    blank: Outcome,
    first: Point | None = None,
) -> Outcome:
    with sentence(effort.trying):
        tried = Trying(claim, effort.cases, effort.seed).tried(first)
    if tried.against is not None:
        with sentence(effort.trying):
            against = counterexample(place, law, read, claim, shrunk(claim, tried.against))
        if against is not None:
            return replace(blank, status=REFUTED, method=POINTS, counterexample=against)
        return replace(
            blank, reason="a point speaks against it, and the interpreter does not agree"
        )
    if tried.met == 0:
        return replace(blank, reason=VACUOUS)
    return replace(blank, status=TESTED, method=POINTS, cases=tried.met, coverage=tried.coverage)
