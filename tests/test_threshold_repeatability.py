"""One seed, one answer: threads, processes, progress, longer runs; and the keys of the JSON object."""

import json
import multiprocessing
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

from guts_sim.errors import InputError
from guts_sim.solve.sampled import SCORE_BLOCK
from guts_sim.studies.threshold import threshold

MIXED = {"cards": 2, "field": "AA,AK,A2", "method": "mc", "seed": 7}  # no threshold field: sampled


@pytest.fixture(scope="module")
def quick_solver():
    """A solver too short to find the equilibrium, but long enough to be repeated."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("guts_sim.solve.equilibrium.ITERATIONS", 3)
        patch.setattr("guts_sim.solve.equilibrium.SEARCH_DEALS", 16_384)
        yield


@pytest.fixture(scope="module")
def reference(quick_solver):
    return threshold(4, deals=9 * SCORE_BLOCK + 77, workers=1, **MIXED)


@pytest.mark.usefixtures("quick_solver")
@pytest.mark.parametrize("options", [{"workers": 2}, {"workers": 3}, {"progress": True}, {"progress": False}])
def test_digest_does_not_depend_on_how_it_is_run(reference, options):
    np.random.seed(0)  # noqa: NPY002  (the global state must not matter)
    assert threshold(4, deals=9 * SCORE_BLOCK + 77, **MIXED, **options).digest == reference.digest


@pytest.mark.usefixtures("quick_solver")
def test_digest_is_the_same_in_a_pool_of_processes(reference):
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        pooled = threshold(4, deals=9 * SCORE_BLOCK + 77, executor=pool, **MIXED)
    assert pooled.digest == reference.digest


def test_digest_is_the_same_in_another_process(reference):
    code = (
        "import guts_sim.solve.equilibrium as e; e.ITERATIONS = 3; e.SEARCH_DEALS = 16_384\n"
        "from guts_sim.studies.threshold import threshold\n"
        f"print(threshold(4, deals={9 * SCORE_BLOCK + 77}, **{MIXED!r}).digest)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == reference.digest


@pytest.mark.usefixtures("quick_solver")
@pytest.mark.parametrize("first", [1, 8 * SCORE_BLOCK, 8 * SCORE_BLOCK + 5, 9 * SCORE_BLOCK + 77])
def test_extended_results_equal_longer_ones(reference, first):
    short = threshold(4, deals=first, **MIXED)
    extended = short.extend(9 * SCORE_BLOCK + 77)
    assert extended.digest == reference.digest
    assert short.n == first  # untouched
    assert extended.extend(extended.n).digest == reference.digest


@pytest.mark.usefixtures("quick_solver")
def test_other_seeds_give_other_results(reference):
    assert threshold(4, deals=9 * SCORE_BLOCK + 77, **(MIXED | {"seed": 8})).digest != reference.digest


def test_extend_refuses_exact_results_and_fewer_deals(reference):
    with pytest.raises(InputError, match="exact"):
        threshold(3).extend(100)
    with pytest.raises(InputError, match="deals"):
        reference.extend(10)


@pytest.mark.usefixtures("quick_solver")
def test_few_deals_leave_the_standard_error_unknown():
    result = threshold(4, deals=10, **MIXED)
    assert json.loads(result.to_json())["results"]["exploitability"]["stderr"] is None
    assert "nan" not in result.summary()


def test_exact_digest_ignores_seed_and_deals():
    assert threshold(3, seed=1).digest == threshold(3, seed=2, deals=10).digest


def test_keys_of_the_json_object(reference):
    record = json.loads(reference.to_json())
    assert {"command", "schema", "rules", "parameters", "method", "n", "seed", "confidence", "complete"} < set(record)
    results = record["results"]
    assert {"n_players", "cards", "threshold", "equilibrium", "round", "exploitability"} < set(results)
    assert {"hand", "entry_prob"} <= set(results["threshold"])
    assert {"kind", "entry_prob", "hands"} <= set(results["equilibrium"])
    columns = {"hand", "enter", "frequency", "ev_in", "ev_out", "delta", "stderr"}
    assert columns <= set(results["equilibrium"]["hands"][0])
    stats = {"p_nobody", "p_one", "p_contested", "expected_multiplier", "expected_rounds", "tail_index"}
    assert stats <= set(results["round"])
    assert {"value", "stderr"} <= set(results["exploitability"])
    assert {"entry_prob", "exploitability", "round", "supercritical"} <= set(results["field"])
    assert {"hands", "value", "stderr"} <= set(results["best_response"])
