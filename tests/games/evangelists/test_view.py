"""Tests of the information that players must see (specification, section 8)."""

from importlib import resources

import pytest

from tests.games.evangelists.table import C, deal_match, interview_draws, play, table
from triclinium.boardkit.text_table import format_game_table
from triclinium.engine.view import to_json
from triclinium.games.evangelists import GAME
from triclinium.games.evangelists.rules.state import Evangelists
from triclinium.games.evangelists.ui.board import draw
from triclinium.games.evangelists.ui.board_layout import list_travel_facts
from triclinium.games.evangelists.ui.gospels import DeviceTrack

CHRONOLOGY = 3


def test_cubes_far_behind_have_their_own_spaces() -> None:
    """AE-11.2, AE-11.5  Two cubes far behind the first share a space only if they have the same level."""
    track = DeviceTrack(C, CHRONOLOGY, [9, 4, 3, 0, 4])
    assert [(space.name, space.seats) for space in track.line.spaces if space.seats] == [
        ("–", [3]),
        ("3", [2]),
        ("4", [1, 4]),
        ("9", [0]),
    ]
    assert track.points == [15, 2, 0, 0, 2]


@pytest.mark.parametrize("seat", range(5))
@pytest.mark.parametrize("theme", C.theme_ids)
def test_each_pawn_colour_is_drawn(seat: int, theme: str) -> None:
    """AE-R34  Any seat may play any of the six colours, and all its parts get that colour."""
    css = (resources.files("triclinium.games.evangelists") / "ui" / "colours.css").read_text("utf-8")
    assert f"body:has(.is-{seat}-{theme}) .s{seat}" in css


def test_pawns_take_the_colour_of_the_theme_or_the_one_picked() -> None:
    """AE-R34, AE-12.1  The seat's panel has the colour of the theme or the picked one, and none before it is picked."""
    s = deal_match(seats=2, variants={"pick_pawn_colour": True, "stenographer": 0})
    play(s, "colour human")
    assert colours(s) == ["human", ""]
    assert colours(table(seats=2, themes=["son", "servant"])) == ["son", "servant"]


def colours(s: Evangelists) -> list[str]:
    gospels = draw(C, GAME.view(s, None))["gospels"]
    assert isinstance(gospels, list)
    return [gospel.colour for gospel in gospels]


def test_distances_of_a_place_are_shown() -> None:
    """AE-4.1, AE-5.1  From any place a pawn reaches spaces at distance one and two, and from a city also by boat."""
    reader = GAME.words.reader("en")
    reached = {id: [reader.format_arg(fact.value) for fact in facts] for id, (_, facts) in list_travel_facts(C).items()}
    assert reached["rome"] == ["Rhegium and Syracuse", "Corinth, Cyrene and Fair Havens (Crete)", "Corinth and Cyrene"]
    assert len(reached["gaza"]) == 2  # Boats sail from cities only.


def test_the_view_shows_who_has_each_tradition() -> None:
    """AE-R17  If one gospel has the primary card, another may have its copy."""
    s = table(seats=3, gospels={0: [7, 0, 0, 0, 0, 0], 2: [9, 7, 0, 0, 0, 0]})
    drawn = draw(C, GAME.view(s, 1))["holders"]
    assert isinstance(drawn, tuple)
    assert {number: seats for number, seats in zip(C.numbers, drawn, strict=True) if seats} == {7: (0, 2), 9: (2,)}


