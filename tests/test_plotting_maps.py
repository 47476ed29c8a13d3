"""Charts made of cells: caps against entry rates, and what three players of Indian poker do by the cards they see."""

import itertools

import numpy as np
import pytest
from matplotlib.collections import PolyCollection, QuadMesh

import guts_sim as gs
from guts_sim.errors import InputError
from guts_sim.plotting import About, draw
from guts_sim.plotting.indian_grid import MOST_PANELS, RANKS, deal_weights, draw_grids, probability_of
from guts_sim.plotting.phase import MOST_NUMBERS, rounded_percentage


def title(figure):
    return figure.texts[0].get_text().replace("\n", " ")


def words(axes):
    return [text.get_text() for text in axes.texts]


# Caps and entry rates


@pytest.fixture(scope="module")
def diagram():
    return gs.phase_diagram(5, entries=[0.3, 0.5, 1.0], caps=[None, 20, 5])


@pytest.fixture(scope="module")
def phase(diagram):
    return draw("cascade sweep", diagram.results)


def mesh_of(axes):
    (mesh,) = [found for found in axes.collections if isinstance(found, QuadMesh)]
    return mesh


def test_every_cell_of_the_map_is_the_probability_that_a_cycle_ends(diagram, phase):
    _, lower = phase.axes
    assert [label.get_text() for label in lower.get_yticklabels()] == ["5", "20", "no cap"]
    ends = {(row["cap"], row["entry"]): row["p_cycle_ends"] for row in diagram.rows}
    expected = [[100 * ends[cap, entry] for entry in (0.3, 0.5, 1.0)] for cap in (5, 20, None)]
    assert mesh_of(lower).get_array().tolist() == expected
    assert words(lower) == [rounded_percentage(p / 100) for row in expected for p in row]
    assert expected[2] == [100.0, 100.0, 0.0]  # without a cap a pot is taken at last unless nobody ever stays out
    assert expected[0][0] == 100.0


def test_columns_meet_half_way_between_entry_rates_or_where_the_pot_begins_to_grow(diagram, phase):
    critical = 100 * diagram.results["critical_entry"]
    sides = mesh_of(phase.axes[1]).get_coordinates()[0, :, 0].tolist()
    assert sides == pytest.approx([20, critical, 75, 100])


def test_the_critical_entry_rate_is_marked_in_both_panels(diagram, phase):
    critical = 100 * diagram.results["critical_entry"]
    assert critical == pytest.approx(36.87, abs=0.01)
    for axes in phase.axes:
        assert any(set(line.get_xdata()) == {critical} for line in axes.lines)
    assert title(phase) == "5 players: the pot grows on average above an entry rate of 36.9\u00a0%"


def test_a_pot_that_never_grows_has_no_critical_line():
    figure = draw("cascade sweep", gs.phase_diagram(2, entries=[0.5], caps=[None]).results)
    assert title(figure) == "2 players: the pot shrinks on average at every entry rate"
    assert not figure.axes[1].lines
    sides = mesh_of(figure.axes[1]).get_coordinates()[0, :, 0].tolist()
    assert sides == pytest.approx([47.5, 52.5])
    figure.draw_without_rendering()
    assert figure.get_tightbbox().y0 >= -0.01


def test_many_entry_rates_get_a_scale_instead_of_numbers():
    entries = [round(share, 3) for share in np.linspace(0.03, 0.9, MOST_NUMBERS + 1)]
    figure = draw("cascade sweep", gs.phase_diagram(3, entries=entries, caps=[None, 9]).results)
    assert not words(figure.axes[1])
    (side,) = figure.axes[1].child_axes
    assert side.get_ylim() == (0, 100)


@pytest.mark.parametrize(
    ("p", "text"), [(0.0, "0"), (0.0049, "<1"), (0.5173, "52"), (0.9949, "99"), (0.9951, ">99"), (1.0, "100")]
)
def test_what_is_not_certain_never_reads_0_or_100(p, text):
    assert rounded_percentage(p) == text


# Three players of Indian poker


