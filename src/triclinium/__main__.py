"""``python -m triclinium`` is the command ``triclinium``."""

from triclinium.cli.main import main

if __name__ == "__main__":  # worker processes import this module too
    raise SystemExit(main())
