"""Rules in the form that the settlement kernels read."""

import numpy as np
from numpy.typing import NDArray

from guts_sim.kernels import rule_codes as codes
from guts_sim.kernels.units import SUBUNITS
from guts_sim.rules import GutsRules

_NOBODY_IN = {"hold": codes.HOLD, "reante": codes.REANTE, "weenie": codes.WEENIE}
_GHOST = {"none": codes.NO_GHOST, "lone": codes.GHOST_LONE, "all": codes.GHOST_ALL}
_STAKES = {"credit": codes.CREDIT, "table": codes.TABLE, "eliminate": codes.ELIMINATE}


def encode_rules(rules: GutsRules, unit: int = SUBUNITS) -> NDArray[np.int64]:
    """Lay out what settlement kernels need to know of the rules.

    Parameters
    ----------
    rules : GutsRules
        Any rule set. How hands compare, the declaration and the deal are no part of the array; the high and
        the low pot follow the same one.
    unit : int
        Units of money per chip, at most 100,000: chips go up to 10**12, which has to fit into 64 bits.

    Returns
    -------
    ndarray of int64, shape (10,)
        Indexed by the ``RULE_`` constants of `guts_sim.kernels.rule_codes`.

    Examples
    --------
    >>> encode_rules(GutsRules(ante=2, cap=20), unit=1).tolist()
    [2, 20, 0, 0, 0, 0, 0, 0, 0, 0]
    """
    encoded = np.zeros(codes.N_RULES, dtype=np.int64)
    encoded[codes.RULE_ANTE] = rules.ante * unit
    encoded[codes.RULE_CAP] = (rules.cap or 0) * unit
    encoded[codes.RULE_MATCH_LIMIT] = (rules.match_limit or 0) * unit
    encoded[codes.RULE_RESERVE] = rules.reserve
    encoded[codes.RULE_NOBODY_IN] = _NOBODY_IN[rules.nobody_in]
    encoded[codes.RULE_ANTE_EVERY_ROUND] = rules.ante_every_round
    encoded[codes.RULE_PAYS_LOWEST] = rules.pays == "lowest"
    encoded[codes.RULE_GHOST] = _GHOST[rules.ghost]
    encoded[codes.RULE_GHOST_WINS_TIES] = rules.ghost_tie == "ghost"
    encoded[codes.RULE_STAKES] = _STAKES[rules.stakes]
    return encoded
