"""Odds of one hand: at the showdown against 1, 2, ... opponents, and in or out against a field."""

from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.cards import format_cards, parse_cards
from guts_sim.engine import DEFAULT_BLOCK_SIZE, PURPOSE_DEALS, run_key
from guts_sim.engine.checkpoint import CheckpointPath, seed_to_use
from guts_sim.engine.long_run import Ending
from guts_sim.engine.sums import TallySums
from guts_sim.errors import InputError
from guts_sim.estimate import Estimate, check_confidence, exact, mean_share, wilson, z_score
from guts_sim.exact import exact_hand_values, hand_odds_exact
from guts_sim.hands import class_names, hand_class
from guts_sim.interruption import interruptible
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result, Row
from guts_sim.rules import GutsRules
from guts_sim.solve import set_of_hand, value_of_set
from guts_sim.strategy import Strategy
from guts_sim.studies.assessment import Assessment, assess_all, can_count
from guts_sim.studies.equilibria import check_method, resolve_method, symmetric_equilibrium
from guts_sim.studies.fields import checked_deals, chosen_rules, read_field, repeatable
from guts_sim.studies.long_runs import (
    confidence_of,
    continued,
    precision_lines,
    precision_results,
    precision_to_reach,
    run_long,
    with_checkpoint,
)
from guts_sim.studies.measurement import RunOptions
from guts_sim.studies.odds_sampling import OddsTally, OddsTask
from guts_sim.studies.text import percent, prose, table, with_error

DEFAULT_DEALS = 1_000_000
COUNTED_OPPONENTS = {2: 9, 3: 2}  # most opponents whose hands are counted exactly, by cards


@dataclass(frozen=True, eq=False)
class OddsStudy:
    """What one call of `odds` asks, and the counts so far."""

    cards: tuple[int, ...]
    n_players: int
    rules: GutsRules
    method: str
    options: RunOptions
    opponents: Strategy | None
    showdowns: OddsTally | None = None
    against: Assessment | None = None
    ending: Ending | None = None

    @property
    def confidence(self) -> float:
        """Coverage that each interval needs."""
        return confidence_of(self.ending, self.options)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class OddsResult(Result):
    """Answer of `odds`; see `Result` for the common attributes.

    Attributes
    ----------
    study : OddsStudy
        What was asked, to continue from.
    """

    study: OddsStudy = field(repr=False)

    @interruptible
    def extend(self, deals: int) -> "OddsResult":
        """Continue a Monte Carlo result up to ``deals`` deals in all; equal to a run of that length at once.

        Parameters
        ----------
        deals : int
            At least the present ``n``.

        Returns
        -------
        OddsResult
            A new result; the present one stays as it is.

        Raises
        ------
        InputError
            The result is exact, or has more deals already.

        Examples
        --------
        >>> first = odds("As Kd 2c", n_players=4, deals=10_000, seed=1)
        >>> first.extend(20_000).digest == odds("As Kd 2c", n_players=4, deals=20_000, seed=1).digest
        True
        """
        return _answer(*continued(self, deals))


@interruptible
def odds(
    hand: str | Iterable[str | int],
    *,
    n_players: int = 2,
    rules: str | GutsRules | None = None,
    field: str | Strategy | None = None,
    method: str = "auto",
    deals: int | None = None,
    seed: int | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
    checkpoint: CheckpointPath = None,
    precision: float | None = None,
    **switches: Any,
) -> OddsResult:
    """Chances of a hand against 1 to ``n_players - 1`` random hands that all go to the showdown.

    Counted exactly for two cards and, with three cards, for one and two opponents; more three-card
    opponents are dealt at random. With a field, the values of entering and of staying out against
    opponents who all play that field are added.

    Parameters
    ----------
    hand : str or iterable
        Two or three cards, for example ``"As Kd"``.
    n_players : int
        2 to 10.
    rules : str or GutsRules, optional
        A profile name or a rule set; the number of cards is that of the hand.
    field : str or Strategy, optional
        What all opponents do; see `guts_sim.threshold`.
    method : {"auto", "exact", "mc"}
        Counting, Monte Carlo, or counting wherever it is possible.
    deals : int, optional
        Deals of the opponents' cards (Monte Carlo); default 1,000,000.
    seed, confidence, workers, executor, progress
        See `guts_sim.threshold`.
    checkpoint : path-like, optional
        File from which an interrupted run is taken up and to which it is written; see `guts_sim.session`.
    precision : float, optional
        Monte Carlo: deal until the half-width of the interval of the equity against all opponents is at most this, but
        no more than ``deals``; see `guts_sim.session`.
    **switches
        Rule switches to change.

    Returns
    -------
    OddsResult
        ``results["rows"]`` has one row per number of opponents: ``win`` (beats all), ``tie`` (shares the best
        place), ``lose``, which sum to 1, and ``equity``, the expected share of the pot, with its ``stderr``.

    Raises
    ------
    InputError
        An argument is not allowed, or ``method="exact"`` where counting is not possible.

    Examples
    --------
    >>> row = odds("As Kd", n_players=2).rows[0]
    >>> [round(1225 * row[name]) for name in ("win", "tie", "lose")]
    [1144, 9, 72]
    """
    with Stopwatch() as watch:
        cards = parse_cards(hand, count=(2, 3))
        if switches.setdefault("cards", len(cards)) != len(cards):
            raise InputError(f"hand: {format_cards(cards)} has {len(cards)} cards; the rules deal {switches['cards']}")
        rules = chosen_rules(rules, switches, "odds")
        n_players = rules.check_players(n_players)
        method = check_method(method)
        opponents = read_field(field, rules.ranking)
        options = RunOptions(
            n_deals=checked_deals(deals, DEFAULT_DEALS),
            seed=seed_to_use(seed, checkpoint),
            confidence=check_confidence(confidence),
            workers=workers,
            executor=executor,
            progress=progress,
            precision=precision_to_reach(precision),
        )
        method = _resolve_method(method, n_players, rules, opponents)
        asked = {
            "hand": format_cards(cards),
            "n_players": n_players,
            "field": None if field is None else repeatable(field, opponents),
            "method": method,
        }
        options = with_checkpoint(options, checkpoint, "odds", rules.as_dict(), asked)
        parameters = asked | {"deals": options.n_deals if method != "exact" else None}
        if precision is not None and method != "exact":
            parameters["precision"] = precision
        if isinstance(opponents, str):  # the word for the equilibrium
            how = resolve_method(method, n_players, rules.ranking)
            opponents = symmetric_equilibrium(n_players, rules.ranking, how, options)
        study = OddsStudy(cards, n_players, rules, method, options, opponents)
        result = _answer(study, parameters)
    return replace(result, timing=watch.as_dict())


