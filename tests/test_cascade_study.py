"""The cascade study: exact and sampled answers agree, money is conserved, invariance, commands and records."""

import json
from itertools import pairwise
from math import sqrt

import numpy as np
import pytest

import guts_sim as gs
from guts_sim.cli.app import run
from guts_sim.engine import run_key
from guts_sim.engine.plans import encode_table, play_block
from guts_sim.errors import InputError
from guts_sim.estimate import z_score
from guts_sim.exact import exact_values
from guts_sim.hands import get_ranking
from guts_sim.kernels.bins import N_BINS, lowest_in_bin
from guts_sim.rules import GutsRules
from guts_sim.strategy import parse_field
from guts_sim.studies.assessment import RunOptions
from guts_sim.studies.cascade_answers import QUANTILES
from guts_sim.studies.cascade_sampling import CycleTally, play_cycles

GUTS2 = get_ranking("guts2")
FEW = 60_000


@pytest.mark.parametrize(
    ("n_players", "switches"),
    [
        (5, {"field": "top:30%"}),
        (5, {"field": "A4+", "ante_every_round": True}),
        (3, {"cap": None}),
        (4, {"field": "K9+", "nobody_in": "reante", "cap": 9, "reserve": False}),
        (5, {"field": "top:30%", "match_limit": 12}),
        (4, {"field": "top:18%", "nobody_in": "weenie", "cap": None}),
        (3, {"field": "A97+", "cards": 3, "cap": 12, "reserve": True}),
    ],
    ids=str,
)
def test_exact_and_sampled_answers_agree(n_players, switches):
    exact = gs.cascade(n_players, **switches)
    sampled = gs.cascade(n_players, method="mc", cycles=FEW, seed=11, confidence=0.99999, **switches)
    assert (exact.method, sampled.method, sampled.n) == ("exact", "mc", FEW)
    a, b = exact.results, sampled.results
    for name in ("expected_multiplier", "p_cycle_ends"):
        assert b["ci_low"][name] <= a[name] <= b["ci_high"][name]
    assert b["rounds"]["ci_low"]["mean"] <= a["rounds"]["mean"] <= b["rounds"]["ci_high"]["mean"]
    for row_a, row_b in zip(a["peak"]["survival"], b["peak"]["survival"]):
        assert row_a["chips"] == row_b["chips"]
        assert row_b["ci_low"] <= row_a["p_peak_at_least"] <= row_b["ci_high"]
    for part in ("rounds", "peak", "reserve"):
        for q in a[part]["quantiles"]:
            low, high = (b[part][side]["quantiles"][q] for side in ("ci_low", "ci_high"))
            assert low <= a[part]["quantiles"][q] <= (high if high is not None else 2**63)


def test_five_players_who_enter_half_of_their_hands():
    result = gs.cascade(5, field="top:50%", cap=20, reserve=True)
    found = result.results
    assert round(found["expected_multiplier"], 3) == 1.532
    assert round(found["p_cycle_ends"], 3) == 0.517
    assert found["supercritical"]
    assert found["rounds"]["mean"] is found["reserve"]["mean"] is None
    assert any("need not end" in note for note in found["notes"])
    assert "0.517346" in result.summary()


def test_three_players_at_equilibrium():
    found = gs.cascade(3, cap=None).results
    law = [found["multiplier_law"][m] for m in "012"]
    assert law == pytest.approx([0.46564, 0.50959, 0.02476], abs=6e-6)
    assert found["tail_index"] == pytest.approx(4.308, abs=6e-4)
    assert found["peak"]["p_ge_10x"] == pytest.approx(6.5e-6, rel=0.005)
    assert {"multiplier_law", "expected_multiplier", "supercritical", "tail_index", "p_cycle_ends"} <= found.keys()
    assert {"mean", "sd", "quantiles"} <= found["rounds"].keys()
    assert {"quantiles", "p_ge_10x", "p_ge_30x"} <= found["peak"].keys()
    assert {"mean", "quantiles"} <= found["reserve"].keys()


