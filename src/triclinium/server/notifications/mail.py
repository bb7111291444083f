"""Mail through the operator's mail server, such as ``mailtos://user:password@mail.example.org``."""

import smtplib
import ssl
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate
from urllib.parse import parse_qs, unquote, urlsplit

from triclinium.engine.core.errors import BadSetup
from triclinium.server.notifications.safe_http import RESPONSE_TIMEOUT, Unreachable

SCHEMES = ("mailto", "mailtos")  # unencrypted, for a relay on the same machine, and encrypted
IMPLICIT_TLS_PORT = 465
PRIVATE_DOMAINS = ("localhost", "localdomain", "local", "internal", "lan", "home", "arpa", "invalid")


@dataclass(frozen=True, slots=True)
class Mailer:
    """The mail server through which this server sends mail."""

    host: str
    port: int
    encrypted: bool
    user: str
    password: str
    sender: str

    @staticmethod
    def read(text: str) -> "Mailer":
        """Return the mail server that a URL names.

        Raise `BadSetup`, without repeating the password, if it is not valid.
        """
        try:
            parts = urlsplit(text)
            query = parse_qs(parts.query)
            user, password = unquote(parts.username or ""), unquote(parts.password or "")
            encrypted = parts.scheme == "mailtos"
            host = parts.hostname or ""
            sender = query.get("from", [user if "@" in user else f"{user or 'triclinium'}@{host}"])[0]
            port = parts.port or (587 if encrypted else 25)
        except ValueError:
            raise BadSetup(INVALID_SETTING) from None
        if parts.scheme not in SCHEMES or not host or not is_mail_address(sender):
            raise BadSetup(INVALID_SETTING)
        return Mailer(host, port, encrypted, user, password, sender)

    def send(self, message: EmailMessage) -> None:
        """Send a mail. Raise `Unreachable` if that fails."""
        try:
            with self._connect() as server:
                if self.password:
                    server.login(self.user, self.password)
                server.send_message(message)
        except smtplib.SMTPRecipientsRefused as refused:
            raise Unreachable(_decode_answer(next(iter(refused.recipients.values()), (0, b""))[1])) from None
        except smtplib.SMTPResponseException as answered:
            raise Unreachable(_decode_answer(answered.smtp_error)) from None
        except (OSError, smtplib.SMTPException) as error:
            raise Unreachable(f"{self.host} does not answer: {error}") from None

    def _connect(self) -> smtplib.SMTP:
        if self.encrypted and self.port == IMPLICIT_TLS_PORT:
            return smtplib.SMTP_SSL(
                self.host, self.port, timeout=RESPONSE_TIMEOUT, context=ssl.create_default_context()
            )
        server = smtplib.SMTP(self.host, self.port, timeout=RESPONSE_TIMEOUT)
        if self.encrypted:
            server.starttls(context=ssl.create_default_context())
        return server


INVALID_SETTING = "the mail server must be given as TRICLINIUM_MAIL=mailtos://user:password@mail.example.org"


def _decode_answer(answer: bytes | str) -> str:
    return answer if isinstance(answer, str) else answer.decode("utf-8", "replace")


def is_mail_address(address: str) -> bool:
    """Return whether a text is exactly one mail address."""
    name, at, host = address.rpartition("@")
    if not at or not name or not host or len(address) > 200 or not address.isprintable():
        return False
    try:
        return Address(addr_spec=address).addr_spec == address and not any(
            character in address for character in ' ,;<>"'
        )
    except (ValueError, IndexError):
        return False


def is_public_mail_address(address: str) -> bool:
    """Return whether a mail address has a public domain, and not an IP address or a name of a local network."""
    labels = address.rpartition("@")[2].lower().rstrip(".").split(".")
    return len(labels) > 1 and labels[-1] not in PRIVATE_DOMAINS and not labels[-1].strip("[]").isdigit()


def build_mail(to: str, sender: str, subject: str, text: str, id: str, unsubscribe: str) -> EmailMessage:
    """Return a mail. A POST request to the URL ``unsubscribe`` ends all mails to its recipient."""
    message = EmailMessage()
    message["Subject"] = " ".join(subject.split())
    message["From"] = Address("Triclinium", addr_spec=sender)
    message["To"] = to
    message["Date"] = formatdate()
    message["Message-ID"] = f"<{id}@{sender.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    message["List-Unsubscribe"] = f"<{unsubscribe}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(text)
    return message
