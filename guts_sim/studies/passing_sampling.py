"""Blocks of deals in which cards are passed."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from guts_sim.engine import run_key
from guts_sim.hands import get_ranking, rank_hands
from guts_sim.hands.keys import key_categories
from guts_sim.kernels.pass_codes import DEALS_PER_GROUP, HAND_SIZE, KEPT, MOST_OPTIONS, PASSED, SHARE_UNITS
from guts_sim.passing import PassPolicy

IntArray = NDArray[np.int64]
DEALS_PER_BATCH = 32 * DEALS_PER_GROUP  # what the kernels hand to each other; fits the cache
# What the keys of the passing studies are for; 0 to 4 are taken by others.
PURPOSE_CHOICES, PURPOSE_HANDS, PURPOSE_FIT_HANDS, PURPOSE_PLACES = 5, 6, 7, 8


@dataclass(frozen=True)
class PassKeys:
    """Keys of the random words: one for the cards, one for random passes."""

    deals: np.uint64
    choices: np.uint64

    @classmethod
    def of(cls, seed: int) -> "PassKeys":
        """Return the keys of a seed."""
        return cls(run_key(seed), run_key(seed, PURPOSE_CHOICES))


@dataclass(frozen=True, eq=False)
class PassTally:
    """Deals by pass and by how many share the pot (0: lost), and sums of products of the shares of two passes."""

    outcomes: IntArray
    cross: IntArray

    @property
    def n(self) -> int:
        """Deals counted."""
        return int(self.outcomes[0].sum())

    def __add__(self, other: "PassTally") -> "PassTally":
        return PassTally(self.outcomes + other.outcomes, self.cross + other.cross)

    @classmethod
    def empty(cls, n_options: int, n_active: int) -> "PassTally":
        """Return a tally of no deals."""
        return cls(np.zeros((n_options, n_active + 1), np.int64), np.zeros((n_options, n_options), np.int64))


@dataclass(frozen=True, eq=False)
class PassTask:
    """Count what all 35 passes of one hand lead to, in one pass of three cards to the left."""

    keys: PassKeys
    hand: tuple[int, ...]
    dead: tuple[int, ...]
    n_active: int
    policy: PassPolicy

    def __call__(self, start: int, stop: int) -> PassTally:
        """Outcomes (35, n_active + 1) and products (35, 35); see `guts_sim.kernels.pass_values.count_passes`."""
        from guts_sim.kernels.pass_values import count_passes

        tally = PassTally.empty(MOST_OPTIONS, self.n_active)
        hero = hero_masks(self.hand)
        known = np.array(sorted(self.hand + self.dead), np.uint8)
        for first in range(start, stop, DEALS_PER_BATCH):
            n_deals = min(DEALS_PER_BATCH, stop - first)
            parts = opponent_parts(self.keys, first, n_deals, self.n_active - 1, known, self.policy)
            count_passes(parts, n_deals, hero, tally.outcomes, tally.cross)
        tally.outcomes[:, 0] = stop - start - tally.outcomes[:, 1:].sum(axis=1)
        return tally


@dataclass(frozen=True, eq=False)
class ProgramTask:
    """Count what all first passes of one hand lead to under a programme of several passes."""

    keys: PassKeys
    hand: tuple[int, ...]
    dead: tuple[int, ...]
    n_active: int
    policy: PassPolicy
    passes: tuple[tuple[int, int], ...]

    def __call__(self, start: int, stop: int) -> PassTally:
        """Outcomes (option, n_active + 1) and products (option, option)."""
        n_options = comb(HAND_SIZE, self.passes[0][0])
        tally = PassTally.empty(n_options, self.n_active)
        known = tuple(sorted(self.hand + self.dead))
        for first in range(start, stop, DEALS_PER_GROUP):
            count = min(DEALS_PER_GROUP, stop - first)
            policies = [self.policy] * self.n_active
            hands = play(self.keys, first, count, known, self.hand, self.passes, policies, n_options)
            codes = shared_by_hero(rank_hands(hands, "high5", check=False))
            for code in range(self.n_active + 1):
                tally.outcomes[:, code] += (codes == code).sum(axis=0)
            shares = share_units(codes)
            tally.cross[...] += np.tril(shares.T @ shares)
        return tally


@dataclass(frozen=True, eq=False)
class HandsTask:
    """Equities of all passes of many random hands, each over two halves of its deals: to choose, and to judge."""

    keys: PassKeys
    hands_key: np.uint64
    n_active: int
    policy: PassPolicy
    deals_per_half: int

    def hands(self, start: int, stop: int) -> NDArray[np.uint8]:
        """Hands number ``start .. stop - 1``, each ascending."""
        from guts_sim.kernels.deal import fill_deals

        hands = np.empty((stop - start, HAND_SIZE), np.uint8)
        fill_deals(self.hands_key, np.uint64(start), np.empty(0, np.uint8), hands)
        return np.sort(hands, axis=1)

    def __call__(self, start: int, stop: int) -> IntArray:
        """Pot shares won in 1/SHARE_UNITS, (hand, half, 35)."""
        won = np.empty((stop - start, 2, MOST_OPTIONS), np.int64)
        shares = SHARE_UNITS // np.arange(1, self.n_active + 1)
        for row, hand in enumerate(self.hands(start, stop).tolist()):
            task = PassTask(self.keys, tuple(hand), (), self.n_active, self.policy)
            for half in range(2):
                first = (2 * (start + row) + half) * self.deals_per_half
                won[row, half] = task(first, first + self.deals_per_half).outcomes[:, 1:] @ shares
        return won


@dataclass(frozen=True, eq=False)
class TableTask:
    """Deal everybody and play a programme; count shares of seat 0 and what everybody ends up with."""

    keys: PassKeys
    passes: tuple[tuple[int, int], ...]
    policies: tuple[PassPolicy, ...]

    def __call__(self, start: int, stop: int) -> tuple[IntArray, IntArray]:
        """Deals by how many share the pot with seat 0 (n + 1,), and categories (2, 9): of all hands, of the best."""
        n = len(self.policies)
        outcomes = np.zeros(n + 1, np.int64)
        categories = np.zeros((2, 9), np.int64)
        for first in range(start, stop, DEALS_PER_BATCH):
            count = min(DEALS_PER_BATCH, stop - first)
            hands = play(self.keys, first, count, (), (), self.passes, self.policies, 1)
            keys = rank_hands(hands, "high5", check=False)
            outcomes += np.bincount(shared_by_hero(keys)[:, 0], minlength=n + 1)
            for row, some in enumerate((keys.ravel(), keys.max(axis=2).ravel())):
                categories[row] += np.bincount(key_categories(some, get_ranking("high5")), minlength=9)
        return outcomes, categories


def play(
    keys: PassKeys,
    first: int,
    n_deals: int,
    known: Sequence[int],
    hand: Sequence[int],
    passes: Sequence[tuple[int, int]],
    policies: Sequence[PassPolicy],
    n_options: int,
) -> NDArray[np.uint8]:
    """Final hands (deal, option, seat, 7); see `guts_sim.kernels.pass_play.play_passes`."""
    from guts_sim.kernels.pass_play import play_passes

    n_seats = len(policies)
    different = list(dict.fromkeys(policies))
    hands = np.empty((n_deals, n_options, n_seats, HAND_SIZE), np.uint8)
    play_passes(
        keys.deals,
        keys.choices,
        np.uint64(first),
        np.array(known, np.uint8),
        np.array(sorted(hand), np.uint8),
        np.array([(n_cards, places % n_seats) for n_cards, places in passes], np.int64),
        np.array([different.index(policy) for policy in policies], np.int64),
        np.array([policy.kind for policy in different], np.int64),
        stacked_scores([policy.keep_score for policy in different]),
        stacked_scores([policy.pass_score for policy in different]),
        hands,
    )
    return hands


def opponent_parts(
    keys: PassKeys, first: int, n_deals: int, n_opponents: int, known: NDArray[np.uint8], policy: PassPolicy
) -> NDArray[np.uint64]:
    """Cards kept and passed, as `guts_sim.kernels.pass_values.choose_passes` makes them."""
    from guts_sim.kernels.deal import fill_deals
    from guts_sim.kernels.pass_values import choose_passes

    cards = np.empty((n_deals, HAND_SIZE * n_opponents), np.uint8)
    fill_deals(keys.deals, np.uint64(first), known, cards)
    parts = np.empty((-(-n_deals // DEALS_PER_GROUP), n_opponents, 2, DEALS_PER_GROUP), np.uint64)
    choose_passes(cards, keys.choices, np.uint64(first), policy.kind, policy.keep_score, policy.pass_score, parts)
    return parts


def hero_masks(hand: Sequence[int]) -> NDArray[np.uint16]:
    """Rank masks by suit of the cards kept and passed, (2, 35, 4), option by option."""
    cards = np.array(sorted(hand))
    masks = np.zeros((2, len(PASSED), 4), np.uint16)
    for part, positions in enumerate((KEPT, PASSED)):
        for suit in range(4):
            held = np.where(cards % 4 == suit, 1 << cards // 4, 0)
            masks[part, :, suit] = held[positions].sum(axis=1)
    return masks


def shared_by_hero(keys: NDArray[np.int32]) -> NDArray[np.int64]:
    """How many share the best place with seat 0, himself included; 0 if he is beaten. Seats run along the last axis."""
    best = keys.max(axis=-1, keepdims=True)
    return np.where(keys[..., 0] == best[..., 0], (keys == best).sum(axis=-1), 0)


def share_units(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Shares of the pot in 1/SHARE_UNITS."""
    shares = np.array([0] + [SHARE_UNITS // n for n in range(1, 8)], np.int64)
    return np.asarray(shares[codes])


def stacked_scores(scores: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    """Score tables as one array; those that are not looked at are shorter."""
    table = np.zeros((len(scores), max(map(len, scores))), np.int32)
    for row, score in zip(table, scores):
        row[: len(score)] = score
    return table
