"""The referee, the kernel and the plain twin agree amount for amount, and chips are conserved."""

import copy
import itertools
import random
from fractions import Fraction

import naive_settlement as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guts_sim.kernels import settlement as kernels
from guts_sim.rules import PROFILES, GutsRules
from guts_sim.settlement import Contest, encode_rules, settle_contests

GHOSTS = [("none", "player"), *itertools.product(("lone", "all"), ("player", "ghost"))]
CAPS = [(None, False), (15, False), (15, True)]
MONEY_SWITCHES = list(
    itertools.product(("hold", "reante", "weenie"), (False, True), ("all", "lowest"), (None, 4), CAPS, GHOSTS, (1, 3))
)


def rules_of(stakes, high_low, nobody_in, ante_every_round, pays, match_limit, capped, ghost, ante):
    cap, reserve = capped
    return GutsRules(
        stakes=stakes, high_low=high_low, nobody_in=nobody_in, ante_every_round=ante_every_round, pays=pays,
        match_limit=match_limit, cap=cap, reserve=reserve, ghost=ghost[0], ghost_tie=ghost[1], ante=ante,
    )  # fmt: skip


def random_round(rng, rules):
    """A round in whole units: pots, scores, stacks and dealer."""
    n_players = rng.randint(2, 6)
    pots = []
    for _ in range(rules.n_pots):
        p_in = rng.choice((0.0, 0.2, 0.5, 1.0))
        pots.append(
            {
                "pot": rng.randint(1, rules.cap or 40),
                "reserve": rng.choice((0, rng.randint(0, 30))) if rules.reserve else 0,
                "scores": [rng.randint(1, 4) * (1 if rng.random() < p_in else -1) for _ in range(n_players)],
                "ghost": rng.randint(1, 4),
            }
        )
    stacks = [rng.choice((0, rng.randint(0, 12), rng.randint(0, 80))) for _ in range(n_players)]
    return {"pots": pots, "stacks": stacks, "dealer": rng.randrange(n_players)}


def played_by_referee(rules, table, unit):
    contests = [
        Contest(
            "pot",
            Fraction(pot["pot"]),
            Fraction(pot["reserve"]),
            tuple(score > 0 for score in pot["scores"]),
            tuple((abs(score),) for score in pot["scores"]),
            (pot["ghost"],),
        )
        for pot in table["pots"]
    ]
    stacks = [Fraction(stack) for stack in table["stacks"]]
    names = "ABCDEFGHIJ"[: len(stacks)]
    settled = settle_contests(rules, contests, names, stacks=stacks, dealer=table["dealer"], unit=unit)
    return {
        "won": list(settled.won),
        "paid": list(settled.paid),
        "pots": [pot.next_pot for pot in settled.pots],
        "reserves": [pot.reserve for pot in settled.pots],
        "stacks": None if settled.stacks is None else list(settled.stacks),
        "antes_due": list(settled.antes_due),
        "out": set(settled.eliminated),
    }


def played_by_kernel(rules, table, open_cycles, scale=1):
    pots = np.array([pot["pot"] for pot in table["pots"]]) * scale
    reserves = np.array([pot["reserve"] for pot in table["pots"]]) * scale
    scores = np.array([pot["scores"] for pot in table["pots"]])
    ghosts = np.array([pot["ghost"] for pot in table["pots"]])
    stacks = np.array(table["stacks"]) * scale
    active, won, paid = (np.full(stacks.size, value, np.int64) for value in (1, -1, -1))
    status = kernels.settle_round(
        pots, reserves, scores, ghosts, table["dealer"], encode_rules(rules, scale), open_cycles, active, stacks,
        won, paid,
    )  # fmt: skip
    assert status == kernels.SETTLED
    return {
        "won": won.tolist(),
        "paid": paid.tolist(),
        "pots": pots.tolist(),
        "reserves": reserves.tolist(),
        "stacks": None if rules.stakes == "credit" else stacks.tolist(),
        "out": {seat for seat in range(stacks.size) if not active[seat]},
    }


def played_by_twin(rules, table, open_cycles):
    switches = {name: getattr(rules, name) for name in naive.BASE}
    pots = copy.deepcopy(table["pots"])
    after = naive.settle(switches, pots, dealer=table["dealer"], stacks=table["stacks"], open_cycles=open_cycles)
    seats = range(len(table["stacks"]))
    return {
        "won": [after.won[seat] for seat in seats],
        "paid": [after.paid[seat] for seat in seats],
        "pots": [pot["pot"] for pot in pots],
        "reserves": [pot["reserve"] for pot in pots],
        "stacks": after.stacks and [after.stacks[seat] for seat in seats],
        "out": set(seats) - after.active,
    }


