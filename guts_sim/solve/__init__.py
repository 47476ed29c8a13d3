"""Sampled solutions: values of all hands, symmetric epsilon-equilibria, their exploitability."""

from guts_sim.solve.equilibrium import SolvedStrategy, nearest_threshold, solve_symmetric
from guts_sim.solve.sampled import SampledValues, sampled_values

__all__ = ["SampledValues", "SolvedStrategy", "nearest_threshold", "sampled_values", "solve_symmetric"]
