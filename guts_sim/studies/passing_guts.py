"""Pass-the-trash Guts: which card to pass to the left, and what the declaration is worth afterwards."""

from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.cards import format_cards, parse_cards
from guts_sim.engine import PURPOSE_ENTRY, run_key
from guts_sim.engine.checkpoint import CheckpointPath, seed_to_use
from guts_sim.engine.long_run import Ending
from guts_sim.errors import InputError
from guts_sim.estimate import BatchSums, Estimate, normal
from guts_sim.hands import get_ranking, guts_table
from guts_sim.kernels.units import SUBUNITS
from guts_sim.passing import PassPolicy, get_policy
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result, Row
from guts_sim.rules import GutsRules
from guts_sim.strategy import Strategy
from guts_sim.studies.equilibria import resolve_method, symmetric_equilibrium
from guts_sim.studies.fields import (
    EQUILIBRIUM,
    chosen_rules,
    read_field,
    repeatable,
)
from guts_sim.studies.long_runs import (
    confidence_of,
    continued,
    precision_lines,
    precision_results,
    precision_to_reach,
    run_long,
    with_checkpoint,
)
from guts_sim.studies.measurement import RunOptions, read_run_options
from guts_sim.studies.passing_input import GivenCards, GivenPolicy, checked_dead, checked_pass, recorded_policy
from guts_sim.studies.passing_sampling import PassKeys
from guts_sim.studies.passing_text import guts_pass_lines

DEFAULT_DEALS = 1_000_000
BLOCK_SIZE = 1 << 14
BEST_EQUITY = "the equity of the best pass"
SUM_DEALS, SUM_IN, SUM_OUT, SUM_WIN, SUM_TIE = range(5)
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GutsPassStudy:
    """What one call asks, and the sums so far."""

    hand: tuple[int, ...]
    dead: tuple[int, ...]
    n_players: int
    rules: GutsRules
    policy: PassPolicy
    opponents: Strategy
    chosen: tuple[int, ...] | None
    options: RunOptions
    sums: BatchSums | None = None
    ending: Ending | None = None

    @property
    def confidence(self) -> float:
        """Coverage that each interval needs."""
        return confidence_of(self.ending, self.options)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class GutsPassResult(Result):
    """Answer of `pass_values` for Guts; see `Result` for the common attributes.

    Attributes
    ----------
    study : GutsPassStudy
        What was asked, to continue from.
    """

    study: GutsPassStudy = field(repr=False)

    def extend(self, deals: int) -> "GutsPassResult":
        """Continue up to ``deals`` deals in all; equal to a run of that length at once.

        Parameters
        ----------
        deals : int
            At least the present ``n``.

        Returns
        -------
        GutsPassResult
            A new result; the present one stays as it is.

        Raises
        ------
        InputError
            The result has more deals already.

        Examples
        --------
        >>> from guts_sim import pass_values
        >>> first = pass_values("As Kd", game="guts", n_players=3, field="K4+", deals=1000, seed=1)
        >>> first.extend(2000).n
        2000
        """
        return _answer(*continued(self, deals))


def guts_pass_values(
    hand: GivenCards,
    *,
    n_players: int,
    policy: GivenPolicy,
    dead: GivenCards,
    chosen: GivenCards | None,
    field: str | Strategy | None,
    deals: int | None,
    seed: int | None,
    confidence: float,
    workers: int | None,
    executor: Executor | None,
    progress: bool | None,
    checkpoint: CheckpointPath,
    precision: float | None,
    rules: str | GutsRules | None = None,
    **switches: Any,
) -> GutsPassResult:
    """Value of passing each card of a Guts hand; see `guts_sim.pass_values`.

    The hero declares as is best for him once he has seen the card he receives; the opponents declare by ``field``.
    ``equity`` is in pots of the round: what he wins or loses, with his 1/N of the next pot.
    """
    with Stopwatch() as watch:
        cards = parse_cards(hand, count=(2, 3))
        if switches.setdefault("cards", len(cards)) != len(cards):
            raise InputError(f"hand: {format_cards(cards)} has {len(cards)} cards; the rules deal {switches['cards']}")
        switches["pass_left"] = 1
        rules = chosen_rules(rules, switches, "pass", ("pass_left",))
        n_players = rules.check_players(n_players)
        out = checked_dead(dead, cards, n_players)
        own = None if chosen is None else checked_pass(chosen, cards, 1)
        passing = get_policy(policy, n_players, len(cards))
        wanted: str | Strategy = EQUILIBRIUM if field is None else field
        opponents = read_field(wanted, rules.ranking)
        assert opponents is not None
        seed = seed_to_use(seed, checkpoint)
        options = read_run_options(deals, DEFAULT_DEALS, seed, confidence, workers, executor, progress)
        options = replace(options, precision=precision_to_reach(precision))
        asked: dict[str, Any] = {
            "hand": format_cards(cards),
            "game": "guts",
            "n_players": n_players,
            "policy": recorded_policy(policy, passing),
            "dead": format_cards(out),
            "field": repeatable(wanted, opponents),
        }
        options = with_checkpoint(options, checkpoint, "pass", rules.as_dict(), asked)
        parameters = asked | {"chosen": None if own is None else format_cards(own), "deals": options.n_deals}
        if precision is not None:
            parameters["precision"] = precision
        if isinstance(opponents, str):  # the word for the equilibrium
            how = resolve_method("auto", n_players, rules.ranking)
            opponents = symmetric_equilibrium(n_players, rules.ranking, how, options)
        study = GutsPassStudy(cards, out, n_players, rules, passing, opponents, own, options)
        result = _answer(study, parameters)
    return replace(result, timing=watch.as_dict())


