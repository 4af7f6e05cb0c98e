"""The table of `docs/importing.md`: the families that `costlang import` understands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from costlang.importing.families import FAMILIES, WRAPPERS


def makers() -> Mapping[str, Callable[[], str]]:
    """Return what makes each part of the page, by the name of the part."""
    return {"import: families": families}


def families() -> str:
    """Return the table of the families, each by its `model_type`, in the order of the alphabet."""
    rows = sorted([*_plain(), *_wrapped()])
    lines = ["| `model_type` | class | the model stands |", "| --- | --- | --- |"]
    lines += [f"| `{name}` | {rest} |" for name, rest in rows]
    return "".join(f"{line}\n" for line in lines)


def _plain() -> Iterator[tuple[str, str]]:
    for name, family in FAMILIES.items():
        yield name, f"{_classes(family.architectures)} | in the file itself"


def _wrapped() -> Iterator[tuple[str, str]]:
    for name, wrapper in WRAPPERS.items():
        yield name, f"{_classes(wrapper.architectures)} | under `text_config`"


def _classes(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)
