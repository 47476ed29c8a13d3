"""Games in which one card each decides, small enough that every deal is listed.

A game is a public tree of actions and a list of deals by rank. What a player knows at a node is the *place* (the
history as far as the player has heard it) and the *view* (the cards the player sees).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.games.betting import N_ACTIONS, BettingLimits
from guts_sim.games.tree import NO_CHILD, betting_tree
from guts_sim.kernels.units import SUBUNITS

OUT, IN = 0, 1
_Payoff = Callable[[Sequence[int], Sequence[int]], Sequence[int]]


@dataclass(frozen=True)
class Deck:
    """A deck of ``n_ranks`` ranks with ``copies`` cards each."""

    n_ranks: int = 13
    copies: int = 4


@dataclass(frozen=True, eq=False)
class CardGame:
    """A game with one card each, as arrays.

    Attributes
    ----------
    n_players : int
        Players; seat 0 acts first.
    actor, place : int32 array, shape (n_decisions,)
        Who acts at a node, and number of the history as the actor has heard it.
    child : int32 array, shape (n_decisions, 3)
        Next node by action, -1 where it is not allowed. Children have larger numbers; ends come last.
    standing, stake : int64 array, shape (n_ends,)
        Bit set of the seats at the showdown, and the chips that they play for.
    paid : int64 array, shape (n_ends, n_players)
        What each seat has put in.
    deals : int16 array, shape (n_deals, n_players)
        Rank of each seat's card, larger beats smaller.
    ways : int64 array, shape (n_deals,)
        In how many ways cards of these ranks can be dealt.
    view : int32 array, shape (n_players, n_deals)
        Number of the cards that a seat sees.
    n_views : int
        Numbers of views are below this one.
    outcome : int64 array, shape (2**n_players, n_players, n_deals)
        What each seat gets per chip of stake by bit set of the seats at the showdown, in 1/2520.
    """

    n_players: int
    actor: NDArray[np.int32]
    place: NDArray[np.int32]
    child: NDArray[np.int32]
    standing: NDArray[np.int64]
    stake: NDArray[np.int64]
    paid: NDArray[np.int64]
    deals: NDArray[np.int16]
    ways: NDArray[np.int64]
    view: NDArray[np.int32]
    n_views: int
    outcome: NDArray[np.int64]

    @property
    def n_decisions(self) -> int:
        """Number of nodes at which somebody acts."""
        return int(self.actor.size)

    @cached_property
    def n_places(self) -> int:
        """Number of different places."""
        return int(self.place.max()) + 1

    @cached_property
    def weight(self) -> NDArray[np.float64]:
        """Probability of each deal."""
        return np.asarray(self.ways / self.ways.sum())

    @cached_property
    def legal(self) -> NDArray[np.bool_]:
        """Whether an action is allowed, by place and action."""
        legal = np.zeros((self.n_places, N_ACTIONS), bool)
        legal[self.place] = self.child != NO_CHILD
        return legal

    @cached_property
    def place_actor(self) -> NDArray[np.int32]:
        """Who acts at each place."""
        actors = np.zeros(self.n_places, np.int32)
        actors[self.place] = self.actor
        return actors

    def payoff_units(self, end: int) -> NDArray[np.int64]:
        """What each seat wins or loses at an end, in 1/2520 chip; shape (n_players, n_deals)."""
        prize = self.stake[end] * self.outcome[self.standing[end]]
        return np.asarray(prize - SUBUNITS * self.paid[end][:, None])

    def payoffs(self, end: int) -> NDArray[np.float64]:
        """`payoff_units` in chips."""
        return self.payoff_units(end) / SUBUNITS

    def uniform(self) -> NDArray[np.float64]:
        """The strategies of all seats that take every allowed action equally often: (place, view, action)."""
        probs = self.legal / self.legal.sum(axis=1, keepdims=True)
        return np.repeat(probs[:, None, :], self.n_views, axis=1)


def betting_game(
    n_players: int,
    limits: BettingLimits | None = None,
    *,
    deck: Deck | None = None,
    sees: str = "others",
    best: str = "high",
) -> CardGame:
    """Return the game with a betting round: Indian poker, or one-card poker if players see their own card.

    Parameters
    ----------
    n_players : int
        Players.
    limits : BettingLimits, optional
        What the betting round allows.
    deck : Deck, optional
        By default 13 ranks of 4.
    sees : {"others", "own"}
        Whose cards a player sees.
    best : {"high", "low"}
        Which card wins.

    Examples
    --------
    Kuhn's poker:

    >>> game = betting_game(2, BettingLimits(max_raises=0, fold_unbet=False), deck=Deck(3, 1), sees="own")
    >>> game.n_decisions, len(game.deals)
    (4, 6)
    """
    tree = betting_tree(n_players, limits or BettingLimits())
    ends = range(tree.n_decisions, len(tree.states))
    return _card_game(
        n_players,
        deck or Deck(),
        sees,
        best,
        share_of_pot,
        actor=np.array([tree.orders[node][0] for node in range(tree.n_decisions)], np.int32),
        place=np.arange(tree.n_decisions, dtype=np.int32),
        child=tree.child,
        standing=np.array([sum(1 << seat for seat in tree.orders[end]) for end in ends], np.int64),
        stake=tree.pot[tree.n_decisions :].astype(np.int64),
        paid=tree.paid[tree.n_decisions :].astype(np.int64),
    )


def declaring_game(
    n_players: int, *, sequential: bool = False, deck: Deck | None = None, sees: str = "others", best: str = "high"
) -> CardGame:
    """Return one round of Guts with one card each: declare in or out, losers match the pot.

    Payoffs are in pots, above the fair share ``1 / n_players``. As in Guts a chip left on the table is worth the
    same part of itself to every player.

    Examples
    --------
    >>> game = declaring_game(2)
    >>> game.n_decisions, game.n_places  # the second player does not hear the first
    (3, 2)
    """
    nodes = [declared for n in range(n_players) for declared in product((OUT, IN), repeat=n)]
    number = {declared: i for i, declared in enumerate(nodes)}
    ends = list(product((OUT, IN), repeat=n_players))
    number |= {declared: len(nodes) + i for i, declared in enumerate(ends)}
    child = np.full((len(nodes), N_ACTIONS), NO_CHILD, np.int32)
    for declared in nodes:
        for action in (OUT, IN):
            child[number[declared], action] = number[(*declared, action)]
    actor = np.array([len(declared) for declared in nodes], np.int32)
    return _card_game(
        n_players,
        deck or Deck(),
        sees,
        best,
        share_of_guts,
        actor=actor,
        place=np.arange(len(nodes), dtype=np.int32) if sequential else actor,
        child=child,
        standing=np.array([sum(1 << seat for seat, is_in in enumerate(end) if is_in) for end in ends], np.int64),
        stake=np.ones(len(ends), np.int64),
        paid=np.zeros((len(ends), n_players), np.int64),
    )


def share_of_pot(ranks: Sequence[int], standing: Sequence[int]) -> list[int]:
    """Shares of the pot in 1/2520: the best of those who stand split it; without a showdown the last takes it."""
    shares = [0] * len(ranks)
    best = max((ranks[seat] for seat in standing), default=-1)
    winners = [seat for seat in standing if ranks[seat] == best]
    for seat in winners:
        shares[seat] = SUBUNITS // len(winners)
    return shares


def share_of_guts(ranks: Sequence[int], standing: Sequence[int]) -> list[int]:
    """Payoffs of a round of Guts in 1/2520 pot above the fair share."""
    n_players = len(ranks)
    payoffs = share_of_pot(ranks, standing)
    losers = [seat for seat in standing if payoffs[seat] == 0]
    for seat in losers:
        payoffs[seat] = -SUBUNITS
    left_on_table = len(losers) if standing else 1
    return [payoff + (left_on_table - 1) * SUBUNITS // n_players for payoff in payoffs]


def view_numbers(deals: NDArray[np.int16], n_ranks: int, sees: str) -> tuple[NDArray[np.int32], int]:
    """Number the cards that each seat sees: the own rank, or those of the others in the order of the seats."""
    n_players = deals.shape[1]
    if sees == "own":
        return deals.T.astype(np.int32), n_ranks
    views = np.zeros((n_players, len(deals)), np.int32)
    for seat in range(n_players):
        for other in range(n_players):
            if other != seat:
                views[seat] = views[seat] * n_ranks + deals[:, other]
    return views, n_ranks ** (n_players - 1)


def _card_game(n_players: int, deck: Deck, sees: str, best: str, share: _Payoff, **tree: Any) -> CardGame:
    deals, ways = _listed_deals(n_players, deck)
    strength = deals if best == "high" else deck.n_ranks - 1 - deals
    outcome = np.zeros((2**n_players, n_players, len(deals)), np.int64)
    for standing in range(2**n_players):
        seats = [seat for seat in range(n_players) if standing >> seat & 1]
        outcome[standing] = np.array([share(ranks, seats) for ranks in strength.tolist()]).T
    view, n_views = view_numbers(deals, deck.n_ranks, sees)
    return CardGame(n_players=n_players, deals=deals, ways=ways, view=view, n_views=n_views, outcome=outcome, **tree)


def _listed_deals(n_players: int, deck: Deck) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """All deals by rank that the deck can give, and in how many ways each comes about."""
    deals = np.array(list(product(range(deck.n_ranks), repeat=n_players)), np.int16)
    ways = np.ones(len(deals), np.int64)
    falling = np.array([perm(deck.copies, k) for k in range(n_players + 1)])
    for rank in range(deck.n_ranks):
        ways *= falling[(deals == rank).sum(axis=1)]
    return deals[ways > 0], ways[ways > 0]
