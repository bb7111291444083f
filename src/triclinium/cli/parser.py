"""The command line: which words there are, and what they are for."""

import argparse
from collections.abc import Sequence
from importlib.metadata import version
from typing import NoReturn, TypeAlias

from triclinium.bots import list_bots
from triclinium.cli.admin_parser import add_admin_commands
from triclinium.cli.streams import WRONG_INPUT, print_error, print_text
from triclinium.cli.study_parser import add_study_commands
from triclinium.i18n.catalog import list_languages


class Parser(argparse.ArgumentParser):
    """Complains in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise SystemExit(print_error(f"{message}; see {self.prog} --help", WRONG_INPUT))


class VersionAction(argparse.Action):
    """Prints the version; it is looked up only when somebody asks, since that takes as long as all the words."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print_text(f"triclinium {version('triclinium')}")
        parser.exit()


WEIGHTS, VALUE_MODEL, RANKING_NETWORK = TARGETS = ("weights", "value-model", "ranking-network")  # of `learn`
DATABASE_HELP = "sqlite:///FILE (default: in your data folder) or postgresql://HOST/NAME"
Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


def build_parser() -> Parser:
    """The command line; ``command`` of what it reads is the name of the command."""
    parser = Parser(prog="triclinium", description="One table for board games of the ancient world.")
    parser.add_argument("--version", action=VersionAction, help="print the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND", dest="command", required=True, parser_class=Parser)
    _add_games(commands)
    _add_bots(commands)
    _add_play(commands)
    _add_numbers(commands)
    _add_simulate(commands)
    _add_arena(commands)
    _add_learn(commands)
    _add_study(commands)
    _add_lab(commands)
    _add_replay(commands)
    _add_review(commands)
    _add_verify(commands)
    _add_tables(commands)
    _add_ratings(commands)
    _add_bench(commands)
    _add_serve(commands)
    _add_admin(commands)
    return parser


def _add_games(commands: Commands) -> None:
    parser = commands.add_parser("games", help="list the games; with a GAME, its variants in words")
    parser.add_argument("game", nargs="?", help="the game whose variants are told")
    parser.add_argument("--language", choices=list_languages(), default="en", help="the language: %(choices)s")
    _add_json_option(parser)


def _add_bots(commands: Commands) -> None:
    parser = commands.add_parser("bots", help="list the bots, and in which games they have learnt what")
    _add_network_option(parser)
    _add_json_option(parser)


def _add_play(commands: Commands) -> None:
    parser = commands.add_parser("play", help="play against bots in the terminal")
    _add_match_options(parser)
    parser.add_argument("--language", choices=list_languages(), default="en", help="the language: %(choices)s")
    parser.set_defaults(bots="greedy")


def _add_numbers(commands: Commands) -> None:
    parser = commands.add_parser("numbers", help="list the numbers of a game, and say what a change would break")
    parser.add_argument("game", metavar="GAME", help="its id; `triclinium games` lists them")
    parser.add_argument(
        "--set", metavar="PATH=VALUE", nargs="+", action="extend", default=[], help="a change that is looked at"
    )
    parser.add_argument("--components", metavar="FILE", help="an edited components file")
    parser.add_argument("--language", choices=list_languages(), default="en", help="the language: %(choices)s")
    _add_json_option(parser)


def _add_simulate(commands: Commands) -> None:
    parser = commands.add_parser("simulate", help="play many matches between bots and sum them up")
    _add_match_options(parser)
    parser.add_argument("--matches", metavar="K", required=True, help="how many")
    parser.add_argument("--workers", metavar="W", default="1", help="processes; the result is the same for any W")
    _add_json_option(parser)
    parser.set_defaults(bots="random")


