"""Tests of page sizes in the middle of a match. `python -m bench.pages` measures processor time."""

import gzip
import random

import pytest
from fastapi.testclient import TestClient

from tests.web.test_secrets import Visitors
from triclinium import list_games

PACKED = 40_000  # bytes of a compressed page
MOVES = 60


def render_small_page(client: TestClient, id: str) -> str:
    """Return the page of the asked player, and check its size."""
    company = Visitors(client, id, 3)
    chance = random.Random(5)
    for _ in range(MOVES):
        company.play(chance)
    page = company.browsers[company.table.who].get(company.path)
    assert 'id="decision"' in page
    assert len(gzip.compress(page.encode(), 3)) < PACKED
    return page


@pytest.mark.parametrize("id", list_games())
def test_a_page_is_small(client: TestClient, id: str) -> None:
    render_small_page(client, id)
