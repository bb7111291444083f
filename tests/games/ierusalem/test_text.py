"""Tests of the game's texts in both languages."""

from tests.games.ierusalem.table import ANA, BEN, CEM, DIA, C, play, table
from triclinium.boardkit.text_table import format_game_table
from triclinium.engine.core.text import Message
from triclinium.games.ierusalem import GAME
from triclinium.games.ierusalem.rules.actions.cards import discard_card
from triclinium.games.ierusalem.rules.constants import CARDS, LAKE, MARKET, TEMPLE
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.ui import board_layout
from triclinium.games.ierusalem.ui.board import draw_spaces
from triclinium.games.ierusalem.ui.text import LABELS
from triclinium.games.ierusalem.ui.view import ColumnFit

WORDS = GAME.words


def test_every_verb_has_a_button() -> None:
    """Every verb has a label for its buttons."""
    assert {verb.word for verb in GAME.verbs} == set(LABELS)


def test_the_button_of_a_space_shows_price_and_value() -> None:
    """The button of a space shows its price and its value, which players need for the choice."""
    s = table(hands={ANA: "r01"}, seated={"s02": "peter"})
    play(s, "play r01", "column 1", "skip")
    reader = WORDS.reader()
    label = reader.read(WORDS.label(s, GAME.read("go u2c2")))
    assert label == "U2c2: costs 2 Bread; 5 VP at the end"
    label = reader.read(WORDS.label(s, GAME.read("go u3c3")))
    assert label == "U3c3: costs 1 Stone and 1 Fish; a Mahane card; −3 to 4 VP at the end"


def label(s: Ierusalem, text: str) -> str:
    return WORDS.reader("en", ("Ana", "Ben", "Cem", "Dia")).read(WORDS.label(s, GAME.read(text)))


def test_an_open_seat_counts_only_possible_apostles() -> None:
    """IE-6.2, IE-R7  With Judas seated no space behind an open seat can lose VP. A seat may also stay empty."""
    s = table(hands={ANA: "r01"}, seated={"s02": "judas"})
    play(s, "play r01", "column 1", "skip")
    assert label(s, "go u2c1") == "U2c1: costs 1 Stone and 1 Bread; 1 Denarius; 0 to 5 VP at the end"
    assert label(s, "go u2c2") == "U2c2: costs 2 Bread; −4 VP at the end"
    late = {f"s{i + 1:02}": name for i, name in enumerate(C.apostle_ids) if name != "judas"}
    s = table(hands={ANA: "r01"}, seated=late)
    play(s, "play r01", "column 1", "skip")
    assert label(s, "go d2c8") == "D2c8: costs 1 Stone and 1 Bread; 1 Denarius; −4 to 0 VP at the end"


def test_the_range_of_an_open_seat_follows_the_waiting_apostles() -> None:
    """IE-6.2  U1c1 is right behind S01. Different Apostles wait, and the seat may stay empty."""
    space = C.space_ids.index("u1c1")
    spans = [board_layout.build_supper_space(C, space, None, -1, 7, waiting) for waiting in (0b1111, 0b0111, 0b1000)]
    assert [(one.low, one.high) for one in spans] == [(-5, 6), (0, 6), (-5, 0)]
    s = table(seated={"s12": "judas"})
    drawn = {one.id: one for one in draw_spaces(C, GAME.view(s, ANA), None)}
    assert (drawn["u1c1"].low, drawn["u1c1"].high) == (0, 6)
    assert drawn["d1c8"].value == -5


def test_places_at_jesus_without_points_are_marked() -> None:
    """IE-R2  With the table option the places at Jesus show 0 VP."""
    s = table(hands={ANA: "r01"}, goods={ANA: (0, 0, 2)}, variants={"jesus_vp": 0})
    play(s, "play r01", "column 1", "skip")
    assert label(s, "go t4") == "T4: costs 2 Fish; no VP at the end"
    s = table(hands={ANA: "r01"}, goods={ANA: (0, 0, 2)})
    play(s, "play r01", "column 1", "skip")
    assert label(s, "go t4") == "T4: costs 2 Fish; 7 VP at the end"


