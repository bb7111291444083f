"""Definition of the command-line arguments."""

import argparse
from collections.abc import Sequence
from importlib.metadata import version
from typing import NoReturn, TypeAlias

from triclinium.bots import LEVELS, list_bots
from triclinium.cli.admin_parser import add_admin_commands
from triclinium.cli.streams import WRONG_INPUT, print_error, print_text
from triclinium.cli.study_parser import add_study_commands
from triclinium.i18n.catalog import list_languages


class Parser(argparse.ArgumentParser):
    """An argument parser that reports an error in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise SystemExit(print_error(f"{message}; see {self.prog} --help", WRONG_INPUT))


class VersionAction(argparse.Action):
    """The action of ``--version``. It looks the version up only when needed, because that is slow."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print_text(f"triclinium {version('triclinium')}")
        parser.exit()


WEIGHTS, VALUE_MODEL, RANKING_NETWORK = TARGETS = ("weights", "value-model", "ranking-network")  # targets of `learn`
DATABASE_HELP = "sqlite:///FILE (default: in your data folder) or postgresql://HOST/NAME"
Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


def build_parser() -> Parser:
    """Return the parser of the command line. Its result has the name of the command in ``command``."""
    parser = Parser(prog="triclinium", description="One table for board games of the ancient world.")
    parser.add_argument("--version", action=VersionAction, help="print the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND", dest="command", required=True, parser_class=Parser)
    _add_games(commands)
    _add_bots(commands)
    _add_play(commands)
    _add_numbers(commands)
    _add_simulate(commands)
    _add_arena(commands)
    _add_benchmark(commands)
    _add_learn(commands)
    _add_study(commands)
    _add_lab(commands)
    _add_rule(commands)
    _add_replay(commands)
    _add_review(commands)
    _add_verify(commands)
    _add_tables(commands)
    _add_ratings(commands)
    _add_speed(commands)
    _add_serve(commands)
    _add_admin(commands)
    _add_new_game(commands)
    return parser


def _add_games(commands: Commands) -> None:
    parser = commands.add_parser("games", help="list the games, or the variants of one game")
    parser.add_argument("game", nargs="?", help="game whose variants are listed")
    parser.add_argument(
        "--language", choices=list_languages(), default="en", help="language: %(choices)s (default: %(default)s)"
    )
    _add_json_option(parser)


def _add_bots(commands: Commands) -> None:
    parser = commands.add_parser("bots", help="list the bots and their trained networks")
    _add_network_option(parser)
    _add_json_option(parser)


def _add_play(commands: Commands) -> None:
    parser = commands.add_parser("play", help="play against bots in the terminal")
    _add_match_options(parser)
    parser.add_argument(
        "--language", choices=list_languages(), default="en", help="language: %(choices)s (default: %(default)s)"
    )
    parser.set_defaults(bots=LEVELS[0])


def _add_numbers(commands: Commands) -> None:
    parser = commands.add_parser("numbers", help="list the numbers of a game and check changes of them")
    parser.add_argument("game", metavar="GAME", help="id of a game (see `triclinium games`)")
    parser.add_argument("--set", metavar="PATH=VALUE", nargs="+", action="extend", default=[], help="change to check")
    parser.add_argument("--components", metavar="FILE", help="edited components file")
    parser.add_argument(
        "--language", choices=list_languages(), default="en", help="language: %(choices)s (default: %(default)s)"
    )
    _add_json_option(parser)


def _add_simulate(commands: Commands) -> None:
    parser = commands.add_parser("simulate", help="play many matches between bots and print statistics")
    _add_match_options(parser)
    parser.add_argument("--matches", metavar="K", required=True, help="number of matches")
    parser.add_argument(
        "--workers", metavar="W", default="1", help="number of processes; it does not affect the result (default: 1)"
    )
    _add_json_option(parser)
    parser.set_defaults(bots="random")


