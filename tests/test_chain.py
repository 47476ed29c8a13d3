"""The Markov chain of a cycle, against plain-Python histories and closed forms; continuous hands."""

from itertools import pairwise
from math import comb, log, sqrt

import naive_chain as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guts_sim.errors import InputError
from guts_sim.exact import RoundLaw, exact_round_law
from guts_sim.exact import continuous as cont
from guts_sim.exact.cascade import end_bounds, exact_cascade, tail_index
from guts_sim.exact.chain import Event, Stakes, build_chain, opening, round_events, settle_table, stakes_of
from guts_sim.exact.drift import reserve_walk
from guts_sim.hands import class_index, get_ranking
from guts_sim.rules import GutsRules
from guts_sim.strategy import parse_field


def law_of(probabilities):
    """Round law from {"nobody" or number of losers: probability}; one winner per showdown."""
    n_players = 1 + max(n for n in probabilities if n != "nobody")
    joint = np.zeros((n_players + 1, n_players + 1))
    for happens, p in probabilities.items():
        if happens == "nobody":
            joint[0, 0] = p
        else:
            joint[happens + 1, 1] = p
    return RoundLaw(joint)


CALM = {"nobody": 0.25, 0: 0.6, 1: 0.12, 2: 0.03}
WILD = {"nobody": 0.05, 0: 0.25, 1: 0.35, 2: 0.25, 3: 0.10}


def field_law(n_players, text):
    return exact_round_law(n_players, "guts2", parse_field(text, get_ranking("guts2")).entry)


def naive_rules(rules, n_players):
    return {
        "antes": n_players * rules.ante,
        "cap": rules.cap,
        "keeps_reserve": rules.reserve,
        "nobody": rules.nobody_in,
        "every_round": rules.ante_every_round,
        "limit": rules.match_limit,
    }


def name(rules):
    """Switches that differ from the base."""
    base = GutsRules().as_dict()
    return " ".join(f"{k}={v}" for k, v in rules.as_dict().items() if v != base[k] and k != "profile") or "base"


RULES = [
    GutsRules(),
    GutsRules(nobody_in="reante"),
    GutsRules(ante_every_round=True, ante=2),
    GutsRules(cap=7),
    GutsRules(cap=7, nobody_in="reante"),
    GutsRules(cap=7, reserve=True),
    GutsRules(cap=2, reserve=True),
    GutsRules(cap=8, reserve=True, nobody_in="reante"),
    GutsRules(cap=16, reserve=True, ante_every_round=True),
    GutsRules(match_limit=4),
    GutsRules(cap=8, reserve=True, match_limit=5),
]


@given(
    pot=st.integers(0, 30),
    reserve=st.integers(0, 60),
    happens=st.sampled_from(["nobody", 0, 1, 2, 3]),
    rules=st.sampled_from(RULES),
)
@settings(max_examples=300, deadline=None)
def test_events_move_chips_as_the_rules_say(pot, reserve, happens, rules):
    if rules.cap is not None:
        pot = min(pot, rules.cap)
    if pot == 0 or not rules.reserve:
        reserve = 0
    pot = max(pot, 1)
    nobody = happens == "nobody"
    event = Event(1.0, nobody, 0 if nobody else happens, antes=nobody and rules.nobody_in == "reante")
    expected = naive.settle(pot, reserve, happens, **naive_rules(rules, 3))
    assert settle_table(pot, reserve, event, stakes_of(3, rules)) == expected


@pytest.mark.parametrize("rules", RULES, ids=name)
def test_chain_agrees_with_all_histories(rules):
    law = law_of(CALM)
    cascade = exact_cascade(law, rules)
    ended, peak_pots, peak_reserves = naive.play_out(CALM, 30, **naive_rules(rules, law.n_players))
    open_still = 1.0 - sum(ended)
    assert open_still < 1e-3
    assert cascade.ends_low == cascade.ends_high == 1.0
    for peak, expected in ((cascade.peak_pot, peak_pots), (cascade.peak_reserve, peak_reserves)):
        for level in sorted(expected):
            below = sum(p for value, p in expected.items() if value < level)
            assert 1.0 - below - open_still - 1e-12 <= peak.at_least(level) <= 1.0 - below + 1e-12
    for q, rounds in zip((0.1, 0.5, 0.9, 0.99), cascade.rounds_quantiles([0.1, 0.5, 0.9, 0.99])):
        assert sum(ended[:rounds]) < q <= sum(ended[: rounds + 1])


