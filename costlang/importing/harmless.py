"""Fields that change no size and no work, and why; a field in no list is refused."""

from __future__ import annotations

from collections.abc import Mapping

_WORDS = """_name_or_path transformers_version auto_map finetuning_task tokenizer_class prefix
problem_type id2label label2id task_specific_params unsloth_version unsloth_fixed _commit_hash
_from_model_config is_composition is_llama_config keys_to_ignore_at_inference"""
_TOKENS = """bos_token_id eos_token_id pad_token_id sep_token_id decoder_start_token_id unk_token_id
cls_token_id mask_token_id boi_token_index eoi_token_index image_token_index image_token_id
video_token_id vision_start_token_id vision_end_token_id audio_token_id boi_token_id eoi_token_id
eom_token_id"""
_GENERATION = """bad_words_ids begin_suppress_tokens diversity_penalty do_sample early_stopping
encoder_no_repeat_ngram_size exponential_decay_length_penalty forced_bos_token_id
forced_eos_token_id length_penalty max_length min_length no_repeat_ngram_size num_beam_groups
num_beams num_return_sequences remove_invalid_values repetition_penalty suppress_tokens temperature
top_k top_p typical_p generation_config model_max_length predict_special_tokens"""
_OUTPUTS = """output_attentions output_hidden_states output_scores output_router_logits return_dict
return_dict_in_generate use_return_dict chunk_size_feed_forward use_cache is_decoder
tf_legacy_loss use_bfloat16 num_labels summary_activation summary_first_dropout
summary_proj_to_labels summary_type summary_use_proj classifier_dropout"""
_TRAINING = """initializer_range initializer_factor init_std attention_dropout hidden_dropout
resid_pdrop embd_pdrop attn_pdrop residual_dropout embedding_dropout dropout layerdrop
activation_dropout hidden_dropout_prob attention_probs_dropout_prob router_aux_loss_coef
router_z_loss_coef router_jitter_noise input_jitter_noise aux_loss_alpha seq_aux
gradient_checkpointing embedding_initializer_range mlp_dropout attn_dropout ff_dropout
pretraining_tp ep_size use_grouped_mm use_kernels"""
_ROTARY = """rope_theta rope_scaling rope_parameters rope_local_base_freq rope_interleaved
rope_interleave rope_type rope_ratio rotary_pct rotary_emb_base rotary_percentage rotary_dim rotary
partial_rotary_factor max_position_embeddings original_max_position_embeddings max_sequence_length
seq_length n_ctx use_mrope rope_pct rope_base rotary_emb_fraction rope_condense_ratio
initial_context_length long_factor short_factor mrope_section rope_percent"""
_NUMERICS = """rms_norm_eps layer_norm_eps layer_norm_epsilon norm_epsilon norm_eps
layernorm_epsilon attention_softmax_in_fp32 scale_attention_softmax_in_fp32 scale_attn_weights
scale_attn_by_inverse_layer_idx reorder_and_upcast_attn attn_logit_softcapping
final_logit_softcapping query_pre_attn_scalar logit_scale logits_scaling residual_multiplier
embedding_multiplier attention_multiplier slow_but_exact swiglu_limit clip_qkv
attn_temperature_tuning attn_scale floor_scale fp32_residual_connection"""
_ACTIVATIONS = """hidden_act hidden_activation activation_function activation"""
_ENGINES = """_attn_implementation attn_implementation _attn_implementation_autoset attn_config_impl
cache_implementation context_window_size prefill_chunk_size attention_sink_size
transformers.js_config use_flash_attn flash_attention use_flash_attention_2
_experts_implementation disable_exllama onnx"""

_GROUPS: tuple[tuple[str, str], ...] = (
    (_WORDS, "a name or a note"),
    (_TOKENS, "the number of a special token"),
    (_GENERATION, "how tokens are chosen"),
    (_OUTPUTS, "what a call hands back"),
    (_TRAINING, "a setting of training"),
    (_ROTARY, "how positions are encoded, without weights"),
    (_NUMERICS, "a constant in a formula, without weights"),
    (_ACTIVATIONS, "the shape of a curve; its arithmetic is not counted"),
    (_ENGINES, "a setting of the program that runs the model"),
)

HARMLESS: Mapping[str, str] = {
    name: because for words, because in _GROUPS for name in words.split()
}
"""Each field that changes no cost in any family, with the reason."""

ROUTING: Mapping[str, str] = dict.fromkeys(
    """norm_topk_prob routed_scaling_factor scoring_func topk_method n_group topk_group
    num_expert_group use_routing_bias norm_topk moe_renormalize""".split(),
    "how a router weighs and ranks experts, not how many",
)
"""Fields of a router that change no cost: the number of experts a token takes is another field."""
