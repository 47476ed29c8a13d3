import doctest
import importlib
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stopping import press_ctrl_c

from guts_sim.checks import check_count
from guts_sim.engine import RunStatus, blocks, default_workers, progress, progress_bar, run_blocks, run_key
from guts_sim.errors import InputError
from guts_sim.kernels import _jit


def count_cards(start, stop):
    """How often each card is dealt first in deals start .. stop - 1."""
    from guts_sim.kernels.deal import fill_deals

    cards = np.empty((stop - start, 3), np.uint8)
    fill_deals(run_key(77), np.uint64(start), np.empty(0, np.uint8), cards)
    return np.bincount(cards[:, 0], minlength=52)


class Recorder:
    def __init__(self):
        self.total = np.zeros(52, np.int64)
        self.ranges = []

    def __call__(self, start, stop, result):
        self.ranges.append((start, stop))
        self.total += result


def recorded(n_deals, **options):
    recorder = Recorder()
    status = run_blocks(count_cards, n_deals, recorder, **options)
    assert status == RunStatus(n_deals, True)
    return recorder


@pytest.fixture(scope="module")
def reference():
    return recorded(10_000, workers=1).total


@pytest.mark.parametrize("workers", [None, 1, 2, 3])
@pytest.mark.parametrize("block_size", [700, 5000, 10**6])
@pytest.mark.parametrize("progress", [None, False, True])
def test_result_is_the_same_on_any_workers(reference, workers, block_size, progress):
    run = recorded(10_000, workers=workers, block_size=block_size, progress=progress)
    assert run.ranges == list(blocks.block_ranges(0, 10_000, block_size))
    assert np.array_equal(run.total, reference)


def test_result_is_the_same_on_processes_and_foreign_threads(reference):
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as processes, ThreadPoolExecutor(2) as threads:
        for executor in (processes, threads):
            run = recorded(10_000, block_size=3000, executor=executor)
            assert np.array_equal(run.total, reference)
        assert threads.submit(int, 3).result() == 3  # left open


@given(first=st.integers(0, 10**6), n_deals=st.integers(1, 5000), block_size=st.integers(1, 3000))
def test_blocks_cover_every_deal_once_and_are_cut_at_multiples(first, n_deals, block_size):
    ranges = list(blocks.block_ranges(first, n_deals, block_size))
    assert ranges[0][0] == first
    assert ranges[-1][1] == first + n_deals
    assert all(stop == start for (_, stop), (start, _) in zip(ranges, ranges[1:]))  # noqa: RUF007
    assert all(0 < stop - start <= block_size for start, stop in ranges)
    assert all(start % block_size == 0 for start, _ in ranges[1:])


def test_a_run_and_its_continuation_equal_one_long_run(reference):
    halves = recorded(5000, block_size=999).total + recorded(5000, block_size=999, first=5000).total
    assert np.array_equal(halves, reference)


@pytest.mark.parametrize("workers", [1, 2])
def test_interruption_reports_the_blocks_that_were_accumulated(workers):
    done = []

    def accumulate(start, stop, _result):
        if start == 40:
            raise KeyboardInterrupt
        done.append((start, stop))

    status = run_blocks(lambda start, stop: None, 100, accumulate, block_size=10, workers=workers)
    assert status == RunStatus(40, False)
    assert done == [(0, 10), (10, 20), (20, 30), (30, 40)]


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_block_costs_none_of_those_before_it(workers):
    """Quick blocks travel together; the one that is interrupted must not take the others along."""
    done = []

    def task(start, _stop):
        if start == 505:
            raise KeyboardInterrupt
        return start

    status = run_blocks(task, 1000, lambda start, *_: done.append(start), block_size=1, workers=workers)
    assert status == RunStatus(505, False)
    assert done == list(range(505))


@pytest.mark.parametrize("workers", [1, 3])
def test_a_signal_never_strikes_inside_accumulate(workers):
    done = []

    def accumulate(start, stop, _result):
        if start == 30:
            press_ctrl_c()
        done.append(start)

    status = run_blocks(lambda start, stop: None, 100, accumulate, block_size=10, workers=workers)
    assert status == RunStatus(40, False)
    assert done == [0, 10, 20, 30]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_foreign_signal_handler_stays_in_charge():
    caught = []
    before = signal.signal(signal.SIGINT, lambda *_: caught.append(1))
    try:
        status = run_blocks(
            lambda start, stop: None,
            20,
            lambda *_: (os.kill(os.getpid(), signal.SIGINT), time.sleep(0.3)),  # the second must not join the first
            block_size=10,
            workers=1,
        )
    finally:
        signal.signal(signal.SIGINT, before)
    assert status.complete
    assert caught == [1, 1]


def test_a_run_outside_the_main_thread_works(reference):
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(recorded, 10_000, block_size=2500, workers=2).result()
    assert np.array_equal(run.total, reference)


