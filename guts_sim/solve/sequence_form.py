"""Exact equilibria of two players by the sequence-form linear programme.

A player's plan gives every *sequence* (own actions at one place and view, after those before) the product of the
probabilities along it. Payoffs are linear in each player's plan, so the plan that guarantees most is the solution of
a linear programme whose size grows with the number of sequences only.

References
----------
D. Koller, N. Megiddo, B. von Stengel, "Efficient computation of equilibria for extensive two-person games",
Games and Economic Behavior 14 (1996) 247-259.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_array, csr_array, hstack

from guts_sim.games.betting import N_ACTIONS
from guts_sim.games.card_game import CardGame
from guts_sim.games.tree import NO_CHILD
from guts_sim.solve.profiles import best_reply, profile_values

Floats = NDArray[np.float64]
_TOLERANCE = 1e-10


@dataclass(frozen=True, eq=False)
class Solution:
    """An equilibrium, or a profile near one.

    Attributes
    ----------
    profile : float64 array (place, view, action)
        What everybody does.
    values : float64 array, shape (n_players,)
        What it is worth to each seat.
    reply_values : float64 array, shape (n_players,)
        What each seat's best reply to it is worth.
    iterations : int
        Iterations of learning; 0 for a linear programme.
    """

    profile: Floats
    values: Floats
    reply_values: Floats
    iterations: int = 0

    @property
    def nash_conv(self) -> float:
        """Sum of what the best replies gain."""
        return float((self.reply_values - self.values).sum())


def solve_two_players(game: CardGame) -> Solution:
    """Solve a two-player zero-sum game exactly.

    Parameters
    ----------
    game : CardGame
        A game of two players.

    Returns
    -------
    Solution
        An equilibrium. At views that its own earlier actions rule out, a best reply fills in.

    Examples
    --------
    Kuhn's poker is worth -1/18 to the first player.

    >>> from guts_sim.games.betting import BettingLimits
    >>> from guts_sim.games.card_game import Deck, betting_game
    >>> game = betting_game(2, BettingLimits(max_raises=0, fold_unbet=False), deck=Deck(3, 1), sees="own")
    >>> round(-18 * float(solve_two_players(game).values[0]), 9)
    1.0
    """
    own_sequence = _sequences_at(game)
    profile = game.uniform()
    for seat in (0, 1):
        profile = _with_plan(game, profile, seat, _best_plan(game, seat, own_sequence))
    for seat in (0, 1):
        profile = _filled(game, profile, seat)
    replies = np.array([best_reply(game, profile, seat)[0] for seat in (0, 1)])
    return Solution(profile, profile_values(game, profile), replies)


def _n_sequences(game: CardGame) -> int:
    return 1 + game.n_places * game.n_views * N_ACTIONS


def _number(game: CardGame, place: int, views: NDArray[np.int32], action: int) -> NDArray[np.int64]:
    """Number of the sequence that ends with an action at a place; 0 is the empty one."""
    return 1 + (np.int64(place) * game.n_views + views) * N_ACTIONS + action


def _sequences_at(game: CardGame) -> list[NDArray[np.int64]]:
    """The last sequence of each seat at each node, by deal; arrays of shape (2, n_deals)."""
    last = [np.zeros((2, len(game.deals)), np.int64)] * (game.n_decisions + len(game.stake))
    for node in range(game.n_decisions):
        seat = int(game.actor[node])
        for action, child in enumerate(game.child[node].tolist()):
            if child != NO_CHILD:
                last[child] = last[node].copy()
                last[child][seat] = _number(game, int(game.place[node]), game.view[seat], action)
    return last


def _payoff_matrix(game: CardGame, seat: int, last: list[NDArray[np.int64]]) -> csr_array:
    """Expected payoff of ``seat`` by its sequence and the other's."""
    rows, columns, entries = [], [], []
    for end in range(len(game.stake)):
        own, other = last[game.n_decisions + end][[seat, 1 - seat]]
        rows.append(own)
        columns.append(other)
        entries.append(game.weight * game.payoffs(end)[seat])
    size = _n_sequences(game)
    triple = (np.concatenate(entries), (np.concatenate(rows), np.concatenate(columns)))
    return csr_array(coo_array(triple, shape=(size, size)))


