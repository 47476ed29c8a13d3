"""What scored deals say about a strategy: values of decisions, gain of deviations, rounds, seats."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from guts_sim.estimate import BatchSums, Estimate, normal, wilson
from guts_sim.kernels.decisions_layout import COUNTED_EMPTY, COUNTED_LEFT, COUNTED_ROUNDS, SCORED_HANDS, SCORED_OUT
from guts_sim.solve.decisions import DecisionGame, Sums, deviation_gain, flows, group_flows, pots_per_hand

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class DecisionValues:
    """Values of one round against a field, in units of the active pot, from scored deals.

    Arrays run over nodes and groups; a group that was never scored in a node has value 0 and no standard error.

    Attributes
    ----------
    reach : ndarray, shape (n_nodes, n_groups)
        Probability that a hand of the group has to declare in that node, all seats taken together.
    ev_out, delta, stderr : ndarray, shape (n_nodes, n_groups)
        Value of staying out, in-minus-out, and the standard error of the difference.
    exploitability, exploitability_stderr : float
        Gain per deal of the best deviation that tells apart all hands that differ by more than the names of suits.
    group_gain, group_gain_stderr : float
        The same for deviations that see no more than the strategy does.
    seat_values, seat_stderr : ndarray, shape (n_players,)
        What each seat is worth per round beyond an equal share of the pot, the first to declare first.
    multiplier, multiplier_stderr : float
        Mean of what is left on the table, antes apart.
    in_counts : ndarray of int64, shape (n_players + 1,)
        Rounds by number of players in.
    n_emptied : int
        Rounds after which nothing was left.
    n : int
        Deals.
    """

    reach: FloatArray
    ev_out: FloatArray
    delta: FloatArray
    stderr: FloatArray
    exploitability: float
    exploitability_stderr: float
    group_gain: float
    group_gain_stderr: float
    seat_values: FloatArray
    seat_stderr: FloatArray
    multiplier: float
    multiplier_stderr: float
    in_counts: NDArray[np.int64]
    n_emptied: int
    n: int

    def round_estimates(self, confidence: float) -> dict[str, Estimate]:
        """Probabilities of what a round looks like, and the mean multiplier."""
        counts, n = self.in_counts, self.n
        return {
            "p_nobody": wilson(int(counts[0]), n, confidence),
            "p_one": wilson(int(counts[1]), n, confidence),
            "p_contested": wilson(int(counts[2:].sum()), n, confidence),
            "p_table_empty": wilson(self.n_emptied, n, confidence),
            "expected_multiplier": self.multiplier_estimate(confidence),
        }

    def multiplier_estimate(self, confidence: float) -> Estimate:
        """Mean multiplier of the pot."""
        return normal(self.multiplier, self.multiplier_stderr, self.n, confidence, minimum=0.0)

    @property
    def expected_rounds(self) -> float | None:
        """Rounds until the table is empty; None if it never was."""
        return self.n / self.n_emptied if self.n_emptied else None


def decision_values(batches: BatchSums, game: DecisionGame, entry: FloatArray) -> DecisionValues:
    """Turn the sums of scored deals into values.

    Parameters
    ----------
    batches : BatchSums
        From `guts_sim.solve.decisions.score_decision_deals`.
    game : DecisionGame
        What was played.
    entry : ndarray of float64, shape (n_nodes, n_groups)
        The strategy from which a player may deviate.
    """
    information = game.information
    entry_by_set = entry[:, information.set_group]

    def scores(flat: NDArray[np.int64]) -> NDArray[np.int64]:
        return Sums.of(flat, game).scores

    def exploitability(flat: NDArray[np.int64]) -> FloatArray:
        return np.asarray(deviation_gain(flows(scores(flat), game), entry_by_set))

    def group_gain(flat: NDArray[np.int64]) -> FloatArray:
        return np.asarray(deviation_gain(group_flows(flows(scores(flat), game), information), entry))

    def delta(flat: NDArray[np.int64]) -> FloatArray:
        return _ratio(group_flows(flows(scores(flat), game), information), reach(flat))

    def reach(flat: NDArray[np.int64]) -> FloatArray:
        scored = scores(flat)
        weights = pots_per_hand(scored, game) * (game.n_players * game.pot_units)
        return group_flows(scored[SCORED_HANDS] * weights, information)

    def multiplier(flat: NDArray[np.int64]) -> FloatArray:
        rounds = Sums.of(flat, game).rounds
        return np.asarray(rounds[COUNTED_LEFT].sum() / (rounds[COUNTED_ROUNDS].sum() * game.pot_units))

    total = batches.total
    sums = Sums.of(total, game)
    ev_out = group_flows(sums.scores[SCORED_OUT] * pots_per_hand(sums.scores, game), information)
    seat_values, seat_stderr = _seats(sums, game)
    return DecisionValues(
        reach=reach(total),
        ev_out=_ratio(ev_out, reach(total)),
        delta=delta(total),
        stderr=batches.stderr(delta),
        exploitability=float(exploitability(total)),
        exploitability_stderr=float(batches.stderr(exploitability)),
        group_gain=float(group_gain(total)),
        group_gain_stderr=float(batches.stderr(group_gain)),
        seat_values=seat_values,
        seat_stderr=seat_stderr,
        multiplier=float(multiplier(total)),
        multiplier_stderr=float(batches.stderr(multiplier)),
        in_counts=sums.rounds[COUNTED_ROUNDS],
        n_emptied=int(sums.rounds[COUNTED_EMPTY].sum()),
        n=batches.n,
    )


def _ratio(values: FloatArray, weights: FloatArray) -> FloatArray:
    return np.divide(values, weights, out=np.zeros_like(values), where=weights > 0)


def _seats(sums: Sums, game: DecisionGame) -> tuple[FloatArray, FloatArray]:
    """Mean and standard error of what each seat is worth; nan where a seat was hardly played."""
    n, total, squares = sums.seats.T.astype(np.float64)
    unit = float(game.n_players * game.pot_units)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / n
        stderr = np.sqrt((squares / n - mean**2) / (n - 1))
    return mean / unit, stderr / unit