def _add_arena(commands: Commands) -> None:
    parser = commands.add_parser("arena", help="let bots meet in balanced seatings and rate them")
    parser.add_argument("game", metavar="GAME", help="its id; `triclinium games` lists them")
    budgets = "a budget may follow: strong@300ms, strong@500x"
    parser.add_argument("--bots", metavar="A,B,...", required=True, help=f"{', '.join(list_bots())}; {budgets}")
    parser.add_argument("--matches", metavar="N", required=True, help="how many")
    parser.add_argument("--seats", metavar="K", help="how many seats; without it, the fewest")
    parser.add_argument("--workers", metavar="W", default="1", help="processes")
    parser.add_argument("--seed", metavar="S", help="the same seed deals the same matches")
    parser.add_argument("--out", metavar="DIR", help="where records, arena.json and arena.svg go")
    parser.add_argument("--components", metavar="FILE", help="an edited components file")
    parser.add_argument(
        "--variant", metavar="NAME=VALUE", nargs="+", action="extend", default=[], help="a choice of the set-up"
    )
    _add_network_option(parser)
    _add_json_option(parser)


def _add_learn(commands: Commands) -> None:
    """Options of single targets have no default here: the command refuses those that its target does not have."""
    parser = commands.add_parser("learn", help="learn weights, a value model or a ranking network from self-play")
    parser.add_argument("game", metavar="GAME", help="its id; `triclinium games` lists them")
    parser.add_argument(
        "--target", choices=TARGETS, default=TARGETS[-1], help="what to learn: %(choices)s (default: %(default)s)"
    )
    parser.add_argument("--components", metavar="FILE", help="an edited components file")
    parser.add_argument("--seed", metavar="S", help="the same seed plays the same matches")
    parser.add_argument("--out", metavar="PATH", help="weights.toml to write; of a ranking network, a folder to fill")
    parser.add_argument("--seats", metavar="N,...", help="number of seats; of a ranking network, several in turn")
    parser.add_argument("--trials", metavar="N", help="closing matches of new against old (default: 200; network: 300)")
    _add_json_option(parser)
    model = parser.add_argument_group("weights and value-model")
    model.add_argument("--bots", metavar="NAME", help="bot that plays against itself (default: steady)")
    model.add_argument("--lessons", metavar="N", help="matches that the value model learns from (default: 400)")
    model.add_argument(
        "--points", action="store_true", default=None, help="the value model learns from final points, not from wins"
    )
    weights = parser.add_argument_group("weights")
    weights.add_argument("--seconds", metavar="T", help="how long to search (default: 300)")
    weights.add_argument("--proposals", metavar="P", help="weights tried in a generation (default: 48)")
    weights.add_argument("--deals", metavar="D", help="deals that each proposal plays from every seat (default: 1)")
    network = parser.add_argument_group("ranking-network")
    network.add_argument("--matches", metavar="N", help="matches of search with itself (default: 300)")
    network.add_argument("--minutes", metavar="M", help="begin no further match after so long")
    network.add_argument("--cores", metavar="K", help="processes (default: 1)")
    network.add_argument("--iterations", metavar="N", help="iterations of a full search (default: 100)")
    network.add_argument("--fit-seed", metavar="S", help="seed of the first fit; without it, the seed of the matches")
    network.add_argument("--fits", metavar="N", help="networks to fit; the one that wins most is kept (default: 1)")
    network.add_argument(
        "--gate", metavar="BUDGET", help="budget of master in the trial (default: 150ms; steady: none)"
    )


def _add_study(commands: Commands) -> None:
    parser = commands.add_parser("study", help="answer a designer's question by thousands of matches")
    add_study_commands(parser.add_subparsers(metavar="WHAT", dest="study", required=True, parser_class=Parser))


def _add_lab(commands: Commands) -> None:
    parser = commands.add_parser("lab", help="measure what bots say: `lab calibration`")
    measures = parser.add_subparsers(metavar="MEASURE", dest="measure", required=True, parser_class=Parser)
    calibration = measures.add_parser("calibration", help="how often the chances that hints tell come true")
    calibration.add_argument("game", metavar="GAME", help="its id; `triclinium games` lists them")
    calibration.add_argument("--matches", metavar="N", default="100", help="how many")
    calibration.add_argument("--seats", metavar="A,B,...", help="numbers of seats, in turn; without it, all")
    calibration.add_argument("--budget", metavar="B", default="100x", help="of a hint: 300ms, 2s or 500x")
    calibration.add_argument("--workers", metavar="W", default="1", help="processes")
    calibration.add_argument("--seed", metavar="S", help="the same seed deals the same matches")
    calibration.add_argument("--fit", action="store_true", help="find the lines that make them come true")
    calibration.add_argument("--out", metavar="FILE", help="where a calibration.toml goes, with --fit")
    _add_json_option(calibration)
    calibration.set_defaults(command="lab calibration")


