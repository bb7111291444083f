"""Tests of auto-replies: how long they are valid, when they answer, and that they never prevent an undo."""

import random
from collections import Counter

import pytest

from tests.matches import RECORDS
from tests.toy import TOY
from triclinium import list_games
from triclinium.engine.auto_replies import (
    AutoReplies,
    AutoReply,
    build_auto_reply_message,
    create_auto_reply,
    find_auto_reply,
    list_active_replies,
    list_available_spans,
)
from triclinium.engine.core.state import ASK, MATCH, ROUND, TURN, Seat
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.engine.registry import load_game

NAMED = {  # questions of each game for which an auto-reply is possible
    "evangelists": {"FollowTravel", "FollowTradition", "FollowInterview", "FollowRearrange"},
    "ierusalem": {"BuyMahane", "TakeOffering"},
    "missionnaires": {"BonWindow", "PlayAtOnce"},
    "portals": set(),
    "testoftime": {"Move"},
}


def table(seats: int = 3) -> Match:
    """Return a table where seat 0 has just laid a card, so that seat 1 is asked to join."""
    for seed in range(100):
        match = Match(TOY, seats, seed)
        lays = [o for o in match.state.legal if TOY.format_option(o).startswith("lay")]
        if lays:
            match.play(TOY.format_option(lays[0]))
            return match
    raise AssertionError("nobody can lay a card")


def set_auto_replies(match: Match, until: str, *others: Seat) -> AutoReplies:
    """Set auto-replies to this question for the asked seat and other seats."""
    wish = create_auto_reply(match.state, until)
    every = [AutoReply(seat, wish.step, wish.until, wish.period, wish.text) for seat in (wish.seat, *others)]
    return {(one.seat, one.step): one for one in every}


def give(match: Match, wishes: AutoReplies) -> int:
    """Play auto-replies as long as there are any, and return their number."""
    given = 0
    while not match.state.over and (o := find_auto_reply(match, wishes)) != ASK:
        match.play(match.game.format_option(o), automatic=True)
        given += 1
    return given


def test_auto_replies_are_offered_only_with_a_safe_answer() -> None:
    match = Match(TOY, 3, 1)
    assert list_available_spans(match.state) == ()
    assert list_available_spans(table().state) == (TURN, ROUND, MATCH)


@pytest.mark.parametrize("until", [TURN, ROUND, MATCH])
def test_an_auto_reply_ends_with_its_turn_or_round(until: str) -> None:
    match = table()
    wishes = set_auto_replies(match, until)
    assert [wish.text for wish in list_active_replies(wishes, match.state, 1)] == ["join nobody"]
    assert list_active_replies(wishes, match.state, 2) == []
    match.play("join no")
    match.play("join no")
    assert bool(list_active_replies(wishes, match.state, 1)) == (until != TURN)  # seat 1 has its own turn
    while match.state.rounds_left == 4:  # type: ignore[attr-defined]
        match.play("stop")
    assert bool(list_active_replies(wishes, match.state, 1)) == (until == MATCH)
    match.undo_moves(1)
    # the round of the auto-reply is the current round again
    assert bool(list_active_replies(wishes, match.state, 1)) == (until != TURN)
    match.play("resign 2")
    assert list_active_replies(wishes, match.state, 1) == []


def test_automatic_answers_are_ordinary_options_in_the_record() -> None:
    by_hand, unasked = table(), table()
    by_hand.play("join no")
    by_hand.play("join no")
    assert give(unasked, set_auto_replies(unasked, MATCH, 2)) == 2
    assert unasked.record.dumps() == by_hand.record.dumps()
    assert unasked.state.digest() == by_hand.state.digest()
    assert unasked.list_deciders() == [0, -1, -1]
    assert by_hand.list_deciders() == [0, 1, 2]
    again = Match.resume(unasked.record, TOY, {1, 2})
    assert again.marks == unasked.marks
    assert Match.resume(unasked.record, TOY).marks == by_hand.marks


def test_an_automatic_answer_is_undone_with_its_move() -> None:
    match = table()
    before = Match(TOY, 3, int(match.record.seed or 0)).state.digest()
    wishes = set_auto_replies(match, MATCH, 2)
    assert match.can_undo(0)
    assert give(match, wishes) == 2
    assert match.can_undo(0)
    assert not match.can_undo(1)
    assert match.undo(0).startswith("lay")
    assert (match.marks, match.state.digest()) == ([], before)


def test_an_undo_of_automatic_answers_keeps_decisions() -> None:
    match = table()
    assert give(match, set_auto_replies(match, MATCH)) == 1
    match.play("join no")  # The auto-reply of seat 2 gave this answer.
    assert not match.can_undo(0)
    assert match.can_undo(2)
    assert match.rebuild_before(1).marks == match.marks[:2]
    assert match.rebuild_before(1).marks[1].automatic == "join nobody"