def test_the_buttons_of_a_swap_show_owner_and_values() -> None:
    """IE-2.10  White swaps an own Follower with another player's, and the button shows the VP of both spaces."""
    s = table(
        columns={ANA: ["r03 r01 r07"]},
        hands={ANA: "r04 r05"},
        seated={"s02": "peter"},
        supper={ANA: "d3c4", BEN: "u1c2"},
    )
    play(s, "play r04", "column 2", "skip", "visit 1 1", "bring white", "seat s01")
    assert label(s, "swap d3c4") == "D3c4: no VP at the end"
    play(s, "swap d3c4")
    assert label(s, "with u1c2") == "U1c2: Ben; 6 VP at the end"
    s = table(hands={ANA: "ad02"}, seated={"s01": "judas"})
    play(s, "play ad02", "column 1", "skip")
    assert label(s, "move tl") == "TL: −5 VP at the end"


def test_the_illumination_buttons_show_their_benefit() -> None:
    """IE-2.10, IE-R3  The table option decides whose Followers an orange Apostle scores."""
    for everybody, orange in ((False, "orange: score your Followers"), (True, "orange: score everyone’s Followers")):
        s = table(seated={"s02": "john"}, variants={"orange_scores_all": everybody})
        play(s, "illuminate")
        assert label(s, "appreciate orange") == orange
        assert label(s, "appreciate silver") == "Judas: 5 Denarii"


def test_the_market_shows_the_price_of_a_mahane_card() -> None:
    """IE-3.1  A Mahane card costs one Denarius at the Market, and the button says so."""
    s = table(hands={ANA: "r01"})
    play(s, "play r01", "column 1")
    assert label(s, "mahane") == "Pay and take a Mahane card (1 Denarius)"


def test_a_visit_marks_empty_apostle_columns() -> None:
    """IE-2.11  The cards score, but no Apostle is seated."""
    first = ("bartholomew", "thaddaeus", "john", "andrew")
    s = table(
        columns={ANA: ["r03 r01 r07"]},
        seated={f"s{i + 1:02}": name for i, name in enumerate(first)},
        hands={ANA: "r04 r05"},
    )
    play(s, "play r04", "column 2", "skip")
    assert label(s, "visit 1 1") == "Visit column I with your column 1, where no Apostle waits (6 VP)"


def test_the_question_of_a_parable_shows_the_reward_of_the_track() -> None:
    """IE-4.1  The question of a Parable names the space of the track for the tile, and its reward."""
    asked = []
    for heard in (0, 1, 5):
        s = table(hands={ANA: "r02 r03"}, parables={ANA: heard}, supper={ANA: "tl u1c1 u1c2 u1c3 u1c4 u1c5"})
        play(s, "play r03", "column 1")
        asked.append(WORDS.reader().read(WORDS.question(s)))
    assert asked == [
        "Listen to Parable 1 (The Sower) for 6 VP?",
        "Listen to Parable 2 (The Mustard Seed) for 6 VP? Your Parable track gives 1 Denarius.",
        "Listen to Parable 6 (The Talents) for 6 VP? Your Parable track gives an Offering.",
    ]


def test_the_button_of_change_places_shows_meeting_and_reward() -> None:
    """IE-4.7  The Meeting of the space is mandatory, so the button mentions it."""
    s = table(hands={ANA: "ad02"}, seated={"s05": "peter"})
    play(s, "play ad02", "column 1", "skip", "move tl")
    assert label(s, "onto u3c7") == "U3c7: Meeting of the Sanhedrin; 4 VP at the end"
    assert label(s, "onto d1c4") == "D1c4: 4 VP at once; no VP at the end"


def test_the_buttons_of_a_visit_show_score_and_beneficiaries() -> None:
    """Each legal visit shows its VP. Seats show which players they help and hurt."""
    s = table(
        columns={ANA: ["r05 r08 r10"]},
        received={ANA: "desert market lake"},
        supper={ANA: "bl u1c2", BEN: "d1c1 d3c1", CEM: "u2c2"},
        hands={ANA: "r04 r02"},
    )
    play(s, "play r04", "column 2", "skip")
    assert label(s, "visit 1 3") == "Visit column III with your column 1 (5 VP)"
    assert label(s, "visit favors 1") == "Visit column I with Favors only"
    play(s, "visit 1 3")
    assert label(s, "bring orange") == "orange: James the Less"  # The other orange Apostle is James the Greater.
    play(s, "bring silver")
    assert label(s, "seat s07") == "Seat S07: Ana −5 and Ben −8"
    assert label(s, "seat s02") == "Seat S02: Ana −5 and Cem −4"
    assert label(s, "seat s11") == "Seat S11"


