"""Tests of hidden information (LM-R17): views, excluded cards, and possible worlds of a seat."""

import re

from tests.games.missionnaires.table import C, card, hand, play, space, table
from triclinium.boardkit.text_table import format_game_table
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import rollout
from triclinium.engine.core.state import NOBODY
from triclinium.games.missionnaires.game import GAME
from triclinium.games.missionnaires.rules.components import OFF
from triclinium.games.missionnaires.rules.state import ALL, Missionnaires
from triclinium.games.missionnaires.ui.view import CongregationSlot, view_player

EVERYTHING_OPEN: dict[str, object] = {"open_congregations": True}


def list_unvisited(s: Missionnaires, seat: int, viewer: int) -> list[CongregationSlot]:
    return view_player(s, seat, viewer).unvisited


def make_known_slot(town: str) -> CongregationSlot:
    return CongregationSlot(space(town), None)


def make_hidden_slot(*ruled_out: str) -> CongregationSlot:
    return CongregationSlot(None, [space(town) for town in ruled_out])


def test_unvisited_cards_are_private() -> None:
    """LM-R17  Other players see the number of unvisited cards, and a spectator too. Only the owner sees the towns."""
    s = table(hands={0: ["mad", "rom"]})
    assert list_unvisited(s, 0, 0) == [make_known_slot("mad"), make_known_slot("rom")]
    assert list_unvisited(s, 0, 1) == [make_hidden_slot(), make_hidden_slot()]
    assert list_unvisited(s, 0, NOBODY) == list_unvisited(s, 0, 1)


def test_open_congregations_by_variant() -> None:
    """LM-R17  With `open_congregations` all players and spectators see all hands."""
    s = table(hands={0: ["mad", "rom"]}, variants=EVERYTHING_OPEN)
    assert list_unvisited(s, 0, 1) == list_unvisited(s, 0, NOBODY) == [make_known_slot("mad"), make_known_slot("rom")]


def test_what_is_public() -> None:
    """LM-R17  Periodicals, BONS, positions, missed turns, visited cards and discard piles are public."""
    s = table(at=["lyo"], periodicals=[3], bons={0: ["t29"]}, missed=[2], visited={0: ["mrs"]}, overseers={"c": 0})
    shown = view_player(s, 0, 1)
    assert (shown.at, shown.periodicals, shown.missed) == (space("lyo"), 3, 2)
    assert [C.card_ids[bon] for bon in shown.bons] == ["t29"]
    assert (shown.visited, shown.company) == ([space("mrs")], C.overseers.index("c"))
    s.discard.append(0)
    assert GAME.view(s, None).decks.territories.discards == [0]


def test_json_uses_ids() -> None:
    """LM-R17  The API has everything in the view, and leaves out what the viewer cannot see."""
    s = table(2, ["lyo"], {0: ["mad"]}, {0: ["mrs"]}, bons={0: ["t29"]}, overseers={"c": 0, "d": "nim"})
    s.discard.append(0)
    mine, theirs = GAME.view_json(s, 0), GAME.view_json(s, None)
    players = mine["players"]
    assert isinstance(players, list)
    assert players[0] == {
        "seat": 0,
        "colour": "red",
        "at": "lyo",
        "periodicals": 8,
        "bons": ["t29"],
        "company": "c",
        "newly_joined": False,
        "missed": 0,
        "turns": 1,
        "sailed_from": None,
        "rank": None,
        "stopped": False,
        "ended": None,
        "resigned": False,
        "visited": ["mrs"],
        "unvisited": [{"card": "mad"}],
    }
    assert players[1]["unvisited"] == [{"card": None, "ruled_out": []}]
    assert mine["gendarmes"] == {id: C.ids[at] for id, at in zip(C.gendarmes, s.gendarmes, strict=True)}
    assert mine["overseers"] == {"c": {"with": 0, "at": None}, "d": {"with": None, "at": "nim"}}
    assert mine["decks"] == {
        "territories": {"size": len(s.deck), "discards": ["t01"]},
        "sea": {"size": len(s.sea_deck), "discards": []},
    }
    assert mine["distances"] == {id: C.distance[space("lyo")][space(id)] for id in C.ids}
    assert mine.keys() - theirs.keys() == {"options", "distances"}


def test_a_stop_without_a_visit_rules_the_card_out() -> None:
    """LM-4.2, LM-R17  A player who stops without a visit does not have the town's card.

    A card drawn later may be the town's.
    """
    s = table(at=["dij"], hands={0: ["mad", "rom"]}, reserve=["lyo"], territory=["t12"])
    play(s, "go lyo", "stop", "pass", "pass")
    assert list_unvisited(s, 0, 1) == [make_hidden_slot("lyo"), make_hidden_slot("lyo")]
    play(s, "go gre", "stop")
    assert hand(s, 0) == ["mad", "rom", "lyo"]
    assert list_unvisited(s, 0, 1)[2] == make_hidden_slot()


def test_ruled_out_towns_move_with_the_card() -> None:
    """LM-R17  A card under the reserve stays known to its former owner, and others know which cards it is not."""
    s = table(at=["dij"], hands={0: ["mad", "rom"]}, reserve=["ath"], territory=["t28"])
    play(s, "go lyo", "stop", "pass", "pass", "go gre", "stop", "swap 1")
    assert GAME.view(s, 0).reserve[-1] == make_known_slot("mad")
    assert GAME.view(s, 1).reserve[-1] == make_hidden_slot("lyo")


def test_a_card_seen_under_the_reserve_is_known_in_another_hand() -> None:
    """LM-R17  The player who put it there recognises it when another player draws it."""
    s = table(seats=2, at=["lyo", "nim"], hands={0: ["mad", "rom"], 1: ["ath", "cor"]}, territory=["t28", "t12"])
    play(s, "go gre", "stop", "swap 1")
    s.reserve, s.reserve_seen, s.reserve_ruled_out = s.reserve[:1], s.reserve_seen[:1], s.reserve_ruled_out[:1]
    s.at[1] = space("lyo")
    s.legal = s.asked.options(s)
    play(s, "go dij", "stop")
    assert hand(s, 1) == ["ath", "cor", "mad"]
    assert list_unvisited(s, 1, 0)[2] == make_known_slot("mad")
    for seed in range(20):
        assert s.resample(0, Rng(seed)).hand[1][2] == card("mad")


def test_a_returning_card_reveals_nothing() -> None:
    """LM-R17  A player who knows the top of the reserve learns nothing. With open hands the others do."""
    for variants, seen, faces in (({}, 0, 1), ({}, 1, 0), (EVERYTHING_OPEN, 1, 1), (EVERYTHING_OPEN, ALL, 0)):
        s = table(at=["lyo"], territory=["t28"], hands={0: ["mad", "rom"]}, reserve=["ath"], variants=variants)
        s.reserve_seen = (*s.reserve_seen[:-1], seen)
        play(s, "go gre", "stop")
        before = s.undo_barrier
        play(s, "swap 1")
        assert s.undo_barrier == before + faces


def test_the_resigned_hand_is_forgotten() -> None:
    """LM-R24  The cards go under the reserve in random order. Only cards that none of them can be stay excluded."""
    s = table(at=["dij"], hands={0: ["mad", "rom"]}, reserve=["ath"])
    play(s, "go lyo", "stop", "resign red")
    assert s.reserve_seen[:2] == (0, 0)
    assert s.reserve_ruled_out[:2] == (1 << card("lyo"),) * 2


def test_a_resigned_open_hand_is_known_to_lie_at_the_bottom() -> None:
    """LM-R24, LM-R17  All saw the cards, so in every world they are at the bottom of the reserve in some order."""
    s = table(hands={0: ["mad", "rom", "ath"]}, variants=EVERYTHING_OPEN)
    play(s, "resign red")
    orders = set()
    for seed in range(40):
        t = s.resample(1, Rng(seed))
        orders.add(tuple(t.reserve[:3]))
        assert_consistent(t)
        assert GAME.view_json(t, 1) == GAME.view_json(s, 1)
    assert {frozenset(order) for order in orders} == {frozenset(card(town) for town in ("mad", "rom", "ath"))}
    assert len(orders) > 3


