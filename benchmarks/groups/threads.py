"""Threads: how much faster, and whether they change anything."""

import hashlib
from functools import cache

import numpy as np

from benchmarks.guts_work import N_PLAYERS, SEED, thresholds
from benchmarks.harness import Contender, Race, Work, usable_cores
from benchmarks.rows import Bar
from guts_sim.engine import run_blocks
from guts_sim.engine.seeds import PURPOSE_ENTRY, run_key
from guts_sim.hands import guts_table

# A third of a second on one thread; as many blocks as share out evenly among 2, 3 and 4.
N_ROUNDS = 192 << 18
HAND_SIZE = 3


def play(workers: int, n_rounds: int = N_ROUNDS) -> str:
    """Play rounds on so many threads; returns a digest of everything that was counted."""
    from guts_sim.kernels.guts import count_rounds

    keys = run_key(SEED), run_key(SEED, PURPOSE_ENTRY)
    table, entry, seat_strategy = guts_table("guts3"), thresholds(HAND_SIZE), np.zeros(N_PLAYERS, np.int64)
    joint_total = np.zeros((N_PLAYERS + 1, N_PLAYERS + 1), np.int64)
    seats_total = np.zeros((N_PLAYERS, 5), np.int64)

    def task(start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
        joint, seats = np.empty_like(joint_total), np.empty_like(seats_total)
        count_rounds(
            *keys, np.uint64(start), stop - start, HAND_SIZE, table, entry, seat_strategy, joint, seats
        )  # fmt: skip
        return joint, seats

    def add(_start: int, _stop: int, counts: tuple[np.ndarray, np.ndarray]) -> None:
        joint_total[:] += counts[0]
        seats_total[:] += counts[1]

    run_blocks(task, n_rounds, add, workers=workers, progress=False)
    return hashlib.sha256(joint_total.tobytes() + seats_total.tobytes()).hexdigest()


@cache
def _digest_of_one_thread() -> str:
    return play(1)


def _contender(workers: int, bar: Bar | None = None) -> Contender:
    def prepare() -> Work:
        if play(workers) != _digest_of_one_thread():
            raise AssertionError(f"{workers} threads give other counts than one")

        def run(k: int) -> None:
            for _ in range(k):
                play(workers)

        return Work(run, N_ROUNDS)

    return Contender(f"{workers} thread{'s' * (workers > 1)}", prepare, bar, note="same digest" if workers > 1 else "")


def entries() -> list[Race]:
    """One race per number of threads, against one thread, by the wall clock."""
    return [
        Race(
            f"threads-{workers}",
            f"Guts 5 x 3 on {workers} threads, wall clock, same digest",
            "rounds",
            _contender(workers),
            (_contender(1, Bar(0.9 * workers, 0.975 * workers)),),
            clock="wall",
        )
        for workers in range(2, usable_cores() + 1)
    ]
