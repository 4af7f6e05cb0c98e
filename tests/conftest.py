"""How properties are tried: without a stopwatch, since machines differ."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("costlang", deadline=None)
settings.load_profile("costlang")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Trees that tests make are kept in a folder of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COSTLANG_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield
