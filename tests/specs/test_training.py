"""A training step against papers: six FLOPs a weight and token, what is kept and what is shared."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.answer.asked import all_asked, asked, one

HEAD = """
import hardware.nvidia (A100_80GB, H100_SXM)
import models.gpt (gpt_2, gpt_3_175b)
import models.llama (llama_2_70b, llama_3_1_405b, llama_3_8b)
import models.mistral (mixtral_8x7b)
import std.training (training, training_run)

## Megatron-Turing NLG 530B: arXiv:2205.05198, table 3.
model mt_nlg is gpt_3_175b {
  layers  = 105
  d_model = 20_480
  heads   = 128
  d_ff    = 81_920
}
"""
GPT_3 = "  use step = training(gpt_3_175b, A100_80GB, sequence = 2048, batch = 1, dropout = true)\n"
LAYERS, WIDTH, HEADS, LENGTH, VOCAB = 96, 12_288, 96, 2048, 50_257


def last(length: int, width: int, vocab: int) -> int:
    """Return the bytes kept of the last norm, of the head, and of its scores in 32 bits."""
    return 4 * length * width + 4 * length * vocab


@pytest.mark.parametrize(
    ("again", "each"),
    [
        ("nothing", 34 + Fraction(5 * HEADS * LENGTH, WIDTH)),
        ("attention", Fraction(34)),
    ],
)
def test_a_layer_keeps_what_korthikanti_and_others_counted(again: str, each: Fraction) -> None:
    """Section 4.1 of arXiv:2205.05198: sbh(34 + 5as/h) bytes, and 34sbh without scores."""
    found = one(asked(f"batch_activations at again = {again}", GPT_3, HEAD))
    assert LAYERS * LENGTH * WIDTH * each + last(LENGTH, WIDTH, VOCAB) == found


def test_layers_computed_again_keep_what_enters_them_and_one_layer_at_a_time() -> None:
    """Table 2 of the same: 2sbh a layer; here with the layer that is under way."""
    found = one(asked("inputs", GPT_3, HEAD))
    assert 2 * LENGTH * WIDTH * LAYERS == found
    held = one(asked("batch_activations at again = layers", GPT_3, HEAD))
    assert found < held < found * Fraction(2)


@pytest.mark.parametrize("ways", [2, 8])
def test_eight_chips_share_all_but_the_inputs_and_norms(ways: int) -> None:
    """Section 4.2 of the same: sbh(10 + 24/t + 5as/(ht)) bytes a layer."""
    found = one(asked(f"batch_activations at again = nothing, tp = {ways}", GPT_3, HEAD))
    each = 10 + Fraction(24, ways) + Fraction(5 * HEADS * LENGTH, WIDTH * ways)
    part = Fraction(-(-VOCAB // ways), VOCAB)
    head = 4 * LENGTH * WIDTH + 4 * LENGTH * VOCAB * part
    assert LAYERS * LENGTH * WIDTH * each + head == found


@pytest.mark.parametrize(("model", "saved", "more"), [("gpt_3_175b", 70, 2.7), ("mt_nlg", 65, 1.6)])
def test_computing_scores_again_saves_much_and_costs_little(
    model: str, saved: int, more: float
) -> None:
    """Section 5 of the same, whose FLOPs are those of whole squares and of a forward pass."""
    use = f"training({model}, A100_80GB, sequence = 2048, batch = 1, dropout = true, pairs = full)"
    asks = ("score_bytes / (batch_activations + score_bytes)", "again_flops / (model_flops / 3)")
    share, extra = all_asked(*asks, body=f"  use step = {use}\n", head=HEAD)
    assert saved == round(float(one(share)) * 100)
    assert more == round(float(one(extra)) * 100, 1)


@pytest.mark.parametrize(
    ("shared", "printed"),
    [("none", 120), ("optimizer", 31.4), ("gradients", 16.6), ("weights", 1.9)],
)
def test_what_groups_share_out_is_the_figure_of_zero(shared: str, printed: float) -> None:
    """Figure 1 of arXiv:1910.02054: 7.5 billion weights over 64 groups."""
    body = f"""
  use step = training(llama_3_8b, A100_80GB, sequence = 2048, batch = 1, dp = 64)
  shared       = {shared}
  step.numbers = 7.5 G
"""
    found = one(asked("state", body, HEAD))
    assert printed == round(float(found) / 10**9, 0 if printed == 120 else 1)


def test_six_flops_a_weight_and_token() -> None:
    """Llama 3, arXiv:2407.21783, section 3.4: 15.6T tokens and 3.8e25 FLOPs."""
    body = (
        "  use run = training_run(llama_3_1_405b, H100_SXM, sequence = 8192, corpus = 15.6 Ttok)\n"
    )
    found = one(asked("total_flops at work = parameters", body, HEAD))
    assert 6 * 405_853_388_800 * 156 * 10**11 == found
    assert 3.8 == round(float(found) / 10**25, 1)


def test_attention_over_whole_squares_adds_twelve_flops_a_layer_and_width() -> None:
    """NanoGPT's estimate: 6N + 12LHQT FLOPs a token, N here without vectors."""
    body = "  use step = training(gpt_2, A100_80GB, sequence = 1024, batch = 1)\n"
    found = one(asked("model_flops / 1024 at pairs = full", body, HEAD))
    weights = 12 * 12 * 768 * 768 + 768 * 50_257
    assert 6 * weights + 12 * 12 * 768 * 1024 == found


def test_a_published_bill_of_hours_is_a_utilization_of_44_percent() -> None:
    """Llama 2, arXiv:2307.09288, table 2: 1,720,320 hours of an A100 for 2T tokens."""
    body = "  use run = training_run(llama_2_70b, A100_80GB, sequence = 4096, corpus = 2 Ttok)\n"
    found = one(asked("total_flops / (1_720_320 h * hardware.peak[bf16])", body, HEAD))
    assert 0.44 == round(float(found), 2)


def test_a_backward_pass_costs_twice_a_forward_one_and_layers_once_more() -> None:
    body = "  use step = training(llama_3_8b, H100_SXM, sequence = 2048, accumulated = 4)\n"
    forward = one(asked("forward.flops", body, HEAD))
    times = [one(asked(f"flops at again = {how}", body, HEAD)) for how in ("nothing", "layers")]
    assert [12 * forward, 16 * forward] == times


def test_a_pipeline_waits_less_the_more_batches_a_step_has() -> None:
    use = "training(llama_3_8b, H100_SXM, sequence = 2048, pp = 4, link_latency = 0 s)"
    for batches in (1, 4, 64):
        found = one(asked(f"bubble at accumulated = {batches}", f"  use step = {use}\n", HEAD))
        assert Fraction(3, batches) == found


def test_of_a_mixture_each_token_trains_its_own_experts() -> None:
    body = "  use step = training(mixtral_8x7b, H100_SXM, sequence = 2048)\n"
    found = one(asked("model_flops / 2048 at pairs = none, again = nothing", body, HEAD))
    active = one(asked("model.total(active)", body, "import std.ops (active)\n" + HEAD))
    table = 32_000 * 4096
    assert 6 * (active - table) == pytest.approx(float(found), rel=1e-4)