def test_a_table_that_is_always_in_says_that_it_outgrows_every_number():
    exact = gs.cascade(8, field="always", cap=None).results
    sampled = gs.cascade(8, field="always", cap=None, method="mc", cycles=500, seed=1).results
    for found in (exact, sampled):
        assert found["p_cycle_ends"] == 0.0
        assert found["peak"]["quantiles"]["0.5"] is None
        assert found["peak"]["p_ge_30x"] == 1.0
    assert sampled["given_up"] == {"round_limit": 0, "outgrown": 500}
    limited = gs.cascade(8, field="always", cap=None, method="mc", cycles=500, round_limit=5, seed=1).results
    assert limited["given_up"] == {"round_limit": 500, "outgrown": 0}
    assert any("after 5 rounds" in note for note in limited["notes"])


def test_runs_do_not_depend_on_workers_and_can_be_extended():
    whole = gs.cascade(4, method="mc", cycles=80_000, seed=3, workers=2)
    assert gs.cascade(4, method="mc", cycles=80_000, seed=3, workers=1).digest == whole.digest
    part = gs.cascade(4, method="mc", cycles=50_000, seed=3)
    assert part.extend(80_000).digest == whole.digest
    assert whole.extend(80_000).digest == whole.digest
    assert gs.cascade(4, method="mc", cycles=50_000, seed=4).digest != part.digest
    with pytest.raises(InputError, match="cycles"):
        part.extend(10_000)
    with pytest.raises(InputError, match="exact"):
        gs.cascade(4).extend(10_000)


@pytest.mark.parametrize(
    "switches",
    [
        {"cap": 6, "reserve": True},
        {"cap": 6},
        {"nobody_in": "weenie"},
        {"ghost": "all"},
        {"ghost": "lone", "nobody_in": "weenie", "pays": "lowest", "cap": 9, "reserve": True},
        {"match_limit": 5, "ante_every_round": True},
        {"ties": "suits", "community": 1, "pass_left": 1, "declaration": "sequential"},
        {"stakes": "table", "bankroll": 9},
        {"stakes": "eliminate", "bankroll": 9, "nobody_in": "weenie", "ghost": "all"},
    ],
    ids=str,
)
def test_chips_are_conserved_in_every_cycle(switches):
    from guts_sim.kernels import cascade as kernel

    rules = GutsRules(**switches)
    fields = [parse_field(text, GUTS2) for text in ("top:35%", "top:35%", "always", "never")]
    block = play_block(encode_table(fields, rules), run_key(1), run_key(2), 77, 477, cycles=1, rounds=40)
    cycles, nets = block.records, block.nets
    left = cycles[:, kernel.CYCLE_POT_LEFT] + cycles[:, kernel.CYCLE_RESERVE_LEFT]
    assert (nets.sum(axis=1) + left == 0).all()
    assert ((left == 0) == (cycles[:, kernel.CYCLE_STATUS] == kernel.CYCLE_ENDED)).all()


def test_a_round_with_a_ghost_multiplies_the_pot_as_an_independent_count_says():
    for ghost in ("lone", "all"):
        sampled = gs.cascade(3, field="K9+", ghost=ghost, cycles=FEW, seed=5, confidence=0.99999).results
        hands = gs.deal(200_000, 4, 2, seed=6)
        scores = gs.hand_class(hands, "guts2").astype(int)
        players, ghosts = scores[:, :3], scores[:, 3]
        inside = np.where(players >= gs.class_index("K9", "guts2"), players, -1)
        n_in, best = (inside >= 0).sum(axis=1), inside.max(axis=1)
        n_best = (inside == best[:, None]).sum(axis=1)
        plays = (n_in == 1) if ghost == "lone" else n_in > 0
        beaten = plays & (ghosts > best)
        multiplier = np.where(n_in == 0, 1, np.where(beaten, 1 + n_in, n_in - n_best))
        for m in range(5):
            p = (multiplier == m).mean()
            found = sampled["multiplier_law"].get(str(m), 0.0)
            assert abs(found - p) < 5 * sqrt(p * (1 - p) * (1 / FEW + 1 / 200_000)) + 1e-12


