"""An empty database as a server creates it. It is created once and copied, because that is faster."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from triclinium.server.storage.file_guard import PRIVATE_MODE
from triclinium.server.storage.store import Store


@cache
def load_empty_database() -> bytes:
    """Return the content of an empty database file. It is created once per process."""
    with TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/house.db")
        store.migrate()
        store.close()
        return Path(folder, "house.db").read_bytes()


def put_database(folder: Path) -> None:
    """Write an empty database into the folder unless there is one."""
    path = folder / "house.db"
    if not path.exists():
        path.touch(PRIVATE_MODE)
        path.write_bytes(load_empty_database())
