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
``kicker-in-run``     1 if a pair or trips is kept with another card at most four ranks away
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

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from guts_sim.cards import RANKS

Cards = NDArray[np.uint8]
Integers = NDArray[np.int64]

# A straight as the mask of its five ranks, by the letter of its top card; the ace also counts low.
STRAIGHTS: Mapping[str, tuple[int, ...]] = {"5": (12, 0, 1, 2, 3)} | {
    RANKS[top]: tuple(range(top - 4, top + 1)) for top in range(4, 13)
}


def keep_features(cards: Cards) -> dict[str, Integers]:
    """Features of sets of four kept cards, ``cards`` (n, 4); each an array (n,).

    Examples
    --------
    >>> found = keep_features(np.array([[40, 41, 4, 9]], np.uint8))  # Qc Qd 3c 4d
    >>> [name for name, value in found.items() if value[0]]
    ['card-3', 'card-4', 'card-Q', 'pair-Q', 'suited-2-2']
    """
    held = _held(cards)
    in_rank, in_suit = held.sum(axis=2), held.sum(axis=1)
    found: dict[str, Integers] = {}
    for rank, letter in enumerate(RANKS):
        found[f"card-{letter}"] = in_rank[:, rank]
    for n, name in ((2, "pair"), (3, "trips")):
        for rank, letter in enumerate(RANKS):
            found[f"{name}-{letter}"] = _yes(in_rank[:, rank] == n)
    pairs = (in_rank == 2).sum(axis=1)
    found["quads"] = _yes((in_rank == 4).any(axis=1))
    found["two-pair"] = _yes(pairs == 2)
    present = in_rank > 0
    reach = np.zeros(len(cards), bool)
    for ranks in STRAIGHTS.values():
        reach |= present[:, ranks].sum(axis=1) >= 2
    found["kicker-in-run"] = _yes(reach & (in_rank.max(axis=1) >= 2))

    longest = in_suit.max(axis=1)
    n_doubles = (in_suit == 2).sum(axis=1)
    found["suited-2"] = _yes((longest == 2) & (n_doubles == 1))
    found["suited-2-2"] = _yes(n_doubles == 2)
    suit = in_suit.argmax(axis=1)
    of_suit = np.take_along_axis(held, suit[:, None, None], axis=2)[:, :, 0]
    high = 12 - of_suit[:, ::-1].argmax(axis=1)
    for n in (3, 4):
        found[f"suited-{n}"] = _yes(longest == n)
        found[f"suited-{n}-high"] = high * (longest == n)
    found["suited-pair"] = _yes((longest == 3) & (pairs > 0))

    fours = np.zeros(len(cards), np.int64)
    for top, ranks in STRAIGHTS.items():
        n_ranks = present[:, ranks].sum(axis=1)
        found[f"run-{top}-4"] = _yes(n_ranks == 4)
        found[f"run-{top}-3"] = _yes(n_ranks == 3)
        fours += n_ranks == 4
    found["open-ended"] = _yes(fours == 2)
    for n in (4, 3):
        found[f"suited-run-{n}"] = sum(
            (_yes(of_suit[:, ranks].sum(axis=1) == n) for ranks in STRAIGHTS.values()), np.zeros(len(cards), np.int64)
        )
    return found


def batch_features(cards: Cards) -> dict[str, Integers]:
    """Features of sets of three passed cards, ``cards`` (n, 3); each an array (n,)."""
    held = _held(cards)
    in_rank, in_suit = held.sum(axis=2), held.sum(axis=1)
    found: dict[str, Integers] = {}
    for rank, letter in enumerate(RANKS):
        found[f"pass-{letter}"] = in_rank[:, rank]
    most, where = in_rank.max(axis=1), in_rank.argmax(axis=1)
    for n, name in ((2, "pass-pair"), (3, "pass-trips")):
        found[name] = _yes(most == n)
        found[f"{name}-rank"] = where * (most == n)
    for n in (2, 3):
        found[f"pass-suited-{n}"] = _yes(in_suit.max(axis=1) == n)
        found[f"pass-run-{n}"] = sum(
            (_yes((in_rank[:, ranks] > 0).sum(axis=1) == n) for ranks in STRAIGHTS.values()),
            np.zeros(len(cards), np.int64),
        )
    return found


def feature_names() -> tuple[str, ...]:
    """Every feature, those of the kept cards first."""
    some = np.arange(4, dtype=np.uint8)[None]
    return (*keep_features(some), *batch_features(some[:, :3]))


def _held(cards: Cards) -> Integers:
    """1 for every card held, (n, rank, suit)."""
    held = np.zeros((len(cards), 13, 4), np.int64)
    held[np.arange(len(cards))[:, None], cards // 4, cards % 4] = 1
    return held


def _yes(condition: NDArray[np.bool_]) -> Integers:
    return condition.astype(np.int64)
