"""An empty database as a server makes it: to make one takes longer than most tests, so it is made once and copied."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from triclinium.server.storage.file_guard import PRIVATE_MODE
from triclinium.server.storage.store import Store


@cache
def load_empty_database() -> bytes:
    """Its file, for all servers of this process."""
    with TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/house.db")
        store.migrate()
        store.close()
        return Path(folder, "house.db").read_bytes()


def put_database(folder: Path) -> None:
    """Write an empty database into the folder where there is none yet."""
    path = folder / "house.db"
    if not path.exists():
        path.touch(PRIVATE_MODE)
        path.write_bytes(load_empty_database())
