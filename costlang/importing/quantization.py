"""What a quantization section says: the format of the matrices, and which of them keep theirs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from costlang.importing.description import Interface
from costlang.importing.json_text import Json, Member, Members
from costlang.importing.taking import Taking, kind_of, wrong
from costlang.text import Diagnostic, Label

QUANTIZED = "std.quantized"
PLAIN = "std.format"


@dataclass(frozen=True)
class Stored:
    """
    How a checkpoint stores its matrices.

    *experts_only* is whether all others keep the type of the model; *kept* are the kinds of
    matrices that keep it: `router`, `head`. *because* says it in the words of the section.
    """

    form: Interface
    because: str
    experts_only: bool = False
    kept: frozenset[str] = frozenset()


@dataclass(frozen=True)
class _Section:
    """A quantization section while it is read; its fields are read like those of a model."""

    member: Member
    taking: Taking
    kept: frozenset[str]

    def refuse(self, because: str, name: str | None = None) -> None:
        """Note that the section, or its field *name*, is not imported."""
        found = self.taking.members.find(name) if name is not None else None
        self.taking.refuse(found or self.member, because)

    def value(self, name: str) -> object:
        """Return what the field *name* says, None where it is absent."""
        found = self.taking.member(name)
        return found.value.value if found is not None else None

    def passed(self, names: str) -> None:
        """Note fields that change no size as read."""
        self.taking.read.update(names.split())

    def only(self, name: str, values: tuple[object, ...], because: str) -> None:
        """Refuse the field *name* with another value than null or one of *values*."""
        value = self.value(name)
        if value is not None and not any(type(value) is type(v) and value == v for v in values):
            self.refuse(because, name)

    def names(self, *fields: str) -> tuple[tuple[Member, str], ...]:
        """Return the modules that are named in *fields*, each with the field."""
        found = []
        for field in fields:
            member = self.taking.member(field)
            if member is not None and member.value.value is not None:
                found += [(member, text) for text in self.taking.texts(member) or ()]
        return tuple(found)


_Reader = Callable[[_Section], Stored | None]


def stored_as(taking: Taking, kept: frozenset[str] = frozenset()) -> Stored | None:
    """
    Return how the quantization section of a configuration stores its matrices; or a fault.

    *kept* are kinds of matrices that keep their type whatever it says.
    """
    member = taking.member("quantization_config")
    assert member is not None
    if not isinstance(member.value.value, Members):
        taking.faults.append(wrong(member, "is an object", kind_of(member.value)))
        return None
    inner = Taking(member.value.value, member.span, "the quantization section")
    inner.figures.update(taking.figures)
    section = _Section(member, inner, kept)
    method = section.value("quant_method")
    reader = _METHODS.get(method) if isinstance(method, str) else None
    found = None
    if reader is None:
        section.refuse("it names no method that is read here", "quant_method")
    else:
        found = reader(section)
        inner.faults.extend(_unknown(section))
    taking.faults.extend(inner.faults)
    return None if inner.faults else found


def _unknown(section: _Section) -> Iterator[Diagnostic]:
    for member in section.taking.members.items:
        if member.name not in section.taking.read and member.value.value is not None:
            title = f"`{member.name}` is not understood, and could change what the weights take"
            label = Label(member.span, "no field of this kind of quantization section")
            yield Diagnostic("unknown-field", title, label)


# ---- modules that keep their type

_KINDS: Mapping[str, re.Pattern[str]] = {
    "norm": re.compile(r"norm\d?$"),
    "head": re.compile(r"(lm_head|embed_out|output_layer)$"),
    "embedding": re.compile(r"(embed_tokens|embeddings?|wte)$"),
    "router": re.compile(r"(^|\.)(gate|router)$"),
    "gate of a shared expert": re.compile(r"(^|\.)shared_expert_gate$"),
    "attention": re.compile(r"(self_attn|attention|attn)$"),
    "images": re.compile(r"(^|\.)(vision_\w+|visual|multi_modal_projector)(\..*)?$"),
}
"""What a module is by how its name ends."""


def _kept(section: _Section, *fields: str) -> frozenset[str]:
    """Return the kinds of modules that keep their type, each in all layers or in none."""
    found: dict[str, set[int | None]] = {kind: {None} for kind in section.kept}
    for member, text in section.names(*fields):
        plain = re.sub(r"\\\.|\.\*\\?\.?", ".", text.removeprefix("re:")).strip("^$.*")
        kind = next((kind for kind, name in _KINDS.items() if name.search(plain)), None)
        if kind is None:
            section.refuse(f"the library cannot store `{_short(text)}` apart", member.name)
            return frozenset()
        layer = re.search(r"\.(?:layers|h|blocks)\.([0-9]{1,6})\.", text)
        found.setdefault(kind, set()).add(int(layer[1]) if layer else None)
    for kind in ("router", "attention"):
        _ensure_whole(section, kind, found.get(kind, {None}), fields)
    return frozenset(found)


def _with_head(section: _Section, kept: frozenset[str], *fields: str) -> frozenset[str]:
    """Return *kept*; refuse a list without the last matrix, of which programs think differently."""
    named = next((f for f in fields if section.value(f) is not None), None)
    if named is not None and "head" not in kept and section.taking.value("tied") is False:
        section.refuse("it does not say whether the last matrix keeps its type", named)
    return kept


def _ensure_whole(
    section: _Section, kind: str, layers: set[int | None], fields: tuple[str, ...]
) -> None:
    """Refuse a kind that keeps its type in some layers only: the library cannot say so."""
    wanted = section.taking.number("layers")
    dense = section.taking.number("dense_layers") or 0
    if kind == "router" and wanted is not None:
        wanted -= dense
    if None not in layers and wanted is not None and len(layers) < wanted:
        named = next((f for f in fields if section.taking.members.find(f)), None)
        section.refuse(f"its {kind} keeps its type in {len(layers)} of {wanted} layers", named)


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"


def _kept_apart(section: _Section, kept: frozenset[str]) -> frozenset[str]:
    """Return *kept* where the library can say so: attention apart from the rest it cannot."""
    if "attention" in kept:
        section.refuse("the library cannot store attention apart from the other matrices")
    return kept


# ---- the methods


def _fp8(section: _Section) -> Stored | None:
    section.passed("activation_scheme")
    section.only("fmt", ("e4m3", "float8_e4m3fn"), "another kind of eight-bit number")
    lists = ("modules_to_not_convert", "ignored_layers")
    kept = _with_head(section, _kept_apart(section, _kept(section, *lists)), *lists)
    block = section.taking.member("weight_block_size")
    if block is None or block.value.value is None:
        return Stored(Interface(PLAIN, "fp8"), "fp8, its scales left out", kept=kept)
    if section.taking.counts(block) != (128, 128):
        section.refuse("the library has scales of blocks of 128 by 128 alone", "weight_block_size")
    because = "fp8 with a scale for each block of 128 by 128"
    return Stored(Interface(QUANTIZED, "fp8_block"), because, kept=kept)


def _gptq(section: _Section) -> Stored | None:
    section.passed(
        """desc_act sym damp_percent dataset static_groups true_sequential model_seqlen
        block_name_to_quantize checkpoint_format use_exllama exllama_config max_input_length
        tokenizer module_name_preceding_first_block pad_token_id batch_size cache_block_outputs
        disable_exllama use_cuda_fp16 meta quantizer model_name_or_path model_file_base_name
        pack_dtype damp_auto_increment backend"""
    )
    for name in ("lm_head", "is_marlin_format"):
        section.only(name, (False,), "another layout than that of GPTQ")
    for name in ("modules_in_block_to_quantize", "dynamic"):
        section.only(name, (), "only some of the matrices are quantized")
    return _in_groups(section, section.value("bits"), section.value("group_size"))


def _awq(section: _Section) -> Stored | None:
    section.passed(
        "version do_fuse fuse_max_seq_len modules_to_fuse backend exllama_config batch_size"
    )
    section.only("zero_point", (True,), "groups without a zero")
    kept = _kept_apart(section, _kept(section, "modules_to_not_convert"))
    bits = section.value("bits") or section.value("w_bit")
    return _in_groups(
        section, bits, section.value("group_size") or section.value("q_group_size"), kept
    )


def _in_groups(
    section: _Section, bits: object, group: object, kept: frozenset[str] = frozenset()
) -> Stored | None:
    """Return the format of groups that share a scale and a zero; experts have to be told of."""
    if type(bits) is not int or type(group) is not int:
        section.refuse("it does not say, in whole numbers, how many bits and how large a group")
        return None
    name = f"int{bits}_group_{group}"
    if name not in GROUPED:
        section.refuse(f"the library has no format of {bits} bits in groups of {group}")
        return None
    if "experts" in section.taking.figures and "router" not in kept | section.kept:
        section.refuse("it does not say whether the routers are quantized")
    because = f"{bits} bits in groups of {group}, each with a scale and a zero"
    return Stored(Interface(QUANTIZED, name), because, kept=kept | {"router"})


GROUPED = ("int4_group_32", "int4_group_64", "int4_group_128", "int8_group_128")
SYMMETRIC = ("int4_symmetric_32", "int4_symmetric_64", "int4_symmetric_128")


def _bitsandbytes(section: _Section) -> Stored | None:
    section.passed(
        """bnb_4bit_compute_dtype bnb_4bit_quant_storage llm_int8_enable_fp32_cpu_offload
        llm_int8_threshold bnb_4bit_quant_type"""
    )
    section.only("llm_int8_has_fp16_weight", (False,), "weights of 16 bits beside those of eight")
    skipped = "llm_int8_skip_modules"
    kept = _with_head(section, _kept_apart(section, _kept(section, skipped)), skipped)
    four = section.value("load_in_4bit") or section.value("_load_in_4bit")
    eight = section.value("load_in_8bit") or section.value("_load_in_8bit")
    double = section.value("bnb_4bit_use_double_quant")
    if four is True and eight is not True:
        name = "nf4_double" if double is True else "nf4"
        return Stored(Interface(QUANTIZED, name), "four bits in blocks of 64", kept=kept)
    if eight is True and four is not True:
        return Stored(Interface(PLAIN, "int8"), "eight bits, a scale a row left out", kept=kept)
    section.refuse("it says neither four bits nor eight")
    return None


def _mxfp4(section: _Section) -> Stored | None:
    """Return that of gpt-oss: its experts alone are quantized, whatever else is listed."""
    section.passed("dequantize")
    kept = _kept(section, "modules_to_not_convert")
    if "experts" not in section.taking.figures or section.taking.number("dense_layers"):
        section.refuse("it is read only where each layer has experts")
    because = "the experts are stored in MXFP4"
    return Stored(Interface(PLAIN, "mxfp4"), because, experts_only=True, kept=kept)


def _compressed(section: _Section) -> Stored | None:
    section.passed("quantization_status global_compression_ratio version format run_compressed")
    section.only("kv_cache_scheme", (), "a format of the cache")
    for name in ("sparsity_config", "transform_config"):
        member = section.taking.member(name)
        if member is not None and member.value.value not in (None, Members(())):
            section.refuse("matrices that are changed besides", name)
    kept = _kept_apart(section, _kept(section, "ignore"))
    _with_head(section, kept, "ignore" if section.value("ignore") is not None else "quant_method")
    groups = section.value("config_groups")
    if not isinstance(groups, Members) or len(groups.items) != 1:
        section.refuse("one group of matrices is read, and no other number", "config_groups")
        return None
    return _group(section, groups.items[0].value, kept)


_OF_GROUP = "targets weights input_activations output_activations format".split()
_OF_WEIGHTS = """actorder block_structure dynamic group_size num_bits observer observer_kwargs
strategy symmetric type scale_dtype zp_dtype""".split()


def _known(section: _Section, members: Members, names: list[str]) -> Mapping[str, object]:
    """Return what *members* say by their names, of which each is one of *names*."""
    for member in members.items:
        if member.name not in names and member.value.value is not None:
            section.refuse(f"`{_short(member.name)}` in it is not understood", "config_groups")
    return {member.name: member.value.value for member in members.items}


def _group(section: _Section, group: Json, kept: frozenset[str]) -> Stored | None:
    parts = group.value if isinstance(group.value, Members) else Members(())
    found = _known(section, parts, _OF_GROUP)
    targets = found.get("targets")
    weights = found.get("weights")
    linear = isinstance(targets, tuple) and [t.value for t in targets] == ["Linear"]
    if not linear or not isinstance(weights, Members):
        section.refuse("all linear layers are read as one group, and no other", "config_groups")
        return None
    named = {"symmetric": True, **_known(section, weights, _OF_WEIGHTS)}
    form = _form(named, plain=found.get("input_activations") is None)
    if form is None:
        section.refuse("the library has no format for its weights", "config_groups")
        return None
    return Stored(form, f"the weights of all linear layers as {form.name}", kept=kept)


def _form(named: Mapping[str, object], *, plain: bool) -> Interface | None:
    """Return the format of the library for the weights of a group, None where there is none."""
    kind = (named.get("type"), named.get("num_bits"), named.get("strategy"))
    size = named.get("group_size")
    if type(named.get("num_bits")) is not int:
        return None
    match kind:
        case ("float", 8, "tensor" | "channel"):
            return Interface(PLAIN, "fp8")
        case ("float", 8, "block"):
            block = named.get("block_structure")
            sides = [side.value for side in block] if isinstance(block, tuple) else []
            return Interface(QUANTIZED, "fp8_block") if sides == [128, 128] else None
        case ("int", 8, "tensor" | "channel") if named.get("symmetric") is True:
            return Interface(PLAIN, "int8_weights" if plain else "int8")
        case ("int", 4, "group"):
            even = "group" if named.get("symmetric") is False else "symmetric"
            name = f"int4_{even}_{size}"
            return Interface(QUANTIZED, name) if name in (*GROUPED, *SYMMETRIC) else None
        case ("float", 4, "tensor_group") if size == 16:
            return Interface(QUANTIZED, "nvfp4")
        case _:
            return None


_METHODS: Mapping[str, _Reader] = {
    "fp8": _fp8,
    "gptq": _gptq,
    "awq": _awq,
    "bitsandbytes": _bitsandbytes,
    "mxfp4": _mxfp4,
    "compressed-tensors": _compressed,
}
