"""Output of the commands about games and matches, as text and as JSON."""

from triclinium.boardkit.text_table import format_game_table
from triclinium.cli.terminal import format_score_sheet
from triclinium.engine.commitment import SealCheck
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.core.text import Message, Reader
from triclinium.engine.credits import build_credits_messages
from triclinium.engine.game import Game
from triclinium.engine.match import Match


def game_json(game: Game) -> dict[str, object]:
    """Return a game and its variants as JSON data."""
    return {
        **game.to_json(),
        "options": game.notation.size,
    }


def format_variants(game: Game, language: str) -> str:
    """Return the variants of a game in words, with their notation on the command line."""
    reader = game.words.reader(language)
    lines = [reader.format_arg(game.name), *(reader.read(message) for message in build_credits_messages(game))]
    for group, several in game.variants_by_group():
        lines += ["", reader.format_arg(group)]
        for variant in several:
            lines.append(f"  {reader.format_arg(variant.label)} ({variant.ruling})")
            if variant.limits is not None:
                low, high = variant.limits
                lines.append(f"    {variant.name}={variant.default}  ({low}–{high})")
                continue
            for value in variant.values:
                lines.append(
                    f"    {variant.name}={variant.format_value(value)}  {reader.format_arg(variant.name_of(value))}"
                )
    return "\n".join(lines)


def build_replay_json(match: Match, seat: Seat) -> dict[str, object]:
    """Return a replayed match as JSON data, as a seat or a spectator sees it."""
    s = match.state
    return {
        "record": match.record.to_json(),
        "moves": len(match.record.options),
        "digest": f"{s.digest():016x}",
        "view": match.game.view_json(s, None if seat == NOBODY else seat),
        "scores" if match.game.has_points else "standing": [
            score.to_json() for score in match.game.visible_scores(s, seat)
        ],
    }


def format_replay(match: Match, seat: Seat) -> str:
    """Return the log, the table and the scores as text, as a seat or a spectator sees them."""
    words = match.game.words
    reader = words.reader()
    s = match.state
    log = [line for news in match.events for line in words.format_log(news, seat, reader)]
    state = "over" if s.over else f"seat {s.who} decides"
    head = f"{match.game.id}, {match.record.seats} seats, {len(match.record.options)} moves: {state}"
    table = format_game_table(match.game, match.game.view(s, None if seat == NOBODY else seat), reader)
    names = [f"seat {place}" for place in range(s.seats)]
    sheet = format_score_sheet(match.game, match.game.visible_scores(s, seat), names, reader, Reader())
    return "\n\n".join([head, "\n".join(log), table, sheet])


def build_checks_json(checks: list[SealCheck]) -> dict[str, object]:
    """Return the checks of a record as JSON data."""
    steps = [{"step": Reader().read(check.what), "holds": check.holds, "detail": check.detail} for check in checks]
    return {"holds": all(check.holds for check in checks), "steps": steps}


def format_checks(checks: list[SealCheck], conclusion: Message) -> str:
    """Return the checks of a record as text, with their conclusion."""
    reader = Reader()
    lines: list[str] = []
    for n, check in enumerate(checks, start=1):
        lines.append(f"{n}. {'yes' if check.holds else 'NO'}: {reader.read(check.what)}")
        lines += [f"   {check.detail}"] if check.detail else []
    return "\n".join([*lines, reader.read(conclusion)])


def format_seat_range(seats: tuple[int, ...]) -> str:
    """Return a range of seats such as ``2-5``."""
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]}-{seats[-1]}"
