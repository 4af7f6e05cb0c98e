"""
Pages whose figures and formulas come from specs: filled, and checked.

`render.render(embed, book, host)` says what one embed shows; `words.embed_of`, `book.Book` and
`host.HOSTS` make what it takes.
"""