def _add_replay(commands: Commands) -> None:
    parser = commands.add_parser("replay", help="replay a record")
    parser.add_argument("record", metavar="RECORD", help="a file, or - for standard input")
    parser.add_argument("--until", metavar="N", help="stop after N moves")
    parser.add_argument("--seat", metavar="S", help="what this seat sees; without it, what a spectator sees")
    parser.add_argument("--components", metavar="FILE", help="an edited components file")
    _add_json_option(parser)


def _add_review(commands: Commands) -> None:
    parser = commands.add_parser("review", help="look back upon a finished match: dear decisions, and luck")
    parser.add_argument("record", metavar="RECORD", help="a file, or - for standard input")
    parser.add_argument("--seat", metavar="S", help="what this seat decided; without it, what everybody did")
    parser.add_argument("--budget", metavar="BUDGET", default="500ms", help="for one decision: 300ms, 2s or 500x")
    parser.add_argument("--language", choices=list_languages(), default="en", help="the language: %(choices)s")
    parser.add_argument("--components", metavar="FILE", help="an edited components file")
    _add_json_option(parser)


def _add_verify(commands: Commands) -> None:
    parser = commands.add_parser("verify", help="check the seal of a record: that nobody changed the shuffle")
    parser.add_argument("record", metavar="RECORD", help="a file, or - for standard input")
    parser.add_argument(
        "--seal",
        metavar="SEAL",
        default="",
        help="the seal that you noted before the end, or its first 8 digits or more",
    )
    _add_json_option(parser)


def _add_tables(commands: Commands) -> None:
    parser = commands.add_parser("tables", help="count the tables of a house by game and version of the rules")
    parser.add_argument("--versions", action="store_true", required=True, help="by version of the rules")
    parser.add_argument("--database", metavar="URL", default="", help=DATABASE_HELP)
    _add_json_option(parser)


def _add_ratings(commands: Commands) -> None:
    parser = commands.add_parser("ratings", help="people's ratings: `ratings rebuild`, `ratings anchor`")
    what = parser.add_subparsers(metavar="WHAT", dest="what", required=True, parser_class=Parser)
    rebuild = what.add_parser("rebuild", help="make all ratings of a house anew from its results")
    rebuild.add_argument("--database", metavar="URL", default="", help=DATABASE_HELP)
    _add_json_option(rebuild)
    rebuild.set_defaults(command="ratings rebuild")
    anchor = what.add_parser("anchor", help="measure where the bots stand on the same scale")
    anchor.add_argument("games", metavar="GAME", nargs="*", help="ids of `triclinium games`; without one, all")
    anchor.add_argument("--bots", metavar="A,B,...", default="novice,steady,strong,master", help="who meets")
    anchor.add_argument("--matches", metavar="N", default="120", help="how many")
    anchor.add_argument("--seats", metavar="K", help="how many seats; without it, the fewest")
    anchor.add_argument("--workers", metavar="W", default="1", help="processes")
    anchor.add_argument("--seed", metavar="S", help="the same seed deals the same matches")
    anchor.add_argument("--out", metavar="FILE", help="where they are written, beside those of other games")
    _add_json_option(anchor)
    anchor.set_defaults(command="ratings anchor")


def _add_bench(commands: Commands) -> None:
    parser = commands.add_parser("bench", help="measure the speed of every game")
    parser.add_argument("--games", metavar="GAME", nargs="+", default=[], help="only these")
    _add_json_option(parser)


def _add_admin(commands: Commands) -> None:
    parser = commands.add_parser("admin", help="look after a house: copies, tables, people, its key")
    add_admin_commands(parser.add_subparsers(metavar="WHAT", dest="what", required=True, parser_class=Parser))


