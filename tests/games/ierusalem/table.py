"""Tables in the middle of a match, built from named parts."""

from collections.abc import Mapping, Sequence

from tests.harness import Harness
from triclinium.engine.core.shared_rows import replace_item
from triclinium.engine.core.state import Step
from triclinium.games.ierusalem import GAME
from triclinium.games.ierusalem.rules.constants import LOCATIONS, TILES, get_card_bit
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.turn import Turn

# The examples use a longer track and Parables with falling VP.
TRACK: Mapping[str, object] = {
    "sanhedrin.last": 24,
    "sanhedrin.tile_spaces": [3, 7, 10, 14, 17, 21],
    "parables.stack_vp": [6, 5, 4, 3],
}
LONG_TRACK = GAME.with_components(GAME.file.with_changes(TRACK))
C = LONG_TRACK.components
HARNESS = Harness(GAME)
play = HARNESS.play
refused = HARNESS.refused
options = HARNESS.options

ANA, BEN, CEM, DIA = range(4)


def cards(text: str) -> tuple[int, ...]:
    """Return ``"r01 ma03"`` as cards."""
    return tuple(C.card_ids.index(name) for name in text.split())


def table(
    seats: int = 4,
    hands: Mapping[int, str] | None = None,  # card ids; the rest of the player's ten cards stays in the deck
    columns: Mapping[int, Sequence[str]] | None = None,
    discards: Mapping[int, str] | None = None,
    display: str | None = None,
    mahane: str | None = None,  # the deck, top card first, all unseen; cards named nowhere are at its bottom
    xxxiii: str | None = None,
    empty_decks: bool = False,  # cards named nowhere are out of the game
    goods: Mapping[int, tuple[int, int, int]] | None = None,
    denarii: Mapping[int, int] | None = None,
    offerings: Mapping[int, int] | None = None,
    at: Mapping[int, tuple[int, int, int]] | None = None,  # number of Followers on Desert, Mountain and Lake, by player
    supper: Mapping[int, str] | None = None,  # the spaces of each player's Followers
    seated: Mapping[str, str] | None = None,  # a seat's name and its Apostle
    received: Mapping[int, str] | None = None,
    favors: Mapping[int, int] | None = None,  # number of Favors done; the first markers are gone
    parables: Mapping[int, int] | None = None,
    vp: Mapping[int, int] | None = None,
    spent: Sequence[int] = (),  # seats that have used their Illumination tile
    marker: int = 0,
    tiles: Sequence[str] = TILES,
    symbols: str | None = None,  # nine symbols of the Apostle columns
    turns: int = 4,  # number of turns played so far
    seed: int = 1,
    variants: Mapping[str, object] | None = None,
) -> Ierusalem:
    """Return a table at the beginning of Ana's turn (seat 0, red).

    Other parts are as dealt, with every player's extra Follower in the Desert.
    """
    s = LONG_TRACK.deal(seats, seed, {"start_player": 0, **(variants or {})})
    assert isinstance(s, Ierusalem)
    s.stack = []
    s.colours = tuple(range(seats))
    s.tiles = bytes(TILES.index(tile) for tile in tiles)
    s.marker = marker
    s.turns = turns
    if symbols is not None:
        s.symbols = bytes(LOCATIONS.index(name) for name in symbols.split())
    put_followers(s, at or {}, supper or {})
    put_cards(s, hands or {}, columns or {}, discards or {}, empty_decks)
    put_common(s, display, mahane, xxxiii, empty_decks)
    for seat, chair in (seated or {}).items():
        apostle = C.apostle_ids.index(chair)
        s.seated = replace_item(s.seated, C.seat_ids.index(seat), apostle)
        s.waiting = tuple(mask & ~(1 << apostle) for mask in s.waiting)
    s.has_judgments = not s.are_all_seated()
    s.offerings = tuple((offerings or {}).get(who, 1) for who in range(seats))
    s.favors = tuple((favors or {}).get(who, 0) for who in range(seats))
    s.markers = tuple(255 & ~((1 << done) - 1) for done in s.favors)
    s.parables = tuple((parables or {}).get(who, 0) for who in range(seats))
    s.illumination = tuple(int(who not in spent) for who in range(seats))
    for who in range(seats):
        s.goods[who * 3 : who * 3 + 3] = (goods or {}).get(who, (1, 1, 1))
        s.denarii[who] = (denarii or {}).get(who, 4 + who)
        s.earned[who * 8] = (vp or {}).get(who, who + 1)
        for name in (received or {}).get(who, "").split():
            s.received[who * 5 + LOCATIONS.index(name)] += 1
    s.stack = [Turn(0)]
    s.advance()
    return s


