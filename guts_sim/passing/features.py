"""What can be seen in the cards of a pass: whole numbers that linear policies weigh.

Four cards kept and three passed are described apart, so that a policy is two tables: a score for every set of four
cards and one for every set of three. No feature depends on which suit is which.

====================  ==================================================================================
feature               value
====================  ==================================================================================
``card-R``            cards of rank R kept
``pair-R``            1 if exactly two cards of rank R are kept
``trips-R``           1 if exactly three of rank R are kept
``quads``             1 for four of a kind
``two-pair``          1 for two pairs
``beside-pair-R``     1 if a single card of rank R is kept beside just one pair
``low-1``, ...        1 if that many cards from 2 to 6 are kept, the ranks that others pass most
``low-1-pair``, ...   the same beside just one pair
``kicker-in-run``     1 if a pair or trips is kept and two of the ranks kept fit one straight
``suited-2``, ...     1 if the longest suit has that many cards; ``suited-2-2``: two of each of two suits
``suited-3-high``     rank (2 is 0, A is 12) of the highest card of that suit; ``suited-4-high`` likewise
``suited-pair``       1 if three of a suit are kept with a pair
``run-T-4``           1 if four ranks fit the straight with top T; ``run-T-3``: three ranks
``open-ended``        1 if four ranks fit two straights
``suited-run-4``      straights that four cards of one suit fit; ``suited-run-3``: three cards of one suit
``pass-R``            cards of rank R passed
``pass-pair``         1 if a pair is passed, ``pass-pair-rank`` its rank; ``pass-trips`` likewise
``pass-suited-2``     1 if two of the cards passed have one suit; ``pass-suited-3``: all three
``pass-run-2``        straights that two of the ranks passed fit; ``pass-run-3``: three
====================  ==================================================================================
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.cards import RANKS

Cards = NDArray[np.uint8]
Integers = NDArray[np.int16]  # small enough for the 270,725 sets of four cards

# The top cards of the ten straights; in the lowest the ace counts below the two.
TOPS = RANKS[3:]
N_LOW_RANKS = 5


def keep_features(cards: Cards) -> dict[str, Integers]:
    """Features of sets of four kept cards, ``cards`` (n, 4); each an array (n,).

    Examples
    --------
    >>> found = keep_features(np.array([[40, 41, 4, 9]], np.uint8))  # Qc Qd 3c 4d
    >>> [name for name, value in found.items() if value[0]]
    ['card-3', 'card-4', 'card-Q', 'pair-Q', 'beside-pair-3', 'beside-pair-4', 'low-2', 'low-2-pair',
     'kicker-in-run', 'suited-2-2']
    """
    held = _held(cards)
    in_rank, in_suit = _sum(held, 1), _sum(held, 0)
    found: dict[str, Integers] = {f"card-{letter}": row for letter, row in zip(RANKS, in_rank)}
    for n, name in ((2, "pair"), (3, "trips")):
        found |= {f"{name}-{letter}": _yes(row == n) for letter, row in zip(RANKS, in_rank)}
    n_pairs = _sum(in_rank == 2, 0)
    found["quads"] = _sum(in_rank == 4, 0)
    found["two-pair"] = _yes(n_pairs == 2)
    one_pair, n_low = n_pairs == 1, _sum(in_rank[:N_LOW_RANKS], 0)
    found |= {f"beside-pair-{letter}": _yes((row == 1) & one_pair) for letter, row in zip(RANKS, in_rank)}
    for n in range(1, 5):
        found[f"low-{n}"] = _yes(n_low == n)
        found[f"low-{n}-pair"] = _yes((n_low == n) & one_pair)
    in_straight = _ranks_in_straights(in_rank > 0)
    found["kicker-in-run"] = _yes((in_straight.max(axis=0) >= 2) & (in_rank.max(axis=0) >= 2))

    longest, n_doubles = in_suit.max(axis=0), _sum(in_suit == 2, 0)
    found["suited-2"] = _yes((longest == 2) & (n_doubles == 1))
    found["suited-2-2"] = _yes(n_doubles == 2)
    of_suit = np.take_along_axis(held, in_suit.argmax(axis=0)[None, None], axis=1)[:, 0]
    highest = 12 - of_suit[::-1].argmax(axis=0).astype(np.int16)
    for n in (3, 4):
        found[f"suited-{n}"] = _yes(longest == n)
        found[f"suited-{n}-high"] = highest * _yes(longest == n)
    found["suited-pair"] = _yes((longest == 3) & (n_pairs > 0))

    for top, n_ranks in zip(TOPS, in_straight):
        found[f"run-{top}-4"] = _yes(n_ranks == 4)
        found[f"run-{top}-3"] = _yes(n_ranks == 3)
    found["open-ended"] = _yes(_sum(in_straight == 4, 0) == 2)
    suited_in_straight = _ranks_in_straights(of_suit > 0)
    for n in (4, 3):
        found[f"suited-run-{n}"] = _sum(suited_in_straight == n, 0)
    return found


def batch_features(cards: Cards) -> dict[str, Integers]:
    """Features of sets of three passed cards, ``cards`` (n, 3); each an array (n,)."""
    held = _held(cards)
    in_rank, in_suit = _sum(held, 1), _sum(held, 0)
    found: dict[str, Integers] = {f"pass-{letter}": row for letter, row in zip(RANKS, in_rank)}
    most, where = in_rank.max(axis=0), in_rank.argmax(axis=0).astype(np.int16)
    for n, name in ((2, "pass-pair"), (3, "pass-trips")):
        found[name] = _yes(most == n)
        found[f"{name}-rank"] = where * _yes(most == n)
    in_straight = _ranks_in_straights(in_rank > 0)
    for n in (2, 3):
        found[f"pass-suited-{n}"] = _yes(in_suit.max(axis=0) == n)
        found[f"pass-run-{n}"] = _sum(in_straight == n, 0)
    return found


def feature_names() -> tuple[str, ...]:
    """Every feature, those of the kept cards first."""
    some = np.arange(4, dtype=np.uint8)[None]
    return (*keep_features(some), *batch_features(some[:, :3]))


def _held(cards: Cards) -> NDArray[np.int8]:
    """1 for every card held, (rank, suit, n): whole rows of sets are what the features are made of."""
    held = np.zeros((13, 4, len(cards)), np.int8)
    held[cards // 4, cards % 4, np.arange(len(cards))[:, None]] = 1
    return held


def _ranks_in_straights(present: NDArray[np.bool_]) -> Integers:
    """How many of a straight's five ranks are there, (straight, n), from ``present`` (rank, n)."""
    from_ace = np.concatenate([present[-1:], present]).astype(np.int16)
    up_to = np.concatenate([np.zeros_like(from_ace[:1]), from_ace.cumsum(axis=0, dtype=np.int16)])
    return np.asarray(up_to[5:] - up_to[:-5])


def _sum(values: NDArray[Any], axis: int) -> Integers:
    return np.asarray(values.sum(axis=axis, dtype=np.int16))


def _yes(condition: NDArray[np.bool_]) -> Integers:
    return condition.astype(np.int16)
