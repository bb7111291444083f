"""``triclinium admin``: each of its words, what it asks first and what it says afterwards."""

import argparse
import datetime
import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import BadSetup, TricliniumError
from triclinium.server.accounts import bans, export, owner
from triclinium.server.admin import backup, lists
from triclinium.server.admin.actions import person_of
from triclinium.server.admin.command_queue import give, plain, reached
from triclinium.server.crypto import hashed, new_token
from triclinium.server.settings import named_database
from triclinium.server.storage.file_guard import put_private

SPANS = {"m": 60.0, "h": 3600.0, "d": 86400.0, "w": 7 * 86400.0}
LONGEST = 10 * 365 * SPANS["d"]
MOST = 1000  # lines of a list
WEEK = SPANS["w"]


def admin_command(args: argparse.Namespace) -> int:
    """Do what was asked; wrong input is told in a sentence."""
    try:
        args.database = named_database(args.database)
        return WORDS[args.what](args)
    except TricliniumError as error:
        raise BadSetup(plain(error)) from None
    except SQLAlchemyError as error:
        raise BadSetup(f"the database cannot be used: {type(error).__name__}") from None


# -- copies -----------------------------------------------------------------------------------------------------------


def _backup(args: argparse.Namespace) -> int:
    size = backup.back_up(args.database, Path(args.file))
    return _say(f"{args.file} holds the whole house ({size / 1e6:.1f} MB): keep it as secret as the house itself")


def _verify(args: argparse.Namespace) -> int:
    kind = backup.verify(Path(args.file))
    return _say(f"{args.file} is a whole backup of a server in {kind}")


def _restore(args: argparse.Namespace) -> int:
    _ask(args, f"Put {args.file} in the place of whatever is in the database?" if args.overwrite else "")
    backup.restore(args.database, Path(args.file), args.overwrite)
    return _say(f"the house is as it was when {args.file} was made: open it")


# -- tables -----------------------------------------------------------------------------------------------------------


def _tables(args: argparse.Namespace) -> int:
    days = _days(args.older)
    with reached(args.database) as server:
        found = lists.list_tables(server, args.game, args.state, days, MOST)
    if args.json:
        return _say(json.dumps({"tables": [one.to_json() for one in found]}, ensure_ascii=False))
    rows = [["table", "game", "state", "moves", "players", "last move", "name"]]
    for one in found:
        rows.append([one.id, one.title, one.state, str(one.moves), str(one.players), _when(one.moved), one.name])
    return _say(columns(rows))


def _close(args: argparse.Namespace) -> int:
    _ask(args, f"Close {_several(args.tables)}? A running match there is abandoned.")
    give(args.database, "close", {"tables": args.tables})
    return _say(f"{_several(args.tables)} closed")


def _delete(args: argparse.Namespace) -> int:
    _ask(args, f"Delete {_several(args.tables)} for good, with moves and chat?")
    give(args.database, "delete", {"tables": args.tables})
    return _say(f"{_several(args.tables)} deleted; results and ratings stay")


def _sweep(args: argparse.Namespace) -> int:
    days = _days(args.older)
    if not days:
        raise BadSetup("say how old: --older 90")
    _ask(args, f"Delete every table that has been over for more than {days:.0f} days, with moves and chat?")
    told = give(args.database, "sweep", {"days": days})
    return _say(f"{told['tables']} tables deleted; results and ratings stay")


# -- people -----------------------------------------------------------------------------------------------------------


def _people(args: argparse.Namespace) -> int:
    with reached(args.database) as server:
        found = lists.list_people(server, args.name, MOST)
    if args.json:
        return _say(json.dumps({"people": [one.to_json() for one in found]}, ensure_ascii=False))
    rows = [["number", "name", "last seen", "devices", "seats", "restrained"]]
    for one in found:
        held = [f"{kind} until {_when(end)}" for kind, end in (("mute", one.muted), ("ban", one.banned)) if end]
        name = f"{one.name or '(erased)'}{' (program)' if one.program else ''}"
        rows.append([str(one.id), name, _when(one.seen), str(one.devices), str(one.seats), ", ".join(held)])
    return _say(columns(rows))


def _export(args: argparse.Namespace) -> int:
    to, number = Path(args.file), _number(args.person)
    if to.exists():
        raise BadSetup(f"{to} is there already: nothing is overwritten")
    with reached(args.database) as server:
        person = person_of(server, number)
        put_private(to, export.all_of(server, person))
    return _say(f"{args.file} holds all that the house knows of {person.name or 'somebody who was erased'}")


