"""No file and no function outgrows one screenful of thought."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "beewalk"
FILE_LIMIT = 400
FUNCTION_LIMIT = 50  # lines of body, without the docstring


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from the first statement after the docstring to the end."""
    code = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return (function.end_lineno or 0) - code[0].lineno + 1 if code else 0


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_files_and_functions_stay_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.count("\n")
    assert lines <= FILE_LIMIT, f"{path} has {lines} lines: split it by what it is about"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = body_lines(node)
            assert lines <= FUNCTION_LIMIT, f"{path}:{node.lineno} {node.name} has {lines} lines: name its steps"