def test_only_the_lowest_hand_pays():
    found = gs.cascade(6, field="top:50%", pays="lowest", cycles=20_000, seed=1).results
    law = found["multiplier_law"]
    assert law["1"] > 0.9 - law["0"]
    assert 0.0 < sum(p for m, p in law.items() if int(m) > 1) < 0.02


def test_bins_hold_every_number_once():
    from guts_sim.kernels import cascade
    from guts_sim.kernels._jit import uncached

    bin_of = uncached(cascade.bin_of)
    lowest = [lowest_in_bin(place) for place in range(N_BINS)]
    assert lowest == sorted(set(lowest))
    for place in (0, 1, 1023, 1024, 1500, 5000, N_BINS - 1):
        assert bin_of(lowest[place]) == place
        last = lowest[place + 1] - 1 if place + 1 < N_BINS else 2**63 - 1
        assert bin_of(last) == place
    assert max((b - a) / a for a, b in pairwise(lowest[1024:])) <= 1 / 512


# Invariance and its limits.


def test_the_equilibrium_does_not_depend_on_cap_antes_or_pot():
    base = gs.threshold(5)
    for switches in ({"cap": 10}, {"cap": None}, {"ante": 3}, {"ante_every_round": True}, {"nobody_in": "reante"}):
        other = gs.threshold(5, **switches)
        assert other.results["equilibrium"] == base.results["equilibrium"]
    assert gs.threshold(5, pot=15).results["threshold"] == base.results["threshold"]
    # How long a cycle lasts and how large it grows does depend on them.
    means = {gs.cascade(5, **s).results["rounds"]["mean"] for s in ({}, {"cap": 10}, {"ante_every_round": True})}
    assert len(means) == 3


def deviator(n_players, own, others, cycles=200_000, **switches):
    """Net per cycle of seat 0, and its standard error."""
    seats = [own] + [others] * (n_players - 1)
    found = gs.cascade(n_players, fields=seats, cycles=cycles, seed=8, **switches).results
    return found["seats"][0]["net"], found["seats"][0]["stderr"], found["expected_multiplier"]


def test_a_deviation_earns_its_round_payoff_over_what_stakes_lose():
    # V = alpha / (1 - beta) per pot, here against a field that is no equilibrium, less the ante.
    values = exact_values(4, "guts2", parse_field("QQ+", GUTS2).entry)
    own = parse_field("A9+", GUTS2).entry
    payoff = float(values.frequency @ (own * values.ev_in + (1 - own) * values.ev_out))
    net, stderr, beta = deviator(4, "A9+", "QQ+", cap=None)
    flow = payoff - 0.25 * beta  # a fair share of what stays on the table is part of the payoff
    assert abs(net - (4 * flow / (1 - beta) - 1.0)) < 5 * stderr + 0.02 * abs(net)


def test_a_reserve_moves_no_value_between_pot_independent_strategies():
    # What a round adds to the table is (M - 1) pots with a cap and a reserve as without them, so the worth of a
    # chip on the table is the same wherever it lies, against any field.
    free, error_free, _ = deviator(5, "top:15%", "top:30%", cap=None)
    kept, error_kept, _ = deviator(5, "top:15%", "top:30%", cap=10, reserve=True)
    assert abs(free - kept) < 4 * sqrt(error_free**2 + error_kept**2)
    # A cap that trims payments takes the excess out of the game: now a chip is worth the less the larger the pot.
    trimmed, error_trimmed, _ = deviator(5, "top:15%", "top:30%", cap=5, reserve=False)
    assert free - trimmed > 5 * sqrt(error_free**2 + error_trimmed**2)


def test_best_replies_to_another_field_depend_on_the_ante_policy():
    # Against players who hardly ever enter one should always be in while antes are paid once a cycle, and wait for
    # the others to ante again if they do that whenever nobody is in. How often to wait then depends on the pot.
    replies = {}
    for policy in ("hold", "reante"):
        nets = {own: deviator(5, own, "top:5%", cap=None, nobody_in=policy)[0] for own in ("always", "top:30%")}
        replies[policy] = max(nets, key=nets.get)
    assert replies == {"hold": "always", "reante": "top:30%"}


