"""Subcommands of ``triclinium admin``: confirmation questions, actions and reports."""

import argparse
import datetime
import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import BadSetup, TricliniumError
from triclinium.server.accounts import bans, owner
from triclinium.server.admin import backup, lists
from triclinium.server.admin.actions import find_person
from triclinium.server.admin.command_queue import format_error, open_stored_server, run_action
from triclinium.server.crypto import hash_token, make_token
from triclinium.server.personal_data import export
from triclinium.server.settings import resolve_database
from triclinium.server.storage.file_guard import write_private_file

UNIT_SECONDS = {"m": 60.0, "h": 3600.0, "d": 86400.0, "w": 7 * 86400.0}
MAX_SECONDS = 10 * 365 * UNIT_SECONDS["d"]
MAX_ROWS = 1000  # lines of a list
WEEK_SECONDS = UNIT_SECONDS["w"]


def admin_command(args: argparse.Namespace) -> int:
    """Run a subcommand and return its exit code. Raise `BadSetup` if the input is wrong or the action fails."""
    try:
        args.database = resolve_database(args.database)
        return COMMANDS[args.what](args)
    except TricliniumError as error:
        raise BadSetup(format_error(error)) from None
    except SQLAlchemyError as error:
        raise BadSetup(f"cannot use the database: {type(error).__name__}") from None


# -- backups ----------------------------------------------------------------------------------------------------------


def _create_backup(args: argparse.Namespace) -> int:
    size = backup.create_backup(args.database, Path(args.file))
    return _print_text(
        f"{args.file} contains all data of the server ({size / 1e6:.1f} MB). Keep it as secret as the server itself."
    )


def _verify_backup(args: argparse.Namespace) -> int:
    kind = backup.verify_backup(Path(args.file))
    return _print_text(f"{args.file} is a whole backup of a server in {kind}")


def _restore_backup(args: argparse.Namespace) -> int:
    _ask_confirmation(args, f"Replace the content of the database by {args.file}?" if args.overwrite else "")
    backup.restore_backup(args.database, Path(args.file), args.overwrite)
    return _print_text(f"Restored from {args.file}. You can start the server now.")


# -- tables -----------------------------------------------------------------------------------------------------------


def _list_tables(args: argparse.Namespace) -> int:
    days = _parse_days(args.older)
    with open_stored_server(args.database) as services:
        tables = lists.list_tables(services.store, args.game, args.state, days, MAX_ROWS)
    if args.json:
        return _print_text(json.dumps({"tables": [table.to_json() for table in tables]}, ensure_ascii=False))
    rows = [["table", "game", "state", "moves", "players", "last move", "name"]]
    for table in tables:
        rows.append(
            [
                table.id,
                table.game,
                table.state,
                str(table.moves),
                str(table.players),
                _format_time(table.moved),
                table.name,
            ]
        )
    return _print_text(format_columns(rows))


def _close_tables(args: argparse.Namespace) -> int:
    _ask_confirmation(args, f"Close {_format_table_count(args.tables)}? A running match there is abandoned.")
    run_action(args.database, "close", {"tables": args.tables})
    return _print_text(f"{_format_table_count(args.tables)} closed")


def _delete_tables(args: argparse.Namespace) -> int:
    _ask_confirmation(args, f"Delete {_format_table_count(args.tables)} for good, with moves and chat?")
    run_action(args.database, "delete", {"tables": args.tables})
    return _print_text(f"{_format_table_count(args.tables)} deleted; results and ratings stay")


def _delete_old_tables(args: argparse.Namespace) -> int:
    days = _parse_days(args.older)
    if not days:
        raise BadSetup("--older is missing, such as --older 90")
    _ask_confirmation(
        args, f"Delete every table that has been over for more than {days:.0f} days, with moves and chat?"
    )
    result = run_action(args.database, "sweep", {"days": days})
    return _print_text(f"{result['tables']} tables deleted; results and ratings stay")


# -- people -----------------------------------------------------------------------------------------------------------


def _list_people(args: argparse.Namespace) -> int:
    with open_stored_server(args.database) as services:
        people = lists.list_people(services.store, args.name, MAX_ROWS)
    if args.json:
        return _print_text(json.dumps({"people": [person.to_json() for person in people]}, ensure_ascii=False))
    rows = [["number", "name", "last seen", "devices", "seats", "restrained"]]
    for person in people:
        active_bans = [
            f"{kind} until {_format_time(end)}" for kind, end in (("mute", person.muted), ("ban", person.banned)) if end
        ]
        name = f"{person.name or '(erased)'}{' (program)' if person.program else ''}"
        rows.append(
            [
                str(person.id),
                name,
                _format_time(person.seen),
                str(person.devices),
                str(person.seats),
                ", ".join(active_bans),
            ]
        )
    return _print_text(format_columns(rows))


