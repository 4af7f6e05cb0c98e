"""The site of the manual: built without a warning, and looked at in a browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from .conftest import ROOT, run_module

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
MATHJAX = os.environ.get("COSTLANG_MATHJAX", "")
"""A folder with the MathJax package, since a test reads nothing from elsewhere."""

LOOK = """
<script>
addEventListener("load", () => setTimeout(() => {
  const seen = (all) => [...document.querySelectorAll(all)].map((each) => {
    const box = each.getBoundingClientRect();
    return [Math.round(box.width), Math.round(box.height)];
  });
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify({
    mathematics: seen("mjx-container"), pictures: seen("svg.cost-picture"),
    faults: document.querySelectorAll("mjx-merror, [data-mjx-error]").length,
    wide: document.documentElement.scrollWidth > innerWidth,
  });
  document.body.append(out);
}, 3000));
</script>
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site, built as it is published."""
    place = tmp_path_factory.mktemp("manual")
    local = ("-D", "mathjax_path=mathjax/es5/tex-chtml-full.js") if MATHJAX else ()
    done = run_module("sphinx", "-W", "-q", "-b", "html", *local, "docs", str(place))
    assert (0, "") == (done.returncode, done.stdout + done.stderr)
    if MATHJAX:
        shutil.copytree(MATHJAX, place / "_static" / "mathjax")
    return place


def test_the_front_page_shows_a_spec_and_its_answer(built: Path) -> None:
    html = (built / "index.html").read_text(encoding="utf-8")
    assert '<span class="kd">scenario</span>' in html
    assert "<strong>9.61 ms</strong>" in html
    assert 2 == html.count('class="cost-picture"')


def test_every_page_is_there_and_no_mark_is_left(built: Path) -> None:
    pages = {path.relative_to(built).with_suffix(".md") for path in built.rglob("*.html")}
    sources = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    assert set() == sources - pages
    for name in ("index", "chapter1", "capitulo1"):
        assert "<!-- cost" not in (built / f"{name}.html").read_text(encoding="utf-8")


def look(page: Path, *, dark: bool, picture: Path) -> dict[str, object]:
    """Open *page* in a browser, take a screenshot, and return what is seen in it."""
    assert BROWSER is not None
    scheme = 0 if dark else 1
    probe = page.with_name(f"{page.stem}-seen.html")
    probe.write_text(page.read_text(encoding="utf-8") + LOOK, encoding="utf-8")
    words = [
        *(BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
        *(f"--blink-settings=preferredColorScheme={scheme}", "--virtual-time-budget=20000"),
        *("--window-size=1280,2400", f"--user-data-dir={page.parent.parent / 'profile'}"),
    ]
    file = f"file://{probe}"
    shot = [*words, f"--screenshot={picture}", f"file://{page}"]
    subprocess.run(shot, capture_output=True, check=True, timeout=120)
    done = subprocess.run(
        [*words, "--dump-dom", file], capture_output=True, text=True, check=True, timeout=120
    )
    found = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.S)
    assert found is not None, done.stdout[-500:]
    seen: dict[str, object] = json.loads(found[1])
    return seen


@pytest.mark.skipif(BROWSER is None, reason="no chromium: apt-get install chromium was tried")
@pytest.mark.skipif(not MATHJAX, reason="no MathJax: npm pack mathjax@3.2.2 was tried")
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_browser_draws_mathematics_and_pictures(built: Path, tmp_path: Path, dark: bool) -> None:
    picture = tmp_path / "front.png"
    seen = look(built / "index.html", dark=dark, picture=picture)
    mathematics, pictures = seen["mathematics"], seen["pictures"]
    assert isinstance(mathematics, list) and isinstance(pictures, list)
    assert len(mathematics) >= 1 and all(w > 20 and h > 10 for w, h in mathematics)
    assert 2 == len(pictures) and all(w > 400 and h > 200 for w, h in pictures)
    assert (0, False) == (seen["faults"], seen["wide"])
    assert picture.stat().st_size > 20_000


@pytest.mark.skipif(BROWSER is None, reason="no chromium: apt-get install chromium was tried")
@pytest.mark.skipif(not MATHJAX, reason="no MathJax: npm pack mathjax@3.2.2 was tried")
def test_no_formula_of_a_chapter_fails_in_a_browser(built: Path, tmp_path: Path) -> None:
    seen = look(built / "chapter1.html", dark=False, picture=tmp_path / "chapter.png")
    mathematics = seen["mathematics"]
    assert isinstance(mathematics, list)
    assert len(mathematics) >= 10 and all(w > 5 and h > 5 for w, h in mathematics)
    assert 0 == seen["faults"]