def test_a_deviation_from_the_equilibrium_does_not_gain():
    for switches in ({"cap": None}, {"cap": 10, "reserve": True}):
        net, stderr, _ = deviator(5, "top:22%", "equilibrium", **switches)
        assert net < 4 * stderr


@pytest.mark.slow
def test_six_equal_players_win_nothing_on_average():
    strategies = [parse_field("A6+", GUTS2)] * 6
    options = RunOptions(n_deals=5_000_000, seed=13, confidence=0.95, progress=False)
    tally = play_cycles(strategies, gs.get_rules("two-card"), 10_000, [6], options).tally
    assert tally.moments[0] > 1e7  # rounds
    assert tally.n_ended == tally.n
    for seat in range(6):
        net = tally.seat_net(seat, 0.95)
        assert abs(net.value) < 4 * net.stderr


# Phase diagram.


def test_phase_diagram_finds_where_the_pot_grows():
    diagram = gs.phase_diagram(5, entries=[0.3, 0.36, 0.38, 0.5], caps=[None, 20])
    assert diagram.results["critical_entry"] == pytest.approx(0.36869, abs=1e-5)
    assert [row["supercritical"] for row in diagram.rows] == [False] * 4 + [True] * 4
    half = diagram.rows[-1]
    assert (half["cap"], round(half["p_cycle_ends"], 3)) == (20, 0.517)
    assert half["drift"] == pytest.approx(20 * (half["expected_multiplier"] - 1))
    assert [row["p_cycle_ends"] for row in diagram.rows if row["cap"] is None] == [1.0] * 4
    critical = gs.critical_entry(3, GUTS2)
    assert gs.phase_diagram(3, entries=[critical], caps=[None]).rows[0]["expected_multiplier"] == pytest.approx(1.0)
    assert gs.critical_entry(2, GUTS2) is None


# Bad input, records, command line, charts.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_players": 1}, "players"),
        ({"n_players": 3, "fields": ["always"]}, "one strategy per seat"),
        ({"n_players": 3, "fields": "always"}, "one strategy per seat"),
        ({"n_players": 3, "field": "A4+", "fields": ["always"] * 3}, "not both"),
        ({"n_players": 3, "method": "guess"}, "auto, exact, mc"),
        ({"n_players": 3, "round_limit": 0}, "round_limit"),
        ({"n_players": 3, "cycles": 1.5}, "cycles"),
        ({"n_players": 5, "cards": 3, "field": "99T+", "method": "exact"}, "not known exactly"),
        ({"n_players": 3, "fields": ["always", "K4+", "K4+"], "method": "exact"}, "not known exactly"),
        ({"n_players": 3, "ghost": "lone"}, "the equilibrium with ghost lone is not solved"),
        ({"n_players": 3, "community": 1}, "community"),
        ({"n_players": 3, "stakes": "table"}, "stakes"),
        ({"n_players": 3, "field": "ZZ+"}, "ZZ"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments, message):
    arguments = dict(arguments)
    with pytest.raises(InputError, match=message) as refusal:
        gs.cascade(arguments.pop("n_players"), **arguments)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("bad", [{"entries": []}, {"entries": [0.0]}, {"entries": "ab"}, {"caps": [0]}, {"caps": "20"}])
def test_bad_sweeps_are_refused(bad):
    with pytest.raises(InputError):
        gs.phase_diagram(3, **bad)
    with pytest.raises(InputError, match="two cards"):
        gs.phase_diagram(5, cards=3)


def test_saved_answers_can_be_repeated(tmp_path):
    answers = {
        "exact": gs.cascade(4, field="A2+", cap=None),
        "mixed": gs.cascade(3, fields=["always", parse_field("K4+", GUTS2), "TT+"], cycles=2000, seed=1),
        "sweep": gs.phase_diagram(3, entries=[0.5], caps=[9]),
    }
    for name, answer in answers.items():
        answer.save(tmp_path / f"{name}.csv")
        assert gs.rerun(tmp_path / f"{name}.csv").digest == answer.digest
        assert len(answer.frame) == len(answer.rows)


