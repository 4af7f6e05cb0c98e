#!/usr/bin/env bash
# The hosts of pages: each builds a real page, which is then read. The last step of the gate, and
# apart from it since it installs them all. What a machine cannot give is said, and skipped alone.
set -euo pipefail
cd "$(dirname "$0")/../.."

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

"${PYTHON:-python3}" -m venv "$place/venv"
export PATH="$place/venv/bin:$PATH"
python -m pip install --quiet --editable '.[hosts]'
# Built with Rust: not every machine has a wheel of it.
python -m pip install --quiet --only-binary :all: zensical || echo "hosts: pip has no zensical here"

# $1: a program, $2: the package of Debian that has it.
have() {
  command -v "$1" >/dev/null && return
  if [ -n "${CI:-}" ] && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    [ -e "$place/updated" ] || { timeout 60 apt-get update -qq >/dev/null 2>&1 || true; touch "$place/updated"; }
    DEBIAN_FRONTEND=noninteractive timeout 120 apt-get install -qq -y --no-install-recommends "$2" \
      >/dev/null 2>&1 || true
  fi
  command -v "$1" >/dev/null || echo "hosts: no $1 here; tried: apt-get install $2"
}
have chromium chromium
have pdflatex texlive-latex-base

if command -v npm >/dev/null && (cd "$place" && timeout 60 npm pack --silent mathjax@3.2.2 >/dev/null 2>&1); then
  tar xzf "$place/mathjax-3.2.2.tgz" -C "$place"
  export COSTLANG_MATHJAX="$place/package"
else
  echo "hosts: no MathJax here; tried: npm pack mathjax@3.2.2"
fi

python -m pytest -n 2 -ra tests/hosts
