"""Equilibria of Guts under rules that the base game does not have, solved and measured on sampled deals."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.checks import shown
from guts_sim.engine import run_key
from guts_sim.engine.long_run import run_sums
from guts_sim.errors import InputError
from guts_sim.estimate import BatchSums, Estimate, normal
from guts_sim.exact.chain import stakes_of
from guts_sim.hands import get_ranking
from guts_sim.kernels.units import SUBUNITS
from guts_sim.rules import GutsRules
from guts_sim.solve.blind import BlindTask, blind_values, solve_blind
from guts_sim.solve.decision_values import DecisionValues, decision_values
from guts_sim.solve.decisions import (
    BLOCK,
    DecisionGame,
    DecisionSolution,
    decision_task,
    new_batches,
    pot_matters,
    solve_decisions,
)
from guts_sim.solve.information import ANY_HAND
from guts_sim.strategy import Strategy
from guts_sim.studies.equilibria import folk_rule
from guts_sim.studies.fields import EQUILIBRIUM, read_field
from guts_sim.studies.measurement import PURPOSE_MEASURE, PURPOSE_SOLVE, RunOptions

FloatArray = NDArray[np.float64]
DEFAULT_DEALS = 500_000
DEFAULT_DEALS_PASSING = {2: 4_000_000, 3: 8_000_000}  # by cards; each deal scores few hands
# Strategies that are shown for comparison gain much more by deviating than a measurement errs, so that a part of the
# deals will do for them.
COMPARED, DEALS_PER_COMPARED = ("threshold", "folk_rule"), 4
# A round is worth one pot more or less than an equal share in the mean square, at the very most two.
MOST_SUMMED = 2**63 // 4
PURPOSE_SOLVE_ENTRY, PURPOSE_MEASURE_ENTRY = 30, 31


@dataclass(frozen=True, eq=False)
class PotStudy:
    """The strategies judged for one pot, by name, and the deals on which they were measured.

    Attributes
    ----------
    game : DecisionGame
        The pot that is decided.
    entries : mapping of str to ndarray of float64, shape (n_nodes, n_groups)
        Entry probabilities.
    samples : mapping of str to BatchSums
        Sums over the deals measured so far.
    """

    game: DecisionGame
    entries: Mapping[str, FloatArray]
    samples: Mapping[str, BatchSums]


@dataclass(frozen=True, eq=False)
class VariantStudy:
    """What one call of `threshold` judges under other rules than those of the base game, and how far it has come."""

    rules: GutsRules
    n_players: int
    options: RunOptions
    field: Strategy | str | None
    pots: Mapping[str, PotStudy]

    @property
    def n(self) -> int:
        """Deals on which the equilibrium, and the field if there is one, were measured."""
        return min(
            sample.n for pot in self.pots.values() for name, sample in pot.samples.items() if name not in COMPARED
        )


def is_variant(rules: GutsRules, n_players: int, pot: int | None) -> bool:
    """Whether a rule set is beyond the base game, which has a solver of its own."""
    if rules.beyond_base():
        return True
    return pot is not None and rules.cap is not None and not rules.reserve and (n_players - 1) * pot > rules.cap


def default_deals(rules: GutsRules) -> int:
    """Fresh deals to measure on unless a number is asked for."""
    return DEFAULT_DEALS_PASSING[rules.cards] if rules.pass_left else DEFAULT_DEALS


def prepare_variant(
    n_players: int, rules: GutsRules, field: Strategy | str | None, options: RunOptions, pot: int | None
) -> VariantStudy:
    """Solve each pot and gather the strategies to judge.

    Raises
    ------
    InputError
        The rules depend on what each player has, or the field does not fit them.
    KeyboardInterrupt
        The solver was stopped.
    """
    _check_stakes(rules)
    names = ("high", "low") if rules.high_low else ("pot",)
    pots = {}
    for number, name in enumerate(names):
        game = DecisionGame(rules, n_players, pot, low=name == "low")
        _check_antes(game)
        _check_sums(game, options.n_deals)
        solved = _solve(game, _keys(options.seed, number, PURPOSE_SOLVE, PURPOSE_SOLVE_ENTRY), options)
        entries = {EQUILIBRIUM: solved.entry, "threshold": (solved.entry >= 0.5).astype(np.float64)}
        if rules.declaration != "blind" and name != "low":
            entries["folk_rule"] = _entries_of(folk_rule(rules.ranking), game)
        if field is not None:
            entries["field"] = _field_entries(field, solved.entry, game)
        pots[name] = PotStudy(game, entries, {})
    return VariantStudy(rules, n_players, options, field, pots)


def _check_stakes(rules: GutsRules) -> None:
    if rules.stakes == "credit":
        return
    if rules.bankroll is None:
        raise InputError(f"bankroll, stakes: with stakes {rules.stakes} say how many chips every player brings")
    if rules.high_low:
        raise InputError("stakes, high_low: not solved where two pots draw on the same chips; choose stakes credit")


def _check_antes(game: DecisionGame) -> None:
    """Refuse antes of this round that some could pay and others not: they would move decisions, see `encoded_rules`."""
    rules, chips = game.rules, game.stack_units / SUBUNITS
    if rules.stakes == "credit":
        return
    match = stakes_of(game.n_players, rules).match(game.pot_units // SUBUNITS)
    if rules.ante_every_round and chips < match + rules.ante:
        raise InputError(
            f"ante_every_round, stakes: not solved where a loser may lack the next ante of {rules.ante} (a match costs"
            f" up to {match}, {chips:g} chips are left); bring more chips, or ante once"
        )
    if rules.nobody_in == "reante" and rules.stakes == "eliminate" and chips < rules.ante:
        raise InputError(
            f"nobody_in, stakes: with {chips:g} chips left nobody can pay the ante of {rules.ante} again, so that all"
            " would be eliminated; bring more chips, or choose nobody_in hold"
        )


def _check_sums(game: DecisionGame, n_deals: int) -> None:
    """Refuse a pot whose sums of squares, of which every seat has its own, 64-bit integers might not hold."""
    unit, deals_per_seat = game.n_players * game.pot_units, -(-n_deals // game.n_players)
    held = (MOST_SUMMED // deals_per_seat) ** 0.5
    if unit <= held:
        return
    most, chips = int(held) // (game.n_players * SUBUNITS), game.pot_units // SUBUNITS
    advice = f"count in larger units, up to a pot of {most:,}, or ask for fewer" if most else "ask for fewer"
    raise InputError(f"pot, deals: a pot of {chips:,} cannot be summed up over {n_deals:,} deals; {advice}")


def _keys(seed: int, number: int, *purposes: int) -> tuple[np.uint64, np.uint64]:
    """Keys of the cards and of mixed decisions for the first or second pot."""
    cards, entries = (run_key(seed, purpose + 100 * number) for purpose in purposes)
    return cards, entries


def _solve(game: DecisionGame, keys: tuple[np.uint64, np.uint64], options: RunOptions) -> DecisionSolution:
    run: dict[str, Any] = {
        "effort": options.effort,
        "workers": options.workers,
        "executor": options.executor,
        "progress": options.progress,
    }
    return solve_blind(game, keys[0], **run) if game.is_blind else solve_decisions(game, keys, **run)


def _field_entries(field: Strategy | str, equilibrium: FloatArray, game: DecisionGame) -> FloatArray:
    if isinstance(field, str):
        return equilibrium
    if game.low:
        try:
            field = _as_strategy(read_field(field.spec, get_ranking(f"low{game.rules.cards}")))
        except InputError:
            raise InputError(
                f"field, high_low: {shown(field.spec)} does not say what is played for the low pot; give text that both"
                " pots understand, such as top:30%"
            ) from None
    return _entries_of(field, game)


def _as_strategy(field: Strategy | str | None) -> Strategy:
    assert isinstance(field, Strategy)
    return field


def _entries_of(field: Strategy, game: DecisionGame) -> FloatArray:
    """Probabilities of a field for every group and node; who declares blind enters with its overall probability."""
    information = game.information
    if information.names == (ANY_HAND,):
        by_group = np.array([field.entry_prob])
    else:
        by_group = field.entry[information.group_class]
    return np.repeat(by_group[None, :], game.n_nodes, axis=0)


def measure_variant(study: VariantStudy) -> VariantStudy:
    """Measure every strategy on the same fresh deals, up to the number that the options ask for.

    Strategies shown for comparison are measured on the first quarter of these. After an interruption each of those
    whose turn had not come gets one block of deals, so that there is something to say of it.

    Raises
    ------
    KeyboardInterrupt
        Stopped before there was anything to report.
    """
    measured = {}
    options = study.options
    is_interrupted = False
    for number, (name, pot) in enumerate(study.pots.items()):
        _check_sums(pot.game, options.n_deals)
        keys = _keys(options.seed, number, PURPOSE_MEASURE, PURPOSE_MEASURE_ENTRY)
        samples: dict[str, BatchSums] = {}
        for strategy, entry in pot.entries.items():
            if pot.game.is_blind and samples:  # one law of the table judges every probability
                samples[strategy] = next(iter(samples.values()))
                continue
            sample = pot.samples[strategy].copy() if strategy in pot.samples else new_batches()
            samples[strategy] = sample
            task = BlindTask(pot.game, keys[0]) if pot.game.is_blind else decision_task(pot.game, entry, keys)
            if is_interrupted:
                if sample.n == 0:
                    n_least = min(BLOCK, _deals_for(strategy, pot.game, options.n_deals))
                    sample.add(0, n_least, task(0, n_least))
                continue
            ending = run_sums(
                task,
                sample,
                _deals_for(strategy, pot.game, options.n_deals),
                block_size=BLOCK,
                workers=options.workers,
                executor=options.executor,
                progress=options.progress,
                checkpoint=options.checkpoint,
                part=f"{name} {strategy}",
            )
            is_interrupted = not ending.complete
            if sample.n == 0:
                raise KeyboardInterrupt
        measured[name] = replace(pot, samples=samples)
    return replace(study, pots=measured)


def _deals_for(strategy: str, game: DecisionGame, n_deals: int) -> int:
    """Deals on which a strategy is measured; blind ones share a law that is measured once."""
    if strategy not in COMPARED or game.is_blind:
        return n_deals
    return -(-n_deals // DEALS_PER_COMPARED)


def variant_results(study: VariantStudy) -> dict[str, Any]:
    """Answer of `threshold` from a measured study; with two pots that of the low one is under ``low``."""
    results: dict[str, Any] = {"n_players": study.n_players, "cards": study.rules.cards}
    spec = study.field.spec if isinstance(study.field, Strategy) else study.field
    parts = [_pot_results(pot, spec, study.options.confidence) for pot in study.pots.values()]
    results |= parts[0]
    if len(parts) == 2:
        results["low"] = parts[1]
        results["declarations"] = _declarations(study)
    if pot_matters(study.rules):
        game = next(iter(study.pots.values())).game
        results["pot"] = game.pot_units // SUBUNITS
        if study.rules.bankroll is not None:
            results["stack"] = game.stack_units / SUBUNITS
    return results


def _declarations(study: VariantStudy) -> dict[str, float]:
    """How often a player declares for neither pot, one of them, or both, in equilibrium; in turn, the first player."""
    high, low = (pot.entries[EQUILIBRIUM][0][pot.game.information.hand_group] for pot in study.pots.values())
    frequency = study.pots["high"].game.information.hand_frequency
    return {
        "out": float(frequency @ ((1 - high) * (1 - low))),
        "high": float(frequency @ (high * (1 - low))),
        "low": float(frequency @ ((1 - high) * low)),
        "both": float(frequency @ (high * low)),
    }


def _pot_results(pot: PotStudy, spec: str | None, confidence: float) -> dict[str, Any]:
    judge = blind_values if pot.game.is_blind else decision_values
    values = {name: judge(sample, pot.game, pot.entries[name]) for name, sample in pot.samples.items()}
    main = values[EQUILIBRIUM]
    gain = partial(_gain, confidence=confidence)
    results: dict[str, Any] = {
        "threshold": {
            "hand": _weakest_in(pot.entries["threshold"], main, pot.game),
            "entry_prob": _entry_prob(pot.entries["threshold"], values["threshold"]),
            "exploitability": gain(values["threshold"]).as_dict(),
        },
        "equilibrium": {
            "kind": "class",
            "entry_prob": _entry_prob(pot.entries[EQUILIBRIUM], main),
            "hands": _rows(pot, EQUILIBRIUM, main),
        },
        "round": _round_stats(main, confidence),
        "exploitability": gain(main).as_dict(),
        "exploitability_by_class": gain(main, by_group=True).as_dict(),
        "seats": _seat_rows(main, confidence),
    }
    if pot.game.n_nodes > 1:
        results["nodes"] = _node_rows(pot, main)
    if "folk_rule" in values:
        folk = values["folk_rule"]
        results["folk_rule"] = {
            "rule": folk_rule(pot.game.rules.ranking).spec,
            "entry_prob": _entry_prob(pot.entries["folk_rule"], folk),
            "exploitability": gain(folk).as_dict(),
            "best_reply_entry_prob": _entry_prob(_best_reply(folk), folk),
        }
    if "field" in values:
        results |= _field_results(pot, spec, values["field"], confidence)
    return results


def _field_results(pot: PotStudy, spec: str | None, values: DecisionValues, confidence: float) -> dict[str, Any]:
    reply = _best_reply(values)
    stats = _round_stats(values, confidence)
    out = float((values.reach * values.ev_out).sum())
    names = np.array(pot.game.information.names)
    return {
        "field": {
            "spec": spec,
            "entry_prob": _entry_prob(pot.entries["field"], values),
            "exploitability": _gain(values, confidence).as_dict(),
            "round": stats,
            "supercritical": stats["supercritical"],
            "hands": _rows(pot, "field", values),
        },
        "best_response": {
            "hands": names[reply.any(axis=0)][::-1].tolist(),
            "entry_prob": _entry_prob(reply, values),
            "value": out + float((values.reach * reply * values.delta).sum()),
            "gain": _gain(values, confidence, by_group=True).as_dict(),
        },
    }


def _gain(values: DecisionValues, confidence: float, by_group: bool = False) -> Estimate:
    if by_group:
        return normal(values.group_gain, values.group_gain_stderr, values.n, confidence, minimum=0.0)
    return normal(values.exploitability, values.exploitability_stderr, values.n, confidence, minimum=0.0)


def _best_reply(values: DecisionValues) -> FloatArray:
    return (values.delta > 0).astype(np.float64)


def _entry_prob(entry: FloatArray, values: DecisionValues) -> float:
    return float((entry * values.reach).sum() / values.reach.sum())


def _weakest_in(entry: FloatArray, values: DecisionValues, game: DecisionGame) -> str | None:
    """Group to which entering is worth least among those that enter at all."""
    delta = np.where((entry > 0) & (values.reach > 0), values.delta, np.inf)
    node, group = np.unravel_index(np.argmin(delta), delta.shape)
    return game.information.names[group] if np.isfinite(delta[node, group]) else None


def _round_stats(values: DecisionValues, confidence: float) -> dict[str, Any]:
    estimates = values.round_estimates(confidence)
    stats: dict[str, Any] = {name: estimate.value for name, estimate in estimates.items()}
    stats["expected_rounds"] = values.expected_rounds
    stats["tail_index"] = None  # needs the law of the multiplier, see `guts_sim.cascade`
    stats["supercritical"] = values.multiplier >= 1.0
    for part in ("stderr", "ci_low", "ci_high"):
        stats[part] = {name: getattr(estimate, part) for name, estimate in estimates.items()}
    return stats


def _seat_rows(values: DecisionValues, confidence: float) -> list[dict[str, Any]]:
    """What each place in the order of declaration is worth per round, in pots, beyond an equal share."""
    n = values.n // len(values.seat_values)
    estimates = [normal(float(v), float(s), n, confidence) for v, s in zip(values.seat_values, values.seat_stderr)]
    return [{"seat": seat, **estimate.as_dict()} for seat, estimate in enumerate(estimates, 1)]


def _nodes(game: DecisionGame) -> list[tuple[int, int]]:
    """(seat from 1, players heard to be in) of every node, or one for all."""
    if game.n_nodes == 1:
        return [(0, 0)]
    return [(seat, heard) for seat in range(1, game.n_players + 1) for heard in range(seat)]


def _node_rows(pot: PotStudy, values: DecisionValues) -> list[dict[str, Any]]:
    entry, names = pot.entries[EQUILIBRIUM], pot.game.information.names
    rows = []
    for node, (seat, heard) in enumerate(_nodes(pot.game)):
        reach = values.reach[node]
        likely = np.flatnonzero(entry[node] >= 0.5)
        rows.append(
            {
                "position": seat,
                "heard": heard,
                "reach": float(reach.sum() * pot.game.n_players),
                "entry_prob": float(entry[node] @ reach / reach.sum()) if reach.sum() > 0 else None,
                "weakest_in": names[likely[0]] if likely.size else None,
            }
        )
    return rows


def _rows(pot: PotStudy, strategy: str, values: DecisionValues) -> list[dict[str, Any]]:
    """One row per node and group, first those to which entering is worth most."""
    information, reply = pot.game.information, _best_reply(values)
    frequency = information.group_frequency
    rows = []
    for node, (seat, heard) in enumerate(_nodes(pot.game)):
        heard_before = {} if seat == 0 else {"position": seat, "heard": heard}
        for g in np.argsort(-values.delta[node], kind="stable"):
            if frequency[g] == 0 or (seat and values.reach[node, g] == 0):
                continue  # never comes about, or never did
            rows.append(
                {
                    **heard_before,
                    "hand": information.names[g],
                    "enter": float(pot.entries[strategy][node, g]),
                    "frequency": float(frequency[g]),
                    "ev_in": float(values.ev_out[node, g] + values.delta[node, g]),
                    "ev_out": float(values.ev_out[node, g]),
                    "delta": float(values.delta[node, g]),
                    "stderr": float(values.stderr[node, g]),
                    "best_reply": float(reply[node, g]),
                }
            )
    return rows
