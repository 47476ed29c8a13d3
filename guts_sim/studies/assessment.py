"""Judge a field: what every hand is worth against it, what a round looks like, what a deviation gains."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.estimate import Estimate, exact, mean_of_counts, normal, wilson
from guts_sim.exact import RoundLaw, exact_hand_values, exact_round_law, exact_values, supports
from guts_sim.solve.sampled import values_of
from guts_sim.strategy import Strategy
from guts_sim.studies.measurement import PURPOSE_SOLVE, RunOptions, Sample, measure

__all__ = ["PURPOSE_SOLVE", "Assessment", "RunOptions", "assess_all", "can_count"]

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Assessment:
    """Values of all hands in one round against opponents who share a field, in units of the pot.

    Attributes
    ----------
    field : Strategy
        What the opponents do.
    ev_in, ev_out, delta, stderr : ndarray, shape (n_classes,)
        Value of entering, of staying out, the difference and its standard error (0 if exact).
    exploitability : Estimate
        Gain per deal of the best deviation when everybody plays the field.
    best_reply_value : Estimate
        Pots per deal that the best reply per hand class earns.
    best_reply_gain : Estimate
        How much more that is than playing the field earns. Less than ``exploitability`` where suits matter,
        because a deviation may look at them.
    law : RoundLaw
        Joint law of players in and players tied for best when everybody plays the field.
    n : int
        Deals; 0 if exact.
    complete : bool
        False if the run was interrupted before all deals were done.
    confidence : float
        Coverage of the intervals.
    sample : Sample or None
        Sums behind a sampled assessment, to continue from.
    """

    field: Strategy
    ev_in: FloatArray
    ev_out: FloatArray
    delta: FloatArray
    stderr: FloatArray
    exploitability: Estimate
    best_reply_value: Estimate
    best_reply_gain: Estimate
    law: RoundLaw
    n: int
    complete: bool
    confidence: float
    sample: Sample | None = None

    @property
    def best_reply(self) -> FloatArray:
        """1 for the classes that do better by entering."""
        return (self.delta > 0).astype(np.float64)

    def round_stats(self) -> dict[str, Any]:
        """Figures of one round when everybody plays the field; with intervals if they are estimates."""
        law = self.law
        stats: dict[str, Any] = {
            "p_nobody": law.p_nobody,
            "p_one": law.p_one,
            "p_contested": law.p_contested,
            "expected_multiplier": law.expected_multiplier,
            "expected_rounds": 1.0 / law.p_one if law.p_one > 0 else None,
            "tail_index": law.tail_index(),
            "supercritical": law.expected_multiplier >= 1.0,
            "multiplier_law": {str(m): float(p) for m, p in enumerate(law.multiplier_law)},
        }
        if self.n:
            estimates = self._round_estimates()
            for part in ("stderr", "ci_low", "ci_high"):
                stats[part] = {name: getattr(e, part) for name, e in estimates.items()}
        return stats

    def _round_estimates(self) -> dict[str, Estimate]:
        def proportion(p: float) -> Estimate:
            return wilson(round(p * self.n), self.n, self.confidence)

        law = self.law
        counts = np.rint(law.multiplier_law * self.n).astype(np.int64)
        return {
            "p_nobody": proportion(law.p_nobody),
            "p_one": proportion(law.p_one),
            "p_contested": proportion(law.p_contested),
            "expected_multiplier": mean_of_counts(np.arange(counts.size, dtype=float), counts, self.confidence),
        }


def assess_all(
    n_players: int,
    fields: Mapping[str, Strategy],
    method: str,
    options: RunOptions,
    before: Mapping[str, Assessment] | None = None,
) -> dict[str, Assessment]:
    """Judge fields by counting (``method="exact"``) or by Monte Carlo (``"mc"``), continuing from ``before``.

    Fields that are equal are judged once.
    """
    first_name: dict[bytes, str] = {}
    for name, field in fields.items():
        first_name.setdefault(field.entry.tobytes(), name)
    different = {name: fields[name] for name in first_name.values()}
    if method == "exact":
        judged = {name: _count(n_players, field, options.confidence) for name, field in different.items()}
    else:
        continued = {name: a.sample for name, a in (before or {}).items() if a.sample is not None}
        samples = measure(n_players, different, options, continued)
        judged = {name: _summarise(different[name], samples[name], options) for name in different}
    return {name: replace(judged[first_name[field.entry.tobytes()]], field=field) for name, field in fields.items()}


def can_count(n_players: int, field: Strategy) -> bool:
    """Whether the field can be judged exactly."""
    return supports(n_players, field.ranking.hand_sizes[0], field.entry)


def _count(n_players: int, field: Strategy, confidence: float) -> Assessment:
    values = exact_values(n_players, field.ranking, field.entry)
    gain = exploitability = values.exploitability(field.entry)
    if field.ranking.hand_sizes == (3,):
        # Suits tell a player a little more than the class does; certify against that too.
        hands = exact_hand_values(n_players, field.ranking, field.entry)
        exploitability = hands.values.exploitability(field.entry[hands.hand_class])
    reply = float(values.frequency @ np.maximum(values.ev_in, values.ev_out))
    return Assessment(
        field=field,
        ev_in=values.ev_in,
        ev_out=values.ev_out,
        delta=values.delta,
        stderr=np.zeros_like(values.delta),
        exploitability=exact(exploitability, confidence),
        best_reply_value=exact(reply, confidence),
        best_reply_gain=exact(gain, confidence),
        law=exact_round_law(n_players, field.ranking, field.entry),
        n=0,
        complete=True,
        confidence=confidence,
    )


def _summarise(field: Strategy, sample: Sample, options: RunOptions) -> Assessment:
    values = values_of(sample.scores, field.ranking, field.entry)
    n, confidence = values.n, options.confidence
    return Assessment(
        field=field,
        ev_in=values.ev_in,
        ev_out=values.ev_out,
        delta=values.delta,
        stderr=values.stderr,
        exploitability=normal(values.exploitability, values.exploitability_stderr, n, confidence, minimum=0.0),
        best_reply_value=normal(values.best_reply_value, values.best_reply_stderr, n, confidence),
        best_reply_gain=normal(values.best_reply_gain, values.best_reply_gain_stderr, n, confidence, minimum=0.0),
        law=RoundLaw(sample.rounds.total / n),
        n=n,
        complete=n == options.n_deals,
        confidence=confidence,
        sample=sample,
    )
