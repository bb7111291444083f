"""Tests of the recap: events that affect the reader first, all by player and in the order of play, nothing left out."""

import random
import re
from collections import Counter
from dataclasses import replace
from importlib import import_module

import pytest

from tests.slow import slow
from triclinium.engine.core.event import BOOKKEEPING, IMPORTANT, NO_TARGET, TURNING_POINT, WHO, Event, EventType
from triclinium.engine.core.state import NOBODY
from triclinium.engine.core.text import JoinedList, Message, Name, NamedComponent, Reader
from triclinium.engine.match import Match
from triclinium.engine.recap import (
    RecapLine,
    build_recap,
    build_recap_line,
    build_recap_lines,
    find_finished_round,
    find_last_own_move,
    join_sentences,
    select_unread_lines,
    summarize_recap,
)
from triclinium.engine.registry import list_games, load_game

NOBODY_HIT = {  # sentences that name a seat without affecting it
    "missionnaires leapt",  # the skipped player is not affected
    "testoftime kept",
    "testoftime fell",  # the event affects the player who falls, wherever the fight is
    "testoftime scored",
}


def line(text: str, seat: int | None = 1, weight: int = 1, hits: int | None = None, n: int = 1) -> RecapLine:
    return RecapLine(n, seat, text, "", weight, hits)


def texts(lines: list[RecapLine]) -> list[str]:
    return [one.text for one in lines]


STORY = [
    line("b moves", 1),
    line("c wins the match", 2, TURNING_POINT),
    line("b passes", 1, BOOKKEEPING),
    line("b pushes a", 1, IMPORTANT, hits=0),
    line("c robs a", 2, TURNING_POINT, hits=0),
    line("b robs c", 1, TURNING_POINT, hits=2),
    line("b sings", 1),
    line("a round begins", None),
]


def test_effects_on_the_viewer_come_first_and_order_is_kept() -> None:
    told = build_recap(STORY, 0)
    assert texts(told.hits) == ["b pushes a", "c robs a"]
    assert [(group.seat, texts(group.lines)) for group in told.groups] == [
        (1, ["b moves", "b robs c", "b sings"]),
        (2, ["c wins the match"]),
        (None, ["a round begins"]),
    ]
    assert texts(told.small) == ["b passes"]
    assert texts(told.lines) == texts(STORY)


def test_the_summary_is_chosen_by_weight_and_kept_in_order() -> None:
    """The players with the weightiest events get an entry each, in the order of play."""
    entries = summarize_recap(build_recap(STORY, 0), 0, 2, 2)
    assert [(one.seat, texts(one.lines), one.rank, one.is_hit) for one in entries] == [
        (1, ["b pushes a", "b robs c"], 1, True),
        (2, ["c wins the match", "c robs a"], 2, True),
    ]
    (entry,) = summarize_recap(build_recap(STORY[:2], 0), 0, 1, 2)
    assert (entry.seat, entry.rank, entry.is_hit) == (2, 1, False)
    (entry,) = summarize_recap(build_recap(STORY[2:3], 0), 0, 3, 2)
    assert texts(entry.lines) == ["b passes"]


def test_the_events_of_a_player_are_one_sentence() -> None:
    """The player's name is the subject of all parts. A sentence without the name keeps its own subject."""
    reader = Reader(seats=("Ann", "Ben"))
    sailed, kept, over, failed = (
        EventType("sailed", "{who} sails to Rome."),
        EventType("kept", "{who} keeps {0}."),
        EventType("over", "Round over."),
        EventType("failed", "{who}: no room in the Camp."),
    )
    made = [
        build_recap_line(RecapLine, 1, event, reader.read_parts(Message(event.type.text, *event.facts, who=event.seat)))
        for event in (Event(sailed, 0), Event(kept, 0, (31,)), Event(over, NOBODY), Event(failed, 0))
    ]
    assert join_sentences(made[:2], "Ann") == ("Ann", "sails to Rome; keeps 31.")
    assert join_sentences([replace(made[1], times=2)], "Ann") == ("Ann", "keeps 31 ×2.")
    assert join_sentences(made[2:3], "") == ("", "Round over.")
    assert made[3].without_subject("Ann") == ("no room in the Camp.",)
    assert join_sentences(made[:1], "Ben") == ("", "Ann sails to Rome.")


