"""Who pays what: one round of Guts settled under any rules, in exact fractions of a chip."""

from guts_sim.settlement.contest import Contest, Line, PotOutcome, Settlement
from guts_sim.settlement.encoding import encode_rules
from guts_sim.settlement.referee import settle_contests
from guts_sim.settlement.showdown import ShownHand, show_hand

__all__ = [
    "Contest",
    "Line",
    "PotOutcome",
    "Settlement",
    "ShownHand",
    "encode_rules",
    "settle_contests",
    "show_hand",
]
