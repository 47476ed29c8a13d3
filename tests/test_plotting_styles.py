"""Every kind of chart in a dark style, and on its page."""

from functools import cache

import matplotlib as mpl
import pytest
from matplotlib.collections import LineCollection, QuadMesh
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.style import library
from matplotlib.text import Text

import guts_sim as gs
from guts_sim.plotting import CHARTS, draw

RUN = {"seed": 1, "workers": 1, "progress": False}
BLACK = (0.0, 0.0, 0.0)
PLAYERS = {"$one$": "always", "two": "top:40%", "three": "equilibrium"}


def hand_table():
    rows = [{"category": "pair", "hands": 78, "probability": 1 / 17}]
    return {
        "n_hands": 1326,
        "n_classes": 91,
        "rows": [*rows, {"category": "high", "hands": 1248, "probability": 16 / 17}],
    }


def odds_table():
    names = list(reversed(gs.class_names("guts2")))
    rows = [{"hand": name, "against_1": 1 - i / 91, "against_2": (1 - i / 91) ** 2} for i, name in enumerate(names)]
    return {"rows": rows}


def coalition_table():
    return {"rows": [{"n_players": n, "value_at_equilibrium": -0.1 * n, "value": -0.02 * n} for n in (3, 4, 5)]}


STUDIES = {
    "threshold": lambda: gs.threshold(4, field="top:30%"),
    "odds": lambda: gs.odds("7s 2d", n_players=6, method="mc", deals=500, **RUN),
    "indian": lambda: gs.indian("K"),
    "indian solve": lambda: gs.indian_solve(2),
    "indian session": lambda: gs.indian_session(["bluff:30%", "loose"], sessions=50, **RUN),
    "cascade": lambda: gs.cascade(5, field="top:50%", cap=50, reserve=True, method="mc", cycles=200, **RUN),
    "cascade sweep": lambda: gs.phase_diagram(5, entries=[0.2, 0.5, 1.0], caps=[None, 20]),
    "session": lambda: gs.session(players=PLAYERS, sessions=50, **RUN),
    "session course": lambda: gs.session_course(players=PLAYERS, sessions=50, cycles=4, points=2, **RUN),
    "threshold table": lambda: gs.threshold_table(2),
    "best-response": lambda: gs.best_response(3, cards=2, field="top:30%", ante_every_round=True, cap=12, reserve=True),
    "coalition": lambda: gs.coalition(3, cards=2, shared_cards=True, deals=2000, **RUN),
    "anaconda": lambda: gs.anaconda(3, strategies=["solid", "loose", "tight"], deals=100, **RUN),
    "anaconda tournament": lambda: gs.anaconda_tournament(3, deals=50, **RUN),
    "anaconda orders": lambda: gs.anaconda_orders(3, deals=50, **RUN),
    "pass": lambda: gs.pass_values("As Ks Qd Jd 9c 8c 2h", deals=200, **RUN),
    "pass tournament": lambda: gs.pass_tournament(4, deals=100, hands=5, policies=("lowest", "random"), **RUN),
    "pass hands": lambda: gs.pass_hands(4, deals=200, **RUN),
    "pass exposed": lambda: gs.pass_exposed("As Ks", deals=200, **RUN),
}
TABLES = {"hands table": hand_table, "odds table": odds_table, "coalition table": coalition_table}
RULE_OF_THUMB = {"rule": "F1", "cards": 2, "n_players": 4, "holds": True}


@cache
def results_of(kind):
    """Return the results of a short study and what its chart knows about them."""
    if kind == "folklore":
        findings = [RULE_OF_THUMB, RULE_OF_THUMB | {"n_players": 5, "holds": False}]
        return {"findings": findings, "rules": [{"rule": "F1", "verdicts": {"2": "holds"}}]}
    return TABLES[kind]() if kind in TABLES else STUDIES[kind]().results


def is_map(axes):
    return axes is not None and bool(axes.images or any(isinstance(one, QuadMesh) for one in axes.collections))


def is_black(artist):
    if isinstance(artist, LineCollection):
        return any(tuple(colour[:3]) == BLACK for colour in artist.get_colors())
    return to_rgb(artist.get_color()) == BLACK


@pytest.mark.parametrize("kind", CHARTS)
def test_nothing_is_black_on_black(kind):
    """Cells of maps have colours of their own, and outlined lines stand out from anything."""
    with mpl.rc_context(library["dark_background"]):
        figure = draw(kind, results_of(kind))
        figure.draw_without_rendering()
    assert to_rgb(figure.get_facecolor()) == BLACK
    artists = [*figure.findobj(Text), *figure.findobj(Line2D), *figure.findobj(LineCollection)]
    seen = [one for one in artists if one.get_visible() and not is_map(one.axes) and not one.get_path_effects()]
    assert len(seen) > 10
    assert [one for one in seen if is_black(one)] == []


@pytest.mark.parametrize("kind", CHARTS)
def test_every_kind_fits_on_its_page(kind):
    figure = draw(kind, results_of(kind))
    figure.draw_without_rendering()
    box = figure.get_tightbbox()
    width, height = figure.get_size_inches()
    assert min(box.x0, box.y0) >= -0.01
    assert box.x1 <= width + 0.01
    assert box.y1 <= height + 0.01


@pytest.mark.parametrize("kind", CHARTS)
def test_headings_stand_clear_of_the_panels(kind):
    figure = draw(kind, results_of(kind))
    figure.draw_without_rendering()
    lowest = min(text.get_window_extent().y0 for text in figure.texts[:2])
    for axes in figure.axes:
        if axes.get_visible():
            assert axes.get_tightbbox().y1 <= lowest + 1