def assert_all_agree(rules, table):
    """Referee, kernel and twin, with and without the antes of new cycles."""
    referee = played_by_referee(rules, table, Fraction(1))
    antes_due = referee.pop("antes_due")
    opened = played_by_kernel(rules, table, True)
    assert opened == played_by_twin(rules, table, True)
    settled = played_by_kernel(rules, table, False)
    assert settled == played_by_twin(rules, table, False)
    out = referee.pop("out")
    assert out == opened["out"]
    assert settled.pop("out") <= out
    assert referee == settled
    if rules.cap is None:
        assert [after - before for after, before in zip(opened["paid"], settled["paid"])] == antes_due
    assert_conserved(table, referee)


def assert_conserved(table, after):
    before = sum(pot["pot"] + pot["reserve"] for pot in table["pots"])
    assert sum(after["won"]) + sum(after["pots"]) + sum(after["reserves"]) == sum(after["paid"]) + before
    amounts = [*after["won"], *after["paid"], *after["pots"], *after["reserves"], *(after["stacks"] or ())]
    assert min(amounts) >= 0
    if after["stacks"] is not None:
        assert sum(after["stacks"]) == sum(table["stacks"]) + sum(after["won"]) - sum(after["paid"])


@pytest.mark.parametrize("high_low", [False, True])
@pytest.mark.parametrize("stakes", ["credit", "table", "eliminate"])
def test_all_combinations_of_money_switches(stakes, high_low):
    rng = random.Random(f"{stakes} {high_low}")
    for switches in MONEY_SWITCHES:
        rules = rules_of(stakes, high_low, *switches)
        for _ in range(2):
            assert_all_agree(rules, random_round(rng, rules))


rule_sets = st.tuples(
    st.sampled_from(["credit", "table", "eliminate"]), st.booleans(), st.sampled_from(MONEY_SWITCHES)
).map(lambda drawn: rules_of(drawn[0], drawn[1], *drawn[2]))


@st.composite
def rounds(draw):
    rules = draw(rule_sets)
    n_players = draw(st.integers(2, 10))
    scores = st.lists(st.integers(-5, 5).filter(bool), min_size=n_players, max_size=n_players)
    pots = [
        {
            "pot": draw(st.integers(1, rules.cap or 60)),
            "reserve": draw(st.integers(0, 60)) if rules.reserve else 0,
            "scores": draw(scores),
            "ghost": draw(st.integers(1, 5)),
        }
        for _ in range(rules.n_pots)
    ]
    stacks = draw(st.lists(st.integers(0, 100), min_size=n_players, max_size=n_players))
    return rules, {"pots": pots, "stacks": stacks, "dealer": draw(st.integers(0, n_players - 1))}


@settings(deadline=None, max_examples=300)
@given(rounds())
def test_referee_kernel_and_twin_agree(drawn):
    assert_all_agree(*drawn)


@settings(deadline=None, max_examples=150)
@given(rounds())
def test_kernel_in_fine_units_equals_the_referee_in_fractions(drawn):
    rules, table = drawn
    scale = 2520**3  # two pots and shares of shares all divide
    referee = played_by_referee(rules, table, None)
    assert_conserved(table, referee)
    referee.pop("antes_due")
    out = referee.pop("out")
    kernel = played_by_kernel(rules, table, False, scale)
    assert kernel.pop("out") <= out
    exact = {
        name: None if amounts is None else [Fraction(amount, scale) for amount in amounts]
        for name, amounts in kernel.items()
    }
    assert exact == referee


@settings(deadline=None, max_examples=150)
@given(rounds(), st.randoms(use_true_random=False))
def test_seats_do_not_matter_where_everything_divides(drawn, rng):
    rules, table = drawn
    n_players = len(table["stacks"])
    order = list(range(n_players))
    rng.shuffle(order)
    moved = {
        "pots": [{**pot, "scores": [pot["scores"][seat] for seat in order]} for pot in table["pots"]],
        "stacks": [table["stacks"][seat] for seat in order],
        "dealer": rng.randrange(n_players),
    }
    first, second = (played_by_referee(rules, each, None) for each in (table, moved))
    for name in ("won", "paid", "antes_due"):
        assert [first[name][seat] for seat in order] == second[name]
    assert {seat for seat in range(n_players) if order[seat] in first["out"]} == second["out"]
    assert (first["pots"], first["reserves"]) == (second["pots"], second["reserves"])


