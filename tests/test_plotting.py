"""Charts: what they show, that they fit their page, and that they leave everything else alone."""

import copy
import json
import os
import subprocess
import sys

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.patches import StepPatch

import guts_sim as gs
from guts_sim.errors import InputError
from guts_sim.plotting import About, draw
from guts_sim.plotting.close_up import classes_between
from guts_sim.plotting.hand_curve import LANDMARK_GAP, decisions, entering_runs, hand_curve, in_order_of, landmarks
from guts_sim.plotting.style import balanced, count_word, percent, signed, significant


@pytest.fixture(scope="module")
def five_players():
    return gs.threshold(5)


@pytest.fixture(scope="module")
def against_tens():
    return gs.threshold(5, field="TT+")


@pytest.fixture(scope="module")
def ace_king():
    return gs.odds("As Kd", n_players=6)


HANDS = ["AAA", "AAK", "AAQ", "KKA", "QQA", "QQJ", "JJT", "AKJ", "AKT", "AQJ", "KQT", "QJ9", "T86"]
ENTRY = [1.0, 1.0, 1.0, 1.0, 0.6, 0.2, 0.0, 1.0, 0.7, 0.0, 0.0, 0.0, 0.0]
DELTA = [0.9, 0.6, 0.3, 0.1, 0.002, -0.001, -0.02, 0.03, 0.001, -0.03, -0.05, -0.06, -0.1]


def estimate(value, stderr=0.0):
    return {"value": value, "stderr": stderr, "ci_low": value - 2 * stderr, "ci_high": value + 2 * stderr}


def mixed_results(stderr=0.002):
    """Return an equilibrium in which some hands enter at random and a run of hands enters below one that does not."""
    hands = [
        {
            "hand": hand,
            "enter": enter,
            "frequency": 1 / len(HANDS),
            "ev_in": delta,
            "ev_out": 0.0,
            "delta": delta,
            "stderr": stderr,
            "best_reply": float(delta > 0),
        }
        for hand, enter, delta in zip(HANDS, ENTRY, DELTA)
    ]
    return {
        "n_players": 5,
        "cards": 3,
        "threshold": {"hand": "QQA", "entry_prob": 5 / 13, "exploitability": estimate(5.4e-5, 1e-6)},
        "equilibrium": {"kind": "class", "entry_prob": sum(ENTRY) / 13, "hands": hands},
    }


def odds_results(**more):
    rows = [
        {
            "opponents": n,
            "win": 0.8**n,
            "tie": 0.01,
            "lose": 0.99 - 0.8**n,
            "equity": 0.8**n + 0.005,
            "stderr": 0.004 if n > 1 else 0.0,
        }
        for n in range(1, 4)
    ]
    return {"hand": "JJK", "cards": "Js Jd Kd", "rows": rows} | more


def table_results():
    rows = [
        {"category": "straight flush", "hands": 40, "probability": 40 / 2_598_960},
        {"category": "impossible", "hands": 0, "probability": 0.0},
        {"category": "high card", "hands": 2_598_920, "probability": 2_598_920 / 2_598_960},
    ]
    return {"n_hands": 2_598_960, "n_classes": 7462, "rows": rows}


def charts(five_players, against_tens, ace_king):
    return {
        "threshold": draw("threshold", five_players.results),
        "reply": draw("threshold", against_tens.results),
        "mixed": draw("threshold", mixed_results()),
        "odds": draw("odds", ace_king.results),
        "sampled odds": draw("odds", odds_results()),
        "table": draw("hands table", table_results()),
        "course": draw("session course", course_results()),
        "players": draw("threshold table", gs.threshold_table(2).results),
        "losses": draw("coalition", coalition_results()),
        "phase": draw("cascade sweep", gs.phase_diagram(5).results),
        "cascade": gs.cascade(5, field="top:50%", cap=20, reserve=True).plot(),
    }


@pytest.fixture(scope="module")
def all_charts(five_players, against_tens, ace_king):
    return charts(five_players, against_tens, ace_king)


def texts(figure):
    return [text.get_text() for text in figure.findobj(mpl.text.Text) if text.get_text()]


def title(figure):
    return figure.texts[0].get_text().replace("\n", " ")


