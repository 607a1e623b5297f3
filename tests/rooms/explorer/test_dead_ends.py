"""Each clash of parameters is found once, with its witness and what is to blame; the twin without it is clean."""

from collections.abc import Mapping

import pytest

from beewalk import Policy, RequirementError
from beewalk.explorer.finding import Finding
from beewalk.properties.exploration import explore_policy
from beewalk.reasoner.request import DeadEnd, Request
from tests.support.builders import names, request_after
from tests.support.dead_ends import DEAD_ENDS, Clash
from tests.support.other_clashes import ENDLESS, RAISING


def every(clashes: Mapping[str, Clash]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("clash", clashes.values(), ids=clashes.keys())


def errors_of(policy: Policy, clash: Clash) -> tuple[Finding, ...]:
    return explore_policy(policy, outcomes=clash.outcomes).errors


def the_error(clash: Clash) -> Finding:
    (found,) = errors_of(clash.make(clash.bad), clash)
    return found


def assert_found_as_written(found: Finding, clash: Clash, code: str) -> None:
    assert (found.code, found.severity) == (code, "error")
    assert names(found.witness) == clash.witness.split()
    assert found.needs == clash.needs
    assert set(found.blame) == clash.blame
    assert len(found.blame) == len(clash.blame), "each is blamed once"
    assert found.count == clash.stuck


@every(DEAD_ENDS)
def test_clash_is_one_dead_end(clash: Clash) -> None:
    found = the_error(clash)
    assert_found_as_written(found, clash, "dead-end")
    assert found.point_of_no_return == clash.lost


@every(RAISING)
def test_clash_is_one_requirement_error(clash: Clash) -> None:
    assert_found_as_written(the_error(clash), clash, "requirement-error")


@every(ENDLESS)
def test_clash_is_one_run_that_cannot_stop(clash: Clash) -> None:
    assert_found_as_written(the_error(clash), clash, "cannot-stop")


@every({**DEAD_ENDS, **RAISING, **ENDLESS})
def test_twin_that_differs_in_one_value_has_no_error(clash: Clash) -> None:
    found = errors_of(clash.make(clash.good), clash)
    assert [one for one in found if one.code != "remembered-choice-blocks"] == []  # that is another run's


@every(DEAD_ENDS)
def test_reasoner_allows_nothing_after_the_witness(clash: Clash) -> None:
    assert isinstance(request_after(clash.make(clash.bad), clash.witness), DeadEnd)


@every(RAISING)
def test_requirement_raises_after_the_witness(clash: Clash) -> None:
    with pytest.raises(RequirementError, match="must be called at step"):
        request_after(clash.make(clash.bad), clash.witness)


@every({**DEAD_ENDS, **RAISING})
def test_reasoner_makes_a_request_at_each_step_before(clash: Clash) -> None:
    policy = clash.make(clash.bad)
    moves = clash.witness.split()
    for length in range(len(moves)):
        request = request_after(policy, " ".join(moves[:length]))
        assert isinstance(request, Request)
        assert moves[length].partition(":")[0] in request.allowed


@every(ENDLESS)
def test_reasoner_offers_no_way_out_but_goes_on_after_the_witness(clash: Clash) -> None:
    policy = clash.make(clash.bad)
    request = request_after(policy, clash.witness)
    assert isinstance(request, Request)
    assert "final_answer" not in request.allowed or request.tool_choice not in {"required", "auto", "final_answer"}


@every({**DEAD_ENDS, **RAISING, **ENDLESS})
def test_message_says_after_which_moves(clash: Clash) -> None:
    moves = clash.witness.split()
    assert (", ".join(moves) if moves else "start") in the_error(clash).message
