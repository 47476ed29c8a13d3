"""Charts of results, drawn without a display and without touching the state of pyplot."""

from collections.abc import Callable, Mapping
from typing import Any

from matplotlib.figure import Figure

from guts_sim.errors import InputError
from guts_sim.plotting.about import About
from guts_sim.plotting.anaconda import draw_anaconda, draw_anaconda_orders, draw_anaconda_tournament
from guts_sim.plotting.best_response import draw_best_response
from guts_sim.plotting.cascade import draw_cascade
from guts_sim.plotting.coalition import draw_coalition
from guts_sim.plotting.folklore import draw_folklore
from guts_sim.plotting.hand_table import draw_hand_table
from guts_sim.plotting.indian import draw_indian, draw_indian_session, draw_indian_solve
from guts_sim.plotting.odds import draw_odds
from guts_sim.plotting.passing import draw_exposed, draw_pass_hands, draw_passes, draw_tournament
from guts_sim.plotting.phase import draw_phase
from guts_sim.plotting.session import draw_session
from guts_sim.plotting.session_course import draw_session_course
from guts_sim.plotting.style import add_note, write_figure
from guts_sim.plotting.tables import draw_coalition_table, draw_odds_table, draw_threshold_table
from guts_sim.plotting.threshold import draw_threshold

__all__ = ["About", "draw", "write_figure"]

Results = Mapping[str, Any]

CHARTS: Mapping[str, Callable[[Results, About], Figure]] = {
    "threshold": draw_threshold,
    "odds": draw_odds,
    "indian": draw_indian,
    "indian solve": draw_indian_solve,
    "indian session": draw_indian_session,
    "hands table": draw_hand_table,
    "cascade": draw_cascade,
    "cascade sweep": draw_phase,
    "session": draw_session,
    "session course": draw_session_course,
    "threshold table": draw_threshold_table,
    "odds table": draw_odds_table,
    "coalition table": draw_coalition_table,
    "best-response": draw_best_response,
    "coalition": draw_coalition,
    "folklore": draw_folklore,
    "anaconda": draw_anaconda,
    "anaconda tournament": draw_anaconda_tournament,
    "anaconda orders": draw_anaconda_orders,
    "pass": draw_passes,
    "pass tournament": draw_tournament,
    "pass hands": draw_pass_hands,
    "pass exposed": draw_exposed,
}


def draw(command: str, results: Results, about: About | None = None) -> Figure:
    """Draw the answer of a study.

    Parameters
    ----------
    command : str
        Name of the study, as `guts_sim.results.Result.command` has it.
    results : mapping
        The study's plain results; they are read only.
    about : About, optional
        Rules and confidence of the answer, for what the chart says of them.

    Returns
    -------
    matplotlib.figure.Figure
        Not registered with pyplot: no window opens, nothing needs closing, and notebooks show it.

    Raises
    ------
    InputError
        There is no chart for this study.

    Examples
    --------
    >>> rows = [{"category": "pair", "hands": 78, "probability": 1 / 17},
    ...         {"category": "high card", "hands": 1248, "probability": 16 / 17}]
    >>> figure = draw("hands table", {"n_hands": 1326, "n_classes": 91, "rows": rows})
    >>> figure.axes[0].get_xlabel()
    'share of the 1,326 hands (%, logarithmic)'
    >>> draw("rules", {})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    guts_sim.errors.InputError: nothing to draw for rules; charts exist for threshold, odds, ...
    """
    if command not in CHARTS:
        raise InputError(f"nothing to draw for {command}; charts exist for {', '.join(CHARTS)}")
    about = About() if about is None else about
    figure = CHARTS[command](results, about)
    add_note(figure, about.note(command))
    return figure
