"""What the commands tell about games and matches, as text and as JSON."""

from triclinium.boardkit.text_table import table_text
from triclinium.cli.terminal import score_sheet
from triclinium.engine.commitment import Check, verdict
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.core.text import Reader
from triclinium.engine.credits import credits_messages
from triclinium.engine.game import Game
from triclinium.engine.match import Match


def title_json(game: Game) -> dict[str, object]:
    """A game and its variants."""
    return {
        **game.to_json(),
        "options": game.notation.size,
    }


def variants_text(game: Game, language: str) -> str:
    """What may be chosen for a match of this game, in words, and how it is said on the command line."""
    reader = game.words.reader(language)
    lines = [reader.say(game.name), *(reader.read(message) for message in credits_messages(game))]
    for group, several in game.by_group():
        lines += ["", reader.say(group)]
        for variant in several:
            lines.append(f"  {reader.say(variant.label)} ({variant.ruling})")
            if variant.limits is not None:
                low, high = variant.limits
                lines.append(f"    {variant.name}={variant.default}  ({low}–{high})")
                continue
            for value in variant.values:
                lines.append(f"    {variant.name}={variant.said(value)}  {reader.say(variant.name_of(value))}")
    return "\n".join(lines)


def replay_json(match: Match, seat: Seat) -> dict[str, object]:
    """A replayed match as a seat, or a spectator, sees it."""
    s = match.state
    return {
        "record": match.record.to_json(),
        "moves": len(match.record.options),
        "digest": f"{s.digest():016x}",
        "view": match.game.view_json(s, None if seat == NOBODY else seat),
        "scores" if match.game.has_points else "standing": [
            score.to_json() for score in match.game.scores_for(s, seat)
        ],
    }


def replay_text(match: Match, seat: Seat) -> str:
    """The log, the table and the scores as a seat, or a spectator, may read them."""
    words = match.game.words
    reader = words.reader()
    s = match.state
    log = [line for news in match.events for line in words.log(news, seat, reader)]
    state = "over" if s.over else f"seat {s.who} decides"
    head = f"{match.game.id}, {match.record.seats} seats, {len(match.record.options)} moves: {state}"
    table = table_text(match.game, match.game.view(s, None if seat == NOBODY else seat), reader)
    names = [f"seat {place}" for place in range(s.seats)]
    sheet = score_sheet(match.game, match.game.scores_for(s, seat), names, reader, Reader())
    return "\n\n".join([head, "\n".join(log), table, sheet])


def seal_json(made: list[Check]) -> dict[str, object]:
    """The steps of checking a seal."""
    steps = [{"step": Reader().read(check.what), "holds": check.holds, "detail": check.detail} for check in made]
    return {"holds": all(check.holds for check in made), "steps": steps}


def seal_text(made: list[Check]) -> str:
    """The same for a person, and what it comes to."""
    reader = Reader()
    lines: list[str] = []
    for n, check in enumerate(made, start=1):
        lines.append(f"{n}. {'yes' if check.holds else 'NO'}: {reader.read(check.what)}")
        lines += [f"   {check.detail}"] if check.detail else []
    return "\n".join([*lines, reader.read(verdict(made))])


def span(seats: tuple[int, ...]) -> str:
    """``2-5``."""
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]}-{seats[-1]}"
