"""Entry thresholds: the symmetric equilibrium of a round, and the best reply to a field."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from guts_sim.checks import check_count
from guts_sim.engine import resolve_seed, run_key
from guts_sim.errors import InputError
from guts_sim.estimate import check_confidence
from guts_sim.exact import exact_threshold
from guts_sim.hands import Ranking, class_names, hand_classes
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result, Row
from guts_sim.rules import GutsRules
from guts_sim.solve import pure_thresholds, solve_symmetric
from guts_sim.strategy import Strategy, frequencies, parse_field, threshold_strategy
from guts_sim.studies.assessment import (
    PURPOSE_SEARCH,
    PURPOSE_SOLVE,
    Assessment,
    RunOptions,
    assess,
    can_count,
)
from guts_sim.studies.fields import EQUILIBRIUM, chosen_rules, read_field, repeatable
from guts_sim.studies.threshold_text import threshold_lines

DEFAULT_DEALS = 2_000_000
METHODS = ("auto", "exact", "mc")


@dataclass(frozen=True, kw_only=True, eq=False)
class ThresholdResult(Result):
    """Answer of `threshold`; see `Result` for the common attributes.

    Attributes
    ----------
    study : ThresholdStudy
        What was judged, to continue from.
    """

    study: "ThresholdStudy"

    def extend(self, deals: int) -> "ThresholdResult":
        """Continue a Monte Carlo measurement up to ``deals`` deals in all.

        The result equals that of a run of ``deals`` deals at once, digest included.

        Parameters
        ----------
        deals : int
            At least the present ``n``.

        Raises
        ------
        InputError
            The result is exact, or has more deals already.
        """
        if self.method == "exact":
            raise InputError("extend: the result is exact; more deals would add nothing")
        deals = check_count(deals, "deals", minimum=self.n)
        options = replace(self.study.options, n_deals=deals)
        return _answer(replace(self.study, options=options), dict(self.parameters) | {"deals": deals})


@dataclass(frozen=True, eq=False)
class ThresholdStudy:
    """The strategies that one call of `threshold` judges, and the judgements so far."""

    n_players: int
    rules: GutsRules
    method: str
    options: RunOptions
    pot: int | None
    kind: str
    strategies: Mapping[str, Strategy]
    judged: Mapping[str, Assessment]


def threshold(
    n_players: int,
    *,
    rules: str | GutsRules | None = None,
    field: str | Strategy | None = None,
    pot: int | None = None,
    method: str = "auto",
    deals: int | None = None,
    seed: int | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
    **switches: Any,
) -> ThresholdResult:
    """Find with which hands to enter.

    Without a field the answer is the symmetric equilibrium: the strategy that is a best reply to itself. With
    two cards (any number of players) and with three cards (two or three players) it is counted exactly;
    otherwise it is solved on sampled deals, and its exploitability is measured on fresh ones. With a field
    the answer adds the best reply to opponents who all play that field.

    Payoffs are per round and in units of the active pot; every chip that stays on the table is worth 1/N of
    itself to each of the N players. By that symmetry neither pot, cap with reserve nor ante moves
    the equilibrium.

    Parameters
    ----------
    n_players : int
        2 to 10.
    rules : str or GutsRules, optional
        A profile name or a rule set; default ``"two-card"``, or ``"home"`` if ``cards=3`` is given.
    field : str or Strategy, optional
        What all opponents do, for example ``"TT+"``, ``"top:30%"`` or ``"equilibrium"``; see
        `guts_sim.parse_field`.
    pot : int, optional
        Active pot in chips, to express values in chips as well.
    method : {"auto", "exact", "mc"}
        Counting, Monte Carlo, or counting wherever it is possible.
    deals : int, optional
        Fresh deals to measure on (Monte Carlo); default 2,000,000.
    seed : int, optional
        Seed of the deals; drawn and recorded if not given.
    confidence : float
        Coverage of the intervals.
    workers, executor, progress
        See `guts_sim.run_blocks`.
    **switches
        Rule switches to change, for example ``cards=3`` or ``cap=50``.

    Returns
    -------
    ThresholdResult
        ``results`` holds ``threshold``, ``equilibrium``, ``round``, ``exploitability``, ``folk_rule`` and, with a
        field, ``field`` and ``best_response``.

    Raises
    ------
    InputError
        An argument is not allowed, or ``method="exact"`` where counting is not possible.

    References
    ----------
    L. Castronova, Y. Chen and K. Zumbrun, "Game-theoretic analysis of Guts poker", arXiv:2108.06556.

    Examples
    --------
    >>> result = threshold(5)
    >>> result.results["threshold"]["hand"], round(result.results["threshold"]["entry_prob"], 6)
    ('A4', 0.179487)
    """
    with Stopwatch() as watch:
        rules = chosen_rules(rules, switches)
        n_players = rules.check_players(n_players)
        if method not in METHODS:
            raise InputError(f"method: {method!r} is not allowed; choose {', '.join(METHODS)}")
        if pot is not None:
            pot = check_count(pot, "pot")
        _check_pot(rules, n_players, pot)
        opponents = read_field(field, rules.ranking)
        options = RunOptions(
            n_deals=DEFAULT_DEALS if deals is None else check_count(deals, "deals"),
            seed=resolve_seed(seed),
            confidence=check_confidence(confidence),
            workers=workers,
            executor=executor,
            progress=progress,
        )
        study = _prepare(n_players, rules, opponents, method, options, pot)
        parameters = {
            "n_players": n_players,
            "field": None if field is None else repeatable(field, opponents),
            "pot": pot,
            "method": method,
            "deals": options.n_deals if study.method == "mc" else None,
        }
        result = _answer(study, parameters)
    return replace(result, timing=watch.as_dict())


def _check_pot(rules: GutsRules, n_players: int, pot: int | None) -> None:
    if pot is None or rules.cap is None:
        return
    if pot > rules.cap:
        raise InputError(f"pot: {pot} chips exceed the cap of {rules.cap}; the active pot is at most the cap")
    if not rules.reserve and (n_players - 1) * pot > rules.cap:
        largest = rules.cap // (n_players - 1)
        raise InputError(
            f"pot: at {pot} chips a cap of {rules.cap} without a reserve trims what losers pay, which this answer does"
            f" not cover; allowed are pots up to {largest}, a reserve, or no cap"
        )


def _prepare(
    n_players: int,
    rules: GutsRules,
    field: Strategy | str | None,
    method: str,
    options: RunOptions,
    pot: int | None,
) -> ThresholdStudy:
    """Find the equilibrium and gather the strategies to judge."""
    ranking = rules.ranking
    to_count = [threshold_strategy(ranking, 0)] + ([field] if isinstance(field, Strategy) else [])
    method = _resolve_method(method, n_players, to_count)
    strategies = _equilibrium(n_players, ranking, method, options)
    kind = "threshold" if strategies["equilibrium"].is_threshold else "class"
    strategies["folk_rule"] = folk_rule(ranking)
    if field is not None:
        strategies["field"] = field if isinstance(field, Strategy) else strategies["equilibrium"]
    return ThresholdStudy(n_players, rules, method, options, pot, kind, strategies, {})


def _resolve_method(method: str, n_players: int, strategies: Sequence[Strategy]) -> str:
    countable = all(can_count(n_players, strategy) for strategy in strategies)
    if method == "exact" and not countable:
        raise InputError(
            f"method: {n_players} players with {strategies[0].ranking} and this field cannot be counted exactly;"
            " allowed are 2 or 3 players, two cards with a threshold field, or method mc"
        )
    return "exact" if countable and method != "mc" else "mc"


def _equilibrium(n_players: int, ranking: Ranking, method: str, options: RunOptions) -> dict[str, Strategy]:
    """Strategies named equilibrium, threshold (least exploitable) and self_consistent."""
    if method == "exact":
        best = exact_threshold(n_players, ranking)
        pure = threshold_strategy(ranking, best.index)
        if best.exact:
            return {"equilibrium": pure, "threshold": pure}
    solved = solve_symmetric(
        n_players,
        ranking,
        run_key(options.seed, PURPOSE_SOLVE),
        workers=options.workers,
        executor=options.executor,
        progress=options.progress,
    )
    mixed = Strategy(EQUILIBRIUM, ranking, solved.entry)
    if method == "exact":
        return {"equilibrium": mixed, "threshold": pure}
    found = pure_thresholds(
        n_players,
        ranking,
        mixed.entry,
        run_key(options.seed, PURPOSE_SEARCH),
        workers=options.workers,
        executor=options.executor,
    )
    return {
        "equilibrium": mixed,
        "threshold": threshold_strategy(ranking, found.least_exploitable),
        "self_consistent": threshold_strategy(ranking, found.self_consistent),
    }


def folk_rule(ranking: Ranking) -> Strategy:
    """Entry rule that home players quote.

    Two cards: a pair of tens or better. Three cards: a pair or better, where a bare pair needs an ace or a face
    card in it or beside it.
    """
    classes = hand_classes(ranking)
    if ranking.hand_sizes == (2,):
        return replace(parse_field("TT+", ranking), spec="a pair of tens or better")
    jack = 9
    enters = [
        c.category not in ("high card", "pair") or (c.category == "pair" and max(c.ranks) >= jack) for c in classes
    ]
    return Strategy("a pair or better, with an ace or a face card", ranking, np.array(enters, dtype=np.float64))


def _answer(study: ThresholdStudy, parameters: dict[str, Any]) -> ThresholdResult:
    judged = _judge_all(study)
    study = replace(study, judged=judged)
    main = judged["equilibrium"]
    results = _results(study)
    exact = study.method == "exact"
    return ThresholdResult(
        command="threshold",
        rules=study.rules.as_dict(),
        parameters=parameters,
        method=study.method,
        n=0 if exact else min(a.n for a in judged.values()),
        seed=None if exact and study.kind == "threshold" else study.options.seed,
        confidence=study.options.confidence,
        complete=all(a.complete for a in judged.values()),
        results=results,
        rows=results["field" if "field" in judged else "equilibrium"]["hands"],
        lines=threshold_lines(study.rules, results, main.n, study.pot),
        study=study,
    )


def _judge_all(study: ThresholdStudy) -> dict[str, Assessment]:
    """Judge every strategy once; equal ones share their judgement."""
    judged: dict[str, Assessment] = {}
    by_entry: dict[bytes, Assessment] = {}
    for name, strategy in study.strategies.items():
        key = strategy.entry.tobytes()
        if key not in by_entry:
            before = study.judged.get(name)
            by_entry[key] = assess(
                study.n_players, strategy, study.method, study.options, None if before is None else before.state
            )
        judged[name] = by_entry[key]
    return judged


def _results(study: ThresholdStudy) -> dict[str, Any]:
    judged, ranking = study.judged, study.rules.ranking
    main = judged["equilibrium"]
    results: dict[str, Any] = {
        "n_players": study.n_players,
        "cards": study.rules.cards,
        "threshold": _pure_summary(judged["threshold"]),
        "equilibrium": {
            "kind": study.kind,
            "entry_prob": main.field.entry_prob,
            "hands": hand_rows(main),
        },
        "round": main.round_stats(),
        "exploitability": main.exploitability.as_dict(),
        "folk_rule": {
            "rule": folk_rule(ranking).spec,
            "entry_prob": judged["folk_rule"].field.entry_prob,
            "exploitability": judged["folk_rule"].exploitability.as_dict(),
            "best_reply_entry_prob": _best_reply_entry(judged["folk_rule"]),
        },
    }
    if "self_consistent" in judged:
        results["self_consistent_threshold"] = _pure_summary(judged["self_consistent"])
    if study.rules.cap is not None and not study.rules.reserve:
        results["valid_up_to_pot"] = study.rules.cap / (study.n_players - 1)
    if "field" in judged:
        results["field"] = _field_summary(judged["field"])
        results["best_response"] = _best_response(judged["field"])
    return results


def _pure_summary(assessment: Assessment) -> dict[str, Any]:
    return {
        "hand": assessment.field.weakest_in,
        "entry_prob": assessment.field.entry_prob,
        "exploitability": assessment.exploitability.as_dict(),
    }


def _field_summary(assessment: Assessment) -> dict[str, Any]:
    stats = assessment.round_stats()
    return {
        "spec": assessment.field.spec,
        "entry_prob": assessment.field.entry_prob,
        "exploitability": assessment.exploitability.as_dict(),
        "round": stats,
        "supercritical": stats["supercritical"],
        "hands": hand_rows(assessment),
    }


def _best_response(assessment: Assessment) -> dict[str, Any]:
    names = class_names(assessment.field.ranking)
    entering = np.flatnonzero(assessment.best_reply)
    return {
        "hands": [names[c] for c in entering[::-1]],
        "entry_prob": _best_reply_entry(assessment),
        **assessment.best_reply_value.as_dict(),
        "gain": assessment.exploitability.as_dict(),
    }


def _best_reply_entry(assessment: Assessment) -> float:
    return float(assessment.best_reply @ frequencies(assessment.field.ranking))


def hand_rows(assessment: Assessment) -> list[Row]:
    """One row per hand class, the strongest first."""
    frequency = frequencies(assessment.field.ranking)
    names = class_names(assessment.field.ranking)
    return [
        {
            "hand": names[c],
            "enter": float(assessment.field.entry[c]),
            "frequency": float(frequency[c]),
            "ev_in": float(assessment.ev_in[c]),
            "ev_out": float(assessment.ev_out[c]),
            "delta": float(assessment.delta[c]),
            "stderr": float(assessment.stderr[c]),
            "best_reply": float(assessment.best_reply[c]),
        }
        for c in range(len(names) - 1, -1, -1)
    ]