@pytest.mark.parametrize("rules", [r for r in RULES if r.match_limit is None], ids=name)
def test_moments_agree_with_all_histories(rules):
    law = law_of(CALM)
    cascade = exact_cascade(law, rules)
    ended = naive.ended_after(CALM, 150, **naive_rules(rules, law.n_players))
    _, peak_pots, peak_reserves = naive.play_out(CALM, 30, **naive_rules(rules, law.n_players))
    mean = sum(rounds * p for rounds, p in enumerate(ended))
    second = sum(rounds**2 * p for rounds, p in enumerate(ended))
    assert cascade.rounds_mean == pytest.approx(mean, rel=1e-7)
    assert cascade.rounds_sd == pytest.approx(sqrt(second - mean**2), rel=1e-5)
    assert cascade.mean_peak_pot == pytest.approx(sum(v * p for v, p in peak_pots.items()), rel=5e-3)
    mean_reserve = sum(v * p for v, p in peak_reserves.items())
    assert cascade.mean_peak_reserve == pytest.approx(mean_reserve, rel=1e-2, abs=1e-12)


@pytest.mark.parametrize(("antes", "cap"), [(4, 20), (4, 4), (4, 3), (4, 7), (12, 20)])
@pytest.mark.parametrize("law", [CALM, WILD], ids=["calm", "wild"])
def test_end_with_reserve_is_that_of_a_branching_process(antes, cap, law):
    round_law = law_of(law)
    ante = antes // 4
    rules = GutsRules(ante=ante, cap=cap, reserve=True)
    expected = naive.end_probability_with_hold(law, round_law.n_players * ante, cap)
    cascade = exact_cascade(round_law, rules)
    assert cascade.ends_low <= expected + 1e-9
    assert cascade.ends_high >= expected - 1e-9
    assert cascade.p_ends == pytest.approx(expected, abs=2e-9)
    assert cascade.drift == pytest.approx(cap * (round_law.expected_multiplier - 1.0))


@pytest.mark.parametrize("max_states", [12, 40, 200])
def test_bounds_hold_wherever_the_chain_is_cut_off(max_states):
    rules = GutsRules(cap=20, reserve=True)
    expected = naive.end_probability_with_hold(WILD, 4, 20)
    low, high, drift = end_bounds(law_of(WILD), rules, max_states=max_states)
    assert 0.0 <= low <= expected <= high <= 1.0
    assert drift > 0


def test_bounds_hold_near_criticality():
    law = {"nobody": 0.2, 0: 0.3, 1: 0.1995, 2: 0.3005}
    low, high, drift = end_bounds(law_of(law), GutsRules(cap=6, reserve=True), max_states=300)
    assert 0 < drift < 0.01
    expected = naive.end_probability_with_hold(law, 3, 6)
    assert low - 1e-12 <= expected <= high + 1e-12
    assert low < high


def test_limited_matches_modulate_the_reserve():
    # With a limit below the cap the next pot depends on the last, so the walk has several pots.
    stakes = stakes_of(4, GutsRules(cap=10, reserve=True, match_limit=4))
    walk = reserve_walk(round_events(law_of(WILD), GutsRules()), stakes)
    assert sorted(walk.pots) == [4, 8, 10]
    wilder = {"nobody": 0.0, 0: 0.05, 1: 0.1, 2: 0.25, 3: 0.6}
    cascade = exact_cascade(law_of(wilder), GutsRules(cap=10, reserve=True, match_limit=7))
    assert cascade.drift > 0
    assert cascade.ends_high - cascade.ends_low < 1e-9
    assert cascade.p_ends == pytest.approx(sum(naive.ended_after(wilder, 80, 4, 10, True, limit=7)), abs=1e-6)


def test_three_players_two_cards_at_equilibrium():
    law = exact_round_law(3, "guts2", np.arange(91) >= class_index("K4", "guts2"))
    cascade = exact_cascade(law, GutsRules())
    assert cascade.multiplier_law == pytest.approx([0.46564, 0.50959, 0.02476], abs=6e-6)
    assert cascade.tail_index == pytest.approx(4.308, abs=6e-4)
    assert cascade.peak_pot.at_least(30) == pytest.approx(6.5e-6, rel=0.005)
    assert not cascade.supercritical
    # The pot doubles or is taken: a geometric number of doublings.
    grows = cascade.multiplier_law[2] / (cascade.multiplier_law[0] + cascade.multiplier_law[2])
    for doublings in range(10):
        assert cascade.peak_pot.at_least(3 * 2**doublings) == pytest.approx(grows**doublings, rel=1e-10)


