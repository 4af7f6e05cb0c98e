"""Published figures, recomputed by hand from shapes, and how the library is asked for each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from costlang.pipeline import Sentence, ask, run
from costlang.text import Source

ROUND = "decode(round_70b, H100_SXM, context = 0)"
READ = "prefill(round_70b, H100_SXM, prompt = 2000)"
DECODE = "decode(llama_2_70b, H100_SXM, context = 2000)"
PREFILL = "prefill(llama_2_70b, H100_SXM, prompt = 2000)"
QUOTED = "hardware.peak[bf16] = 989 TFLOP/s"
NODE = "decode(llama_3_70b, H100_SXM, context = 2000, batch = 64, link_latency = 1 us)"


@dataclass(frozen=True)
class Figure:
    """
    What is expected, the question in its own words, and what it is about.

    *about* is a phase or a model of the library, or a text with one scenario in which the question
    is asked. The digits after the point say to how many the answer is rounded; `infeasible: fits`
    expects the requirements that fail.
    """

    expected: str
    question: str
    about: str
    why: str

    def __str__(self) -> str:
        return f"{self.why}: {self.question}"


def told(figure: Figure) -> str:
    """Return the answer as *figure* writes it, or the messages where there is none."""
    texts = told_all(figure)
    return texts[0] if len(texts) == 1 else ", ".join(texts)


def told_all(figure: Figure) -> list[str]:
    """Return each answer to the question of *figure*, rounded as it expects them."""
    if figure.about.startswith("cost 1"):
        line = f"\n  query asked: {figure.question}\n}}\n"
        report = run(Source("asked.cost", figure.about.rstrip().removesuffix("}") + line))
    else:
        report = ask(Sentence(figure.question, None, figure.about))
    notes = [*report.diagnostics, *(a.note for a in report.answers if a.note is not None)]
    if notes:
        return [f"{note.code}: {note.message}" for note in notes]
    if figure.expected.startswith("infeasible"):
        names = sorted({broken.name for item in report.answers for broken in item.infeasible})
        return [f"infeasible: {', '.join(names)}"]
    wanted = figure.expected.split(", ")
    found = []
    for item, like in zip(report.answers[-len(wanted) :], wanted, strict=True):
        scale = item.unit.scale if item.unit is not None else Fraction(1)
        found.append(_digits(item.value, scale, like))
    return found


def _digits(value: object, scale: Fraction, like: str) -> str:
    if isinstance(value, bool) or not isinstance(value, Fraction):
        return str(value).lower() if isinstance(value, bool) else str(value)
    places = len(like.partition(".")[2])
    scaled = round(value / scale * 10**places)
    whole = f"{scaled:0{places + 1}d}"
    return f"{whole[:-places]}.{whole[-places:]}" if places else whole


# ---- the chapter's round model: 70 billion parameters of two bytes, and no shapes

CHAPTER = (
    Figure("41.79", f"latency at {QUOTED} show ms", ROUND, "140 GB over 3.35 TB/s"),
    Figure("23.93", f"rate at {QUOTED} show tok/s", ROUND, "one user, one token a step"),
    Figure("140", "flops show GFLOP", ROUND, "two FLOPs a weight"),
    Figure("3.35", f"achieved at {QUOTED} show TFLOP/s", ROUND, "140 GFLOP 23.93 times a second"),
    Figure("0.339", f"utilization at {QUOTED} show %", ROUND, "3.35 of 989 TFLOP/s"),
    Figure("infeasible: fits", "latency", ROUND, "140 GB do not go into 80 GB"),
    Figure("99.66", f"idle at {QUOTED} show %", ROUND, "the rest of the peak"),
    Figure("283.1", f"latency at {QUOTED} show ms", READ, "2,000 tokens of 140 GFLOP at the peak"),
    Figure("compute_bound", f"regime at {QUOTED}", READ, "283.1 ms to compute, 41.8 ms to read"),
    Figure("memory_bound", f"regime at {QUOTED}", ROUND, "0.14 ms to compute, 41.8 ms to read"),
    Figure("41.8", "t_memory show ms", READ, "the same 140 GB"),
    Figure("2000, 2000", "intensity, intensity / 1 FLOP/B", READ, "each byte serves 2,000 tokens"),
    Figure("1", "intensity", ROUND, "two FLOPs to two bytes"),
    Figure("295.2", f"ridge_point at {QUOTED}", ROUND, "989 TFLOP/s over 3.35 TB/s"),
    Figure("295.2", f"t_memory / t_compute at {QUOTED}", ROUND, "sequences that break even"),
    Figure("memory_bound", f"regime at {QUOTED}, batch = 295", ROUND, "just below the ridge"),
    Figure("compute_bound", f"regime at {QUOTED}, batch = 296", ROUND, "just above the ridge"),
    Figure("46.4", "token_price at price = 4 $/h show $/Mtok", ROUND, "41.79 s of a rented chip"),
    Figure("92.9", "token_price at price = 8 $/h show $/Mtok", ROUND, "41.79 s of a rented chip"),
)

# ---- Llama-2-70B as published, in two bytes a number, one H100

PUBLISHED = (
    Figure("68976648192", "total(params)", "llama_2_70b", "the published implementation"),
    Figure("137.953", "model.total(weights_held) show GB", DECODE, "all parameters, two bytes"),
    Figure("137.429", "weights_bytes show GB", DECODE, "without the table of the look-up"),
    Figure("327680", "total(cache_held) show B", "llama_2_70b", "80 layers, 8 heads of 128"),
    Figure("282.15", f"latency at {QUOTED} show ms", PREFILL, "matrices and causal pairs"),
    Figure("41.22", f"latency at {QUOTED} show ms", DECODE, "weights and one cache"),
    Figure("53.55", f"latency at {QUOTED}, batch = 64 show ms", DECODE, "and 64 caches"),
    Figure("91.13", f"latency at {QUOTED}, batch = 256 show ms", DECODE, "and 256 caches"),
    *(
        Figure(
            expected,
            f"latency at {QUOTED}, batch = {batch} show ms",
            "decode(llama_3_70b, H100_SXM, context = 2000)",
            "a vocabulary of 128,256 instead of 32,000",
        )
        for batch, expected in ((1, "41.69"), (64, "54.02"), (256, "91.60"))
    ),
    # Without the cache that the step writes: by that much a step that only reads is shorter.
    *(
        Figure(
            expected,
            f"(bytes - {batch} * 327_680 B) / hardware.hbm_bandwidth at batch = {batch} show ms",
            DECODE,
            "reading alone",
        )
        for batch, expected in ((64, "53.54"), (256, "91.10"))
    ),
)

# ---- the cache, two bytes a number


def stack(*layers: str, extra: str = "") -> str:
    """Return a text with a model of these repeats, and a scenario in which it stands."""
    body = "\n".join(f"  {layer}" for layer in layers)
    return (
        "cost 1\nimport std.decoder (decoder, dense)\n"
        "import std.format (format, mxfp4, bf16)\nimport std.layout (layout, single)\n"
        "import std.ops (attend, gqa, mlp, linear, lookup, unembed, norm, pairs_within,\n"
        "                all_reduce, params, flops, cache_held, cache_moved, weights_held,\n"
        "                weights_moved, leaving, sent, hops)\n"
        f"{extra}\nmodel made is decoder {{\n{body}\n}}\nscenario s {{\n  use m = made\n}}"
    )


BUDGET = """
cost 1
import std.stack (windowed)
import std.ops (cache_held)
model budget is windowed {
  layers        = 30
  window_layers = 25
  window        = 1024
  heads         = 32
  kv_heads      = 8
  d_head        = 128
}
scenario s {
  use m = budget
  let room = 30 * 4096 B * 1024 + 3 * 5 * 4096 B
  query most: largest m.past with m.total(cache_held) <= room
}
""".lstrip()

CACHE = (
    Figure("131072", "total(cache_held) show B", "llama_3_1_8b", "32 layers, 8 heads of 128"),
    Figure("327680", "total(cache_held) show B", "llama_3_1_70b", "80 layers, 8 heads of 128"),
    Figure("516096", "total(cache_held) show B", "llama_3_1_405b", "126 layers, 8 heads of 128"),
    Figure("81920", "total(cache_held) at on.tp = 4 show B", "llama_3_1_70b", "two heads a rank"),
    Figure("40960", "total(cache_held) at on.tp = 16 show B", "llama_3_1_70b", "one, on two ranks"),
    Figure("147456", "total(cache_held) show B", "qwen_3_4b", "36 layers, 8 heads of 128"),
    Figure("73728", "total(cache_held) show B", "gpt_oss_120b", "36 layers, 8 heads of 64"),
    *(
        Figure(
            str(36_864 * tokens + 4_718_592),
            f"total(cache_held) at past = {tokens - 1} show B",
            "gpt_oss_120b",
            "18 layers grow, 18 hold 128 tokens",
        )
        for tokens in (128, 129, 100_000)
    ),
    *(
        Figure(
            "70272",
            f"total(cache_held) at on.tp = {tp} show B",
            "deepseek_v3",
            "61 layers of 576, on every rank",
        )
        for tp in (1, 2, 4, 8)
    ),
    Figure(
        "10.41",
        "total(cache_held) at past = 131_071 show GiB",
        "gemma_3_27b",
        "52 layers of 1,024 tokens, 10 of all",
    ),
    Figure("40960", "total(slot) show B/tok", "nemotron_h_56b", "10 layers attend"),
    Figure(
        "40960000",
        "total(cache_held) - total(state) at past = 999 show B",
        "nemotron_h_56b",
        "1,000 tokens, besides the constant state",
    ),
    Figure("true", "m.total(cache_held) == room at m.past = 1026", BUDGET, "all is used"),
    Figure("1027", "most + 1 tok", BUDGET, "the longest sequence, its new token included"),
)

# ---- structure, where calculators go wrong

WIDE = stack("term mlp = mlp(8192, 28_672)")
NARROW = stack("term mlp = mlp(4096, 4096)")
HEADS = stack("term attend = attend(64, 8, 128)")
MANY = stack("term attend = attend(64, 64, 128)")
TIED = stack("term table = lookup(1000, 10)", "term head = unembed(10, 1000, true, rows = 1 tok)")
APART = stack("term table = lookup(1000, 10)", "term head = unembed(10, 1000, false, rows = 1 tok)")
RING = stack("term add = all_reduce(8192)")
EXPERTS = """
cost 1
import hardware.nvidia (H100_SXM)
import models.qwen (qwen_3_30b_a3b)
import std.experts (distinct)
import std.phases (decode)
scenario s {
  use one  = decode(qwen_3_30b_a3b, H100_SXM, context = 0)
  use four = decode(qwen_3_30b_a3b, H100_SXM, context = 0, batch = 4)
}
""".lstrip()
BARE = stack("term one = linear(1, 1)")

STRUCTURE = (
    Figure(str(3 * 8192 * 28_672), "m.total(params)", WIDE, "gate, up and down"),
    Figure(str(3 * 4096 * 4096), "m.total(params)", NARROW, "gate, up and down, as wide as deep"),
    Figure(
        str(300 * 4096 + 300 * 301 // 2),
        "pairs_within(300 tok, 4096 tok, inf) / 1 tok^2",
        BARE,
        "a chunk of 300 after a prefix of 4,096",
    ),
    Figure("917760", "pairs_within(2048 tok, 0, 512 tok) / 1 tok^2", BARE, "a window of 512"),
    Figure("2098176", "pairs_within(2048 tok, 0, inf) / 1 tok^2", BARE, "all of 2,048 tokens"),
    Figure(
        str(2048 * 128 * 64 * 2),
        "m.total(leaving) at m.new = 2048 show B",
        HEADS,
        "flash attention writes 2,048 vectors of 64 heads of 128, and no scores",
    ),
    Figure(
        "2.000, 4.625, 7.549",
        "distinct(8, 2, 1 tok), distinct(8, 2, 3 tok), distinct(8, 2, 10 tok)",
        EXPERTS,
        "8 · (1 - (6/8)^n) experts of n tokens that take two of 8 each",
    ),
    Figure(
        "1.555",
        "4 * one.weights_bytes / four.weights_bytes",
        EXPERTS,
        "Qwen3-30B-A3B: four times the tokens, and 2.6 times the bytes",
    ),
    Figure(
        "3.68928",
        "sum(over i in 0..5: 0.8^i)",
        BARE,
        "five drafts of which each is taken at 0.8, and one token of the pass itself",
    ),
    Figure("32768", "m.total(flops) show FLOP", HEADS, "4 times 64 heads of 128, a pair"),
    Figure("32768", "m.total(flops) show FLOP", MANY, "as many, with 64 cache heads"),
    Figure(
        "4096, 32768",
        "m.total(cache_held), 8 * m.total(cache_held) show B",
        HEADS,
        "two caches of 8 heads",
    ),
    Figure("0", "m.table.flops show FLOP", TIED, "a look-up multiplies nothing"),
    Figure("20000, 20000", "m.total(weights_held), m.total(flops)", TIED, "one table, one matmul"),
    Figure("0, 20000", "m.table.weights_moved, m.head.weights_moved", TIED, "read by the head"),
    Figure(
        "54018692608",
        "weights_bytes show B",
        "decode(gemma_3_27b, H100_SXM, context = 0)",
        "Gemma 3: all of 27,009,346,304 parameters, the tied table once, by the head",
    ),
    Figure(
        "40000, 20000", "m.total(weights_held), m.total(flops)", APART, "two tables, one matmul"
    ),
    Figure(
        "28672, 14",
        "m.total(sent), m.total(hops) at m.on.tp = 8 show B",
        RING,
        "2 · 7/8 of 16,384 B, in 14 steps",
    ),
    Figure("0, 0", "m.total(sent), m.total(hops)", RING, "one chip sends nothing"),
    Figure("infeasible: whole", "latency at tp = 7", NODE, "64 heads over 7 chips"),
    Figure("infeasible: ", "latency at tp = 16", NODE, "8 cache heads, each on two of 16 chips"),
    Figure(
        "infeasible: fits, spread",
        "latency at ep = 3, tp = 8, link_latency = 1 us",
        "decode(deepseek_v3, H100_SXM, context = 3)",
        "experts in three parts over 8 chips",
    ),
    Figure(
        "infeasible: fits, taken",
        "latency at top_k = 9",
        "decode(mixtral_8x7b, H100_SXM, context = 3)",
        "nine of 8 experts",
    ),
    Figure(
        "infeasible: grouped",
        "latency at kv_heads = 64",
        "decode(llama_3_1_8b, H100_SXM, context = 3)",
        "more cache heads than the 32 query heads",
    ),
    Figure("160", "model.total(hops) / 14 at tp = 8", NODE, "two all-reduces in each of 80 layers"),
)

# ---- Llama-3-70B over chips, with a microsecond a message

LAYOUTS = tuple(
    Figure(expected, f"latency at tp = {tp} show ms", NODE, "a ring of H100 with 450 GB/s")
    for tp, expected in ((1, "54.02"), (2, "27.70"), (4, "15.03"), (8, "9.65"))
)

ALL: tuple[Figure, ...] = (*CHAPTER, *PUBLISHED, *CACHE, *STRUCTURE, *LAYOUTS)


def wrong(figures: Iterable[Figure]) -> Figure | None:
    """Return the first figure that the library does not give, if there is one."""
    return next((figure for figure in figures if told(figure) != figure.expected), None)