def put_followers(s: Ierusalem, at: Mapping[int, tuple[int, int, int]], supper: Mapping[int, str]) -> None:
    """Place the fifteen Followers of each player. Those not named are in the Camp."""
    corners = ["tr", "bl", "br"] if s.seats == 3 else ["tl", "tr", "bl", "br"]
    s.free_spaces = C.all_spaces & ~s.supper[s.seats]
    s.empty_squares = list(C.squares[s.seats - 3])
    for who in range(s.seats):
        names = supper[who].split() if who in supper else [corners[who]]
        s.supper = replace_item(s.supper, who, sum(1 << C.space_ids.index(name) for name in names))
        assert not s.supper[who] & ~s.free_spaces, f"a space of seat {who} is taken"
        s.free_spaces &= ~s.supper[who]
        there = at.get(who, (2, 1, 1))
        s.at_location[who * 3 : who * 3 + 3] = there
        for place in range(3):
            s.empty_squares[place] -= there[place]
        s.camp[who] = C.followers - len(names) - sum(there)


def put_cards(
    s: Ierusalem,
    hands: Mapping[int, str],
    columns: Mapping[int, Sequence[str]],
    discards: Mapping[int, str],
    empty_decks: bool,
) -> None:
    """Set hands, boards and discard piles. The deck is the rest of the player's ten cards, highest number on top."""
    s.known_cards = [0] * s.seats
    for who in range(s.seats):
        own = list(range(who * 10, who * 10 + 10))
        board = [bytes(cards(text)) for text in columns.get(who, ())]
        board += [b""] * (3 - len(board))
        s.columns[who * 3 : who * 3 + 3] = board
        discarded = cards(discards.get(who, ""))
        s.discard[who] = sum(1 << get_card_bit(card) for card in discarded)
        gone = {card for column in board for card in column} | set(discarded)
        hand = cards(hands[who]) if who in hands else tuple(card for card in own if card not in gone)[:5]
        s.hand[who] = tuple(sorted(hand))
        gone |= set(hand)
        s.deck[who] = () if empty_decks else tuple(card for card in own if card not in gone)


def put_common(s: Ierusalem, display: str | None, mahane: str | None, xxxiii: str | None, empty_decks: bool) -> None:
    """Set the Mahane display and both common decks."""
    used = {card for hand in s.hand for card in hand} | {card for column in s.columns for card in column}
    named = cards(display or "") + cards(mahane or "") + cards(xxxiii or "")
    rest = [card for card in range(40, 70) if card not in used and card not in named]
    if display is None:
        s.display = () if empty_decks else (rest.pop(0), rest.pop(0))
    else:
        s.display = cards(display)
    below = () if empty_decks else tuple(card for card in rest if card < 60)
    s.mahane = cards(mahane or "") + below
    s.mahane_hidden = len(s.mahane)
    s.xxxiii = cards(xxxiii or "") + (() if empty_decks else tuple(card for card in rest if card >= 60))
    s.xxxiii_hidden = len(s.xxxiii)


def get_asked_step(s: Ierusalem) -> Step[Ierusalem]:
    """Return the step that waits for an answer."""
    return s.asked


def name_asked(s: Ierusalem) -> str:
    """Return the name of the step that waits."""
    return type(s.asked).__name__


def goods(s: Ierusalem, who: int) -> tuple[int, ...]:
    """Return Stone, Bread and Fish."""
    return tuple(s.goods[who * 3 : who * 3 + 3])


def count_followers(s: Ierusalem, who: int) -> tuple[int, ...]:
    """Return the Followers in Desert, Mountain and Lake."""
    return tuple(s.at_location[who * 3 : who * 3 + 3])


def spaces(s: Ierusalem, who: int) -> list[str]:
    """Return the spaces of a player's Followers at the Supper."""
    return [C.space_ids[space] for space in range(56) if (s.supper[who] >> space) & 1]


def hand(s: Ierusalem, who: int) -> str:
    return " ".join(C.card_ids[card] for card in s.hand[who])


def column(s: Ierusalem, who: int, number: int) -> str:
    return " ".join(C.card_ids[card] for card in s.columns[who * 3 + number - 1])


def list_received(s: Ierusalem, who: int) -> list[str]:
    return [LOCATIONS[place] for place in range(5) for _ in range(s.received[who * 5 + place])]


def list_earned(s: Ierusalem, source: int) -> list[int]:
    """Return every player's VP from one source."""
    return [s.earned[who * 8 + source] for who in range(s.seats)]


def ids(numbers: Sequence[int]) -> str:
    """Return cards by their ids."""
    return " ".join(C.card_ids[card] for card in numbers)


def pass_on(s: Ierusalem) -> None:
    """End the active player's turn and decline everything optional."""
    turn = s.turns
    while not s.over and s.turns == turn:
        s.play(s.options()[0])  # skip and done are the first options