def test_five_players_who_enter_half_of_their_hands():
    law = field_law(5, "top:50%")
    cascade = exact_cascade(law, GutsRules(cap=20, reserve=True))
    assert cascade.expected_multiplier == pytest.approx(1.532, abs=5e-4)
    assert cascade.supercritical
    assert cascade.p_ends == pytest.approx(0.517, abs=5e-4)
    assert cascade.ends_high - cascade.ends_low < 1e-9
    assert cascade.rounds_mean is None
    assert cascade.mean_peak_reserve is None
    assert cascade.rounds_quantiles([0.5, 0.6]) == [9, None]
    assert cascade.peak_reserve.quantile(0.6) is None
    uncapped = exact_cascade(law, GutsRules())
    assert uncapped.p_ends == 1.0
    assert uncapped.mean_peak_pot is None
    assert uncapped.peak_pot.quantile(0.999) > 10**9


def test_an_uncapped_table_that_is_always_in_neither_wraps_nor_hangs():
    cascade = exact_cascade(field_law(8, "always"), GutsRules())
    assert (cascade.p_ends, cascade.rounds_mean, cascade.mean_peak_pot) == (0.0, None, None)
    assert cascade.rounds_quantiles([0.5]) == [None]
    assert cascade.peak_pot.at_least(10**15) == 1.0
    assert cascade.peak_pot.quantile(0.5) is None
    three = exact_cascade(field_law(3, "always"), GutsRules())
    assert three.p_ends == 1.0
    assert three.peak_pot.at_least(3 * 2**40) == pytest.approx(1.0, abs=0.01)
    assert three.peak_pot.at_least(3 * 2**60) is None  # beyond what is followed


def test_a_pot_that_is_never_taken_stands_still_fills_up_or_grows():
    still = exact_cascade(law_of({"nobody": 1.0, 1: 0.0}), GutsRules())
    assert still.peak_pot.quantile(0.99) == 2
    filled = exact_cascade(law_of({"nobody": 1.0, 1: 0.0}), GutsRules(cap=9, nobody_in="reante"))
    assert filled.peak_pot.quantile(0.5) == 9
    endless = exact_cascade(law_of({"nobody": 1.0, 1: 0.0}), GutsRules(cap=9, reserve=True, nobody_in="reante"))
    assert endless.peak_reserve.quantile(0.5) is None
    assert endless.p_ends == 0.0
    assert exact_cascade(law_of({0: 1.0, 1: 0.0}), GutsRules()).rounds_quantiles([0.5, 0.99]) == [1, 1]


def test_tail_of_the_peak_follows_the_tail_index():
    law = field_law(5, "A4+")
    cascade = exact_cascade(law, GutsRules(nobody_in="reante"))
    assert cascade.tail_index == pytest.approx(law.tail_index())
    slopes = [
        -log(cascade.peak_pot.at_least(5 * 3 * a) / cascade.peak_pot.at_least(5 * a)) / log(3) for a in (60, 120, 240)
    ]
    assert slopes == pytest.approx([cascade.tail_index] * 3, abs=0.12)


def test_chains_refuse_to_outgrow_their_limit():
    stakes = Stakes(antes=3, cap=None, reserve=False, ante_every_round=True)
    events = round_events(law_of(CALM), GutsRules())
    assert opening(stakes) == (3, 0)
    assert build_chain(events, stakes, most_chips=10**6, max_states=50) is None
    chain = build_chain(events, stakes, most_chips=60, max_states=50)
    source, _, probability = chain.moves
    leaving = np.bincount(source, probability, chain.n_states) + chain.ends + chain.escape_probs()
    assert leaving == pytest.approx(np.ones(chain.n_states))


def test_tail_index_does_not_exist_without_growth_or_end():
    assert tail_index(np.array([0.5, 0.5])) is None
    assert tail_index(np.array([0.0, 0.5, 0.5])) is None


# Continuous hands.


@pytest.mark.parametrize(
    ("n_players", "q", "p_ends", "beta"),
    [(2, 0.500000, 0.500000, 0.500000), (3, 0.707107, 0.439340, 0.585786), (5, 0.840896, 0.397759, 0.636414)],
)
def test_continuous_equilibrium(n_players, q, p_ends, beta):
    threshold = cont.equilibrium_threshold(n_players)
    law = cont.continuous_round_law(n_players, threshold)
    assert (round(threshold, 6), round(law.p_one, 6), round(law.expected_multiplier, 6)) == (q, p_ends, beta)


def test_continuous_tail_indices_and_limits():
    indices = {n: cont.continuous_round_law(n, cont.equilibrium_threshold(n)).tail_index() for n in (3, 4, 5, 10)}
    assert (round(indices[3], 3), round(indices[5], 3)) == (4.208, 3.412)
    assert indices[4] < 4.0  # from four players on the fourth moment of the pot is infinite
    laws = [cont.continuous_round_law(n, cont.equilibrium_threshold(n)) for n in range(2, 11)]
    betas, ends = [law.expected_multiplier for law in laws], [law.p_one for law in laws]
    assert all(a < b < cont.LIMIT_MULTIPLIER for a, b in pairwise(betas))
    assert all(a > b > cont.LIMIT_P_ONE for a, b in pairwise(ends))
    assert round(cont.LIMIT_MULTIPLIER, 6) == 0.693147


