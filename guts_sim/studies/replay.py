"""Read saved results and repeat them."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from guts_sim.checks import shown
from guts_sim.engine.plans import low_ranking
from guts_sim.errors import InputError
from guts_sim.games.indian import IndianRules
from guts_sim.hands import class_index, class_names
from guts_sim.interruption import interruptible
from guts_sim.results import SCHEMA, Result, sidecar_of
from guts_sim.rules import GutsRules
from guts_sim.strategy import AnyPlan, Strategy, plan_from_data
from guts_sim.studies.anaconda import anaconda, anaconda_orders, anaconda_tournament
from guts_sim.studies.best_response import best_response
from guts_sim.studies.cascade import cascade
from guts_sim.studies.coalition import coalition
from guts_sim.studies.folklore import folklore
from guts_sim.studies.indian import indian
from guts_sim.studies.indian_session import indian_session
from guts_sim.studies.indian_solve import indian_solve
from guts_sim.studies.odds import odds
from guts_sim.studies.passing import pass_values
from guts_sim.studies.passing_exposed import pass_exposed
from guts_sim.studies.passing_levels import pass_levels
from guts_sim.studies.passing_tables import pass_hands, pass_tournament
from guts_sim.studies.phase import phase_diagram
from guts_sim.studies.reference_tables import threshold_table
from guts_sim.studies.session import session
from guts_sim.studies.session_course import session_course
from guts_sim.studies.threshold import threshold
from guts_sim.studies.verification import verify

_STUDIES: dict[str, Callable[..., Result]] = {
    "threshold": threshold,
    "odds": odds,
    "indian": indian,
    "indian solve": indian_solve,
    "indian session": indian_session,
    "cascade": cascade,
    "cascade sweep": phase_diagram,
    "session": session,
    "session course": session_course,
    "threshold table": threshold_table,
    "best-response": best_response,
    "coalition": coalition,
    "verify": verify,
    "folklore": folklore,
    "anaconda": anaconda,
    "anaconda tournament": anaconda_tournament,
    "anaconda orders": anaconda_orders,
    "pass": pass_values,
    "pass levels": pass_levels,
    "pass tournament": pass_tournament,
    "pass hands": pass_hands,
    "pass exposed": pass_exposed,
}
_FIRST_ARGUMENT = {
    "odds": "hand",
    "pass": "hand",
    "pass exposed": "exposed",
    "folklore": "only",
    "threshold table": "cards",
    "indian": "see",
    "indian session": "strategies",
    "verify": "only",
}


def named_study(name: str) -> Callable[..., Result]:
    """Return the function of a study that a record names, such as ``"best-response"``."""
    study = _STUDIES.get(name)
    if study is None:
        raise InputError(f"study: {shown(name)} is not known; choose {', '.join(_STUDIES)}")
    return study


def load(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read the record of a saved result.

    Parameters
    ----------
    path : path-like
        The table that `Result.save` wrote, or the JSON record beside it.

    Returns
    -------
    dict
        What `Result.as_dict` gave: ``command``, ``rules``, ``parameters``, ``results``, ``digest`` and so on.

    Raises
    ------
    InputError
        There is no such record, or it is none of this library's.

    Examples
    --------
    >>> import tempfile
    >>> from guts_sim.studies.rulebook import list_rules
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     list_rules().save(f"{folder}/rules.csv")
    ...     load(f"{folder}/rules.csv")["command"]
    'rules'
    """
    record = Path(path)
    if record.suffix.lower() != ".json":
        record = sidecar_of(record)
    try:
        data = json.loads(record.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{record}: {error.strerror}; give a saved table or its record") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{record}: no valid JSON: {error}") from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA or "command" not in data:
        raise InputError(f"{record}: not a record of schema {SCHEMA}")
    return data


@interruptible
def rerun(path: str | os.PathLike[str], **run_options: Any) -> Result:
    """Repeat the call that a saved result records; the digest must come out the same.

    A record that was interrupted is run to its end.

    Parameters
    ----------
    path : path-like
        The saved table or its record.
    **run_options
        ``workers``, ``executor`` or ``progress``; they cannot change the result.

    Returns
    -------
    Result

    Raises
    ------
    InputError
        The record cannot be read or does not hold a study that can be repeated.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = odds("As Kd")
    ...     result.save(f"{folder}/odds.csv")
    ...     rerun(f"{folder}/odds.csv").digest == result.digest
    True
    """
    record = load(path)
    study = _STUDIES.get(str(record["command"]))
    if study is None:
        raise InputError(f"{path}: {record['command']!r} cannot be repeated; only {', '.join(_STUDIES)} can")
    try:
        arguments = dict(record["parameters"])
        first = arguments.pop(_FIRST_ARGUMENT.get(record["command"], "n_players"))
        if record["rules"].get("game") == "indian":
            switches = {
                name: value for name, value in record["rules"].items() if name not in ("profile", "game", "cards")
            }
            arguments["rules"] = IndianRules(**switches)
        elif record["rules"] and "game" not in record["rules"]:  # Guts; other games' rules follow from the parameters
            rules = GutsRules(**{name: value for name, value in record["rules"].items() if name != "profile"})
            arguments |= {"rules": rules} | _recorded_fields(record, rules)
        if study in (phase_diagram, verify):  # they involve no sampling
            run_options = {}
        else:
            arguments["seed"] = record["seed"]
            if study is not indian:  # it gives no intervals
                arguments["confidence"] = record["confidence"]
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: the record is damaged: {error!r}") from None
    return study(first, **arguments, **run_options)


def _recorded_fields(record: Mapping[str, Any], rules: GutsRules) -> dict[str, Any]:
    """Arguments that are strategies, from their record."""
    parameters, results = record["parameters"], record["results"]
    found: dict[str, Any] = {}
    if "field" in parameters:
        found["field"] = _recorded_field(parameters["field"], results.get("field"), rules)
    if "fields" in parameters:
        played = results.get("fields") or [results["field"]] * len(parameters["fields"])
        found["fields"] = [_recorded_field(one, seat, rules) for one, seat in zip(parameters["fields"], played)]
    return found


def _recorded_field(recorded: Any, played: Mapping[str, Any] | None, rules: GutsRules) -> str | AnyPlan | None:
    """One strategy from its record: text, or entry probabilities by hand."""
    if recorded is None or isinstance(recorded, str):
        return recorded
    if "ranking" in recorded:
        return plan_from_data(recorded, rules.ranking, low_ranking(rules))
    entry = np.zeros(len(class_names(rules.ranking)))
    for hand, probability in recorded.items():
        entry[class_index(hand, rules.ranking)] = probability
    if played is None:
        raise KeyError("field")
    return Strategy(played["spec"], rules.ranking, entry)
