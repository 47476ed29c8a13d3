"""Rounds of Guts in which some players decide by functions of the user's.

Only the decisions are the user's, so only they are compiled for him: `score_deals` deals and ranks a batch in
lanes, the compiled decisions turn the scores of those who stay out into 0, `settle_batch` or `carry_batch` settle
in lanes. Those stages come from the cache on disk, so a new function costs a fraction of a second. Handing a
function to one big kernel instead would compile all of it again for every function.

A decision function is called as ``decide(hand_class, player, pot, cards)`` with three int64, the pot in chips, and
a tuple of int64 card codes: plain values, so that what it does not use costs nothing. It returns a truth value, or
a float, the probability of entering. In ``strategy_of`` its player has a row of thresholds that always
enters; ``function_of`` (int64, player) holds the number of his function, TABLE_DECIDES for players without one.

A batch is a number of blocks of lanes: ``cards`` uint8 (block, card, LANES), ``scores`` uint16 (block, player,
LANES), ``pots`` int32 (block, LANES).
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.kernels._jit import helper, kernel, uncached
from guts_sim.kernels.carry import (
    TABLE_CHIPS_LEFT,
    TABLE_SHIFT,
    carry_lanes,
    clear_dead_lanes,
    open_lanes,
    open_sums,
    opening,
    pay_antes,
    pay_lanes,
)
from guts_sim.kernels.deal import LANES, deal_lanes, deal_one, deal_scratch
from guts_sim.kernels.guts import (
    ALWAYS,
    N_ROWS,
    entry_tables,
    finish_seats,
    score_lanes,
    scoring_buffers,
    settle_lanes,
)
from guts_sim.kernels.scalar import carry_one, count_one, draws_to_enter, pay_one, score_one

BLOCKS_PER_BATCH = 32  # 15 cards and 5 scores of 8192 deals fill 200 KB, which a second-level cache holds
TABLE_DECIDES = -1

Functions = tuple[tuple[Any, bool], ...]  # compiled functions, and whether they return probabilities


# --- compiling decisions ---------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def compiled(function: Callable[..., Any]) -> Any:
    """Compile a decision function, once for each function object; what is compiled already is returned as it is."""
    return function if hasattr(function, "py_func") else uncached(function)


@helper
def threshold_of(probability):
    """Entry threshold of a probability; numbers beyond 0 and 1 count as these, nan as 0."""
    if not probability > 0.0:
        return np.uint32(0)
    return np.uint32(np.rint(min(probability, 1.0) * np.float64(ALWAYS)))


@helper
def admits_truth(answer, entry_key, deal, player, n_players):
    return answer != 0


@helper
def admits_probability(answer, entry_key, deal, player, n_players):
    return draws_to_enter(entry_key, deal, player, n_players, threshold_of(answer))


@helper
def two_cards(cards, player, lane):
    at = 2 * player
    return np.int64(cards[at, lane]), np.int64(cards[at + 1, lane])


@helper
def three_cards(cards, player, lane):
    at = 3 * player
    return np.int64(cards[at, lane]), np.int64(cards[at + 1, lane]), np.int64(cards[at + 2, lane])


@helper
def no_functions(cards, pots, entry_key, deal, function_of, scores):
    """Start of the chain of decisions: everybody follows his thresholds."""


def _followed_by(earlier, number, function, gives_probability, hand_size):
    """Decisions of the earlier functions, then of this one: a chain, because a tuple of functions cannot be
    indexed in compiled code."""
    own_cards = two_cards if hand_size == 2 else three_cards
    admits = admits_probability if gives_probability else admits_truth

    @helper
    def decide(cards, pots, entry_key, deal, function_of, scores):
        earlier(cards, pots, entry_key, deal, function_of, scores)
        n_players = function_of.size
        for player in range(n_players):
            if function_of[player] == number:
                for lane in range(pots.size):
                    hand_class = np.int64(scores[player, lane]) - 1
                    answer = function(hand_class, player, np.int64(pots[lane]), own_cards(cards, player, lane))
                    if not admits(answer, entry_key, deal + np.uint64(lane), player, n_players):
                        scores[player, lane] = 0

    return decide


@lru_cache(maxsize=64)
def lane_decisions(functions, hand_size):
    """Decisions at one deal or one block of lanes, for ``functions``: pairs (compiled, whether it gives a
    probability). ``cards`` (card, lane), ``pots`` (lane) and ``scores`` (player, lane), modified in place."""
    decide = no_functions
    for number, (function, gives_probability) in enumerate(functions):
        decide = _followed_by(decide, number, function, gives_probability, hand_size)
    return decide


@lru_cache(maxsize=64)
def batch_decisions(functions, hand_size):
    """Decisions for whole batches; kept in memory for each set of functions."""
    decide_lanes = lane_decisions(functions, hand_size)

    @uncached
    def decide_batch(cards, pots, entry_key, deal, function_of, scores):
        for block in range(scores.shape[0]):
            first = deal + np.uint64(block) * np.uint64(LANES)
            decide_lanes(cards[block], pots[block], entry_key, first, function_of, scores[block])

    return decide_batch


# --- the stages around them ------------------------------------------------------------------------------


@kernel
def make_entry_tables(table, thresholds):
    """See `guts.entry_tables`."""
    return entry_tables(table, thresholds)


@kernel
def score_deals(key, entry_key, deal, hand_size, strategy_of, tables, cards, scores):
    """Deal a batch and score it by the players' thresholds; overwrites ``cards`` and ``scores``."""
    known = np.empty(0, np.uint8)
    scratch = deal_scratch(cards.shape[1])
    buffers = scoring_buffers(strategy_of.size)
    for block in range(cards.shape[0]):
        first = deal + np.uint64(block) * np.uint64(LANES)
        deal_lanes(key, first, known, scratch, cards[block])
        score_lanes(cards[block], hand_size, entry_key, first, strategy_of, tables, buffers, scores[block])


