"""Forms of a table about time and absence: pauses, returns, votes, resignation and the end by agreement."""

import datetime

from fastapi import APIRouter, Request, Response

from triclinium.server.accounts import vacation
from triclinium.server.errors import RequestError
from triclinium.server.http.auth import check_rate_limit, get_current_viewer, require_seat
from triclinium.server.tables import consent, resign, seats, timeouts, vote_replace
from triclinium.web.page_context import PageContext
from triclinium.web.pages.table_actions import read_table_post

router = APIRouter(include_in_schema=False)
TABLE_PATH = "/tables/{id}"


@router.post(f"{TABLE_PATH}/resign")
async def post_resign(request: Request, id: str) -> Response:
    post = await read_table_post(request, id)
    seat = post.seat
    if not post.form.flag("confirmed"):
        raise RequestError("tick the box if you really want to resign")
    await resign.resign_seat(post.services, post.table, seat, post.form.integer("version"))
    return post.context.redirect(f"/tables/{id}")


@router.post(f"{TABLE_PATH}/return")
async def post_return(request: Request, id: str) -> Response:
    """Give the seat back to its player, whom a substitute bot has replaced."""
    post = await read_table_post(request, id)
    require_seat(post.viewer)
    async with post.services.tables.locked(post.table) as table:
        await seats.end_own_substitutions(post.services, table, get_current_viewer(request, table).own_seats)
    return post.redirect_to_table()


@router.post(f"{TABLE_PATH}/vote-substitute")
async def post_substitute_vote(request: Request, id: str) -> Response:
    post = await read_table_post(request, id)
    await timeouts.vote_for_substitute(post.services, post.table, post.form.integer("seat"), post.viewer.own_seats)
    return post.redirect_to_table()


@router.post(f"{TABLE_PATH}/vote-remove")
async def post_removal_vote(request: Request, id: str) -> Response:
    """Vote to remove an absent player."""
    post = await read_table_post(request, id)
    await vote_replace.vote_to_remove(post.services, post.table, post.form.integer("seat"), post.viewer.own_seats)
    return post.redirect_to_table()


@router.post(f"{TABLE_PATH}/vote-reassign")
async def post_seat_proposal(request: Request, id: str) -> Response:
    """Propose a person for a vacated seat, or agree to a proposal."""
    post = await read_table_post(request, id)
    seat, person = post.form.integer("seat"), post.form.integer("person")
    await vote_replace.vote_to_reassign(post.services, post.table, seat, person, post.viewer.own_seats)
    return post.redirect_to_table()


@router.post(f"{TABLE_PATH}/pause")
async def post_pause(request: Request, id: str) -> Response:
    """Request a pause, or agree to one."""
    post = await read_table_post(request, id)
    await consent.vote_to_pause(post.services, post.table, post.viewer.own_seats, post.form.integer("minutes"))
    return post.redirect_to_table()


@router.post(f"{TABLE_PATH}/resume")
async def post_resume(request: Request, id: str) -> Response:
    """Agree to end a pause."""
    post = await read_table_post(request, id)
    await consent.vote_to_resume(post.services, post.table, post.viewer.own_seats)
    return post.redirect_to_table()


@router.post(f"{TABLE_PATH}/abandon")
async def post_abandon(request: Request, id: str) -> Response:
    """Request that the match is abandoned, or agree to it."""
    post = await read_table_post(request, id)
    await consent.vote_to_abandon(post.services, post.table, post.viewer.own_seats)
    return post.redirect_to_table()


@router.post("/me/vacation")
async def post_vacation(request: Request) -> Response:
    """Be away from one day to another, or be back."""
    check_rate_limit(request, "post")
    context = PageContext(request)
    form = await context.read_form()
    person = await context.ensure_person()
    if form.text("end"):
        await vacation.end_vacation(context.services, person)
    else:
        start, until = (_parse_day(context, form.text(name)) for name in ("start", "until"))
        await vacation.schedule_vacation(context.services, person, start, until + vacation.DAY)
    return context.redirect("/me")


def _parse_day(context: PageContext, text: str) -> float:
    """Return the start of a day in the reader's time zone."""
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        raise RequestError("say the days of your absence like 2026-12-24") from None
    midnight = datetime.datetime.combine(day, datetime.time(), context.dates.zone or datetime.UTC)
    return midnight.timestamp()