def legend(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def close_up(axes):
    (corner,) = [child for child in axes.child_axes if isinstance(child, Axes)]
    return corner


def areas(axes):
    return [patch for patch in axes.patches if isinstance(patch, StepPatch) and patch.get_fill()]


# Thresholds


def test_threshold_chart_has_units_and_states_the_threshold(five_players):
    figure = draw("threshold", five_players.results)
    (axes,) = figure.axes
    assert axes.get_xlabel() == "hands at least this strong (% of all hands)"
    assert axes.get_ylabel() == "in minus out (pots per deal)"
    assert title(figure) == "Five players, two cards: stay in with A4 or better"
    assert "A4 or better, 17.95\u00a0% of hands" in texts(figure)
    assert legend(figure) == ["in", "out"]


def test_threshold_line_stands_where_entering_ends(five_players):
    (axes,) = draw("threshold", five_players.results).axes
    positions = [float(line.get_xdata()[0]) for line in axes.lines if line.get_linestyle() == "--"]
    assert positions == pytest.approx([100 * five_players.results["threshold"]["entry_prob"]])


def test_areas_show_each_hand_once_at_its_value(five_players):
    (axes,) = draw("threshold", five_players.results).axes
    rows = five_players.results["equilibrium"]["hands"]
    entering, staying = (patch.get_data() for patch in areas(axes))
    shown = np.where(np.isnan(entering.values), staying.values, entering.values)
    assert np.array_equal(shown, [row["delta"] for row in rows])
    assert np.array_equal(np.isnan(staying.values), [row["enter"] == 1 for row in rows])
    assert np.diff(entering.edges) == pytest.approx([100 * row["frequency"] for row in rows])


def test_close_up_names_the_hands_around_the_threshold(five_players):
    (axes,) = draw("threshold", five_players.results).axes
    corner = close_up(axes)
    assert corner.get_title(loc="left") == "close to the threshold (pots per deal)"
    names = [label.get_text() for label in corner.get_xticklabels()]
    assert names == ["A9", "A8", "A7", "A6", "A5", "A4", "A3", "A2", "KQ", "KJ", "KT", "K9"]


def test_exact_values_have_no_interval_and_sampled_ones_do():
    assert "95\u00a0% interval" not in legend(draw("threshold", mixed_results(stderr=0.0)))
    figure = draw("threshold", mixed_results(stderr=0.002))
    assert legend(figure) == ["in", "in or out at random", "out", "95\u00a0% interval"]
    band = areas(figure.axes[0])[-1].get_data()
    assert band.values - band.baseline == pytest.approx(np.full(len(HANDS), 2 * About().half_width * 0.002))


@pytest.mark.parametrize("stderr", [0.0, 0.01])
def test_lowest_and_highest_values_keep_off_the_frame(stderr):
    low, high = draw("threshold", mixed_results(stderr)).axes[0].get_ylim()
    assert low < min(DELTA) - 2 * stderr
    assert high > max(DELTA) + 2 * stderr


def test_mixed_equilibrium_gets_a_panel_of_entry_probabilities():
    figure = draw("threshold", mixed_results())
    upper, lower = figure.axes
    assert upper.get_ylabel() == "in minus out (pots per deal)"
    assert lower.get_ylabel() == "enters (%)"
    assert lower.get_xlabel() == "hands at least this strong (% of all hands)"
    entering, mixing = (np.nan_to_num(patch.get_data().values) for patch in areas(lower))
    assert entering + mixing == pytest.approx([100 * entry for entry in ENTRY])
    assert title(figure) == "Five players, three cards: in with AKJ, out with the stronger JJT"
    assert "nearest threshold: QQA or better, 38.46\u00a0% of hands" in texts(figure)
    assert any("exploited for 0.000054 pots per deal" in text for text in texts(figure))


def test_mixed_equilibrium_without_a_likely_weaker_hand_has_a_general_title():
    results = mixed_results()
    for row in results["equilibrium"]["hands"][7:]:
        row["enter"] = 0.0
    assert title(draw("threshold", results)) == "Five players, three cards: 50.0\u00a0% of hands enter, some at random"


def test_names_in_the_close_up_do_not_overlap():
    figure = draw("threshold", mixed_results())
    figure.draw_without_rendering()
    corner = close_up(figure.axes[0])
    assert corner.get_title(loc="left") == "close to indifference (pots per deal)"
    boxes = [text.get_window_extent() for text in corner.texts]
    assert [text.get_text() for text in corner.texts] == ["AKJ–AKT", "QQA–QQJ"]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_reply_chart_shows_field_reply_and_equilibrium(against_tens):
    figure = draw("threshold", against_tens.results)
    upper, lower = figure.axes
    assert legend(figure) == ["in", "in minus out at equilibrium", "field enters", "best reply enters"]
    assert title(figure).replace("\n", " ").endswith("against “TT+”, enter with every hand")
    assert lower.get_ylabel() == "enters (%)"
    (field,) = areas(lower)
    enters = [100 * row["enter"] for row in against_tens.results["field"]["hands"]]
    assert np.nan_to_num(field.get_data().values) == pytest.approx(enters)
    (reply,) = [patch for patch in lower.patches if not patch.get_fill()]
    assert reply.get_data().values == pytest.approx(np.full(91, 100.0))
    curves = [patch.get_data().values for patch in upper.patches if isinstance(patch, StepPatch)]
    equilibrium = [row["delta"] for row in against_tens.results["equilibrium"]["hands"]]
    assert any(np.array_equal(curve, equilibrium) for curve in curves)


@pytest.mark.parametrize(
    ("reply", "advice"),
    [
        ([0.0] * 13, "stay out with every hand"),
        ([1.0] * 13, "enter with every hand"),
        ([1.0] * 4 + [0.0] * 9, "enter with KKA or better"),
        ([1.0] * 4 + [0.0] * 3 + [1.0] + [0.0] * 5, "enter with 38.46\u00a0% of hands"),
    ],
)
def test_reply_in_words(reply, advice):
    results = mixed_results()
    hands = [row | {"best_reply": enters} for row, enters in zip(results["equilibrium"]["hands"], reply)]
    results["field"] = {"spec": "top:30%", "entry_prob": 0.3, "hands": hands}
    results["best_response"] = {"hands": [], "entry_prob": sum(reply) / 13, "gain": estimate(0.1)}
    assert title(draw("threshold", results)).replace("\n", " ").endswith(f"against “top:30%”, {advice}")


def test_nobody_enters_at_the_threshold_draws_no_line():
    results = mixed_results()
    results["threshold"] = results["threshold"] | {"hand": None, "entry_prob": 0.0}
    axes = draw("threshold", results).axes[0]
    assert not [line for line in axes.lines if line.get_linestyle() == "--"]


def test_unknown_numbers_of_saved_results_are_left_out():
    results = mixed_results()
    for row in results["equilibrium"]["hands"][5:7]:
        row["stderr"] = None
    draw("threshold", results).draw_without_rendering()
    for row in results["equilibrium"]["hands"]:
        row["stderr"] = None
    figure = draw("threshold", results)
    assert "95\u00a0% interval" not in legend(figure)
    assert any("too few deals to tell its error" in text.replace("\n", " ") for text in texts(figure))
    odds = odds_results()
    odds["rows"][2]["stderr"] = None
    draw("odds", odds).draw_without_rendering()


# Hands along the axis


def test_curve_reads_rows_in_order(five_players):
    curve = hand_curve(five_players.results["equilibrium"]["hands"], About(), 2)
    assert (curve.names[0], curve.names[-1]) == ("AA", "32")
    assert curve.edges[[0, -1]] == pytest.approx([0, 100])
    assert curve.is_exact


def test_landmarks_keep_their_distance_and_are_short(five_players):
    curve = hand_curve(five_players.results["equilibrium"]["hands"], About(), 2)
    found = landmarks(curve.names, curve.edges)
    assert [curve.names[i] for i in found[:4]] == ["AA", "AK", "KQ", "QJ"]
    assert np.diff(curve.edges[found]).min() >= LANDMARK_GAP
    suffixed = [row | {"hand": row["hand"] + "-flush"} for row in five_players.results["equilibrium"]["hands"]]
    assert landmarks([row["hand"] for row in suffixed], curve.edges) == []


def test_every_hand_is_in_mixed_or_out():
    parts = decisions(np.array([0.0, 1e-9, 0.5, 1 - 1e-9, 1.0]))
    assert [part.tolist() for part in parts] == [
        [False, False, False, False, True],
        [False, True, True, True, False],
        [True, False, False, False, False],
    ]


def test_runs_of_entering_hands():
    curve = hand_curve(mixed_results()["equilibrium"]["hands"], About(), 3)
    assert entering_runs(curve) == [(0, 6), (7, 9)]
    assert classes_between(curve) == slice(0, 13)


@pytest.mark.parametrize("entry", [0.0, 1.0])
def test_close_up_exists_when_all_hands_do_the_same(entry):
    hands = [row | {"enter": entry} for row in mixed_results()["equilibrium"]["hands"]]
    chosen = classes_between(hand_curve(hands, About(), 3))
    assert chosen == (slice(0, 6) if entry == 0 else slice(7, 13))


# Odds and hand tables


def test_odds_chart_stacks_outcomes_to_a_hundred_percent(ace_king):
    figure = draw("odds", ace_king.results)
    (axes,) = figure.axes
    assert axes.get_ylabel() == "opponents at the showdown"
    assert axes.get_xlabel() == "outcome of the showdown (% of deals); equity (% of the pot)"
    bars = [container for container in axes.containers if hasattr(container, "patches")]
    assert len(bars) == 3
    assert sum(bar.get_width() for container in bars for bar in container) == pytest.approx(500)
    assert legend(figure) == ["fair share", "win", "tie", "lose", "equity"]
    assert title(figure) == "As Kd: equity 93.8\u00a0% against one opponent, 72.5\u00a0% against five"


def test_odds_chart_marks_sampled_equity_with_its_interval():
    figure = draw("odds", odds_results())
    (axes,) = figure.axes
    assert "equity, 95\u00a0% interval" in legend(figure)
    (_, _, (spans,)) = next(c for c in axes.containers if not hasattr(c, "patches"))
    widths = [segment[1][0] - segment[0][0] for segment in spans.get_segments()]
    assert widths == pytest.approx([0, 2 * About().half_width * 0.4, 2 * About().half_width * 0.4])


def test_odds_chart_says_what_entering_is_worth():
    field = {"spec": "A4+", "entry_prob": 0.1795}
    worth = {"field": field, "ev_in": 0.2, "ev_out": 0.05, "delta": 0.15, "delta_stderr": 0.01, "advice": "in"}
    detail = " ".join(texts(draw("odds", odds_results(**worth)))).replace("\n", " ")
    assert "Against three who play “A4+” (17.95\u00a0% of hands): in +0.2000, out +0.0500" in detail
    assert "in minus out +0.1500 ± 0.0196 pots per deal; stay in" in detail
    exact = " ".join(texts(draw("odds", odds_results(**worth | {"delta_stderr": 0.0}))))
    assert "±" not in exact


def test_odds_against_one_opponent():
    results = odds_results()
    results["rows"] = results["rows"][:1]
    assert title(draw("odds", results)) == "Js Jd Kd: equity 80.5\u00a0% against one opponent"


def test_hand_table_chart_is_logarithmic_and_counted():
    figure = draw("hands table", table_results())
    (axes,) = figure.axes
    assert axes.get_xscale() == "log"
    assert axes.get_xlabel() == "share of the 2,598,960 hands (%, logarithmic)"
    assert [label.get_text() for label in axes.get_yticklabels()] == ["straight flush", "high card"]
    assert "40  (0.00154\u00a0%)" in texts(figure)
    assert title(figure) == "Five-card hands: high card 100.0\u00a0%, straight flush once in 64,974"


def test_hand_table_of_one_category():
    rows = [{"category": "high card", "hands": 52, "probability": 1.0}]
    figure = draw("hands table", {"n_hands": 52, "n_classes": 13, "rows": rows})
    assert title(figure) == "One-card hands: high card 100.0\u00a0%"


# Hands against players


@pytest.fixture(scope="module")
def players_table():
    return gs.threshold_table(2)


def outline(axes):
    """Heights of the lines between classes inside and outside, by column."""
    lines = [line for line in axes.lines if line.get_linewidth() == 1.6]
    return {round(float(np.mean(line.get_xdata()))): float(line.get_ydata()[0]) for line in lines}


def test_threshold_table_chart_draws_the_line_where_entering_ends(players_table):
    axes = draw("threshold table", players_table.results).axes[0]
    assert axes.get_xlabel() == "players"
    expected = {row["n_players"]: 100 * row["threshold_entry_prob"] for row in players_table.rows}
    assert outline(axes) == pytest.approx(expected)
    assert title(axes.figure) == "Two cards: J7 or better among two, AQ or better among ten"


def test_threshold_table_chart_says_how_to_read_hands_that_enter_below_others(players_table):
    assert legend(draw("threshold table", players_table.results)) == ["enters above the line"]
    results = copy.deepcopy(dict(players_table.results))
    results["hands"][50]["enter"][3] = 1.0
    figure = draw("threshold table", results)
    assert legend(figure) == ["edges of what enters, from the strongest hands down"]
    lines = [line for line in figure.axes[0].lines if line.get_linewidth() == 1.6]
    assert len(lines) == 9 + 2


def test_threshold_table_chart_colours_each_hand_by_its_value(players_table):
    figure = draw("threshold table", players_table.results)
    (mesh,) = figure.axes[0].collections
    shown = np.asarray(mesh.get_array())
    assert shown.shape == (91, 9)
    assert shown[:, 3] == pytest.approx([row["delta"] for row in gs.threshold(5).results["equilibrium"]["hands"]])
    assert figure.axes[1].get_ylabel() == "in minus out (pots per deal)"


def test_threshold_table_chart_of_sampled_values_says_how_exact_they_are(players_table):
    results = copy.deepcopy(dict(players_table.results))
    for row in results["hands"]:
        row["stderr"] = [0.0, 0.0, None] + 6 * [0.01]
    detail = " ".join(texts(draw("threshold table", results))).replace("\n", " ")
    assert "95\u00a0% intervals of 99\u00a0% of the values within ±0.02" in detail


def test_odds_table_chart_draws_the_line_at_the_fair_share():
    rows = [
        {"hand": name} | {f"against_{n}": 1.0 if i < 20 * n else 0.0 for n in (1, 2)}
        for i, name in enumerate(reversed(gs.class_names("guts2")))
    ]
    axes = draw("odds table", {"rows": rows}).axes[0]
    shares = 100 * np.cumsum(gs.class_frequencies("guts2")[::-1]) / 1326
    assert outline(axes) == pytest.approx({1: shares[19], 2: shares[39]})
    assert (
        title(axes.figure)
        == f"Better than a fair share: {rows[19]['hand']} against one, {rows[39]['hand']} against two"
    )


# Sessions


def balance(value, spread):
    quantiles = ("0.01", -3), ("0.05", -2), ("0.25", -1), ("0.5", 0), ("0.75", 1), ("0.95", 2), ("0.99", 3)
    return {
        "value": value,
        "stderr": 0.1,
        "sd": spread,
        "quantiles": {q: round(value + spread * z) for q, z in quantiles},
    }


def course_results(lengths=(2, 4), net=True):
    def group(number, length):
        return {"net": balance((-1) ** number * length, length) if net else None, "p_ahead": {"value": 0.4}}

    players = [("Rock", "TT+"), ("Fish", "top:40%"), ("3", "A4+"), ("4", "A4+")]
    points = [
        {
            "length": length,
            "seats": [group(i, length) | {"name": name, "strategy": spec} for i, (name, spec) in enumerate(players)],
            "strategies": [
                group(i, length) | {"strategy": spec, "players": n, "seats": seats}
                for i, (spec, n, seats) in enumerate([("TT+", 1, [0]), ("top:40%", 1, [1]), ("A4+", 2, [2, 3])])
            ],
        }
        for length in lengths
    ]
    return {"unit": "cycles", "points": points}


def test_course_has_a_fan_for_every_player_alone_with_a_strategy_and_one_for_the_others():
    figure = draw("session course", course_results())
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["Rock: TT+", "Fish: top:40%", "A4+ (2 of 4)"]
    assert {axes.get_xlabel() for axes in figure.axes} == {"cycles played"}
    assert figure.axes[0].get_ylabel() == "balance (chips)"
    assert legend(figure) == ["98 % of sessions", "90 %", "half", "mean"]
    assert any(text.startswith("No strategy clearly does best") for text in texts(figure))


def test_fan_starts_at_nothing_and_shows_the_quantiles():
    axes = draw("session course", course_results()).axes[1]
    wide, half = (band.get_paths()[0].vertices for band in axes.collections)
    for band, reach in ((wide, 2), (half, 1)):
        assert {(0.0, 0.0), (4.0, -4.0 - 4 * reach), (4.0, -4.0 + 4 * reach)} <= set(map(tuple, band))
    (mean,) = [line for line in axes.lines if line.get_label() == "mean"]
    assert (list(mean.get_xdata()), list(mean.get_ydata())) == ([0, 2, 4], [0.0, -2.0, -4.0])


def test_course_without_balances_is_refused():
    with pytest.raises(InputError, match="outgrew every number"):
        draw("session course", course_results(net=False))


# Growth of the pot


def test_a_pot_that_is_capped_has_no_power_law():
    capped, free = (gs.cascade(5, field="top:50%", cap=cap, reserve=cap is not None) for cap in (20, None))
    assert legend(capped.plot()) == ["exact", "cap, 20 chips"]
    assert legend(free.plot()) == ["exact", "power law, index 0.315"]


def test_a_pot_that_nobody_ever_takes_keeps_its_size():
    assert title(gs.cascade(5, field="never").plot()).replace("\n", " ").endswith("so it keeps its size")


def test_a_pot_that_never_grows_is_said_to():
    figure = gs.cascade(2, cap=None, reserve=False).plot()
    assert "no pot is larger than the antes" in texts(figure)
    assert figure.axes[0].get_ylim()[0] < 0.1


# Coalitions and replies


@pytest.mark.parametrize(
    ("field", "switches"),
    [
        ("top:40%", {"stakes": "table", "bankroll": 9}),
        ("top:40%", {"declaration": "sequential"}),
        ("top:40%", {"declaration": "blind", "high_low": True}),
        ("equilibrium", {"declaration": "blind"}),
    ],
    ids=str,
)
def test_reply_to_a_field_under_other_rules_is_drawn(switches, field, tmp_path):
    result = gs.threshold(2, field=field, deals=2048, effort=0.01, seed=1, workers=1, **switches)
    assert result.results["field"]["spec"] == field
    result.save(tmp_path / "x.json")
    saved = json.loads((tmp_path / "x.json").read_text())["results"]
    assert result.plot() is not None
    assert draw("threshold", saved) is not None


@pytest.mark.parametrize("loss", [float("-inf"), float("nan"), None])
def test_losses_without_a_number_are_written_not_drawn(loss):
    rows = [{"colluders": 2, "value_at_equilibrium": -0.1, "value": -0.05}]
    rows += [{"colluders": 3, "value_at_equilibrium": loss, "value": loss}]
    equilibrium = {"value": loss, "stderr": None}
    for more in ({}, {"hands": "cards", "cards": 2, "honest": None}):
        figure = draw("coalition", coalition_results(rows=rows, value=loss, equilibrium=equilibrium, **more))
        assert 0.0 < figure.axes[0].get_xlim()[1] < 1.0
        words = "without bound" if loss == float("-inf") else "unknown"
        assert words in [text.get_text() for text in figure.axes[0].texts]
        assert "nan" not in figure.axes[0].get_title()


def coalition_results(**more):
    rows = [{"colluders": 2, "value_at_equilibrium": -0.2, "value": -0.05}]
    base = {"n_players": 5, "colluders": 2, "hands": "cards", "cards": 2, "shared_cards": False, "rows": rows}
    return base | {"value": -0.05, "honest": {"hand": "K2"}, "equilibrium": {"value": -0.2}} | more


def test_sampled_losses_have_intervals():
    sampled = {"equilibrium": {"value": -0.2, "stderr": 0.01}, "value_estimate": {"stderr": 0.002}}
    assert "95\u00a0% interval" not in legend(draw("coalition", coalition_results()))
    figure = draw("coalition", coalition_results(**sampled))
    assert "95\u00a0% interval" in legend(figure)
    spans = [c.lines[2][0].get_segments()[0][:, 0] for c in figure.axes[0].containers if hasattr(c, "has_xerr")]
    assert [high - low for low, high in spans] == pytest.approx(
        [2 * About().half_width * 0.01, 2 * About().half_width * 0.002]
    )


def test_a_single_loss_stands_on_its_tick():
    figure = draw("coalition", coalition_results(honest=None))
    (bar,) = figure.axes[0].patches
    assert bar.get_y() + bar.get_height() / 2 == pytest.approx(figure.axes[0].get_yticks()[0])


def test_where_nobody_loses_the_axis_starts_at_nothing():
    rows = [{"colluders": 2, "value_at_equilibrium": 0.0, "value": 0.0}]
    low, high = draw("coalition", coalition_results(rows=rows, value=0.0)).axes[0].get_xlim()
    assert low == 0
    assert high > 0


def test_replies_without_a_value_keep_their_rows():
    reply = gs.best_response(5, field="top:60%", cap=None, reserve=False)
    figure = reply.plot()
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.texts].count("no finite value") == 2
    assert axes.get_ylim() == (1.5, -0.5)


