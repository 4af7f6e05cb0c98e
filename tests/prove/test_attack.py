"""Proofs attacked: random laws that are proved must hold at points that the prover never saw."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from costlang.model.work import roomy
from costlang.prove import Effort, smt
from costlang.prove.outcome import PROVED
from tests.prove.attack import claims, laws, model, outcome, point_against

ALL = list(HealthCheck)


@settings(max_examples=60, deadline=None, suppress_health_check=ALL)
@given(laws())
def test_a_law_that_rules_prove_holds_at_every_point(law: str) -> None:
    found = model(law)
    if not found.sound:
        return
    with roomy():
        if outcome(found, Effort(only_rules=True)).status == PROVED:
            against = [point_against(claim, 7, 150) for claim in claims(found)]
            assert [None] * len(against) == against


@settings(max_examples=25, deadline=None, suppress_health_check=ALL)
@given(laws())
def test_what_z3_proves_holds_at_every_point(law: str) -> None:
    found = model(law)
    if not found.sound or not smt.is_there():
        return
    with roomy():
        for claim in claims(found):
            if smt.asked(claim).proved:
                assert point_against(claim, 11, 150) is None
