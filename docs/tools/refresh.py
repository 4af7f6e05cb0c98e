"""
The pages of the manual, with what they show made anew.

`python -m docs.tools.refresh` does so for all of them, and `… docs/tour.md` for one.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    "claims.md",
    "conventions.md",
    "embedding.md",
    "hardware.md",
    "importing.md",
    "language.md",
    "models.md",
    "solver.md",
    "start.md",
    "tour.md",
    "units.md",
    "why.md",
)


def fresh(page: Path) -> str:
    """Return the text that the file *page* should have."""
    from docs.tools import importing_page, language_page, library_page, units_page
    from docs.tools.pages import filled

    makers = {
        **importing_page.makers(),
        **language_page.makers(),
        **library_page.makers(),
        **units_page.makers(),
    }
    return filled(page.read_text(encoding="utf-8"), makers)


def main(names: list[str]) -> int:
    """Write the pages *names* anew, all where none is named; return 0."""
    for page in [Path(name) for name in names] or [ROOT / "docs" / name for name in PAGES]:
        text = fresh(page)
        if text != page.read_text(encoding="utf-8"):
            page.write_text(text, encoding="utf-8")
            print(f"{page.name}: refreshed")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))  # so that the file may be run by its path as well
    sys.exit(main(sys.argv[1:]))