def test_json_has_ids_and_printed_numbers() -> None:
    """In the API places, witnesses and themes have ids, and traditions have their printed number."""
    s = table(
        seats=2,
        pawns=["corinth", "gaza"],
        themes=["son", "servant"],
        gospels={0: [7, 0, 0, 0, 0, 0]},
        interviews={0: ["peter"]},
        boxes={"rome": [5, 14]},
        face_up={"rome": 1},
        witnesses={"rome": "peter"},
        dead=["peter"],
    )
    view = GAME.view(s, 0)
    assert to_json(view, GAME.ids)["boats"] == ["rome", "ephesus", "caesarea"]
    assert to_json(view.players[0], GAME.ids) == {
        "pawn": "corinth",
        "theme": "son",
        "colour": "son",
        "tokens": s.tokens[0],
        "tally": 0,
        "interviews": ["peter"],
        "slots": [7, None, None, None, None, None],
        "levels": {"inclusio": 0, "emphasis": 0, "chiasm": 0, "chronology": 0},
        "matches": 0,
    }
    assert to_json(view.cities[0], GAME.ids) == {
        "id": "rome",
        "witness": "peter",
        "cube": "black",
        "interviews_left": 3,
        "box": [
            {"back": "servant", "face_up": False, "card": None, "seen_by": []},
            {"back": "son", "face_up": True, "card": 14, "seen_by": [0, 1]},
            None,
            None,
        ],
    }


@pytest.mark.parametrize(("how", "said"), [("weak", " for 1 follow token."), ("strong", " for free.")])
def test_a_follower_reads_the_cost(how: str, said: str) -> None:
    """AE-3.2, AE-3.3  A follower sees the cost: a token after a weak action and nothing after a strong one."""
    s = table(
        seats=2,
        pawns=["corinth", "antioch"],
        tokens=[0, 2],
        witnesses={"corinth": "peter"},
        gospels={0: [1, 0, 0, 0, 0, 0], 1: [7, 0, 0, 0, 0, 0]},
        boxes={"corinth": [5, 14, 22, 31]},
    )
    actions = (
        [f"travel {how}", "to ephesus"],
        [f"rearrange {how}", "leaf 1", "flip", *(["done"] if how == "strong" else [])],
        ["interview", how],
        ["tradition", "keep 0", *(["keep 1", "slot 2"] if how == "strong" else ["none"]), "slot 3", "face 2"],
    )
    for texts in actions:
        t = s.clone()
        play(t, *texts)
        assert t.who == 1
        question = GAME.words.question(t)
        assert GAME.words.reader("en").read(question).endswith(said)
        assert said not in GAME.words.reader("fr").read(question)


def test_the_strong_option_shows_its_cost_and_gain() -> None:
    """AE-7.6  The choice shows the marks, and that strong costs one more octagon."""
    s = table(seats=2, pawns=["corinth", "antioch"], witnesses={"corinth": "peter"}, gospels={0: [7, 10, 0, 0, 0, 0]})
    interview_draws(s, "white")
    labels = [GAME.words.reader("en").read(GAME.words.label(s, o)) for o in s.options()]
    assert labels == ["Weak: 6 marks", "Strong, for one more octagon: 10 marks"]


def format_labels(s: Evangelists, option: str) -> str:
    return GAME.words.reader("en").read(GAME.words.label(s, GAME.read(option)))


def test_the_interview_button_shows_its_marks() -> None:
    """AE-7.5, AE-7.6  The button has the witness, and the marks by the number of matching cards in the gospel."""
    at = {"corinth": "peter"}
    said = []
    for cards, alive, dead in (
        ([7, 10], (), ()),
        ([7, 10], ("peter",), ()),
        ([7, 10], (), ("peter",)),
        ([0, 0], (), ()),
    ):
        s = table(pawns=["corinth", "rome", "ephesus"], witnesses=at, gospels={0: cards}, alive=alive, dead=dead)
        said.append(format_labels(s, "interview"))
    assert said == [
        "Interview Peter: 6 marks if alive (75%), 4 if dead; strong 10 or 6",
        "Interview Peter: 6 marks, strong 10",
        "Interview Peter: 4 marks, strong 6",
        "Interview Peter: no marks (not on any of your cards)",
    ]


@pytest.mark.parametrize(
    ("alive", "english", "french"),
    [
        ((), "6 marks if alive (75%), 4 if dead", "6 marques si le témoin est en vie (75\u00a0%), 4 sinon"),
        (("peter",), "6 marks", "6 marques"),
    ],
)
def test_with_one_octagon_no_strong_interview_is_offered(alive: tuple[str, ...], english: str, french: str) -> None:
    """AE-2.3, AE-7.6  Strong costs one more octagon. Without it the interview is weak and not asked."""
    gospels = {0: [7, 10, 0, 0, 0, 0]}
    s = table(
        pawns=["corinth", "rome", "ephesus"], witnesses={"corinth": "peter"}, gospels=gospels, alive=alive, octagons=1
    )
    assert format_labels(s, "interview") == f"Interview Peter: {english}"
    said = GAME.words.reader("fr").read(GAME.words.label(s, GAME.read("interview")))
    assert said == f"Entretien avec Pierre\u00a0: {french}"
    play(s, "interview")
    assert s.tally[0] in (4, 6)


