"""The session kernel plays every rule as its slow twin does, and conserves chips to the last sub-unit."""

from itertools import pairwise

import naive_sessions
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guts_sim.engine import run_key
from guts_sim.engine.plans import check_plan, encode_table, low_ranking, play_block
from guts_sim.errors import InputError
from guts_sim.kernels import play_codes as codes
from guts_sim.rules import GutsRules
from guts_sim.strategy import LAST_PLACE, Case, Plan, Span, as_plan, parse_field, parse_strategy

KEY, ENTRY_KEY = run_key(5), run_key(6)
GHOSTS = st.sampled_from(
    [("none", "player"), ("lone", "player"), ("lone", "ghost"), ("all", "player"), ("all", "ghost")]
)


@st.composite
def rule_sets(draw):
    """Any rules that make sense."""
    ghost, ghost_tie = draw(GHOSTS)
    stakes = draw(st.sampled_from(["credit", "table", "eliminate"]))
    cap = draw(st.sampled_from([None, 3, 9, 20]))
    switches = {
        "cards": draw(st.sampled_from([2, 3])),
        "straights_flushes": draw(st.booleans()),
        "ties": draw(st.sampled_from(["split", "suits"])),
        "declaration": draw(st.sampled_from(["simultaneous", "sequential", "blind"])),
        "nobody_in": draw(st.sampled_from(["hold", "reante", "weenie"])),
        "ante": draw(st.sampled_from([1, 2])),
        "ante_every_round": draw(st.booleans()),
        "pays": draw(st.sampled_from(["all", "lowest"])),
        "match_limit": draw(st.sampled_from([None, 4])),
        "cap": cap,
        "reserve": cap is not None and draw(st.booleans()),
        "stakes": stakes,
        "bankroll": None if stakes == "credit" else draw(st.integers(4, 25)),
        "community": draw(st.sampled_from([0, 1])),
        "pass_left": draw(st.sampled_from([0, 1])),
        "high_low": draw(st.booleans()),
        "ghost": ghost,
        "ghost_tie": ghost_tie,
    }
    try:
        return GutsRules(**switches)
    except InputError:
        simple = {"straights_flushes": True, "ties": "split", "pass_left": 0, "ghost_tie": "player"}
        return GutsRules(**switches | simple)


@st.composite
def plans(draw, rules):
    """A strategy that looks at everything that the rules let it see."""

    def entry(ranking):
        if rules.declaration == "blind":
            return parse_field(draw(st.sampled_from(["always", "never", "blind:0.4"])), ranking)
        return parse_field(draw(st.sampled_from(["top:20%", "top:55%", "always", "never", "blind:0.5"])), ranking)

    def case(**conditions):
        return Case(entry(rules.ranking), entry(low_ranking(rules)) if rules.high_low else None, **conditions)

    cases = [case(pot=Span(0, draw(st.integers(1, 9))))] if draw(st.booleans()) else []
    if rules.declaration == "sequential":
        cases += [case(position=LAST_PLACE, heard=Span(0, 0)), case(heard=Span(1, None))]
    return Plan("drawn", (*cases, case()))


@st.composite
def tables(draw):
    rules = draw(rule_sets())
    n_players = draw(st.integers(2, 6))
    return rules, [draw(plans(rules)) for _ in range(n_players)]


def checked_block(rules, strategies, first, stop, *, cycles, rounds, share=True, limits=None, policy="keep-best"):
    for strategy in strategies:
        check_plan(strategy, rules)
    limits = np.array(limits or [0] * len(strategies), np.int64) * 2520
    table = encode_table(strategies, rules, policy)
    block = play_block(
        table, KEY, ENTRY_KEY, first, stop, cycles=cycles, rounds=rounds, share_left=share, loss_limits=limits
    )
    left = block.records[:, 4] + block.records[:, 5]
    assert (block.nets.sum(axis=1) + left == 0).all()
    assert (left >= 0).all()
    if rules.bankroll is not None:
        assert (block.nets >= -rules.bankroll * 2520).all()
    return block


