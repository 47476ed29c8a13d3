"""Chart of a `coalition` answer: what each honest player loses, by number of colluders."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from guts_sim.plotting.style import (
    DARK,
    SMALL_SIZE,
    STRIPED,
    TEXT_SIZE,
    add_legend,
    count_word,
    ink,
    new_chart,
    number_array,
    set_title,
)

BAR_HEIGHT = 0.36
INCHES_PER_ROW = 0.55


def draw_coalition(results: Mapping[str, Any]) -> Figure:
    """Draw what a coalition of each size costs an honest player, at the equilibrium and at his best reply.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.coalition` answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    rows = results["rows"]
    figure, (axes,) = new_chart(1.9 + INCHES_PER_ROW * len(rows))
    places = np.arange(len(rows))
    series = (
        ("value_at_equilibrium", "keeps to the equilibrium of an honest table", STRIPED, -0.5),
        ("value", "answers the coalition best", DARK, 0.5),
    )
    solved = results["hands"] == "continuous" or results["honest"] is not None
    for key, label, style, side in series if solved else series[:1]:
        loss = np.maximum(-number_array(rows, key), 0.0)
        loss[~np.isfinite(loss)] = np.nan
        where = places + side * BAR_HEIGHT
        axes.barh(where, np.nan_to_num(loss), BAR_HEIGHT, label=label, **style)
        for y, amount in zip(where, loss):
            text = "without bound" if np.isnan(amount) else f"{amount:.4f}"
            axes.annotate(
                text,
                (np.nan_to_num(amount), y),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=SMALL_SIZE,
                color=ink(),
            )
    axes.set_yticks(places, [str(row["colluders"]) for row in rows])
    axes.invert_yaxis()
    axes.margins(x=0.15)
    axes.set_ylabel("colluders", fontsize=TEXT_SIZE)
    axes.set_xlabel("loss of each honest player (antes per pot of one ante each)", fontsize=TEXT_SIZE)
    set_title(axes, _finding(results), _detail(results))
    add_legend(figure)
    return figure


def _finding(results: Mapping[str, Any]) -> str:
    n = count_word(results["n_players"])
    if results["hands"] == "cards" and results["honest"] is None:
        loss = -results["equilibrium"]["value"]
        return f"{results['colluders']} colluders among {n} cost a player at the equilibrium {loss:.3f} antes a pot"
    if results["value"] is None or not np.isfinite(results["value"]):
        return f"Of {n} players all but one can win without bound from the last"
    if abs(results["value"]) < 1e-9:
        return f"Among {n} players a coalition of {count_word(results['colluders'])} gains nothing"
    return (
        f"{results['colluders']} colluders among {n} cost an honest player {-results['value']:.4f} antes a pot at least"
    )


def _detail(results: Mapping[str, Any]) -> str:
    hands = "continuous hands" if results["hands"] == "continuous" else f"{results['cards']} cards"
    sees = "colluders see each other's cards" if results["shared_cards"] else "no cards shared"
    return f"{hands}, {sees}; several honest players all use one threshold."
