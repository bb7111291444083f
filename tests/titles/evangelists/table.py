"""A table of The Acts of the Evangelists with named parts, and the beats of a scenario test bound to the title."""

from collections.abc import Mapping, Sequence

from tests.harness import Harness
from triclinium.kernel.rng import Rng
from triclinium.kernel.rule import Rule
from triclinium.kernel.state import Step
from triclinium.titles.evangelists import TITLE
from triclinium.titles.evangelists.components import TRACKS
from triclinium.titles.evangelists.state import EMPTY, PUBLIC, Evangelists

C = TITLE.components
_HARNESS = Harness(TITLE)
play = _HARNESS.play
refused = _HARNESS.refused
options = _HARNESS.options


def table(
    *,
    seats: int = 3,
    turn: int = 0,
    round: int = 1,
    pawns: Sequence[str] = (),
    boats: Sequence[str] = (),
    witnesses: Mapping[str, str] | None = None,
    boxes: Mapping[str, Sequence[int]] | None = None,
    face_up: Mapping[str, int] | None = None,
    gospels: Sequence[Sequence[int]] = (),
    interviews: Sequence[Sequence[str]] = (),
    themes: Sequence[str] = (),
    tokens: Sequence[int] = (),
    tally: Sequence[int] = (),
    alive: Sequence[str] = (),
    dead: Sequence[str] = (),
    bag: tuple[int, int] | None = None,
    supply: int | None = None,
    octagons: int | None = None,
    variants: Mapping[str, object] | None = None,
    seed: int = 1,
) -> Evangelists:
    """A match at the beginning of a turn; seat 0 is the stenographer.

    What is not named stays as dealt. A gospel is its slots from the left, card numbers, 0 for an empty one; cards in
    a gospel are in no box. A box is the numbers in its places, 0 for an empty one. ``face_up`` names a card in a box.
    ``bag`` is white and black cubes.
    """
    s = dealt(seats=seats, seed=seed, variants={"stenographer": 0, **(variants or {})})
    while not s.over and min(s.pawn) == EMPTY:
        s.play(s.options()[0])
    for _ in range(turn):
        play(s, "end")
    s.marker += round - 1
    for seat, place in enumerate(pawns):
        s.pawn[seat] = C.place_ids.index(place)
    if boats:
        s.boats = sum(1 << C.place_ids.index(city) for city in boats)
    for city, witness in (witnesses or {}).items():
        _put_witness(s, C.place_ids.index(city), C.witness_ids.index(witness))
    for seat, numbers in enumerate(gospels):
        s.slots[seat] = tuple(number - 1 for number in numbers)
    _fill_boxes(s, boxes or {})
    for city, number in (face_up or {}).items():
        _turn_up(s, C.place_ids.index(city), number - 1)
    for seat, held in enumerate(interviews):
        for witness in held:
            s.interviews[seat] |= 1 << C.witness_ids.index(witness)
            s.piles[C.witness_ids.index(witness)] -= 1
    for seat, theme in enumerate(themes):
        s.theme[seat] = C.theme_ids.index(theme)
    s.tokens[: len(tokens)] = tokens
    s.tally[: len(tally)] = tally
    s.alive = sum(1 << C.witness_ids.index(witness) for witness in alive)
    s.dead = sum(1 << C.witness_ids.index(witness) for witness in dead)
    if bag is not None:
        s.bag_white, s.bag_black = bag
    if supply is not None:
        s.supply = supply
    if octagons is not None:
        s.octagons = octagons
    for seat in range(seats):
        s.adjust_tracks(seat)
    s.settle()
    return s


def dealt(seats: int = 3, seed: int = 1, variants: Mapping[str, object] | None = None) -> Evangelists:
    """A match just dealt: the stenographer chooses a colour or a starting city."""
    s = TITLE.deal(seats, seed, variants or {})
    assert isinstance(s, Evangelists)
    return s


def asks(s: Evangelists) -> str:
    """Who is asked what: ``0 ChooseAction``; empty when the match is over."""
    return "" if s.over else f"{s.who} {type(s.asked).__name__}"


def at(s: Evangelists, seat: int) -> str:
    """The place of a pawn."""
    return C.place_ids[s.pawn[seat]]


