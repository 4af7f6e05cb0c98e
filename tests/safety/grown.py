"""Random specs from the grammar: most are well-typed, some have a fault or large numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

Powers = tuple[int, int, int, int]
"""The powers of bytes, FLOPs, seconds and tokens in a dimension."""

NONE: Powers = (0, 0, 0, 0)
BASES = ("B", "FLOP", "s", "tok")
DIMENSIONS: tuple[Powers, ...] = (
    NONE,
    NONE,
    *((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)),
    *((1, 0, -1, 0), (0, 1, -1, 0), (0, 0, -1, 1), (1, 0, 0, -1), (0, 1, 0, -1)),
)
PREFIXED = {
    "B": ("B", "GB", "GiB", "kB", "bit"),
    "s": ("s", "ms", "h"),
    "tok": ("tok", "ktok", "Kitok"),
}
ODD_NAMES = ("E", "S", "N", "I", "lambda", "beta", "pi", "self", "None", "__class__", "import_")
LARGE = ("0", "1e300", "1e-300", "9" * 60, "1e99", "2^63", "0.1", "123_456_789", "7e11")
WRONG = ("?", "nobody", "inf", "true", "3 KB", "1 / 0", "(", "if", "a.b.c", "-", "2^-65", '"x"')


@dataclass
class Grower:
    """Writes one spec; *fault* is how often a piece of an expression is wrong."""

    rng: Random
    fault: float
    large: float
    names: dict[Powers, list[str]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    index: int = 0

    # ---- small pieces

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def name(self, stem: str) -> str:
        """Return a new name."""
        odd = self.rng.choice(ODD_NAMES)
        if self.chance(0.1) and odd not in self.used:
            found = odd
        else:
            self.index += 1
            found = f"{stem}{self.index}"
        self.used.add(found)
        return found

    def unit(self, powers: Powers) -> str:
        """Return how a unit of *powers* is written."""
        above, below = [], []
        for base, power in zip(BASES, powers, strict=True):
            word = self.rng.choice(PREFIXED.get(base, (base, f"T{base}")))
            raised = word + (f"^{abs(power)}" if abs(power) > 1 else "")
            if power:
                (above if power > 0 else below).append(raised)
        if not above:
            return "1/" + "/".join(below) if below else ""
        return "*".join(above) + "".join(f"/{word}" for word in below)

    def kind(self, powers: Powers) -> str:
        """Return how the type of *powers* is written."""
        if powers == NONE:
            return self.rng.choice(("count", "ratio", "ratio"))
        plain = Grower(Random(1), 0, 0)
        return f"[{plain.unit(powers)}]"

    def number(self) -> str:
        if self.chance(self.large):
            return self.rng.choice(LARGE)
        return self.rng.choice((str(self.rng.randint(1, 99)), f"{self.rng.random():.3f}", "2", "1"))

    def literal(self, powers: Powers) -> str:
        """Return a quantity of *powers*."""
        unit = self.unit(powers)
        if unit.startswith("1/"):
            return f"{self.number()} / (1 {unit[2:]})"
        number = self.number()
        if not unit or "^" in number:
            return f"{number} * 1 {unit}" if unit else number
        return f"{number} {unit}"

    # ---- expressions

    def expression(self, powers: Powers, depth: int) -> str:
        """Return an expression of dimension *powers*, at most *depth* deep."""
        if self.chance(self.fault):
            return self.rng.choice(WRONG)
        known = self.names.get(powers, [])
        if depth <= 0 or self.chance(0.15):
            return self.rng.choice(known) if known and self.chance(0.7) else self.literal(powers)
        forms = (self.joined, self.joined, self.scaled, self.divided, self.chosen, self.called)
        special = (self.summed, self.branched, self.raised)
        form = self.rng.choice(forms if self.chance(0.7) else special)
        return form(powers, depth - 1)

    def joined(self, powers: Powers, depth: int) -> str:
        sign = self.rng.choice("++-")
        return f"({self.expression(powers, depth)} {sign} {self.expression(powers, depth)})"

    def scaled(self, powers: Powers, depth: int) -> str:
        return f"{self.expression(NONE, depth)} * {self.expression(powers, depth)}"

    def divided(self, powers: Powers, depth: int) -> str:
        other = self.rng.choice(DIMENSIONS)
        product = tuple(a + b for a, b in zip(powers, other, strict=True))
        return f"{self.expression(product, depth)} / ({self.expression(other, depth)})"  # type: ignore[arg-type]

    def chosen(self, powers: Powers, depth: int) -> str:
        count = self.rng.choice((1, 2, 2, 3))
        sides = ", ".join(self.expression(powers, depth) for _ in range(count))
        return f"{self.rng.choice(('max', 'min'))}({sides})"

    def called(self, powers: Powers, depth: int) -> str:
        if powers == NONE:
            function = self.rng.choice(("ceil", "floor", "abs", "sqrt", "log2", "exp", "abs"))
            return f"{function}({self.expression(NONE, depth)})"
        return f"abs({self.expression(powers, depth)})"

    def summed(self, powers: Powers, depth: int) -> str:
        index = f"i{depth}"
        known = self.names.setdefault(NONE, [])
        last = self.rng.choice(("3", "8", "0", "100", "2_000", "1e6", *known[:1]))
        known.append(index)
        body = self.expression(powers, depth)
        self.names[NONE].remove(index)
        return f"sum(over {index} in {self.rng.choice('01')}..{last}: {body})"

    def branched(self, powers: Powers, depth: int) -> str:
        yes, no = self.expression(powers, depth), self.expression(powers, depth)
        return f"(if {self.condition(depth)} then {yes} else {no})"

    def raised(self, powers: Powers, depth: int) -> str:
        if powers != NONE:
            return self.scaled(powers, depth)
        exponent = self.rng.choice(("2", "3", "64", "-1", "0.5", self.expression(NONE, depth)))
        return f"({self.expression(NONE, depth)})^({exponent})"

    def condition(self, depth: int) -> str:
        """Return a comparison, or several."""
        powers = self.rng.choice(DIMENSIONS)
        sign = self.rng.choice(("<", "<=", ">", ">=", "==", "!="))
        first = f"{self.expression(powers, depth)} {sign} {self.expression(powers, depth)}"
        if self.chance(0.1):
            first += " within 1 %"
        if depth > 0 and self.chance(0.2):
            return f"{first} {self.rng.choice(('and', 'or'))} {self.condition(depth - 1)}"
        return f"not {first}" if self.chance(0.05) else first

    # ---- declarations

    def declare(self, powers: Powers, name: str) -> str:
        self.names.setdefault(powers, []).append(name)
        return name

    def param(self) -> str:
        powers = self.rng.choice(DIMENSIONS)
        domain = self.rng.choice(("", "", "in 0..", "in 1..100", "in {1, 2, 4}"))
        value = self.rng.choice(("", f"= {self.literal(powers)}", f"= {self.literal(powers)}"))
        name = self.declare(powers, self.name("p"))
        inside = domain if powers == NONE else ""
        return f"param {name} : {self.kind(powers)} {inside} {value}"

    def let(self, depth: int) -> str:
        powers = self.rng.choice(DIMENSIONS)
        alias = f" as {self.rng.choice(('eta_c', 'x_1', 'T'))}" if self.chance(0.1) else ""
        name = self.name("y")
        value = self.expression(powers, depth)
        return f"let {self.declare(powers, name)}{alias} = {value}"

    def text(self) -> str:
        """Return the whole spec."""
        lines = [
            "cost 1",
            "resource work : count",
            "resource moved : [B]",
            "enum grade { low, high }",
            "op unit_op(a: ratio, given n: count) {",
            f"  let work = {self.rng.choice(('a * n', 'n', 'n * n', '2'))}",
            "  let moved = a * 2 B",
            "}",
            "interface thing {",
            "  param n : count = 4",
            "  param x : ratio in 0..",
            "  param form : grade = low",
            "  table peak : grade -> [FLOP/s]",
        ]
        self.names = {NONE: ["n", "x"]}
        depth = self.rng.choice((1, 2, 2, 3))
        lines += ["  " + self.param() for _ in range(self.rng.randint(0, 3))]
        lines += ["  " + self.let(depth) for _ in range(self.rng.randint(1, 4))]
        lines += self.terms()
        if self.chance(0.3):
            lines.append(f"  require r: {self.condition(1)}")
        if self.chance(0.2):
            lines.append(f"  check c: {self.condition(1)}")
        lines.append("}")
        lines += self.records()
        return "\n".join(lines + self.scenario()) + "\n"

    def terms(self) -> list[str]:
        if not self.chance(0.6):
            return []
        head = self.rng.choice(
            ("repeat n", "repeat 3 as i", "repeat n as i", "repeat 0", "repeat x")
        )
        inner = self.expression(NONE, 1)
        lines = [f"  {head} {{", f"    term part = unit_op({inner})", "  }"]
        lines += [f"  term one = unit_op({self.expression(NONE, 1)})"]
        self.declare(NONE, "total(work)")
        self.declare((1, 0, 0, 0), "total(moved)")
        return [*lines, "  let all_work = total(work)"]

    def records(self) -> list[str]:
        lines = ["model m is thing {", f"  x = {self.number()}"]
        if self.chance(0.5):
            lines.append(f"  peak[low] = {self.number()} TFLOP/s")
        if self.chance(0.2):
            lines.append(f"  n = {self.rng.choice(('1', '2', '1_000', '3 .. 5', '1e5', '0'))}")
        lines.append("}")
        inside = self.names
        self.names = {p: [f"m.{n}" for n in names if "(" not in n] for p, names in inside.items()}
        self.names.setdefault(NONE, []).append("k")
        lines += ["phase go(m: thing) {", "  param k : count = 2"]
        lines += ["  " + self.let(2) for _ in range(self.rng.randint(1, 3))]
        return [*lines, "}"]

    def scenario(self) -> list[str]:
        lines = ["scenario asked {", "  use d = go(m)"]
        lines += [f"  use other = {self.rng.choice(('d', 'go(m, k = 3)', 'm'))}"] * self.chance(0.2)
        if self.chance(0.3):
            lines.append(
                f"  d.m.x = {self.rng.choice(('2', '1 .. 3', '1e9', '0', 'inf', '0 .. 1'))}"
            )
        lines += [f"  query q{n}: {self.question()}" for n in range(self.rng.randint(1, 4))]
        if self.chance(0.2):
            lines.append(f"  check c: {self.condition(1)}")
        return [*lines, "}"]

    def question(self) -> str:
        """Return a question of any kind; most ask for a value."""
        powers = self.rng.choice(DIMENSIONS)
        subject = self.expression(powers, self.rng.choice((0, 0, 1, 2)))
        axis = self.rng.choice(
            ("x in 0..9", "k in {1, 2, 3}", "n in 1..512", "k in 1..4, x in {0, 1}")
        )
        unknown = self.rng.choice(("x", "k", "m.n", "d.k"))
        form = self.rng.choice(
            (
                *(subject,) * 6,
                f"breakdown {subject}",
                f"sweep {subject} over {axis}",
                self.condition(1),
                f"solve {subject} == {self.literal(powers)} for {unknown}",
                f"largest {unknown} with {self.condition(1)}",
                f"smallest {subject} over {axis}",
                f"sensitivity {subject}",
                f"limit {subject} as {unknown} -> inf",
            )
        )
        if self.chance(0.25):
            form += f" at {unknown} = {self.rng.choice(('3', '1 .. 4', '1e6', '0', 'inf', 'q0'))}"
        unit = self.unit(powers)
        return f"{form} show {unit}" if unit and "1/" not in unit and self.chance(0.2) else form


def grown(rng: Random) -> str:
    """Return a spec that is made of the constructs of the grammar."""
    fault = rng.choice((0.0, 0.0, 0.0, 0.01, 0.05))
    return Grower(rng, fault, rng.choice((0.0, 0.05, 0.3))).text()
