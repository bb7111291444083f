"""Tests that lists of tables show how finished matches ended."""

import json

import pytest

from triclinium.server.tables.lobby import LobbyRow

ROW: dict[str, object] = {
    "id": "t",
    "game": "figs",
    "name": "Roma",
    "status": "over",
    "moves": 3,
    "moved": 0.0,
    "who": -1,
    "takeover": 0,
    "store": 0,
    "deal_until": 0.0,
}
SEATS = [(0, "Anna", "person", True), (1, "Ben", "person", True), (2, "Steady", "bot", True)]


@pytest.mark.parametrize(
    ("result", "winners"),
    [([[2, 5], [1, 7], [3, 1]], ["Ben"]), ([[1, 5], [2, 3], [1, 5]], ["Anna", "Steady"]), ([], [])],
)
def test_a_finished_table_names_the_winner(result: list[list[int]], winners: list[str]) -> None:
    """The list shows the winner and the time. An abandoned match has no winner."""
    assert LobbyRow({**ROW, "practice": False, "origin": "", "result": json.dumps(result)}, SEATS).winners == winners
