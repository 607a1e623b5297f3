"""Every cell of the boundary table on beewalk's agent; test_boundary_upstream.py has them on the real one."""

import pytest

from tests.support.boundary_cases import CASES, MALFORMED, Case
from tests.support.own_agent import OwnAgent, Playing, without_nulls


@pytest.mark.parametrize("case", [*CASES, *MALFORMED], ids=lambda case: case.name)
def test_the_agent_does_what_the_table_says(case: Case) -> None:
    chat_model = Playing(case.script)
    record, _ = OwnAgent(case.policy(), chat_model, chat_model.asks, outcomes={}, permissions={}).run()
    assert record.ends == case.ends
    assert len(record.asks) == case.asks
    assert tuple(request[3] for request in record.requests) == case.choices
    assert record.steps == case.steps
    assert without_nulls(record.answer) == without_nulls(case.answer)