@kernel
def settle_batch(scores, n_live, joint, seats):
    """Add the outcomes of the first ``n_live`` deals of a batch to ``joint`` and ``seats``."""
    rows = np.empty((N_ROWS, LANES), np.uint16)
    counts = np.zeros_like(seats)
    for block in range(scores.shape[0]):
        n_here = min(LANES, n_live - block * LANES)
        clear_dead_lanes(n_here, scores[block])
        settle_lanes(scores[block], rows, joint, counts)
        joint[0, 0] -= LANES - n_here
    finish_seats(counts)
    seats += counts


@kernel
def open_batch(rules, pots, reserves):
    """Put the first antes on every table."""
    for block in range(pots.shape[0]):
        open_lanes(rules, pots[block], reserves[block])


@kernel
def carry_batch(scores, n_live, rules, pots, reserves, joint, seats, chips, totals):
    """One round at the ``n_live`` tables of a batch; adds to all sums, and leaves the next pots and reserves."""
    rows = np.empty((N_ROWS, LANES), np.uint16)
    counts = np.zeros_like(seats)
    for block in range(scores.shape[0]):
        n_here = min(LANES, n_live - block * LANES)
        clear_dead_lanes(n_here, scores[block])
        n_tied = settle_lanes(scores[block], rows, joint, counts)
        joint[0, 0] -= LANES - n_here
        pay_lanes(scores[block], rows, n_tied, pots[block], chips)
        carry_lanes(rows, rules, n_here, pots[block], reserves[block], totals)
    finish_seats(counts)
    seats += counts


@kernel
def open_all_sums(rules, joint, seats, chips, totals):
    """See `carry.open_sums`."""
    open_sums(rules, joint, seats, chips, totals)


@kernel
def close_all_sums(rules, n_tables, joint, chips, totals):
    """See `carry.pay_antes`."""
    pay_antes(rules, n_tables, joint, chips, totals)


# --- whole rounds ----------------------------------------------------------------------------------------


