"""Passing cards on: programmes of passes, and policies that say which cards to pass."""

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