def _resolve_method(method: str, n_players: int, rules: GutsRules, opponents: Strategy | str | None) -> str:
    countable = n_players - 1 <= COUNTED_OPPONENTS[rules.cards]
    if isinstance(opponents, Strategy):
        countable = countable and can_count(n_players, opponents)
    if method == "exact" and not countable:
        raise InputError(
            f"method: {n_players} players with {rules.cards} cards and this field cannot be counted exactly; allowed"
            " are 2 or 3 players, two cards with a threshold field, or method mc"
        )
    return method if method != "auto" else "exact" if countable else "auto"


def _answer(study: OddsStudy, parameters: dict[str, Any]) -> OddsResult:
    study = _with_showdowns(study)
    study = replace(study, against=_against_field(study))
    rows = [_row(study, opponents) for opponents in range(1, study.n_players)]
    names = class_names(study.rules.ranking)
    results: dict[str, Any] = {
        "hand": names[int(hand_class(np.array(study.cards, np.uint8), study.rules.ranking))],
        "cards": format_cards(study.cards),
        "rows": rows,
    }
    n = 0 if study.showdowns is None else study.showdowns.n
    complete = study.ending is None or study.ending.complete
    if study.against is not None:
        results |= _in_or_out(study)
        n = n or study.against.n
        complete = complete and study.against.complete
    results |= precision_results(study.ending, study.options, "the equity against all opponents")
    is_exact = study.showdowns is None and (study.against is None or study.against.n == 0)
    return OddsResult(
        command="odds",
        rules=study.rules.as_dict(),
        parameters=parameters,
        method="exact" if is_exact else "mc",
        n=n,
        seed=None if is_exact else study.options.seed,
        confidence=study.options.confidence,
        complete=complete,
        results=results,
        rows=rows,
        lines=[*_lines(study, results, n), *precision_lines(results, study.options.confidence)],
        study=study,
    )


def _is_counted(study: OddsStudy, opponents: int) -> bool:
    return study.method != "mc" and opponents <= COUNTED_OPPONENTS[study.rules.cards]


def _with_showdowns(study: OddsStudy) -> OddsStudy:
    """Deal showdowns, continuing from those the study has, unless every row is exact."""
    n_opponents = study.n_players - 1
    if _is_counted(study, n_opponents):
        if study.options.precision is not None and study.method != "exact":
            raise InputError("precision: the equity is counted exactly here, only the field is sampled; give deals")
        return study
    options = study.options
    empty = OddsTally(np.zeros((n_opponents, n_opponents + 2), np.int64))
    sums = TallySums(empty, DEFAULT_BLOCK_SIZE)
    if study.showdowns is not None:
        sums.whole = study.showdowns

    def half_width(confidence: float) -> float:
        return _estimates(sums.tally.counts[-1], confidence)[-1].half_width

    task = OddsTask(run_key(options.seed, PURPOSE_DEALS), study.cards, study.rules.ranking.name, n_opponents)
    ending = run_long(task, sums, options, DEFAULT_BLOCK_SIZE, part="showdowns", half_width=half_width)
    if sums.tally.n == 0:
        raise KeyboardInterrupt  # stopped before the first block: there is nothing to report
    return replace(study, showdowns=sums.tally, ending=ending)