def test_a_french_button_names_the_beneficiaries_of_a_seat() -> None:
    """In French, points have no multiplication sign, unlike goods."""
    s = table(columns={ANA: ["r05 r08 r10"]}, supper={ANA: "bl u1c2", CEM: "tl"}, hands={ANA: "r04 r02"})
    play(s, "play r04", "column 2", "skip", "visit 1 3", "bring silver")
    reader = WORDS.reader("fr", ("Ana", "Ben", "Cem", "Dia"))
    assert reader.read(WORDS.label(s, GAME.read("seat s07"))) == "Siège S07\u00a0: Ana −5"
    assert reader.read(Message("{0} {1:good}", 2, 0)) == "2 × Pierre"


def test_a_card_shows_its_remaining_actions() -> None:
    """IE-2.4  The text of a card lists its Location and its actions, from left to right.

    A later visit (IE-2.7) is not among them.
    """
    s = table(hands={ANA: "r05 r02"}, columns={ANA: ["r08 r10"]}, received={ANA: "desert market lake"})
    play(s, "play r05", "column 1")
    steps = WORDS.heading(s)
    assert steps is not None
    assert WORDS.reader().format_arg(steps.action) == "R05"
    assert steps.current_stage == len(steps.stages)
    play(s, "skip")
    steps = WORDS.heading(s)
    assert steps is not None
    assert WORDS.reader().format_arg(steps.action) == "Visit"


def test_the_question_of_a_turn_offers_the_illumination_tile_while_it_can_be_used() -> None:
    """IE-2.5, IE-2.6  A spent tile, or twelve seated Apostles, remove the option from the question."""
    twelve = {f"s{i + 1:02}": name for i, name in enumerate(C.apostle_ids)}
    asked = [WORDS.reader().read(WORDS.question(s)) for s in (table(), table(spent=[ANA]), table(seated=twelve))]
    assert asked == [
        "Your turn: play a card, or use the Illumination tile.",
        "Your turn: play a card.",
        "Your turn: play a card.",
    ]


def test_the_set_up_mentions_colours_only_if_they_are_picked() -> None:
    """IE-R44, IE-1.15  The text mentions colours only if players pick them. Most tables draw the colours."""
    for picking, said in ((False, "send the extra Follower"), (True, "pick a colour")):
        steps = WORDS.heading(GAME.deal(3, 1, {"pick_colour": picking}))
        assert steps is not None
        assert [WORDS.reader().format_arg(name) for name, _ in steps.stages] == [said]


def test_the_button_of_a_column_shows_its_progress() -> None:
    """IE-2.7  The button names the nearest Apostle column, and symbols that only a Favor can add."""
    symbols = "desert lake mountain temple mountain lake desert mountain desert"
    cards = {ANA: ["r08", "r04", "r01 r02 r03"]}
    s = table(hands={ANA: "r05 r06"}, columns=cards, symbols=symbols, received={ANA: "desert"})
    play(s, "play r05")
    assert [label(s, f"column {n}") for n in (1, 2, 3)] == [
        "Column 1: opens column I",
        "Column 2: opens column III",
        "Column 3: more than three cards, no visit",
    ]
    s = table(hands={ANA: "r05 r06"}, columns={ANA: ["", "r08", "r02"]}, symbols=symbols)
    play(s, "play r05")
    assert [label(s, f"column {n}") for n in (1, 2, 3)] == [
        "Column 1: still needs Lake, and Temple by a Favor, for column II",
        "Column 2: still needs Desert by a Favor for column I",
        "Column 3: fits no Apostle column",
    ]


def test_rearranged_cards_are_asked_column_by_column() -> None:
    """IE-4.9  Fifteen buttons for the cards of Redistribute are in three groups."""
    assert [WORDS.reader().format_arg(WORDS.section(table(), GAME.read(o)) or "") for o in ("lay r05 2", "skip")] == [
        "column 2",
        "",
    ]