def test_a_resampled_world_looks_the_same() -> None:
    """LM-R17  A world looks the same to the seat or spectator for whom it was resampled."""
    chosen: list[dict[str, object]] = [{}, EVERYTHING_OPEN, {"deal": "full"}, {"visit_on_pass": True}]
    for seed, variants in enumerate(chosen):
        s = GAME.deal(2 + seed % 3, seed, variants)
        assert isinstance(s, Missionnaires)
        rng = Rng(seed)
        while rollout(s, rng, 40) and not s.over and s.round < 60:
            for seat in range(-1, s.seats):
                t = s.resample(seat, rng)
                viewer = None if seat == NOBODY else seat
                assert GAME.view_json(t, viewer) == GAME.view_json(s, viewer)
                assert (t.who, t.stack) == (s.who, s.stack)
                assert_consistent(t)


def assert_consistent(s: Missionnaires) -> None:
    """Check that no slot has an excluded card, and that every card is in one place."""
    found = list(s.reserve)
    for seat in range(s.seats):
        found += s.hand[seat]
        for held, out in zip(s.hand[seat], s.hand_ruled_out[seat], strict=True):
            assert not (out >> held) & 1
        found += [k for k in range(len(C.congregations)) if (s.visited[seat] >> k) & 1]
    for held, out in zip(s.reserve, s.reserve_ruled_out, strict=True):
        assert not (out >> held) & 1
    assert sorted(found) == list(range(len(C.congregations)))


def test_resampling_deals_anew() -> None:
    """LM-R17  The hidden hands hardly ever equal the true ones, and every possible card appears sometimes."""
    s = GAME.deal(3, 5)
    assert isinstance(s, Missionnaires)
    seen: set[int] = set()
    same = 0
    rng = Rng(1)
    for _ in range(200):
        t = s.resample(0, rng)
        same += t.hand[1] == s.hand[1]
        seen |= set(t.hand[1])
        assert t.hand[0] == s.hand[0]
    assert same <= 1
    assert seen == set(range(48)) - set(s.hand[0])


def test_options_name_slots_where_the_choice_is_secret() -> None:
    """LM-R17  A swap names a slot, so a record does not reveal the card."""
    s = table(at=["lyo"], territory=["t28"], hands={0: ["mad", "rom"]})
    play(s, "go gre", "stop")
    assert [GAME.format_option(o) for o in s.options()] == ["keep", "swap 1", "swap 2"]


def test_finished_players_are_off_the_board() -> None:
    """LM-9.2  The view of a finished player has no place and no distances."""
    s = table(seats=3, at=["bou"], hands={0: []})
    play(s, "go bet", "stop")
    assert s.at[0] == OFF
    assert view_player(s, 0, 1).at is None
    assert GAME.view(s, 0).distances is None


def format_text(s: Missionnaires, seat: int | None, language: str, names: tuple[str, ...]) -> str:
    """Return the text table, without wrapped lines."""
    return format_game_table(GAME, GAME.view(s, seat), GAME.words.reader(language, names), 10_000)


def test_the_text_table_contains_the_knowledge_of_its_viewer() -> None:
    """LM-R17  The text table has own cards by distance, the number of others' cards, and the neighbourhood."""
    s = table(seats=2, at=["lyo", "gre"], hands={0: ["rom", "mrs"], 1: ["mad"]}, overseers={"c": "nim"})
    mine = format_text(s, 0, "en", ("Ann", "Ben"))
    assert "To visit, with distances: Marseille B3 (2) and Rome C4 (6)." in mine
    assert "to visit 1 hidden" in mine
    assert "Madrid" not in mine
    near = next(line for line in mine.splitlines() if line.startswith("Ann: "))
    assert re.search(r"Grenoble[^)]*, Ben\)", near)
    assert re.search(r"Nîmes[^)]*, circuit overseer\)", near)
    theirs = format_text(s, None, "fr", ("Anne", "Ben"))
    assert "à visiter 2 masqués" in theirs
    assert "Marseille B3" not in theirs


def test_the_text_table_names_the_leader_the_discards_and_who_stopped() -> None:
    """LM-R1, LM-R15  The text has the same information as the page."""
    s = table(seats=3, at=["bou", "gre", "ath"], hands={0: []})
    s.discard.append(C.card_ids.index("t13"))
    play(s, "go bet", "stop", "no", "yes")
    said = format_text(s, 2, "en", ("Ann", "Ben", "Cem"))
    assert "T13 Called to the Bethel" in said
    assert "sea: discarded" not in said
    assert "\nAnn (leader)\n  red: home, rank 1\n  periodicals 8" in said
    assert "  yellow: stopped playing\n  periodicals 0" in said
    assert said.count("leader") == 1
