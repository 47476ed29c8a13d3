"""Arguments that studies share: bad ones are refused in one line before any work begins."""

from functools import partial

import pytest

import guts_sim as gs
from guts_sim.engine import MAX_DEALS, resolve_seed

HUGE = pytest.param(10**5000, id="huge")


@pytest.mark.parametrize("field", [5, 0.5, ["AA"], b"AA", object(), HUGE])
@pytest.mark.parametrize("study", [partial(gs.threshold, 5), partial(gs.odds, "As Kd")], ids=["threshold", "odds"])
def test_a_field_that_is_neither_text_nor_strategy_is_refused(study, field):
    with pytest.raises(gs.InputError, match=r"field: .+ is not allowed") as error:
        study(field=field)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("deals", [0, -1, 1.5, MAX_DEALS + 1, 1e30, "5", float("nan"), HUGE])
def test_deals_that_cannot_be_done_are_refused_before_the_solver_runs(deals):
    with pytest.raises(gs.InputError, match=r"deals must be a whole number from 1 to"):
        gs.threshold(5, cards=3, deals=deals)
    with pytest.raises(gs.InputError, match=r"deals must be a whole number from 1 to"):
        gs.odds("As Kd Qc", n_players=5, deals=deals)


@pytest.mark.parametrize("seed", [pytest.param(-(10**5000), id="huge"), -1, 1.5, True, "7"])
def test_seeds_that_are_none_are_refused_in_one_line(seed):
    with pytest.raises(gs.InputError, match="seed must be an integer of at least 0"):
        resolve_seed(seed)


@pytest.mark.parametrize("deals", [None, 1, 999, MAX_DEALS + 1, "2000"])
def test_an_extension_needs_a_larger_number_of_deals(deals):
    result = gs.odds("As Kd", method="mc", deals=1000, seed=1)
    with pytest.raises(gs.InputError, match="deals must be a whole number from 1000 to"):
        result.extend(deals)
