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
from triclinium.server.crypto import ServerKey
from triclinium.server.errors import Conflict, NotFound, RequestError
from triclinium.server.services import Services
from triclinium.server.storage.schema import passkeys
from triclinium.server.storage.store import Store

log = logging.getLogger("triclinium.people")
CHALLENGE_SECONDS = 300.0  # seconds between the question and the answer
MAX_USED_CHALLENGES = 1_000  # answers that are remembered, so that none counts twice
CHALLENGE_PURPOSE = "passkey asked"
MAX_PASSKEYS = 10  # keys of one person
RELYING_PARTY_NAME = "Triclinium"


_used_challenges: OrderedDict[bytes, None] = OrderedDict()


def _make_challenge(key: ServerKey, person: int) -> bytes:
    """What is to be signed, by this person (0: by whoever comes), and until when.

    It carries its own proof that this house has asked it, so that the answer may come to another of its servers.
    """
    text = f"{secrets.token_hex(16)}.{int(server_time.now() + CHALLENGE_SECONDS)}"
    return f"{text}.{key.sign(CHALLENGE_PURPOSE, person, text)}".encode()


def _consume_challenge(key: ServerKey, challenge: str, person: int) -> bytes:
    """The challenge, if it was given out to this person and has not been answered here; raises RequestError."""
    try:
        decoded = base64url_to_bytes(challenge)
        text, _, proof = decoded.decode("ascii").rpartition(".")
    except ValueError:
        decoded, text, proof = b"", "", ""
    is_valid = (
        key.is_signature_valid(proof, CHALLENGE_PURPOSE, person, text)
        and float(text.partition(".")[2]) > server_time.now()
    )
    if not is_valid or decoded in _used_challenges:
        raise RequestError("the passkey was asked for too long ago: try again")
    _used_challenges[decoded] = None
    while len(_used_challenges) > MAX_USED_CHALLENGES:
        _used_challenges.popitem(last=False)
    return decoded


@contextmanager
def _hide_verification_errors() -> Iterator[None]:
    """Whatever stops the proof, a device is told the same; raises RequestError.

    `webauthn` tells what it finds wrong by an error of its own, but stumbles over what is no key at all.
    """
    try:
        yield
    except Exception as error:
        if not isinstance(error, WebAuthnException):
            log.info("a passkey that cannot be read: %r", error)
        raise RequestError("the passkey was not accepted: try again") from None


def make_registration_options(services: Services, person: Person, origin: str) -> str:
    """What a device is asked to make a key for; JSON for the browser."""
    with services.store.read_connection() as connection:
        passkey_ids = list(connection.execute(select(passkeys.c.id).where(passkeys.c.person == person.id)).scalars())
    options = generate_registration_options(
        rp_id=get_origin_host(origin),
        rp_name=RELYING_PARTY_NAME,
        user_id=services.key.sign("passkey", person.id).encode(),  # not the number itself: it is kept on the device
        user_name=person.name,
        user_display_name=person.name,
        challenge=_make_challenge(services.key, person.id),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(id)) for id in passkey_ids],
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
        ),
    )
    return options_to_json(options)


async def register_passkey(
    services: Services, person: Person, origin: str, challenge: str, answer: dict[str, object], called: str
) -> None:
    """Store the public half of a key that a device has made; raise RequestError, or Conflict if its id is taken."""
    expected_challenge = _consume_challenge(services.key, challenge, person.id)
    with _hide_verification_errors():
        made = verify_registration_response(
            credential=answer,
            expected_challenge=expected_challenge,
            expected_rp_id=get_origin_host(origin),
            expected_origin=origin,
        )
    row = {
        "id": bytes_to_base64url(made.credential_id),
        "person": person.id,
        "public": bytes_to_base64url(made.credential_public_key),
        "signed": made.sign_count,
        "host": get_origin_host(origin),
        "called": called,
        "made": server_time.now(),
    }

    def job(connection: Connection) -> None:
        if len(list_passkeys(connection, person.id)) >= MAX_PASSKEYS:
            raise RequestError("that is enough passkeys: remove one first")
        if connection.execute(select(passkeys.c.id).where(passkeys.c.id == row["id"])).one_or_none() is not None:
            raise Conflict("This passkey is registered here already.")
        connection.execute(insert(passkeys).values(**row))

    await services.store.write(job)


def make_authentication_options(key: ServerKey, origin: str) -> str:
    """What a device is asked to prove; it knows itself which key, so nobody says who they are."""
    options = generate_authentication_options(
        rp_id=get_origin_host(origin),
        challenge=_make_challenge(key, 0),
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return options_to_json(options)


async def authenticate_passkey(services: Services, origin: str, challenge: str, answer: dict[str, object]) -> int:
    """Whose key has answered; raises NotFound or RequestError."""
    expected_challenge = _consume_challenge(services.key, challenge, 0)
    row = await services.runtime.run_in_thread(_load_passkey, services.store, str(answer.get("id", ""))[:400])
    with _hide_verification_errors():
        proven = verify_authentication_response(
            credential=answer,
            expected_challenge=expected_challenge,
            expected_rp_id=get_origin_host(origin),
            expected_origin=origin,
            credential_public_key=base64url_to_bytes(row.public),
            credential_current_sign_count=row.signed,
        )

    def job(connection: Connection) -> None:
        connection.execute(update(passkeys).where(passkeys.c.id == row.id).values(signed=proven.new_sign_count))

    await services.store.write(job)
    return int(row.person)


def _load_passkey(store: Store, id: str) -> "Row[Any]":
    with store.read_connection() as connection:
        row = connection.execute(select(passkeys).where(passkeys.c.id == id)).one_or_none()
    if row is None:
        raise NotFound("this house does not know the passkey")
    return row


@dataclass(frozen=True, slots=True)
class Passkey:
    """One of somebody's."""

    id: str
    name: str
    host: str
    created_at: float


def list_passkeys(connection: Connection, person: int) -> list[Passkey]:
    rows = connection.execute(select(passkeys).where(passkeys.c.person == person).order_by(passkeys.c.made))
    return [Passkey(row.id, row.called, row.host, row.made) for row in rows]


async def remove_passkey(store: Store, person: Person, id: str) -> None:
    """A key opens nothing any more."""

    def job(connection: Connection) -> None:
        connection.execute(delete(passkeys).where(passkeys.c.id == id, passkeys.c.person == person.id))

    await store.write(job)


def get_origin_host(origin: str) -> str:
    """The name that keys are bound to."""
    return urlsplit(origin).hostname or ""
