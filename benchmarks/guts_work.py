"""Rounds of Guts as work to be timed: by the kernels of this library and by its rivals."""

import random
from collections.abc import Callable, Iterator
from itertools import count

import numpy as np

from benchmarks.harness import Work
from benchmarks.rivals import cpp, rounds
from guts_sim.cards import parse_cards
from guts_sim.engine.plans import encode_table, play_block
from guts_sim.engine.seeds import PURPOSE_ENTRY, run_key
from guts_sim.hands import class_index, guts_table
from guts_sim.rules import get_rules
from guts_sim.solve.decisions import DecisionGame, decision_task
from guts_sim.solve.sampled import ScoreTask
from guts_sim.strategy import parse_field

N_PLAYERS = 5
SEED = 1
# The weakest hand that enters, near the equilibrium of five players.
WEAKEST = {2: "A4", 3: "99T"}
WEAKEST_CARDS = "9c 9d Th"
CHUNK = 1 << 18
TABLES = 1 << 12  # that carry their pots side by side


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
    return map(np.uint64, count(0, step))


def counting(kernel: Callable[..., None], hand_size: int) -> Work:
    """Independent rounds at pot 1 by a kernel with the arguments of ``count_rounds``."""
    table, entry = guts_table(f"guts{hand_size}"), thresholds(hand_size)
    seat_strategy = np.zeros(N_PLAYERS, np.int64)
    joint = np.zeros((N_PLAYERS + 1, N_PLAYERS + 1), np.int64)
    seats = np.zeros((N_PLAYERS, 5), np.int64)
    keys = run_key(SEED), run_key(SEED, PURPOSE_ENTRY)

    def play(first: np.uint64) -> np.ndarray:
        kernel(*keys, first, CHUNK, hand_size, table, entry, seat_strategy, joint, seats)
        return multipliers(joint)

    return Work(summed(play, CHUNK), grain=CHUNK)


def carrying(kernel: Callable[..., None], hand_size: int) -> Work:
    """Rounds that carry the pot, by a kernel with the arguments of ``carry_rounds``."""
    from guts_sim.kernels import carry

    table, entry = guts_table(f"guts{hand_size}"), thresholds(hand_size)
    seat_strategy = np.zeros(N_PLAYERS, np.int64)
    joint = np.zeros((N_PLAYERS + 1, N_PLAYERS + 1), np.int64)
    seats = np.zeros((N_PLAYERS, 5), np.int64)
    chips, totals = np.zeros((N_PLAYERS, carry.N_CHIP_COUNTS), np.int64), np.zeros(carry.N_TABLE_COUNTS, np.int64)
    rules = np.zeros(carry.N_CARRY_RULES, np.int64)
    rules[carry.CARRY_ANTE] = 1
    rules[carry.CARRY_MAX_POT] = carry.LARGEST_MAX_POT
    rules[carry.CARRY_N_PLAYERS] = N_PLAYERS
    keys = run_key(SEED), run_key(SEED, PURPOSE_ENTRY)

    def play(first: np.uint64) -> np.ndarray:
        kernel(
            *keys, first, TABLES, CHUNK // TABLES, hand_size, table, entry, seat_strategy, rules,
            joint, seats, chips, totals,
        )  # fmt: skip
        return multipliers(joint)

    return Work(summed(play, TABLES), grain=CHUNK)


def summed(play: Callable[[np.uint64], np.ndarray], step: int) -> Callable[[int], np.ndarray]:
    """Call ``play`` k times, each time on deals or tables of its own, and add what it returns."""
    numbers = deal_numbers(step)

    def run(k: int) -> np.ndarray:
        total: np.ndarray = np.sum([play(next(numbers)) for _ in range(k)], axis=0)
        return total

    return run


def count_lanes(hand_size: int) -> Work:
    """The kernel in lanes."""
    from guts_sim.kernels.guts import count_rounds

    return counting(count_rounds, hand_size)


def count_scalar(hand_size: int) -> Work:
    """The scalar twin of `count_lanes`, which counts the same."""
    from guts_sim.kernels.scalar import count_rounds_scalar

    return counting(count_rounds_scalar, hand_size)


def carry_lanes(hand_size: int) -> Work:
    """The kernel in lanes."""
    from guts_sim.kernels.carry import carry_rounds

    return carrying(carry_rounds, hand_size)


def carry_scalar(hand_size: int) -> Work:
    """The scalar twin of `carry_lanes`, which counts the same."""
    from guts_sim.kernels.scalar import carry_rounds_scalar

    return carrying(carry_rounds_scalar, hand_size)


