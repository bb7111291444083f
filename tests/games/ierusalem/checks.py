"""Settings of the game for the property tests of all games."""

from triclinium.engine.core.state import State
from triclinium.games.ierusalem.rules.constants import find_card
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.turn import Column

DERIVED = ("turn_card", "owed_turns")  # the last card of a column of the mover, and the bots' count of owed turns

VARIANTS: list[dict[str, object]] = [
    {},
    {"symbols": "random", "orange_scores_all": True},
    {"jesus_vp": 0, "stall_round": 20, "start_player": 1},
    {"symbols": "random", "stall_round": 100, "start_player": 2},
    {"start_player": 0},
    {"start_player": 3},
    {"pick_colour": True},
]


def check_conserved(s: State) -> None:
    """Check that Followers, cards, Apostles, Favors and squares are neither lost nor created, and that no count is
    negative."""
    assert isinstance(s, Ierusalem)
    followers(s)
    cards(s)
    apostles(s)
    for seat in range(s.seats):
        given = len(s.c.marker_ids) - s.markers[seat].bit_count()
        assert 0 <= given - s.favors[seat] <= 1  # one while the receiver of a Favor is asked
        assert s.denarii[seat] >= 0
        assert s.offerings[seat] >= 0
        assert s.illumination[seat] in (0, 1)
        assert 0 <= s.parables[seat] <= 7
    handed_out = sum(len(s.c.marker_ids) - mask.bit_count() for mask in s.markers)
    assert 0 <= sum(s.received) <= handed_out
    assert min(s.goods) >= 0
    assert min(s.received) >= 0
    for number in range(1, 8):
        assert sum(listened >= number for listened in s.parables) <= len(s.c.list_stack_values(s.seats))
    assert 0 <= s.marker <= s.c.last
    assert s.has_judgments == (sum(mask.bit_count() for mask in s.waiting) > 0)


def followers(s: Ierusalem) -> None:
    """IE-0.3  Check that each player has fifteen Followers, and that no space or square has more than one."""
    for seat in range(s.seats):
        there = s.at_location[seat * 3 : seat * 3 + 3]
        assert s.camp[seat] >= 0
        assert all(0 <= n <= 3 for n in there)
        assert s.camp[seat] + sum(there) + s.supper[seat].bit_count() == 15
    taken = 0
    for mask in s.supper:
        assert not taken & mask
        taken |= mask
    assert taken | s.free_spaces == s.c.all_spaces
    assert not taken & s.free_spaces
    assert s.supper[s.seats].bit_count() == (9 if s.seats == 3 else 0)
    for place in range(3):
        assert s.empty_squares[place] >= 0
        assert s.empty_squares[place] + sum(s.at_location[place::3]) == 2 * s.seats


def cards(s: Ierusalem) -> None:
    """Check that every card of the colours in play, and every Mahane and XXXIII A.D. card, exists once."""
    loose: list[int] = []
    step = s.stack[-1] if s.stack else None
    if isinstance(step, Column):
        loose = [step.card]
    common = [*s.display, *s.mahane, *s.xxxiii, *loose]
    for seat in range(s.seats):
        discarded = [find_card(i, s.colours[seat]) for i in range(10) if (s.discard[seat] >> i) & 1]
        common += [*s.hand[seat], *s.deck[seat], *discarded]
        assert list(s.hand[seat]) == sorted(s.hand[seat])
    for column in s.columns:
        common += column
    if s.turns:
        wanted = [card for card in range(70) if card >= 40 or card // 10 in s.colours]
    else:
        wanted = list(range(40, 70))  # hands are drawn after the last Post (IE-1.16)
    assert sorted(common) == wanted
    assert 0 <= s.mahane_hidden <= len(s.mahane)
    assert 0 <= s.xxxiii_hidden <= len(s.xxxiii)
    assert len(s.display) == 2 or not s.mahane
    for seat in range(s.seats):
        held = {card % 10 if card < 40 else card - 30 for card in s.hand[seat]}
        assert {i for i in range(40) if (s.known_cards[seat] >> i) & 1} <= held


def apostles(s: Ierusalem) -> None:
    """Check that there are twelve Apostles, each in their column or on one seat."""
    seated = [apostle for apostle in s.seated if apostle >= 0]
    waiting = [apostle for mask in s.waiting for apostle in range(12) if (mask >> apostle) & 1]
    assert sorted(seated + waiting) == list(range(12))


def slow_scores(s: State) -> list[int]:
    """Return the scores of IE-6, computed space by space from ids and the printed numbers."""
    assert isinstance(s, Ierusalem)
    values = {"purple": 4, "orange": 5, "white": 6, "silver": -5}
    totals = []
    for seat in range(s.seats):
        total = sum(s.earned[seat * 8 : seat * 8 + 8]) + [0, 1, 3, 6, 10, 13, 15, 18][s.parables[seat]]
        total += s.offerings[seat] + (5 if s.illumination[seat] else 0)
        for space, name in enumerate(s.c.space_ids):
            if (s.supper[seat] >> space) & 1:
                total += slow_worth(s, name, values)
        totals.append(total)
    return totals


def slow_worth(s: Ierusalem, name: str, values: dict[str, int]) -> int:
    """Return the VP of a Follower on the space of this name, found from the picture of the room."""
    if name in ("t4", "t5", "b4", "b5"):
        return s.jesus_vp
    if name in ("tl", "tr", "bl", "br"):
        chair, far = {"tl": "s01", "tr": "s06", "bl": "s07", "br": "s12"}[name], 0
    else:
        column = int(name[3])
        if column in (4, 5):
            return 0
        nth = {1: 1, 2: 2, 3: 3, 6: 4, 7: 5, 8: 6}[column] + (0 if name[0] == "u" else 6)
        chair, far = f"s{nth:02}", int(name[1]) - 1
    apostle = s.seated[s.c.seat_ids.index(chair)]
    if apostle < 0:
        return 0
    value = values[("purple", "orange", "white", "silver")[s.c.shade[apostle]]]
    return value - far if value > 0 else value + far
