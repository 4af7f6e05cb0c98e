"""Every code that a message can have, with one line of what it means."""

from __future__ import annotations

from collections.abc import Mapping

READING: Mapping[str, str] = {
    "file-too-large": "a file has more bytes than are read",
    "import-cycle": "files import each other in a circle",
    "import-outside-root": "an import leads out of the project and is no part of the library",
    "indirect-import": "a name is imported from a file that only imports it itself",
    "missing-file": "the file that was asked for does not exist",
    "missing-import": "an import names a file that does not exist",
    "name-conflict": "a name is imported twice, or imported and declared",
    "not-utf8": "a file has bytes that are no UTF-8",
    "too-many-files": "a program imports more files than are read",
    "unknown-import": "the file that is imported declares no such name",
    "unreadable-file": "the system does not let a file be read",
}
"""What is wrong with files and imports."""

WRITING: Mapping[str, str] = {
    "chained-comparison": "a comparison has a third side",
    "comma-in-number": "digits are grouped with a comma",
    "double-star": "a power is written `**`",
    "exponent-too-large": "a literal exponent is larger than is computed",
    "juxtaposition": "two expressions stand side by side without an operator",
    "leading-dot": "a number begins with its point",
    "literal-too-long": "a literal has more digits than are read",
    "missing-edition": "a file does not begin with its edition",
    "missing-expression": "an expression is missing",
    "money-before-number": "a currency stands before its number",
    "nesting-too-deep": "expressions, blocks or calls stand in each other deeper than is read",
    "nul-byte": "a NUL byte stands in a text",
    "single-equals": "one `=` stands where two sides are compared",
    "percent-of": "a percentage stands before what it is a part of, without `*`",
    "spaced-unit": "a unit has a space inside",
    "stray-character": "a character means nothing in the language",
    "too-many-mistakes": "a file has more mistakes in its writing than are told",
    "too-many-tokens": "a file has more words and signs than are read",
    "unclosed-block": "a block has no closing brace",
    "unclosed-bracket": "a bracket is not closed",
    "unexpected-end": "a line or a text ends too early",
    "unexpected-word": "a word or a sign cannot stand in its place",
    "unicode-operator": "an operator is a sign of mathematics instead of one of the language",
    "unknown-statement": "a line begins with a word that begins no statement",
    "unknown-edition": "a file is of an edition that this version does not read",
    "unopened-bracket": "a bracket is closed that was not opened",
    "unterminated-string": "a text in quotes does not end on its line",
}
"""What is wrong with how a file is written."""

UNITS: Mapping[str, str] = {
    "refused-unit": "a unit is spelled in a way that means different things to different readers",
    "unit-not-constant": "a unit is defined by something other than a quantity",
    "unknown-unit": "no unit has this name",
}
"""What is wrong with units."""

NAMES: Mapping[str, str] = {
    "both-simple-and-composite": "an operator states resources and has terms as well",
    "circular-definition": "a definition needs its own value",
    "circular-parents": "declarations amend each other in a circle",
    "declared-twice": "a name is declared twice in one place",
    "lent-twice": "a bare name could be that of two things which a phase is given",
    "not-a-type": "a word stands for no type",
    "not-an-enum": "a table maps something other than an enum",
    "not-an-operator": "a term is no call of an operator",
    "not-settable": "a value is given to something that has none of its own",
    "not-usable": "a scenario uses something other than a phase, a record or another use",
    "nothing-to-override": "an override replaces nothing that was inherited",
    "reserved-word": "a word of every expression is declared as a name",
    "set-twice": "a name is set twice in one block",
    "unknown-member": "a record, a phase or an enum has no such member",
    "unknown-name": "nothing in scope has this name",
    "wrong-parent": "a declaration amends something of another kind",
}
"""What is wrong with names and declarations."""

CALLS: Mapping[str, str] = {
    "argument-twice": "an argument is given twice",
    "missing-argument": "a call lacks an argument that has no default",
    "missing-given": "a term stands where nothing has the name that its operator is given",
    "not-a-function": "something is called that takes no arguments",
    "nothing-to-total": "a total is asked of something without terms",
    "resource-never-stated": "a total is asked of a resource that no operator states",
    "too-many-arguments": "a call has more arguments by place than there are",
    "total-in-total": "a total stands inside a total, and would be counted once an operator",
    "unknown-argument": "a call names an argument that there is not",
    "wrong-arguments": "a built-in is called with the wrong arguments",
    "wrong-given": "a term stands where the name that its operator is given is of another kind",
}
"""What is wrong with calls, terms and totals."""

