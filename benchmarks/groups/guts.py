"""Rounds of Guts and showdowns of Indian poker, five players, one core."""

import random
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.harness import Contender, Race, Work
from benchmarks.rivals import cpp, rounds
from benchmarks.rows import Bar
from guts_sim.cards import parse_cards
from guts_sim.engine.seeds import PURPOSE_ENTRY, run_key
from guts_sim.hands import class_index, guts_table

N_PLAYERS = 5
SEED = 1
# The weakest hand that enters, near the equilibrium of five players.
WEAKEST = {2: "A4", 3: "99T"}
WEAKEST_CARDS = "9c 9d Th"
CHUNK = 1 << 18


def first_class(hand_size: int) -> int:
    """Class of the weakest hand that enters."""
    return class_index(WEAKEST[hand_size], f"guts{hand_size}")


def thresholds(hand_size: int) -> np.ndarray:
    """The same strategy as the kernels take it: entry probability per class in units of 2**-31."""
    from guts_sim.kernels.guts import ALWAYS

    row = np.zeros((1, int(guts_table(f"guts{hand_size}").max()) + 1), np.uint32)
    row[0, first_class(hand_size) :] = ALWAYS
    return row


def multipliers(joint: np.ndarray) -> np.ndarray:
    """Histogram of the multiplier from counts by (players in, best hands): nobody in leaves the pot."""
    histogram = np.zeros(rounds.MAX_MULTIPLIER, np.int64)
    histogram[1] = joint[0, 0]
    for n_in in range(1, joint.shape[0]):
        for n_best in range(1, n_in + 1):
            histogram[n_in - n_best] += joint[n_in, n_best]
    return histogram


def deal_numbers(step: int) -> Iterator[np.uint64]:
    """First deal of one call after the other, so that no two calls play the same deals."""
    first = 0
    while True:
        yield np.uint64(first)
        first += step


def counting(kernel: Callable[..., None], hand_size: int) -> Work:
    """Rounds at pot 1 by a kernel with the arguments of ``count_rounds``."""
    table, entry = guts_table(f"guts{hand_size}"), thresholds(hand_size)
    seat_strategy = np.zeros(N_PLAYERS, np.int64)
    joint = np.zeros((N_PLAYERS + 1, N_PLAYERS + 1), np.int64)
    seats = np.zeros((N_PLAYERS, 5), np.int64)
    keys = run_key(SEED), run_key(SEED, PURPOSE_ENTRY)
    numbers = deal_numbers(CHUNK)

    def run(k: int) -> np.ndarray:
        total = np.zeros(rounds.MAX_MULTIPLIER, np.int64)
        for first, _ in zip(numbers, range(k)):
            kernel(*keys, first, CHUNK, hand_size, table, entry, seat_strategy, joint, seats)
            total += multipliers(joint)
        return total

    return Work(run, grain=CHUNK)


def _lanes(hand_size: int) -> Contender:
    def prepare() -> Work:
        from guts_sim.kernels.guts import count_rounds

        return counting(count_rounds, hand_size)

    return Contender("count_rounds (lanes)", prepare)


def _scalar_twin(hand_size: int, bar: Bar | None) -> Contender:
    def prepare() -> Work:
        from guts_sim.kernels.scalar import count_rounds_scalar

        return counting(count_rounds_scalar, hand_size)

    return Contender("scalar numba twin", prepare, bar)


def _numpy(hand_size: int, bar: Bar | None) -> Contender:
    def prepare() -> Work:
        generator = np.random.default_rng(SEED)
        table, first = guts_table(f"guts{hand_size}"), first_class(hand_size)
        return Work(
            lambda k: rounds.play_numpy(generator, k * rounds.BATCH, N_PLAYERS, hand_size, table, first), rounds.BATCH
        )

    return Contender("NumPy argsort batches", prepare, bar)


def _python(hand_size: int, bar: Bar | None) -> Contender:
    def prepare() -> Work:
        generator = random.Random(SEED)
        table, first = guts_table(f"guts{hand_size}").tolist(), first_class(hand_size)
        return Work(lambda k: rounds.play_python(generator, k * 100, N_PLAYERS, hand_size, table, first), 100)

    return Contender("pure Python with a table", prepare, bar)


def _cpp(hand_size: int, bar: Bar | None) -> Contender:
    def prepare() -> Work:
        cpp.library()
        table, first, grain = guts_table(f"guts{hand_size}"), first_class(hand_size), 10_000
        seeds = iter(range(SEED, 1 << 62))

        def run(k: int) -> np.ndarray:
            return cpp.play_guts(next(seeds), k * grain, N_PLAYERS, hand_size, table, first)[0]

        return Work(run, grain)

    return Contender("own scalar C++ (Fisher-Yates)", prepare, bar, note=" ".join(cpp.FLAGS[:2]))


def _pokerkit() -> Contender:
    def prepare() -> Work:
        generator, weakest = random.Random(SEED), parse_cards(WEAKEST_CARDS)
        rounds.play_pokerkit(generator, 1, N_PLAYERS, weakest)
        return Work(lambda k: rounds.play_pokerkit(generator, k * 100, N_PLAYERS, weakest), 100)

    return Contender("pokerkit loop", prepare)


def entries() -> list[Race]:
    """Races of this group."""
    return [
        Race(
            "guts-5x3",
            "Guts round, 5 players x 3 cards: deal, rank, decide, settle",
            "rounds",
            _lanes(3),
            (
                _scalar_twin(3, Bar(7, 11)),
                _cpp(3, Bar(6, 9)),
                _numpy(3, Bar(70, 110)),
                _python(3, Bar(800, 1400)),
                _pokerkit(),
            ),
        ),
        Race(
            "guts-5x2",
            "Guts round, 5 players x 2 cards",
            "rounds",
            _lanes(2),
            (_scalar_twin(2, None), _cpp(2, None), _numpy(2, None), _python(2, None)),
        ),
    ]
