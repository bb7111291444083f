"""Answers of the API as plain JSON."""

from collections.abc import Sequence
from dataclasses import asdict

from pydantic import BaseModel

from triclinium.bots.analysis import Advice
from triclinium.bots.explanations import Reason, describe_reason
from triclinium.engine.core.state import Seat
from triclinium.engine.credits import read_credits
from triclinium.engine.game import Game
from triclinium.server.accounts.paused_time import PausedTime
from triclinium.server.crypto import ServerKey
from triclinium.server.errors import NotAllowed
from triclinium.server.presenter import stranded_match
from triclinium.server.presenter.clocks import build_clock_json
from triclinium.server.presenter.decision import DecisionView, build_decision, make_option_labeller, make_reader
from triclinium.server.presenter.log import build_log
from triclinium.server.presenter.outcome import load_outcome
from triclinium.server.presenter.table_view import TableView, choose_own_seat
from triclinium.server.presenter.unrated_reasons import SENTENCES, explain_unrated_match
from triclinium.server.seat_ids import nobody_to_none
from triclinium.server.services import Services
from triclinium.server.storage.store import Store
from triclinium.server.tables.absence import (
    count_absent_seconds,
    count_seconds_until_removal,
    count_seconds_until_substitute,
    find_current_vacation,
)
from triclinium.server.tables.consent import load_pending_votes
from triclinium.server.tables.invitations import list_free_seats, make_seat_token
from triclinium.server.tables.rating_eligibility import build_origin_json, list_unrated_reasons
from triclinium.server.tables.rematch import find_rematch
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import Occupant, Table
from triclinium.server.tables.undo import find_undo_requester


class ErrorResponse(BaseModel):
    """The JSON body of an error."""

    error: str
    message: str
    rule: str = ""
    table: dict[str, object] | None = None


ERROR_RESPONSES: dict[int | str, dict[str, object]] = {
    400: {"description": "The request cannot be read or is not valid", "model": ErrorResponse},
    403: {"description": "You may not do this", "model": ErrorResponse},
    404: {"description": "The address does not exist, or you may not see what is there", "model": ErrorResponse},
    409: {"description": "The table is in another state, or a rule forbids it", "model": ErrorResponse},
    413: {"description": "Too long"},
    429: {"description": "Too often", "model": ErrorResponse},
}


def build_game_json(game: Game) -> dict[str, object]:
    """Return a game as the API describes it."""
    made = read_credits(game)
    return {
        **game.to_json(),
        "secrets": game.has_secrets,
        "has_points": game.has_points,
        "verbs": [verb.word for verb in game.verbs],
        "credits": list(made.lines),
        "thanks": list(made.thanks),
        "reconstructed": None if made.reconstructed is None else game.translate_name(made.reconstructed),
    }


def build_summary_json(services: Services, table: Table) -> dict[str, object]:
    """Return the facts about a table that all viewers may know."""
    here = table.hub.list_present_seats()
    facts: dict[str, object] = {
        "id": table.id,
        "game": table.game_id,
        "name": table.name,
        "status": table.status,
        "version": table.version,
        "moves": table.moves,
        "who": nobody_to_none(table.who),
        "seal": table.seal if table.has_shuffle_commitment else "",
        "sealed": table.has_shuffle_commitment,
        "origin": build_origin_json(services.people, table),
        "deal": table.deal,
        **_build_rating_json(list_unrated_reasons(table)),
        "visibility": table.options.shown,
        "undo": table.options.undo,
        "hints": table.options.hints,
        "ready_check": table.options.ready,
        "unready": [missing.seat for missing in table.list_unready_occupants()] if table.ready_until else [],
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
                "substitute_bot": occupant.substitute,
                "present": occupant.seat in here,
                "absent_for": count_absent_seconds(table, occupant),
                "substitute_vote_in": count_seconds_until_substitute(services, table, occupant),
                "removal_vote_in": count_seconds_until_removal(services, table, occupant),
                "vacation_until": _find_vacation_end(services.paused_time, table, occupant),
            }
            for occupant in table.occupants
        ],
        "spectators": table.hub.count_spectators(),
        **build_clock_json(services, table),
    }
    if table.is_revealed:
        record_json = table.make_opening_record().to_json()
        facts["seed"] = record_json["seed"]
        facts["salt"] = table.salt if table.has_shuffle_commitment else ""
    return facts


def _build_rating_json(reason_ids: list[str]) -> dict[str, object]:
    """Return whether a match is rated, the reasons if it is not, and the sentence that pages show."""
    return {
        "rated": not reason_ids,
        "unrated": reason_ids,
        "unrated_message": SENTENCES[reason_ids[0]] if reason_ids else "",
    }


def _find_vacation_end(paused_time: PausedTime, table: Table, occupant: Occupant) -> float | None:
    """Return the end of a player's vacation at a slow table, or None."""
    vacation = find_current_vacation(paused_time, occupant) if table.options.slow and occupant.is_owned else None
    return None if vacation is None else vacation[1]


