"""The site of the manual: `python -m sphinx -W -b html docs OUT`, with `pip install '.[docs]'`."""

from __future__ import annotations

project = "costlang"
copyright = "the costlang authors"
extensions = ["myst_parser", "sphinx.ext.mathjax", "costlang.docs.sphinx"]
exclude_patterns = ["tools", "_build"]
html_theme = "furo"
html_title = "costlang"
html_static_path = ["_static"]
html_css_files = ["costlang.css"]
html_show_sphinx = False
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_fence_as_directive = ["math"]
suppress_warnings = [
    "toc.not_included",  # each message is linked by diagnostics/index
    "misc.highlighting_failure",  # some pages show a file that is broken
]
