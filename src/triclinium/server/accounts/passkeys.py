"""Passkeys: a key that a device holds brings its owner back, without a name and without a password.

It needs `webauthn` of the extra `people`; `extras.PASSKEYS` loads this module.
"""

import logging
import secrets
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, Row, delete, insert, select, update
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.crypto import Key
from triclinium.server.errors import Conflict, NotFound, RequestError
from triclinium.server.server import Server
from triclinium.server.storage.schema import passkeys

log = logging.getLogger("triclinium.people")
PATIENCE = 300.0  # seconds between the question and the answer
WAITING = 1_000  # answers that are remembered, so that none counts twice
ASKED = "passkey asked"
MOST = 10  # keys of one person
HOUSE = "Triclinium"


_answered_before: OrderedDict[bytes, None] = OrderedDict()


def _challenge(key: Key, person: int) -> bytes:
    """What is to be signed, by this person (0: by whoever comes), and until when.

    It carries its own proof that this house has asked it, so that the answer may come to another of its servers.
    """
    text = f"{secrets.token_hex(16)}.{int(server_time.now() + PATIENCE)}"
    return f"{text}.{key.sign(ASKED, person, text)}".encode()


def _answered(key: Key, challenge: str, person: int) -> bytes:
    """The challenge, if it was given out to this person and has not been answered here; raises RequestError."""
    try:
        found = base64url_to_bytes(challenge)
        text, _, proof = found.decode("ascii").rpartition(".")
    except ValueError:
        found, text, proof = b"", "", ""
    asked = key.signed(proof, ASKED, person, text) and float(text.partition(".")[2]) > server_time.now()
    if not asked or found in _answered_before:
        raise RequestError("the passkey was asked for too long ago: try again")
    _answered_before[found] = None
    while len(_answered_before) > WAITING:
        _answered_before.popitem(last=False)
    return found


@contextmanager
def _verifying() -> Iterator[None]:
    """Whatever stops the proof, a device is told the same; raises RequestError.

    `webauthn` tells what it finds wrong by an error of its own, but stumbles over what is no key at all.
    """
    try:
        yield
    except Exception as error:
        if not isinstance(error, WebAuthnException):
            log.info("a passkey that cannot be read: %r", error)
        raise RequestError("the passkey was not accepted: try again") from None


def creation(server: Server, person: Person, origin: str) -> str:
    """What a device is asked to make a key for; JSON for the browser."""
    with server.store.reading() as connection:
        known = list(connection.execute(select(passkeys.c.id).where(passkeys.c.person == person.id)).scalars())
    options = generate_registration_options(
        rp_id=host_of(origin),
        rp_name=HOUSE,
        user_id=server.key.sign("passkey", person.id).encode(),  # not the number itself: it is kept on the device
        user_name=person.name,
        user_display_name=person.name,
        challenge=_challenge(server.key, person.id),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(id)) for id in known],
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
        ),
    )
    return options_to_json(options)


async def keep(
    server: Server, person: Person, origin: str, challenge: str, answer: dict[str, object], called: str
) -> None:
    """Store the public half of a key that a device has made; raise RequestError, or Conflict if its id is taken."""
    asked = _answered(server.key, challenge, person.id)
    with _verifying():
        made = verify_registration_response(
            credential=answer, expected_challenge=asked, expected_rp_id=host_of(origin), expected_origin=origin
        )
    row = {
        "id": bytes_to_base64url(made.credential_id),
        "person": person.id,
        "public": bytes_to_base64url(made.credential_public_key),
        "signed": made.sign_count,
        "host": host_of(origin),
        "called": called,
        "made": server_time.now(),
    }

    def job(connection: Connection) -> None:
        if len(keys_of(connection, person.id)) >= MOST:
            raise RequestError("that is enough passkeys: remove one first")
        if connection.execute(select(passkeys.c.id).where(passkeys.c.id == row["id"])).one_or_none() is not None:
            raise Conflict("This passkey is registered here already.")
        connection.execute(insert(passkeys).values(**row))

    await server.store.write(job)


def question(server: Server, origin: str) -> str:
    """What a device is asked to prove; it knows itself which key, so nobody says who they are."""
    options = generate_authentication_options(
        rp_id=host_of(origin),
        challenge=_challenge(server.key, 0),
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return options_to_json(options)


async def owner(server: Server, origin: str, challenge: str, answer: dict[str, object]) -> int:
    """Whose key has answered; raises NotFound or RequestError."""
    asked = _answered(server.key, challenge, 0)
    row = await server.in_thread(_known, server, str(answer.get("id", ""))[:400])
    with _verifying():
        proven = verify_authentication_response(
            credential=answer,
            expected_challenge=asked,
            expected_rp_id=host_of(origin),
            expected_origin=origin,
            credential_public_key=base64url_to_bytes(row.public),
            credential_current_sign_count=row.signed,
        )

    def job(connection: Connection) -> None:
        connection.execute(update(passkeys).where(passkeys.c.id == row.id).values(signed=proven.new_sign_count))

    await server.store.write(job)
    return int(row.person)


def _known(server: Server, id: str) -> "Row[Any]":
    with server.store.reading() as connection:
        row = connection.execute(select(passkeys).where(passkeys.c.id == id)).one_or_none()
    if row is None:
        raise NotFound("this house does not know the passkey")
    return row


@dataclass(frozen=True, slots=True)
class Passkey:
    """One of somebody's."""

    id: str
    called: str
    host: str
    made: float


def keys_of(connection: Connection, person: int) -> list[Passkey]:
    rows = connection.execute(select(passkeys).where(passkeys.c.person == person).order_by(passkeys.c.made))
    return [Passkey(row.id, row.called, row.host, row.made) for row in rows]


async def remove(server: Server, person: Person, id: str) -> None:
    """A key opens nothing any more."""

    def job(connection: Connection) -> None:
        connection.execute(delete(passkeys).where(passkeys.c.id == id, passkeys.c.person == person.id))

    await server.store.write(job)


def host_of(origin: str) -> str:
    """The name that keys are bound to."""
    return urlsplit(origin).hostname or ""
