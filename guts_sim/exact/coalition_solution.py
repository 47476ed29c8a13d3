"""Solutions of the continuous game against a coalition: best threshold of the honest, best mix of the colluders.

The payoff of a single honest player is concave in his threshold and linear in the coalition's mix, so the game has
a saddle point at a pure threshold: there the coalition has two best plans, and mixes them so that he gains by moving
his threshold neither way.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from guts_sim.exact.coalition import Plan, Table, best_plans, coalition_round

_SCANS = 18
_TIED = 1e-6  # plans whose values differ by less are both best replies
_SETTLED = 1e-14


@dataclass(frozen=True)
class MixedPlan:
    """One plan of a mix.

    Attributes
    ----------
    weight : float
        Probability with which the coalition draws the plan.
    plan : Plan
        The plan.
    payoff, multiplier : float
        alpha and beta of a round in which the honest players use their threshold.
    """

    weight: float
    plan: Plan
    payoff: float
    multiplier: float


@dataclass(frozen=True)
class CoalitionValue:
    """What honest players get against a coalition.

    Attributes
    ----------
    table : Table
        Who plays.
    threshold : float
        Threshold of the honest players.
    value : float
        Worth of the game to one honest player, in antes, while the coalition answers best: what his
        threshold gets him at least, whatever the plan. Minus infinity if the coalition can win something in each round
        and let the stakes grow.
    conceded : float
        What the mix allows an honest player at most; equal to ``value`` at the solution. nan against
        several honest players, for whom no mix is sought.
    mix : tuple of MixedPlan
        The coalition's best mix; its best plan alone against several honest players; empty without a value.
    multiplier : float
        Mean multiplier of the pot.
    """

    table: Table
    threshold: float
    value: float
    conceded: float
    mix: tuple[MixedPlan, ...]
    multiplier: float


def value_at(table: Table, honest: float) -> float:
    """Worth of the game to an honest player of a given threshold while the coalition answers best.

    Returns
    -------
    float
        In antes; minus infinity if the coalition wins something in each round and lets the stakes grow. Below -1,
        where growing stakes begin to hurt, it is a bound from above only.

    Examples
    --------
    Colluders do better against the equilibrium than against the best answer to them.

    >>> from guts_sim.exact.coalition import coalition_table
    >>> round(value_at(coalition_table(3), 0.5**0.5), 5)
    -0.17768
    """
    value = 0.0
    while True:  # ratio minimisation (Dinkelbach): each step finds the best plan for the ratio at hand
        worth, plan = min(best_plans(table, honest, value))
        if worth >= value - _SETTLED:
            return value
        payoff, multiplier = coalition_round(table, honest, plan)
        if multiplier >= 1.0:
            return float("-inf")
        value = payoff / (1.0 - multiplier)
        if value < -1.0:
            return value


def solve_coalition(table: Table) -> CoalitionValue:
    """Best common threshold of the honest players, and the coalition's best mix of plans against it.

    Parameters
    ----------
    table : Table
        See `coalition_table`.

    Returns
    -------
    CoalitionValue
        For a single honest player this is the solution of the game: his payoff is concave in his threshold, so he
        needs no mix, and what his threshold guarantees is what the coalition's mix concedes. For several it
        is the best threshold that they can agree on.

    Examples
    --------
    >>> from guts_sim.exact.coalition import coalition_table
    >>> solution = solve_coalition(coalition_table(3))
    >>> round(solution.value, 5), round(solution.threshold, 4)
    (-0.01329, 0.6445)
    >>> [(round(one.weight, 3), one.plan.always_in, round(one.plan.threshold, 3)) for one in solution.mix]
    [(0.116, 1, 0.863), (0.884, 0, 0.676)]
    """
    honest, value = _best_threshold(table)
    if value < -1.0:
        return CoalitionValue(table, honest, float("-inf"), float("nan"), (), float("nan"))
    plans = best_plans(table, honest, value)
    if table.n_honest > 1:
        mix = [_mixed(table, honest, 1.0, min(plans)[1])]
        conceded = float("nan")
    else:
        mix = sorted(_balanced_mix(table, honest, value, plans), key=lambda one: -one.plan.always_in)
        conceded = conceded_by(table, mix, value)
    multiplier = sum(one.weight * one.multiplier for one in mix)
    return CoalitionValue(table, honest, value, conceded, tuple(mix), multiplier)


def at_equilibrium(table: Table) -> CoalitionValue:
    """What honest players get who keep to the equilibrium of honest tables.

    Examples
    --------
    Two colluders among five hurt each of the other three less than four hurt the last one.

    >>> from guts_sim.exact.coalition import coalition_table
    >>> two, four = (at_equilibrium(coalition_table(5, c)).value for c in (2, 4))
    >>> round(two, 4), round(four, 4)
    (-0.1461, -0.2905)
    """
    honest = equilibrium_of(table)
    value = value_at(table, honest)
    if value < -1.0:
        return CoalitionValue(table, honest, float("-inf"), float("nan"), (), float("nan"))
    mix = _mixed(table, honest, 1.0, min(best_plans(table, honest, value))[1])
    return CoalitionValue(table, honest, value, float("nan"), (mix,), mix.multiplier)


def equilibrium_of(table: Table) -> float:
    """Threshold of the symmetric equilibrium: nobody else is in with probability 1/2, or 1/3 under the Weenie rule."""
    return float(table.kept ** (-1.0 / (table.n_players - 1)))


def _best_threshold(table: Table) -> tuple[float, float]:
    """Maximise `value_at` over the honest threshold: a scan, then ever finer scans around its best point."""
    centre = equilibrium_of(table)
    worth = value_at(table, centre)
    step = 0.5 * (1.0 - centre)
    low, high = max(0.0, centre - 2.0 * step), centre + step
    for _ in range(_SCANS):
        points = np.linspace(low, high, 9).tolist()
        values = [value_at(table, q) for q in points]
        best = int(np.argmax(values))
        if values[best] > worth:
            centre, worth = points[best], values[best]
        step = (high - low) / 8
        low, high = max(0.0, centre - step), min(1.0, centre + step)
    return centre, worth


def _balanced_mix(table: Table, honest: float, value: float, plans: Sequence[tuple[float, Plan]]) -> list[MixedPlan]:
    """Mix of best replies at which the honest player gains by moving his threshold neither way."""
    least = min(plans)[0]
    replies = [plan for worth, plan in plans if worth <= least + _TIED]
    slopes = [_slope(table, honest, value, plan) for plan in replies]
    down, up = int(np.argmin(slopes)), int(np.argmax(slopes))
    if slopes[down] * slopes[up] >= 0.0:
        return [_mixed(table, honest, 1.0, min(plans)[1])]
    weight = slopes[up] / (slopes[up] - slopes[down])
    return [_mixed(table, honest, weight, replies[down]), _mixed(table, honest, 1.0 - weight, replies[up])]


def _slope(table: Table, honest: float, value: float, plan: Plan) -> float:
    """Derivative of alpha + beta * value in the threshold of a single honest player: out-minus-in of that hand."""
    k, t = plan
    waits = table.n_colluders - k
    nobody_else = t**waits if k == 0 else 0.0
    slope = (1.0 + value) * (table.kept * nobody_else - 1.0)
    slope += table.n_players * (1.0 - 2.0 * honest**k * max(honest, t) ** waits)
    if table.rule == "weenie" and k == 0:
        slope -= table.n_players * min(honest, t) ** waits
    return slope


def _mixed(table: Table, honest: float, weight: float, plan: Plan) -> MixedPlan:
    return MixedPlan(weight, plan, *coalition_round(table, honest, plan))


def conceded_by(table: Table, mix: Sequence[MixedPlan], value: float) -> float:
    """Most that a single honest player gets against a mix, over all thresholds; ``value`` is a guess of it."""
    low, high = 0.0, 1.0
    for _ in range(_SCANS):
        points = np.linspace(low, high, 33).tolist()
        rounds = [_mean_round(table, q, mix) for q in points]
        best = int(np.argmax([payoff + value * multiplier for payoff, multiplier in rounds]))
        step = (high - low) / 32
        low, high = max(0.0, points[best] - step), min(1.0, points[best] + step)
    payoff, multiplier = rounds[best]
    return payoff / (1.0 - multiplier) if multiplier < 1.0 else payoff + value * multiplier


def _mean_round(table: Table, honest: float, mix: Sequence[MixedPlan]) -> tuple[float, float]:
    """Payoff and multiplier of a round against a mix."""
    rounds = [(one.weight, *coalition_round(table, honest, one.plan)) for one in mix]
    return sum(w * payoff for w, payoff, _ in rounds), sum(w * multiplier for w, _, multiplier in rounds)