def test_the_tradition_button_warns_if_no_card_can_be_kept() -> None:
    """AE-R15  A Tradition with a full gospel is allowed, but its button warns that the octagon is spent."""
    full = table(gospels={0: [7, 10]})
    said = "Tradition: your gospel is full, so you can only look and leave one card face up"
    assert format_labels(full, "tradition") == said
    assert format_labels(table(gospels={0: [7, 0]}), "tradition") == "Tradition: look at the city’s cards"


def test_refused_options_promise_nothing() -> None:
    """AE-7.1, AE-R15  A second interview shows no marks, and an empty box no look, also with a full gospel."""
    s = table(
        pawns=["corinth", "rome", "ephesus"],
        witnesses={"corinth": "peter"},
        gospels={0: [7, 10]},
        interviews={0: ["peter"]},
        boxes={"corinth": []},
    )
    assert format_labels(s, "interview") == "Interview Peter"
    assert format_labels(s, "tradition") == "Tradition: look at the city’s cards"


@pytest.mark.parametrize(
    ("language", "label", "log"),
    [
        ("en", "In red (The Suffering Servant)", "Ann plays in red."),
        ("fr", "En rouge (Le Serviteur souffrant)", "Ann joue en rouge."),
    ],
)
def test_a_colour_is_called_by_its_name(language: str, label: str, log: str) -> None:
    """AE-R34, AE-D18  The colours have the names of the themes next to them."""
    s = deal_match(seats=2, variants={"pick_pawn_colour": True, "stenographer": 0})
    reader = GAME.words.reader(language, ("Ann", "Ben"))
    assert reader.read(GAME.words.label(s, GAME.read("colour servant"))) == label
    s.events = []
    play(s, "colour servant")
    assert GAME.words.format_log(s.events, 1, reader) == [log]


@pytest.mark.parametrize("tokens", [0, 1])
def test_weak_and_strong_options_name_possible_followers(tokens: int) -> None:
    """AE-7.7, AE-R12  A strong Interview helps all who gain, a weak one only those who can pay."""
    s = table(
        seats=3,
        pawns=["corinth", "rome", "ephesus"],
        witnesses={"corinth": "peter"},
        gospels={0: [7], 1: [10, 12], 2: [1]},
        interviews={1: ["peter"]},
        tokens=[0, tokens, 2],
    )
    doing = draw(C, GAME.view(s, 0))["doing"]
    assert isinstance(doing, dict)
    assert doing["interview"].follows == [(1, 4)]
    play(s, "interview")
    doing = draw(C, GAME.view(s, 0))["doing"]
    assert isinstance(doing, dict)
    assert doing["strong"].follows == [(1, 4)]
    assert doing["weak"].follows == [(1, 4)] * tokens


def format_text(s: Evangelists, language: str, seat: int | None = 0) -> str:
    """Return the text table, without wrapped lines."""
    return format_game_table(GAME, GAME.view(s, seat), GAME.words.reader(language, ("Ann", "Ben")), 10_000)