def boats(s: Evangelists) -> set[str]:
    """The cities with a boat."""
    return {C.place_ids[city] for city in range(C.cities) if (s.boats >> city) & 1}


def gospel(s: Evangelists, seat: int) -> list[int]:
    """The numbers in a gospel's slots from the left, 0 for an empty one."""
    return [card + 1 for card in s.slots[seat]]


def box(s: Evangelists, city: str) -> list[int]:
    """The numbers in the places of a box, 0 for an empty one."""
    first = C.place_ids.index(city) * C.box_size
    return [card + 1 for card in s.box[first : first + C.box_size]]


def up(s: Evangelists, city: str) -> int:
    """The number of the card that lies face up in a box; 0: none does."""
    number = C.place_ids.index(city)
    place = s.face_up[number]
    return 0 if place == EMPTY else s.box[number * C.box_size + place] + 1


def knows(s: Evangelists, city: str, place: int) -> set[int]:
    """The seats that have seen the card at this place; -1 stands for a spectator."""
    mask = s.seen[C.place_ids.index(city) * C.box_size + place]
    return {seat for seat in range(s.seats) if (mask >> seat) & 1} | ({-1} if (mask >> 5) & 1 else set())


def levels(s: Evangelists, seat: int) -> list[int]:
    """Inclusio, emphasis, chiasm, chronology."""
    return s.levels[seat * TRACKS : (seat + 1) * TRACKS]


def dead(s: Evangelists) -> set[str]:
    """The witnesses whose disc carries a black cube."""
    return {witness for w, witness in enumerate(C.witness_ids) if (s.dead >> w) & 1}


def alive(s: Evangelists) -> set[str]:
    """The witnesses whose disc carries a white cube."""
    return {witness for w, witness in enumerate(C.witness_ids) if (s.alive >> w) & 1}


def holds(s: Evangelists, seat: int) -> set[str]:
    """The witnesses whose interview card a seat holds."""
    return {witness for w, witness in enumerate(C.witness_ids) if (s.interviews[seat] >> w) & 1}


def interview_draws(s: Evangelists, colour: str) -> None:
    """Interview, with a chance that draws a cube of this colour from the bag as it is."""
    for seed in range(200):
        t = s.clone()
        t.rng = Rng(seed)
        play(t, "interview")
        if (t.alive != s.alive) == (colour == "white"):
            s.rng = Rng(seed)
            play(s, "interview")
            return
    raise AssertionError(f"the bag gives no {colour} cube: {s.bag_white} white, {s.bag_black} black")


def _put_witness(s: Evangelists, city: int, witness: int) -> None:
    """The witness changes places with the one who is in the city."""
    other = s.witness_at.index(witness)
    s.witness_at[other], s.witness_at[city] = s.witness_at[city], witness


def _fill_boxes(s: Evangelists, named: Mapping[str, Sequence[int]]) -> None:
    """Named boxes as named; the others keep the cards dealt to them that are neither in those nor in a gospel."""
    used = {card for slots in s.slots for card in slots} | {number - 1 for box in named.values() for number in box}
    s.box = [EMPTY if card in used else card for card in s.box]
    for city, numbers in named.items():
        first = C.place_ids.index(city) * C.box_size
        cards = [number - 1 for number in numbers]
        s.box[first : first + C.box_size] = cards + [EMPTY] * (C.box_size - len(cards))


def _turn_up(s: Evangelists, city: int, card: int) -> None:
    at = s.box.index(card)
    assert at // C.box_size == city, f"card {card + 1} is not there"
    s.face_up[city] = at % C.box_size
    s.seen[at] = PUBLIC


def forbidden(s: Evangelists, step: Step[Evangelists], text: str, rule: Rule) -> None:
    """The step forbids the option by this rule. For rules that leave a lone option, which is taken without asking."""
    o = TITLE.read(text)
    assert o in step.candidates(s)
    assert step.forbids(s, o) is rule
    sentence = TITLE.words.rule(rule, step.figures(s, o, rule), TITLE.words.reader("fr"))
    assert "{" not in sentence
    assert o not in step.options(s)
