"""Published and exact values, recomputed: what the library must reproduce."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from guts_sim.checks import shown
from guts_sim.errors import InputError
from guts_sim.exact.continuous import (
    continuous_multiplier_law,
    continuous_round_law,
    equilibrium_threshold,
    round_of_thresholds,
)
from guts_sim.exact.one_card import best_is, shared_best
from guts_sim.exact.results import RoundLaw
from guts_sim.exact.rounds import exact_round_law
from guts_sim.games.betting import BettingLimits
from guts_sim.games.card_game import Deck, betting_game
from guts_sim.hands import class_index, get_ranking
from guts_sim.interruption import interruptible
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result, counted_result
from guts_sim.solve.sequence_form import solve_two_players
from guts_sim.strategy import threshold_strategy
from guts_sim.studies.cascade import cascade
from guts_sim.studies.coalition import coalition
from guts_sim.studies.hands import frequency_table
from guts_sim.studies.indian import indian
from guts_sim.studies.text import table
from guts_sim.studies.threshold import threshold

GUTS_PAPER = "Castronova, Chen, Zumbrun, arXiv:2108.06556"
COALITION_PAPER = "Buck, Lee, Platnick, Wheeler, Zumbrun, arXiv:2208.02788"
COUNTED = "exact count"
CLOSED_FORM = "closed form, see docs/theory.md"
PUBLISHED_HANDS = "Alspach, poker notes (SFU)"
TWO_CARD_HANDS = ("J7", "K4", "A2", "A4", "A7", "A9", "AT", "AJ", "AQ")
THREE_CARD_HANDS = {
    "straight flush": 48,
    "trips": 52,
    "straight": 720,
    "flush": 1_096,
    "pair": 3_744,
    "high card": 16_440,
}
FIVE_CARD_HANDS = {
    "straight flush": 40,
    "quads": 624,
    "full house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "trips": 54_912,
    "two pair": 123_552,
    "pair": 1_098_240,
    "high card": 1_302_540,
}
SEVEN_CARD_HANDS = {
    "straight flush": 41_584,
    "quads": 224_848,
    "full house": 3_473_184,
    "flush": 4_047_644,
    "straight": 6_180_020,
    "trips": 6_461_620,
    "two pair": 31_433_400,
    "pair": 58_627_800,
    "high card": 23_294_460,
}


@dataclass(frozen=True)
class Check:
    """A value that is known, and how to compute it.

    Attributes
    ----------
    quantity, source : str
        What it is, and who says so.
    expected : float or str
        Its value; text is compared as it stands.
    within : float
        Largest absolute difference: half a unit of the last digit that the source gives.
    compute : callable
        Returns the library's value.
    """

    quantity: str
    source: str
    expected: float | str
    within: float
    compute: Callable[[], Any]

    def row(self) -> dict[str, Any]:
        """Compute the value and compare."""
        value = self.compute()
        if isinstance(self.expected, str):
            passed = value == self.expected
        else:
            value = float(value)
            passed = abs(value - self.expected) <= self.within
        return {
            "quantity": self.quantity,
            "source": self.source,
            "expected": self.expected,
            "within": self.within,
            "computed": value,
            "passed": passed,
        }


@interruptible
def verify(only: str | None = None) -> Result:
    """Recompute published and exact values and compare.

    Parameters
    ----------
    only : str, optional
        Check only the quantities whose name contains this text, in any case.

    Returns
    -------
    Result
        ``results`` holds ``passed``, ``n_checks`` and ``rows``: quantity, source, expected, within, computed, passed.

    Raises
    ------
    InputError
        No quantity has such a name.

    Examples
    --------
    >>> verify("Kuhn").results["passed"]
    True
    """
    chosen = [check for check in _checks() if only is None or only.lower() in check.quantity.lower()]
    if not chosen:
        raise InputError(f"only: no quantity is called {shown(only)}; leave it out to see all names")
    with Stopwatch() as watch:
        rows = [check.row() for check in chosen]
    n_passed = sum(row["passed"] for row in rows)
    sources = list(dict.fromkeys(row["source"] for row in rows))
    body = [
        [
            row["quantity"],
            f"[{sources.index(row['source']) + 1}]",
            _text(row["expected"]),
            _text(row["computed"]),
            "yes" if row["passed"] else "NO",
        ]
        for row in rows
    ]
    lines = table(["quantity", "source", "expected", "computed", "pass"], body)
    lines += ["", *(f"[{number}] {source}" for number, source in enumerate(sources, 1))]
    lines += ["", f"{n_passed} of {len(rows)} values reproduced."]
    results = {"passed": n_passed == len(rows), "n_checks": len(rows), "rows": rows}
    answer = counted_result("verify", rules={}, parameters={"only": only}, results=results, rows=rows, lines=lines)
    return replace(answer, timing=watch.as_dict())


def _text(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,.0f}" if value == int(value) and abs(value) >= 10 else f"{value:.9g}"


def _checks() -> list[Check]:
    return [
        *_continuous_checks(),
        *_two_card_checks(),
        *_three_card_checks(),
        *_cascade_checks(),
        *_coalition_checks(),
        *_one_card_checks(),
        *_frequency_checks(),
    ]


def _continuous_checks() -> list[Check]:
    def weenie_multiplier() -> float:
        law = continuous_multiplier_law(7, equilibrium_threshold(7, "weenie"), "weenie")
        return float(sum(m * p for m, p in enumerate(law)))

    thresholds = [
        Check(f"uniform hands, {n} players: threshold", GUTS_PAPER, q, 5e-7, partial(equilibrium_threshold, n))
        for n, q in ((2, 0.5), (3, 0.707107), (5, 0.840896))
    ]
    tails = [
        Check(f"uniform hands, {n} players: tail index", CLOSED_FORM, s, 5e-4, partial(_continuous_tail, n))
        for n, s in ((3, 4.208), (5, 3.412))
    ]
    return [
        *thresholds,
        *tails,
        Check("uniform hands, 5 players: E[M]", CLOSED_FORM, 0.636414, 5e-7, lambda: _continuous_mean(5)),
        Check("uniform hands, 5 players: P(one)", CLOSED_FORM, 0.397759, 5e-7, lambda: _continuous_law(5).p_one),
        Check("Weenie rule, 7 players: E[M]", COALITION_PAPER, 1.0039, 5e-5, weenie_multiplier),
    ]


def _continuous_mean(n_players: int) -> float:
    return round_of_thresholds([equilibrium_threshold(n_players)] * n_players).expected_multiplier


def _continuous_law(n_players: int) -> RoundLaw:
    return continuous_round_law(n_players, equilibrium_threshold(n_players))


def _continuous_tail(n_players: int) -> float | None:
    return _continuous_law(n_players).tail_index()


@cache
def _threshold(n_players: int, **switches: Any) -> Mapping[str, Any]:
    return threshold(n_players, method="exact", **switches).results


def _pick(compute: Callable[[], Any], *path: str) -> Any:
    """Part of an answer, by the keys that lead to it."""
    answer = compute()
    for key in path:
        answer = answer[key]
    return answer


def _two_card_checks() -> list[Check]:
    hands = [
        Check(
            f"two cards, {n} players: weakest hand in",
            GUTS_PAPER if n == 2 else COUNTED,
            hand,
            0.0,
            partial(_pick, partial(_threshold, n), "threshold", "hand"),
        )
        for n, hand in enumerate(TWO_CARD_HANDS, 2)
    ]
    deviations = Check(
        "two cards, 2..10 players: largest gain of a deviation",
        COUNTED,
        0.0,
        0.0,
        lambda: max(_threshold(n)["exploitability"]["value"] for n in range(2, 11)),
    )
    five = [
        ("entry", 0.179487, 5e-7, ("threshold", "entry_prob")),
        ("P(nobody)", 0.354425, 5e-7, ("round", "p_nobody")),
        ("P(one)", 0.431241, 5e-7, ("round", "p_one")),
        ("E[M]", 0.599246, 5e-7, ("round", "expected_multiplier")),
        ("rounds", 2.31889, 5e-6, ("round", "expected_rounds")),
        ('gain against "tens or better"', 0.6444, 5e-5, ("folk_rule", "exploitability", "value")),
    ]
    return [
        *hands,
        deviations,
        *(
            Check(
                f"two cards, 5 players: {name}", COUNTED, value, within, partial(_pick, partial(_threshold, 5), *path)
            )
            for name, value, within, path in five
        ),
    ]


def _three_card_checks() -> list[Check]:
    cases: list[tuple[int, dict[str, Any], str, str, float]] = [
        (2, {}, GUTS_PAPER, "K98", 0.5032),
        (3, {}, COUNTED, "AQ4", 0.3050),
        (2, {"straights_flushes": False}, COUNTED, "K42", 0.5193),
    ]
    checks = []
    for n, switches, source, hand, entry in cases:
        name = f"three cards{', no straights' if switches else ''}, {n} players"

        found = partial(_threshold, n, cards=3, **switches)
        checks.append(Check(f"{name}: weakest hand in", source, hand, 0.0, partial(_pick, found, "threshold", "hand")))
        checks.append(Check(f"{name}: entry", source, entry, 5e-5, partial(_pick, found, "threshold", "entry_prob")))
    return checks


def _cascade_checks() -> list[Check]:
    @cache
    def three() -> Mapping[str, Any]:
        return cascade(3, cap=None, reserve=False).results

    @cache
    def loose() -> Mapping[str, Any]:
        return cascade(5, field="top:50%").results

    law = [
        Check(f"two cards, 3 players: P(M = {m})", COUNTED, p, 5e-6, partial(_pick, three, "multiplier_law", str(m)))
        for m, p in enumerate((0.46564, 0.50959, 0.02476))
    ]
    return [
        *law,
        Check("two cards, 3 players: tail index", COUNTED, 4.308, 5e-4, lambda: three()["tail_index"]),
        Check("two cards, 3 players: P(peak >= 10 x)", COUNTED, 6.5e-6, 5e-8, lambda: three()["peak"]["p_ge_10x"]),
        Check("top half in, 5 players: E[M]", COUNTED, 1.532, 5e-4, lambda: loose()["expected_multiplier"]),
        Check("the same, cap 20: P(cycle ends)", COUNTED, 0.517, 5e-4, lambda: loose()["p_cycle_ends"]),
    ]


def _coalition_value(n_players: int) -> float:
    return float(coalition(n_players).results["value"])


def _coalition_checks() -> list[Check]:
    values = ((3, -0.01329, 5e-6), (4, -0.03383, 5e-6), (10_000, -0.16, 5e-3))
    return [
        Check(
            f"one against {n - 1:,} colluders: value per ante",
            COALITION_PAPER,
            value,
            within,
            partial(_coalition_value, n),
        )
        for n, value, within in values
    ]


def _one_card_checks() -> list[Check]:
    no_raise = BettingLimits(max_raises=0, fold_unbet=False)

    def value(deck: Deck | None) -> float:
        return float(solve_two_players(betting_game(2, no_raise, deck=deck, sees="own")).values[0])

    return [
        Check("Kuhn's poker: value to the first player", "Kuhn (1950)", -1 / 18, 1e-9, lambda: value(Deck(3, 1))),
        Check("one card of 52, one bet, no raise: value", COUNTED, -295 / 5304, 1e-9, lambda: value(None)),
        Check("one card, 5 players: P(an ace is highest)", "Wizard of Odds", 0.341158, 5e-7, lambda: best_is(12, 5)),
        Check("one card, 2 players: P(tie)", COUNTED, 1 / 17, 1e-12, lambda: shared_best(2)),
        Check("seen K 9 4: hidden card best", COUNTED, 4 / 49, 1e-12, lambda: _odds_of("K 9 4")),
    ]


def _odds_of(see: str) -> float:
    return float(indian(see).results["odds"]["win"])


def _frequency_checks() -> list[Check]:
    @cache
    def counts(n_cards: int) -> Mapping[str, int]:
        return {row["category"]: row["hands"] for row in frequency_table(n_cards).rows}

    checks = [
        Check(f"{n} cards: {category}", source, hands, 0.0, partial(_pick, partial(counts, n), category))
        for n, source, known in (
            (3, COUNTED, THREE_CARD_HANDS),
            (5, PUBLISHED_HANDS, FIVE_CARD_HANDS),
            (7, PUBLISHED_HANDS, SEVEN_CARD_HANDS),
        )
        for category, hands in known.items()
    ]

    def heads_up_ties() -> float:
        # Ordered pairs of disjoint three-card hands that tie: 22,100 * 18,424 pairs in all.
        return 407_170_400 * _mean_tie()

    return [
        *checks,
        Check("three cards: P(queen high or better)", COUNTED, 0.695928, 5e-7, _queen_high_or_better),
        Check("two cards, 6 players: P(nobody holds a pair)", COUNTED, 0.695599, 5e-7, _no_pair_among_six),
        Check("three cards, heads-up: deals that tie", COUNTED, 450_528, 1e-3, heads_up_ties),
    ]


def _queen_high_or_better() -> float:
    ranking = get_ranking("guts3")
    return threshold_strategy(ranking, class_index("Q32", ranking)).entry_prob


def _no_pair_among_six() -> float:
    ranking = get_ranking("guts2")
    pairs = threshold_strategy(ranking, class_index("22", ranking))
    return float(exact_round_law(6, ranking, pairs.entry).p_nobody)


def _mean_tie() -> float:
    ranking = get_ranking("guts3")
    return float(exact_round_law(2, ranking, threshold_strategy(ranking, 0).entry).joint[2, 2])
