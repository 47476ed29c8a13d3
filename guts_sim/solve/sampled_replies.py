"""Exploitability at a table of any size, by best replies on sampled deals that are exact given the visible cards.

A player knows the cards of the others and the history. So a best reply can be found for each set of visible
cards by itself, over all histories and all own cards, and what it gains, averaged over dealt cards, is an unbiased
estimate of what the best reply in the whole game gains, however coarse the summaries that the strategies use.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from guts_sim.engine.one_card import deal_strengths, own_card_weights
from guts_sim.games.betting import FOLD, next_order
from guts_sim.games.walk import Walk

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ReplyTask:
    """Gains of the best reply and values of the strategy in use, by deal and seat; can be sent to other processes.

    Attributes
    ----------
    walk : Walk
        What is played.
    key : uint64
        Key of the deals.
    strategies : float64 array (strategy, decision, view, action)
        Strategies at the table.
    who : tuple of int
        Strategy of each seat.
    """

    walk: Walk
    key: np.uint64
    strategies: Floats
    who: tuple[int, ...]

    def __call__(self, start: int, stop: int) -> Floats:
        """(best, played) of deals ``start .. stop - 1``, shape (deal, seat, 2), in chips."""
        return self.of_deals(deal_strengths(self.walk, self.key, start, stop - start))

    def of_deals(self, strengths: NDArray[np.uint8]) -> Floats:
        """(best, played) on given cards, shape (deal, seat, 2); the seat's own card is averaged out."""
        values = np.empty((len(strengths), self.walk.n_players, 2))
        for seat in range(self.walk.n_players):
            weights = own_card_weights(self.walk, strengths, seat)
            order = tuple(range(self.walk.n_players))
            ante = self.walk.rules.limits.ante
            values[:, seat] = values_from(
                self.walk, seat, 0, order, ante, weights, strengths, self.strategies, self.who
            )
        return values


@dataclass(frozen=True, eq=False)
class ActionValues:
    """What each action is worth to the player who is to act.

    Attributes
    ----------
    seat : int
        Who is to act, 0 first.
    node : int
        Decision node of the walk.
    view : int
        Number of what the player sees there.
    values : dict of int to (float, float)
        Net chips of the hand by action: if the player goes on as well as possible, and with the own strategy.
    law : float64 array (strength,)
        Law of the own card given the visible cards and what the others did.
    p_history : float
        Probability that the others act like this, given the visible cards and the own actions.
    """

    seat: int
    node: int
    view: int
    values: dict[int, tuple[float, float]]
    law: Floats
    p_history: float


def action_values(
    walk: Walk, others: Sequence[int], history: Sequence[int], strategies: Floats, who: Sequence[int]
) -> ActionValues:
    """Value every action of the player to act, all own cards and continuations counted.

    Parameters
    ----------
    walk : Walk
        What is played.
    others : sequence of int
        Strengths of the other players' cards in the order of their seats.
    history : sequence of int
        Actions so far.
    strategies, who
        See `ReplyTask`; the player to act is one of them.
    """
    seat = _seat_after(walk, history)
    strengths = np.array([[*others[:seat], 0, *others[seat:]]], np.uint8)
    law = own_card_weights(walk, strengths, seat)[0]
    cards = [int(strength) for strength in strengths[0]]
    order, node, paid = tuple(range(walk.n_players)), 0, walk.rules.limits.ante
    for action in history:
        if order[0] == seat:
            paid += int(walk.moves[node, action, 1])
        else:
            for own in np.flatnonzero(law):
                cards[seat] = int(own)
                law[own] *= strategies[who[order[0]], node, walk.view_of(cards, order, node), action]
        order, node = next_order(order, action), int(walk.moves[node, action, 0])
    p_history = float(law.sum())
    if p_history > 0.0:
        law = law / p_history
    values = {}
    for action in np.flatnonzero(walk.legal[node]).tolist():
        if action == FOLD:
            values[action] = (-float(paid), -float(paid))
            continue
        child, price = walk.moves[node, action].tolist()
        after = next_order(order, action)
        best, played = values_from(walk, seat, child, after, paid + price, law[None], strengths, strategies, who)[0]
        values[action] = (float(best), float(played))
    return ActionValues(seat, node, walk.view_of(cards, order, node), values, law, p_history)


def _seat_after(walk: Walk, history: Sequence[int]) -> int:
    order = tuple(range(walk.n_players))
    for action in history:
        order = next_order(order, action)
    return order[0]


def values_from(
    walk: Walk,
    seat: int,
    node: int,
    order: Sequence[int],
    paid: int,
    weights: Floats,
    strengths: NDArray[np.uint8],
    strategies: Floats,
    who: Sequence[int],
) -> Floats:
    """(best, played) to a seat from a node on, summed over its own card with ``weights``; shape (deal, 2)."""
    from guts_sim.kernels.indian_search import reply_values

    values = np.empty((len(strengths), 2))
    reply_values(
        seat,
        node,
        np.array(order, np.int64),
        float(paid),
        np.ascontiguousarray(weights),
        strengths.copy(),  # the kernel writes the own card into it
        strategies,
        np.array(who, np.int64),
        walk.moves,
        walk.nodes,
        walk.deck,
        values,
    )
    return values