def test_the_text_table_has_the_information_that_a_player_needs() -> None:
    """AE-2.7, AE-7.2, AE-10.1, AE-11.3  The text table has leaf, bag, octagons, limits, pawns and themes of cards."""
    s = table(
        seats=2,
        pawns=["corinth", "gaza"],
        round_=2,
        boxes={"corinth": [5, 14], "ephesus": [22, 31]},
        themes=["messiah", "son"],
        gospels={0: [1, 2, 0, 0, 0, 0]},
        tokens=[0, 0],
    )
    play(s, "tradition", "none", "face 0", "travel weak", "to ephesus")
    text = format_text(s, "en")
    lines = text.splitlines()
    assert lines[:3] == [
        "The match has 6 rounds.",
        "A leaf for everyone after this round.",
        "A witness interviewed now is alive with a probability of 75%.",
    ]
    assert "round 2, octagons left 1, used this turn travel" in lines
    assert "boxes opened this turn: Corinth" in lines
    assert "bag: white cubes 6, black cubes 2, black cubes next to it 7" in lines
    assert any(line.startswith("Ann: Ephesus; next to ") for line in lines)
    assert any(line.startswith("Ben: Gaza") for line in lines)
    own = text.partition("\n→ Ann")[2].partition("\n\n")[0]
    assert "theme The Jewish Messiah, " in own
    assert "tally marks 0, cards of their theme 1" in own
    assert "level: inclusio 0, emphasis 0, chiasm 0, chronology 0" in own
    gospel = lines[lines.index("gospel") + 1 :][:3]
    assert [line.split()[:2] for line in gospel] == [["1.", "1"], ["2.", "2"], ["3-6.", "-"]]
    assert "Un feuillet pour chacun après cette manche." in format_text(s, "fr")


def test_the_text_table_describes_cards_in_full() -> None:
    """AE-6.1, AE-6.6  The text table shows motifs, witnesses and themes of cards to players who may know them."""
    s = table(
        seats=2,
        pawns=["corinth", "antioch"],
        boxes={"corinth": [22, 1]},
        tokens=[0, 1],
    )
    card = ", Crown, Coin, Peter, Matthew, The Jewish Messiah and The Son of God"
    assert "Peter’s confession" not in format_text(s, "en")
    play(s, "tradition")
    assert card in next(line for line in format_text(s, "en").splitlines() if "22 Peter’s confession: " in line)
    for viewer in (1, None):
        assert "Peter’s confession" not in format_text(s, "en", viewer)
    play(s, "keep 0", "none", "slot 1")
    for viewer in (0, 1, None):
        kept = format_text(s, "en", viewer).partition("kept cards\n")[2].splitlines()[0]
        assert kept.startswith("  22 Peter’s confession: ")
        assert kept.endswith(card)
    play(s, "copy 22")
    for viewer in (0, 1):
        box = format_text(s, "en", viewer).partition("\n  Corinth: ")[2]
        face_up = next(line for line in box.splitlines() if "1 The angel’s message to Mary: " in line)
        assert "face up" in face_up


def test_the_text_table_before_and_after_the_turns() -> None:
    """AE-1.12, AE-10.3  The text table announces no leaf and no interview after the end of the match."""
    s = table(seats=2, pawns=["antioch", "antioch"], round_=6)
    assert format_text(s, "en").splitlines()[:2] == ["The match has 6 rounds.", "No leaf after this round."]
    play(s, "end", "end")
    over = format_text(s, "en")
    assert "gospel: -" not in format_text(s, "en", None)  # rows of empty places are left out
    assert "leaf after" not in over
    assert "A witness interviewed now" not in over
    assert "bag: white cubes 5, black cubes 2, black cubes next to it 7" in over


def test_the_leaf_button_shows_its_best_gain() -> None:
    """AE-8.1  The button of a leaf shows the best result of flipping or moving it, and nothing without a gain."""
    s = table(gospels={0: [9, 5, 12, 20, 1, 3]})
    play(s, "rearrange weak")
    view = GAME.view(s, 0)
    doing = draw(C, view)["doing"]
    assert isinstance(doing, dict)
    for leaf in (1, 2, 3):
        best = 0
        levels = sum(s.get_level(0, track) for track in range(4))
        for how in ("flip", *(f"position {n}" for n in (1, 2, 3))):
            after = s.clone()
            play(after, f"leaf {leaf}")
            if how in {GAME.format_option(o) for o in after.legal}:
                play(after, how)
                best = max(best, sum(after.get_level(0, track) for track in range(4)) - levels)
        moves = doing[f"leaf {leaf}"].moves
        assert sum(move.after - move.before for move in moves or ()) == best
        assert moves is None or best > 0