def test_the_question_of_a_favor_shows_the_gain_of_the_giver() -> None:
    """IE-4.5, IE-R14  A card, VP of the next space, and more on the second and the fourth."""
    asked = []
    for done in (0, 1, 3):
        s = table(hands={ANA: "r05"}, favors={ANA: done}, empty_decks=done > 1)
        play(s, "play r05", "column 1")
        asked.append(WORDS.reader().read(WORDS.question(s)))
    assert asked == [
        "Which Favor do you do? You get a XXXIII A.D. card and 1 VP.",
        "Which Favor do you do? You get a XXXIII A.D. card, 1 VP and the blocked space of the Camp.",
        "Which Favor do you do? You get 2 VP and 2 Denarii.",
    ]


def test_the_button_of_a_receiver_marks_an_impossible_call() -> None:
    """IE-R17  The button of a receiver says that a call is impossible."""
    home = "tr u1c1 u1c2 u1c3 u1c4 u2c1 u2c2 u2c3"
    s = table(hands={ANA: "r05"}, at={BEN: (3, 2, 2)}, supper={BEN: home})
    play(s, "play r05", "column 1", "favor f8")
    assert [label(s, f"to {seat}") for seat in (1, 2)] == ["Ben: cannot call a Follower", "Cem"]


def test_the_button_of_a_receiver_shows_the_columns_it_opens() -> None:
    """IE-4.5, IE-2.7  The button of a receiver names the column that the symbol opens, unless it is open already."""
    s = table(
        hands={ANA: "r05"},
        columns={BEN: ["y01 y07"], CEM: ["g03 g01 g07", "g02 g08"]},  # market, lake; Cem could visit column 1 as it is
        received={DIA: "market lake"},
    )
    play(s, "play r05", "column 1", "favor f1")  # its symbol is the Desert
    assert [label(s, f"to {seat}") for seat in (BEN, CEM, DIA)] == [
        "Ben: opens column I",
        "Cem",
        "Dia: opens column I",
    ]


def test_a_drawn_card_is_named_only_to_its_owner() -> None:
    """IE-R32  Others see only that a card was drawn."""
    s = table(hands={ANA: "r02 r03"}, mahane="ma07", supper={ANA: ""})
    s.events = []
    play(s, "play r02", "column 1", "mahane", "draw")
    assert s.events is not None
    reader = WORDS.reader("en", ("Ana", "Ben"))
    mine = " ".join(WORDS.format_log(s.events, ANA, reader))
    theirs = " ".join(WORDS.format_log(s.events, BEN, reader))
    assert "MA07" in mine
    assert "MA07" not in theirs
    assert "Ana draws a Mahane card." in theirs


def format_text(s: Ierusalem, seat: int | None, language: str = "en") -> str:
    """Return the text table, without wrapped lines."""
    return format_game_table(GAME, GAME.view(s, seat), WORDS.reader(language, ("Ana", "Ben", "Cem", "Dia")), 10_000)


def test_the_text_table() -> None:
    """Followers, seats and hands are shown, with backs for other players' hands."""
    s = table(seated={"s02": "peter"}, hands={ANA: "r01 ma05"})
    text = format_text(s, ANA)
    assert "Peter +6" in text
    assert "Peter: S02" in text
    assert "Your hand\n  R01 Market: Go to the Last Supper, 2 VP at a visit\n  MA05 " in text
    assert "\n→ Ana (turn" in text
    assert "  colour red, VP " in text
    assert "\n    1, 2 and 3: Apostle VP 0\n" in text + "\n"  # things with equal counts share a line
    other = format_text(s, BEN, "fr")
    assert "MA05" not in other
    assert "rouge" in other
    assert GAME.view(s, BEN).players[ANA].hand == [CARDS + 4, CARDS]  # a Mahane card and a red one, as backs