@dataclass(frozen=True, eq=False)
class GutsPassTask:
    """Add up what in and out are worth by card passed and card received."""

    keys: PassKeys
    entry_key: np.uint64
    hand: tuple[int, ...]
    dead: tuple[int, ...]
    n_players: int
    policy: PassPolicy
    ranking_name: str
    entry: FloatArray

    def __call__(self, start: int, stop: int) -> NDArray[np.int64]:
        """Sums (card passed, card received, 5); see `guts_sim.kernels.pass_guts.count_guts_passes`."""
        from guts_sim.kernels.guts import ALWAYS
        from guts_sim.kernels.pass_guts import count_guts_passes

        sums = np.zeros((len(self.hand), 52, 5), np.int64)
        count_guts_passes(
            self.keys.deals,
            self.keys.choices,
            self.entry_key,
            np.uint64(start),
            stop - start,
            np.array(sorted(self.hand), np.uint8),
            np.array(sorted(self.hand + self.dead), np.uint8),
            self.n_players - 1,
            self.policy.kind,
            self.policy.keep_score,
            self.policy.pass_score,
            guts_table(get_ranking(self.ranking_name)),
            np.rint(self.entry * float(ALWAYS)).astype(np.uint32),
            sums,
        )
        return sums


def _sampled(study: GutsPassStudy) -> GutsPassStudy:
    """Add up to the deals or the precision asked for, continuing from what the study has."""
    sums = BatchSums(BLOCK_SIZE) if study.sums is None else study.sums.copy()
    seed = study.options.seed
    task = GutsPassTask(
        PassKeys.of(seed),
        run_key(seed, PURPOSE_ENTRY),
        study.hand,
        study.dead,
        study.n_players,
        study.policy,
        study.rules.ranking.name,
        study.opponents.entry,
    )

    def half_width(confidence: float) -> float:
        best = int(_values(sums.total).argmax())
        return _equities(sums, confidence)[best].half_width

    ending = run_long(task, sums, study.options, BLOCK_SIZE, part="passes", half_width=half_width)
    if sums.n == 0:
        raise KeyboardInterrupt
    return replace(study, sums=sums, ending=ending)


def _values(sums: NDArray[Any]) -> FloatArray:
    """Value in pots of each pass when the hero declares as is best with each card received."""
    better = np.maximum(sums[..., SUM_IN], sums[..., SUM_OUT]).sum(axis=1)
    return np.asarray(better / sums[..., SUM_DEALS].sum(axis=1) / SUBUNITS)


def _answer(study: GutsPassStudy, parameters: dict[str, Any]) -> GutsPassResult:
    study = _sampled(study)
    sums, ending, confidence = study.sums, study.ending, study.options.confidence
    assert sums is not None
    assert ending is not None
    rows = _rows(study, sums)
    results: dict[str, Any] = {
        "game": "guts",
        "hand": format_cards(study.hand),
        "n_players": study.n_players,
        "policy": study.policy.name,
        "field": {"spec": study.opponents.spec, "entry_prob": study.opponents.entry_prob},
        "best": rows[0]["pass"],
        "rows": rows,
    }
    if study.chosen is not None:
        results["chosen"] = next(row for row in rows if row["pass"] == format_cards(study.chosen))
    results |= precision_results(ending, study.options, BEST_EQUITY)
    return GutsPassResult(
        command="pass",
        rules=study.rules.as_dict(),
        parameters=parameters,
        method="mc",
        n=sums.n,
        seed=study.options.seed,
        confidence=confidence,
        complete=ending.complete,
        results=results,
        rows=rows,
        lines=[*guts_pass_lines(results, study.confidence), *precision_lines(results, confidence)],
        study=study,
    )


def _equities(sums: BatchSums, confidence: float) -> list[Estimate]:
    """Values of the passes with their intervals."""
    values, stderr = _values(sums.total).tolist(), sums.stderr(_values).tolist()
    return [normal(value, error, sums.n, confidence) for value, error in zip(values, stderr)]


def _rows(study: GutsPassStudy, sums: BatchSums) -> list[Row]:
    total, n = sums.total, sums.n
    values, equities = _values(total), _equities(sums, study.confidence)
    best = int(values.argmax())
    loss_stderr = sums.stderr(lambda part: _values(part)[best] - _values(part))
    enters = total[..., SUM_IN] > total[..., SUM_OUT]
    cards = sorted(study.hand)
    rows: list[Row] = []
    for option in np.argsort(-values, kind="stable").tolist():
        value = equities[option]
        with_card = enters[option]

        def share(column: int, option: int = option, with_card: NDArray[np.bool_] = with_card) -> float:
            return float(total[option, with_card, column].sum()) / n

        rows.append(
            {
                "pass": format_cards([cards[option]]),
                "keep": format_cards([card for card in study.hand if card != cards[option]]),
                "enter": share(SUM_DEALS),
                "win": share(SUM_WIN),
                "tie": share(SUM_TIE),
                "equity": value.value,
                "stderr": value.stderr,
                "ci_low": value.ci_low,
                "ci_high": value.ci_high,
                "loss": float(values[best] - values[option]),
                "loss_stderr": float(loss_stderr[option]),
            }
        )
    return rows