@settings(deadline=None, max_examples=80)
@given(
    table=tables(),
    first=st.integers(0, 10**6),
    share=st.booleans(),
    by_rounds=st.booleans(),
    policy=st.sampled_from(["keep-best", "lowest"]),
    limit=st.sampled_from([0, 0, 3]),
)
def test_sessions_equal_their_slow_twins(table, first, share, by_rounds, policy, limit):
    rules, strategies = table
    limits = [limit, *[0] * (len(strategies) - 1)]
    cycles, rounds = (0, 6) if by_rounds else (2, 8)
    block = checked_block(
        rules, strategies, first, first + 3, cycles=cycles, rounds=rounds, share=share, limits=limits, policy=policy
    )
    for row in range(3):
        twin = naive_sessions.Session(
            rules, strategies, first + row, cycles=cycles or 10**6, loss_limits=limits, pass_policy=policy
        )
        limited = twin.play(int(KEY), int(ENTRY_KEY), rounds, share)
        assert block.nets[row].tolist() == twin.nets
        record = [int(limited), twin.n_rounds, twin.peak_pot, twin.peak_reserve]
        assert block.records[row, :4].tolist() == record
        assert block.records[row, 4:6].sum() == twin.on_table
        assert block.records[row, codes.SESSION_CYCLES] == twin.n_cycles
        assert block.orders[row].tolist() == twin.orders
        assert set(np.flatnonzero(block.fates[row] == codes.FATE_RUINED)) == twin.ruined
        assert set(np.flatnonzero(block.fates[row] == codes.FATE_STOPPED)) == twin.stopped


@settings(deadline=None, max_examples=60)
@given(table=tables(), first=st.integers(0, 10**6), cut=st.integers(1, 299))
def test_chips_are_conserved_and_sessions_do_not_depend_on_how_they_are_cut(table, first, cut):
    rules, strategies = table
    whole = checked_block(rules, strategies, first, first + 300, cycles=3, rounds=40)
    parts = [
        checked_block(rules, strategies, first + a, first + b, cycles=3, rounds=40) for a, b in pairwise((0, cut, 300))
    ]
    for name in ("records", "nets", "fates", "orders"):
        assert np.array_equal(getattr(whole, name), np.concatenate([getattr(part, name) for part in parts]))


def test_a_cycle_of_a_session_is_a_cycle():
    rules = GutsRules(cap=20, reserve=True)
    strategies = [parse_field("A4+", "guts2")] * 5
    once = checked_block(rules, strategies, 0, 500, cycles=1, rounds=1000)
    many = checked_block(rules, strategies, 0, 500, cycles=3, rounds=1000)
    assert (many.records[:, codes.SESSION_ROUNDS] > once.records[:, codes.SESSION_ROUNDS]).all()
    assert (many.records[:, codes.SESSION_CYCLES] == 3).all()


def test_who_cannot_play_any_more_leaves_his_chips_to_the_others():
    rules = GutsRules(stakes="eliminate", bankroll=2, cap=None)
    block = checked_block(rules, [parse_field("always", "guts2")] * 3, 0, 200, cycles=0, rounds=500)
    assert (block.records[:, 0] == 0).all()  # all but one were ruined long before 500 rounds
    assert ((block.fates == codes.FATE_RUINED).sum(axis=1) >= 2).all()
    assert (block.nets.max(axis=1) >= 2 * 2520).all()


@pytest.mark.parametrize(
    ("switches", "strategy", "reason"),
    [
        ({}, Plan("p", (Case(parse_field("A4+", "guts2"), heard=Span(1, None)), Case(parse_field("A4+", "guts2")))),
         "declaration sequential"),
        ({"declaration": "blind"}, as_plan(parse_field("A4+", "guts2")), "declaration is blind"),
        ({"high_low": True}, as_plan(parse_field("A4+", "guts2")), "low pot"),
        ({}, parse_strategy("A4+/72+", "guts2", "low2"), "low pot"),
        ({"cards": 3}, as_plan(parse_field("A4+", "guts2")), "guts3"),
    ],
)  # fmt: skip
def test_strategies_that_do_not_fit_the_rules_are_refused(switches, strategy, reason):
    with pytest.raises(InputError, match=reason):
        check_plan(strategy, GutsRules(**switches))
