"""
How fast the decode step of Llama 2 70B is worked out over a million batches.

The reference is SymPy's own `lambdify` of the same formula, in the same run: what is printed is
how many times as many points a second our straight-line program does, and how long each takes to
be made. Run it with `python benchmarks/evaluation.py`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy

from costlang.answer.lowered import Formula
from costlang.formula.bridge import to_sympy
from costlang.formula.compiled import compile_node
from costlang.pipeline import Sentence, ask

POINTS = 1_000_000
ROUNDS = 5


def decode_step() -> Formula:
    """Return the formula of the step, with the batch left to vary."""
    sentence = Sentence(
        "latency at context = 2000", of="decode(llama_2_70b, H100_SXM)", with_formula=True
    )
    (answer,) = ask(sentence).answers
    assert answer.formula is not None
    return answer.formula


def best(work: Callable[[], Any]) -> float:
    """Return the least of a few times that *work* takes, in seconds."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Print both, and the ratio."""
    formula = decode_step()
    batches = np.arange(1.0, POINTS + 1)
    start = time.perf_counter()
    ours = compile_node(formula.node, formula.build)
    made = time.perf_counter() - start
    rest = {name: 1.0 for name in ours.inputs if name not in dict(ours.known)}
    mine = best(lambda: ours(**{**rest, "batch": batches}))

    start = time.perf_counter()
    expression = to_sympy(formula.node)
    known = {s.name: s.info.known for s in formula.symbols if s.info.known is not None}
    bound = expression.subs(
        {s: known.get(s.name, 1) for s in expression.free_symbols if s.name != "batch"}
    )
    (batch,) = bound.free_symbols
    theirs = sympy.lambdify(batch, bound, "numpy")
    theirs_made = time.perf_counter() - start
    other = best(lambda: theirs(batches))

    print(f"ours   {POINTS / mine / 1e6:6.1f} million points/s, made in {made * 1e3:6.1f} ms")
    print(
        f"SymPy  {POINTS / other / 1e6:6.1f} million points/s, made in {theirs_made * 1e3:6.1f} ms"
    )
    print(f"ratio  {other / mine:6.2f} in points, {theirs_made / made:6.1f} in making")


if __name__ == "__main__":
    main()
