"""The kernels of passing against plain Python on the same deals."""

from fractions import Fraction
from itertools import combinations, product

import naive_hands
import naive_passing
import naive_rounds
import numpy as np
import pytest

from guts_sim.cards import parse_cards
from guts_sim.hands import get_ranking, guts_table, hand_class
from guts_sim.kernels import deal as deal_kernel
from guts_sim.kernels import pass_choice
from guts_sim.kernels.pass_codes import DEALS_PER_GROUP, EXPOSED_UNITS, KEPT, PASSED, SHARE_UNITS
from guts_sim.kernels.pass_exposed import N_CATEGORIES, N_SUMS, count_exposed
from guts_sim.kernels.pass_guts import count_guts_passes
from guts_sim.passing import get_policy, linear_policy
from guts_sim.passing.policies import colex_sets
from guts_sim.studies.passing_sampling import PassKeys, PassTask, ProgramTask, play

QUEENS = parse_cards("Qs Qh 9c 8d 3s 4h 2c")
KEYS = PassKeys(np.uint64(11), np.uint64(22))
WEIGHTS = {"card-A": 9, "card-K": 7, "pair-8": 30, "suited-3": 20, "run-9-4": 25, "pass-pair": -4, "pass-suited-3": -6}
POLICIES = {
    "lowest": naive_passing.lowest,
    "random": naive_passing.random,
    "keep-best": naive_passing.keep_best,
}


def in_a_straight_to_the_nine(ranks):
    return len({rank for rank in ranks if 3 <= rank <= 7})


