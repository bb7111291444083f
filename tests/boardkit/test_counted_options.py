"""Tests of questions that are asked several times in a row: every answer is legal as a whole and reveals nothing."""

from itertools import islice

import pytest

from tests.boardkit.test_decision import golden
from tests.games.ierusalem.table import ANA, play, table
from tests.matches import RECORDS
from tests.slow import slow
from triclinium import Record, list_games, load_game
from triclinium.boardkit.counted_options import find_counted_options
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.engine.match import OPTION_SEPARATOR, Match


def find_discards(least: int) -> tuple[Record, int]:
    """Return a golden match up to a Camp that holds too many pieces, and the number of discards."""
    for seats in (3, 4):
        record = Record.loads((RECORDS / "ierusalem" / f"{seats}.rec").read_text(encoding="utf-8"), f"{seats}.rec")
        game = record.find_game(None)
        s = record.truncate(0).replay()
        for n, option in enumerate(record.options):
            if s.asked.repetitions(s) >= least:
                return record.truncate(n), s.asked.repetitions(s)
            s.choose(game.read(option))
    raise AssertionError("no Camp is too full in the golden matches")


def list_outcomes(game: Game, s: State) -> set[str]:
    """Return what the seat sees after every series of single options."""
    found: set[str] = set()
    waiting = [s.clone()]
    while waiting:
        here = waiting.pop()
        if here.who != s.who or here.asked.id != s.asked.id:
            found.add(repr(game.view(here, s.who)))
            continue
        for o in here.legal:
            there = here.clone()
            there.choose(o)
            waiting.append(there)
    return found


@pytest.mark.parametrize(("id", "every"), [("ierusalem", 3), *(slow(id, 1) for id in list_games())])
def test_every_answer_is_legal_and_reveals_nothing_before_its_end(id: str, every: int) -> None:
    game = load_game(id)
    asked = (s for s in golden(game, every == 1) if s.asked.repetitions(s) > 1)
    for s in islice(asked, 0, None, every):
        counted = find_counted_options(game, s, s.who, 1)
        assert counted is not None
        assert counted == find_counted_options(game, s.resample(s.who, Rng(3)), s.who, 2)
        for answer in counted.list_answers():
            there = s.clone()
            for o in counted.list_options(answer):
                assert (there.who, there.asked.id, there.undo_barrier) == (s.who, s.asked.id, s.undo_barrier)
                assert o in there.legal
                there.choose(o)
            assert (there.who, there.asked.id) != (s.who, s.asked.id)


def test_the_answers_lead_to_every_outcome_of_single_options() -> None:
    """IE-2.18  When only one kind of good is left, the rules discard the rest without asking."""
    game = load_game("ierusalem")
    s = table(hands={ANA: "r03 r04"}, goods={ANA: (1, 1, 5)}, denarii={ANA: 0})
    play(s, "play r03", "column 1", "skip")
    assert s.asked.id == "Warehouse"
    counted = find_counted_options(game, s, ANA, 1)
    assert counted is not None
    assert counted.total > 2
    assert counted.shortened
    views = set()
    for answer in counted.list_answers():
        there = s.clone()
        for o in counted.list_options(answer):
            there.choose(o)
        views.add(repr(game.view(there, ANA)))
    assert views == list_outcomes(game, s)


def test_one_undo_removes_all_options_of_an_answer() -> None:
    """IE-2.18  The record contains single options, but clocks and undo treat them as one move."""
    match = Match.resume(find_discards(2)[0])
    s = match.state
    counted = find_counted_options(match.game, s, s.who, 1)
    assert counted is not None
    before, who = len(match.record.options), s.who
    chosen = [match.game.format_option(o) for o in counted.list_options(next(counted.list_answers()))]
    match.play_options(chosen)
    assert match.record.options[before : before + len(chosen)] == chosen
    assert match.undo(who) == OPTION_SEPARATOR.join(chosen)
    assert len(match.record.options) == before


def test_a_single_choice_and_another_seat_have_no_counters() -> None:
    s = load_game("ierusalem").deal(3, 1)
    assert find_counted_options(load_game("ierusalem"), s, s.who, 1) is None
    assert find_counted_options(load_game("ierusalem"), s, (s.who + 1) % 3, 1) is None
