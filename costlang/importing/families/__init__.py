"""The families that are understood, each a table of rules."""

from __future__ import annotations

from collections.abc import Mapping

from costlang.importing.families import experts, falcon, gemma, gpt, hybrids, latent, llama, llama_4
from costlang.importing.family import Family, Wrapper

_PLAIN = (*llama.FAMILIES, *gpt.FAMILIES, *falcon.FAMILIES, *gemma.FAMILIES)
_SPARSE = (*experts.FAMILIES, *latent.FAMILIES, *llama_4.FAMILIES)
_ALL: tuple[Family, ...] = (*_PLAIN, *_SPARSE, *hybrids.FAMILIES)
_WRAPPERS: tuple[Wrapper, ...] = (*llama.WRAPPERS, *gemma.WRAPPERS, *llama_4.WRAPPERS)

FAMILIES: Mapping[str, Family] = {name: f for f in _ALL for name in f.model_types}
WRAPPERS: Mapping[str, Wrapper] = {name: w for w in _WRAPPERS for name in w.model_types}


def by_architecture(name: str) -> Family | Wrapper | None:
    """Return the family or the wrapper with the architecture *name*, None where none has it."""
    everything: tuple[Family | Wrapper, ...] = (*_ALL, *_WRAPPERS)
    return next((found for found in everything if name in found.architectures), None)