def _erase(args: argparse.Namespace) -> int:
    number = _number(args.person)
    with reached(args.database) as server:
        person = person_of(server, number)
    _ask(args, f"Erase {person.name} (number {person.id}) for good? Their seats go to bots, their name to nobody.")
    give(args.database, "erase", {"person": person.id})
    return _say(f"{person.name} is erased; copies of the house that are older still know them")


def _restrain(args: argparse.Namespace) -> int:
    kind = str(args.what)
    facts = {"person": _number(args.person), "kinds": [kind], "seconds": _span(args.span)}
    told = give(args.database, "restrain", facts)
    doing = "does not write" if kind == bans.MUTE else "does not come in"
    return _say(f"{told['name']} {doing} until {_when(float(told['until']))}")


def _pardon(args: argparse.Namespace) -> int:
    kinds = [bans.MUTE, bans.BAN]
    told = give(args.database, "restrain", {"person": _number(args.person), "kinds": kinds, "seconds": 0})
    return _say(f"{told['name']} may come and write")


# -- the key ----------------------------------------------------------------------------------------------------------


def _rotate(args: argparse.Namespace) -> int:
    seconds = 0.0 if args.at_once else WEEK
    _ask(args, "Make every link to a seat and for spectators void at once?" if args.at_once else "")
    told = give(args.database, "rotate", {"seconds": seconds})
    when = "are void" if args.at_once else f"lead on until {_when(float(told['until']))}"
    return _say(f"the house signs by a new key; links signed before {when}; nobody has lost a seat, a device or words")


# -- the owner --------------------------------------------------------------------------------------------------------


def _owner_link(args: argparse.Namespace) -> int:
    token = new_token()
    told = give(args.database, "owner-link", {"hash": hashed(token), "revoke": args.revoke})
    address = str(told["address"]) or owner.USUAL_ADDRESS
    return _say(f"Open this link within an hour, in one browser: {address}{owner.PATH}{token}")


# -- asking, reading and saying ---------------------------------------------------------------------------------------


def _ask(args: argparse.Namespace, question: str) -> None:
    """Ask before something is destroyed; raises BadSetup unless somebody agrees."""
    if not question or args.yes:
        return
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        sys.stderr.write("\n" if not sys.stdin.isatty() else "")
        raise BadSetup("nothing was done: answer y, or give --yes")


def _days(text: str) -> float:
    if not text:
        return 0.0
    if not re.fullmatch(r"[0-9]{1,5}", text):
        raise BadSetup(f"an age is a number of days, not {text!r}")
    return float(text)


def _span(text: str) -> float:
    """``90m``, ``12h``, ``3d`` or ``2w``, in seconds."""
    found = re.fullmatch(r"([0-9]{1,6})([mhdw])", text)
    seconds = int(found[1]) * SPANS[found[2]] if found else 0.0
    if not 0.0 < seconds <= LONGEST:
        raise BadSetup(f"a time is given like 90m, 12h, 3d or 2w, and is ten years at most: not {text!r}")
    return seconds


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise BadSetup(f"people are named by their number, not {text!r}: `triclinium admin people` lists them")
    return int(text)


def _several(ids: Sequence[str]) -> str:
    return f"table {ids[0]}" if len(ids) == 1 else f"{len(ids)} tables"


def _when(then: float) -> str:
    return datetime.datetime.fromtimestamp(then, datetime.UTC).strftime("%Y-%m-%d %H:%M")


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Rows under each other; the last column is as long as it likes."""
    wide = [max(len(row[n]) for row in rows) for n in range(len(rows[0]) - 1)]
    lines = ["  ".join([*(text.ljust(w) for text, w in zip(row, wide, strict=False)), row[-1]]) for row in rows]
    return "\n".join(line.rstrip() for line in lines)


def _say(text: str) -> int:
    sys.stdout.write(f"{text}\n")
    return 0


WORDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "backup": _backup,
    "verify": _verify,
    "restore": _restore,
    "tables": _tables,
    "close": _close,
    "delete": _delete,
    "sweep": _sweep,
    "people": _people,
    "export": _export,
    "erase": _erase,
    "mute": _restrain,
    "ban": _restrain,
    "pardon": _pardon,
    "rotate-key": _rotate,
    "owner-link": _owner_link,
}
