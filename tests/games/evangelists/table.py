"""Tables in the middle of a match, built from named parts."""

from collections.abc import Mapping, Sequence

from tests.harness import Harness
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Step
from triclinium.games.evangelists import GAME
from triclinium.games.evangelists.rules.state import EMPTY, PUBLIC, Evangelists
from triclinium.games.evangelists.rules.turn import BeginTurn, ChooseAction, EndRound

C = GAME.components
HARNESS = Harness(GAME)
play = HARNESS.play
refused = HARNESS.refused
options = HARNESS.options


def table(
    seats: int = 3,
    pawns: Sequence[str] = ("rome", "ephesus", "antioch", "caesarea", "cyrene"),
    gospels: Mapping[int, Sequence[int]] | None = None,  # card numbers by slot, 0 for an empty one
    interviews: Mapping[int, Sequence[str]] | None = None,
    tokens: Sequence[int] | None = None,
    themes: Sequence[str] = ("servant", "son", "prophet", "outcast", "human"),
    tally: Sequence[int] | None = None,
    boats: Sequence[str] = ("rome", "ephesus", "caesarea"),
    boxes: Mapping[str, Sequence[int]] | None = None,  # card numbers by place, 0 for an empty place
    face_up: Mapping[str, int] | None = None,  # the place of the face-up card in its box
    witnesses: Mapping[str, str] | None = None,
    alive: Sequence[str] = (),
    dead: Sequence[str] = (),
    bag: tuple[int, int] = (6, 2),
    supply: int = 7,
    turn: int = 0,
    octagons: int = 3,
    round_: int = 1,
    seed: int = 1,
    variants: Mapping[str, object] | None = None,
) -> Evangelists:
    """Return a table at seat ``turn``'s turn. Seat 0 is the stenographer. Other parts are as dealt."""
    s = GAME.deal(seats, seed, {"stenographer": 0, **(variants or {})})
    assert isinstance(s, Evangelists)
    s.pawn = [C.place_ids.index(place) for place in pawns[:seats]]
    s.boats = sum(1 << C.place_ids.index(city) for city in boats)
    s.theme = [C.theme_ids.index(theme) for theme in themes[:seats]]
    s.colour = s.theme[:]
    for seat, numbers in (gospels or {}).items():
        s.slots[seat] = tuple(number - 1 for number in numbers)
    for seat, names in (interviews or {}).items():
        for name in names:
            s.interviews[seat] |= 1 << C.witness_ids.index(name)
            s.piles[C.witness_ids.index(name)] -= 1
    if tokens is not None:
        s.tokens = list(tokens)
    if tally is not None:
        s.tally = list(tally)
    put_witnesses(s, witnesses or {})
    put_boxes(s, boxes or {})
    for city, at in (face_up or {}).items():
        place = C.place_ids.index(city)
        s.face_up[place] = at
        s.seen[place * C.box_size + at] = PUBLIC
    s.alive = sum(1 << C.witness_ids.index(name) for name in alive)
    s.dead = sum(1 << C.witness_ids.index(name) for name in dead)
    s.bag_white, s.bag_black = bag
    s.supply = supply
    s.turn = turn
    s.octagons = octagons
    s.marker = C.track_start[seats] + round_ - 1
    for seat in range(seats):
        s.adjust_tracks(seat)
    s.stack = [EndRound(), *[BeginTurn(seat) for seat in range(seats - 1, turn, -1)], ChooseAction(turn)]
    s.advance()
    return s


def deal_match(seats: int = 3, seed: int = 1, variants: Mapping[str, object] | None = None) -> Evangelists:
    """Return a match just dealt, where the stenographer chooses a colour or a starting city."""
    s = GAME.deal(seats, seed, variants or {})
    assert isinstance(s, Evangelists)
    return s


def put_witnesses(s: Evangelists, witnesses: Mapping[str, str]) -> None:
    """Exchange the named witnesses with those that were dealt there."""
    for city, witness in witnesses.items():
        here = C.place_ids.index(city)
        there = s.witness_at.index(C.witness_ids.index(witness))
        s.witness_at[here], s.witness_at[there] = s.witness_at[there], s.witness_at[here]


