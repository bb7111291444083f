"""Restricted play: the options that a seat may neither choose nor plan."""

from collections.abc import Callable

from triclinium.engine.core.state import Option, State


class Ban:
    """Options of some verbs, and options about some components, which the state has to say."""

    verbs: list[bool]  # by option: whether its verb is banned
    components: list[bool]  # by component, as an index into `Game.things`; empty: none is banned
    subjects: Callable[[State, Option], tuple[int, ...]]  # the components that an option takes, plays or lands on
    strict: bool  # whether an option that makes little sense is better than a banned one

    def __init__(
        self,
        verbs: list[bool],
        components: list[bool],
        subjects: Callable[[State, Option], tuple[int, ...]],
        strict: bool,
    ) -> None:
        self.verbs = verbs
        self.components = components
        self.subjects = subjects
        self.strict = strict

    def forbids(self, s: State, o: Option) -> bool:
        """Return whether the asked seat may not choose this option."""
        if self.verbs[o]:
            return True
        if not self.components:
            return False
        for n in self.subjects(s, o):
            if self.components[n]:
                return True
        return False

    def allowed(self, s: State, options: list[Option]) -> list[Option]:
        """Return those of the options that are not banned; if all are, other legal ones, and at last all of them."""
        found = [o for o in options if not self.forbids(s, o)]
        if not found and self.strict:
            found = [o for o in s.legal if not self.forbids(s, o)]
        return found or options
