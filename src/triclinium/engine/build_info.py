"""Information about the running build: compiled, or interpreted from its sources."""

import sys

from triclinium.engine.core import state


def is_compiled(module: str = state.__name__) -> bool:
    """Return whether a loaded module is compiled. The default is the module of all states."""
    return not (sys.modules[module].__file__ or ".py").endswith(".py")
