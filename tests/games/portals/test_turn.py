"""Tests of turn order, rounds and actions (PP-2, PP-3)."""

from tests.games.portals.table import C, finish_round, options, play, refused, table
from triclinium.engine.match import Match
from triclinium.games.portals.game import GAME
from triclinium.games.portals.rules.refusals import NO_ACTION_LEFT
from triclinium.games.portals.rules.turn import Turn


def test_four_actions_of_any_kind() -> None:
    """PP-3.1, PP-X1  Drawing one card, moving two steps and playing one card use all four actions."""
    s = table(pawns=["hebron"], hands=["g07"])
    play(s, "draw old", "move bethlehem", "move jerusalem")
    assert s.actions == 1
    play(s, "play g07")
    assert s.actions == 0
    refused(s, "draw new", NO_ACTION_LEFT)
    refused(s, "move bethany", NO_ACTION_LEFT)


def test_the_same_action_four_times() -> None:
    """PP-3.1  A player may draw four cards in one turn."""
    s = table()
    play(s, "draw old", "draw old", "draw old", "draw old")
    assert (s.who, s.actions, len(s.hands[0])) == (0, 0, 4)


def test_play_of_a_card_is_refused_without_an_action() -> None:
    """PP-3.1  Playing a card and taking one from the row need an action too."""
    s = table(pawns=["jerusalem"], hands=["g07"], row="o01 o02 o03 o04 o05", actions=0)
    refused(s, "play g07", NO_ACTION_LEFT)
    refused(s, "take o01", NO_ACTION_LEFT)


def test_a_turn_may_be_ended_at_once() -> None:
    """PP-3.2, PP-R10  A player may end the turn at once, and the unused actions are lost."""
    s = table()
    play(s, "end")
    assert (s.who, s.actions) == (1, 4)


def test_turn_order_is_clockwise_and_never_changes() -> None:
    """PP-2.1, PP-2.2  Turns go clockwise from the first player, and the order stays the same in every round."""
    s = table(who=2, first=2)
    order = []
    for _ in range(6):
        order.append(s.who)
        play(s, "end")
    assert order == [2, 0, 1, 2, 0, 1]


def test_capsule_steps_once_a_round_and_stays_on_the_new_testament() -> None:
    """PP-2.3, PP-2.4, PP-2.5, PP-X11  In round n the capsule is on space min(n - 1, 12), counted from 0."""
    s = table(variants={"stall_rounds": 0})
    seen = []
    for _ in range(15):
        seen.append((s.round, C.space_ids[s.capsule]))
        finish_round(s)
    assert seen[0] == (1, "genesis")
    assert seen[1] == (2, "15")
    assert seen[11] == (12, "5")
    assert seen[12:] == [(13, "nt"), (14, "nt"), (15, "nt")]


def test_capsule_waits_for_the_whole_round() -> None:
    """PP-2.3  After two of three turns of a round the capsule has not moved."""
    s = table()
    play(s, "end", "end")
    assert s.capsule == 0
    play(s, "end")
    assert s.capsule == 1


def test_free_steps_are_possible_before_between_and_after_actions() -> None:
    """PP-3.3  Burning and discarding cost no action at any moment of a player's own turn."""
    s = table(hands=["g07 g13 o01 o26"], pawns=["hebron"])
    play(s, "burn g07", "move bethlehem", "discard", "drop o26")
    assert s.actions == 3
    play(s, "draw old", "draw old", "draw old", "burn g13")
    assert (s.actions, s.gauge) == (0, 3)


def test_the_end_of_a_turn_reveals_nothing() -> None:
    """PP-R24, PP-S14  The turn does not end automatically without a burnable card.

    An automatic end would reveal that the hand has none.
    """
    s = table(hands=["o26 r1"], gauge=2, actions=0)
    assert s.asked == Turn(0)
    assert options(s) == ["discard", "end"]
    play(s, "discard")
    assert options(s) == ["drop o26", "drop r1"]


def test_turn_ends_by_itself_with_an_empty_hand() -> None:
    """PP-R24, PP-S14  The turn ends automatically if the hand is empty and no action is left."""
    s = table(actions=1)
    play(s, "move babylon")
    assert s.who == 1


def test_turn_ends_by_itself_at_full() -> None:
    """PP-R24, PP-S14, PP-R30  Burning after the last action fills the tank, which then falls to Low."""
    s = table(hands=["o44 g06"], gauge=3, actions=0)
    play(s, "burn o44")
    assert (s.who, s.gauge) == (1, 0)


def test_a_full_gauge_does_not_end_a_turn_with_actions_left() -> None:
    """PP-R24, PP-8.9  At Full nothing more can be burnt, but the turn continues while actions are left."""
    s = table(hands=["o44"], gauge=3)
    play(s, "burn o44", "move babylon")
    assert (s.who, s.gauge, s.actions) == (0, 4, 3)


def test_turn_ends_by_itself_when_every_colour_is_burnt() -> None:
    """PP-R24  After a red, a yellow and a blue card nothing more can be burnt, so the turn ends."""
    s = table(hands=["g04 g08 g07 g06"], actions=0)
    play(s, "burn g04", "burn g08", "burn g07")
    assert (s.who, s.gauge) == (1, 3)


def test_turn_does_not_end_by_itself_while_actions_are_left() -> None:
    """PP-R24  A turn with actions left does not end automatically, even if ending is the only option."""
    s = table(pawns=["eden", "ur", "susa"], row="", old="", new="")
    assert options(s) == ["end"]
    assert s.who == 0


def test_undo_is_possible_until_a_reveal_or_the_end_of_the_turn() -> None:
    """PP-R34  A move may be undone. A draw and the end of the turn may not."""
    match = Match(GAME, 2, 5, {"start": 0})
    match.play("stand bethel")
    match.play("stand egypt")
    match.play("move gibeon")
    assert match.can_undo(0)
    assert not match.can_undo(1)
    match.undo(0)
    match.play("draw old")
    assert not match.can_undo(0)
    match.play("discard")
    match.play(GAME.format_option(match.state.options()[0]))
    assert match.can_undo(0)
    match.play("end")
    assert not match.can_undo(0)


def test_plays_are_listed_first_and_discards_last() -> None:
    """PP-3.1, PP-D3  Options are ordered: plays, steps with own cards' places first, fuel, decks, row and discards."""
    s = table(pawns=["bethlehem"], hands=["n02 g07 g06"], gauge=3, capsule="5", row="o01 o02 o03 o04 o05")
    found = sorted(s.legal, key=lambda o: s.asked.display_rank(s, o))
    said = [GAME.format_option(o) for o in found if GAME.format_option(o) != "end"]
    assert list(dict.fromkeys(text.split()[0] for text in said)) == ["play", "move", "burn", "draw", "take", "discard"]
    steps = [text for text in said if text.startswith("move")]
    assert set(steps[:2]) == {"move jerusalem", "move hebron"}
    assert len(steps) > 2
