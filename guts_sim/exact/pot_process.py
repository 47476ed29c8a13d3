"""Best reply at a table with a cap or a limit of matches: a Markov decision process over pot and reserve.

The opponents never look at the pot. The player does: at every pot and reserve he decides anew which hands to
enter, for the sum of all he gets until the cycle ends, or for a utility of it. Policy iteration finds the best
policy; each step solves a sparse linear system.

With constant absolute risk aversion a > 0 the player maximises -log(E[exp(-a X)]) / a, the certainty equivalent of
his chips X. What he has won so far then is a factor that no decision changes, so pot and reserve are all
he has to know.

References
----------
.. [1] R. A. Howard and J. E. Matheson, "Risk-sensitive Markov decision processes", Management Science 18 (1972),
   356-369.
"""

from dataclasses import dataclass
from math import inf, isfinite

import numpy as np
from numpy.typing import NDArray

from guts_sim.errors import InputError
from guts_sim.exact.chain import OVER, Stakes, State, opening
from guts_sim.exact.leaving import LeavingChain
from guts_sim.exact.outcomes import OutcomeLaw, outcomes_of, settle_player
from guts_sim.exact.results import Floats
from guts_sim.exact.utility import Utility

Ints = NDArray[np.int64]
MAX_STATES = 20_000
FULL_RESERVES = 60
"""Reserves are followed up to so many full pots; beyond, the chips on the table count as shared equally."""
_MOST_STEPS = 100
_MOST_GUESSED = 1e-6
"""Largest part of the expected exponential that may come from states beyond those followed."""


@dataclass(frozen=True, eq=False)
class TableMoves:
    """What every end of a round does at every pot and reserve.

    Attributes
    ----------
    states : list of (pot, reserve)
        State 0 is the opening.
    flow_out, flow_in : float64 array, shape (n_states, n_outcomes)
        Chips that the player gets.
    next_out, next_in : int64 array, shape (n_states, n_outcomes)
        State afterwards: ``n_states`` where the cycle is over, larger numbers for states that are not followed.
    shares : float64 array
        What each state from ``n_states`` on is worth.
    """

    states: list[State]
    flow_out: Floats
    flow_in: Floats
    next_out: Ints
    next_in: Ints
    shares: Floats


def table_moves(n_players: int, stakes: Stakes, reantes: bool) -> TableMoves:
    """Visit all pots and reserves that can occur.

    Raises
    ------
    InputError
        There are too many, because nothing bounds the pot.
    """
    most_reserve = inf if stakes.cap is None else FULL_RESERVES * max(stakes.cap, stakes.antes)
    outs, ins = outcomes_of(n_players)
    start = opening(stakes)
    index = {start: 0}
    states = [start]
    beyond: dict[State, int] = {OVER: 0}
    rows: list[list[tuple[float, State]]] = []
    for pot, reserve in states:  # the list grows as states are found
        row = [settle_player(pot, reserve, outcome, stakes, n_players, reantes) for outcome in (*outs, *ins)]
        for _, state in row:
            if state in index or state in beyond:
                continue
            if state[1] > most_reserve:
                beyond[state] = len(beyond)
            else:
                index[state] = len(states)
                states.append(state)
        if len(states) > MAX_STATES:
            raise InputError(
                f"best_response: more than {MAX_STATES:,} pots and reserves can occur under these rules; give a cap, or"
                " a cap that is a multiple of all players' antes"
            )
        rows.append(row)
    number = index | {state: len(states) + place for state, place in beyond.items()}
    flow = np.array([[chips for chips, _ in row] for row in rows])
    after = np.array([[number[state] for _, state in row] for row in rows], np.int64)
    shares = np.array([sum(state) / n_players for state in beyond])
    return TableMoves(
        states, flow[:, : len(outs)], flow[:, len(outs) :], after[:, : len(outs)], after[:, len(outs) :], shares
    )


