"""Tests of continuing after the first finish (LM-R15, second edition): each player decides, and may stop later."""

import pytest

from tests.games.missionnaires.table import C, bons, find_pawn, hand, options, overseer, play, question, space, table
from triclinium.bots import choose_option, create_bot
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.shared_rows import replace_item
from triclinium.games.missionnaires.game import GAME
from triclinium.games.missionnaires.rules.actions.displacement import StormPort
from triclinium.games.missionnaires.rules.state import Missionnaires


def ranks(s: Missionnaires) -> list[int]:
    return [score.rank for score in GAME.scores(s)]


def set_up_finish(**parts: object) -> Missionnaires:
    """Return a match where Blue (seat 2) is one step from home and the others are on their way."""
    hands = {0: ["mad"], 1: ["rom", "sev"], 2: [], 3: ["ath"]}
    return table(seats=4, at=["gre", "nap", "bou", "the"], hands=hands, turn=2, **parts)  # type: ignore[arg-type]


def empty_hand(s: Missionnaires, seat: int) -> None:
    s.hand = replace_item(s.hand, seat, ())
    s.hand_seen = replace_item(s.hand_seen, seat, ())
    s.hand_ruled_out = replace_item(s.hand_ruled_out, seat, ())


def send_home(s: Missionnaires, seat: int) -> None:
    """Move the asked seat to one step from home with nothing left to do."""
    assert (s.who, question(s)) == (seat, "Main")
    empty_hand(s, seat)
    s.at[seat] = space("bou")
    s.legal = s.asked.options(s)
    play(s, "go bet", "stop")


def test_each_is_asked_in_seat_order_after_the_finisher() -> None:
    """LM-R15  After Blue the others are asked in order: orange, red, yellow. One "no" does not stop the others."""
    s = set_up_finish()
    play(s, "go bet", "stop")
    asked = []
    for answer in ("yes", "no", "yes"):
        assert question(s) == "PlayOn"
        asked.append(s.who)
        play(s, answer)
    assert asked == [3, 0, 1]
    assert s.rank == [-1, 0, 1, 0]
    assert (s.who, question(s)) == (3, "Main")
    assert ranks(s) == [2, 4, 1, 3]  # the current ranks; orange has one congregation left too, but is farther away


def test_a_player_who_stops_leaves_the_board() -> None:
    """LM-R15, LM-9.2  The overseer goes to the Bethel, BONS and periodicals are returned, and cards stay hidden."""
    s = set_up_finish(bons={0: ["t29", "m29"]}, overseers={"c": 0}, periodicals=[5, 5, 5, 5])
    play(s, "go bet", "stop", "yes", "no")
    assert (find_pawn(s, 0), overseer(s, "c"), bons(s, 0), s.periodicals[0]) == ("off", "bet", [], 0)
    assert [C.card_ids[card] for card in (*s.discard, *s.sea_discard)] == ["t29", "m29"]
    assert hand(s, 0) == ["mad"]
    assert GAME.view(s, 1).players[0].stopped
    assert GAME.view(s, 1).players[0].unvisited[0].card is None


def test_it_is_asked_again_after_every_further_finish() -> None:
    """LM-R15  After every further finish all remaining players are asked, beginning after the new finisher."""
    s = set_up_finish()
    play(s, "go bet", "stop", "yes", "yes", "yes")
    send_home(s, 3)
    assert s.rank == [0, 0, 1, 2]
    assert (s.who, question(s)) == (0, "PlayOn")
    play(s, "yes")
    assert (s.who, question(s)) == (1, "PlayOn")
    play(s, "yes")
    send_home(s, 0)
    assert s.over  # one player is left and nobody has stopped, so he is last
    assert ranks(s) == [3, 4, 1, 2]


def test_the_last_player_can_play_on_after_another_stopped() -> None:
    """LM-R15  A single remaining player who comes home ranks before all who stopped."""
    s = set_up_finish()
    play(s, "go bet", "stop", "no", "no", "yes")
    assert (s.who, question(s)) == (1, "Main")
    send_home(s, 1)
    assert s.over
    assert ranks(s) == [3, 2, 1, 4]


def test_the_match_ends_when_nobody_plays_on() -> None:
    """LM-R15, LM-R16  The order is fewer congregations left, fewer BONS, the shorter way home, more periodicals."""
    s = set_up_finish(bons={0: ["t29"]})
    play(s, "go bet", "stop", "no", "no", "no")
    assert s.over
    assert ranks(s) == [3, 4, 1, 2]