@pytest.mark.parametrize("id", list_games())
@pytest.mark.parametrize("language", ["en", "fr"])
def test_an_event_that_affects_the_reader_uses_you(id: str, language: str) -> None:
    """The sentence addresses the reader and does not name their seat."""
    found = import_module(f"triclinium.games.{id}.rules.events")
    words = load_game(id).words.reader(language)
    address = {"en": r"[Yy]ou", "fr": r"[Vv]o(us|tre|s)\b"}[language]
    for type in [thing for thing in vars(found).values() if isinstance(thing, EventType)]:
        assert bool(type.to_target) == (type.target_fact != NO_TARGET), type
        if type.to_target:
            sentence = words.translate(type.to_target)
            assert re.search(address, sentence), sentence
            assert f"{{{type.target_fact}:seat}}" not in sentence
            assert type.target_fact != WHO or "{who}" not in sentence


def test_the_recap_addresses_the_viewer() -> None:
    robbed = EventType("robbed", "{who} robs {0:seat}.", target_fact=0, to_target="{who} robs you.")
    words, reader = load_game("portals").words, Reader(seats=("Ann", "Ben"))
    for viewer, text in ((1, "Ann robs you."), (0, "Ann robs Ben."), (NOBODY, "Ann robs Ben.")):
        lines = build_recap_lines(words, 1, [Event(robbed, 0, (1,))], viewer, reader)
        assert texts(lines) == ["Ann robs Ben."]
        assert texts(build_recap(lines, None if viewer == NOBODY else viewer).lines) == [text]


def test_equal_events_are_one_line_with_a_count() -> None:
    """Equal events of one player become one line in the first place. The log keeps them all."""
    lines = [
        line("hits a temple", 1, hits=0, n=1),
        line("hits a temple", 1, hits=0, n=2),
        line("hits a temple", 2, hits=0),
    ]
    lines += [line("draws", 1, n=3), line("moves", 1, n=4), line("draws", 1, n=5)]
    told = build_recap(lines, 0)
    assert [(one.seat, one.counted_text, one.n) for one in told.hits] == [
        (1, "hits a temple ×2", 1),
        (2, "hits a temple", 1),
    ]
    assert [one.counted_text for one in told.groups[0].lines] == ["draws ×2", "moves"]
    assert sum(one.times for one in told.lines) == len(lines)
    assert all(one.times == 1 for one in lines)


def test_a_spectator_is_never_affected() -> None:
    told = build_recap([line("b robs a", 1, TURNING_POINT, hits=0), line("c passes", 2, BOOKKEEPING)], None)
    assert not told.hits
    assert texts(told.groups[0].lines) == ["b robs a"]
    assert texts(told.small) == ["c passes"]
    assert not build_recap([], None)


def test_news_begin_with_the_last_decision_of_the_turn_before() -> None:
    """Events stay new while the same player is asked repeatedly, and count as read once the others continue."""
    assert find_last_own_move([0, 1, 2], 0, is_asked=True) == 1
    assert find_last_own_move([0, 1, 2, 0, 0], 0, is_asked=True) == 1
    assert find_last_own_move([0, 1, 2, 0, 0], 0, is_asked=False) == 5
    assert find_last_own_move([1, 2], 0, is_asked=True) == 0
    assert find_last_own_move([0, 0], 0, is_asked=True) == 0
    assert find_last_own_move([], 0, is_asked=True) == 0


def test_consequences_of_an_own_decision_are_in_the_recap() -> None:
    lines = [
        line("the deal", None, n=0),
        line("a lays a card", 0, n=1),
        line("the round ends", None, n=1),
        line("a loses a follower", 0, n=1),
        line("b lays a card", 1, n=2),
        line("a misses a turn", 0, n=2),
    ]
    assert texts(select_unread_lines(lines, [0, 1], 0, 1)) == texts(lines)[2:]
    assert texts(select_unread_lines(lines, [0, 1], 0, 0)) == [texts(lines)[0], *texts(lines)[2:]]
    assert texts(select_unread_lines(lines, [0, 1], 1, 2)) == ["a misses a turn"]


