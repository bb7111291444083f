"""Final scoring: the score sheet, line by line (IE-6.1 to IE-6.6)."""

from triclinium.engine.core.score import Score, ScoreSheetLine, rank_keys
from triclinium.engine.core.state import Seat
from triclinium.games.ierusalem.rules.state import Ierusalem


def compute_apostle_value(value: int, distance: int) -> int:
    """IE-6.3  Return an Apostle's value at a distance: 1 nearer to zero for each further space, never past it."""
    return max(value - (distance - 1), 0) if value > 0 else min(value + (distance - 1), 0)


def count_seat_points(s: Ierusalem, who: Seat, seat: int) -> int:
    """IE-6.2  Return the value of the Apostle on a seat to a player's Followers behind and next to him."""
    apostle = s.seated[seat]
    return 0 if apostle < 0 else count_shade_points(s, who, seat, s.c.shade[apostle])


def count_shade_points(s: Ierusalem, who: Seat, seat: int, shade: int) -> int:
    """IE-6.2  Return the value of an Apostle of this colour on a seat, whether he sits there or not."""
    c = s.c
    mine = s.supper[who]
    value = c.shade_value[shade]
    points = 0
    for distance in range(1, 4):
        there = mine & c.spaces_at_distance[seat * 3 + distance - 1]
        if there:
            points += compute_apostle_value(value, distance) * there.bit_count()
    return points


def count_total_points(s: Ierusalem, who: Seat) -> int:
    """Return a player's total score."""
    c = s.c
    points = s.get_vp(who) + c.parable_end[s.parables[who]] + s.offerings[who] * c.offering_vp
    if s.illumination[who]:
        points += c.illumination_vp
    if s.supper[who]:
        points += (s.supper[who] & c.jesus_spaces).bit_count() * s.jesus_vp
        for seat in range(len(s.seated)):
            if s.seated[seat] >= 0:
                points += count_seat_points(s, who, seat)
    return points


def list_score_lines(s: Ierusalem, who: Seat) -> list[ScoreSheetLine]:
    """Return a player's score lines, as if the game ended now."""
    c = s.c
    seats = 0
    for seat in range(len(s.seated)):
        seats += count_seat_points(s, who, seat)
    at_jesus = (s.supper[who] & c.jesus_spaces).bit_count()
    return [
        ScoreSheetLine("track", s.get_vp(who)),
        ScoreSheetLine("parables", c.parable_end[s.parables[who]]),
        ScoreSheetLine("seats", seats),
        ScoreSheetLine("jesus", at_jesus * s.jesus_vp),
        ScoreSheetLine("offerings", s.offerings[who] * c.offering_vp),
        ScoreSheetLine("illumination", c.illumination_vp if s.illumination[who] else 0),
    ]


def scores(s: Ierusalem) -> list[Score]:
    """IE-6.6  Return the scores.

    Ties go to the player with the Illumination tile, then with more Favors done; then the rank is shared.
    """
    lines = [list_score_lines(s, who) for who in range(s.seats)]
    totals = [sum([line.points for line in own]) for own in lines]
    keys: list[tuple[int, ...]] = [(totals[who], s.illumination[who], s.favors[who]) for who in range(s.seats)]
    places = rank_keys(keys)
    return [Score(who, places[who], totals[who], lines[who]) for who in range(s.seats)]
