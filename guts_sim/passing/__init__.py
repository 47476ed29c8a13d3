"""Passing cards on: programmes of passes, and policies that say which cards to pass.

A policy sees the own hand only:

- ``lowest``: the cards of lowest rank; among equal ranks clubs before diamonds before hearts before spades.
- ``keep-best``: the cards without which the kept ones are the strongest hand of their number: groups of ranks, then
  high cards; straights and flushes count once five cards are kept. Among equals the lowest cards are passed.
- ``random``: any cards with equal chances.
- ``level-1``, ``level-2``, ...: best reply to ``lowest``, to ``level-1``, ..., as a linear policy: the best of the 35
  weighted sums of `guts_sim.passing.features`, fitted on values of hands dealt at random for two to five players;
  more players take the table of five.
- ``equilibrium``: the fixed point of that iteration.
- a ``.csv`` file: columns ``feature`` and ``weight``: a linear policy of one's own; features not listed weigh
  nothing.
"""

from guts_sim.passing.policies import POLICY_SYNTAX, PassPolicy, get_policy, linear_policy
from guts_sim.passing.program import PassProgram, parse_passes, pass_cards

__all__ = [
    "POLICY_SYNTAX",
    "PassPolicy",
    "PassProgram",
    "get_policy",
    "linear_policy",
    "parse_passes",
    "pass_cards",
]