def test_equity_is_not_rounded_to_certainty():
    results = odds_results()
    results["rows"] = [results["rows"][0] | {"equity": 0.9996}]
    assert title(draw("odds", results)) == "Js Jd Kd: equity 99.96\u00a0% against one opponent"


@pytest.mark.parametrize(
    ("stderr", "finding"),
    [(0.005, "Level-1 is hardest to exploit"), (0.05, "No policy is clearly the hardest to exploit")],
)
def test_a_policy_is_called_best_only_if_its_interval_is_apart(stderr, finding):
    rows = [{"policy": name, "gain": gain, "stderr": stderr} for name, gain in (("lowest", 0.2), ("level-1", 0.1))]
    assert title(draw("pass tournament", {"n_players": 4, "exploitability": rows})) == finding


def test_signs_are_as_long_as_on_the_axes():
    assert (signed(-0.5), signed(0.25, 3)) == ("\u22120.50", "+0.250")


# All charts


CHARTS = [
    "threshold",
    "reply",
    "mixed",
    "odds",
    "sampled odds",
    "table",
    "course",
    "players",
    "losses",
    "phase",
    "cascade",
]


@pytest.mark.parametrize("name", CHARTS)
def test_everything_fits_on_the_page(all_charts, name):
    figure = all_charts[name]
    figure.draw_without_rendering()
    box = figure.get_tightbbox()
    width, height = figure.get_size_inches()
    assert box.x0 >= -0.01
    assert box.y0 >= -0.01
    assert box.x1 <= width + 0.01
    assert box.y1 <= height + 0.01
    # Long words did not squeeze the panels.
    specs = [(axes.get_position().width, axes.get_subplotspec()) for axes in figure.axes]
    assert sum(width for width, spec in specs if spec is not None and spec.rowspan.start == 0) > 0.6


