project = "plan"
extensions = ["myst_parser", "costlang.docs.sphinx"]
html_theme = "basic"
