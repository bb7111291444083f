"""Lets mypy read the types of all libraries that are imported here: done when they are installed, like their bytecode.

``python -m tests.libraries`` leaves them in mypy's cache. They are half of what a first look at our types has to read.
"""

import ast
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ("src", "tests", "bench", "examples")


def is_ours(module: str) -> bool:
    """Whether a module lies in one of our folders, or is one of them."""
    top = module.partition(".")[0]
    places = [ROOT, ROOT / "src", *(ROOT / "examples").iterdir()]
    return any((place / top).is_dir() or (place / f"{top}.py").is_file() for place in places)


def imports() -> Iterator[str]:
    """Every import of something that is not ours, once."""
    found: set[str] = set()
    for path in (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {f"import {name.name}" for name in node.names if not is_ours(name.name)}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level and not is_ours(node.module):
                found |= {f"from {node.module} import {name.name}" for name in node.names}
    yield from sorted(found - {line for line in found if line.startswith("from __future__")})


def main() -> None:
    """Whatever mypy says of them is left to `make check`, which reads our own code."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "imports.py"
        file.write_text("\n".join(imports()) + "\n", encoding="utf-8")
        subprocess.run([sys.executable, "-m", "mypy", str(file)], cwd=ROOT, check=False, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
