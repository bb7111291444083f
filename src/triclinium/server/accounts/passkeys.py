"""Passkeys: sign-in with a key on a device, without a name or a password.

This module needs `webauthn` from the extra `people`; `optional_dependencies.PASSKEYS` loads it.
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
CHALLENGE_SECONDS = 300.0  # seconds in which a challenge can be answered
MAX_USED_CHALLENGES = 1_000  # challenges that are remembered, so that none is accepted twice
CHALLENGE_PURPOSE = "passkey asked"
MAX_PASSKEYS = 10  # maximum number of passkeys of one person
RELYING_PARTY_NAME = "Triclinium"


_used_challenges: OrderedDict[bytes, None] = OrderedDict()


def _make_challenge(key: ServerKey, person: int) -> bytes:
    """Return a challenge to sign for a person, or for anyone if ``person`` is 0.

    The challenge contains a signature of this server, so that another server of the cluster can check the answer.
    """
    text = f"{secrets.token_hex(16)}.{int(server_time.now() + CHALLENGE_SECONDS)}"
    return f"{text}.{key.sign(CHALLENGE_PURPOSE, person, text)}".encode()


def _consume_challenge(key: ServerKey, challenge: str, person: int) -> bytes:
    """Return the decoded challenge and mark it as used.

    Raise `RequestError` if it was made for another person, has expired or was used before.
    """
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
        raise RequestError("The passkey request has expired. Please try again.")
    _used_challenges[decoded] = None
    while len(_used_challenges) > MAX_USED_CHALLENGES:
        _used_challenges.popitem(last=False)
    return decoded


@contextmanager
def _hide_verification_errors() -> Iterator[None]:
    """Replace every verification error with the same `RequestError`, so that a caller learns no details.

    `webauthn` raises its own errors for a wrong answer, but other exceptions for malformed data.
    """
    try:
        yield
    except Exception as error:
        if not isinstance(error, WebAuthnException):
            log.info("the answer of a passkey could not be read: %r", error)
        raise RequestError("The passkey was not accepted. Please try again.") from None


def make_registration_options(services: Services, person: Person, origin: str) -> str:
    """Return the options with which a browser creates a passkey, as JSON."""
    with services.store.read_connection() as connection:
        passkey_ids = list(connection.execute(select(passkeys.c.id).where(passkeys.c.person == person.id)).scalars())
    options = generate_registration_options(
        rp_id=get_origin_host(origin),
        rp_name=RELYING_PARTY_NAME,
        # The device stores this value, so it does not contain the person's number.
        user_id=services.key.sign("passkey", person.id).encode(),
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
    """Store the public key of a new passkey.

    Raise `RequestError`, or `Conflict` if the passkey is already registered.
    """
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
            raise RequestError("You have reached the maximum number of passkeys. Remove one first.")
        if connection.execute(select(passkeys.c.id).where(passkeys.c.id == row["id"])).one_or_none() is not None:
            raise Conflict("This passkey is already registered here.")
        connection.execute(insert(passkeys).values(**row))

    await services.store.write(job)


def make_authentication_options(key: ServerKey, origin: str) -> str:
    """Return the options with which a browser signs in, as JSON.

    The device chooses the passkey, so no name is needed.
    """
    options = generate_authentication_options(
        rp_id=get_origin_host(origin),
        challenge=_make_challenge(key, 0),
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return options_to_json(options)


async def authenticate_passkey(services: Services, origin: str, challenge: str, answer: dict[str, object]) -> int:
    """Return the person whose passkey gave this answer. Raise `NotFound` or `RequestError` if it is not accepted."""
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
        raise NotFound("This server does not know this passkey.")
    return row


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey, as its owner's page lists it."""

    id: str
    name: str
    host: str
    created_at: float


def list_passkeys(connection: Connection, person: int) -> list[Passkey]:
    rows = connection.execute(select(passkeys).where(passkeys.c.person == person).order_by(passkeys.c.made))
    return [Passkey(row.id, row.called, row.host, row.made) for row in rows]


async def remove_passkey(store: Store, person: Person, id: str) -> None:
    """Delete a passkey of a person, so that it no longer signs in."""

    def job(connection: Connection) -> None:
        connection.execute(delete(passkeys).where(passkeys.c.id == id, passkeys.c.person == person.id))

    await store.write(job)


def get_origin_host(origin: str) -> str:
    """Return the host to which passkeys of an origin are bound."""
    return urlsplit(origin).hostname or ""
