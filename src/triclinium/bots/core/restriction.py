"""Restricted play: the options that a seat may neither choose nor plan."""

from collections.abc import Callable

from triclinium.engine.core.state import Option, State


class Restriction:
    """Options of some verbs, and options about some components, which the state has to say."""

    forbidden_by_verb: list[bool]  # by option: whether its verb is banned
    forbidden_by_component: list[bool]  # by component, as an index into `Game.things`; empty: none is banned
    option_components: Callable[
        [State, Option], tuple[int, ...]
    ]  # the components that an option takes, plays or lands on
    strict: bool  # whether an option that makes little sense is better than a banned one

    def __init__(
        self,
        verbs: list[bool],
        components: list[bool],
        subjects: Callable[[State, Option], tuple[int, ...]],
        strict: bool,
    ) -> None:
        self.forbidden_by_verb = verbs
        self.forbidden_by_component = components
        self.option_components = subjects
        self.strict = strict

    def forbids(self, s: State, o: Option) -> bool:
        """Return whether the asked seat may not choose this option."""
        if self.forbidden_by_verb[o]:
            return True
        if not self.forbidden_by_component:
            return False
        for n in self.option_components(s, o):
            if self.forbidden_by_component[n]:
                return True
        return False

    def filter_options(self, s: State, options: list[Option]) -> list[Option]:
        """Return those of the options that are not banned; if all are, other legal ones, and at last all of them."""
        allowed = [o for o in options if not self.forbids(s, o)]
        if not allowed and self.strict:
            allowed = [o for o in s.legal if not self.forbids(s, o)]
        return allowed or options