@pytest.mark.parametrize("name", CHARTS)
def test_notebooks_get_a_png_at_half_its_pixels(all_charts, name):
    data, size = all_charts[name]._repr_png_()
    assert data.startswith(b"\x89PNG")
    width, height = (int.from_bytes(data[start : start + 4]) for start in (16, 20))
    assert (width // 2, height // 2) == (size["width"], size["height"])


def test_drawing_changes_neither_results_nor_the_settings_of_matplotlib(five_players, against_tens, ace_king):
    everything = (five_players, against_tens, ace_king)
    before = [copy.deepcopy(result.results) for result in everything]
    digests = [result.digest for result in everything]
    settings = dict(mpl.rcParams)
    charts(*everything)
    assert [result.results for result in everything] == before
    assert [result.digest for result in everything] == digests
    assert dict(mpl.rcParams) == settings


def test_saved_results_give_the_same_chart(against_tens):
    saved = json.loads(against_tens.to_json())
    first, second = (draw("threshold", results)._repr_png_() for results in (against_tens.results, saved["results"]))
    assert first == second


def test_dark_styles_are_followed():
    with mpl.rc_context({"text.color": "white", "axes.facecolor": "black"}):
        axes = draw("threshold", mixed_results()).axes[0]
    line = next(line for line in axes.lines if line.get_linestyle() == "--")
    assert line.get_color() == "white"
    assert close_up(axes).get_facecolor() == (0, 0, 0, 1)


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_plot_writes_the_chart(five_players, tmp_path, ending, start):
    path = tmp_path / f"chart.{ending}"
    figure = five_players.plot(path)
    assert path.read_bytes().startswith(start)
    assert title(figure) == "Five players, two cards: stay in with A4 or better"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("command", ["rules", "hands rank", "hands compare", ""])
def test_answers_without_a_chart_are_refused_in_one_line(command):
    with pytest.raises(
        InputError, match=f"^nothing to draw for {command}; charts exist for threshold, odds, "
    ) as error:
        draw(command, {})
    assert "\n" not in str(error.value)


def test_charts_need_neither_a_display_nor_pyplot():
    program = (
        "import json, sys\n"
        "from guts_sim.plotting import draw\n"
        "draw('hands table', json.loads(sys.argv[1]))._repr_png_()\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    # An interactive backend that could not start: nobody may ask for it.
    environment = os.environ | {"MPLBACKEND": "tkagg", "DISPLAY": ":99"}
    subprocess.run(
        [sys.executable, "-c", program, json.dumps(table_results())], check=True, env=environment, timeout=60
    )


def test_matplotlib_is_imported_only_when_something_is_drawn():
    program = "import sys, guts_sim, guts_sim.results; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


# Words and numbers


def test_titles_break_into_lines_of_about_equal_length():
    assert balanced("short", 20) == "short"
    assert balanced("one two three four five six", 26) == "one two three\nfour five six"
    assert (
        balanced("against all, enter with 17.57\u00a0% of hands", 37)
        == "against all, enter\nwith 17.57\u00a0% of hands"
    )


def test_numbers_in_words():
    assert percent(0.17948) == "17.95\u00a0%"
    assert significant(5.4e-5, 2) == "0.000054"
    assert significant(1 / 17 * 100) == "5.88"
    assert significant(100.0) == "100"
    assert (count_word(2), count_word(11)) == ("two", "11")


# Players who declare in turn


def test_each_call_heard_has_a_row_that_says_how_often_it_comes_about():
    def hands(position, heard, *enter):
        common = {"position": position, "heard": heard, "frequency": 1 / len(enter)}
        return [common | {"hand": hand, "enter": probability} for hand, probability in zip(("AA", "K2"), enter)][::-1]

    nodes = [(1, 0, 1.0), (2, 0, 0.25), (2, 1, 0.75), (2, 2, 0.0)]
    results = {
        "n_players": 2,
        "cards": 2,
        "seats": [{"seat": 1, "value": -0.1, "stderr": 0.01}, {"seat": 2, "value": 0.1, "stderr": 0.01}],
        "nodes": [{"position": position, "heard": heard, "reach": reach} for position, heard, reach in nodes],
        "equilibrium": {"hands": [*hands(1, 0, 1, 0.5), *hands(2, 0, 1, 1), *hands(2, 1, 1, 0), *hands(2, 2, 0, 0)]},
    }
    figure = draw("threshold", results)
    axes = figure.axes[0]
    # What cannot be heard has no row.
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == ["seat 1, 0 in before", "seat 2, 0 in before", "seat 2, 1 in before"]
    assert {"100.0\u00a0%", "25.0\u00a0%", "75.0\u00a0%", "comes about"} <= set(texts(figure))
    assert title(figure) == "Seat 2 does best when 2 players declare in turn"
    heights = -np.array([[bar.get_height() for bar in row] for row in axes.containers])  # upwards: rows go down
    strong, weak = heights[:, :50].mean(axis=1), heights[:, 50:].mean(axis=1)
    assert strong == pytest.approx([0.8, 0.8, 0.8])
    assert weak == pytest.approx([0.4, 0.8, 0.0])
    for seat in results["seats"]:
        seat["stderr"] = 0.2
    assert title(draw("threshold", results)) == "No seat clearly does best when 2 players declare in turn"


def test_a_sequential_field_is_answered_by_its_best_reply():
    result = gs.threshold(2, declaration="sequential", field="always", deals=2048, effort=0.01, seed=1, workers=1)
    figure = result.plot()
    assert title(figure) == "Best reply to “always” when 2 players declare in turn"
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == ["seat 1, 0 in before", "seat 2, 1 in before"]  # the first always enters


# Rules beyond the base game

QUICK = {"deals": 2048, "effort": 0.01, "seed": 1, "workers": 1}


@pytest.mark.parametrize("switches", [{"ghost": "all"}, {"pass_left": 1}, {"nobody_in": "weenie"}])
def test_hands_are_laid_out_by_strength_under_other_rules(switches):
    result = gs.threshold(3, **QUICK, **switches)
    curve = hand_curve(result.results["equilibrium"]["hands"], About(result.rules), 2)
    assert curve.by_strength
    assert list(curve.names) == list(reversed(gs.class_names("guts2")))
    assert "hands at least this strong (% of all hands)" in texts(result.plot())


def test_suits_that_break_ties_order_hands_within_a_class():
    result = gs.threshold(3, ties="suits", **QUICK)
    curve = hand_curve(result.results["equilibrium"]["hands"], About(result.rules), 2)
    assert curve.by_strength
    assert list(curve.names[:3]) == ["AA s", "AA h", "AA d"]
    names = [name.split(" ")[0] for name in curve.names]
    assert list(dict.fromkeys(names)) == list(reversed(gs.class_names("guts2")))


def test_hands_without_an_order_of_their_own_are_laid_out_by_gain():
    result = gs.threshold(3, community=1, **QUICK)
    curve = hand_curve(result.results["equilibrium"]["hands"], About(result.rules), 2)
    assert not curve.by_strength
    assert list(curve.delta) == sorted(curve.delta, reverse=True)
    words = texts(result.plot())
    assert "hands that gain at least as much by entering (% of all hands)" in words
    assert not any("or better" in word or "stronger" in word for word in words)


def test_both_curves_of_a_reply_have_one_order():
    results = gs.threshold(3, community=1, field="top:30%", **QUICK).results
    field, equilibrium = (hand_curve(results[who]["hands"], About(), 2) for who in ("field", "equilibrium"))
    moved = in_order_of(equilibrium, field)
    assert moved.names == field.names != equilibrium.names
    assert dict(zip(moved.names, moved.delta)) == dict(zip(equilibrium.names, equilibrium.delta))


def test_high_and_low_pots_have_a_panel_each():
    figure = gs.threshold(3, high_low=True, **QUICK).plot()
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["high pot", "low pot"]
    assert "for high" in title(figure)


def test_a_blind_declaration_is_two_bars():
    result = gs.threshold(3, declaration="blind", **QUICK)
    figure = result.plot()
    (row,) = result.results["equilibrium"]["hands"]
    assert [bar.get_width() for bar in figure.axes[0].patches] == [row["ev_in"], row["ev_out"]]
    assert "whatever the hand" in title(figure)


def test_rules_that_differ_from_the_usual_ones_are_named():
    assert About(gs.get_rules("two-card").as_dict()).note("threshold") == ""
    assert About(gs.threshold(2, cards=3).rules).note("threshold") == ""
    assert About(gs.get_rules("two-card", ghost="all", cap=50).as_dict()).note("threshold") == (
        "Rules: cap 50 with a reserve, ghost all"
    )
    assert About(gs.get_rules("two-card").as_dict()).note("cascade") == "Rules: cap 20 with a reserve"
    assert About(gs.get_rules("home", cards=3).as_dict()).note("session") == "Rules: no cap"
    assert About(gs.get_rules("two-card", cap=None, reserve=False).as_dict()).note("cascade") == "Rules: no cap"
    assert About(gs.IndianRules(settlement="guts").as_dict()).note("indian solve") == "Rules: settlement guts"
    figure = gs.threshold(3, ghost="all", **QUICK).plot()
    assert figure.legends[0].get_title().get_text() == "Rules: ghost all"


def test_intervals_are_drawn_at_the_confidence_of_the_answer():
    result = gs.odds("7s 2d", n_players=3, method="mc", deals=2000, seed=1, confidence=0.5)
    assert "equity, 50\u00a0% interval" in legend(result.plot())
    assert About(confidence=0.5).half_width == pytest.approx(0.67449, abs=1e-5)


def test_losses_to_a_coalition_are_drawn_by_the_number_of_players():
    rows = [
        {"n_players": 3, "value_at_equilibrium": -0.25, "value": -0.125},
        {"n_players": 4, "value_at_equilibrium": -0.5, "value": -0.375},
    ]
    figure = draw("coalition table", {"rows": rows})
    kept, best = figure.axes[0].lines
    assert kept.get_xydata().tolist() == [[3, 0.25], [4, 0.5]]
    assert best.get_xydata().tolist() == [[3, 0.125], [4, 0.375]]
    assert title(figure) == "All against one: 0.125 antes a pot among three, 0.375 among four"
    assert figure.axes[0].get_ylim()[0] == 0.0
