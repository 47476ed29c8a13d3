"""Sweeps: one study over a grid, the same table wherever the points are computed."""

import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pandas as pd
import pytest

import guts_sim as gs
from guts_sim.errors import InputError

GRID = {"n_players": [3, 5], "cap": [20, None], "field": ["A4+"]}
EXACT = {"study": "cascade", "grid": GRID, "reserve": False, "nobody_in": "reante"}
SAMPLED = {"study": gs.session, "grid": {"n_players": [2, 3], "cap": [20, 40]}, "field": "A4+", "sessions": 5000}


def test_every_point_is_a_row_with_the_answers_of_the_study():
    frame = gs.sweep(**EXACT)
    assert len(frame) == 4
    assert frame.attrs["complete"]
    assert list(frame.columns[:3]) == list(GRID)
    assert frame.groupby(["n_players", "field"])["cap"].apply(list).map(str).nunique() == 1  # last name varies fastest
    for _, row in frame.iterrows():
        cap = None if pd.isna(row["cap"]) else int(row["cap"])
        alone = gs.cascade(row["n_players"], field=row["field"], cap=cap, reserve=False, nobody_in="reante")
        assert row["digest"] == alone.digest
        assert row["expected_multiplier"] == alone.results["expected_multiplier"]
        assert row["peak.p_ge_10x"] == alone.results["peak"]["p_ge_10x"]


def test_rows_are_the_main_tables_below_each_other():
    grid = {"n_players": [3, 5], "hand": ["As Kd", "2s 7h"]}
    frame = gs.sweep("odds", grid, table="rows")
    assert frame.groupby(["n_players", "hand"])["opponents"].max().tolist() == [2, 2, 4, 4]
    assert frame.iloc[0]["win"] == gs.odds("As Kd", n_players=3).rows[0]["win"]


def test_threads_and_an_executor_give_the_same_table():
    alone = gs.sweep(**SAMPLED, seed=1, workers=1)
    assert alone["seed"].tolist() == [1] * 4
    with ThreadPoolExecutor(2) as threads:
        for options in ({"workers": 2}, {"executor": threads}):
            pd.testing.assert_frame_equal(gs.sweep(**SAMPLED, seed=1, **options), alone)


@pytest.mark.slow
def test_processes_give_the_same_table():
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as processes:
        spread = gs.sweep(**SAMPLED, seed=1, executor=processes)
    pd.testing.assert_frame_equal(spread, gs.sweep(**SAMPLED, seed=1))


def test_a_drawn_seed_is_that_of_all_points():
    frame = gs.sweep("session", {"n_players": [2, 3]}, field="A4+", sessions=100)
    assert frame["seed"].nunique() == 1
    seeds = gs.sweep("session", {"seed": [4, 5]}, n_players=2, field="A4+", sessions=100)
    assert seeds["seed"].tolist() == [4, 5]


def test_the_bar_counts_points(capsys):
    gs.sweep("odds", {"hand": ["As Kd", "2s 7h"]}, progress=True)
    shown = capsys.readouterr().err
    assert "/2.00" in shown
    assert "points/s" in shown
    assert "deals" not in shown


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"study": "poker"}, "study: 'poker' is not known; choose"),
        ({"grid": {}}, "grid: .* is not allowed"),
        ({"grid": {"n_players": []}}, "grid: n_players has no values"),
        ({"grid": {"n_players": 3}}, "grid: 'n_players' needs a list of values, got 3"),
        ({"grid": {"field": "A4+"}}, "grid: 'field' needs a list of values"),
        ({"grid": {"field": ["A4+"], "reserve": [True]}}, "grid: reserve is given outside the grid as well"),
        ({"grid": {"workers": [1, 2], "n_players": [3]}}, "grid: workers is"),
        ({"grid": {"n_players": [3, 11]}, "field": "A4+"}, r"^at n_players 11: .*2 to 10"),
        ({"grid": {"n_players": range(1001), "seed": range(1000)}}, "points of the grid must be"),
        ({"table": "rows and answers"}, "table: 'rows and answers' is not allowed; choose answers or rows"),
    ],
)
def test_bad_grids_are_refused(changes, message):
    with pytest.raises(InputError, match=message):
        gs.sweep(**(EXACT | changes))


def test_one_seed_is_enough():
    with pytest.raises(InputError, match="seed: it is in the grid as well"):
        gs.sweep("session", {"seed": [1]}, seed=2, n_players=2, field="A4+")


def test_ctrl_c_leaves_the_points_that_were_finished():
    timer = threading.Timer(2.0, os.kill, (os.getpid(), signal.SIGINT))
    gs.session(2, field="A4+", sessions=10, seed=1)  # compiled before the clock runs
    start = time.monotonic()
    timer.start()
    try:
        frame = gs.sweep("session", {"sessions": [10, 2**40]}, n_players=2, field="A4+", seed=1)
    finally:
        timer.join()
    assert time.monotonic() - start < 30  # and not for years
    assert frame.attrs["complete"] is False
    assert frame["n"].tolist() == [10]