def _add_arena(commands: Commands) -> None:
    parser = commands.add_parser("arena", help="play balanced matches between bots and rate them")
    parser.add_argument("game", metavar="GAME", help="id of a game (see `triclinium games`)")
    budgets = "optionally with a budget, as in strong@300ms or strong@500x"
    parser.add_argument("--bots", metavar="A,B,...", required=True, help=f"{', '.join(list_bots())}; {budgets}")
    parser.add_argument("--matches", metavar="N", required=True, help="number of matches")
    parser.add_argument("--seats", metavar="K", help="number of seats (default: the smallest allowed)")
    parser.add_argument("--workers", metavar="W", default="1", help="number of processes (default: 1)")
    parser.add_argument("--seed", metavar="S", help="seed; the same seed deals the same matches (default: random)")
    parser.add_argument(
        "--out", metavar="DIR", help="folder for records, arena.json and arena.svg (default: arena-GAME-SEED)"
    )
    parser.add_argument("--components", metavar="FILE", help="edited components file")
    parser.add_argument(
        "--variant", metavar="NAME=VALUE", nargs="+", action="extend", default=[], help="value of a variant"
    )
    _add_network_option(parser)
    _add_json_option(parser)


def _add_benchmark(commands: Commands) -> None:
    parser = commands.add_parser("benchmark", help="measure a bot on committed deals, or verify such results")
    parser.add_argument("bot", metavar="BOT", nargs="?", default="", help=f"{', '.join(list_bots())}, or your own bot")
    parser.add_argument("--games", metavar="GAME", nargs="+", default=[], help="games to play (default: all)")
    parser.add_argument("--rivals", metavar="A,B,...", default="", help="rivals to meet (default: the whole ladder)")
    parser.add_argument("--more", action="store_true", help="also meet master and OpenSpiel's search")
    parser.add_argument("--matches", metavar="N", help="matches for each game and rival (default: 20; --verify: 10)")
    parser.add_argument("--budget", metavar="B", default="", help="budget of the bot: 300ms, 2s or 500x")
    parser.add_argument("--workers", metavar="W", default="1", help="number of processes (default: 1)")
    parser.add_argument(
        "--out",
        metavar="FILE",
        default="",
        help="results file; an interrupted run continues (default: benchmark-BOT.jsonl)",
    )
    parser.add_argument("--verify", metavar="FILE", default="", help="results file to replay and to run again in part")
    parser.add_argument(
        "--key", metavar="HEX", default="", help="key of --verify that draws fresh deals (default: random)"
    )
    parser.add_argument(
        "--repeats", metavar="N", default="10", help="matches of the file that --verify plays again (default: 10)"
    )
    _add_json_option(parser)


def _add_learn(commands: Commands) -> None:
    """Add `learn`. Options of single targets have no default here, so the command can reject them for other targets."""
    parser = commands.add_parser("learn", help="learn weights, a value model or a ranking network from self-play")
    parser.add_argument("game", metavar="GAME", help="id of a game (see `triclinium games`)")
    parser.add_argument(
        "--target", choices=TARGETS, default=TARGETS[-1], help="what to learn: %(choices)s (default: %(default)s)"
    )
    parser.add_argument("--components", metavar="FILE", help="edited components file")
    parser.add_argument("--seed", metavar="S", help="seed; the same seed plays the same matches (default: random)")
    parser.add_argument("--out", metavar="PATH", help="weights.toml to write, or folder for a ranking network")
    parser.add_argument("--seats", metavar="N,...", help="number of seats; a ranking network accepts several")
    parser.add_argument("--trials", metavar="N", help="matches of the acceptance test (default: 200; network: 300)")
    _add_json_option(parser)
    model = parser.add_argument_group("weights and value-model")
    model.add_argument("--bots", metavar="NAME", help="bot that plays against itself (default: steady)")
    model.add_argument("--lessons", metavar="N", help="training matches for the value model (default: 400)")
    model.add_argument(
        "--points", action="store_true", default=None, help="train the value model on final points instead of wins"
    )
    model.add_argument(
        "--keep-ratios",
        action="store_true",
        default=None,
        help="value model: keep the ratios of the weights, and fit how much they count early and late",
    )
    weights = parser.add_argument_group("weights")
    weights.add_argument("--seconds", metavar="T", help="search time in seconds (default: 300)")
    weights.add_argument("--proposals", metavar="P", help="candidates in each generation (default: 48)")
    weights.add_argument("--deals", metavar="D", help="deals that each candidate plays from every seat (default: 1)")
    network = parser.add_argument_group("ranking-network")
    network.add_argument("--matches", metavar="N", help="self-play matches (default: 300)")
    network.add_argument("--minutes", metavar="M", help="time limit; no match starts after it")
    network.add_argument("--cores", metavar="K", help="number of processes (default: 1)")
    network.add_argument("--iterations", metavar="N", help="search iterations for each decision (default: 100)")
    network.add_argument("--fit-seed", metavar="S", help="seed of the first fit (default: the seed of the matches)")
    network.add_argument("--fits", metavar="N", help="number of networks to fit; the strongest is kept (default: 1)")
    network.add_argument(
        "--gate", metavar="BUDGET", help="budget of master in the acceptance test, or steady (default: 150ms)"
    )


