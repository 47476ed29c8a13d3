"""Strategies that a round of Guts is judged by: its symmetric equilibrium, pure thresholds, the house rule."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

import numpy as np

from guts_sim.engine import run_key
from guts_sim.errors import InputError
from guts_sim.exact import exact_threshold
from guts_sim.hands import Ranking, hand_classes
from guts_sim.solve import pure_thresholds, solve_symmetric
from guts_sim.strategy import Strategy, parse_field, threshold_strategy
from guts_sim.studies.assessment import can_count
from guts_sim.studies.fields import EQUILIBRIUM
from guts_sim.studies.measurement import PURPOSE_SEARCH, PURPOSE_SOLVE, RunOptions

METHODS = ("auto", "exact", "mc")
JACK = 9
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A symmetric equilibrium and the pure thresholds near it.

    Attributes
    ----------
    strategy : Strategy
        Best reply to itself, up to the exploitability that has to be measured.
    threshold : Strategy
        Pure threshold whose best deviation gains least; the equilibrium itself if that is pure.
    self_consistent : Strategy or None
        Pure threshold whose weakest hand is the first that does not lose by entering; None where counting
        settled the question.
    """

    strategy: Strategy
    threshold: Strategy
    self_consistent: Strategy | None = None


def check_method(method: str) -> str:
    """Return ``method`` if it is one of `METHODS`, else raise InputError."""
    if method not in METHODS:
        raise InputError(f"method: {method!r} is not allowed; choose {', '.join(METHODS)}")
    return method


def resolve_method(method: str, n_players: int, ranking: Ranking, fields: Sequence[Strategy] = ()) -> str:
    """``"exact"`` where the equilibrium and ``fields`` can be counted (and may be), else ``"mc"``."""
    any_threshold = threshold_strategy(ranking, 0)
    countable = all(can_count(n_players, field) for field in (any_threshold, *fields))
    if check_method(method) == "exact" and not countable:
        asked = f"{n_players} players with {ranking}{' and this field' if fields else ''}"
        raise InputError(
            f"method: {asked} cannot be counted exactly;"
            " allowed are 2 or 3 players, two cards with a threshold field, or method mc"
        )
    return "exact" if countable and method != "mc" else "mc"


_answers: dict[tuple[object, ...], Any] = {}
MOST_ANSWERS = 64


def remembered(question: tuple[object, ...], answer: Callable[[], T]) -> T:
    """Answer a question once while the process runs: who asks about field after field waits for one solution."""
    if question not in _answers:
        found = answer()
        while len(_answers) >= MOST_ANSWERS:
            _answers.pop(next(iter(_answers)), None)
        _answers[question] = found
    return cast(T, _answers[question])


def forget_equilibria() -> None:
    """Solve all over again, as a new process would."""
    _answers.clear()


def symmetric_equilibrium(n_players: int, ranking: Ranking, method: str, options: RunOptions) -> Strategy:
    """Entry probabilities of the symmetric equilibrium, without looking for thresholds near it."""
    question = ("equilibrium", n_players, ranking.name, method, options.seed, options.effort)
    return remembered(question, lambda: _solved(n_players, ranking, method, options))


def _solved(n_players: int, ranking: Ranking, method: str, options: RunOptions) -> Strategy:
    if method == "exact":
        counted = exact_threshold(n_players, ranking)
        if counted.exact:
            return threshold_strategy(ranking, counted.index)
    solved = solve_symmetric(
        n_players,
        ranking,
        run_key(options.seed, PURPOSE_SOLVE),
        effort=options.effort,
        workers=options.workers,
        executor=options.executor,
        progress=options.progress,
    )
    return Strategy(EQUILIBRIUM, ranking, solved.entry)


def find_equilibrium(n_players: int, ranking: Ranking, method: str, options: RunOptions) -> Equilibrium:
    """Find the symmetric equilibrium and the pure thresholds near it."""
    question = ("with thresholds", n_players, ranking.name, method, options.seed, options.effort)
    return remembered(question, lambda: _with_thresholds(n_players, ranking, method, options))


def _with_thresholds(n_players: int, ranking: Ranking, method: str, options: RunOptions) -> Equilibrium:
    strategy = symmetric_equilibrium(n_players, ranking, method, options)
    if method == "exact":
        if strategy.is_threshold:
            return Equilibrium(strategy, strategy)
        return Equilibrium(strategy, threshold_strategy(ranking, exact_threshold(n_players, ranking).index))
    found = pure_thresholds(
        n_players,
        ranking,
        strategy.entry,
        run_key(options.seed, PURPOSE_SEARCH),
        effort=options.effort,
        workers=options.workers,
        executor=options.executor,
    )
    return Equilibrium(
        strategy,
        threshold_strategy(ranking, found.least_exploitable),
        threshold_strategy(ranking, found.self_consistent),
    )


def folk_rule(ranking: Ranking) -> Strategy:
    """Entry rule that home players quote.

    Two cards: a pair of tens or better. Three cards: a pair or better, where a bare pair needs an ace or a face
    card in it or beside it.
    """
    if ranking.hand_sizes == (2,):
        return replace(parse_field("TT+", ranking), spec="a pair of tens or better")
    enters = [
        c.category not in ("high card", "pair") or (c.category == "pair" and max(c.ranks) >= JACK)
        for c in hand_classes(ranking)
    ]
    return Strategy("a pair or better, with an ace or a face card", ranking, np.array(enters, dtype=np.float64))
