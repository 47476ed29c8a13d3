"""Best reply for ever to opponents who never change, without a cap: maximise alpha / (1 - beta).

Let a reply win ``flow`` pots in a round on average (its own flow of chips alone) and multiply the pot by
``multiplier``. If the stakes vanish, the whole future is worth U = flow + multiplier * U to it, per chip in the pot
now. The best U is found by Dinkelbach's method: solve the round for a guess of U, take the ratio, repeat; it
converges from below.

With a cap and a reserve nothing changes, as long as the opponents ignore the pot: chips wait in the reserve but none
are lost, so all that lies on the table is worth U per chip.

References
----------
.. [1] W. Dinkelbach, "On nonlinear fractional programming", Management Science 13 (1967), 492-498.
"""

from dataclasses import dataclass
from math import inf

import numpy as np

from guts_sim.exact.outcomes import Outcome, OutcomeLaw, outcomes_of
from guts_sim.exact.results import Floats
from guts_sim.exact.rounds import exact_values
from guts_sim.hands import Ranking

_MOST_STEPS = 60


@dataclass(frozen=True, eq=False)
class RoundTerms:
    """What a round does for each hand class; arrays of shape (n_classes,).

    Attributes
    ----------
    frequency : float64 array
        Probability of the class.
    flow_in : float64 array
        Pots that entering wins on average; staying out wins none.
    multiplier_in, multiplier_out : float64 array
        Mean multiplier of the pot.
    """

    frequency: Floats
    flow_in: Floats
    multiplier_in: Floats
    multiplier_out: Floats

    def mean(self, entry: Floats) -> tuple[float, float]:
        """Mean flow and mean multiplier of a round played with these entry probabilities."""
        flow = self.frequency @ (entry * self.flow_in)
        multiplier = self.frequency @ (entry * self.multiplier_in + (1.0 - entry) * self.multiplier_out)
        return float(flow), float(multiplier)


@dataclass(frozen=True, eq=False)
class StationaryReply:
    """A strategy for all rounds.

    Attributes
    ----------
    entry : float64 array
        Probability of entering per class.
    flow, multiplier : float
        Of a round.
    worth : float or None
        What a chip in the pot is worth to the player; None if expected stakes do not vanish (supercritical).
    """

    entry: Floats
    flow: float
    multiplier: float
    worth: float | None


def round_terms(n_players: int, ranking: Ranking, field: Floats) -> RoundTerms:
    """Terms of a round against opponents who share a field, counted exactly.

    Raises
    ------
    InputError
        The round cannot be counted; see `guts_sim.exact.supports`.
    """
    shared = exact_values(n_players, ranking, field)
    own = exact_values(n_players, ranking, field, n_shares=inf)
    return RoundTerms(shared.frequency, own.ev_in, n_players * (shared.ev_in - own.ev_in), n_players * shared.ev_out)


def evaluate_reply(terms: RoundTerms, entry: Floats) -> StationaryReply:
    """Worth of playing these entry probabilities for ever."""
    flow, multiplier = terms.mean(entry)
    return StationaryReply(entry, flow, multiplier, flow / (1.0 - multiplier) if multiplier < 1.0 else None)


def best_stationary_reply(terms: RoundTerms) -> StationaryReply:
    """Best reply for ever.

    Returns
    -------
    StationaryReply
        Without a worth if no reply lets the stakes vanish, or if those that win more and more let them grow.

    Examples
    --------
    Against opponents who play the equilibrium, playing on with it is best, and worth a fair share of the pot.

    >>> from guts_sim.hands import class_index, get_ranking
    >>> entry = (np.arange(91) >= class_index("A4", "guts2")).astype(float)
    >>> reply = best_stationary_reply(round_terms(5, get_ranking("guts2"), entry))
    >>> bool((reply.entry == entry).all()), round(reply.worth, 9)
    (True, 0.2)
    """
    calmest = (terms.multiplier_in < terms.multiplier_out).astype(np.float64)
    reply = evaluate_reply(terms, calmest)
    for _ in range(_MOST_STEPS):
        if reply.worth is None:
            return reply
        gain = terms.flow_in + reply.worth * (terms.multiplier_in - terms.multiplier_out)
        entry = np.where(gain > 0.0, 1.0, np.where(gain < 0.0, 0.0, reply.entry))
        if np.array_equal(entry, reply.entry):
            return reply
        improved = evaluate_reply(terms, entry)
        if improved.worth is not None and improved.worth <= reply.worth:
            return reply  # equal up to rounding
        reply = improved
    return reply


def terms_of(law: OutcomeLaw) -> RoundTerms:
    """Terms of a round from the law of its ends."""
    outs, ins = outcomes_of(law.n_players)

    def multipliers(outcomes: list[Outcome]) -> Floats:
        return np.array([one.n_losers if one.n_best else 1.0 for one in outcomes])

    flow = np.array([(1.0 / one.n_best if one.wins else 0.0) - one.loses for one in ins])
    return RoundTerms(
        law.frequency, flow @ law.when_in, multipliers(ins) @ law.when_in, multipliers(outs) @ law.when_out
    )
