"""Strategies written to files, and as plain data for records."""

import csv
import io
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from guts_sim.errors import InputError
from guts_sim.hands import class_names
from guts_sim.strategy.plain import Strategy
from guts_sim.strategy.plan import CONDITIONS, AnyPlan, Case, Plan, as_plan


def save_strategy(strategy: AnyPlan, path: str | os.PathLike[str]) -> None:
    """Write a strategy to a ``.json`` or ``.csv`` file; an existing file is the old one or the new one, never half."""
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in (".json", ".csv"):
        raise InputError(f"{target}: the ending is unknown; give .csv or .json")
    text = _as_csv(strategy) if ending == ".csv" else json.dumps(plain_data(strategy), indent=1) + "\n"
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=".guts_sim-", dir=target.parent)
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.replace(temporary, target)
    except (OSError, ValueError) as error:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        reason = error.strerror if isinstance(error, OSError) else "no name of a file"
        raise InputError(f"{target}: cannot be written: {reason}") from None


def plain_data(strategy: AnyPlan) -> dict[str, Any]:
    """Return the strategy as what a JSON file of it holds.

    Examples
    --------
    >>> from guts_sim.strategy import parse_field
    >>> plain_data(parse_field("AK,KK+", "guts2"))
    {'name': 'AK,KK+', 'ranking': 'guts2', 'hands': {'AA': 1.0, 'KK': 1.0, 'AK': 1.0}}
    """
    head = {"name": strategy.spec, "ranking": strategy.ranking.name}
    if isinstance(strategy, Strategy):
        return head | {"hands": _by_hand(strategy)}
    return head | {"cases": [_plain_case(case) for case in strategy.cases]}


def _plain_case(case: Case) -> dict[str, Any]:
    data: dict[str, Any] = {name: str(span) for name, span in case.conditions.items()}
    data["play"] = _plain_play(case.play)
    if case.low is not None:
        data["low"] = _plain_play(case.low)
    return data


def _plain_play(strategy: Strategy) -> Any:
    """Probabilities by hand; a number if they are all alike, a threshold as text."""
    if strategy.is_blind:
        return float(strategy.entry[0])
    return f"{strategy.weakest_in}+" if strategy.is_threshold else _by_hand(strategy)


def _by_hand(strategy: Strategy) -> dict[str, float]:
    """Hands that ever enter, the strongest first; if none does, the strongest with 0."""
    names, entry = class_names(strategy.ranking), strategy.entry.tolist()
    places = np.flatnonzero(strategy.entry > 0)[::-1].tolist() or [len(names) - 1]
    return {names[place]: entry[place] for place in places}


def _as_csv(strategy: AnyPlan) -> str:
    plan = as_plan(strategy)
    looks_at = [name for name in CONDITIONS if name in plan.looks_at]
    columns = [*looks_at, *(["side"] if plan.has_low else []), "hand", "enter"]
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    for row in _csv_rows(plan):
        writer.writerow(row)
    return text.getvalue()


def _csv_rows(plan: Plan) -> Iterator[dict[str, Any]]:
    for case in plan.cases:
        conditions = {name: str(span) for name, span in case.conditions.items()}
        for side, play in (("high", case.play), ("low", case.low)):
            if play is None:
                continue
            for hand, enter in _by_hand(play).items():
                yield conditions | ({"side": side} if plan.has_low else {}) | {"hand": hand, "enter": enter}