@dataclass(frozen=True, eq=False)
class PotPolicy:
    """A strategy that looks at pot and reserve, and what it is worth.

    Attributes
    ----------
    entry : float64 array, shape (n_states, n_classes)
        Probability of entering.
    worth : float64 array, shape (n_states,)
        Chips that the player expects until the cycle ends (their certainty equivalent if he is averse to risk).
    unfollowed : float
        Probability that a cycle leaves the states that are followed.
    rounds : float
        Mean number of rounds of a cycle.
    """

    entry: Floats
    worth: Floats
    unfollowed: float
    rounds: float


def evaluate_policy(moves: TableMoves, law: OutcomeLaw, entry: Floats, risk_aversion: float = 0.0) -> PotPolicy:
    """Worth of a strategy at every pot and reserve.

    Parameters
    ----------
    moves : TableMoves
        See `table_moves`.
    law : OutcomeLaw
        What opponents do.
    entry : float64 array, shape (n_states, n_classes) or (n_classes,)
        Probability of entering; the same everywhere if it has one dimension.
    risk_aversion : float
        Constant absolute risk aversion per chip; 0 for expected chips.
    """
    utility = Utility(absolute=risk_aversion)
    n = len(moves.states)
    entry = np.broadcast_to(entry, (n, law.frequency.size))
    weight = law.weights(entry)
    flow, after = np.hstack([moves.flow_out, moves.flow_in]), np.hstack([moves.next_out, moves.next_in])
    got = flow + np.append(np.zeros(n), moves.shares)[after]
    chances = LeavingChain(weight, after)
    rounds = float(chances.mean_visits()[0])
    unfollowed = float(chances.total((weight * (after > n)).sum(axis=1))[0])
    if utility.is_linear:
        return PotPolicy(entry, chances.total((weight * got).sum(axis=1)), unfollowed, rounds)
    priced = weight * utility.factor(got)
    felt = LeavingChain(priced, after)
    mean_factor = felt.total((priced * (after >= n)).sum(axis=1))
    guessed = felt.total((priced * (after > n)).sum(axis=1))
    if not (mean_factor > 0.0).all() or guessed[0] > _MOST_GUESSED * mean_factor[0]:
        return PotPolicy(entry, np.full(n, -inf), unfollowed, rounds)
    mean_gain = felt.total((weight * utility.gain(got)).sum(axis=1))
    return PotPolicy(entry, utility.certain_growth(mean_gain, mean_factor), unfollowed, rounds)


def best_policy(moves: TableMoves, law: OutcomeLaw, start: Floats, risk_aversion: float = 0.0) -> PotPolicy:
    """Best strategy at every pot and reserve, by policy iteration from ``start``.

    Raises
    ------
    InputError
        A utility that is minus infinity whatever the player does: losses are too large for so much aversion.
    """
    utility = Utility(absolute=risk_aversion)
    policy = evaluate_policy(moves, law, start, risk_aversion)
    for _ in range(_MOST_STEPS):
        if not isfinite(policy.worth[0]):
            raise InputError(
                f"risk_aversion: at {risk_aversion:g} per chip the expected utility is minus infinity; give less"
            )
        gain = _gains(moves, law, policy.worth, utility)
        entry = np.where(gain > 1e-12, 1.0, np.where(gain < -1e-12, 0.0, policy.entry))
        if np.array_equal(entry, policy.entry):
            return policy
        policy = evaluate_policy(moves, law, entry, risk_aversion)
    return policy


def _gains(moves: TableMoves, law: OutcomeLaw, worth: Floats, utility: Utility) -> Floats:
    """In-minus-out by state and class, in utility."""
    later = np.append(worth, moves.shares)
    # Relative to the state's own worth, so that no exponential overflows where the stakes are high.
    here = 0.0 if utility.is_linear else worth[:, None]
    value_in = utility.gain(moves.flow_in + later[moves.next_in] - here) @ law.when_in
    value_out = utility.gain(moves.flow_out + later[moves.next_out] - here) @ law.when_out
    return np.asarray(value_in - value_out)