def _add_serve(commands: Commands) -> None:
    parser = commands.add_parser("serve", help="open the house: tables to play at in the browser")
    parser.add_argument(
        "--host", default="127.0.0.1", help="the address to listen on; lan: all (default: this machine only)"
    )
    parser.add_argument("--port", default="8090", help="the port (default 8090)")
    parser.add_argument(
        "--database",
        metavar="URL",
        default="",
        help=DATABASE_HELP,
    )
    parser.add_argument(
        "--processes", metavar="N", default="1", help="servers behind one port, on a PostgreSQL (default 1)"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    parser.add_argument(
        "--plain-boards", action="store_true", help="draw every game by the board kit, without its own templates"
    )
    parser.add_argument("--no-limits", action="store_true", help="do not count requests: for benchmarks")
    parser.add_argument("--https", action="store_true", help="a proxy in front speaks HTTPS")
    parser.add_argument(
        "--url", default="", help="how others reach the house: https://games.example.org (or TRICLINIUM_URL)"
    )
    parser.add_argument(
        "--proxy",
        metavar="ADDRESS",
        default="",
        help="a proxy there is believed about who calls (with --https: here)",
    )
    parser.add_argument("--services", choices=("any",), default="", help="any: people may be told by any service")
    parser.add_argument("--local-hooks", action="store_true", help="messages may be sent into this network")
    parser.add_argument("--password-file", metavar="FILE", default="", help="its first line is asked at the door")
    parser.add_argument(
        "--backups",
        metavar="FOLDER",
        default="",
        help="folder for backups of the owner's page (default: next to the database)",
    )
    parser.add_argument("--workers", metavar="N", default="1", help="processes for the bots (default 1)")
    _add_serve_limits(parser)
    parser.add_argument(
        "--compiled",
        metavar="DIR",
        default="",
        help="bots run from the compiled build there, if it is of these sources",
    )
    parser.add_argument("--log", choices=("text", "json"), default="", help="log every request, in this form")
    parser.add_argument("--metrics", metavar="HOST:PORT", default="", help="tell Prometheus there what the house does")
    parser.add_argument(
        "--bot-pause", metavar="SECONDS", default="0.5", help="how long a bot's move waits to be followed"
    )
    parser.add_argument(
        "--hint-budget", metavar="BUDGET", default="1s", help="how long a hint is thought about: 300ms, 2s or 500x"
    )


def _add_serve_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--keep-finished", metavar="DAYS", default="0", help="delete tables that have been over for so long (0: never)"
    )
    parser.add_argument(
        "--keep-waiting",
        metavar="DAYS",
        default="30",
        help="delete tables that have not begun after so long (default 30; 0: never)",
    )
    for name, most, text in (
        ("--mails-per-sender", 5, "confirmation mails an hour for one network or person"),
        ("--mails-per-hour", 60, "confirmation mails an hour in all"),
        ("--mails-per-day", 300, "confirmation mails a day in all"),
    ):
        parser.add_argument(name, metavar="N", default=str(most), help=f"{text} (default {most})")
    parser.add_argument(
        "--upload-per-day",
        metavar="MB",
        default="1",
        help="records that one person may upload; one network twice as much (default 1; 0: any)",
    )


def _add_match_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="its id; `triclinium games` lists them")
    parser.add_argument("--seats", metavar="N", help="how many seats")
    parser.add_argument("--bots", metavar="NAMES", help=f"one for all or one a seat: {', '.join(list_bots())}")
    parser.add_argument("--seed", metavar="S", help="the same seed deals the same match")
    parser.add_argument(
        "--variant", metavar="NAME=VALUE", nargs="+", action="extend", default=[], help="a choice of the set-up"
    )
    parser.add_argument("--components", metavar="FILE", help="an edited components file")
    _add_network_option(parser)


def _add_network_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--net", metavar="WHAT", help="of what bots have learnt: off, FILE, trust=0.5, FILE,trust=0.5")


def _add_json_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
