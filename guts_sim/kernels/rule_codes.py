"""How rules are laid out for the settlement kernels; importing this compiles nothing.

An int64 array, indexed by the ``RULE_`` constants. Amounts are in the unit of the pot, and 0 means none for
the cap and the limit of a match. Switches with two values are 0 or 1; the others take the constants below.
"""

N_RULES = 10
(
    RULE_ANTE,
    RULE_CAP,
    RULE_RESERVE,
    RULE_NOBODY_IN,
    RULE_ANTE_EVERY_ROUND,
    RULE_MATCH_LIMIT,
    RULE_PAYS_LOWEST,
    RULE_GHOST,
    RULE_GHOST_WINS_TIES,
    RULE_STAKES,
) = range(N_RULES)
HOLD, REANTE, WEENIE = range(3)
NO_GHOST, GHOST_LONE, GHOST_ALL = range(3)
CREDIT, TABLE, ELIMINATE = range(3)
