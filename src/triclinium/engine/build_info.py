"""Which build runs: the compiled one, or the sources as they are."""

import sys

from triclinium.engine.core import state


def is_compiled(module: str = state.__name__) -> bool:
    """Whether a module that is loaded, that of all states if none is named, is the compiled one."""
    return not (sys.modules[module].__file__ or ".py").endswith(".py")
