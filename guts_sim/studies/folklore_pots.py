"""Rules of thumb about crowded showdowns, growing pots and the size of the table: F4, F5, F6 and F8."""

from collections.abc import Callable, Mapping
from functools import reduce
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.cards import parse_cards
from guts_sim.engine import run_all_blocks, run_key
from guts_sim.errors import InputError
from guts_sim.estimate import BatchSums, Estimate, mean_share, normal
from guts_sim.exact import RoundLaw, exact_round_law
from guts_sim.exact.hand_lists import all_hands
from guts_sim.hands import Ranking, class_index, get_ranking, hand_class
from guts_sim.strategy import Strategy, top_strategy
from guts_sim.studies.folklore_findings import PLAYERS, PURPOSE_FOLKLORE, Finding, Judgement, known
from guts_sim.studies.measurement import RoundTask, RunOptions
from guts_sim.studies.near_equilibrium import equilibrium_field

Floats = NDArray[np.float64]
PAIRS = {2: {"TT": "Tc Td", "QQ": "Qc Qd", "AA": "Ac Ad"}, 3: {"TT5": "Tc Td 5h", "QQ5": "Qc Qd 5h", "AA5": "Ac Ad 5h"}}
A_LOT = 0.25
EASILY = 0.5
SIGNAL = 3.0
LOOSE = 2.0
ROUND_BLOCK = 1 << 12


def judge_crowds(options: RunOptions) -> Judgement:
    """F4: against three or more even a strong pair falls a lot."""
    findings = []
    for cards, pairs in PAIRS.items():
        ranking = get_ranking(f"guts{cards}")
        for n in PLAYERS:
            if n < 4:
                continue
            field = equilibrium_field(n, cards)
            for name, hand in pairs.items():
                if not field.entry[class_index(name, ranking)]:
                    continue  # not strong here: it stays out itself
                one, three = (_equity(hand, ranking, field, k, options) for k in (1, 3))
                falls = 1.0 - three.value / one.value >= A_LOT
                findings.append(Finding("F4", cards, n, f"equity of {name} against 1 that is in", one, None))
                findings.append(Finding("F4", cards, n, f"equity of {name} against 3 that are in", three, falls))
    return Judgement(
        "F4",
        "If three or more others go in, even a strong pair's chance falls a lot.",
        "Equity at the showdown against three who enter by the equilibrium, for pairs of tens, queens and aces (with"
        f" three cards beside a five) that enter by it too; it has to be {100 * A_LOT:.0f} % less than against one.",
        findings,
        _crowds_note(findings),
    )


def _crowds_note(findings: list[Finding]) -> str:
    at_five = {one.measure: one.estimate.value for one in findings if one.n_players == 5}
    words = [
        f"{name} {100 * at_five[f'equity of {name} against 1 that is in']:.0f} % to"
        f" {100 * at_five[f'equity of {name} against 3 that are in']:.0f} %"
        for pairs in PAIRS.values()
        for name in pairs
        if f"equity of {name} against 1 that is in" in at_five
    ]
    return f"Among five players, from one opponent to three: {', '.join(words)}."


