"""Guts with continuous hands against a coalition: colluders who follow a common plan, drawn anew each round.

A plan sends some colluders in whatever they hold and gives the others one threshold; with cards shared, only
the strongest of them ever enters, and the threshold is his. Against a given threshold of the honest players
no other plan of thresholds does better: the payoff is linear in a colluder's threshold below theirs,
convex above, and those above are best equal.

The value is that of the recursive game: with alpha the honest player's payoff of a round in antes, for a
pot of one ante each, and beta the mean multiplier of the pot, the value V is the root of V = val(alpha + beta V).

References
----------
.. [1] K. Buck, J. Lee, J. Platnick, A. Wheeler and K. Zumbrun, "Continuous Guts poker and numerical
   optimization of generalized recursive games", arXiv:2208.02788.
"""

from dataclasses import dataclass
from typing import NamedTuple

from guts_sim.checks import check_count
from guts_sim.errors import InputError

RULES = ("base", "weenie")
MAX_PLAYERS = 10_000
"""Continuous hands know no deck, so a table may be as large as shows the limit of many players."""
_MOST_ALWAYS_IN = 4  # more than one never pays; a few more are tried all the same


class Plan(NamedTuple):
    """What the colluders do in a round.

    Attributes
    ----------
    always_in : int
        Colluders who enter whatever they hold.
    threshold : float
        Threshold of the other colluders; of the strongest colluder, who alone may enter, if cards are shared.
    """

    always_in: int
    threshold: float


@dataclass(frozen=True)
class Table:
    """Who sits at the table and by which rules.

    Attributes
    ----------
    n_players, n_colluders : int
        All players, and how many of them collude.
    rule : {"base", "weenie"}
        When nobody is in the pot stays, or the best hand matches it.
    shared_cards : bool
        Colluders know each other's hands.
    """

    n_players: int
    n_colluders: int
    rule: str = "base"
    shared_cards: bool = False

    @property
    def n_honest(self) -> int:
        """Players outside the coalition, who all use one threshold."""
        return self.n_players - self.n_colluders

    @property
    def kept(self) -> float:
        """One more than what the pot is multiplied by when nobody is in."""
        return 3.0 if self.rule == "weenie" else 2.0


def coalition_table(
    n_players: int, n_colluders: int | None = None, rule: str = "base", shared_cards: bool = False
) -> Table:
    """Check who plays; by default everybody but one colludes.

    Raises
    ------
    InputError
        A number of players or colluders, or a rule, that is not allowed.

    Examples
    --------
    >>> coalition_table(4).n_honest
    1
    """
    n_players = check_count(n_players, "n_players", 3, MAX_PLAYERS)
    most = n_players - 1
    n_colluders = most if n_colluders is None else check_count(n_colluders, "colluders", 2, most)
    if rule not in RULES:
        raise InputError(f"rule: {rule!r} is not allowed; choose {', '.join(RULES)}")
    return Table(n_players, n_colluders, rule, bool(shared_cards))


def coalition_round(table: Table, honest: float, plan: Plan) -> tuple[float, float]:
    """Payoff of an honest player and mean multiplier of the pot in one round.

    Parameters
    ----------
    table : Table
        Who plays.
    honest : float
        Threshold of every honest player.
    plan : Plan
        What the coalition does.

    Returns
    -------
    payoff, multiplier : float
        alpha in antes, for a pot of one ante each, and beta; see `guts_sim.exact.continuous`.

    Examples
    --------
    If three players keep to the equilibrium nobody gains. A colluder who always enters costs the honest
    player nothing either, until the other one plays tighter.

    >>> q, table = 0.5**0.5, coalition_table(3)
    >>> [round(coalition_round(table, q, Plan(1, t))[0], 5) + 0.0 for t in (q, 0.87)]
    [0.0, -0.10228]
    """
    n, h = table.n_players, table.n_honest
    k, t = plan
    waits = table.n_colluders - k
    all_wait = t**waits  # chance that all who have a threshold stay out
    p_nobody = honest**h * all_wait if k == 0 else 0.0
    colluders_in = 1.0 - all_wait if table.shared_cards else k + waits * (1.0 - t)
    # The integral from `honest` to 1 of the chance that nobody beats a hand x: x^(h - 1 + k) max(x, t)^waits.
    change, power = max(honest, t), h + k
    p_best = all_wait * (change**power - honest**power) / power + (1.0 - change**n) / n
    multiplier = h * (1.0 - honest) + colluders_in - 1.0 + table.kept * p_nobody
    payoff = multiplier - 1.0 + n * (2.0 * p_best - (1.0 - honest))
    if table.rule == "weenie" and k == 0:
        low = min(honest, t)
        payoff -= n * (low**n / n + all_wait * (honest**h - low**h) / h)  # he has the best hand of all who are out
    return payoff, multiplier


def best_plans(table: Table, honest: float, value: float) -> list[tuple[float, Plan]]:
    """Best threshold for each number of colluders who are always in, if a stake is worth ``value`` more than its share.

    Returns
    -------
    list of (float, Plan)
        alpha + beta * value to an honest player, and the plan.
    """
    most = 0 if table.shared_cards else min(table.n_colluders, _MOST_ALWAYS_IN)
    found = []
    for k in range(most + 1):
        plan = Plan(k, _best_plan_threshold(table, honest, value, k))
        payoff, multiplier = coalition_round(table, honest, plan)
        found.append((payoff + value * multiplier, plan))
    return found


def _best_plan_threshold(table: Table, honest: float, value: float, always_in: int) -> float:
    """Threshold of the colluders who have one at which they gain by moving it neither way."""
    from scipy.optimize import brentq

    n, h, k = table.n_players, table.n_honest, always_in
    waits, power = table.n_colluders - k, h + k
    if waits == 0:
        return 1.0
    weenie = table.rule == "weenie" and k == 0

    def slope(t: float) -> float:
        """Derivative of an honest player's worth in the threshold, per waiting colluder: changes sign once."""
        others_wait = t ** (waits - 1)
        change = (1.0 + value) * ((table.kept * honest**h if k == 0 else 0.0) * others_wait)
        change -= (1.0 + value) * (others_wait if table.shared_cards else 1.0)
        if t > honest:
            change += 2.0 * n * others_wait * (t**power - honest**power) / power
        elif weenie:
            change -= n * others_wait * (honest**h - t**h) / h
        return change

    if slope(1.0) <= 0.0:
        return 1.0
    low = 1e-300  # not 0, where with shared cards the chance that the others stay out hides the sign
    return 0.0 if slope(low) >= 0.0 and table.shared_cards else float(brentq(slope, 0.0, 1.0, xtol=1e-15))