def test_the_text_table_has_rewards_favors_and_the_own_deck() -> None:
    """The text table shows rewards of empty spaces, remaining Favors, and each player's own deck."""
    s = table(hands={ANA: "r01 r02 r03 r04 r05"}, favors={ANA: 6}, supper={ANA: "tl u3c1"})
    text = format_text(s, ANA)
    assert "\n  costs 1 Stone and 1 Fish, gives a Mahane card: " in text
    assert "\n  costs 2 Fish, gives VP of Jesus at the end: T4, T5, B4 and B5\n" in text
    assert "\nAna: U3c1 and TL\n" in text
    grid = next(line for line in text.splitlines() if "U3c2" in line)
    assert grid.split() == ["[0]", *(f"U3c{n}" for n in range(2, 9))]
    own = text.partition("→ Ana")[2].partition("\n\n")[0]
    assert "Favor markers F7 (1 Stone and 1 Bread; Lake) and F8 (call a Follower; Market)" in own
    assert "  Deck: R06, R07, R08, R09, R10\n" in text
    assert "Deck:" not in format_text(s, None)


def test_the_text_table_explains_itself() -> None:
    """The text table shows owners of Followers, seats, own cards in full, Judgments and columns."""
    s = table(hands={ANA: "r01 ma05"}, columns={ANA: ["r05"]}, received={ANA: "lake"}, seated={"s02": "peter"})
    lines = format_text(s, ANA).splitlines()
    assert "[0] Ana, [1] Ben, [2] Cem, [3] Dia" in lines
    counts = "VP at the next Judgment: Ana 1, Ben 1, Cem 1, Dia 1"
    assert f"  Offerings: space of the Sanhedrin 7; {counts}" in lines  # IE-5.3
    held = "  R01 Market: Go to the Last Supper, 2 VP at a visit"
    assert held in lines
    assert "  column 1: still needs Temple for column III" in lines  # IE-2.7: the Lake is a Favor's
    assert "  column 1: still needs Market, and Temple by a Favor, for column II" in lines
    assert held not in format_text(s, BEN).splitlines()


def test_the_view_has_the_columns_that_fit() -> None:
    """The view lists possible Apostle columns and missing symbols. A column that is too long fits none."""
    s = table(columns={ANA: ["r03", "r05 r08", "r01 r02"]}, received={ANA: "temple"})
    first, second, third = GAME.view(s, ANA).players[ANA].columns
    assert first.fits == [ColumnFit(column=1, missing=[MARKET, LAKE], opens=False)]
    assert second.fits == [ColumnFit(column=3, missing=[TEMPLE], opens=True)]
    assert second.apostle_vp == 3
    assert third.fits == []


def test_the_view_as_json_uses_ids() -> None:
    """The API has ids for cards, backs, places, goods and owners of Followers, and omits absent parts."""
    s = table(seats=3, hands={ANA: "r01 ma05"}, seated={"s02": "peter"}, received={ANA: "lake"}, supper={ANA: "u3c1"})
    view = GAME.view_json(s, BEN)
    players, supper = view["players"], view["supper"]
    assert isinstance(players, list)
    assert isinstance(supper, dict)
    assert players[ANA]["hand"] == ["mahane", "red"]
    assert players[ANA]["goods"] == {"stone": 1, "bread": 1, "fish": 1}
    assert players[ANA]["received"] == {"lake": 1}
    assert "deck_cards" not in players[ANA]
    assert "deck_cards" in players[BEN]
    assert view["seated"] == {"s02": "peter"}
    assert supper["u3c1"] == ANA
    assert supper["tl"] == "unused"
    assert view["doing"] == {}
    play(s, "play r01")
    assert GAME.view_json(s, None)["doing"] == {"card": "r01", "next": 0}
    play(s, "column 1", "skip")
    assert GAME.view_json(s, None)["doing"] == {"leaves": "desert", "invited": False}


def test_the_log_names_the_new_card_of_the_display() -> None:
    """IE-4.11, IE-R14  Everyone sees a card that is turned up, also on its way under the deck."""
    s = table(hands={ANA: "r02 r03"}, display="ma05 ma06", mahane="ma07", supper={ANA: ""})
    s.events = []
    play(s, "play r02", "column 1", "mahane", "take ma05")
    assert [GAME.components.card_ids[news.facts[0]] for news in s.events if news.kind == "turned_up"] == ["ma07"]
    assert any(line.startswith("MA07") for line in WORDS.format_log(s.events, BEN, WORDS.reader()))
    s = table(hands={ANA: "r03 r04 r05 r06 r07 ma08 ma09"}, display="ma05", mahane="", empty_decks=True)
    s.events = []
    discard_card(s, ANA, GAME.components.card_ids.index("ma08"))
    assert [news.kind for news in s.events] == ["turned_up"]