def build_table_json(services: Services, table: Table, viewer: Viewer, language: str) -> dict[str, object]:
    """Return a table as this viewer may see it."""
    facts = build_summary_json(services, table)
    free = list_free_seats(table, bool(viewer.own_seats), viewer.is_host(table))
    if free:
        facts["invitations"] = build_invitations_json(services.key, table, free)
    if table.status == "over":
        facts["rematch"] = find_rematch(services.store, table) or None
        facts |= _build_rating_json(explain_unrated_match(services.store, table))
    if table.stranded is not None:
        return facts | stranded_match.build_stranded_json(services.store, table, viewer)
    if table.match is None:
        return facts
    table_view = TableView(table, viewer.own_seats, choose_own_seat(table, viewer.own_seats), language)
    facts["seat"] = table_view.seat
    facts["view"] = table_view.view_json()
    if viewer.own_seats:
        facts["undo_requested_by"] = find_undo_requester(services.store, table)
        facts["pending_votes"] = {
            subject: sorted(seats) for subject, seats in load_pending_votes(services.store, table).items()
        }
    facts[table.game.result_field] = [score.to_json() for score in table_view.points]
    if table.status == "over":
        facts["places"] = [
            score.rank for score in load_outcome(services.store, table).with_final_ranks(table_view.points)
        ]
    if table_view.decision is not None and table_view.seat is not None:
        facts["decision"] = build_decision_json(table_view.decision)
        facts["may_undo"] = table_view.can_undo(table_view.seat)
    return facts


def build_decision_json(asked: DecisionView) -> dict[str, object]:
    """Return the decision of the seat that has to decide. Show it to no one else."""
    steps = asked.steps
    return {
        "question": asked.question,
        "action": None
        if steps is None
        else {
            "name": steps.action,
            "stage": steps.at,
            "stages": [{"name": stage.name, "rule": stage.rule} for stage in steps.stages],
        },
        "options": [{"option": offer.option, "label": offer.label, "price": offer.price} for offer in asked.allowed],
        "groups": [
            {"name": group.name, "price": group.price, "options": [offer.option for offer in group.offers]}
            for group in asked.arranged.groups
        ],
        "closing": [offer.option for offer in asked.arranged.closing],
        "refused": [
            {"option": offer.option, "label": offer.label, "reason": offer.why, "rule": offer.rule}
            for offer in asked.refused
        ],
    }


def build_preview_json(table: Table, viewer: Viewer, seat: Seat, option: str, language: str) -> dict[str, object]:
    """Return the effects of an option. Raise `NotAllowed` if it is not this seat's turn."""
    table_view = TableView(table, viewer.own_seats, seat, language)
    if not table_view.is_asked:
        raise NotAllowed("It is not your turn.")
    foretold = table_view.preview(option)
    return {
        "version": table.version,
        "seat": seat,
        "option": option,
        "preview": None if foretold is None else asdict(foretold),
    }


def build_options_json(table: Table, viewer: Viewer, language: str) -> dict[str, object]:
    """Return only the decision of the viewer's seat, or None in its place if it has none."""
    asked = None
    if table.match is not None:
        asked = TableView(table, viewer.own_seats, choose_own_seat(table, viewer.own_seats), language).decision
    decided = None if asked is None else build_decision_json(asked)
    return {"version": table.version, "who": nobody_to_none(table.who), "decision": decided}


def view(services: Services, table: Table, viewer: Viewer, move: int | None) -> object:
    """Return the game state as this viewer may see it, now or after a number of moves."""
    if table.stranded is not None and move is None:
        return stranded_match.build_stranded_json(services.store, table, viewer).get("view")
    return TableView(table, viewer.own_seats, viewer.own_seats[0] if viewer.own_seats else None, "en", move).view_json()


def build_log_json(store: Store, table: Table, viewer: Viewer, language: str) -> list[dict[str, object]]:
    """Return the game log as this viewer may see it."""
    if not table.begun:
        return []
    seat = viewer.own_seats[0] if viewer.own_seats else None
    if table.stranded is None:
        lines = build_log(table, seat, language)
    else:
        lines = stranded_match.build_stranded_log(
            table, stranded_match.load_last_snapshot(store, table, seat), language
        )
    return [
        {
            "move": line.n,
            "seat": line.seat,
            "text": line.text,
            "rule": line.rule,
            "weight": line.weight,
            "affected_seat": line.hits,
            "begins_round": line.begins_round,
            "automatic": line.automatic,
        }
        for line in lines
    ]


def build_invitations_json(key: ServerKey, table: Table, free: list[Occupant]) -> list[dict[str, object]]:
    """Return the free seats with an invitation token for each."""
    return [{"seat": occupant.seat, "invitation": make_seat_token(key, table, occupant)} for occupant in free]


def build_ranked_options_json(table: Table, n: int, best: Sequence[Advice], language: str) -> list[dict[str, object]]:
    """Return a bot's best options after n moves, each with its win probability and the advantage of the best one."""
    label = make_option_labeller(table, n, language)
    seat = table.position(n).state.who
    return [
        {
            "option": advice.option,
            "label": label(advice.option),
            "win_probability": advice.chance,
            "standard_error": advice.error,
            "equal": advice.equal,
            "reasons": [_build_reason_json(table, reason, seat, language) for reason in advice.reasons],
        }
        for advice in best
    ]


def build_hint_json(table: Table, best: Sequence[Advice], language: str) -> list[dict[str, object]]:
    """Return a hint for the current position. Each option has its number in the decision."""
    game, s = table.game, table.current_match.state
    asked = build_decision(game, s, make_reader(table, language))
    numbers = {offer.option: n for n, offer in enumerate(asked.arranged.all, start=1)}
    return [
        {"number": numbers[advice.option], **facts}
        for advice, facts in zip(best, build_ranked_options_json(table, table.moves, best, language), strict=True)
    ]


def _build_reason_json(table: Table, reason: Reason, seat: Seat, language: str) -> dict[str, object]:
    text = make_reader(table, language).read(describe_reason(table.game, reason, seat))
    return {"text": text, "feature": reason.feature, "seat": reason.seat, "worth": reason.points}