def test_the_recap_of_a_round_covers_it_completely() -> None:
    begins = [RecapLine(n, 0, f"round {n} begins", begins_round=True) for n in (1, 4)]
    lines = [line("set-up", n=0), begins[0], line("b", n=2), line("c", n=3), begins[1], line("d", n=5)]
    assert texts(find_finished_round(lines, lines[3:])) == ["round 1 begins", "b", "c"]
    assert find_finished_round(lines, lines[5:]) == []
    assert find_finished_round(lines[:3], lines[:3]) == []
    assert begins[0].actor is None


def test_an_event_names_the_affected_seat() -> None:
    robbed = EventType("robbed", "{who} robs {1:seat}", target_fact=1)
    assert Event(robbed, 0, (5, 2)).target_seat == 2
    assert Event(robbed, 0, (5,)).target_seat == NOBODY
    assert Event(EventType("missed", target_fact=WHO), 2).target_seat == 2
    assert Event(EventType("moved"), 2, (1,)).target_seat == NOBODY


def test_the_parts_of_a_sentence_add_up_to_it() -> None:
    """The parts of a sentence form the sentence, also with plurals, seats and nested lists.

    Named components are found again.
    """
    names = [Name("bread"), Name("wine")]
    reader = Reader(seats=("Ann", "Ben"), name_of=lambda kind, n: names[n])
    nested = JoinedList([Message("{0:good}", 0), Message("{0:good}", 1), "air"])
    for message in (
        Message("{who} sells {0:good} to {1:seat} for {2} {2:coin|coins}", 1, 0, 3, who=1),
        Message("{*:good}", 0, 1, 0),
        Message("so: {0}.", nested),
        Message("{0}", Message("{0:good}", 1)),
        Message("nothing"),
    ):
        parts = reader.read_parts(message)
        assert "".join(part.text if isinstance(part, NamedComponent) else part for part in parts) == reader.read(
            message
        )
    named = [part for part in reader.read_parts(Message("so: {0}.", nested)) if isinstance(part, NamedComponent)]
    assert [(part.kind, part.number, part.text) for part in named] == [("good", 0, "bread"), ("good", 1, "wine")]


@pytest.mark.parametrize("moves", [60, slow(400)])
@pytest.mark.parametrize("id", list_games())
def test_every_event_with_a_sentence_appears_once(id: str, moves: int) -> None:
    """The text equals the log in both languages, and affected seats are at the table."""
    game = load_game(id)
    seats = game.seats[-1]
    match = Match(game, seats, 11)
    chance = random.Random(3)
    while not match.state.over and len(match.marks) < moves:
        match.play(game.format_option(chance.choice(match.state.options())))
    for language in ("en", "fr"):
        reader = game.words.reader(language, tuple(f"Seat {i}" for i in range(seats)))
        for viewer in (NOBODY, 0, seats - 1):
            lines = [
                one
                for n, events in enumerate(match.events)
                for one in build_recap_lines(game.words, n, events, viewer, reader)
            ]
            log = [text for events in match.events for text in game.words.format_log(events, viewer, reader)]
            assert texts(lines) == log
            told = build_recap([replace(one, target_parts=()) for one in lines], None if viewer == NOBODY else viewer)
            counts = {(one.actor, one.text, one.weight, one.hits): one.times for one in told.lines}
            assert len(counts) == len(told.lines)
            assert counts == Counter((one.actor, one.text, one.weight, one.hits) for one in lines)
            assert all(one.hits is None or 0 <= one.hits < seats for one in lines)
            assert all(one.hits == viewer for one in told.hits)
            assert all(one.weight == BOOKKEEPING for one in told.small)


@pytest.mark.parametrize("id", list_games())
def test_actions_against_a_seat_affect_it(id: str) -> None:
    """An event whose sentence names another seat affects that seat."""
    found = import_module(f"triclinium.games.{id}.rules.events")
    for type in [thing for thing in vars(found).values() if isinstance(thing, EventType)]:
        other = re.search(r"\{(\d):seat\}", type.text)
        if other is not None and f"{id} {type.id}" not in NOBODY_HIT:
            assert type.target_fact == int(other[1]), type