def _export_person(args: argparse.Namespace) -> int:
    target, number = Path(args.file), _parse_person_id(args.person)
    if target.exists():
        raise BadSetup(f"{target} already exists and is not overwritten")
    with open_stored_server(args.database) as services:
        person = find_person(services.store, number)
        write_private_file(target, export.export_person(services.tables, person))
    return _print_text(f"{args.file} contains all data about {person.name or 'a deleted account'}.")


def _delete_account(args: argparse.Namespace) -> int:
    number = _parse_person_id(args.person)
    with open_stored_server(args.database) as services:
        person = find_person(services.store, number)
    _ask_confirmation(
        args, f"Erase {person.name} (number {person.id}) for good? Bots take over the seats, and the name is removed."
    )
    run_action(args.database, "erase", {"person": person.id})
    return _print_text(f"The account of {person.name} is deleted. Older backups still contain it.")


def _mute_or_ban(args: argparse.Namespace) -> int:
    kind = str(args.what)
    arguments = {"person": _parse_person_id(args.person), "kinds": [kind], "seconds": _parse_duration(args.span)}
    result = run_action(args.database, "restrain", arguments)
    effect = "does not write" if kind == bans.MUTE else "does not come in"
    return _print_text(f"{result['name']} {effect} until {_format_time(float(result['until']))}")


def _lift_bans(args: argparse.Namespace) -> int:
    kinds = [bans.MUTE, bans.BAN]
    result = run_action(
        args.database, "restrain", {"person": _parse_person_id(args.person), "kinds": kinds, "seconds": 0}
    )
    return _print_text(f"{result['name']} can use the server and write again")


# -- signing key ------------------------------------------------------------------------------------------------------


def _rotate_key(args: argparse.Namespace) -> int:
    seconds = 0.0 if args.at_once else WEEK_SECONDS
    _ask_confirmation(args, "Invalidate all links to seats and for spectators at once?" if args.at_once else "")
    result = run_action(args.database, "rotate", {"seconds": seconds})
    when = "are void" if args.at_once else f"lead on until {_format_time(float(result['until']))}"
    return _print_text(
        f"the server has a new key; links signed before {when}; nobody has lost a seat, a device or words"
    )


# -- owner ------------------------------------------------------------------------------------------------------------


def _create_owner_link(args: argparse.Namespace) -> int:
    token = make_token()
    result = run_action(args.database, "owner-link", {"hash": hash_token(token), "revoke": args.revoke})
    address = str(result["address"]) or owner.DEFAULT_ADDRESS
    return _print_text(f"Open this link within an hour, in one browser: {address}{owner.LINK_PATH}{token}")


# -- input and output -------------------------------------------------------------------------------------------------


def _ask_confirmation(args: argparse.Namespace, question: str) -> None:
    """Ask for confirmation of a destructive action. Raise `BadSetup` unless the operator agrees."""
    if not question or args.yes:
        return
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        sys.stderr.write("\n" if not sys.stdin.isatty() else "")
        raise BadSetup("nothing was changed; answer y, or use --yes")


def _parse_days(text: str) -> float:
    if not text:
        return 0.0
    if not re.fullmatch(r"[0-9]{1,5}", text):
        raise BadSetup(f"an age must be a number of days, not {text!r}")
    return float(text)


def _parse_duration(text: str) -> float:
    """Return a duration such as ``90m``, ``12h``, ``3d`` or ``2w`` in seconds."""
    duration = re.fullmatch(r"([0-9]{1,6})([mhdw])", text)
    seconds = int(duration[1]) * UNIT_SECONDS[duration[2]] if duration else 0.0
    if not 0.0 < seconds <= MAX_SECONDS:
        raise BadSetup(f"a time must be like 90m, 12h, 3d or 2w and at most ten years, not {text!r}")
    return seconds


def _parse_person_id(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise BadSetup(f"a person is given by a number, not {text!r}; `triclinium admin people` lists the numbers")
    return int(text)


def _format_table_count(ids: Sequence[str]) -> str:
    return f"table {ids[0]}" if len(ids) == 1 else f"{len(ids)} tables"


def _format_time(timestamp: float) -> str:
    return datetime.datetime.fromtimestamp(timestamp, datetime.UTC).strftime("%Y-%m-%d %H:%M")


def format_columns(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as aligned columns. The last column is not padded."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]) - 1)]
    lines = ["  ".join([*(text.ljust(w) for text, w in zip(row, widths, strict=False)), row[-1]]) for row in rows]
    return "\n".join(line.rstrip() for line in lines)


def _print_text(text: str) -> int:
    sys.stdout.write(f"{text}\n")
    return 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "backup": _create_backup,
    "verify": _verify_backup,
    "restore": _restore_backup,
    "tables": _list_tables,
    "close": _close_tables,
    "delete": _delete_tables,
    "sweep": _delete_old_tables,
    "people": _list_people,
    "export": _export_person,
    "erase": _delete_account,
    "mute": _mute_or_ban,
    "ban": _mute_or_ban,
    "pardon": _lift_bans,
    "rotate-key": _rotate_key,
    "owner-link": _create_owner_link,
}