def test_weenie_is_supercritical_from_seven_players():
    for n_players, supercritical in ((6, False), (7, True)):
        law = cont.continuous_multiplier_law(n_players, cont.equilibrium_threshold(n_players, "weenie"), "weenie")
        assert law.sum() == pytest.approx(1.0)
        assert (float(np.arange(law.size) @ law) >= 1.0) == supercritical


def in_minus_out(n_players, q, rule):
    """Gain of entering over staying out with a hand exactly at the threshold that all others use."""
    share = 1.0 / n_players
    total = 0.0
    for others in range(n_players):
        p = comb(n_players - 1, others) * (1 - q) ** others * q ** (n_players - 1 - others)
        # Being in: any other who is in is better. The ghost beats `others` hands above q with ghost(others).
        ghost_best = (1 - q) / (others + 1) if others else 1 - q
        shown_in = rule == "ghost-all" or (rule == "ghost-lone" and others == 0)
        g = ghost_best if shown_in else 0.0
        if others == 0:
            enter = (1 - g) * 1.0 + g * (-1.0 + 2 * share)
        else:
            enter = (1 - g) * (-1.0 + others * share) + g * (-1.0 + (others + 2) * share)
        shown_out = rule == "ghost-all" or (rule == "ghost-lone" and others == 1)
        g = (1 - q) / (others + 1) if shown_out and others else 0.0
        if others == 0:
            stay = -1.0 + 2 * share if rule == "weenie" else share
        else:
            stay = (1 - g) * (others - 1) * share + g * (others + 1) * share
        total += p * (enter - stay)
    return total


@pytest.mark.parametrize("rule", cont.RULES)
@pytest.mark.parametrize("n_players", [2, 3, 6, 10])
def test_hand_at_the_threshold_is_indifferent(n_players, rule):
    q = cont.equilibrium_threshold(n_players, rule)
    assert in_minus_out(n_players, q, rule) == pytest.approx(0.0, abs=1e-12)
    assert in_minus_out(n_players, q - 0.01, rule) < 0.0 < in_minus_out(n_players, q + 0.01, rule)


def play_uniform_hands(thresholds, n_rounds, seed):
    hands = np.random.default_rng(seed).random((n_rounds, len(thresholds)))
    scores = np.where(hands > np.array(thresholds), hands, 0.0)
    n_in = (scores > 0).sum(axis=1)
    first_wins = (scores[:, 0] > 0) & (scores.argmax(axis=1) == 0)
    return n_in, first_wins, scores[:, 0] > 0


def test_round_of_thresholds_agrees_with_uniform_hands():
    thresholds = [0.3, 0.7, 0.5, 0.9]
    n = 400_000
    n_in, first_wins, first_in = play_uniform_hands(thresholds, n, seed=5)
    found = cont.round_of_thresholds(thresholds)
    multiplier = np.where(n_in == 0, 1, n_in - 1)
    flow = 4.0 * (2.0 * first_wins - first_in)  # a pot of four antes
    payoff = flow + multiplier - 1.0
    for sample, exact in (
        (n_in == 0, found.p_nobody),
        (first_wins, found.p_first_wins),
        (multiplier, found.expected_multiplier),
        (payoff, found.first_payoff),
    ):
        assert abs(sample.mean() - exact) < 4.5 * sample.std() / sqrt(n)


def test_looser_play_costs_nothing_against_the_continuous_equilibrium():
    q = cont.equilibrium_threshold(5)
    for own in (0.0, 0.4, q):
        assert cont.round_of_thresholds([own] + [q] * 4).first_payoff == pytest.approx(0.0, abs=1e-12)
    assert cont.round_of_thresholds([0.95] + [q] * 4).first_payoff < -1e-3


@pytest.mark.parametrize(
    "call",
    [
        lambda: cont.equilibrium_threshold(1),
        lambda: cont.equilibrium_threshold(3, "none"),
        lambda: cont.continuous_round_law(3, 1.5),
        lambda: cont.continuous_round_law(3, True),
        lambda: cont.continuous_multiplier_law(3, 0.5, "other"),
        lambda: cont.round_of_thresholds([0.5]),
        lambda: cont.round_of_thresholds([0.5, float("nan")]),
    ],
)
def test_bad_continuous_input_is_refused(call):
    with pytest.raises(InputError):
        call()
