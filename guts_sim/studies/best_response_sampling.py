"""Law of the end of a round by the player's hand, from deals, for fields that cannot be counted.

With two cards the opponents alone are dealt, and every hand that the player could still hold is weighed with
the number of ways to make it. With three cards he is dealt a hand too.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.engine import run_all_blocks
from guts_sim.estimate import BatchSums
from guts_sim.exact.hand_lists import Ints
from guts_sim.exact.outcomes import Outcome, OutcomeLaw, normalised, outcomes_of, tally_outcomes
from guts_sim.exact.results import Floats
from guts_sim.exact.two_card import MOST_EQUAL, N_CLASSES, N_NONPAIRS, N_RANKS, class_ranks
from guts_sim.hands import Ranking, get_ranking, guts_table
from guts_sim.strategy import frequencies

OUTCOME_BLOCK = 1 << 13


@dataclass(frozen=True, eq=False)
class OutcomeTask:
    """Deal ``start .. stop - 1`` and add up how rounds end; can be sent to other processes."""

    key: np.uint64
    entry_key: np.uint64
    ranking_name: str
    fields: tuple[Floats, ...]

    def __call__(self, start: int, stop: int) -> Ints:
        """Sums over the deals, shape (n_outcomes, n_classes): those when out, then those when in."""
        from guts_sim.kernels.deal import fill_deals

        ranking = get_ranking(self.ranking_name)
        size, n_opponents = ranking.hand_sizes[0], len(self.fields)
        n_hands = n_opponents + (size == 3)
        cards = np.empty((stop - start, n_hands * size), np.uint8)
        fill_deals(self.key, np.uint64(start), np.empty(0, np.uint8), cards)
        hands = cards.reshape(stop - start, n_hands, size)
        classes = classes_of(hands, ranking)
        n_in, n_best, best = self._configuration(classes[:, :n_opponents], start)
        if size == 2:
            return _weigh_hands(hands, n_in, n_best, best)
        return _count_hands(n_opponents + 1, frequencies(ranking).size, classes[:, -1], n_in, n_best, best)

    def _configuration(self, classes: Ints, start: int) -> tuple[Ints, Ints, Ints]:
        """Opponents in, how many of them hold the best class among those, and that class (-1 for nobody)."""
        entry = np.stack([field[classes[:, seat]] for seat, field in enumerate(self.fields)], axis=1)
        enters = entry >= 1.0
        mixed = (entry > 0.0) & (entry < 1.0)
        if mixed.any():
            # One stream per block, whose cuts do not depend on how a run was started.
            draws = np.random.Generator(np.random.Philox(key=[int(self.entry_key), start // OUTCOME_BLOCK]))
            enters |= mixed & (draws.random((OUTCOME_BLOCK, entry.shape[1]))[: len(entry)] < entry)
        shown = np.where(enters, classes, -1)
        best = shown.max(axis=1)
        return enters.sum(axis=1), ((shown == best[:, None]) & enters).sum(axis=1), best


def classes_of(hands: NDArray[np.uint8], ranking: Ranking) -> Ints:
    """Hand class of every hand, last axis the cards."""
    ranks = hands >> 2
    index = ranks[..., 0].astype(np.int64)
    for place in range(1, hands.shape[-1]):
        index = index * N_RANKS + ranks[..., place]
    if hands.shape[-1] == 3:
        suits = hands & 3
        flush = (suits[..., 0] == suits[..., 1]) & (suits[..., 1] == suits[..., 2])
        index += N_RANKS**3 * flush
    return guts_table(ranking)[index].astype(np.int64)


def _weigh_hands(hands: NDArray[np.uint8], n_in: Ints, n_best: Ints, best: Ints) -> Ints:
    n, n_opponents, _ = hands.shape
    place = np.arange(n)[:, None] * N_RANKS + (hands.reshape(n, -1) >> 2)
    left = (4 - np.bincount(place.ravel(), minlength=n * N_RANKS).reshape(n, N_RANKS)).astype(np.uint8)
    ranks = np.array([class_ranks(index) for index in range(N_CLASSES)])
    high, low = left[:, ranks[:, 0]], left[:, ranks[:, 1]]
    ways = high * low  # 8 bits hold all of these
    of_pair = high[:, N_NONPAIRS:]
    ways[:, N_NONPAIRS:] = (of_pair * np.maximum(of_pair, 1) - of_pair) // 2
    shape = (n_opponents + 1, MOST_EQUAL + 1, N_CLASSES)
    key = (n_in * shape[1] + n_best) * shape[2] + np.maximum(best, 0)
    order = np.argsort(key, kind="stable")
    keys, starts = np.unique(key[order], return_index=True)
    configurations = np.zeros((*shape, N_CLASSES))
    configurations.reshape(-1, N_CLASSES)[keys] = np.add.reduceat(ways[order], starts, axis=0, dtype=np.int64)
    return np.rint(np.concatenate(tally_outcomes(configurations))).astype(np.int64)


def _count_hands(n_players: int, n_classes: int, hero: Ints, n_in: Ints, n_best: Ints, best: Ints) -> Ints:
    outs, ins = outcomes_of(n_players)
    place = {outcome: i for i, outcome in enumerate((*outs, *ins))}
    table = np.zeros((4, n_players, n_players), np.int64)  # [out, wins, ties, beaten] by players in and best
    for k in range(n_players):
        for w in range(min(k, 1), k + 1):
            table[0, k, w] = place[Outcome(w, k - w, False, False)]
            table[1, k, w] = place[Outcome(1, k, True, False)]
            table[2, k, w] = place[Outcome(w + 1, k - w, True, False)]
            table[3, k, w] = place[Outcome(w, k + 1 - w, False, True)] if k else 0
    how = np.where(hero > best, 1, np.where(hero == best, 2, 3))
    rows = np.concatenate([table[0, n_in, n_best], table[how, n_in, n_best]])
    flat = rows * n_classes + np.tile(hero, 2)
    return np.bincount(flat, minlength=len(place) * n_classes).reshape(len(place), n_classes)


def sample_outcomes(task: OutcomeTask, n_deals: int, **run: Any) -> BatchSums:
    """Sums over the first deals of a task's keys.

    Parameters
    ----------
    task : OutcomeTask
        What to deal.
    n_deals : int
        How many.
    **run
        ``workers``, ``executor`` and ``progress`` of `guts_sim.run_blocks`.

    Raises
    ------
    KeyboardInterrupt
        The run was stopped before its end.
    """
    batches = BatchSums(OUTCOME_BLOCK, min_batches=16)
    run_all_blocks(task, n_deals, batches.add, block_size=OUTCOME_BLOCK, **run)
    return batches


def hand_groups(ranking: Ranking) -> Ints:
    """First class of each group of neighbouring hands among which a sampled strategy makes no difference.

    Two cards: every class by itself. Three cards: at least one hand in a hundred, as otherwise the strategy would
    learn by heart the deals on which it is sought.
    """
    shares = frequencies(ranking)
    if ranking.hand_sizes == (2,):
        return np.arange(shares.size)
    reached = np.floor(100.0 * (np.cumsum(shares) - shares)).astype(np.int64)
    return np.flatnonzero(np.diff(reached, prepend=-1))


def per_class(by_group: Floats, ranking: Ranking) -> Floats:
    """Spread what is known by group over the classes, along the last axis."""
    starts = hand_groups(ranking)
    return np.repeat(by_group, np.diff(np.append(starts, frequencies(ranking).size)), axis=-1)


def law_of(sums: NDArray[Any], ranking: Ranking, n_players: int) -> OutcomeLaw:
    """Law from the sums of an `OutcomeTask`; the same within a group of `hand_groups`."""
    n_out = len(outcomes_of(n_players)[0])
    pooled = per_class(np.add.reduceat(sums, hand_groups(ranking), axis=1).astype(np.float64), ranking)
    return normalised(pooled[:n_out], pooled[n_out:], frequencies(ranking))
