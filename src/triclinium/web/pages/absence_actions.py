"""What is done at a table about time and absence: pausing, coming back, voting, resigning, breaking off."""

import datetime

from fastapi import APIRouter, Request, Response

from triclinium.server.accounts import vacation
from triclinium.server.errors import RequestError
from triclinium.server.http.auth import count, seated
from triclinium.server.tables import consent, resign, seats, timeouts, vote_replace
from triclinium.web.page_context import Reading
from triclinium.web.pages.table_actions import post_at

router = APIRouter(include_in_schema=False)
TABLE = "/t/{id}"


@router.post(f"{TABLE}/resign")
async def post_resign(request: Request, id: str) -> Response:
    post = await post_at(request, id)
    seat = post.seat
    if not post.form.flag("sure"):
        raise RequestError("tick the box if you really want to resign")
    await resign.resign(post.server, post.table, seat, post.form.whole("version"))
    return post.reading.go(f"/t/{id}")


@router.post(f"{TABLE}/here")
async def post_here(request: Request, id: str) -> Response:
    """I am back: the bot gets up."""
    post = await post_at(request, id)
    seated(post.at)
    await seats.come_back(post.server, post.table, post.at.mine)
    return post.back()


@router.post(f"{TABLE}/absent")
async def post_absent(request: Request, id: str) -> Response:
    post = await post_at(request, id)
    await timeouts.vote(post.server, post.table, post.form.whole("seat"), post.at.mine)
    return post.back()


@router.post(f"{TABLE}/remove")
async def post_remove(request: Request, id: str) -> Response:
    """Vote to remove an absent player."""
    post = await post_at(request, id)
    await vote_replace.vote_out(post.server, post.table, post.form.whole("seat"), post.at.mine)
    return post.back()


@router.post(f"{TABLE}/kept")
async def post_kept(request: Request, id: str) -> Response:
    """Ask to give a vacated seat to a person of this server, or agree."""
    post = await post_at(request, id)
    seat, person = post.form.whole("seat"), post.form.whole("person")
    await vote_replace.offer(post.server, post.table, seat, person, post.at.mine)
    return post.back()


@router.post(f"{TABLE}/pause")
async def post_pause(request: Request, id: str) -> Response:
    """Ask for a pause, or agree to one."""
    post = await post_at(request, id)
    await consent.pause(post.server, post.table, post.at.mine, post.form.whole("minutes"))
    return post.back()


@router.post(f"{TABLE}/goon")
async def post_go_on(request: Request, id: str) -> Response:
    """Back from a pause."""
    post = await post_at(request, id)
    await consent.go_on(post.server, post.table, post.at.mine)
    return post.back()


@router.post(f"{TABLE}/break")
async def post_break(request: Request, id: str) -> Response:
    """Ask to abandon the match, or agree."""
    post = await post_at(request, id)
    await consent.break_off(post.server, post.table, post.at.mine)
    return post.back()


@router.post("/me/away")
async def post_away(request: Request) -> Response:
    """Be away from one day to another, or be back."""
    count(request, "post")
    reading = Reading(request)
    form = await reading.form()
    person = await reading.somebody()
    if form.text("back"):
        await vacation.come_back(reading.server, person)
    else:
        start, until = (_day(reading, form.text(name)) for name in ("start", "until"))
        await vacation.go_away(reading.server, person, start, until + vacation.DAY)
    return reading.go("/me")


def _day(reading: Reading, text: str) -> float:
    """When a day begins where the reader is."""
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        raise RequestError("say the days of your absence like 2026-12-24") from None
    midnight = datetime.datetime.combine(day, datetime.time(), reading.when.zone or datetime.UTC)
    return midnight.timestamp()
