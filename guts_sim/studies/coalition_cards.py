"""Coalitions with real cards: counted for three players with two cards, otherwise on deals."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.engine import run_all_blocks, run_key
from guts_sim.errors import InputError
from guts_sim.estimate import BatchSums, Estimate, exact, normal
from guts_sim.exact.hand_lists import Ints
from guts_sim.exact.outcomes import small_outcome_law
from guts_sim.exact.results import Floats
from guts_sim.exact.stationary_reply import terms_of
from guts_sim.hands import Ranking, class_names, get_ranking
from guts_sim.kernels.units import SUBUNITS
from guts_sim.results import Row
from guts_sim.rules import GutsRules
from guts_sim.solve.coalition import PlanTable, best_plan, refine_plans, solve_plans
from guts_sim.strategy import Strategy, frequencies
from guts_sim.studies.best_response_sampling import classes_of, hand_groups, per_class
from guts_sim.studies.measurement import RunOptions
from guts_sim.studies.near_equilibrium import equilibrium_field

PURPOSE_PLANS, PURPOSE_PLANS_CHECK = 40, 41
PLAN_BLOCK = 1 << 13
MOST_THRESHOLDS = 100
SEARCH_SHARE = 8  # plans are sought on an eighth of the deals; the few that are played are measured on all
CardPlan = tuple[int, int]


@dataclass(frozen=True, eq=False)
class PlanTask:
    """Deal ``start .. stop - 1`` and add up rounds against plans; can be sent to other processes.

    Attributes
    ----------
    key : uint64
        Key of the deals.
    n_players, n_colluders : int
        The honest player who is watched is dealt first, then the colluders, then other honest players.
    ranking_name : str
        Order of hands.
    honest : int
        Threshold class of the other honest players.
    plans : tuple of (int, int)
        Colluders always in, and threshold class of the others (of the strongest, if cards are shared).
    shared_cards : bool
        Only the strongest colluder enters.
    """

    key: np.uint64
    n_players: int
    n_colluders: int
    ranking_name: str
    honest: int
    plans: tuple[CardPlan, ...]
    shared_cards: bool

    def __call__(self, start: int, stop: int) -> Ints:
        """Sums by class, shape (1 + 3 n_plans, n_classes): deals; then per plan flow, multiplier in, multiplier out."""
        from guts_sim.kernels.deal import fill_deals

        ranking = get_ranking(self.ranking_name)
        size = ranking.hand_sizes[0]
        cards = np.empty((stop - start, self.n_players * size), np.uint8)
        fill_deals(self.key, np.uint64(start), np.empty(0, np.uint8), cards)
        classes = np.ascontiguousarray(classes_of(cards.reshape(-1, self.n_players, size), ranking).T)
        hero, colluders, others = classes[0], classes[1 : 1 + self.n_colluders], classes[1 + self.n_colluders :]
        n_classes = frequencies(ranking).size
        others_in = np.where(others >= self.honest, others, -1)
        sums = [np.bincount(hero, minlength=n_classes)]
        for plan in self.plans:
            shown = np.concatenate([self._entering(colluders, plan), others_in])
            for amount in _round_of(hero, shown):
                sums.append(np.rint(np.bincount(hero, amount, n_classes)).astype(np.int64))
        return np.array(sums, np.int64)

    def _entering(self, colluders: Ints, plan: CardPlan) -> Ints:
        """Classes of the colluders who enter, -1 for those who do not."""
        always_in, threshold = plan
        if self.shared_cards:
            best = colluders.max(axis=0)
            return np.where(best >= threshold, best, -1)[None]
        limits = np.full(len(colluders), threshold)
        limits[:always_in] = 0
        return np.where(colluders >= limits[:, None], colluders, -1)


def _round_of(hero: Ints, shown: Ints) -> tuple[Ints, Ints, Ints]:
    """Flow of the hero when in, in sub-units of the pot, and multipliers when he is in and out."""
    n_in = (shown >= 0).sum(axis=0)
    best = shown.max(axis=0)
    n_best = np.where(n_in > 0, (shown == best).sum(axis=0), 0)
    beats, ties = hero > best, hero == best
    flow = np.where(beats, SUBUNITS, np.where(ties, SUBUNITS // (1 + n_best), -SUBUNITS))
    multiplier_in = np.where(beats, n_in, n_in - n_best + ~ties)
    return flow, multiplier_in, np.where(n_in == 0, 1, n_in - n_best)


def table_of(sums: NDArray[Any], n_players: int, ranking: Ranking) -> PlanTable:
    """Table of the plans of a `PlanTask`, by group of hands."""
    sums = np.add.reduceat(sums, hand_groups(ranking), axis=1)
    n = sums[0].sum()
    share = sums[0] / n
    flow, when_in, when_out = sums[1::3] / (SUBUNITS * n), sums[2::3] / n, sums[3::3] / n
    return PlanTable(when_in - share + n_players * flow, when_out - share, when_in, when_out)


@dataclass(frozen=True, eq=False)
class CardGame:
    """A table with cards on which plans can be tabulated."""

    n_players: int
    n_colluders: int
    rules: GutsRules
    shared_cards: bool
    options: RunOptions
    counted: bool

    @property
    def equilibrium(self) -> Strategy:
        """Threshold of an honest table; with three cards and four or more players, one that enters as often."""
        field = equilibrium_field(self.n_players, self.rules.cards)
        return Strategy(field.spec, field.ranking, (field.entry >= 0.5).astype(np.float64))

    def tabulate(self, plans: list[CardPlan]) -> PlanTable:
        """Table of plans, counted or on the deals of the search."""
        if self.counted:
            return self._counted_table(plans)
        batches = self.sample(plans, PURPOSE_PLANS, max(self.options.n_deals // SEARCH_SHARE, 1))
        return table_of(batches.total, self.n_players, self.rules.ranking)

    def _counted_table(self, plans: list[CardPlan]) -> PlanTable:
        n_classes = frequencies(self.rules.ranking).size
        rows = []
        for always_in, threshold in plans:
            limits = [0] * always_in + [threshold] * (self.n_colluders - always_in)
            law = small_outcome_law([(np.arange(n_classes) >= limit).astype(np.float64) for limit in limits])
            terms = terms_of(law)
            f, when_in, when_out = terms.frequency, terms.multiplier_in, terms.multiplier_out
            payoff_in = f * (when_in - 1.0 + self.n_players * terms.flow_in)
            rows.append((payoff_in, f * (when_out - 1.0), f * when_in, f * when_out))
        return PlanTable(*(np.array(part) for part in zip(*rows)))

    def sample(self, plans: Sequence[CardPlan], purpose: int, n_deals: int) -> BatchSums:
        """Sums of the plans over deals."""
        honest = int(np.flatnonzero(self.equilibrium.entry)[0])
        key = run_key(self.options.seed, purpose)
        task = PlanTask(
            key,
            self.n_players,
            self.n_colluders,
            self.rules.ranking.name,
            honest,
            tuple(plans),
            self.shared_cards,
        )
        batches = BatchSums(PLAN_BLOCK, min_batches=32)
        run_all_blocks(
            task,
            n_deals,
            batches.add,
            block_size=PLAN_BLOCK,
            workers=self.options.workers,
            executor=self.options.executor,
            progress=self.options.progress,
        )
        return batches

    def thresholds(self) -> list[int]:
        """Threshold classes to choose from: hands that are entered up to three times as often as at the equilibrium."""
        entered_from = np.cumsum(frequencies(self.rules.ranking)[::-1])[::-1]
        most = 1.0 if self.shared_cards else 3.0 * self.equilibrium.entry_prob
        allowed = np.flatnonzero(entered_from <= most)
        step = -(-allowed.size // MOST_THRESHOLDS)
        chosen = set(allowed[::step].tolist()) | {int(allowed[-1])}
        return sorted(chosen | ({0} if self.shared_cards else set()))


def solve_cards(
    n_players: int, n_colluders: int, rules: GutsRules, shared_cards: bool, method: str, options: RunOptions
) -> tuple[dict[str, Any], int]:
    """Results of a coalition study with cards, and the number of deals behind them (0 if exact)."""
    if rules.nobody_in == "weenie":
        raise InputError("coalition: with cards not solved with nobody_in weenie; allowed is hold, or continuous hands")
    countable = n_players == 3 and rules.cards == 2 and not shared_cards
    if method == "exact" and not countable:
        raise InputError(
            "method: with cards only three players with two cards are counted, and colluders who do not share them;"
            " use method mc"
        )
    game = CardGame(n_players, n_colluders, rules, shared_cards, options, countable and method != "mc")
    always_in = [0] if shared_cards else list(range(min(2, n_colluders - 1) + 1))
    plans, table, solution = refine_plans(always_in, game.thresholds(), game.tabulate)
    keeps = game.equilibrium.entry[hand_groups(rules.ranking)]  # the group at its edge counts as a whole
    naive, _ = best_plan(table, keeps)
    only_honest = n_colluders == n_players - 1
    played = [int(i) for i in np.flatnonzero(solution.weights > 1e-6)] if only_honest else []
    played.sort(key=lambda i: (-plans[i][0], plans[i][1]))
    weights = solution.weights[played] / solution.weights[played].sum() if only_honest else np.zeros(0)
    chosen = [plans[i] for i in (*played, naive)]

    def numbers(found: PlanTable) -> Floats:
        """Value, what the mix concedes, value at the equilibrium, and its multiplier."""
        payoff, multiplier = found.means(keeps)
        at_equilibrium = _for_ever(payoff[-1], multiplier[-1])
        if not only_honest:
            return np.array([np.nan, np.nan, at_equilibrium, np.nan])
        payoff, multiplier = found.means(solution.entry)
        alpha, beta = float(weights @ payoff[:-1]), float(weights @ multiplier[:-1])
        mixed = PlanTable(*(weights[None] @ getattr(found, name)[:-1] for name in PlanTable.__dataclass_fields__))
        return np.array([_for_ever(alpha, beta), solve_plans(mixed).value, at_equilibrium, beta])

    if game.counted:
        measured = game.tabulate(chosen)
        estimates = [exact(float(value), options.confidence) for value in numbers(measured)]
        n = 0
    else:
        batches = game.sample(chosen, PURPOSE_PLANS_CHECK, options.n_deals)
        measured = table_of(batches.total, n_players, rules.ranking)
        errors = batches.stderr(lambda sums: numbers(table_of(sums, n_players, rules.ranking)))
        n = batches.n
        estimates = [
            normal(float(value), float(error), n, options.confidence) for value, error in zip(numbers(measured), errors)
        ]
    entry = per_class(solution.entry, rules.ranking) if only_honest else None
    return _results(game, estimates, entry, weights, chosen, measured), n


def _for_ever(payoff: float, multiplier: float) -> float:
    """Worth of the same round again and again; unknown where the stakes do not vanish on the deals at hand."""
    return float(payoff / (1.0 - multiplier)) if multiplier < 1.0 else float("nan")


def _results(
    game: CardGame,
    estimates: Sequence[Estimate],
    entry: Floats | None,
    weights: Floats,
    chosen: Sequence[CardPlan],
    measured: PlanTable,
) -> dict[str, Any]:
    value, conceded, at_equilibrium, multiplier = estimates
    names = class_names(game.rules.ranking)
    equilibrium = game.equilibrium
    n_honest = game.n_players - game.n_colluders
    by_group = (equilibrium.entry if entry is None else entry)[hand_groups(game.rules.ranking)]
    multipliers = measured.means(by_group)[1]
    lasting = weights * (1.0 - multipliers[: weights.size])

    def plan_row(place: int) -> dict[str, Any]:
        always_in, threshold = chosen[place]
        return {"always_in": always_in, "hand_of_others": names[threshold]}

    rows: list[Row] = [
        {
            "weight": float(weights[place]),
            "weight_per_pot": float(lasting[place] / lasting.sum()) if (lasting > 0.0).all() else None,
            **plan_row(place),
            "expected_multiplier": float(multipliers[place]),
        }
        for place in range(weights.size)
    ]
    share = n_honest / game.n_colluders
    one_row = {
        "colluders": game.n_colluders,
        "value_at_equilibrium": at_equilibrium.value,
        "gain_at_equilibrium": 0.0 - share * at_equilibrium.value,
        "value": value.value,
        "gain_per_colluder": 0.0 - share * value.value,
    }
    return {
        "n_players": game.n_players,
        "colluders": game.n_colluders,
        "hands": "cards",
        "cards": game.rules.cards,
        "shared_cards": game.shared_cards,
        "nobody_in": game.rules.nobody_in,
        "value": value.value,
        "value_estimate": value.as_dict(),
        "conceded": conceded.value,
        "conceded_estimate": conceded.as_dict(),
        "gain_per_colluder": 0.0 - share * value.value,
        "expected_multiplier": multiplier.value,
        "has_value": entry is None or isfinite(value.value),
        "honest": None if entry is None else _entered(Strategy("honest", game.rules.ranking, entry), names),
        "plans": rows,
        "equilibrium": {
            "hand": equilibrium.weakest_in,
            "entry_prob": equilibrium.entry_prob,
            **at_equilibrium.as_dict(),
            "gain_per_colluder": 0.0 - share * at_equilibrium.value,
            "plan": plan_row(len(chosen) - 1),
        },
        "rows": [one_row],
    }


def _entered(strategy: Strategy, names: Sequence[str]) -> dict[str, Any]:
    """Weakest hand from which all are entered, the hands that are mixed, and how many of all hands."""
    sure = int(np.flatnonzero(strategy.entry < 1.0 - 1e-9)[-1]) + 1 if (strategy.entry < 1.0 - 1e-9).any() else 0
    below = {names[c]: float(strategy.entry[c]) for c in range(sure) if strategy.entry[c] > 1e-9}
    hand = names[sure] if sure < len(names) else None
    return {"hand": hand, "entry_prob": strategy.entry_prob, "also": below}