def _batches(n_deals):
    """Yield (first deal, deals, blocks) of each batch."""
    size = BLOCKS_PER_BATCH * LANES
    for start in range(0, n_deals, size):
        n_live = min(size, n_deals - start)
        yield start, n_live, -(-n_live // LANES)


def count_rounds_hybrid(
    functions: Functions,
    key: np.uint64,
    entry_key: np.uint64,
    first: np.uint64,
    n_deals: int,
    hand_size: int,
    table: NDArray[np.uint16],
    thresholds: NDArray[np.uint32],
    strategy_of: NDArray[np.int64],
    function_of: NDArray[np.int64],
    pot: int,
    joint: NDArray[np.int64],
    seats: NDArray[np.int64],
) -> None:
    """`guts.count_rounds` with functions: see the module; ``pot`` is what they are told, in chips."""
    decide = batch_decisions(functions, hand_size)
    tables = make_entry_tables(table, thresholds)
    n_players = strategy_of.size
    joint[:] = 0
    seats[:] = 0
    for start, n_live, n_blocks in _batches(n_deals):
        deal = first + np.uint64(start)
        cards = np.empty((n_blocks, n_players * hand_size, LANES), np.uint8)
        scores = np.empty((n_blocks, n_players, LANES), np.uint16)
        pots = np.full((n_blocks, LANES), pot, np.int32)
        score_deals(key, entry_key, deal, hand_size, strategy_of, tables, cards, scores)
        decide(cards, pots, entry_key, deal, function_of, scores)
        settle_batch(scores, n_live, joint, seats)


def carry_rounds_hybrid(
    functions: Functions,
    key: np.uint64,
    entry_key: np.uint64,
    first: np.uint64,
    n_tables: int,
    n_rounds: int,
    hand_size: int,
    table: NDArray[np.uint16],
    thresholds: NDArray[np.uint32],
    strategy_of: NDArray[np.int64],
    function_of: NDArray[np.int64],
    rules: NDArray[np.int64],
    joint: NDArray[np.int64],
    seats: NDArray[np.int64],
    chips: NDArray[np.int64],
    totals: NDArray[np.int64],
) -> None:
    """`carry.carry_rounds` with functions, which see the pot that their table plays for."""
    decide = batch_decisions(functions, hand_size)
    tables = make_entry_tables(table, thresholds)
    n_players = strategy_of.size
    open_all_sums(rules, joint, seats, chips, totals)
    for start, n_live, n_blocks in _batches(n_tables):
        cards = np.empty((n_blocks, n_players * hand_size, LANES), np.uint8)
        scores = np.empty((n_blocks, n_players, LANES), np.uint16)
        pots, reserves = np.empty((2, n_blocks, LANES), np.int32)
        open_batch(rules, pots, reserves)
        for round_number in range(n_rounds):
            deal = (np.uint64(round_number) << TABLE_SHIFT) + first + np.uint64(start)
            score_deals(key, entry_key, deal, hand_size, strategy_of, tables, cards, scores)
            decide(cards, pots, entry_key, deal, function_of, scores)
            carry_batch(scores, n_live, rules, pots, reserves, joint, seats, chips, totals)
        on_tables = pots.reshape(-1)[:n_live].sum(dtype=np.int64) + reserves.reshape(-1)[:n_live].sum(dtype=np.int64)
        totals[TABLE_CHIPS_LEFT] += on_tables
    close_all_sums(rules, n_tables, joint, chips, totals)


# --- scalar twins ----------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def count_rounds_with(functions, hand_size):
    """Scalar twin of `count_rounds_hybrid` for these functions: a kernel with the arguments after ``functions``."""
    decide = lane_decisions(functions, hand_size)

    @uncached
    def count(key, entry_key, first, n_deals, size, table, thresholds, strategy_of, function_of, pot, joint, seats):
        n_players = strategy_of.size
        cards = np.empty((n_players * hand_size, 1), np.uint8)
        scores = np.empty((n_players, 1), np.int64)
        known = np.empty(0, np.uint8)
        pots = np.full(1, pot, np.int32)
        joint[:] = 0
        seats[:] = 0
        for i in range(n_deals):
            deal = first + np.uint64(i)
            deal_one(key, deal, known, cards.reshape(-1))
            score_one(cards.reshape(-1), size, entry_key, deal, table, thresholds, strategy_of, scores.reshape(-1))
            decide(cards, pots, entry_key, deal, function_of, scores)
            count_one(scores.reshape(-1), joint, seats)

    return count


@lru_cache(maxsize=64)
def carry_rounds_with(functions, hand_size):
    """Scalar twin of `carry_rounds_hybrid` for these functions: a kernel with the arguments after ``functions``."""
    decide = lane_decisions(functions, hand_size)

    @uncached
    def carry(
        key, entry_key, first, n_tables, n_rounds, size, table, thresholds, strategy_of, function_of, rules,
        joint, seats, chips, totals,
    ):  # fmt: skip
        n_players = strategy_of.size
        cards = np.empty((n_players * hand_size, 1), np.uint8)
        scores = np.empty((n_players, 1), np.int64)
        known = np.empty(0, np.uint8)
        pots = np.empty(1, np.int32)
        open_sums(rules, joint, seats, chips, totals)
        _, open_pot, open_reserve = opening(rules)
        for i in range(n_tables):
            pot, reserve = np.int64(open_pot), np.int64(open_reserve)
            for round_number in range(n_rounds):
                deal = (np.uint64(round_number) << TABLE_SHIFT) + first + np.uint64(i)
                deal_one(key, deal, known, cards.reshape(-1))
                score_one(cards.reshape(-1), size, entry_key, deal, table, thresholds, strategy_of, scores.reshape(-1))
                pots[0] = pot
                decide(cards, pots, entry_key, deal, function_of, scores)
                count_one(scores.reshape(-1), joint, seats)
                n_in, n_losers = pay_one(scores.reshape(-1), pot, chips)
                pot, reserve = carry_one(n_in, n_losers, pot, reserve, rules, totals)
            totals[TABLE_CHIPS_LEFT] += pot + reserve
        pay_antes(rules, n_tables, joint, chips, totals)

    return carry
