"""Moves: what can happen next. Without conduct: a call of a tool with its outcome, or a repeated call."""

from collections.abc import Sequence
from dataclasses import dataclass

from beewalk.policy.blackbox import Letter
from beewalk.policy.policy import Policy
from beewalk.policy.step import Step, Turn
from beewalk.policy.tool import DENIED, ERROR, OK, Tool


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """A call of `tool` that ends in `outcome`, or with `repeated` one that does not run, because it was made before."""

    tool: str
    outcome: str = OK
    repeated: bool = False

    def __str__(self) -> str:
        if self.repeated:
            return f"repeat {self.tool}"
        return self.tool if self.outcome == OK else f"{self.tool}:{self.outcome}"


class Alphabet:
    """All moves of a policy in a fixed order: tools as registered; ok, named outcomes, error, denied; then repeats.

    `turns[m]` and `letters[m]` are the turn and the letter that move number `m` stands for; repeated calls finish no
    turn and the final answer's moves end the run, so neither are among them. `repeats` has the repeated call of each
    tool (by number) that takes no arguments, unless the loop does not look for repeated calls.

    Args:
        policy: whose tools are called.
        errors: whether calls may fail.
        denied: whether the user may refuse; only tools that some requirement manages have that move.
        managed: names of those tools.
    """

    def __init__(self, policy: Policy, *, errors: bool, denied: bool, managed: frozenset[str]) -> None:
        self.moves: list[Move] = []
        self.turns: list[Turn] = []
        self.letters: list[Letter] = []
        self.of_tool: list[list[int]] = []
        for tool in policy.tools[:-1]:
            outcomes = outcomes_of(tool, errors=errors, denied=denied and tool.name in managed)
            self.of_tool.append(list(range(len(self.moves), len(self.moves) + len(outcomes))))
            for outcome in outcomes:
                self.moves.append(Move(tool.name, outcome))
                self.turns.append(Turn(1, (Step.of(tool, outcome),)))
                self.letters.append(((tool.name, outcome),))
        self.repeats: dict[int, int] = {}
        for number, tool in enumerate(policy.tools[:-1]):
            if tool.arguments == "none" and policy.loop.repeated_calls is not None:
                self.repeats[number] = len(self.moves)
                self.moves.append(Move(tool.name, repeated=True))
        self.end = len(self.moves)
        self.moves.append(Move(policy.final_answer.name))
        self.of_tool.append([self.end])

    @property
    def outcomes(self) -> list[str]:
        """Every outcome that is explored, in order of first use."""
        return list(dict.fromkeys(move.outcome for move in self.moves))


def outcomes_of(tool: Tool, *, errors: bool, denied: bool) -> Sequence[str]:
    """The outcomes of a call of `tool` that are explored."""
    return [OK, *tool.named_outcomes, *([ERROR] if errors else []), *([DENIED] if denied else [])]
