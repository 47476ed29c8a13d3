"""Equilibria of Guts under rules that the base game does not have, solved and measured on sampled deals."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.checks import shown
from guts_sim.engine import run_key
from guts_sim.engine.long_run import run_sums
from guts_sim.errors import InputError
from guts_sim.estimate import BatchSums
from guts_sim.exact.chain import stakes_of
from guts_sim.hands import get_ranking
from guts_sim.kernels.units import SUBUNITS
from guts_sim.rules import GutsRules
from guts_sim.solve.blind import BlindTask, solve_blind
from guts_sim.solve.decisions import (
    BLOCK,
    DecisionGame,
    DecisionSolution,
    decision_task,
    new_batches,
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