def keep_score(kept):
    ranks = [card // 4 for card in kept]
    suits = [card % 4 for card in kept]
    return (
        9 * ranks.count(12)
        + 7 * ranks.count(11)
        + 30 * (ranks.count(6) == 2)
        + 20 * (max(map(suits.count, suits)) == 3)
        + 25 * (in_a_straight_to_the_nine(ranks) == 4)
    )


def pass_score(passed):
    ranks = [card // 4 for card in passed]
    return -4 * (max(map(ranks.count, ranks)) == 2) - 6 * (len({card % 4 for card in passed}) == 1)


def both(name):
    """A policy, and the same in plain Python."""
    if name == "linear":
        return linear_policy(WEIGHTS), naive_passing.linear(keep_score, pass_score)
    return get_policy(name), POLICIES[name]


def test_the_network_sorts():
    # A network that sorts every sequence of zeros and ones sorts everything (Knuth, vol. 3, theorem 5.3.4Z).
    for bits in product((0, 1), repeat=7):
        row = list(bits)
        for i, j in pass_choice.NETWORK.tolist():
            if row[i] > row[j]:
                row[i], row[j] = row[j], row[i]
        assert row == sorted(bits)


def test_options_are_numbered_from_the_lowest():
    assert [tuple(row) for row in PASSED.tolist()] == list(combinations(range(7), 3))
    assert all(sorted([*kept, *passed]) == list(range(7)) for kept, passed in zip(KEPT.tolist(), PASSED.tolist()))
    assert deal_kernel.LANES == DEALS_PER_GROUP


def test_scores_are_found_by_the_place_of_a_set():
    sets = colex_sets(4)
    assert [tuple(row) for row in sets[:300].tolist()] == sorted(combinations(range(11), 4), key=lambda s: s[::-1])[
        :300
    ]
    index = sum(pass_choice.COLEX[k, sets[:, k]] for k in range(4))
    assert (index == np.arange(270_725)).all()


@pytest.mark.parametrize(("policy", "n_players"), [("lowest", 4), ("random", 2), ("keep-best", 3), ("linear", 4)])
def test_all_passes_of_a_hand(policy, n_players):
    fast, slow = both(policy)
    dead = (51, 3) if n_players == 3 else ()
    first, n_deals = 5, 2
    tally = PassTask(KEYS, QUEENS, dead, n_players, fast)(first, first + n_deals)
    expected = np.zeros_like(tally.outcomes)
    shares = np.zeros((n_deals, 35), np.int64)
    for number in range(first, first + n_deals):
        others = naive_passing.deal_opponents(11, number, n_players - 1, {*QUEENS, *dead})
        for option, passed in enumerate(naive_passing.ways(QUEENS, 3)):
            hands = naive_passing.final_hands([QUEENS, *others], [(3, 1)], [slow] * n_players, 22, number, passed)
            code = naive_passing.hero_code(hands)
            expected[option, code] += 1
            shares[number - first, option] = SHARE_UNITS // code if code else 0
    assert tally.n == n_deals
    assert (tally.outcomes == expected).all()
    assert (tally.cross == np.tril(shares.T @ shares)).all()


@pytest.mark.parametrize(("policy", "n_players"), [("lowest", 7), ("random", 3), ("linear", 4), ("keep-best", 2)])
def test_lanes_and_one_by_one(policy, n_players):
    # More deals than a group of lanes holds and no multiple of it; the first no multiple of four.
    fast, _ = both(policy)
    arguments = (KEYS, QUEENS, (), n_players, fast)
    lanes = PassTask(*arguments)(3, 3 + 300)
    single = ProgramTask(*arguments, ((3, 1),))(3, 3 + 300)
    assert (lanes.outcomes == single.outcomes).all()
    assert (lanes.cross == single.cross).all()


@pytest.mark.parametrize("policy", ["lowest", "random", "linear"])
def test_programmes_of_passes(policy):
    fast, slow = both(policy)
    passes = ((3, 1), (2, -1), (1, 2))
    hands = play(KEYS, 9, 6, (), (), passes, [fast] * 4, 1)[:, 0]
    assert hands.shape == (6, 4, 7)
    for row, number in enumerate(range(9, 15)):
        dealt = naive_passing.deal_opponents(11, number, 4, ())
        assert hands[row].tolist() == naive_passing.final_hands(dealt, passes, [slow] * 4, 22, number)
        assert len(set(hands[row].ravel().tolist())) == 28


def test_players_may_follow_different_policies():
    fast, slow = zip(*(both(name) for name in ("keep-best", "lowest", "random")))
    hands = play(KEYS, 0, 8, (), (), ((3, 1),), fast, 1)[:, 0]
    for number in range(8):
        dealt = naive_passing.deal_opponents(11, number, 3, ())
        assert hands[number].tolist() == naive_passing.final_hands(dealt, [(3, 1)], slow, 22, number)


def exposed_in_python(exposed, known, gave, slow, numbers):
    """Sums of `count_exposed`, with places drawn and cards dealt as it does."""
    sums = [[0, 0, 0] for _ in range(1 + N_SUMS)]
    for number in numbers:
        own = [card for card in exposed if card not in gave]
        places = [None] * (7 if gave else 14)
        for i, card in enumerate(own):
            free = [at for at, held in enumerate(places) if held is None]
            places[free[(naive_rounds.word(33, 8 * number + i) >> 32) * len(free) >> 32]] = card
        rest = iter(naive_rounds.deal(11, number, len(places) - len(own), known))
        filled = [next(rest) if card is None else card for card in places]
        final = list(gave)
        for h in range(len(filled) // 7):
            hand = sorted(filled[7 * h : 7 * h + 7])
            passed = slow(hand, 3, naive_rounds.word(22, 64 * number + h))
            final += naive_passing.kept_of(hand, passed) if h == 0 else passed
        fives = list(combinations(final, 5))
        best = max(map(naive_hands.five, fives))
        played = [five for five in fives if naive_hands.five(five) == best]
        fitting = [five for five in played if set(exposed) <= set(five)]
        if not fitting:
            continue
        weight = len(fitting) * EXPOSED_UNITS // len(played)
        parts = [0] * N_SUMS
        parts[best[0]] = weight
        if len(exposed) == 4:
            for rank in range(13):
                hidden = sum(next(c for c in five if c not in exposed) // 4 == rank for five in fitting)
                parts[N_CATEGORIES + rank] = hidden * EXPOSED_UNITS // len(played)
        sums[0] = [a + b for a, b in zip(sums[0], (weight, weight * weight, 1))]
        for row, part in enumerate(parts, 1):
            sums[row] = [a + b for a, b in zip(sums[row], (part, part * part, part * weight))]
    return sums


@pytest.mark.parametrize(
    ("exposed", "gave", "policy", "n_deals"),
    [
        ("Ts Jd Qh Kc", "", "lowest", 900),
        ("As 2c", "", "random", 150),
        ("9c 9d 4h 4s", "4s 2c 3d", "keep-best", 150),
    ],
)
def test_behind_exposed_cards(exposed, gave, policy, n_deals):
    fast, slow = both(policy)
    shown, given = parse_cards(exposed), parse_cards(gave)
    known = sorted({*shown, *given, 30})
    sums = np.zeros((1 + N_SUMS, 3), np.int64)
    count_exposed(
        np.uint64(11),
        np.uint64(33),
        np.uint64(22),
        np.uint64(4),
        n_deals,
        np.array(shown, np.uint8),
        np.array(known, np.uint8),
        np.array(given, np.uint8),
        fast.kind,
        fast.keep_score,
        fast.pass_score,
        sums,
    )
    assert sums[0, 2] > 5
    assert sums.tolist() == exposed_in_python(shown, known, given, slow, range(4, 4 + n_deals))


@pytest.mark.parametrize(("hand", "policy", "n_opponents"), [("Qs Qh 9c", "keep-best", 3), ("Ks 7d", "random", 4)])
def test_passes_of_guts(hand, policy, n_opponents):
    hero = sorted(parse_cards(hand))
    size, n_deals = len(hero), 60
    ranking = get_ranking(f"guts{size}")
    strength = naive_hands.guts3 if size == 3 else naive_hands.guts2
    table = guts_table(ranking)
    weakest = 300 if size == 3 else 40
    thresholds = np.zeros(741 if size == 3 else 91, np.uint32)
    thresholds[weakest:] = 1 << 31
    thresholds[weakest + 5] = 1 << 30  # one class enters every other time
    fast, slow = get_policy(policy, hand_size=size), POLICIES[policy]
    sums = np.zeros((size, 52, 5), np.int64)
    count_guts_passes(
        np.uint64(11),
        np.uint64(22),
        np.uint64(44),
        np.uint64(2),
        n_deals,
        np.array(hero, np.uint8),
        np.array(hero, np.uint8),
        n_opponents,
        fast.kind,
        fast.keep_score,
        fast.pass_score,
        table,
        thresholds,
        sums,
    )
    expected = np.zeros((size, 52, 5), object)
    for number in range(2, 2 + n_deals):
        cards = naive_rounds.deal(11, number, size * n_opponents, hero)
        others = [sorted(cards[size * j : size * (j + 1)]) for j in range(n_opponents)]
        passed = [slow(hand, 1, naive_rounds.word(22, 64 * number + j + 1))[0] for j, hand in enumerate(others)]
        for option, own in enumerate(hero):
            batches = [own, *passed]
            finals = [[*naive_passing.kept_of(others[j], [passed[j]]), batches[j]] for j in range(n_opponents)]
            mine = [*naive_passing.kept_of(hero, [own]), passed[-1]]
            entering = []
            for j, final in enumerate(finals):
                draw = naive_rounds.word(44, 16 * number + j) >> 33
                if draw < int(thresholds[hand_class(np.array(final, np.uint8), ranking)]):
                    entering.append(strength(final))
            value, out = naive_passing.round_value(strength(mine), entering, n_opponents + 1)
            best = max(entering, default=None)
            win = best is None or strength(mine) > best
            expected[option, passed[-1]] += [1, value, out, int(win), int(best == strength(mine))]
    assert sums[..., [0, 3, 4]].tolist() == expected[..., [0, 3, 4]].tolist()
    assert [Fraction(int(v), 2520) for v in sums[..., 1:3].ravel()] == [Fraction(v) for v in expected[..., 1:3].ravel()]