def put_boxes(s: Evangelists, boxes: Mapping[str, Sequence[int]]) -> None:
    """Put these cards into the named boxes, and the rest without the gospels' cards into the others."""
    used = {number - 1 for numbers in boxes.values() for number in numbers}
    used |= {card for slots in s.slots for card in slots}
    rest = [card for card in range(len(C.numbers)) if card not in used]
    s.seen = [0] * len(s.box)
    for city in range(C.cities):
        named = boxes.get(C.place_ids[city])
        for at in range(C.box_size):
            if named is not None:
                card = named[at] - 1 if at < len(named) else EMPTY
            else:
                card = rest.pop() if rest else EMPTY
            s.box[city * C.box_size + at] = card


def get_asked_step(s: Evangelists) -> Step[Evangelists]:
    """Return the step that waits for an answer."""
    return s.asked


def describe_asked(s: Evangelists) -> str:
    """Return the asked seat and the step: ``0 ChooseAction``."""
    return f"{s.who} {type(s.asked).__name__}"


def check_step_refusal(s: Evangelists, step: Step[Evangelists], text: str, rule: Rule) -> None:
    """Check that a rule forbids an option at a step that is not asked, because only one option is left."""
    o = GAME.read(text)
    assert o in step.candidates(s)
    assert step.forbids(s, o) is rule
    assert o not in step.options(s)
    for language in ("en", "fr"):
        assert "{" not in GAME.words.format_rule(rule, step.rule_parameters(s, o, rule), GAME.words.reader(language))


def interview_draws(s: Evangelists, colour: str) -> None:
    """Play an Interview that draws a cube of this colour from the bag."""
    for seed in range(200):
        t = s.clone()
        t.rng = Rng(seed)
        play(t, "interview")
        if (t.alive != s.alive) == (colour == "white"):
            s.rng = Rng(seed)
            play(s, "interview")
            return
    raise AssertionError(f"the bag gives no {colour} cube: {s.bag_white} white, {s.bag_black} black")


def box(s: Evangelists, city: str) -> list[int]:
    """Return the card numbers of a box by place, 0 for an empty one."""
    first = C.place_ids.index(city) * C.box_size
    return [card + 1 for card in s.box[first : first + C.box_size]]


def gospel(s: Evangelists, seat: int) -> list[int]:
    """Return the card numbers of a gospel by slot, 0 for an empty one."""
    return [card + 1 for card in s.slots[seat]]


def boats(s: Evangelists) -> list[str]:
    return [C.place_ids[city] for city in range(C.cities) if (s.boats >> city) & 1]


def find_pawn(s: Evangelists, seat: int) -> str:
    return C.place_ids[s.pawn[seat]]


def levels(s: Evangelists, seat: int) -> list[int]:
    """Return a seat's levels of inclusio, emphasis, chiasm and chronology."""
    return [s.get_level(seat, track) for track in range(4)]


def find_face_up(s: Evangelists, city: str) -> int:
    """Return the number of the face-up card in a box, or 0."""
    number = C.place_ids.index(city)
    place = s.face_up[number]
    return 0 if place == EMPTY else s.box[number * C.box_size + place] + 1


def find_viewers_of_card(s: Evangelists, city: str, place: int) -> set[int]:
    """Return the seats that have seen the card at this place, with -1 for a spectator."""
    mask = s.seen[C.place_ids.index(city) * C.box_size + place]
    return {seat for seat in range(s.seats) if (mask >> seat) & 1} | ({-1} if (mask >> 5) & 1 else set())


def alive(s: Evangelists) -> set[str]:
    """Return the witnesses whose disc has a white cube."""
    return {witness for w, witness in enumerate(C.witness_ids) if (s.alive >> w) & 1}


def dead(s: Evangelists) -> set[str]:
    """Return the witnesses whose disc has a black cube."""
    return {witness for w, witness in enumerate(C.witness_ids) if (s.dead >> w) & 1}


def list_interviewed_witnesses(s: Evangelists, seat: int) -> set[str]:
    """Return the witnesses whose interview card a seat has."""
    return {witness for w, witness in enumerate(C.witness_ids) if (s.interviews[seat] >> w) & 1}