def _row(study: OddsStudy, opponents: int) -> Row:
    if _is_counted(study, opponents):
        counted = hand_odds_exact(study.cards, opponents, study.rules.ranking)
        parts = [exact(p, study.options.confidence) for p in (counted.win, counted.tie, counted.lose, counted.equity)]
        how = "exact"
    else:
        assert study.showdowns is not None
        parts = _estimates(study.showdowns.counts[opponents - 1], study.confidence)
        how = "mc"
    win, tie, lose, equity = parts
    return {
        "opponents": opponents,
        "win": win.value,
        "tie": tie.value,
        "lose": lose.value,
        "equity": equity.value,
        "stderr": equity.stderr,
        "ci_low": equity.ci_low,
        "ci_high": equity.ci_high,
        "win_stderr": win.stderr,
        "tie_stderr": tie.stderr,
        "lose_stderr": lose.stderr,
        "method": how,
    }


def _estimates(counts: NDArray[np.int64], confidence: float) -> list[Estimate]:
    """Win, tie, lose and equity from counts of (beaten, tied with 0, 1, ... opponents)."""
    n = int(counts.sum())
    shares = np.concatenate([[0.0], 1.0 / np.arange(1, counts.size)])
    proportions = [int(counts[1]), int(counts[2:].sum()), int(counts[0])]
    return [wilson(k, n, confidence) for k in proportions] + [mean_share(shares, counts, confidence)]


def _against_field(study: OddsStudy) -> Assessment | None:
    if study.opponents is None:
        return None
    method = "exact" if study.method != "mc" and can_count(study.n_players, study.opponents) else "mc"
    before = None if study.against is None else {"field": study.against}
    options = study.options
    if options.precision is not None and study.showdowns is not None:  # as many deals as the precision took
        options = replace(options, n_deals=study.showdowns.n, confidence=study.confidence)
    return assess_all(study.n_players, {"field": study.opponents}, method, options, before)["field"]


def _in_or_out(study: OddsStudy) -> Mapping[str, Any]:
    """Values of the hand against the field; with three cards its suits count, not only its class."""
    against = study.against
    assert against is not None
    if against.sample is not None:
        ev_in, ev_out, delta, stderr = value_of_set(against.sample.scores, set_of_hand(study.cards))
    elif study.rules.cards == 2:
        c = int(hand_class(np.array(study.cards, np.uint8), study.rules.ranking))
        ev_in, ev_out, delta, stderr = against.ev_in[c], against.ev_out[c], against.delta[c], 0.0
    else:
        kinds = exact_hand_values(study.n_players, study.rules.ranking, against.field.entry)
        wanted = set_of_hand(study.cards)
        kind = next(i for i, cards in enumerate(kinds.cards.tolist()) if set_of_hand(cards) == wanted)
        values = kinds.values
        ev_in, ev_out, delta, stderr = values.ev_in[kind], values.ev_out[kind], values.delta[kind], 0.0
    return {
        "field": {"spec": against.field.spec, "entry_prob": against.field.entry_prob},
        "ev_in": float(ev_in),
        "ev_out": float(ev_out),
        "delta": float(delta),
        "delta_stderr": float(stderr),
        "advice": "in" if delta > 0 else "out",
    }


def _lines(study: OddsStudy, results: Mapping[str, Any], n: int) -> list[str]:
    how = "counted exactly" if n == 0 else f"{n:,} deals where not counted exactly"
    lines = [f"{results['cards']} ({results['hand']}) when everybody goes to the showdown ({how})", ""]
    body = [
        [
            row["opponents"],
            percent(row["win"]),
            percent(row["tie"]),
            percent(row["lose"]),
            percent(row["equity"]),
            "exact" if row["method"] == "exact" else "unknown" if isnan(row["stderr"]) else percent(row["stderr"]),
        ]
        for row in results["rows"]
    ]
    lines += table(["opponents", "win", "tie", "lose", "equity", "stderr"], body)
    if "advice" in results:
        lines += ["", *_advice_lines(study, results)]
    return lines


def _advice_lines(study: OddsStudy, results: Mapping[str, Any]) -> list[str]:
    players = f"{study.n_players - 1} opponents" if study.n_players > 2 else "an opponent"
    verb = "play" if study.n_players > 2 else "plays"
    delta, stderr = results["delta"], results["delta_stderr"]
    unsure = "" if abs(delta) >= z_score(study.confidence) * stderr else " (too close to be sure)"
    return prose(
        f"Against {players} who {verb} {results['field']['spec']} ({percent(results['field']['entry_prob'])} of hands):"
        f" in {results['ev_in']:+.5f}, out {results['ev_out']:+.5f}, difference {with_error(delta, stderr, 5)} pot."
        f" Advice: {results['advice']}{unsure}."
    )