INTERRUPTED_SCRIPT = """
import sys, time
from guts_sim.engine import run_blocks

def task(start, stop):
    time.sleep(0.02)
    return stop - start

def accumulate(start, stop, result):
    global total
    total += result
    print("block", flush=True)

total = 0
status = run_blocks(task, 10**6, accumulate, block_size=100, workers=int(sys.argv[1]))
print(status.complete, status.n_done == total, 0 < total < 10**6)
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_ends_a_process_with_a_partial_result(workers):
    command = [sys.executable, "-c", INTERRUPTED_SCRIPT, workers]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "block\n"
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        out, err = process.communicate(timeout=30)
    assert time.monotonic() - start < 2
    assert out.splitlines()[-1] == "False True True"
    assert err == ""
    assert process.returncode == 0


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_in_a_block_comes_out_and_nothing_runs_on(workers):
    running = threading.Semaphore(0)

    def task(start, _stop):
        if start == 20:
            raise ZeroDivisionError("block 2")
        running.release()
        time.sleep(0.01)
        assert running.acquire(blocking=False)

    done = []
    with pytest.raises(ZeroDivisionError, match="block 2"):
        run_blocks(task, 1000, lambda start, stop, _: done.append(start), block_size=10, workers=workers)
    assert done == [0, 10]
    assert not running.acquire(blocking=False)


@pytest.mark.parametrize(("first", "n_deals"), [(0, 1000), (0, 1003), (7, 95), (3, 4)])
def test_workers_combine_whole_blocks_and_leave_the_last_piece_alone(first, n_deals):
    """Whatever the bundles, sums and cuts fit; a piece at the end comes by itself, since it will be done again."""
    done = []
    with ThreadPoolExecutor(2) as pool:
        status = run_blocks(
            lambda start, stop: sum(range(start, stop)),
            n_deals,
            lambda *block: done.append(block),
            first=first,
            block_size=10,
            executor=pool,
            combine=lambda a, b: a + b,
        )
    end = first + n_deals
    assert status == RunStatus(n_deals, True)
    starts, stops, sums = zip(*done)
    assert starts == (first, *stops[:-1])
    assert stops[-1] == end
    assert list(sums) == [sum(range(start, stop)) for start, stop, _ in done]
    assert all(stop % 10 == 0 for stop in stops[:-1])
    assert starts[-1] == max(first, end // 10 * 10) or end % 10 == 0
    if n_deals > 500:
        assert len(done) < 60  # of 100 blocks


def test_threads_of_the_run_itself_hand_over_every_block():
    cuts = []
    run_blocks(
        lambda start, stop: 0, 95, lambda *cut: cuts.append(cut[:2]), block_size=10, workers=2, combine=lambda a, b: 0
    )
    assert cuts == list(blocks.block_ranges(0, 95, 10))


def test_few_blocks_are_in_flight():
    lock = threading.Lock()
    open_blocks, most = 0, 0

    def task(_start, _stop):
        nonlocal open_blocks, most
        with lock:
            open_blocks += 1
            most = max(most, open_blocks)

    def accumulate(_start, _stop, _result):
        nonlocal open_blocks
        time.sleep(0.001)  # a slow consumer must hold the workers back
        with lock:
            open_blocks -= 1

    run_blocks(task, 2000, accumulate, block_size=10, workers=3)
    assert open_blocks == 0
    assert most <= 6 * blocks.MOST_PER_THREAD_BUNDLE


@pytest.mark.parametrize(
    "options",
    [
        {"n_deals": 0},
        {"n_deals": -5},
        {"n_deals": float("nan")},
        {"n_deals": 2**54},
        {"first": -1},
        {"block_size": 0},
        {"workers": 0},
        {"workers": 1.5},
        {"workers": True},
    ],
)
def test_bad_numbers_are_refused(options):
    name = next(iter(options))
    with pytest.raises(InputError, match=f"^{name} must be a whole number"):
        run_blocks(lambda start, stop: None, **{"n_deals": 10, "accumulate": print, **options})


@pytest.mark.parametrize("value", [5, 5.0, np.int64(5), np.uint8(5), np.float32(5)])
def test_counts_are_accepted(value):
    assert check_count(value, "n") == 5
    assert type(check_count(value, "n")) is int


@pytest.mark.parametrize(
    "value", [0, -5, 1.5, float("nan"), float("inf"), np.float64("-inf"), True, np.True_, "5", None, [5], 5j]
)
def test_other_counts_are_refused_in_one_line(value):
    with pytest.raises(InputError, match=r"^n must be a whole number of at least 1, got ") as refusal:
        check_count(value, "n")
    assert "\n" not in str(refusal.value)


def test_the_refusal_names_both_limits():
    with pytest.raises(InputError, match=r"^players must be a whole number from 2 to 10, got 11$"):
        check_count(11, "players", 2, 10)


def test_progress_is_silent_where_standard_error_is_no_terminal(capsys):
    with progress_bar(10) as bar:
        bar.advance(10)
    assert capsys.readouterr().err == ""


def test_a_bar_that_waits_for_the_compiler_says_so(capsys, monkeypatch):
    """A first run stands at nothing for many seconds, which looks like a hang."""
    asked = threading.Event()

    def is_compiling():
        asked.set()
        return True

    monkeypatch.setattr(progress, "_NOTICE_SECONDS", 0.01)
    monkeypatch.setattr(_jit, "is_compiling", is_compiling)
    with progress_bar(1000, show=True) as bar:
        assert asked.wait(10)
        time.sleep(0.05)
        before = capsys.readouterr().err
        bar.advance(1000)
    assert progress.FIRST_RUN in before
    assert progress.FIRST_RUN not in capsys.readouterr().err.splitlines()[-1]


def test_progress_can_be_forced_and_counts_deals(capsys):
    with progress_bar(1000, show=True) as bar:
        bar.advance(1000)
    shown = capsys.readouterr().err
    assert "/1.00k" in shown
    assert "deals/s" in shown


def test_there_is_at_least_one_worker():
    assert default_workers() >= 1


@pytest.mark.parametrize("name", ["checks", "engine.seeds", "engine.progress", "engine.blocks", "engine.dealing"])
def test_examples_in_docstrings(name):
    result = doctest.testmod(importlib.import_module(f"guts_sim.{name}"))
    assert result.attempted > 0
    assert result.failed == 0
