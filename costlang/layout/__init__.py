"""How a spec is laid out: one way, without options, and never another meaning."""

from costlang.layout.layout import Layout, LayoutFault, lay_out, same

__all__ = ["Layout", "LayoutFault", "lay_out", "same"]
