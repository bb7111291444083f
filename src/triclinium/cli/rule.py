"""The command `triclinium rule`: a position of a real match in which a rule allows or forbids an option."""

import argparse
import shutil
import sys

from triclinium.boardkit.text_table import format_game_table
from triclinium.cli import arguments
from triclinium.cli.ansi import Ansi
from triclinium.cli.catalog import make_cli_reader
from triclinium.cli.question import TerminalQuestion
from triclinium.cli.streams import print_json, print_text
from triclinium.engine import registry
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.text import Message, Reader, msgid
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.rule_positions import RulePosition, load_rule_positions

PREFIX_SEPARATOR = "-"


def rule_command(args: argparse.Namespace) -> int:
    """Print a position that shows a rule, and what happens if the seat tries an option there."""
    game = find_game_of_rule(args.number)
    position = find_position(game, args.number.upper(), arguments.parse_integer("--position", args.position))
    match = Match.resume(position.record, game)
    if args.json:
        print_json(
            {
                "rule": position.rule,
                "kind": position.kind,
                "option": position.option,
                "record": position.record.to_json(),
                "view": game.view_json(match.state, match.state.who),
            }
        )
        return 0
    tried = position.option if args.play == "" else args.play
    print_text(format_position(match, position, tried, args.language))
    return 0


def find_game_of_rule(number: str) -> Game:
    """Return the game to which a rule belongs by the letters before its number. Raise BadSetup if there is none."""
    games = {game.prefix: game for game in map(registry.load_game, registry.list_games())}
    prefix = number.upper().partition(PREFIX_SEPARATOR)[0]
    if prefix not in games:
        raise BadSetup(f"no game has rules that begin with {prefix!r}; the prefixes are {', '.join(games)}")
    return games[prefix]


def find_position(game: Game, number: str, n: int) -> RulePosition:
    """Return position n of a rule, counted from 1. Raise BadSetup if there is none."""
    positions = load_rule_positions(game).by_rule.get(number, ())
    if not positions:
        raise BadSetup(f"there is no position for {number}; docs/rulings.md says why, if the rule exists")
    if not 1 <= n <= len(positions):
        raise BadSetup(f"--position goes from 1 to {len(positions)} for {number}, not {n}")
    return positions[n - 1]


def format_position(match: Match, position: RulePosition, tried: str | None, language: str) -> str:
    """Return the table, the question with its options, and the option that shows the rule or that is tried."""
    game, s, cli_reader = match.game, match.state, make_cli_reader(language)
    names = tuple(f"{cli_reader.translate('seat')} {seat}" for seat in range(s.seats))
    reader = game.words.reader(language, names)
    ansi = Ansi(sys.stdout)
    shown = game.read(position.option)
    label = f"{position.option}: {reader.read(game.words.label(s, shown))}"
    sentence = (
        msgid("{0} forbids this: {1}") if position.is_forbidden else msgid("{0} takes effect with this option: {1}")
    )
    parts = [
        format_game_table(game, game.view(s, s.who), reader),
        names[s.who],
        *TerminalQuestion(game, s, reader, shutil.get_terminal_size().columns).format_lines(ansi),
        ansi.bold(cli_reader.read(Message(sentence, position.rule, label))),
    ]
    if tried is not None:
        parts += format_trial(match, tried, reader)
    return "\n".join(parts)


def format_trial(match: Match, text: str, reader: Reader) -> list[str]:
    """Return the refusal of an option, or the lines of the log after it."""
    game, s = match.game, match.state
    seat, o = s.who, game.read(text)
    rule = s.refusal(o)
    if rule is not None:
        parameters = s.asked.rule_parameters(s, o, rule) if o in s.candidates() else ()
        return [f"{game.words.format_rule(rule, parameters, reader)} ({rule.number})"]
    return [line for line in game.words.format_log(match.play(text), seat, reader) if line]
