"""The colours of a spec in pages: a lexer for Pygments, which Sphinx, MkDocs and notebooks use."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

DECLARING = (
    *("interface", "hardware", "model", "record", "phase", "op", "scenario", "enum", "table"),
    *("resource", "unit", "param", "let", "term", "check", "require", "law", "query", "use"),
)
STATING = ("cost", "import", "override", "given", "repeat", "show")
INSIDE = (
    *("solve", "sweep", "breakdown", "sensitivity", "limit", "largest", "smallest", "eval"),
    *("for", "over", "at", "with", "within", "where", "source", "is", "as", "in", "to"),
    *("if", "then", "else", "and", "or", "not", "increasing", "decreasing", "convex"),
)
CONSTANTS = ("true", "false", "inf")
FUNCTIONS = ("min", "max", "ceil", "floor", "abs", "sqrt", "log2", "exp", "sum", "total")

_UNIT = r"[A-Za-zµ%$][A-Za-z0-9µ%$]*(?:\^-?\d+)?(?:[/*][A-Za-zµ$]+(?:\^-?\d+)?)*"


class CostLexer(RegexLexer):
    """Tells apart what is declared, what is a number with its unit, and what is a comment."""

    name = "costlang"
    aliases: ClassVar[list[str]] = ["cost"]
    filenames: ClassVar[list[str]] = ["*.cost"]
    url = ""

    tokens: ClassVar[dict[str, list[object]]] = {
        "root": [
            (r"##.*", String.Doc),
            (r"#.*", Comment.Single),
            (r'"[^"\n]*"?', String),
            (
                rf"(\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)( ?)({_UNIT})(?![\w(])",
                bygroups(Number, Text, Keyword.Type),
            ),
            (r"\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?", Number),
            (
                rf"\b({'|'.join(DECLARING)})(\s+)([A-Za-z_]\w*)",
                bygroups(Keyword.Declaration, Text, Name.Function),
            ),
            (words((*STATING, *INSIDE), prefix=r"\b", suffix=r"\b(?!\s*[=.\[])"), Keyword),
            (words(CONSTANTS, prefix=r"\b", suffix=r"\b"), Keyword.Constant),
            (words(FUNCTIONS, prefix=r"\b", suffix=r"(?=\()"), Name.Builtin),
            (rf"(\[)({_UNIT})(\])", bygroups(Punctuation, Keyword.Type, Punctuation)),
            (r"[A-Za-z_]\w*", Name),
            (r"\.\.|==|<=|>=|!=|->|[-+*/^=<>]", Operator),
            (r"[(){}\[\],:.]", Punctuation),
            (r"\s+", Text),
            (r".", Text),
        ]
    }