def sessions() -> Work:
    """Sessions under any rules, with their settlement."""
    rules = get_rules("two-card")
    table = encode_table([parse_field(WEAKEST[2] + "+", rules.ranking)] * N_PLAYERS, rules)
    keys = run_key(SEED), run_key(SEED, PURPOSE_ENTRY)
    return _first_blocks(lambda start, stop: play_block(table, *keys, start, stop, cycles=10, rounds=1000))


def scored_hands() -> Work:
    """Deals that score all hands a player could hold, for an equilibrium with three cards."""
    return _first_blocks(ScoreTask(run_key(SEED), N_PLAYERS, "guts3", (thresholds(3)[0] > 0).astype(np.float64)))


def decided_hands() -> Work:
    """The same under any rules, by settling rounds."""
    game = DecisionGame(get_rules("home", nobody_in="weenie"), N_PLAYERS, None)
    entry = np.full((game.n_nodes, len(game.information.names)), 0.3)
    return _first_blocks(decision_task(game, entry, (run_key(SEED), run_key(SEED, PURPOSE_ENTRY))))


def _first_blocks(task: Callable[[int, int], object]) -> Work:
    """The first deals of a task of the engine."""
    grain = 1 << 8

    def run(k: int) -> None:
        task(0, k * grain)

    return Work(run, grain)


def plain_numba(hand_size: int) -> Work:
    """One table in plain numba, dealt by an ordinary shuffle."""
    from benchmarks.rivals.numba_rounds import rounds_played

    table, first, seeds, grain = guts_table(f"guts{hand_size}"), first_class(hand_size), count(SEED), 10_000
    return Work(lambda k: rounds_played(next(seeds), k * grain, N_PLAYERS, hand_size, table, first), grain)


def numpy_batches(hand_size: int) -> Work:
    """Batches of tables in NumPy."""
    generator = np.random.default_rng(SEED)
    table, first = guts_table(f"guts{hand_size}"), first_class(hand_size)
    return Work(
        lambda k: rounds.play_numpy(generator, k * rounds.BATCH, N_PLAYERS, hand_size, table, first), rounds.BATCH
    )


def pure_python(hand_size: int) -> Work:
    """One table in plain Python."""
    generator = random.Random(SEED)
    table, first = guts_table(f"guts{hand_size}").tolist(), first_class(hand_size)
    return Work(lambda k: rounds.play_python(generator, k * 100, N_PLAYERS, hand_size, table, first), 100)


def scalar_cpp(hand_size: int) -> Work:
    """One table in the C++ reference."""
    cpp.library()
    table, first, grain = guts_table(f"guts{hand_size}"), first_class(hand_size), 10_000
    seeds = count(SEED)

    def run(k: int) -> np.ndarray:
        return cpp.play_guts(next(seeds), k * grain, N_PLAYERS, hand_size, table, first)[0]

    return Work(run, grain)


def pokerkit() -> Work:
    """Three cards only: one table, hands looked up by pokerkit."""
    generator, weakest = random.Random(SEED), parse_cards(WEAKEST_CARDS)
    rounds.play_pokerkit(generator, 1, N_PLAYERS, weakest)
    return Work(lambda k: rounds.play_pokerkit(generator, k * 100, N_PLAYERS, weakest), 100)


def one_card(kernel: Callable[..., None]) -> Work:
    """Showdowns of one card each; the losers would pay, so the multiplier is the number of losers."""
    tied, seats = np.zeros(5, np.int64), np.zeros((N_PLAYERS, 2), np.int64)
    key = run_key(SEED)

    def play(first: np.uint64) -> np.ndarray:
        kernel(key, first, CHUNK, N_PLAYERS, tied, seats)
        histogram = np.zeros(rounds.MAX_MULTIPLIER, np.int64)
        histogram[N_PLAYERS - 4 : N_PLAYERS] = tied[4:0:-1]
        return histogram

    return Work(summed(play, CHUNK), grain=CHUNK)


def one_card_lanes() -> Work:
    from guts_sim.kernels.indian import count_one_card

    return one_card(count_one_card)


def one_card_scalar() -> Work:
    from guts_sim.kernels.scalar import count_one_card_scalar

    return one_card(count_one_card_scalar)


def one_card_cpp() -> Work:
    cpp.library()
    table, seeds, grain = np.arange(13, dtype=np.uint16), count(SEED), 10_000
    return Work(lambda k: cpp.play_guts(next(seeds), k * grain, N_PLAYERS, 1, table, 0)[0], grain)
