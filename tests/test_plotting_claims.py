"""What charts claim, as far as the numbers bear it out: winners, directions, errors; and names as users wrote them."""

import matplotlib as mpl
import numpy as np
import pytest

import guts_sim as gs
from guts_sim.errors import InputError
from guts_sim.plotting import draw
from guts_sim.plotting.style import half_lengths, leader, plain, signed, unknown_errors

RUN = {"seed": 1, "workers": 1, "progress": False}
FORMULA = r"a$\bad$"


def title(figure):
    return figure.texts[0].get_text().replace("\n", " ")


def detail(figure):
    return figure.texts[1].get_text().replace("\n", " ")


def legend(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def tick_names(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def overlapping(texts):
    boxes = [text.get_window_extent() for text in texts]
    return [(i, j) for i, box in enumerate(boxes) for j, other in enumerate(boxes[:i]) if box.overlaps(other)]


# Intervals and the largest value


def test_the_largest_value_leads_only_if_its_interval_is_apart():
    values = np.array([1.0, 3.0, 2.0])
    assert leader(values, np.array([0.1, 0.4, 0.5])) == 1
    assert leader(values, np.array([0.1, 0.5, 0.5])) is None
    assert leader(values, np.array([0.1, 0.1, np.nan])) is None
    assert leader(values, np.array([[5.0, 0.4, 5.0], [0.5, 9.0, 0.5]])) == 1  # below, above
    assert leader(np.array([1.0, 1.0]), np.zeros(2)) is None
    assert leader(np.array([1.0, np.nan]), np.zeros(2)) is None
    assert leader(np.array([1.0]), np.zeros(1)) == 0


def test_ends_of_intervals_come_before_standard_errors():
    rows = [
        {"p": 0.0, "stderr": 0.0, "ci_low": 0.0, "ci_high": 0.25},
        {"p": 0.5, "stderr": 0.25, "ci_low": None, "ci_high": None},
        {"p": 0.5, "stderr": None},
    ]
    reach = half_lengths(rows, "p", 2.0)
    assert reach[:, :2].tolist() == [[0.0, 0.5], [0.25, 0.5]]
    assert np.isnan(reach[:, 2]).all()
    assert unknown_errors(reach[:, :2]) == ""
    assert unknown_errors(reach).endswith("some errors")
    assert unknown_errors(reach[:, 2:]).endswith("the errors")


def test_what_rounds_to_nothing_has_no_sign():
    assert (signed(-1e-9, 4), signed(0.0), signed(-0.01), signed(12345.0, 0)) == (
        "0.0000",
        "0.00",
        "\u22120.01",
        "+12,345",
    )


# Sessions


def test_names_of_players_are_no_formulas(tmp_path):
    result = gs.session(players={FORMULA: "always", "b": "never"}, sessions=50, **RUN)
    figure = result.plot(tmp_path / "x.png")
    assert tick_names(figure.axes[0].yaxis) == ["b: never", plain(f"{FORMULA}: always")][::-1]
    course = gs.session_course(players={FORMULA: "always", "b": "never"}, sessions=20, cycles=4, points=2, **RUN)
    panel = course.plot(tmp_path / "y.png").axes[0]
    assert panel.get_title(loc="left") == plain(f"{FORMULA}: always")


@pytest.fixture(scope="module")
def wild():
    """Return sessions of which a few end with pots that are thousands of times the usual ones."""
    players = {"A very long name of a player": "top:50%", "Another friend with a long name": "top:30%"}
    players |= {"Third": "equilibrium", "c": "always"}
    return gs.session_course(players=players, sessions=200, points=3, cycles=6, **RUN)


def group(value, stderr, quantiles=(-3, -2, -1, 0, 1, 2, 3), **more):
    names = ("0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99")
    net = {"value": value, "stderr": stderr, "sd": 1.0, "quantiles": dict(zip(names, quantiles))}
    return {"net": net, "p_ahead": {"value": 0.5}, "p_ruin": None} | more


def session_results(values, stderr, notes=(), **more):
    seats = [group(value, stderr, name=str(i), strategy=f"s{i}", **more) for i, value in enumerate(values)]
    strategies = [seat | {"players": 1, "seats": [i]} for i, seat in enumerate(seats)]
    return {"seats": seats, "strategies": strategies, "rounds": {"value": 10.0}, "notes": list(notes)}


def test_a_player_does_best_only_if_the_intervals_say_so():
    assert title(draw("session", session_results([1.0, 0.0, -1.0], 0.2))) == "0: s0 does best: +1.00 chips per session"
    unclear = "No strategy clearly does best"
    assert title(draw("session", session_results([1.0, 0.9, -5.0], 0.2))) == f"{unclear}, but 2: s2 does worst"
    assert title(draw("session", session_results([1.0, 0.0, -1.0], 2.0))) == unclear
    assert title(draw("session", session_results([1.0, 0.0, -1.0], None))) == unclear


def test_sessions_that_were_cut_off_are_counted():
    result = gs.session(4, field="always", rules="home", cards=2, sessions=50, round_limit=20, **RUN)
    assert "50 of 50 sessions were ended after 20 rounds" in detail(result.plot())
    course = gs.session_course(
        4, field="always", rules="home", cards=2, sessions=50, cycles=2, points=2, round_limit=20, **RUN
    )
    assert "50 of 50 sessions were ended after 20 rounds" in detail(course.plot())
    whole = gs.session(4, sessions=50, rounds=5, **RUN)  # as long as was asked for
    assert " were " not in detail(whole.plot())


@pytest.mark.parametrize("which", ["x", "y"])
def test_the_middle_half_is_seen_beside_huge_balances(which):
    far = (-(10**9), -1000, -8, 0, 8, 1000, 10**9)
    results = session_results([1.0, -1.0], 0.2)
    for seat in [*results["seats"], *results["strategies"]]:
        seat["net"]["quantiles"] = dict(zip(seat["net"]["quantiles"], far))
    if which == "x":
        figure = draw("session", results)
    else:
        points = [results | {"length": 2}]
        figure = draw("session course", {"unit": "cycles", "points": points})
    axes = figure.axes[0]
    assert (axes.get_xscale() if which == "x" else axes.get_yscale()) == "symlog"
    low, high = axes.transData.transform([(-8, -8), (8, 8)])[:, int(which == "y")]
    size = axes.bbox.width if which == "x" else axes.bbox.height
    assert abs(high - low) > 0.03 * size
    figure.draw_without_rendering()
    axis = axes.xaxis if which == "x" else axes.yaxis
    assert "0" in tick_names(axis)
    assert "\u221210,000,000" in tick_names(axis) or "\u22121,000,000" in tick_names(axis)
    assert "logarithmic beyond 10 chips" in detail(figure)


def test_amounts_are_written_in_full():
    result = gs.session(4, field="always", rules="home", cards=2, sessions=50, round_limit=20, **RUN)
    figure = result.plot()
    figure.draw_without_rendering()
    axis = figure.axes[0].xaxis
    assert axis.get_offset_text().get_text() == ""
    assert any(name.endswith(",000,000,000") for name in tick_names(axis))
    assert not overlapping([label for label in axis.get_ticklabels() if label.get_text()])
    assert "chips" in title(figure)
    assert "," in title(figure)


def test_names_of_panels_keep_to_their_panel(wild):
    figure = wild.plot()
    figure.draw_without_rendering()
    assert len(figure.axes) == 4
    titles = [axes.title if axes.get_title() else axes._left_title for axes in figure.axes]
    assert not overlapping(titles)
    assert max(text.get_window_extent().x1 for text in titles) <= figure.bbox.width
    seven = {f"A name of many letters {i}": f"top:{20 + i}.123456%" for i in range(7)}
    figure = gs.session_course(players=seven, sessions=20, points=2, cycles=4, **RUN).plot()
    figure.draw_without_rendering()
    titles = [axes._left_title for axes in figure.axes if axes.get_visible()]
    assert len(titles) == 7
    assert not overlapping(titles)


def test_pdf_holds_fonts_that_other_programs_can_edit(tmp_path):
    gs.cascade(3).plot(tmp_path / "x.pdf")
    data = (tmp_path / "x.pdf").read_bytes()
    assert b"/Type3" not in data
    assert b"/CIDFontType2" in data
    assert mpl.rcParams["pdf.fonttype"] == 3


# Anaconda and passing


@pytest.mark.parametrize(
    ("stderr", "finding"), [(0.1, "Tight wins most: +1.00 chips per hand"), (1.0, "No strategy clearly wins most")]
)
def test_a_strategy_of_anaconda_wins_only_if_its_interval_is_apart(stderr, finding):
    rows = [
        {"player": i, "strategy": name, "net": net, "stderr": stderr}
        for i, (name, net) in enumerate((("solid", 0.0), ("tight", 1.0), ("loose", -1.0)), 1)
    ]
    results = {"n_players": 3, "rows": rows, "strategies": rows}
    assert title(draw("anaconda", results)) == finding
    alike = [{"player": i, "strategy": "solid", "net": 0.0, "stderr": 0.1} for i in (1, 2)]
    results = {"n_players": 2, "rows": alike, "strategies": alike[:1]}
    assert title(draw("anaconda", results)) == "All play solid: nobody wins on average"


@pytest.mark.parametrize(
    ("stderr", "finding"),
    [
        (0.05, "Solid wins most on average over the other fields (+1.00)"),
        (2.0, "No strategy clearly wins most on average over the other fields"),
    ],
)
def test_the_winner_of_a_tournament_is_named_only_if_it_is_apart(stderr, finding):
    names = ["solid", "tight:bluff=10%:order=honest$", "loose:bluff=30%:order=random", "caller:noise=20%:order=last"]
    rows = [{"net": i - j, "stderr": stderr} for i in range(4) for j in range(4)]
    overall = [{"strategy": name, "net": 1.0 - i, "stderr": stderr} for i, name in enumerate(names)]
    results = {"n_players": 4, "strategies": names, "rows": rows, "overall": overall}
    figure = draw("anaconda tournament", results)
    assert title(figure) == finding
    figure.draw_without_rendering()
    labels = figure.axes[0].get_xticklabels()
    assert len(labels) == 4
    if labels[0].get_rotation() == 0:
        assert not overlapping(labels)
    assert min(text.get_window_extent().x0 for text in labels) >= 0


def test_an_order_of_revealing_is_best_only_if_it_is_told_apart_from_all_others():
    rows = [
        {"order": order, "net": gain, "stderr": 0.5, "gain": gain, "gain_stderr": 0.0 if order == "honest" else 0.01}
        for order, gain in (("last", 0.2), ("honest", 0.0), ("random", 0.1))
    ]
    results = {"n_players": 4, "strategy": "solid", "expected": "random", "rows": rows}
    assert title(draw("anaconda orders", results)) == "Revealing strongest last earns most"
    rows[2]["gain"] = 0.19
    assert title(draw("anaconda orders", results)) == "No order of revealing clearly earns most"


@pytest.mark.parametrize(
    ("stderr", "finding"),
    [(0.1, "Player 2 (loose) wins most: +2.00 chips a session"), (None, "No player clearly wins most")],
)
def test_a_player_of_indian_poker_wins_only_if_the_interval_is_apart(stderr, finding):
    rows = [
        {"player": i, "strategy": s, "net": net, "stderr": stderr} for i, s, net in ((1, "$a$", -2), (2, "loose", 2))
    ]
    figure = draw("indian session", {"n_players": 2, "sessions": 9, "players": rows})
    assert title(figure) == finding
    assert tick_names(figure.axes[0].yaxis)[0] == plain("1  $a$")
    assert ("too few deals" in detail(figure)) == (stderr is None)


def passes(losses, stderrs):
    cards = ("2c 3c 4c", "5c 6c 7c", "8c 9c Tc")
    rows = [
        {"pass": name, "equity": 0.3 - loss, "stderr": 0.05, "loss": loss, "loss_stderr": stderr}
        for name, loss, stderr in zip(cards, losses, stderrs)
    ]
    return {"game": "anaconda", "hand": "...", "n_players": 4, "policy": "lowest", "rows": rows}


def test_passes_that_are_not_told_apart_from_the_best_look_different():
    """The loss is measured on the same deals, so that its error and not that of the equities decides."""
    figure = draw("pass", passes([0.0, 0.01, 0.1], [0.0, 0.01, 0.01]))
    assert title(figure) == "...: pass 2c 3c 4c (30.0\u00a0%) or one other"
    assert "not told apart from the best" in legend(figure)
    widths = {bar.get_facecolor(): bar.get_width() for bar in figure.axes[0].patches}
    assert widths[figure.axes[0].patches[-1].get_facecolor()] == pytest.approx(29.0)
    clear = draw("pass", passes([0.0, 0.05, 0.1], [0.0, 0.01, 0.01]))
    assert title(clear) == "...: pass 2c 3c 4c (30.0\u00a0%)"
    assert "not told apart from the best" not in legend(clear)
    unknown = draw("pass", passes([0.0, 0.05, 0.1], [0.0, None, None]))
    assert title(unknown).endswith("or one of two others")


def spans(axes):
    """Ends of all horizontal whiskers."""
    found = [c for c in axes.containers if getattr(c, "has_xerr", False)]
    return [tuple(segment[:, 0]) for container in found for segment in container.lines[2][0].get_segments()]


def test_intervals_of_shares_keep_between_nothing_and_all():
    rows = [
        {"category": "pair", "probability": 0.01, "stderr": 0.01, "ci_low": 0.002, "ci_high": 0.05},
        {"category": "flush", "probability": 0.99, "stderr": 0.01, "ci_low": 0.95, "ci_high": 0.998},
    ]
    figure = draw("pass exposed", {"exposed": "As", "policy": "lowest", "rows": rows})
    assert spans(figure.axes[0]) == [pytest.approx((0.2, 5.0)), pytest.approx((95.0, 99.8))]


def shares(stderr):
    row = {"category": "pair", "before": 0.4, "after": 0.01, "winner": 0.99}
    return [row | {"after_stderr": stderr, "winner_stderr": stderr}]


def test_shares_after_passing_have_intervals_that_are_wider_than_their_marks():
    results = {"n_players": 4, "policy": "lowest", "rows": shares(0.1)}
    figure = draw("pass hands", results)
    (marks,) = [line for line in figure.axes[0].lines if line.get_marker() == "D"]
    assert marks.get_markersize() < 2 * 2.5  # between the ends of the caps
    assert spans(figure.axes[0]) == [pytest.approx((0, 1 + 19.6), abs=0.01), pytest.approx((79.4, 100), abs=0.01)]
    assert "95\u00a0% interval" in legend(figure)
    unknown = draw("pass hands", results | {"rows": shares(None)})
    assert "95\u00a0% interval" not in legend(unknown)
    assert "too few deals to tell the errors" in detail(unknown)


# Indian poker


def test_strategies_that_summarise_the_cards_are_refused_in_words():
    row = {"seat": None, "sees": "best 2 (has not acted), next equal", "history": "", "action": "fold", "prob": 0.0}
    results = {"n_players": 3, "strategy": [row], "value": [0.0] * 3, "nash_conv": 0.1}
    with pytest.raises(InputError, match="suits break ties"):
        draw("indian solve", results)


def test_cards_in_suits_are_named_by_rank():
    figure = gs.indian_solve(2, ties="suits").plot()
    figure.draw_without_rendering()
    axes = figure.axes[-1]
    assert tick_names(axes.xaxis) == list("23456789TJQKA")
    assert not overlapping(axes.get_xticklabels())
    sizes = {bar.get_x() + bar.get_width() / 2: 0 for bar in axes.patches}
    assert len(sizes) == 52
    assert "clubs, diamonds, hearts, spades" in axes.get_xlabel()


def test_grids_leave_room_for_the_words_above_and_below():
    figure = gs.indian_solve(3, target=0.05, settlement="guts").plot()
    figure.draw_without_rendering()
    words = [figure.texts[1], *(axes._left_title for axes in figure.axes), *(axes.xaxis.label for axes in figure.axes)]
    words.append(figure.legends[0])
    assert not overlapping(words)


def test_a_value_that_is_nothing_has_no_sign():
    results = gs.indian_solve(2).results | {"value": [-1e-9, 1e-9]}
    assert "seat 1 is worth 0.0000" in title(draw("indian solve", results))


# Odds


def odds_rows(*equities, **more):
    return [
        {"opponents": n, "win": p, "tie": 0.0, "lose": 1 - p, "equity": p, "stderr": 0.0} | more
        for n, p in enumerate(equities, 1)
    ]


def test_nothing_won_in_a_sample_has_an_interval_that_stays_on_the_axis():
    rows = odds_rows(0.0, ci_low=0.0, ci_high=0.037)
    figure = draw("odds", {"hand": "32", "cards": "3s 2d", "rows": rows})
    assert spans(figure.axes[0]) == [pytest.approx((0.0, 3.7))]
    assert "equity, 95\u00a0% interval" in legend(figure)
    sampled = gs.odds("3s 2d", n_players=4, method="mc", deals=100, **RUN).plot()
    assert min(low for low, _ in spans(sampled.axes[0])) >= 0.0


def test_unknown_errors_of_odds_are_not_promised_as_intervals():
    rows = odds_rows(0.5, 0.3, stderr=None)
    figure = draw("odds", {"hand": "32", "cards": "3s 2d", "rows": rows})
    assert "equity" in legend(figure)
    assert detail(figure).endswith("too few deals to tell the errors")
    worth = {"field": {"spec": "A4+", "entry_prob": 0.18}, "ev_in": 0.2, "ev_out": 0.05, "delta": 0.15, "advice": "in"}
    figure = draw("odds", {"hand": "32", "cards": "3s 2d", "rows": rows, "delta_stderr": None} | worth)
    assert "+0.1500 (error unknown) pots per deal" in detail(figure)


def test_numbers_on_bars_never_round_up_to_certainty():
    figure = draw("odds", {"hand": "AAA", "cards": "As Ad Ac", "rows": odds_rows(0.99981, 1.0)})
    assert [text.get_text() for text in figure.axes[0].texts] == ["99.98", "100.0"]


def test_numbers_on_bars_stand_over_the_whiskers():
    axes = draw("odds", {"hand": "32", "cards": "3s 2d", "rows": odds_rows(0.5, stderr=0.3)}).axes[0]
    (whiskers,) = next(c for c in axes.containers if getattr(c, "has_xerr", False)).lines[2]
    for text in axes.texts:
        assert text.get_zorder() > whiskers.get_zorder()
        assert text.get_bbox_patch() is not None


# Tables and coalitions


@pytest.mark.parametrize(
    ("stderr", "words"),
    [
        (0.0, "(counted exactly)"),
        (None, "(too few deals to tell the errors)"),
        ([0.0] * 8 + [None], "(some counted exactly; too few deals to tell some errors)"),
        ([0.01] * 8 + [None], "; too few deals to tell some errors)"),
    ],
    ids=str,
)
def test_a_table_whose_errors_are_unknown_is_not_called_exact(stderr, words):
    results = dict(gs.threshold_table(2).results)
    errors = stderr if isinstance(stderr, list) else [stderr] * 9
    results["hands"] = [row | {"stderr": errors} for row in results["hands"]]
    assert detail(draw("threshold table", results)).endswith(words)


def coalition(value, stderr):
    equilibrium = {"value": value, "stderr": stderr}
    rows = [{"colluders": 2, "value_at_equilibrium": value, "value": None}]
    base = {"n_players": 5, "colluders": 2, "hands": "cards", "cards": 2, "shared_cards": False, "honest": None}
    return base | {"rows": rows, "value": None, "equilibrium": equilibrium}


@pytest.mark.parametrize(
    ("value", "stderr", "words"),
    [
        (0.0409, 0.001, "gains 0.0409 antes a pot"),
        (-0.0409, 0.001, "loses 0.0409 antes a pot"),
        (0.0409, 0.03, "loses \u22120.0409 ± 0.0588 antes a pot, within the error of 0"),
        (0.0409, None, "gains 0.0409 antes a pot"),
    ],
)
def test_a_player_may_gain_from_a_coalition(value, stderr, words):
    figure = draw("coalition", coalition(value, stderr))
    assert title(figure) == f"Two of five collude: a player at the equilibrium {words}"
    (bar,) = figure.axes[0].patches
    assert bar.get_width() == pytest.approx(-value)
    low, high = figure.axes[0].get_xlim()
    assert low <= min(0.0, -value) <= max(0.0, -value) <= high
    assert detail(figure).endswith("too few deals to tell the errors") == (stderr is None)
    assert ("95\u00a0% interval" in legend(figure)) == (stderr is not None)


# Growth of the pot


def cascade(**switches):
    return gs.cascade(5, method="mc", cycles=500, **{"cap": None, "reserve": False} | RUN | switches)


def has_power_law(figure):
    return any(label.startswith("power law") for label in legend(figure))


def test_cycles_that_were_stopped_are_counted_and_no_end_is_claimed():
    result = gs.cascade(10, field="top:70%", rules="home", cards=2, method="mc", cycles=200, **RUN)
    stopped = result.results["given_up"]["outgrown"]
    assert stopped > 150
    words = detail(result.plot())
    assert f"of 200 cycles {200 - stopped} were played to the end, {stopped} were stopped because pots grew" in words
    assert "probability" not in words
    assert "a cycle ends with probability 1." in detail(cascade(field="top:30%").plot())


@pytest.mark.parametrize(
    ("multiplier", "half", "claim"),
    [
        (1.02, 0.05, "; whether it grows is not decided"),
        (1.10, 0.05, ", so it grows"),
        (0.90, 0.05, ", so it shrinks"),
        (1.0, 0.0, ", so it keeps its size"),
    ],
)
def test_growth_is_claimed_only_where_the_interval_decides_it(multiplier, half, claim):
    ends = {"ci_low": multiplier - half, "ci_high": multiplier + half}
    results = gs.cascade(5, field="top:50%", cap=None, reserve=False).results | {"expected_multiplier": multiplier}
    results |= {end: {"expected_multiplier": value} for end, value in ends.items()}
    assert title(draw("cascade", results)).endswith(f"on average{claim}")


@pytest.mark.parametrize(
    "switches", [{"cap": 20, "reserve": True}, {"match_limit": 9}, {"pays": "lowest"}, {"ghost": "all"}], ids=str
)
def test_sampled_pots_that_a_rule_bounds_have_no_power_law(switches):
    assert has_power_law(cascade(field="top:50%").plot())
    bounded = cascade(field="top:50%", **switches)
    assert bounded.results["tail_index"] is not None
    assert not has_power_law(bounded.plot())


def test_the_cap_is_marked_with_the_share_of_cycles_that_get_there():
    for cap, multiple in ((50, 10), (20, 4), (12, 2.4)):  # five players ante one chip each
        result = gs.cascade(5, field="top:50%", cap=cap, reserve=True)
        figure = result.plot()
        (line,) = [line for line in figure.axes[0].lines if line.get_label() == f"cap, {cap} chips"]
        assert line.get_xdata()[0] == multiple
        (reached,) = [row["p_peak_at_least"] for row in result.results["peak"]["survival"] if row["chips"] == cap]
        assert [text.get_text() for text in figure.axes[0].texts] == [f"{100 * reached:.1f}\u00a0% reach the cap"]


def test_whiskers_end_on_the_axis():
    result = cascade(field="top:40%")
    rows = [row for row in result.results["peak"]["survival"] if row["p_peak_at_least"]]
    assert 0.0 < result.plot().axes[0].get_ylim()[0] < min(row["ci_low"] for row in rows)


# Best replies


def by_pot(*entries):
    policy = [
        {"pot": 4 * i, "reserve": 0, "entry_prob": p, "worth": 1.0 * i, "threshold": True}
        for i, p in enumerate(entries, 1)
    ]
    worth = {"value": 0.1, "stderr": 0.0}
    other = {"spec": "equilibrium", "entry_prob": 0.3, "value": worth}
    head = {"n_players": 4, "looks_at_pot": True, "looks_at_stack": False, "field": {"spec": "$x$", "entry_prob": 0.2}}
    return head | {"policy": policy, "equilibrium_strategy": other, "value": worth}


@pytest.mark.parametrize(
    ("entries", "claim"),
    [
        ((0.2, 0.3, 0.3, 0.4), "gets looser: 20.00\u00a0% of hands at a pot of 4, 40.00\u00a0% at 16"),
        ((0.4, 0.3, 0.2), "gets tighter: 40.00\u00a0% of hands at a pot of 4, 20.00\u00a0% at 12"),
        ((0.2, 0.5, 0.4), "moves between 20.00\u00a0% and 50.00\u00a0% of hands with the pot"),
        ((0.2, 0.1, 0.2), "moves between 10.00\u00a0% and 20.00\u00a0% of hands with the pot"),
        ((0.2, 0.2), "enters with 20.00\u00a0% of hands at every pot"),
    ],
)
def test_a_reply_has_a_direction_only_if_it_never_turns(entries, claim):
    figure = draw("best-response", by_pot(*entries))
    assert title(figure) == f"The best reply {claim}"
    assert "equilibrium" in legend(figure)
    figure.draw_without_rendering()
    ticks = figure.axes[-1].get_xticks()
    assert list(ticks) == [round(tick) for tick in ticks]


def test_replies_found_on_sampled_deals_say_so():
    results = by_pot(0.2, 0.3)
    assert "sampled" not in detail(draw("best-response", results))
    for stderr in (None, 0.01):
        sampled = results | {"value": {"value": 0.1, "stderr": stderr}}
        assert "sampled deals" in detail(draw("best-response", sampled))


@pytest.mark.parametrize("value", [0.0, 0.25, -0.25])
def test_bars_of_replies_have_numbers_and_room(value):
    worth = {"value": value, "stderr": 0.0, "ci_low": value, "ci_high": value}
    row = {"pot": None, "reserve": None, "entry_prob": 0.3}
    results = by_pot(0.2) | {"looks_at_pot": False, "value": worth, "policy": [row], "supercritical": False}
    results["equilibrium_strategy"] = results["equilibrium_strategy"] | {"value": worth}
    figure = draw("best-response", results)
    axes = figure.axes[0]
    assert [text.get_text() for text in axes.texts] == 2 * [signed(value, 4)]
    low, high = axes.get_xlim()
    assert low <= min(value, 0.0)
    assert high > max(value, 0.0)
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in axes.texts]
    assert all(axes.bbox.x0 <= box.x0 and box.x1 <= axes.bbox.x1 for box in boxes)


# Caps and entry rates


def test_columns_keep_within_all_hands_and_off_the_critical_rate():
    results = gs.phase_diagram(5, entries=[0.02, 0.2, 0.35, 0.5, 0.9], caps=[None, 20]).results
    critical = 100 * results["critical_entry"]
    mesh = draw("cascade sweep", results).axes[1].collections[0]
    sides = mesh.get_coordinates()[0, :, 0]
    assert sides[0] == 0.0
    assert sides[-1] == 100.0
    assert sides[3] == pytest.approx(critical)
    assert list(sides[1:3]) == pytest.approx([11.0, 27.5])
    assert sides[4] == pytest.approx(70.0)


def test_a_line_outside_the_frame_is_not_spoken_of():
    outside = gs.phase_diagram(5, entries=[0.9], caps=[None, 20]).plot()
    assert not outside.axes[1].lines
    assert "line" not in detail(outside)
    inside = gs.phase_diagram(5, entries=[0.2, 0.9], caps=[None, 20]).plot()
    assert len(inside.axes[1].lines) == 1
    assert "Right of the line" in detail(inside)


def test_a_cap_below_the_antes_is_said():
    figure = gs.cascade(5, field="top:50%", cap=3, reserve=True).plot()
    assert [text.get_text() for text in figure.axes[0].texts] == ["the cap is below the antes"]


def test_the_line_of_the_cap_is_within_the_frame_or_left_out():
    for cap, is_drawn in ((200, True), (10**6, False)):
        rules = {"cap": cap, "reserve": False, "ante_every_round": True}
        axes = gs.cascade(5, field="top:50%", method="mc", cycles=50, **rules, **RUN).plot().axes[0]
        lines = [line.get_xdata()[0] for line in axes.lines if str(line.get_label()).startswith("cap")]
        assert lines == ([cap / 5] if is_drawn else [])
        assert all(line < axes.get_xlim()[1] for line in lines)
