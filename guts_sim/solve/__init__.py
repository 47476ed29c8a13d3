"""Sampled solutions: values of all hands, symmetric epsilon-equilibria, their exploitability."""

from guts_sim.solve.equilibrium import PureThresholds, SolvedStrategy, pure_thresholds, solve_symmetric
from guts_sim.solve.sampled import SampledValues, sampled_values, set_of_hand, value_of_set

__all__ = [
    "PureThresholds",
    "SampledValues",
    "SolvedStrategy",
    "pure_thresholds",
    "sampled_values",
    "set_of_hand",
    "solve_symmetric",
    "value_of_set",
]
