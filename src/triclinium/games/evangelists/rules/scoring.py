"""Final scoring (AE-11), line by line as on the score sheet."""

from triclinium.engine.core.score import Score, ScoreSheetLine, rank_keys
from triclinium.engine.core.state import Seat
from triclinium.games.evangelists.rules.components import TRACK_IDS, TRACKS, Components
from triclinium.games.evangelists.rules.state import Evangelists


def scores(s: Evangelists) -> list[Score]:
    """AE-11.6, AE-11.7  Return each player's total. More tally marks break a tie; a further tie is shared (AE-R31)."""
    sheets = [list_score_lines(s, seat) for seat in range(s.seats)]
    totals = [sum([line.points for line in sheet]) for sheet in sheets]
    order = rank_keys([(totals[seat], s.tally[seat]) for seat in range(s.seats)])
    return [Score(seat, order[seat], totals[seat], sheets[seat]) for seat in range(s.seats)]


def list_score_lines(s: Evangelists, seat: Seat) -> list[ScoreSheetLine]:
    """Return the lines of one player's score sheet."""
    sheet = [ScoreSheetLine("tally", s.tally[seat])]  # AE-11.1
    for track in range(TRACKS):
        sheet.append(ScoreSheetLine(TRACK_IDS[track], count_track_points(s, seat, track)))
    sheet.append(ScoreSheetLine("theme", count_theme_points(s, seat)))
    sheet.append(ScoreSheetLine("bonus", count_bonus_points(s, seat)))
    sheet.append(ScoreSheetLine("ties", -count_shared_spaces(s, seat)))
    return sheet


def count_points_behind_leader(c: Components, distance: int) -> int:
    """AE-11.2, AE-R26  Return 15 for the leader, one level lower for each space behind, and 0 beyond the levels."""
    return c.levels[distance] if distance < len(c.levels) else c.points_beyond


def count_track_points(s: Evangelists, seat: Seat, track: int) -> int:
    """AE-11.2  Return the points on one track. Only players with a cube on it score (AE-R27)."""
    level = s.levels[seat * TRACKS + track]
    if level == 0:
        return 0
    foremost = level
    for other in range(s.seats):
        foremost = max(foremost, s.levels[other * TRACKS + track])
    return count_points_behind_leader(s.c, foremost - level)


def count_matches(s: Evangelists, seat: Seat) -> int:
    """Return the number of cards in the gospel that match the player's theme."""
    theme = s.theme[seat]
    count = 0
    for card in s.slots[seat]:
        if card >= 0:
            count += (s.c.themes[card] >> theme) & 1
    return count


def count_theme_points(s: Evangelists, seat: Seat) -> int:
    """AE-11.3, AE-R28  Return the points by distance to the highest number of matches; 0 if no player has any."""
    own = count_matches(s, seat)
    most = 0
    for other in range(s.seats):
        most = max(most, count_matches(s, other))
    if most == 0 or (own == 0 and s.theme_needs_match):
        return 0
    return count_points_behind_leader(s.c, most - own)


def count_bonus_points(s: Evangelists, seat: Seat) -> int:
    """AE-11.4, AE-R29  Return the bonus if the gospel has a card and at least half of its cards match the theme."""
    cards = len(s.slots[seat]) - s.count_empty_slots(seat)
    return s.c.theme_bonus if cards and 2 * count_matches(s, seat) >= cards else 0


def count_shared_spaces(s: Evangelists, seat: Seat) -> int:
    """AE-11.5, AE-R30  Return the number of other players' cubes on the same spaces, over the four tracks."""
    shared = 0
    for track in range(TRACKS):
        level = s.levels[seat * TRACKS + track]
        if level:
            for other in range(s.seats):
                if other != seat and s.levels[other * TRACKS + track] == level:
                    shared += 1
    return shared
