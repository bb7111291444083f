"""The names that authors of games use. ``docs/new-game.md`` introduces them; the API reference lists all others."""

from triclinium.engine.component_kinds import CardFace, ComponentKind
from triclinium.engine.core.action import Action
from triclinium.engine.core.components import ComponentsFile, read_components
from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.event import IMPORTANT, TURNING_POINT, EventType
from triclinium.engine.core.notation import Notation, Verb
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.score import Score, ScoreSheetLine, rank_keys
from triclinium.engine.core.state import EVERYBODY, NOBODY, Draw, Option, Seat, State, Step
from triclinium.engine.core.text import Message, Name, msgid
from triclinium.engine.core.weights import Weights
from triclinium.engine.game import Game
from triclinium.engine.game_text import GameText
from triclinium.engine.variant import Choice, Variant, number_variant
from triclinium.engine.view import HEAP, PER_SEAT, Label, Ref, View, base_fields
from triclinium.testing.contract import check_game

__all__ = [
    "EVERYBODY",
    "HEAP",
    "IMPORTANT",
    "NOBODY",
    "PER_SEAT",
    "TURNING_POINT",
    "Action",
    "CardFace",
    "Choice",
    "ComponentKind",
    "ComponentsFile",
    "Draw",
    "Evaluator",
    "EventType",
    "Game",
    "GameText",
    "Label",
    "Message",
    "Name",
    "Notation",
    "Option",
    "Ref",
    "Rng",
    "Rule",
    "Score",
    "ScoreSheetLine",
    "Seat",
    "State",
    "Step",
    "Variant",
    "Verb",
    "View",
    "Weights",
    "base_fields",
    "check_game",
    "msgid",
    "number_variant",
    "rank_keys",
    "read_components",
]