def test_command_line(capsys, tmp_path):
    chart = tmp_path / "cascade.png"
    code = run(["cascade", "--players", "5", "--field", "top:50%", "--cap", "20", "--reserve", "--format", "json",
                "--plot", str(chart)])  # fmt: skip
    answer = json.loads(capsys.readouterr().out)
    assert code == 0
    assert chart.stat().st_size > 1000
    assert answer["command"] == "cascade"
    assert round(answer["results"]["p_cycle_ends"], 3) == 0.517
    assert list(answer["results"]["peak"]["quantiles"]) == [f"{q:g}" for q in QUANTILES]
    sweep = ["cascade", "--players", "3", "--sweep", "--entries", "30%,0.9", "--caps", "none,12"]
    assert run([*sweep, "--plot", str(tmp_path / "phase.svg")]) == 0
    assert "more than 64.3268 % of hands" in capsys.readouterr().out
    assert run(["cascade", "--players", "3", "--seat", "always", "--seat", "K4+", "--seat", "K4+", "--cycles", "1e3",
                "--seed", "2", "--format", "csv"]) == 0  # fmt: skip
    assert capsys.readouterr().out.startswith("multiple,chips,p_peak_at_least,stderr")


@pytest.mark.parametrize(
    "words",
    [
        ["--entries", "30%"],
        ["--sweep", "--field", "A4+"],
        ["--sweep", "--entries", "300%"],
        ["--sweep", "--caps", "some"],
        ["--cycles", "10", "--deals", "10"],
        ["--seat", "always"],
    ],
)
def test_bad_command_lines_are_refused(words, capsys):
    assert run(["cascade", "--players", "3", *words]) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_intervals_of_quantiles_are_order_statistics():
    tally = CycleTally.empty(2, 1)
    tally.histograms[0, 1:1001] = 1
    tally.statuses[0] = 1000
    found = tally.quantile(0, 0.5, 0.95)
    half = z_score(0.95) * sqrt(250)
    assert found.value == 500
    assert found.ci_low == int(500 - half)
    assert found.ci_high == int(500 + half) + 2
    tally.statuses[1] = 1000  # as many cycles did not end
    assert tally.quantile(0, 0.5, 0.95).value == 1000
    assert tally.quantile(0, 0.6, 0.95).value is None


# Strategies that look at more than the hand, and the rules that are only played


def test_declaring_in_turn_or_blind_is_the_same_to_those_who_do_not_care():
    known = gs.cascade(5, field="A4+").results
    assert gs.cascade(5, field="A4+", declaration="sequential").results == known
    blind = gs.cascade(3, field="blind:30%", declaration="blind")
    sampled = gs.cascade(3, field="blind:30%", declaration="blind", method="mc", cycles=FEW, seed=2, confidence=0.99999)
    assert (blind.method, sampled.method) == ("exact", "mc")
    low, high = (sampled.results[part]["expected_multiplier"] for part in ("ci_low", "ci_high"))
    assert low <= blind.results["expected_multiplier"] <= high


def test_a_strategy_that_looks_at_the_pot_plays_as_it_would_there():
    bold, usual = parse_field("top:50%", GUTS2), parse_field("A4+", GUTS2)
    first_pot = gs.Plan("bold at first", (gs.Case(bold, pot=gs.Span(0, 3)), gs.Case(usual)))
    never_small = gs.Plan("the same", (gs.Case(bold, pot=gs.Span(10**6, None)), gs.Case(usual)))
    found = gs.cascade(3, field=first_pot, cycles=FEW, seed=1, confidence=0.99999).results
    exact = gs.cascade(3, field=bold).results["expected_multiplier"]
    assert found["ci_low"]["expected_multiplier"] <= exact <= found["ci_high"]["expected_multiplier"]
    assert found["field"] == {"spec": "bold at first", "entry_prob": None}
    plain = gs.cascade(3, field=usual, method="mc", cycles=5000, seed=1).results
    same = gs.cascade(3, field=never_small, cycles=5000, seed=1).results
    assert {**plain, "field": None} == {**same, "field": None}


