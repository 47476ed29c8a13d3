"""Entry thresholds: the symmetric equilibrium of a round, and the best reply to a field."""

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from guts_sim.checks import check_count, check_number
from guts_sim.engine.checkpoint import CheckpointPath, seed_to_use
from guts_sim.errors import InputError
from guts_sim.estimate import check_confidence
from guts_sim.hands import class_names
from guts_sim.interruption import interruptible
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result, Row
from guts_sim.rules import VARIANT_SWITCHES, GutsRules
from guts_sim.strategy import Strategy, frequencies
from guts_sim.studies.assessment import Assessment, assess_all
from guts_sim.studies.equilibria import check_method, find_equilibrium, folk_rule, resolve_method
from guts_sim.studies.fields import EQUILIBRIUM, checked_deals, chosen_rules, read_field, repeatable
from guts_sim.studies.long_runs import continued, with_checkpoint
from guts_sim.studies.measurement import RunOptions
from guts_sim.studies.threshold_text import threshold_lines
from guts_sim.studies.variants import (
    VariantStudy,
    default_deals,
    is_variant,
    measure_variant,
    prepare_variant,
)
from guts_sim.studies.variants_results import variant_results
from guts_sim.studies.variants_text import variant_lines

DEFAULT_DEALS = 2_000_000


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ThresholdResult(Result):
    """Answer of `threshold`; see `Result` for the common attributes.

    Attributes
    ----------
    study : ThresholdStudy
        What was judged, to continue from.
    """

    study: "ThresholdStudy | VariantStudy"

    @interruptible
    def extend(self, deals: int) -> "ThresholdResult":
        """Continue a Monte Carlo measurement up to ``deals`` deals in all.

        The result equals that of a run of ``deals`` deals at once, digest included.

        Parameters
        ----------
        deals : int
            At least the present ``n``.

        Returns
        -------
        ThresholdResult
            A new result; the present one stays as it is.

        Raises
        ------
        InputError
            The result is exact, or has more deals already.

        Examples
        --------
        >>> first = threshold(3, method="mc", deals=2000, effort=0.01, seed=1)
        >>> first.extend(4000).n
        4000
        """
        study, parameters = continued(self, deals)
        if isinstance(study, VariantStudy):
            return _variant_answer(study, parameters)
        return _answer(study, parameters)


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


@interruptible
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
    checkpoint: CheckpointPath = None,
    effort: float = 1.0,
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

    With stakes other than credit it is one round among players who all have the same left, which is what they brought
    less their part of the pot; chips are worth the same to everybody, except that who is eliminated has no share in
    what stays on the table.

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
        Fresh deals to measure on (Monte Carlo); default 2,000,000, or 500,000 under rules beyond the base game
        (4,000,000 where one of two cards is passed, 8,000,000 where one of three is);
        there the pure threshold and the rule of thumb are measured on the first quarter.
    seed : int, optional
        Seed of the deals; drawn and recorded if not given.
    confidence : float
        Coverage of the intervals.
    workers, executor, progress
        See `guts_sim.run_blocks`.
    checkpoint : path-like, optional
        File from which an interrupted measurement is taken up and to which it is written; see `guts_sim.session`. The
        equilibrium itself is sought again.
    effort : float
        Factor of the number of deals on which an equilibrium is sought that cannot be counted: more deals make it less
        exploitable.
    **switches
        Rule switches to change, for example ``cards=3`` or ``cap=50``.

    Returns
    -------
    ThresholdResult
        ``results`` holds ``threshold``, ``equilibrium``, ``round``, ``exploitability`` (of deviations that look at
        suits too) and ``exploitability_by_class``, ``folk_rule`` and, with a field, ``field`` and
        ``best_response``.

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
        rules = chosen_rules(rules, switches, "threshold", VARIANT_SWITCHES)
        n_players = rules.check_players(n_players)
        method = check_method(method)
        if pot is not None:
            pot = check_count(pot, "pot")
        _check_pot(rules, pot)
        variant = is_variant(rules, n_players, pot)
        if variant and method == "exact":
            raise InputError("method: these rules are solved on sampled deals only; choose auto or mc")
        opponents = read_field(field, rules.ranking)
        options = RunOptions(
            n_deals=checked_deals(deals, default_deals(rules) if variant else DEFAULT_DEALS),
            seed=seed_to_use(seed, checkpoint),
            confidence=check_confidence(confidence),
            workers=workers,
            executor=executor,
            progress=progress,
            effort=checked_effort(effort),
        )
        asked = {
            "n_players": n_players,
            "field": None if field is None else repeatable(field, opponents),
            "pot": pot,
            "method": method,
            **({} if options.effort == 1.0 else {"effort": options.effort}),
        }
        options = with_checkpoint(options, checkpoint, "threshold", rules.as_dict(), asked)
        parameters = asked | {"deals": options.n_deals}
        if variant:
            result = _variant_answer(prepare_variant(n_players, rules, opponents, options, pot), parameters)
        else:
            study = _prepare(n_players, rules, opponents, method, options, pot)
            result = _answer(study, parameters | ({} if study.method == "mc" else {"deals": None}))
    return replace(result, timing=watch.as_dict())


