"""Interface of the databases that a server can use: a SQLite file of its own or a shared PostgreSQL database."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError


class Database(ABC):
    """A database backend: opening, integrity checks, transactions and secrets."""

    engine: Engine
    shared = False  # True if several servers can use the database at the same time
    name: str  # for messages and logs; never contains a password

    @abstractmethod
    def claim_database(self) -> None:
        """Reserve the database for this server and create it if possible. Raise `BadSetup` if that fails."""

    @abstractmethod
    def release_database(self) -> None:
        """Release the database. The operating system does this too when a process is killed."""

    @abstractmethod
    def check_integrity(self, connection: Connection) -> None:
        """Raise `BadSetup` if the stored data is damaged."""

    @abstractmethod
    def complete_restore(self, connection: Connection) -> None:
        """Move the secrets of a restored backup to where the server reads them.

        The call can be repeated after a crash.
        """

    @abstractmethod
    def check_integrity_fully(self) -> None:
        """Check the parts of the database that `check_integrity` skipped, and log damage.

        Meant for a thread after the start.
        """

    @abstractmethod
    def explain_error(self, error: SQLAlchemyError) -> str:
        """Return a sentence that says why the database cannot be opened."""

    @abstractmethod
    def check(self) -> None:
        """Raise `NotStored` if the database that would be read is lost."""

    @abstractmethod
    def check_writable(self) -> None:
        """Raise `NotStored` if the next write would be lost."""

    @abstractmethod
    def write_transaction(self, connection: Connection, seconds: float) -> AbstractContextManager[object]:
        """Return a transaction on the writer's connection.

        It waits at most ``seconds`` for a lock of another program.
        """

    @abstractmethod
    def check_persisted(self) -> None:
        """Raise `NotStored` if the last commit is lost."""

    @abstractmethod
    def vacuum(self) -> None:
        """Erase deleted data from the disk."""

    @abstractmethod
    def load_or_create_secret(self, name: str, make: Callable[[], bytes]) -> bytes:
        """Return a secret of the server, such as its key. Create and store it with ``make`` if there is none."""

    @abstractmethod
    def load_secret(self, name: str) -> bytes:
        """Return a secret of the server, or b"" if there is none of this name."""

    @abstractmethod
    def store_secret(self, name: str, content: bytes) -> None:
        """Replace a secret of the server. Empty content deletes it."""
