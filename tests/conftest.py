"""How properties are tried: without a stopwatch, since machines differ."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("costlang", deadline=None)
settings.load_profile("costlang")
