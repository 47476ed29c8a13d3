"""Whole Anaconda hands by the kernel: many deals, each played by several line-ups."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from guts_sim.games.anaconda import HAND_SIZE, N_REVEALS, AnacondaRules
from guts_sim.games.anaconda_strategy import AnacondaStrategy
from guts_sim.kernels.anaconda_play_codes import NO_ACTION
from guts_sim.passing import get_policy
from guts_sim.studies.passing_sampling import stacked_scores


@dataclass(frozen=True)
class HandKeys:
    """Keys of random words: of the cards, of passes, and of actions and orders."""

    deals: np.uint64
    passes: np.uint64
    bets: np.uint64


@dataclass(frozen=True, eq=False)
class Beliefs:
    """Tables by which players judge hands.

    Attributes
    ----------
    bins : uint8 array, shape (passes + 1, N_INDICES)
        Step of strength, of `N_BINS` equally frequent ones, that seven cards can expect to reach, after so many passes;
        see `guts_sim.kernels.anaconda_play_cards.strength_index`.
    beats : uint16 array, shape (5, N_CLASSES, N_BINS)
        Chance, in 1/65536, that a hand of a step beats another that shows 0 to 4 cards of a class; see
        `guts_sim.kernels.anaconda_play_cards.exposed_class`.
    """

    bins: NDArray[np.uint8]
    beats: NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class Played:
    """Hands as the kernel played them.

    Attributes
    ----------
    net : int16 array, shape (deal, line-up, seat)
        Chips won or lost.
    flags : uint8 array, shape (deal, line-up, seat)
        `AT_SHOWDOWN` and `WON`.
    record : uint8 array, shape (deal, line-up, action)
        ``4 * seat + action``, filled up with `NO_ACTION`.
    seen : int32 array, shape (deal, line-up, seat, passes + 5)
        What the hands are worth after 0, 1, ... passes, and what they show after each reveal.
    """

    net: NDArray[np.int16]
    flags: NDArray[np.uint8]
    record: NDArray[np.uint8]
    seen: NDArray[np.int32]


def play_deals(
    keys: HandKeys,
    first: int,
    n_deals: int,
    rules: AnacondaRules,
    strategies: Sequence[AnacondaStrategy],
    line_ups: NDArray[np.int64],
    known: Beliefs,
    *,
    most_actions: int = 0,
    look: bool = False,
) -> Played:
    """Play the deals from number ``first`` on with every line-up, (line-up, seat) numbers of strategies.

    Up to ``most_actions`` actions of a hand are recorded, and what is seen if ``look``.
    """
    from guts_sim.kernels.anaconda_play import play_hands

    n_line_ups, n_seats = line_ups.shape
    names = list(dict.fromkeys(strategy.passing for strategy in strategies))
    policies = [get_policy(name, n_seats) for name in names]
    n_hands, n_passes = n_deals * n_line_ups, len(rules.passes)
    net = np.empty((n_deals, n_line_ups, n_seats), np.int16)
    flags = np.empty((n_deals, n_line_ups, n_seats), np.uint8)
    record = np.full((n_hands, most_actions), NO_ACTION, np.uint8)
    seen = np.zeros((n_hands if look else 0, n_seats, n_passes + 1 + N_REVEALS), np.int32)
    play_hands(
        deal_cards(keys.deals, first, n_deals, n_seats),
        np.uint64(first),
        keys.passes,
        keys.bets,
        np.array([(n_cards, places % n_seats) for n_cards, places in rules.passes], np.int64),
        N_REVEALS if rules.roll else 0,
        line_ups,
        np.array([[names.index(strategy.passing), *strategy.numbers()] for strategy in strategies], np.int64),
        np.array([policy.kind for policy in policies], np.int64),
        stacked_scores([policy.keep_score for policy in policies]),
        stacked_scores([policy.pass_score for policy in policies]),
        known.bins,
        known.beats,
        net,
        flags,
        record,
        seen,
    )
    shape = (n_deals, n_line_ups)
    return Played(net, flags, record.reshape(*shape, most_actions), seen.reshape(-1, *shape[1:], *seen.shape[1:]))


def deal_cards(key: np.uint64, first: int, n_deals: int, n_seats: int) -> NDArray[np.uint8]:
    """Hands side by side, (deal, 7 * seat)."""
    from guts_sim.kernels.deal import fill_deals

    cards = np.empty((n_deals, HAND_SIZE * n_seats), np.uint8)
    fill_deals(key, np.uint64(first), np.empty(0, np.uint8), cards)
    return cards
