"""What charts claim: winners, directions and errors, as far as the numbers bear them out; and names as users wrote them."""

import matplotlib as mpl
import numpy as np
import pytest

import guts_sim as gs
from guts_sim.plotting import About, draw
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
