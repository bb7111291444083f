"""What the API answers, as plain JSON."""

from collections.abc import Sequence
from dataclasses import asdict

from pydantic import BaseModel

from triclinium.bots.analysis import Advice
from triclinium.bots.explanations import Reason, reason_text
from triclinium.engine.core.state import Seat
from triclinium.engine.credits import credits_of
from triclinium.engine.game import Game
from triclinium.server.errors import NotAllowed
from triclinium.server.presenter import stranded
from triclinium.server.presenter.clocks import clock_facts
from triclinium.server.presenter.decision import Decision, decision, labels, reader_for
from triclinium.server.presenter.log import log
from triclinium.server.presenter.outcome import ending
from triclinium.server.presenter.seat_ids import or_none
from triclinium.server.presenter.table_view import Shown, own_seat
from triclinium.server.presenter.unrated import SENTENCES, reasons
from triclinium.server.server import Server
from triclinium.server.tables.absence import absent_for, away_now, may_be_removed_in, may_be_voted_in
from triclinium.server.tables.consent import asked_for
from triclinium.server.tables.invitations import free_seats, seat_token
from triclinium.server.tables.rating_eligibility import origin_facts, unrated
from triclinium.server.tables.rematch import rematch_of
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import Occupant, Table
from triclinium.server.tables.undo import asked_by


class Answer(BaseModel):
    """Why something was not done."""

    error: str
    message: str
    rule: str = ""
    table: dict[str, object] | None = None


PROBLEMS: dict[int | str, dict[str, object]] = {
    400: {"description": "It cannot be read, or makes no sense", "model": Answer},
    403: {"description": "It is not yours to do", "model": Answer},
    404: {"description": "There is no such thing, or it is not shown to you", "model": Answer},
    409: {"description": "The table is not in a state for that, or a rule refuses", "model": Answer},
    413: {"description": "Too long"},
    429: {"description": "Too often", "model": Answer},
}


def title_facts(game: Game) -> dict[str, object]:
    """A game as the API describes it."""
    made = credits_of(game)
    return {
        **game.to_json(),
        "secrets": game.secrets,
        "has_points": game.has_points,
        "verbs": [verb.word for verb in game.verbs],
        "credits": list(made.lines),
        "thanks": list(made.thanks),
        "reconstructed": None if made.reconstructed is None else game.spoken(made.reconstructed),
    }


def summary(server: Server, table: Table) -> dict[str, object]:
    """What everybody at the table may know of it."""
    here = table.hub.here()
    facts: dict[str, object] = {
        "id": table.id,
        "title": table.title_id,
        "name": table.name,
        "status": table.status,
        "version": table.version,
        "moves": table.moves,
        "who": or_none(table.who),
        "seal": table.seal if table.sealed else "",
        "sealed": table.sealed,
        "origin": origin_facts(server, table),
        **_rating_facts(unrated(table)),
        "shown": table.options.shown,
        "undo": table.options.undo,
        "hints": table.options.hints,
        "ready_check": table.options.ready,
        "unready": [one.seat for one in table.unready()] if table.ready_until else [],
        "variants": table.options.variants,
        "substitute_after": table.options.substitute_after,
        "remove_after": table.options.remove_after,
        "seats": [
            {
                "seat": occupant.seat,
                "name": occupant.name,
                "kind": occupant.kind,
                "taken": occupant.taken,
                "bot": occupant.bot,
                "standin": occupant.standin,
                "here": occupant.seat in here,
                "absent_for": absent_for(table, occupant),
                "may_be_voted_in": may_be_voted_in(server, table, occupant),
                "may_be_removed_in": may_be_removed_in(server, table, occupant),
                "away_until": _away_until(server, table, occupant),
            }
            for occupant in table.occupants
        ],
        "watching": table.hub.watching(),
        **clock_facts(server, table),
    }
    if table.status == "over":
        told = table.opening().to_json()
        facts["seed"] = told["seed"]
        facts["salt"] = table.salt if table.sealed else ""
    return facts


def _rating_facts(found: list[str]) -> dict[str, object]:
    """Return whether a match is rated, why not, and the sentence that pages show."""
    return {"rated": not found, "unrated": found, "unrated_message": SENTENCES[found[0]] if found else ""}


def _away_until(server: Server, table: Table, occupant: Occupant) -> float | None:
    """When somebody at a slow table will be back who has said that they are away."""
    away = away_now(server, occupant) if table.options.slow and occupant.owned else None
    return None if away is None else away[1]