def _add_study(commands: Commands) -> None:
    parser = commands.add_parser("study", help="compare editions of a game with thousands of matches")
    add_study_commands(parser.add_subparsers(metavar="WHAT", dest="study", required=True, parser_class=Parser))


def _add_lab(commands: Commands) -> None:
    parser = commands.add_parser("lab", help="measure the quality of hints: `lab calibration`")
    measures = parser.add_subparsers(metavar="MEASURE", dest="measure", required=True, parser_class=Parser)
    calibration = measures.add_parser("calibration", help="compare the win probabilities of hints with results")
    calibration.add_argument("game", metavar="GAME", help="id of a game (see `triclinium games`)")
    calibration.add_argument("--matches", metavar="N", default="100", help="number of matches (default: 100)")
    calibration.add_argument("--seats", metavar="A,B,...", help="numbers of seats (default: all allowed)")
    calibration.add_argument(
        "--budget", metavar="B", default="100x", help="budget of a hint: 300ms, 2s or 500x (default: 100x)"
    )
    calibration.add_argument("--workers", metavar="W", default="1", help="number of processes (default: 1)")
    calibration.add_argument("--seed", metavar="S", help="seed; the same seed deals the same matches (default: random)")
    calibration.add_argument("--fit", action="store_true", help="fit a calibration to the results")
    calibration.add_argument("--out", metavar="FILE", help="calibration.toml to write, with --fit")
    _add_json_option(calibration)
    calibration.set_defaults(command="lab calibration")


def _add_rule(commands: Commands) -> None:
    parser = commands.add_parser("rule", help="show a rule at work in a position of a real match")
    parser.add_argument("number", metavar="NUMBER", help="number of the rule, for example AE-6.3")
    parser.add_argument("--position", metavar="N", default="1", help="number of the position (default: 1)")
    parser.add_argument(
        "--play", metavar="OPTION", nargs="?", const="", help="try an option (default: the one that shows the rule)"
    )
    parser.add_argument(
        "--language", choices=list_languages(), default="en", help="language: %(choices)s (default: %(default)s)"
    )
    _add_json_option(parser)


def _add_replay(commands: Commands) -> None:
    parser = commands.add_parser("replay", help="replay a record")
    parser.add_argument("record", metavar="RECORD", help="record file, or - for standard input")
    parser.add_argument("--until", metavar="N", help="number of moves to replay (default: all)")
    parser.add_argument("--seat", metavar="S", help="seat whose view is shown (default: a spectator)")
    parser.add_argument("--components", metavar="FILE", help="edited components file")
    _add_json_option(parser)


