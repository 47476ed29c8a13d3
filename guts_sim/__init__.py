"""Odds, entry thresholds and equilibria of home poker games, exact where counting is possible.

The usual way in:

>>> import guts_sim as gs
>>> result = gs.threshold(5)
>>> result.results["threshold"]["hand"]
'A4'

A study answers one question and returns a frozen `Result`, with ``results`` (plain numbers), ``frame`` (a table),
``summary()``, ``plot()`` and ``save()``. Sampled results can be continued with ``extend`` where their class has it.

**Guts**

- `threshold`: with which hands to enter; `threshold_table`: for every number of players
- `odds`: chances of a hand, in or out; `odds_table`: of every hand
- `cascade`: how the pot grows; `phase_diagram`, `critical_entry`: where it grows without bound
- `session`, `session_course`: balances over many cycles
- `best_response`: what wins most from given opponents; `coalition`: what colluders win
- `settle`: who pays what in one round; `list_rules`, `show_rules`: the rules in words
- `folklore`: rules of thumb, put to the test

**Anaconda and passing**: `pass_values`, `pass_hands`, `pass_exposed`, `pass_tournament`, `pass_levels`, `pass_cards`;
whole hands with betting: `anaconda`, `anaconda_hand`, `anaconda_orders`, `anaconda_tournament`

**Indian poker**: `indian`, `indian_solve`, `indian_session`

**Hands and cards**: `rank_hand`, `compare_hands`, `frequency_table`; for arrays `deal`, `rank_hands`, `hand_class`;
`get_ranking`, `class_names`, `class_index`, `class_frequencies`; `parse_cards`, `format_cards`

**Rules and strategies**: `GutsRules`, `get_rules`, ``PROFILES`` (ready rule sets by name), `IndianRules`; `Strategy`,
`Plan`, `Case`, `Span`, `parse_field`, `parse_strategy`, `read_strategy`

**Many runs**: `sweep`, `simulate_rounds`, `simulate_tables`, `run_blocks`; `load`, `rerun`, `reproduce`, `verify`

Whatever a user gives that cannot be used is an `InputError` of one line. More is in `guts_sim.passing` (policies),
`guts_sim.games.anaconda` (the referee), `guts_sim.games.anaconda_strategy` and `guts_sim.engine.cluster` (Dask).

Names are imported when they are first used, so that importing the package costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from guts_sim._version import __version__

if TYPE_CHECKING:
    from guts_sim.cards import format_cards, parse_cards
    from guts_sim.engine import RunStatus, deal, run_blocks
    from guts_sim.engine.rounds import RoundCounts, simulate_rounds
    from guts_sim.engine.tables import TableCounts, simulate_tables
    from guts_sim.errors import InputError
    from guts_sim.games.indian import IndianRules
    from guts_sim.hands import Ranking, class_frequencies, class_index, class_names, get_ranking, hand_class, rank_hands
    from guts_sim.passing import pass_cards
    from guts_sim.results import Result
    from guts_sim.rules import PROFILES, GutsRules, get_rules
    from guts_sim.strategy import Case, Plan, Span, Strategy, parse_field, parse_strategy, read_strategy
    from guts_sim.studies.anaconda import anaconda, anaconda_orders, anaconda_tournament
    from guts_sim.studies.anaconda_log import anaconda_hand
    from guts_sim.studies.best_response import best_response
    from guts_sim.studies.cascade import CascadeResult, cascade
    from guts_sim.studies.coalition import coalition
    from guts_sim.studies.folklore import folklore
    from guts_sim.studies.hands import Comparison, FrequencyTable, RankedHand, compare_hands, frequency_table, rank_hand
    from guts_sim.studies.indian import indian
    from guts_sim.studies.indian_session import indian_session
    from guts_sim.studies.indian_solve import indian_solve
    from guts_sim.studies.odds import OddsResult, odds
    from guts_sim.studies.passing import PassResult, pass_values
    from guts_sim.studies.passing_exposed import pass_exposed
    from guts_sim.studies.passing_guts import GutsPassResult
    from guts_sim.studies.passing_levels import pass_levels
    from guts_sim.studies.passing_tables import pass_hands, pass_tournament
    from guts_sim.studies.phase import critical_entry, phase_diagram
    from guts_sim.studies.reference_tables import odds_table, threshold_table
    from guts_sim.studies.replay import load, rerun
    from guts_sim.studies.reproduction import reproduce
    from guts_sim.studies.rulebook import list_rules, show_rules
    from guts_sim.studies.session import SessionResult, session
    from guts_sim.studies.session_course import session_course
    from guts_sim.studies.settle import settle
    from guts_sim.studies.sweep import sweep
    from guts_sim.studies.threshold import ThresholdResult, threshold
    from guts_sim.studies.verification import verify

_HOME = {
    "guts_sim.cards": ("format_cards", "parse_cards"),
    "guts_sim.engine": ("RunStatus", "deal", "run_blocks"),
    "guts_sim.engine.rounds": ("RoundCounts", "simulate_rounds"),
    "guts_sim.engine.tables": ("TableCounts", "simulate_tables"),
    "guts_sim.errors": ("InputError",),
    "guts_sim.games.indian": ("IndianRules",),
    "guts_sim.hands": (
        "Ranking",
        "class_frequencies",
        "class_index",
        "class_names",
        "get_ranking",
        "hand_class",
        "rank_hands",
    ),
    "guts_sim.passing": ("pass_cards",),
    "guts_sim.results": ("Result",),
    "guts_sim.rules": ("PROFILES", "GutsRules", "get_rules"),
    "guts_sim.strategy": ("Case", "Plan", "Span", "Strategy", "parse_field", "parse_strategy", "read_strategy"),
    "guts_sim.studies.anaconda": ("anaconda", "anaconda_orders", "anaconda_tournament"),
    "guts_sim.studies.anaconda_log": ("anaconda_hand",),
    "guts_sim.studies.best_response": ("best_response",),
    "guts_sim.studies.cascade": ("CascadeResult", "cascade"),
    "guts_sim.studies.coalition": ("coalition",),
    "guts_sim.studies.folklore": ("folklore",),
    "guts_sim.studies.hands": (
        "Comparison",
        "FrequencyTable",
        "RankedHand",
        "compare_hands",
        "frequency_table",
        "rank_hand",
    ),
    "guts_sim.studies.indian": ("indian",),
    "guts_sim.studies.indian_session": ("indian_session",),
    "guts_sim.studies.indian_solve": ("indian_solve",),
    "guts_sim.studies.odds": ("OddsResult", "odds"),
    "guts_sim.studies.passing": ("PassResult", "pass_values"),
    "guts_sim.studies.passing_exposed": ("pass_exposed",),
    "guts_sim.studies.passing_guts": ("GutsPassResult",),
    "guts_sim.studies.passing_levels": ("pass_levels",),
    "guts_sim.studies.passing_tables": ("pass_hands", "pass_tournament"),
    "guts_sim.studies.phase": ("critical_entry", "phase_diagram"),
    "guts_sim.studies.reference_tables": ("odds_table", "threshold_table"),
    "guts_sim.studies.replay": ("load", "rerun"),
    "guts_sim.studies.reproduction": ("reproduce",),
    "guts_sim.studies.rulebook": ("list_rules", "show_rules"),
    "guts_sim.studies.session": ("SessionResult", "session"),
    "guts_sim.studies.session_course": ("session_course",),
    "guts_sim.studies.settle": ("settle",),
    "guts_sim.studies.sweep": ("sweep",),
    "guts_sim.studies.threshold": ("ThresholdResult", "threshold"),
    "guts_sim.studies.verification": ("verify",),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "PROFILES",
    "CascadeResult",
    "Case",
    "Comparison",
    "FrequencyTable",
    "GutsPassResult",
    "GutsRules",
    "IndianRules",
    "InputError",
    "OddsResult",
    "PassResult",
    "Plan",
    "RankedHand",
    "Ranking",
    "Result",
    "RoundCounts",
    "RunStatus",
    "SessionResult",
    "Span",
    "Strategy",
    "TableCounts",
    "ThresholdResult",
    "__version__",
    "anaconda",
    "anaconda_hand",
    "anaconda_orders",
    "anaconda_tournament",
    "best_response",
    "cascade",
    "class_frequencies",
    "class_index",
    "class_names",
    "coalition",
    "compare_hands",
    "critical_entry",
    "deal",
    "folklore",
    "format_cards",
    "frequency_table",
    "get_ranking",
    "get_rules",
    "hand_class",
    "indian",
    "indian_session",
    "indian_solve",
    "list_rules",
    "load",
    "odds",
    "odds_table",
    "parse_cards",
    "parse_field",
    "parse_strategy",
    "pass_cards",
    "pass_exposed",
    "pass_hands",
    "pass_levels",
    "pass_tournament",
    "pass_values",
    "phase_diagram",
    "rank_hand",
    "rank_hands",
    "read_strategy",
    "reproduce",
    "rerun",
    "run_blocks",
    "session",
    "session_course",
    "settle",
    "show_rules",
    "simulate_rounds",
    "simulate_tables",
    "sweep",
    "threshold",
    "threshold_table",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from guts_sim.interruption import uninterrupted

    with uninterrupted():
        value = getattr(import_module(_MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
