"""Making the chat model that a scenario names, anew for each time the scenario is played."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from beewalk.chat_models.chat_model import ChatModel
from beewalk.chat_models.entries import Entry
from beewalk.chat_models.random_calls import RandomChatModel
from beewalk.chat_models.scripted import ScriptedChatModel
from beewalk.errors import BeewalkError
from beewalk.policy.call import Call
from beewalk.scenarios.python_code import CodeError, load_object
from beewalk.scenarios.scenario_schema import ChatModelPart

Maker = Callable[[], ChatModel]


def maker_of(part: ChatModelPart, folders: Sequence[Path]) -> Maker:
    """What makes the chat model; Python code is looked for in `folders`.

    Raises:
        CodeError: the Python code cannot be had, or is nothing that replies or can be called.
    """
    if part.python is not None:
        return _from_python(part.python, load_object(part.python, folders))
    if part.random is not None:
        dice = part.random
        return lambda: RandomChatModel(seed=dice.seed, conduct=dice.conduct)
    script = part.script or []
    return lambda: ScriptedChatModel(map(_entry, script), conduct=part.conduct)


def _from_python(reference: str, found: Any) -> Maker:
    """A class or function is called each time; an object is copied, as it was when it was found."""
    if _replies(found) and not isinstance(found, type):
        made: ChatModel = found
        return lambda: _copied(made)
    if not callable(found):
        what = f"{reference!r} is of the type {type(found).__name__}"
        raise CodeError(f"{what}: name a chat model (an object with a method reply) or a callable that returns one")

    def make() -> ChatModel:
        made: Any = found()
        if not _replies(made):
            raise BeewalkError(f"{reference!r} gave a {type(made).__name__}: it must be an object with a method reply")
        chat_model: ChatModel = made
        return chat_model

    return make


def _replies(found: Any) -> bool:
    return callable(getattr(found, "reply", None))


def _copied(chat_model: ChatModel) -> ChatModel:
    """A copy, so that one play does not go on where another ended; what holds a connection stays as it is."""
    try:
        return deepcopy(chat_model)
    except Exception:  # noqa: BLE001 - whatever its own code raises, it cannot be copied
        return chat_model


def _entry(written: Any) -> Entry:
    if isinstance(written, dict):
        return next(Call.of(tool, arguments) for tool, arguments in written.items())
    if isinstance(written, list):
        return [next(Call.of(tool, arguments) for tool, arguments in one.items()) for one in written]
    text: str | None = written
    return text