def checked_effort(value: object) -> float:
    """Return a factor of the solver's deals that is between a hundredth and a hundred."""
    return check_number(value, "effort", "a number from 0.01 to 100, such as 4", 0.01, 100.0)


def _check_pot(rules: GutsRules, pot: int | None) -> None:
    if pot is not None and rules.cap is not None and pot > rules.cap:
        raise InputError(f"pot: {pot} chips exceed the cap of {rules.cap}; the active pot is at most the cap")


def _variant_answer(study: VariantStudy, parameters: dict[str, Any]) -> ThresholdResult:
    study = measure_variant(study)
    results = variant_results(study)
    return ThresholdResult(
        command="threshold",
        rules=study.rules.as_dict(),
        parameters=parameters,
        method="mc",
        n=study.n,
        seed=study.options.seed,
        confidence=study.options.confidence,
        complete=study.n == study.options.n_deals,
        results=results,
        rows=results["field" if "field" in results else "equilibrium"]["hands"],
        lines=variant_lines(study.rules, results, study.n),
        study=study,
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
    method = resolve_method(method, n_players, ranking, [field] if isinstance(field, Strategy) else [])
    found = find_equilibrium(n_players, ranking, method, options)
    strategies = {EQUILIBRIUM: found.strategy, "threshold": found.threshold, "folk_rule": folk_rule(ranking)}
    if found.self_consistent is not None:
        strategies["self_consistent"] = found.self_consistent
    if field is not None:
        strategies["field"] = field if isinstance(field, Strategy) else found.strategy
    kind = "threshold" if found.strategy.is_threshold else "class"
    return ThresholdStudy(n_players, rules, method, options, pot, kind, strategies, {})


def _answer(study: ThresholdStudy, parameters: dict[str, Any]) -> ThresholdResult:
    judged = assess_all(study.n_players, study.strategies, study.method, study.options, study.judged)
    study = replace(study, judged=judged)
    main = judged[EQUILIBRIUM]
    results = _results(study)
    exact = study.method == "exact"
    return ThresholdResult(
        command="threshold",
        rules=study.rules.as_dict(),
        parameters=parameters,
        method=study.method,
        n=main.n,
        seed=None if exact and study.kind == "threshold" else study.options.seed,
        confidence=study.options.confidence,
        complete=main.complete,
        results=results,
        rows=results["field" if "field" in judged else "equilibrium"]["hands"],
        lines=threshold_lines(study.rules, results, main.n, study.pot),
        study=study,
    )


def _results(study: ThresholdStudy) -> dict[str, Any]:
    judged = study.judged
    main = judged[EQUILIBRIUM]
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
        "exploitability_by_class": main.best_reply_gain.as_dict(),
        "folk_rule": {
            "rule": judged["folk_rule"].field.spec,
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
        "gain": assessment.best_reply_gain.as_dict(),
    }


def _best_reply_entry(assessment: Assessment) -> float:
    return replace(assessment.field, entry=assessment.best_reply).entry_prob


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