def test_with_two_pots_the_high_one_grows_as_it_does_alone():
    found = gs.cascade(4, field="A4+/32", high_low=True, cycles=FEW, seed=1, confidence=0.99999).results
    alone = gs.cascade(4, field="A4+").results["expected_multiplier"]
    assert found["antes"] == 8
    assert found["ci_low"]["expected_multiplier"] <= alone <= found["ci_high"]["expected_multiplier"]
    low = found["low_pot"]
    assert sum(low["multiplier_law"].values()) == pytest.approx(1.0)
    assert low["expected_multiplier"] > alone  # hardly anybody holds 32, so the low pot nearly always stays
    assert found["peak"]["survival"][0]["p_peak_at_least"] == 1.0


def test_with_bankrolls_no_pot_exceeds_what_there_is():
    found = gs.cascade(4, field="always", cap=None, stakes="table", bankroll=10, cycles=2000, seed=1).results
    assert found["p_cycle_ends"] > 0.99
    assert found["peak"]["mean"] <= 40
    assert found["supercritical"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"stakes": "table"}, "bankroll"),
        ({"community": 1}, "not solved"),
        ({"field": "A4+", "high_low": True}, "low pot"),
        ({"field": "A4+", "declaration": "blind"}, "looks at the cards"),
        ({"field": "A4+", "stakes": "table", "bankroll": 9, "method": "exact"}, "stakes credit"),
        ({"field": "A4+/72+"}, "no low pot"),
    ],
)
def test_rules_and_strategies_that_do_not_go_together_are_refused(arguments, reason):
    with pytest.raises(InputError, match=reason):
        gs.cascade(4, cycles=10, **arguments)


def test_files_of_cases_go_wherever_a_strategy_does_and_into_the_record(tmp_path, capsys):
    path = tmp_path / "bold.json"
    path.write_text('{"cases": [{"heard": 0, "position": "last", "play": "always"}, {"play": "A4+"}]}')
    out = tmp_path / "table.csv"
    line = f"cascade --players 3 --seat {path} --seat A4+ --seat A4+ --declaration sequential --cycles 500 --seed 1"
    assert run([*line.split(), "--out", str(out)]) == 0
    assert str(path) in capsys.readouterr().out
    path.unlink()
    assert gs.rerun(out).digest == gs.load(out)["digest"]
    both = gs.Plan("both", (gs.Case(parse_field("A4+", GUTS2), parse_field("72+", "low2"), heard=gs.Span(1, None)),
                            gs.Case(parse_field("A4+", GUTS2), parse_field("72+", "low2"))))  # fmt: skip
    with pytest.raises(InputError, match="heard"):
        gs.cascade(3, field=both, high_low=True, declaration="sequential")


@pytest.mark.parametrize(("cap", "multiple"), [(20, 4), (12, 2.4), (5, None), (10_000, None)])
def test_the_cap_is_one_of_the_pots_whose_probability_is_told(cap, multiple):
    """It is the largest pot there can be; from 1,000 times the antes on pots are not told any more."""
    exact = gs.cascade(5, field="top:50%", cap=cap, reserve=False)
    played = gs.cascade(5, field="top:50%", cap=cap, reserve=False, method="mc", cycles=4_000, seed=1)
    for found in (exact, played):
        rows = {row["chips"]: row for row in found.results["peak"]["survival"]}
        assert list(rows) == sorted(rows)
        assert [row["multiple"] for row in rows.values() if row["chips"] == cap and cap > 5] == (
            [] if multiple is None else [multiple]
        )
    if multiple is not None:
        (row,) = [row for row in exact.results["peak"]["survival"] if row["chips"] == cap]
        (estimate,) = [row for row in played.results["peak"]["survival"] if row["chips"] == cap]
        assert 0.4 < row["p_peak_at_least"] < 0.8
        assert abs(estimate["p_peak_at_least"] - row["p_peak_at_least"]) < 4.5 * estimate["stderr"]
        assert f"{multiple:g}x the antes" in exact.summary()