DIMENSIONS: Mapping[str, str] = {
    "bare-number": "a number without a unit stands where a dimension belongs",
    "different-kinds": "the two branches of an `if` are of different kinds",
    "dimension-mismatch": "two dimensions differ that must be equal",
    "hole": "a `?` asks what belongs in its place",
    "infinite": "a value is infinite where it cannot be",
    "not-a-condition": "something stands for a condition that is neither true nor false",
    "not-a-number": "something stands for a number that is none",
    "not-a-question": "a bare name after `at` is no question",
    "not-a-table": "something is read with a key that has no rows",
    "not-comparable": "two things are compared that are of different kinds",
    "odd-exponent": "a square root leaves half a dimension",
    "record-in-arithmetic": "a record stands where a number belongs",
    "table-without-key": "a table is read or set without saying which row",
    "unknown-exponent": "a dimension is raised to a power that is not written out",
    "upside-down-range": "a range ends below its beginning",
    "wrong-kind": "a value is of another kind than its place",
}
"""What is wrong with dimensions and kinds."""

VALUES: Mapping[str, str] = {
    "missing-row": "a row of a table is read that was never set",
    "no-operator": "a resource is read where there is no operator",
    "not-a-value": "something without a value is read",
    "not-whole": "what counts a repeat or bounds a sum is not whole",
    "outside-domain": "a value lies outside the domain of its name, or of an operation",
    "too-many-steps": "a sum or a repeat has more steps than are taken one by one",
    "too-much-work": "an answer takes more work than is done",
}
"""What only the numbers show."""

QUESTIONS: Mapping[str, str] = {
    "no-scenario": "a binding from outside meets a file without a scenario",
    "open-axis": "an axis of a table has no end, or no number for one",
    "suspicious-figure": "a number is a well-known slip away from that of the shipped chip",
    "too-many-rows": "a table would have more rows than are worked out",
    "held-for-moved": "bytes that are held are divided by what moves them",
    "missing-source": "numbers of a chip have no source",
    "not-answered-yet": "a question is sound, and this version does not answer its kind",
    "unread-setting": "a scenario sets what none of its questions and facts can read",
    "unknown-question": "a file has no question of this name",
}
"""What is wrong with what is asked."""

IMPORTING: Mapping[str, str] = {
    "broken-weights": "the header of a safetensors file cannot be used",
    "import-from-network": "an address is given where a file is read",
    "json-fault": "a configuration is no JSON, or says a thing twice",
    "missing-field": "a configuration leaves out what has no default",
    "not-a-config": "a file is no configuration of a model",
    "size-differs": "the weights have another size than the model that was written",
    "unknown-architecture": "a configuration is of a family that is not imported",
    "unknown-field": "a configuration has a field that is not understood",
    "unsupported-field": "a configuration asks for what the library has no words for",
    "wrong-field": "a field of a configuration has a value that it cannot have",
}
"""What is wrong with a configuration that is imported."""

PAGES: Mapping[str, str] = {
    "broken-lock": "the record beside the pages of a folder cannot be read",
    "embed-begins-line": "a line of text begins with an embed, and Markdown takes it for HTML",
    "empty-embed": "an embed of a page asks for nothing",
    "false-sentence": "a sentence of a page speaks of a number that is another one now",
    "nested-embed": "an embed begins inside another one",
    "no-number": "an embed asks for a number where names are left free",
    "no-spec": "a page has an embed and names no spec",
    "outside-project": "a page names a file outside its project",
    "stale-embed": "what an embed shows is not what it comes to now",
    "unclear-sentence": "a sentence that is held against a value has not just one number",
    "unclosed-embed": "an embed has no closing mark",
    "unknown-scenario": "an embed names a scenario that the specs of its page do not have",
    "unopened-embed": "an embed is closed that was not opened",
    "unsettled-page": "a page would be read in another way once it is filled in",
    "which-answer": "an embed asks a question that has several answers",
    "which-scenario": "an embed could be meant for more than one scenario",
    "wrong-option": "an option of an embed or of a page is unknown, or cannot be this",
}
"""What is wrong with pages that show answers."""

GROUPS: Mapping[str, Mapping[str, str]] = {
    "Files and imports": READING,
    "How it is written": WRITING,
    "Units": UNITS,
    "Names and declarations": NAMES,
    "Calls, terms and totals": CALLS,
    "Dimensions and kinds": DIMENSIONS,
    "Numbers": VALUES,
    "Questions": QUESTIONS,
    "Importing": IMPORTING,
    "Pages": PAGES,
}
"""The codes by what is wrong."""

CODES: Mapping[str, str] = {
    **READING,
    **WRITING,
    **UNITS,
    **NAMES,
    **CALLS,
    **DIMENSIONS,
    **VALUES,
    **QUESTIONS,
    **IMPORTING,
    **PAGES,
}
"""All codes, with their meaning."""
