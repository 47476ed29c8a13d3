"""The game of one honest player against a coalition's plans, as a linear programme.

The honest player chooses an entry probability per hand class, the coalition a mix of plans. Given what a stake is
worth later, a round is a matrix game that is linear in both; its value at the true worth is that worth itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
_MOST_STEPS = 50
_SETTLED = 1e-12
_PLAYED = 1e-9
_COARSE = 4


@dataclass(frozen=True, eq=False)
class PlanTable:
    """What a round does against each plan, by the honest player's hand class and decision.

    All arrays have shape (n_plans, n_classes) and hold means over all deals, so that summing over the classes
    gives the mean of a round.

    Attributes
    ----------
    payoff_in, payoff_out : ndarray
        Payoff in antes: own flow plus the fair share of what is then on the table, less the ante.
    multiplier_in, multiplier_out : ndarray
        Multiplier of the pot.
    """

    payoff_in: FloatArray
    payoff_out: FloatArray
    multiplier_in: FloatArray
    multiplier_out: FloatArray

    def means(self, entry: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Payoff and multiplier of a round against each plan, for entry probabilities per class."""
        payoff = self.payoff_in @ entry + self.payoff_out @ (1.0 - entry)
        multiplier = self.multiplier_in @ entry + self.multiplier_out @ (1.0 - entry)
        return payoff, multiplier


@dataclass(frozen=True, eq=False)
class PlanSolution:
    """Solution of the game.

    Attributes
    ----------
    value : float
        Worth to the honest player in antes; minus infinity if the stakes do not vanish while the coalition wins.
    entry : ndarray, shape (n_classes,)
        His entry probabilities.
    weights : ndarray, shape (n_plans,)
        The coalition's mix.
    """

    value: float
    entry: FloatArray
    weights: FloatArray


def solve_plans(table: PlanTable) -> PlanSolution:
    """Solve the game for V = val(payoff + V * multiplier).

    Examples
    --------
    The honest player beats one plan by entering and loses to the other; mixing makes it even.

    >>> no_multiplier = np.zeros((2, 1))
    >>> table = PlanTable(np.array([[1.0], [-1.0]]), np.array([[-1.0], [1.0]]), no_multiplier, no_multiplier)
    >>> solution = solve_plans(table)
    >>> solution.value, solution.entry.tolist(), solution.weights.tolist()
    (0.0, [0.5], [0.5, 0.5])
    """
    value = 0.0
    for _ in range(_MOST_STEPS):
        entry, weights = _solve_round(table, value)
        payoff, multiplier = (float(weights @ means) for means in table.means(entry))
        if multiplier >= 1.0:
            return PlanSolution(float("-inf"), entry, weights)
        improved = payoff / (1.0 - multiplier)
        settled = abs(improved - value) < _SETTLED
        value = improved
        if settled:
            break
    return PlanSolution(value, entry, weights)


def _solve_round(table: PlanTable, value: float) -> tuple[FloatArray, FloatArray]:
    """Optimal entry probabilities and mix of one round."""
    from scipy.optimize import linprog

    worth_in = table.payoff_in + value * table.multiplier_in
    worth_out = table.payoff_out + value * table.multiplier_out
    n_plans, n_classes = worth_in.shape
    answer = linprog(
        np.append(np.zeros(n_classes), -1.0),
        A_ub=np.hstack([worth_out - worth_in, np.ones((n_plans, 1))]),
        b_ub=worth_out.sum(axis=1),
        bounds=[(0.0, 1.0)] * n_classes + [(None, None)],
        method="highs",
    )
    weights = np.maximum(-answer.ineqlin.marginals, 0.0)
    solved: FloatArray = np.asarray(answer.x)
    return solved[:-1], weights / weights.sum()


def best_plan(table: PlanTable, entry: FloatArray) -> tuple[int, float]:
    """Plan that leaves least to an honest player of a given strategy, and what it leaves him."""
    payoff, multiplier = table.means(entry)
    ends = multiplier < 1.0
    ratios = np.full(payoff.size, np.inf)
    ratios[ends] = payoff[ends] / (1.0 - multiplier[ends])
    plan = int(ratios.argmin())
    grows = np.flatnonzero(~ends & (payoff + ratios[plan] * multiplier < ratios[plan]))
    return (int(grows[0]), float("-inf")) if grows.size else (plan, float(ratios[plan]))


def refine_plans(
    always_in: Sequence[int], thresholds: Sequence[int], tabulate: Callable[[list[tuple[int, int]]], PlanTable]
) -> tuple[list[tuple[int, int]], PlanTable, PlanSolution]:
    """Solve with a coarse choice of thresholds, then with all thresholds next to those that are played.

    Parameters
    ----------
    always_in : sequence of int
        Numbers of colluders who may be always in.
    thresholds : sequence of int
        Thresholds of the others to choose from, ascending.
    tabulate : callable
        Makes the table of a list of plans (always in, threshold).

    Returns
    -------
    plans, table, solution
        All plans that were tried, and the solution among them.
    """
    places = list(range(0, len(thresholds), _COARSE))
    plans = [(k, thresholds[place]) for k in always_in for place in places]
    table = tabulate(plans)
    while True:
        solution = solve_plans(table)
        wanted = []
        for (k, threshold), weight in zip(plans, solution.weights):
            if weight > _PLAYED:
                place = thresholds.index(threshold)
                near = range(max(0, place - _COARSE + 1), min(len(thresholds), place + _COARSE))
                wanted += [(k, thresholds[other]) for other in near]
        new = sorted(set(wanted) - set(plans))
        if not new:
            return plans, table, solution
        more = tabulate(new)
        plans = plans + new
        table = PlanTable(
            *(np.vstack([getattr(table, name), getattr(more, name)]) for name in PlanTable.__dataclass_fields__)
        )
