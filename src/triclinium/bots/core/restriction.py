"""Restricted play: options that a seat must neither choose nor plan."""

from collections.abc import Callable

from triclinium.engine.core.state import Option, State


class Restriction:
    """Forbidden options: those of some verbs, and those about some components."""

    forbidden_by_verb: list[bool]  # by option: whether its verb is forbidden
    forbidden_by_component: list[bool]  # by index into `Game.all_components`; empty if no component is forbidden
    # returns the components that an option takes, plays or affects
    option_components: Callable[[State, Option], tuple[int, ...]]
    strict: bool  # whether a pointless option is better than a forbidden one

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
        """Return the allowed ones of these options, else other allowed options, else the options unchanged."""
        allowed = [o for o in options if not self.forbids(s, o)]
        if not allowed and self.strict:
            allowed = [o for o in s.legal if not self.forbids(s, o)]
        return allowed or options
