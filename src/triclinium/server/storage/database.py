"""Where a server keeps its tables: a file of its own, or a PostgreSQL that others may share."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError


class Database(ABC):
    """One database, before and beside what is asked of it in SQL."""

    engine: Engine
    shared = False  # other servers may be on it at the same time
    name: str  # as people may read it: a password is never part of it

    @abstractmethod
    def claim_database(self) -> None:
        """Take it for this server, and make it where that can be; raises BadSetup."""

    @abstractmethod
    def release_database(self) -> None:
        """Let go of it. A process that dies lets go by itself."""

    @abstractmethod
    def check_integrity(self, connection: Connection) -> None:
        """Raise BadSetup if what is kept is damaged."""

    @abstractmethod
    def complete_restore(self, connection: Connection) -> None:
        """Move the secrets of a backup that was restored to where they are read. A crash meanwhile is made good."""

    @abstractmethod
    def check_integrity_fully(self) -> None:
        """Look at what `check_sound` left for after the start; in a thread of its own. Damage is logged."""

    @abstractmethod
    def explain_error(self, error: SQLAlchemyError) -> str:
        """Why it does not open, in a sentence."""

    @abstractmethod
    def check(self) -> None:
        """Raise NotStored if what would be read is lost."""

    @abstractmethod
    def check_writable(self) -> None:
        """Raise NotStored if the next write would not be kept."""

    @abstractmethod
    def write_transaction(self, connection: Connection, seconds: float) -> AbstractContextManager[object]:
        """Return a transaction of the writer's connection that waits so many seconds for a lock of another program."""

    @abstractmethod
    def check_persisted(self) -> None:
        """Raise NotStored if what was just committed is lost."""

    @abstractmethod
    def vacuum(self) -> None:
        """Leave nothing of what was deleted."""

    @abstractmethod
    def load_or_create_secret(self, name: str, make: Callable[[], bytes]) -> bytes:
        """A secret of the house, such as its key; made the first time it is asked for."""

    @abstractmethod
    def load_secret(self, name: str) -> bytes:
        """A secret of the house; nothing: it has none of this name."""

    @abstractmethod
    def store_secret(self, name: str, content: bytes) -> None:
        """Put a secret in the place of the one before; nothing: there is none any more."""
