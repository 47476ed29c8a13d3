"""What `threshold` answers under other rules than those of the base game, from what was measured."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.estimate import Estimate, normal
from guts_sim.kernels.units import SUBUNITS
from guts_sim.solve.blind import blind_values
from guts_sim.solve.decision_values import DecisionValues, decision_values
from guts_sim.solve.decisions import DecisionGame, pot_matters
from guts_sim.strategy import Strategy
from guts_sim.studies.equilibria import folk_rule
from guts_sim.studies.fields import EQUILIBRIUM
from guts_sim.studies.variants import PotStudy, VariantStudy

FloatArray = NDArray[np.float64]


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
