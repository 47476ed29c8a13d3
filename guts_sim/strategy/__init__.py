"""Strategies as data: the probability of entering with each class of hands, by pot and by what was declared before.

A *field* is the strategy that the opponents share. It can be written as text (``"A4+"``, ``"top:30%"``,
``"always"``), read from a file, or built from an array.
"""

from guts_sim.strategy.files import plan_from_data, read_strategy
from guts_sim.strategy.plain import Strategy, frequencies, threshold_strategy, top_strategy
from guts_sim.strategy.plan import LAST_PLACE, AnyPlan, Case, Plan, Span, as_plan
from guts_sim.strategy.text import FIELD_SYNTAX, is_file_name, parse_field, parse_strategy
from guts_sim.strategy.writing import plain_data

__all__ = [
    "FIELD_SYNTAX",
    "LAST_PLACE",
    "AnyPlan",
    "Case",
    "Plan",
    "Span",
    "Strategy",
    "as_plan",
    "frequencies",
    "is_file_name",
    "parse_field",
    "parse_strategy",
    "plain_data",
    "plan_from_data",
    "read_strategy",
    "threshold_strategy",
    "top_strategy",
]
