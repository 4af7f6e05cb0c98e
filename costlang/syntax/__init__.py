"""What an author wrote: the tree, the parser that makes it, and its limits."""

from costlang.syntax.parse import (
    Parsed,
    parse,
    parse_binding,
    parse_expression,
    parse_question,
)
from costlang.syntax.tree import Tree

__all__ = ["Parsed", "Tree", "parse", "parse_binding", "parse_expression", "parse_question"]