@settings(deadline=None, max_examples=150)
@given(rounds(), st.integers(1, 9))
def test_turning_the_table_turns_the_payments(drawn, turn):
    rules, table = drawn
    n_players = len(table["stacks"])
    turned = {
        "pots": [{**pot, "scores": [pot["scores"][(s + turn) % n_players] for s in range(n_players)]}
                 for pot in table["pots"]],
        "stacks": [table["stacks"][(s + turn) % n_players] for s in range(n_players)],
        "dealer": (table["dealer"] - turn) % n_players,
    }  # fmt: skip
    first, second = played_by_kernel(rules, table, True), played_by_kernel(rules, turned, True)
    for name in ("won", "paid"):
        assert [first[name][(s + turn) % n_players] for s in range(n_players)] == second[name]
    assert (first["pots"], first["reserves"]) == (second["pots"], second["reserves"])


@settings(deadline=None, max_examples=200)
@given(rounds())
def test_payments_keep_to_the_rules(drawn):
    rules, table = drawn
    after = played_by_referee(rules, table, None)
    n_players = len(table["stacks"])
    most_antes = rules.ante * rules.n_pots
    matches = [pot["pot"] if rules.match_limit is None else min(pot["pot"], rules.match_limit) for pot in table["pots"]]
    for seat in range(n_players):
        may_match = sum(
            match for match, pot in zip(matches, table["pots"])
            if pot["scores"][seat] > 0 or (rules.nobody_in == "weenie" and max(pot["scores"]) < 0)
        )  # fmt: skip
        assert after["paid"][seat] <= may_match + most_antes
        assert after["won"][seat] == 0 or any(pot["scores"][seat] > 0 for pot in table["pots"])
    for pot, next_pot, reserve in zip(table["pots"], after["pots"], after["reserves"]):
        assert next_pot <= (rules.cap or float("inf"))
        assert next_pot > 0 or reserve == 0
        assert reserve == 0 or rules.reserve
        somebody_loses = any(0 < score < max(pot["scores"]) for score in pot["scores"])
        if rules.stakes == "credit" and somebody_loses:  # a reserve refills only what no loser pays into
            assert reserve >= pot["reserve"]


def test_empty_table_is_opened_by_everyones_ante():
    for n_players, rules in ((5, GutsRules()), (5, PROFILES["home"]), (8, GutsRules(ante_every_round=True))):
        pot = {"pot": 0, "reserve": 0, "scores": [0] * n_players, "ghost": 1}
        after = played_by_kernel(rules, {"pots": [pot], "stacks": [0] * n_players, "dealer": 0}, True)
        assert (after["pots"], after["paid"]) == ([n_players], [1] * n_players)


@pytest.mark.parametrize("where", ["pots", "reserves", "stacks"])
def test_amounts_that_could_wrap_are_refused(where):
    amounts = {"pots": np.array([1]), "reserves": np.array([0]), "stacks": np.array([5, 5])}
    amounts[where][0] = kernels.MAX_CHIPS + 1
    before = {name: values.copy() for name, values in amounts.items()}
    won, paid = np.full(2, 7), np.full(2, 7)
    status = kernels.settle_round(
        amounts["pots"], amounts["reserves"], np.array([[1, 2]]), np.array([1]), 0,
        encode_rules(GutsRules(stakes="table")), True, np.ones(2, np.int64), amounts["stacks"], won, paid,
    )  # fmt: skip
    assert status == kernels.TOO_LARGE
    assert all(np.array_equal(before[name], amounts[name]) for name in amounts)
    assert (won == 7).all()
    assert (paid == 7).all()


def test_largest_amounts_do_not_wrap():
    for ghost in ("none", "all"):
        pots, reserves = np.array([kernels.MAX_CHIPS]), np.array([kernels.MAX_CHIPS])
        won, paid = np.zeros(10, np.int64), np.zeros(10, np.int64)
        kernels.settle_round(
            pots, reserves, np.array([[2] + [1] * 9]), np.array([3]), 0, encode_rules(GutsRules(ghost=ghost)), False,
            np.ones(10, np.int64), np.zeros(10, np.int64), won, paid,
        )  # fmt: skip
        assert pots[0] == (11 if ghost == "all" else 9) * kernels.MAX_CHIPS
        assert min(pots[0], *paid, *won) >= 0