@pytest.fixture(scope="module")
def solved():
    return gs.indian_solve(3, target=0.05).results


@pytest.fixture(scope="module")
def mixes(solved):
    found = {}
    for row in solved["strategy"]:
        mix = found.setdefault((row["history"], row["seat"]), {})
        first, second = (RANKS.index(card) for card in row["sees"].split())
        mix.setdefault(row["action"], np.zeros((13, 13)))[first, second] = row["prob"]
    return found


def test_deals_of_three_ranks_are_as_likely_as_with_real_cards():
    weights = deal_weights()
    assert weights.sum() == pytest.approx(1)
    assert weights[3, 3, 3] == pytest.approx(4 * 3 * 2 / (52 * 51 * 50))
    assert weights[3, 3, 4] == weights[3, 4, 3] == pytest.approx(4 * 3 * 4 / (52 * 51 * 50))
    assert weights[0, 1, 2] == pytest.approx(64 / (52 * 51 * 50))


def test_reach_counted_deal_by_deal(mixes):
    """Naive twin: the likelihood of check, bet, fold over all ranks of the three players."""
    total = 0.0
    for a, b, c in itertools.product(range(13), repeat=3):
        ways = 4 * (4 - (b == a)) * (4 - (c == a) - (c == b))
        taken = mixes["", 1]["check"][b, c] * mixes["check", 2]["bet"][a, c] * mixes["check bet", 3]["fold"][a, b]
        total += ways * taken / (52 * 51 * 50)
    assert probability_of(("check bet fold", 1), mixes) == pytest.approx(total, rel=1e-12)


def test_what_a_seat_does_leads_somewhere(mixes):
    """Reach splits between the actions of a seat; only bets, checks and folds follow one another here."""
    assert probability_of(("", 1), mixes) == pytest.approx(1)
    after_one = [probability_of((action, 2), mixes) for action in ("check", "bet", "fold")]
    assert sum(after_one) == pytest.approx(1)


def test_the_likeliest_spots_are_drawn_and_every_cell_is_full(solved, mixes):
    figure = draw("indian solve", solved)
    panels = [axes for axes in figure.axes if axes.get_visible()]
    assert len(panels) == MOST_PANELS < len(mixes)
    assert panels[0].get_title(loc="left") == "seat 1\n100.0\u00a0% of deals"
    likeliest = sorted((probability_of(spot, mixes) for spot in mixes), reverse=True)[:MOST_PANELS]
    shown = [float(axes.get_title(loc="left").split("\n")[1].split("\u00a0")[0]) for axes in panels]
    assert sorted(shown, reverse=True) == pytest.approx([100 * p for p in likeliest], abs=0.051)
    for axes in panels:
        cells = [path for found in axes.collections if isinstance(found, PolyCollection) for path in found.get_paths()]
        areas = [np.ptp(path.vertices[:, 0]) * np.ptp(path.vertices[:, 1]) for path in cells]
        assert sum(areas) == pytest.approx(13 * 13)


def test_the_cards_seen_are_named_by_seat(solved):
    figure = draw("indian solve", solved)
    after_check = next(axes for axes in figure.axes if axes.get_title(loc="left").startswith("seat 2 after check\n"))
    assert (after_check.get_xlabel(), after_check.get_ylabel()) == ("card of seat 1", "card of seat 3")


def test_declarations_are_valued_in_pots():
    rules = gs.IndianRules(settlement="guts")
    three = gs.indian_solve(3, rules=rules, target=0.05).results
    figure = draw_grids(three, About())
    assert len(figure.axes) == 3
    assert any("pots above a fair share" in text.get_text() for text in figure.texts)
    two = draw("indian solve", gs.indian_solve(2, rules=rules).results)
    assert "pots above a fair share" in title(two)
    assert "chips a hand" in title(draw("indian solve", gs.indian_solve(2).results))


def test_more_than_three_players_are_refused_in_words(solved):
    with pytest.raises(InputError, match="more than three players has too many cases; use the table"):
        draw("indian solve", solved | {"n_players": 4})