def _equity(hand: str, ranking: Ranking, field: Strategy, n_opponents: int, options: RunOptions) -> Estimate:
    """Share of the pot against opponents who are in: hands of the field's range that share no card."""
    cards = np.array(parse_cards(hand))
    hands = all_hands(len(cards))
    classes = hand_class(hands.astype(np.uint8), ranking, check=False)
    free = ~np.isin(hands, cards).any(axis=1)
    hands, classes = hands[free], classes[free]
    weight = field.entry[classes]
    name = f"{hand}{field.spec}{n_opponents}"
    generator = np.random.default_rng([options.seed, PURPOSE_FOLKLORE + 4, *name.encode()])
    n = max(options.n_deals // 8, 1000)
    drawn = generator.choice(len(hands), (n, n_opponents), p=weight / weight.sum())
    masks = np.bitwise_or.reduce(np.left_shift(np.int64(1), hands), axis=1)
    taken, apart = np.zeros(n, np.int64), np.ones(n, bool)
    for seat in range(n_opponents):  # what shares a card is no deal; the others are equally likely given their weights
        mask = masks[drawn[:, seat]]
        apart &= (taken & mask) == 0
        taken |= mask
    shown = classes[drawn[apart]]
    own = int(hand_class(cards.astype(np.uint8), ranking))
    ties = (shown == own).sum(axis=1)
    outcome = np.where((shown > own).any(axis=1), 0, n_opponents + 1 - ties)
    # outcome 0 is lost, otherwise the place of the share 1 / (ties + 1)
    counts = np.bincount(outcome, minlength=n_opponents + 2).astype(np.int64)
    shares = np.append(0.0, 1.0 / np.arange(n_opponents + 1, 0, -1))
    return mean_share(shares, counts, options.confidence)


def round_numbers(
    n_players: int, cards: int, fields: Mapping[str, Strategy], statistic: Callable[..., Floats], options: RunOptions
) -> list[Estimate]:
    """Numbers that follow from the laws of a round under several fields, exact or sampled.

    Parameters
    ----------
    n_players, cards : int
        The table.
    fields : mapping of str to Strategy
        What everybody plays; the statistic gets their laws under these names.
    statistic : callable
        ``statistic(**laws)``: array of numbers.
    options : RunOptions
        Deals, seed and confidence where the laws are not counted.
    """
    try:
        laws = {name: exact_round_law(n_players, one.ranking, one.entry) for name, one in fields.items()}
        return [known(value, options) for value in statistic(**laws)]
    except InputError:
        batches = _played(n_players, fields, options)

    def of_sums(sums: NDArray[Any]) -> Floats:
        return statistic(**{name: RoundLaw(joint / joint.sum()) for name, joint in zip(fields, sums)})

    errors = batches.stderr(of_sums)
    return [
        normal(float(value), float(error), batches.n, options.confidence, minimum=0.0)
        for value, error in zip(of_sums(batches.total), errors)
    ]


def _played(n_players: int, fields: Mapping[str, Strategy], options: RunOptions) -> BatchSums:
    keys = run_key(options.seed, PURPOSE_FOLKLORE), run_key(options.seed, PURPOSE_FOLKLORE + 1)
    batches = BatchSums(ROUND_BLOCK)
    tasks = [RoundTask(*keys, n_players, one.ranking.name, one.entry) for one in fields.values()]
    run_all_blocks(
        _Joined(tasks),
        options.n_deals,
        batches.add,
        block_size=ROUND_BLOCK,
        workers=options.workers,
        executor=options.executor,
        progress=False,
    )
    return batches


class _Joined:
    """Play the same deals under several fields; can be sent to other processes."""

    def __init__(self, tasks: list[RoundTask]) -> None:
        self.tasks = tasks

    def __call__(self, start: int, stop: int) -> NDArray[np.int64]:
        return np.array([task(start, stop) for task in self.tasks])


def _growth(step: Floats, n_rounds: int) -> dict[int, float]:
    """Law of the product of so many multipliers."""

    def grown(before: dict[int, float], _round: int) -> dict[int, float]:
        after: dict[int, float] = {}
        for size, p in before.items():
            for multiplier, q in enumerate(step):
                if q != 0.0:  # also where it is unknown
                    after[size * multiplier] = after.get(size * multiplier, 0.0) + p * q
        return after

    return reduce(grown, range(n_rounds), {1: 1.0})


def _at_least(law: Mapping[int, float], size: float) -> float:
    return sum(p for product, p in law.items() if product >= size)


def _matches(law: RoundLaw) -> Floats:
    """Law of the multiplier given that somebody matches the pot."""
    step = law.multiplier_law.copy()
    step[1] -= law.p_nobody
    step[0] = 0.0
    step = np.maximum(step, 0.0)
    return np.asarray(step / step.sum()) if step.any() else np.full_like(step, nan)


def judge_growth(options: RunOptions) -> Judgement:
    """F5: after three or four rounds with matches the pot easily is 10 to 30 times the ante."""
    wanted = [(rounds, size) for rounds in (3, 4) for size in (10, 30)]

    def statistic(field: RoundLaw) -> Floats:
        n = field.n_players
        laws = {rounds: _growth(_matches(field), rounds) for rounds in (3, 4)}
        of_one = [_at_least(laws[rounds], size / n) for rounds, size in wanted]
        return np.array([*of_one, *(_at_least(laws[rounds], size) for rounds, size in wanted)])

    findings = []
    for cards in (2, 3):
        for n in PLAYERS:
            numbers = round_numbers(n, cards, {"field": equilibrium_field(n, cards)}, statistic, options)
            for (rounds, size), one, every in zip(wanted, numbers, numbers[len(wanted) :]):
                words = f"P(pot >= {size} times {{}}, {rounds} rounds with matches)"
                easy = one.value >= EASILY if (rounds, size) == (4, 10) else None
                findings.append(Finding("F5", cards, n, words.format("one ante"), one, easy))
                findings.append(Finding("F5", cards, n, words.format("all antes"), every, None))
    five = {one.measure: one.estimate.value for one in findings if one.n_players == 5 and one.cards == 2}
    return Judgement(
        "F5",
        "After 3 or 4 rounds in a row with matches the pot easily reaches 10 to 30 times the original ante.",
        "Probability of a pot of 10 or 30 times one player's ante (and of all antes) given 3 or 4 rounds with matches"
        f" at the equilibrium; easily means {100 * EASILY:.0f} % or more for 10 antes of one player after 4 rounds.",
        findings,
        f"It holds where the first antes alone make ten. Among five players 4 such rounds make 10 single antes with"
        f" {100 * five['P(pot >= 10 times one ante, 4 rounds with matches)']:.1f} %, 30 with"
        f" {100 * five['P(pot >= 30 times one ante, 4 rounds with matches)']:.2f} %, ten times all antes with"
        f" {100 * five['P(pot >= 10 times all antes, 4 rounds with matches)']:.3f} %.",
    )


def judge_signal(options: RunOptions) -> Judgement:
    """F6: a pot that grew fivefold in three rounds signals that others bluff."""

    def statistic(tight: RoundLaw, loose: RoundLaw) -> Floats:
        def likelihood(law: RoundLaw) -> float:
            return _at_least(_growth(law.multiplier_law, 3), 5)

        return np.array([likelihood(loose) / likelihood(tight) if likelihood(tight) > 0.0 else nan])

    findings = []
    for cards in (2, 3):
        for n in PLAYERS:
            if n == 2:  # one loser cannot make a pot grow
                continue
            tight = equilibrium_field(n, cards)
            loose = top_strategy(tight.ranking, LOOSE * tight.entry_prob)
            (factor,) = round_numbers(n, cards, {"tight": tight, "loose": loose}, statistic, options)
            findings.append(
                Finding(
                    "F6",
                    cards,
                    n,
                    "Bayes factor of a fivefold pot for loose players",
                    factor,
                    factor.value >= SIGNAL,
                )
            )
    return Judgement(
        "F6",
        "A pot that grew fivefold in three rounds signals that others go in on bluffs.",
        f"How many times likelier such a pot is if everybody enters with {LOOSE:g} times the hands of the equilibrium"
        f" (Bayes factor); a signal means {SIGNAL:g} or more. With two players the pot cannot grow.",
        findings,
        "Growth is rare at the equilibrium and common among players who enter twice as often.",
    )


def judge_table_size(options: RunOptions) -> Judgement:
    """F8: four to seven players are ideal."""
    names = (
        "share of rounds with a showdown",
        "rounds until the pot is taken",
        "mean multiplier of the pot",
        "P(the pot doubles or more)",
    )

    def statistic(field: RoundLaw) -> Floats:
        return np.array(
            [
                field.p_contested,
                field.expected_rounds_until_taken,
                field.expected_multiplier,
                field.multiplier_law[2:].sum(),
            ]
        )

    findings = []
    for cards in (2, 3):
        numbers = {
            n: round_numbers(n, cards, {"field": equilibrium_field(n, cards)}, statistic, options) for n in PLAYERS
        }
        for place, name in enumerate(names):
            values = [numbers[n][place].value for n in PLAYERS]
            extremes = {PLAYERS[int(np.argmax(values))], PLAYERS[int(np.argmin(values))]}
            ideal = not extremes.isdisjoint(range(4, 8)) if np.isfinite(values).all() else None
            findings += [Finding("F8", cards, n, name, numbers[n][place], ideal) for n in PLAYERS]
    ends = {
        (one.measure, one.n_players): one.estimate.value
        for one in findings
        if one.cards == 2 and one.n_players in (2, 10)
    }
    rounds, growth = ([ends[name, n] for n in (2, 10)] for name in names[1:3])
    return Judgement(
        "F8",
        "4 to 7 players is ideal.",
        "Ideal is read as: a number that describes the game at the equilibrium is largest or smallest for some table"
        " of 4 to 7 players.",
        findings,
        "Nothing singles these tables out: with every player more it takes more rounds to end a pot"
        f" ({rounds[0]:.2f} among two, {rounds[1]:.2f} among ten, with two cards) and the pot shrinks less between"
        f" ({growth[0]:.3f} and {growth[1]:.3f} on average).",
    )