def _add_review(commands: Commands) -> None:
    parser = commands.add_parser("review", help="review a finished match: costliest mistakes and luck")
    parser.add_argument("record", metavar="RECORD", help="record file, or - for standard input")
    parser.add_argument("--seat", metavar="S", help="seat to review (default: all)")
    parser.add_argument(
        "--budget",
        metavar="BUDGET",
        default="500ms",
        help="budget for one decision: 300ms, 2s or 500x (default: 500ms)",
    )
    parser.add_argument(
        "--language", choices=list_languages(), default="en", help="language: %(choices)s (default: %(default)s)"
    )
    parser.add_argument("--components", metavar="FILE", help="edited components file")
    _add_json_option(parser)


def _add_verify(commands: Commands) -> None:
    parser = commands.add_parser("verify", help="verify a record or a match file: the shuffle and every move")
    parser.add_argument("record", metavar="RECORD", help="record, match file, or - for standard input")
    parser.add_argument(
        "--seal",
        metavar="SEAL",
        default="",
        help="seal that you noted before the end, or at least its first 8 digits",
    )
    _add_json_option(parser)


def _add_tables(commands: Commands) -> None:
    parser = commands.add_parser("tables", help="count the tables of a server by game and version of the rules")
    parser.add_argument("--versions", action="store_true", required=True, help="count by version of the rules")
    parser.add_argument("--database", metavar="URL", default="", help=DATABASE_HELP)
    _add_json_option(parser)


def _add_ratings(commands: Commands) -> None:
    parser = commands.add_parser("ratings", help="manage ratings: `ratings rebuild`, `ratings anchor`")
    what = parser.add_subparsers(metavar="WHAT", dest="what", required=True, parser_class=Parser)
    rebuild = what.add_parser("rebuild", help="compute all ratings of a server again from its results")
    rebuild.add_argument("--database", metavar="URL", default="", help=DATABASE_HELP)
    _add_json_option(rebuild)
    rebuild.set_defaults(command="ratings rebuild")
    anchor = what.add_parser("anchor", help="measure the ratings of the bots")
    anchor.add_argument("games", metavar="GAME", nargs="*", help="ids of games (default: all)")
    anchor.add_argument("--bots", metavar="A,B,...", default=",".join(LEVELS), help="bots (default: %(default)s)")
    anchor.add_argument("--matches", metavar="N", default="120", help="number of matches (default: 120)")
    anchor.add_argument("--seats", metavar="K", help="number of seats (default: the smallest allowed)")
    anchor.add_argument("--workers", metavar="W", default="1", help="number of processes (default: 1)")
    anchor.add_argument("--seed", metavar="S", help="seed; the same seed deals the same matches (default: random)")
    anchor.add_argument("--out", metavar="FILE", help="file to update; ratings of other games are kept")
    _add_json_option(anchor)
    anchor.set_defaults(command="ratings anchor")


def _add_speed(commands: Commands) -> None:
    parser = commands.add_parser("speed", help="measure the speed of every game")
    parser.add_argument("--games", metavar="GAME", nargs="+", default=[], help="games to measure (default: all)")
    _add_json_option(parser)


def _add_admin(commands: Commands) -> None:
    parser = commands.add_parser("admin", help="administer a server: backups, tables, people, keys")
    add_admin_commands(parser.add_subparsers(metavar="WHAT", dest="what", required=True, parser_class=Parser))


