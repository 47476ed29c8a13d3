"""Tables of a betting round: every history apart, or states that go on alike made one.

Numbers of decision nodes come first, in an order in which children follow their parents; then come the ends.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.errors import InputError
from guts_sim.games.betting import (
    N_ACTIONS,
    BettingLimits,
    BettingState,
    act,
    action_name,
    first_state,
    is_over,
    legal_actions,
    next_order,
    price,
)

Ints = NDArray[np.int32]
NO_CHILD = -1


@dataclass(frozen=True, eq=False)
class BettingTable:
    """A betting round as arrays, for code that walks a queue of players through it.

    Attributes
    ----------
    limits : BettingLimits
        What the round allows.
    n_players : int
        Players at the table.
    n_decisions : int
        Nodes below this number are decisions, the others ends.
    states : tuple of BettingState
        State at each node.
    child : int32 array, shape (n_decisions, 3)
        Node after folding, staying, raising; -1 where that is not allowed.
    price : int32 array, shape (n_decisions, 3)
        What the action costs.
    pot, waiting, fresh : int32 array, shape (n_nodes,)
        See `BettingState`.
    """

    limits: BettingLimits
    n_players: int
    n_decisions: int
    states: tuple[BettingState, ...]
    child: Ints
    price: Ints
    pot: Ints
    waiting: Ints
    fresh: Ints


@dataclass(frozen=True, eq=False)
class BettingTree(BettingTable):
    """A betting round with every history a node of its own.

    Attributes
    ----------
    histories : tuple of tuple of int
        Actions that lead to each node.
    orders : tuple of tuple of int
        Active seats at each node in the order of their turns; seat 0 acts first.
    paid : int32 array, shape (n_nodes, n_players)
        Chips that each seat has put in, the ante included.
    """

    histories: tuple[tuple[int, ...], ...]
    orders: tuple[tuple[int, ...], ...]
    paid: Ints

    def history_text(self, node: int) -> str:
        """Actions that lead to a node, in words: ``check bet``."""
        return history_text(self.histories[node], self.n_players, self.limits)


@cache
def betting_tree(n_players: int, limits: BettingLimits) -> BettingTree:
    """Return the tree of all histories.

    Examples
    --------
    >>> tree = betting_tree(2, BettingLimits())
    >>> [tree.history_text(node) for node in range(tree.n_decisions)]
    ['', 'check', 'bet', 'check bet', 'bet raise', 'check bet raise']
    """
    start = (first_state(n_players, limits), (), tuple(range(n_players)), (limits.ante,) * n_players)

    def step(node: Any, action: int) -> Any:
        state, history, order, paid = node
        cost = list(paid)
        cost[order[0]] += price(state, action, limits)
        return act(state, action, limits), (*history, action), next_order(order, action), tuple(cost)

    nodes, table = _explore(start, step, limits)
    return BettingTree(
        limits=limits,
        n_players=n_players,
        **table,
        histories=tuple(node[1] for node in nodes),
        orders=tuple(node[2] for node in nodes),
        paid=np.array([node[3] for node in nodes], np.int32),
    )


@cache
def betting_table(n_players: int, limits: BettingLimits) -> BettingTable:
    """Return the table of all states; histories after which the round goes on alike share one.

    A state says how many players wait, what each active one owes, and the pot, but not who checked, called or
    folded when: for ten players there are some hundred states and many millions of histories.

    Examples
    --------
    >>> betting_table(3, BettingLimits()).n_decisions, betting_tree(3, BettingLimits()).n_decisions
    (18, 42)
    """
    start = (first_state(n_players, limits),)
    _, table = _explore(start, lambda node, action: (act(node[0], action, limits),), limits)
    return BettingTable(limits=limits, n_players=n_players, **table)


def _explore(start: Any, step: Any, limits: BettingLimits) -> tuple[list[Any], dict[str, Any]]:
    """Follow all actions breadth first from ``start``; nodes are tuples that begin with their state."""
    decisions: list[Any] = [start]
    ends: list[Any] = []
    seen = {start}
    for node in decisions:  # grows while we go
        for action in legal_actions(node[0], limits):
            after = step(node, action)
            if after not in seen:
                seen.add(after)
                (ends if is_over(after[0]) else decisions).append(after)
    decisions.sort(key=lambda node: _depth(node[0]))
    nodes = decisions + ends
    number = {node: i for i, node in enumerate(nodes)}
    child = np.full((len(decisions), N_ACTIONS), NO_CHILD, np.int32)
    cost = np.zeros((len(decisions), N_ACTIONS), np.int32)
    for i, node in enumerate(decisions):
        for action in legal_actions(node[0], limits):
            child[i, action] = number[step(node, action)]
            cost[i, action] = price(node[0], action, limits)
    states = [node[0] for node in nodes]
    return nodes, {
        "n_decisions": len(decisions),
        "states": tuple(states),
        "child": child,
        "price": cost,
        "pot": np.array([state.pot for state in states], np.int32),
        "waiting": np.array([state.waiting for state in states], np.int32),
        "fresh": np.array([state.fresh for state in states], np.int32),
    }


def _depth(state: BettingState) -> tuple[int, int]:
    """A key that grows with every action: the bets so far, then fewer who wait."""
    return state.n_bets, -state.waiting


def history_text(history: Sequence[int], n_players: int, limits: BettingLimits) -> str:
    """Actions in words, separated by blanks."""
    state, words = first_state(n_players, limits), []
    for action in history:
        words.append(action_name(state, action))
        state = act(state, action, limits)
    return " ".join(words)


def read_history(text: str, n_players: int, limits: BettingLimits) -> tuple[int, ...]:
    """Read actions in words, checking that each is allowed in its turn.

    Raises
    ------
    InputError
        A word is no action, the action is not allowed there, or the round is over before.

    Examples
    --------
    >>> read_history("check bet fold", 3, BettingLimits())
    (1, 2, 0)
    >>> read_history("check call", 3, BettingLimits())
    Traceback (most recent call last):
    ...
    guts_sim.errors.InputError: history: 'call' is not allowed as action 2; allowed are fold, check, bet
    """
    state = first_state(n_players, limits)
    history: list[int] = []
    for word in text.lower().replace(",", " ").split():
        if is_over(state):
            raise InputError(f"history: the round is over after {len(history)} actions; {word!r} is one too many")
        allowed = {action_name(state, action): action for action in legal_actions(state, limits)}
        if word not in allowed:
            raise InputError(
                f"history: {word!r} is not allowed as action {len(history) + 1}; allowed are {', '.join(allowed)}"
            )
        history.append(allowed[word])
        state = act(state, allowed[word], limits)
    if is_over(state):
        raise InputError(f"history: the round is over after {text!r}; nobody has to act")
    return tuple(history)