def fresh(server: Server, table: Table, at: Viewer, language: str) -> dict[str, object]:
    """The table as this viewer may see it. The table's lock is held."""
    facts = summary(server, table)
    free = free_seats(table, bool(at.mine), at.is_host(table))
    if free:
        facts["invitations"] = list_invitations(server, table, free)
    if table.status == "over":
        facts["again"] = rematch_of(server, table) or None
        facts |= _rating_facts(reasons(server, table))
    if table.stranded is not None:
        return facts | stranded.facts(server, table, at)
    if table.match is None:
        return facts
    shown = Shown(table, at.mine, own_seat(table, at.mine), language)
    facts["seat"] = shown.seat
    facts["view"] = shown.view_json()
    if at.mine:
        facts["asks_back"] = asked_by(server, table)
        facts["asked_for"] = {subject: sorted(seats) for subject, seats in asked_for(server, table).items()}
    facts[table.game.result_field] = [score.to_json() for score in shown.points]
    if table.status == "over":
        facts["places"] = [score.rank for score in ending(server, table).counted(shown.points)]
    if shown.decision is not None and shown.seat is not None:
        facts["decision"] = decision_facts(shown.decision)
        facts["may_undo"] = shown.may_undo(shown.seat)
    return facts


def decision_facts(asked: Decision) -> dict[str, object]:
    """What the asked seat decides; for its eyes only."""
    told = asked.steps
    return {
        "question": asked.question,
        "action": None
        if told is None
        else {
            "name": told.action,
            "stage": told.at,
            "stages": [{"name": stage.name, "rule": stage.rule} for stage in told.stages],
        },
        "options": [{"option": offer.option, "label": offer.label, "price": offer.price} for offer in asked.allowed],
        "groups": [
            {"name": group.name, "price": group.price, "options": [offer.option for offer in group.offers]}
            for group in asked.arranged.groups
        ],
        "closing": [offer.option for offer in asked.arranged.closing],
        "refused": [
            {"option": offer.option, "label": offer.label, "why": offer.why, "rule": offer.rule}
            for offer in asked.refused
        ],
    }


def preview(table: Table, at: Viewer, seat: Seat, option: str, language: str) -> dict[str, object]:
    """What an option of this seat, which is asked, would do. The table's lock is held."""
    shown = Shown(table, at.mine, seat, language)
    if not shown.is_asked:
        raise NotAllowed("it is not your turn")
    foretold = shown.preview(option)
    return {
        "version": table.version,
        "seat": seat,
        "option": option,
        "preview": None if foretold is None else asdict(foretold),
    }


def options(table: Table, at: Viewer, language: str) -> dict[str, object]:
    """The decision alone. The table's lock is held."""
    asked = None
    if table.match is not None:
        asked = Shown(table, at.mine, own_seat(table, at.mine), language).decision
    decided = None if asked is None else decision_facts(asked)
    return {"version": table.version, "who": or_none(table.who), "decision": decided}


def view(server: Server, table: Table, at: Viewer, move: int | None) -> object:
    """What this viewer may know, now or after so many moves. The table's lock is held."""
    if table.stranded is not None and move is None:
        return stranded.facts(server, table, at).get("view")
    return Shown(table, at.mine, at.mine[0] if at.mine else None, "en", move).view_json()


def log_lines(server: Server, table: Table, at: Viewer, language: str) -> list[dict[str, object]]:
    """What has happened, in sentences, as this viewer may know it. The table's lock is held."""
    if not table.begun:
        return []
    seat = at.mine[0] if at.mine else None
    if table.stranded is None:
        lines = log(table, seat, language)
    else:
        lines = stranded.log_of(table, stranded.last_snapshot(server, table, seat), language)
    return [
        {
            "move": line.n,
            "seat": line.seat,
            "text": line.text,
            "rule": line.rule,
            "weight": line.weight,
            "hits": line.hits,
            "begins_round": line.begins_round,
            "automatic": line.automatic,
        }
        for line in lines
    ]


def list_invitations(server: Server, table: Table, free: list[Occupant]) -> list[dict[str, object]]:
    """What to send to whoever shall take a free seat."""
    return [{"seat": occupant.seat, "invitation": seat_token(server, table, occupant)} for occupant in free]


def ranked(table: Table, n: int, best: Sequence[Advice], language: str) -> list[dict[str, object]]:
    """Options that a bot thinks best after n moves, each with the chance that it leaves, and what the best has more."""
    label = labels(table, n, language)
    seat = table.position(n).state.who
    return [
        {
            "option": one.option,
            "label": label(one.option),
            "chance": one.chance,
            "error": one.error,
            "equal": one.equal,
            "reasons": [_reason_facts(table, reason, seat, language) for reason in one.reasons],
        }
        for one in best
    ]


def hint_facts(table: Table, best: Sequence[Advice], language: str) -> list[dict[str, object]]:
    """Return a hint on the position of now, each option with the number that it has in the decision."""
    game, s = table.game, table.playing.state
    asked = decision(game, s, reader_for(table, language))
    numbers = {offer.option: n for n, offer in enumerate(asked.arranged.all, start=1)}
    return [
        {"number": numbers[one.option], **facts}
        for one, facts in zip(best, ranked(table, table.moves, best, language), strict=True)
    ]


def _reason_facts(table: Table, reason: Reason, seat: Seat, language: str) -> dict[str, object]:
    said = reader_for(table, language).read(reason_text(table.game, reason, seat))
    return {"text": said, "feature": reason.feature, "seat": reason.seat, "worth": reason.points}