def test_a_player_can_stop_later_instead_of_the_main_action() -> None:
    """LM-R15  A player may stop later instead of a main action, and is ranked by that position.

    Before a finish this is not offered.
    """
    s = set_up_finish()
    assert "retire" not in options(s)
    play(s, "go bet", "stop", "yes", "yes", "yes")
    assert "retire" in options(s)
    play(s, "retire")
    assert s.rank == [0, 0, 1, -1]
    assert (s.who, question(s)) == (0, "Main")
    empty_hand(s, 0)
    play(s, "retire")
    assert (s.who, question(s)) == (1, "Main")
    play(s, "retire")
    assert s.over
    assert ranks(s) == [2, 4, 1, 3]


def test_a_player_who_can_only_pass_may_stop() -> None:
    """LM-R15  A player whose only main action is to pass is still asked."""
    s = table(
        seats=3,
        at=["bou", "syr", "ath"],
        hands={0: []},
        periodicals=[8, 0, 8],
        gendarmes={"g1": "ben", "g2": "trp", "g7": "sfx"},
    )
    play(s, "go bet", "stop", "yes", "yes")
    assert options(s) == ["pass", "retire"]


def test_those_at_the_round_limit_are_ranked_with_those_who_stopped() -> None:
    """LM-R16  Players at the round limit and players who stopped are ranked by their last positions."""
    s = table(
        seats=3,
        at=["bou", "gre", "ath"],
        hands={0: [], 1: ["mad", "rom"], 2: ["jer"]},
        round_=100,
        variants={"round_limit": 100},
    )
    play(s, "go bet", "stop", "no", "yes", "pass")
    assert s.over
    assert ranks(s) == [1, 3, 2]


def test_equal_players_who_stopped_share_the_rank() -> None:
    """LM-R16  Two players who stopped in equal positions share the rank."""
    s = table(seats=3, at=["bou", "gre", "gre"], hands={0: [], 1: ["mad"], 2: ["jer"]}, variants={"share_spaces": True})
    play(s, "go bet", "stop", "no", "no")
    assert ranks(s) == [1, 2, 2]


def test_with_two_seats_nothing_is_asked() -> None:
    """LM-R15  The match ends with the first finish, whatever the option is."""
    for play_on in ("each", "vote", "always", "never"):
        s = table(seats=2, at=["bou", "rom"], hands={0: []}, variants={"play_on": play_on})
        play(s, "go bet", "stop")
        assert s.over
        assert ranks(s) == [1, 2]


def test_the_storm_asks_the_next_who_still_plays() -> None:
    """LM-R15, LM-R11  Players who stopped decide nothing. Without another player the port is random."""
    s = set_up_finish()
    play(s, "go bet", "stop", "no", "yes", "yes")
    assert s.who == 0
    s.at[0] = space("s13")
    s.at[1] = space("tls")
    s.sea_deck.append(s.sea_deck.pop(s.sea_deck.index(C.card_ids.index("m22"))))
    s.legal = s.asked.options(s)
    play(s, "go plm")
    assert s.asked == StormPort(1)
    s = set_up_finish(sea=["m22"])
    play(s, "go bet", "stop", "no", "yes", "no")
    s.at[0] = space("s13")
    s.legal = s.asked.options(s)
    barrier = s.undo_barrier
    play(s, "go plm")
    assert find_pawn(s, 0) in ("nap", "plm", "reg")
    assert s.undo_barrier > barrier
    assert s.who == 0


def test_resigning_after_another_player_stopped() -> None:
    """LM-R24, LM-R15  The remaining player competes for a rank before those who stopped."""
    s = set_up_finish()
    play(s, "go bet", "stop", "no", "yes", "yes", "resign red")
    assert (s.who, question(s)) == (1, "Main")
    assert s.rank == [4, 0, 1, -1]
    play(s, "retire")
    assert s.over
    assert ranks(s) == [4, 3, 1, 2]


@pytest.mark.parametrize("name", ["random", "novice", "greedy", "steady", "strong@20x"])
def test_bots_never_stop(name: str) -> None:
    """LM-R15  Bots continue when they are asked and do not stop later."""
    s = set_up_finish()
    play(s, "go bet", "stop")
    assert GAME.format_option(choose_option(create_bot(name, GAME), s, Rng(1))) == "yes"
    play(s, "yes", "yes", "yes")
    assert "retire" in options(s)
    picks = {
        GAME.format_option(choose_option(create_bot(name, GAME), s, Rng(seed)))
        for seed in range(20 if name == "random" else 3)
    }
    assert "retire" not in picks