def _add_serve(commands: Commands) -> None:
    parser = commands.add_parser("serve", help="start the server: tables to play at in the browser")
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on, or lan for all (default: this machine only)"
    )
    parser.add_argument("--port", default="8090", help="port (default: 8090)")
    parser.add_argument(
        "--database",
        metavar="URL",
        default="",
        help=DATABASE_HELP,
    )
    parser.add_argument(
        "--processes",
        metavar="N",
        default="1",
        help="number of server processes on one port, with PostgreSQL (default: 1)",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    parser.add_argument(
        "--no-practice", action="store_true", help="do not review finished matches in the background for exercises"
    )
    parser.add_argument("--no-printing", action="store_true", help="do not let people print games")
    parser.add_argument(
        "--plain-boards", action="store_true", help="draw every game with the board kit instead of its own templates"
    )
    parser.add_argument("--no-limits", action="store_true", help="disable rate limits, for benchmarks")
    parser.add_argument("--https", action="store_true", help="a reverse proxy in front of the server handles HTTPS")
    parser.add_argument(
        "--url", default="", help="public URL of the server, such as https://games.example.org (or TRICLINIUM_URL)"
    )
    parser.add_argument(
        "--proxy",
        metavar="ADDRESS",
        default="",
        help="trusted reverse proxy that reports client addresses (default with --https: this machine)",
    )
    parser.add_argument(
        "--workshop",
        choices=("owner", "members", "off"),
        default="",
        help="who may make and study editions (default: members if only this machine can reach the server, else owner)",
    )
    parser.add_argument("--services", choices=("any",), default="", help="any: allow notifications through any service")
    parser.add_argument("--local-hooks", action="store_true", help="allow notifications to addresses in this network")
    parser.add_argument(
        "--password-file", metavar="FILE", default="", help="file whose first line is the password of the site"
    )
    parser.add_argument(
        "--backups",
        metavar="FOLDER",
        default="",
        help="folder for backups of the owner's page (default: next to the database)",
    )
    parser.add_argument("--workers", metavar="N", default="1", help="number of processes for bots (default: 1)")
    _add_serve_limits(parser)
    parser.add_argument(
        "--compiled",
        metavar="DIR",
        default="",
        help="folder of a compiled build for bots, used if it matches these sources",
    )
    parser.add_argument("--log", choices=("text", "json"), default="", help="log every request in this format")
    parser.add_argument("--metrics", metavar="HOST:PORT", default="", help="address for Prometheus metrics")
    parser.add_argument(
        "--bot-pause", metavar="SECONDS", default="0.5", help="pause before each bot move (default: %(default)s)"
    )
    parser.add_argument(
        "--hint-budget",
        metavar="BUDGET",
        default="1s",
        help="budget of a hint: 300ms, 2s or 500x (default: %(default)s)",
    )


def _add_new_game(commands: Commands) -> None:
    parser = commands.add_parser("new-game", help="write the folder of a new game: a small game to change, with tests")
    parser.add_argument("name", metavar="NAME", help="id of the game, for example nim")
    parser.add_argument("--output", metavar="DIR", help="folder to write (default: NAME)")
    _add_json_option(parser)


def _add_serve_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--keep-finished",
        metavar="DAYS",
        default="0",
        help="delete tables this long after their match (default: 0, never)",
    )
    parser.add_argument(
        "--keep-waiting",
        metavar="DAYS",
        default="30",
        help="delete tables that have not started after this time (default: 30; 0: never)",
    )
    for name, most, text in (
        ("--mails-per-sender", 5, "confirmation mails per hour for one network or person"),
        ("--mails-per-hour", 60, "confirmation mails per hour in total"),
        ("--mails-per-day", 300, "confirmation mails per day in total"),
    ):
        parser.add_argument(name, metavar="N", default=str(most), help=f"{text} (default: {most})")
    parser.add_argument(
        "--upload-per-day",
        metavar="MB",
        default="1",
        help="upload limit for one person; twice as much for a network (default: 1; 0: no limit)",
    )


def _add_match_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="id of a game (see `triclinium games`)")
    parser.add_argument("--seats", metavar="N", help="number of seats (default: 3 if allowed)")
    parser.add_argument(
        "--bots",
        metavar="NAMES",
        help=f"bots, one for all seats or one for each: {', '.join(list_bots())} (default: %(default)s)",
    )
    parser.add_argument("--seed", metavar="S", help="seed; the same seed deals the same match (default: random)")
    parser.add_argument(
        "--variant", metavar="NAME=VALUE", nargs="+", action="extend", default=[], help="value of a variant"
    )
    parser.add_argument("--components", metavar="FILE", help="edited components file")
    _add_network_option(parser)


def _add_network_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--net", metavar="WHAT", help="ranking networks of bots: off, FILE, trust=0.5 or FILE,trust=0.5"
    )


def _add_json_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