def _flow_matrix(game: CardGame, seat: int, last: list[NDArray[np.int64]]) -> csr_array:
    """Rows that make a plan consistent: the actions at a view add up to the sequence before."""
    rows, columns, entries = [0], [0], [1.0]
    row = 0
    for place in np.flatnonzero(game.place_actor == seat).tolist():
        node = int(np.flatnonzero(game.place == place)[0])
        views, deal = np.unique(game.view[seat], return_index=True)
        before = last[node][seat, deal]
        for i, view in enumerate(views):
            row += 1
            rows.append(row)
            columns.append(int(before[i]))
            entries.append(-1.0)
            for action in np.flatnonzero(game.legal[place]).tolist():
                rows.append(row)
                columns.append(int(_number(game, place, view, action)))
                entries.append(1.0)
    return csr_array(coo_array((entries, (rows, columns)), shape=(row + 1, _n_sequences(game))))


def _best_plan(game: CardGame, seat: int, last: list[NDArray[np.int64]]) -> Floats:
    """The plan that guarantees ``seat`` most: maximise the value of the dual at the other's root."""
    payoff = _payoff_matrix(game, seat, last)
    own, other = _flow_matrix(game, seat, last), _flow_matrix(game, 1 - seat, last)
    used = np.flatnonzero(np.diff(own.tocsc().indptr))  # sequences of this seat that exist
    replies = np.flatnonzero(np.diff(other.tocsc().indptr))
    payoff, own, other = payoff[used][:, replies], own[:, used], other[:, replies]
    n_own, n_dual = len(used), other.shape[0]
    objective = np.zeros(n_own + n_dual)
    objective[n_own] = -1.0
    right = np.zeros(own.shape[0])
    right[0] = 1.0
    solved = linprog(  # type: ignore[call-overload]  # its stubs know no sparse constraints
        objective,
        A_ub=hstack([-payoff.T, other.T]),
        b_ub=np.zeros(len(replies)),
        A_eq=hstack([own, csr_array((own.shape[0], n_dual))]),
        b_eq=right,
        bounds=[(0.0, None)] * n_own + [(None, None)] * n_dual,
        method="highs",
        options={"primal_feasibility_tolerance": _TOLERANCE, "dual_feasibility_tolerance": _TOLERANCE},
    )
    if solved.status != 0:  # every such game has an equilibrium
        raise ArithmeticError(f"the linear programme was not solved: {solved.message}")
    plan = np.zeros(_n_sequences(game))
    plan[used] = np.maximum(solved.x[:n_own], 0.0)
    return plan


def _with_plan(game: CardGame, profile: Floats, seat: int, plan: Floats) -> Floats:
    """Turn a plan into probabilities of actions, nan at views that the plan never reaches."""
    profile = profile.copy()
    by_action = plan[1:].reshape(game.n_places, game.n_views, N_ACTIONS)
    mine = game.place_actor == seat
    total = by_action[mine].sum(axis=2, keepdims=True)
    reached = total > 1e-9
    probs = np.where(reached, by_action[mine] / np.where(reached, total, 1.0), np.nan)
    profile[mine] = probs
    return profile


def _filled(game: CardGame, profile: Floats, seat: int) -> Floats:
    """Fill the views that a seat never reaches with a best reply to the other's strategy."""
    mine = (game.place_actor == seat)[:, None, None]
    unreached = np.isnan(profile) & mine
    neutral = np.where(np.isnan(profile), 0.0, profile)
    _, reply = best_reply(game, neutral, seat)
    return np.where(unreached, reply, profile)