def start_before_last_answer(match: Match) -> Match:
    """Return a match where seat 2 has laid a card in the last turn of the round. A die is rolled after the answers."""
    match.undo_moves(len(match.marks))
    match.play("stop")
    match.play("stop")
    lay = next((TOY.format_option(o) for o in match.state.legal if TOY.format_option(o).startswith("lay")), "")
    assert lay, "seat 2 can lay nothing: take another seed"
    match.play(lay)
    return match


def test_automatic_answers_never_end_the_right_to_undo() -> None:
    """The last answer of a round rolls the die. A seat that could still undo before the roll is asked instead."""
    match = start_before_last_answer(table())
    wishes = set_auto_replies(match, MATCH, 1)
    assert give(match, wishes) == 1
    assert (match.state.who, match.can_undo(2)) == (1, True)
    assert find_auto_reply(match, wishes) == ASK
    assert find_auto_reply(match, wishes, undo=False) != ASK  # an automatic answer takes no undo away here
    match.play("join no")
    assert match.reveals_information(1)
    assert not match.can_undo(2)


def test_an_earlier_reveal_does_not_stop_an_auto_reply() -> None:
    match = Match(TOY, 2, 3)
    while match.state.asked.id != "Join":
        lays = [o for o in match.state.legal if TOY.format_option(o).startswith("lay")]
        match.play(
            TOY.format_option(lays[0]) if lays and match.state.who == 1 else "draw" if match.state.who == 1 else "stop"
        )
    wishes = set_auto_replies(match, MATCH)
    assert find_auto_reply(match, wishes) == ASK  # an automatic answer would roll the die
    match.marks[-1] = type(match.marks[-1])(
        1, match.marks[-1].undo_barrier - 1
    )  # laying it now counts as revealing something
    assert find_auto_reply(match, wishes) != ASK


def test_only_the_seat_itself_sees_its_automatic_answers() -> None:
    match = table()
    give(match, set_auto_replies(match, MATCH))
    told = build_auto_reply_message(match, 2, 1)
    assert told is not None
    assert TOY.words.reader("en").read(told) == "Answered automatically: join nobody"
    assert TOY.words.reader("fr").read(told) == "Réponse automatique\u00a0: ne rejoindre personne"
    assert [build_auto_reply_message(match, 2, seat) for seat in (-1, 0, 2)] == [None] * 3
    assert [build_auto_reply_message(match, n, 1) for n in (0, 1)] == [None] * 2


@pytest.mark.parametrize("id", list_games())
def test_games_define_safe_answers_and_continue_with_them(id: str) -> None:
    """All seats have every possible auto-reply. The match continues, and nobody loses an undo."""
    game = load_game(id)
    named: Counter[str] = Counter()
    for seed in range(1 if id in ("portals", "testoftime") else 3):
        chance = random.Random(seed)
        match = Match(game, 3, seed)
        wishes: AutoReplies = {}
        while not match.state.over and len(match.marks) < 700:
            s = match.state
            spans = list_available_spans(s)
            if spans:
                wish = create_auto_reply(s, spans[-1])
                wishes[wish.seat, wish.step] = wish
                before = s.undo_barrier
                last = next((k for k in range(1, len(match.marks) + 1) if not match.marks[-k].automatic), 0)
                could = last > 0 and not match.reveals_information(last)
                step = s.asked.id
                if give(match, wishes):
                    named[step] += 1
                    assert match.state.undo_barrier == before or not could
                    continue
            match.play(game.format_option(chance.choice(match.state.legal)))
        assert Record.loads(match.record.dumps()).options == match.record.options
    assert named.keys() == NAMED[id]


@pytest.mark.parametrize("id", [id for id in list_games() if NAMED[id]])
def test_rounds_and_turns_have_unique_numbers(id: str) -> None:
    """Round and turn numbers never repeat along a golden record."""
    record = Record.loads(min((RECORDS / id).glob("*.rec")).read_text(encoding="utf-8"))
    game = record.find_game()
    s = record.deal(game, listen=True)
    rounds: list[int] = []
    turns: list[tuple[int, int]] = []
    for text in record.options[:600]:
        s.events = []
        s.play(game.read(text))
        if any(event.type.begins_round for event in s.events or []):
            rounds.append(s.period()[0])
        if list_available_spans(s) and s.period() not in turns[-1:]:
            turns.append(s.period())
    assert len(set(rounds)) == len(rounds)
    assert len(set(turns)) == len(turns) > 3
