"""Strategies from files of JSON or CSV, which are data and nothing else."""

import csv
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import groupby
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from guts_sim.checks import read_number, shown
from guts_sim.errors import InputError
from guts_sim.hands import Ranking, class_names, get_ranking
from guts_sim.strategy.located import JsonObject, read_csv, read_json
from guts_sim.strategy.plain import Strategy
from guts_sim.strategy.plan import CONDITIONS, AnyPlan, Case, Plan, Span
from guts_sim.strategy.text import classes_named, is_file_name, parse_field, shortened

SIDES = ("high", "low")
_CASE_KEYS = (*CONDITIONS, "play", "low")
_HEAD_KEYS = ("name", "ranking", "cases")
_FORMS = (
    'give {"AA": 1.0, ...}, a list of {"hand": ..., "enter": ...}, or {"cases": [{"pot": "1-5", "play": ...}, ...]}'
)
_GUESSES = ("guts2", "guts3")

Place = tuple[Any, int]
"""Something in a file, and the line on which it stands."""


@dataclass
class _Listing:
    """Hands and their probabilities as they stand in a file."""

    line: int
    rows: list[tuple[Place, Place]] = field(default_factory=list)


@dataclass
class _RawCase:
    """One case as it stands in a file: a play is a listing, or a text or number."""

    conditions: dict[str, Place]
    play: "_Listing | Place"
    low: "_Listing | Place | None"
    line: int


def read_strategy(
    path: str | os.PathLike[str], ranking: str | Ranking | None = None, low_ranking: str | Ranking | None = None
) -> AnyPlan:
    r"""Read a strategy from a file.

    Parameters
    ----------
    path : path-like
        ``.json`` or ``.csv``; the forms are described in docs/strategies.md. The content is data: nothing in
        it is run.
    ranking : str or Ranking, optional
        The order of hands; by default the one that the file names, or else the one that knows its hands.
    low_ranking : str or Ranking, optional
        The order of low hands, by default the one for as many cards.

    Returns
    -------
    Strategy or Plan
        A `Strategy` if entry depends on the own hand alone.

    Raises
    ------
    InputError
        The file cannot be read or holds no strategy. The message names file, line and value.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "bold.csv")
    ...     _ = path.write_text("pot,hand,enter\n1-5,K2+,1\n,A4+,1\n")
    ...     read_strategy(path).looks_at
    ('pot',)
    """
    file = Path(path)
    name = os.fsencode(file).decode("utf-8", "backslashreplace")
    if not is_file_name(name):
        raise InputError(f"field file {name}: the ending is unknown; give .csv or .json")
    cases, head = _raw_cases(name, file)
    chosen = head.get("ranking") if ranking is None else (ranking, 0)
    if chosen is not None:
        return _read_as(name, cases, head, _ranking_of(name, chosen), low_ranking)
    first, second = (get_ranking(guess) for guess in _GUESSES)
    try:
        return _read_as(name, cases, head, first, low_ranking)
    except InputError as refused:
        try:
            return _read_as(name, cases, head, second, low_ranking)
        except InputError:
            raise refused from None


def plan_from_data(data: Mapping[str, Any], ranking: Ranking, low_ranking: Ranking) -> AnyPlan:
    """Make a strategy of plain data such as a record holds; see `guts_sim.strategy.writing.plain_data`."""

    def located(value: Any) -> Any:
        if isinstance(value, Mapping):
            return JsonObject((str(key), located(item)) for key, item in value.items())
        return [located(item) for item in value] if isinstance(value, list) else value

    cases, head = _cases_of_json("record", located(data))
    return _read_as(str(data.get("name", "record")), cases, head, ranking, low_ranking)


def _read_as(
    name: str, cases: list[_RawCase], head: Mapping[str, Place], ranking: Ranking, low_ranking: str | Ranking | None
) -> AnyPlan:
    low = get_ranking(f"low{ranking.hand_sizes[0]}" if low_ranking is None else low_ranking)
    read = tuple(_case(name, raw, ranking, low) for raw in cases)
    spec = str(head["name"][0]) if "name" in head else name
    if len(read) == 1 and not read[0].conditions and read[0].low is None:
        return Strategy(spec, ranking, read[0].play.entry)
    if read[-1].conditions:
        _refuse(name, cases[-1].line, "the last case must be without conditions, so that one always applies")
    if len({case.low is None for case in read}) > 1:
        _refuse(name, cases[-1].line, "some cases say what to do about a low pot and some do not; all or none may")
    return Plan(spec, read)


def _ranking_of(name: str, chosen: Place) -> Ranking:
    try:
        ranking = get_ranking(chosen[0])
    except InputError as error:
        _refuse(name, chosen[1], shortened(str(error)))
    if ranking.family != "table":
        _refuse(name, chosen[1], f"ranking {ranking}: hands of Guts are ranked by guts2 or guts3")
    return ranking


def _raw_cases(name: str, file: Path) -> tuple[list[_RawCase], dict[str, Place]]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a UTF-8 text"
        raise InputError(f"field file {name}: {reason}") from None
    if file.suffix.lower() == ".csv":
        return _cases_of_csv(name, text), {}
    try:
        data = read_json(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"field file {name}: no valid JSON: {shortened(str(error))}") from None
    return _cases_of_json(name, data)


def _refuse(name: str, line: int, reason: str) -> NoReturn:
    raise InputError(f"field file {name}: {f'line {line}: ' if line else ''}{reason}") from None


# From files to raw cases


def _cases_of_json(name: str, data: Any) -> tuple[list[_RawCase], dict[str, Place]]:
    if not isinstance(data, JsonObject):
        return [_RawCase({}, _listing_of_json(name, data, 1), None, 1)], {}
    keys = [key for key, _ in data]
    if {"command", "results"} <= set(keys):
        _refuse(name, 0, "this is the record of an answer; give its table (.csv), or the probabilities alone")
    head = {key: (value, data.line_of(key)) for key, value in data if key in _HEAD_KEYS}
    for key, (value, line) in head.items():
        if keys.count(key) > 1:
            _refuse(name, line, f"{key} is given twice")
        if key != "cases" and not isinstance(value, str):
            _refuse(name, line, f"{key} {shown(value)} is not allowed; give text")
    if "cases" in head:
        return _list_of_cases(name, data, *head["cases"]), head
    if keys.count("hands") == 1:
        hands = dict(data)["hands"]
        return [_RawCase({}, _listing_of_json(name, hands, data.line_of("hands")), None, data.line)], head
    return [_RawCase({}, _listing_of_json(name, data, data.line), None, data.line)], {}


def _list_of_cases(name: str, data: JsonObject, cases: Any, line: int) -> list[_RawCase]:
    for key, _ in data:
        if key not in _HEAD_KEYS:
            _refuse(name, data.line_of(key), f"{shown(key)} is unknown; known are {', '.join(_HEAD_KEYS)}")
    if not isinstance(cases, list) or not cases or not all(isinstance(case, JsonObject) for case in cases):
        _refuse(name, line, 'cases must be a list of at least one {"pot": "1-5", "play": ...}')
    return [_case_of_json(name, case) for case in cases]


def _case_of_json(name: str, case: JsonObject) -> _RawCase:
    found: dict[str, Place] = {}
    for key, value in case:
        if key not in _CASE_KEYS or key in found:
            reason = "is given twice" if key in found else f"is unknown; known are {', '.join(_CASE_KEYS)}"
            _refuse(name, case.line_of(key), f"{shown(key)} {reason}")
        found[key] = (value, case.line_of(key))
    if "play" not in found:
        _refuse(name, case.line, 'a case without "play"')
    plays = {key: _play_of_json(name, *found.pop(key)) for key in ("play", "low") if key in found}
    return _RawCase(found, plays["play"], plays.get("low"), case.line)


def _play_of_json(name: str, play: Any, line: int) -> _Listing | Place:
    return _listing_of_json(name, play, line) if isinstance(play, JsonObject | list) else (play, line)


def _listing_of_json(name: str, data: Any, line: int) -> _Listing:
    if isinstance(data, JsonObject):
        return _Listing(data.line, [((hand, data.line_of(hand)), (enter, data.line_of(hand))) for hand, enter in data])
    if isinstance(data, list) and all(isinstance(row, JsonObject) for row in data):
        listing = _Listing(line)
        for row in data:
            cells = dict(row)
            if not {"hand", "enter"} <= cells.keys():
                _refuse(name, row.line, _FORMS)
            listing.rows.append(((cells["hand"], row.line_of("hand")), (cells["enter"], row.line_of("enter"))))
        return listing
    _refuse(name, line, _FORMS)


def _cases_of_csv(name: str, text: str) -> list[_RawCase]:
    rows = _rows_of_csv(name, text)
    cases: list[_RawCase] = []
    for _, group in groupby(rows, key=lambda row: [row[1].get(condition, "") for condition in CONDITIONS]):
        cases.append(_case_of_rows(name, list(group)))
    return cases or [_RawCase({}, _Listing(1), None, 1)]


def _rows_of_csv(name: str, text: str) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        rows = list(read_csv(text))
    except csv.Error as error:
        raise InputError(f"field file {name}: no valid CSV: {error}") from None
    header = [cell.strip() for cell in rows[0][1]] if rows else []
    if header.count("hand") != 1 or header.count("enter") != 1:
        raise InputError(f"field file {name}: its first line must name the columns hand and enter, once each")
    for column in (*CONDITIONS, "side"):
        if header.count(column) > 1:
            raise InputError(f"field file {name}: its first line names the column {column} twice")
    for line, cells in rows[1:]:
        if len(cells) != len(header):
            _refuse(
                name,
                line,
                f"{shown(','.join(cells))} has {len(cells)} columns, the first line {len(header)}; write a decimal"
                " point, not a comma",
            )
        yield line, {column: cell.strip() for column, cell in zip(header, cells)}


def _case_of_rows(name: str, rows: list[tuple[int, dict[str, str]]]) -> _RawCase:
    line, first = rows[0]
    conditions = {key: (first[key], line) for key in CONDITIONS if first.get(key)}
    listings: dict[str, _Listing] = {}
    for number, row in rows:
        side = row.get("side", "").lower() or "high"
        if side not in SIDES:
            _refuse(name, number, f"side {shown(row['side'])} is not allowed; give high, low or nothing")
        listing = listings.setdefault(side, _Listing(number))
        listing.rows.append(((row["hand"], number), (row["enter"], number)))
    if "high" not in listings:
        _refuse(name, line, "a case that says nothing about the high pot")
    return _RawCase(conditions, listings["high"], listings.get("low"), line)


# From raw cases to strategies


def _case(name: str, raw: _RawCase, ranking: Ranking, low_ranking: Ranking) -> Case:
    spans = {}
    for condition, (value, line) in raw.conditions.items():
        with _at_line(name, line):
            spans[condition] = Span.parse(value, condition)
    play = _strategy(name, raw.play, ranking)
    low = None if raw.low is None else _strategy(name, raw.low, low_ranking)
    return Case(play, low, **spans)


def _strategy(name: str, play: "_Listing | Place", ranking: Ranking) -> Strategy:
    if isinstance(play, _Listing):
        return _from_listing(name, play, ranking)
    value, line = play
    if isinstance(value, int | float) and not isinstance(value, bool):
        entry = np.full(len(class_names(ranking)), _probability(name, "play", play))
        return Strategy(f"blind:{value}", ranking, entry)
    if isinstance(value, str) and is_file_name(value):
        _refuse(name, line, f"{shown(value)}: a file names no other file")
    with _at_line(name, line):
        return parse_field(value, ranking)


@contextmanager
def _at_line(name: str, line: int) -> Iterator[None]:
    """Say in which file and line something was refused."""
    try:
        yield
    except InputError as error:
        _refuse(name, line, shortened(str(error)))


def _from_listing(name: str, listing: _Listing, ranking: Ranking) -> Strategy:
    entry = np.zeros(len(class_names(ranking)))
    seen = np.zeros(entry.size, bool)
    for (hand, line), enter in listing.rows:
        with _at_line(name, line):
            classes = classes_named(str(hand), ranking)
        if seen[classes].any():
            _refuse(name, line, f"hand {shortened(str(hand))} is listed twice")
        seen[classes] = True
        entry[classes] = _probability(name, f"hand {shortened(str(hand))}: enter", enter)
    if not listing.rows:
        raise InputError(f"field file {name}: it lists no hand")
    return Strategy(name, ranking, entry)


def _probability(name: str, what: str, given: Place) -> float:
    value, line = given
    number = read_number(value) if isinstance(value, str) else value
    is_number = isinstance(number, int | float | Decimal) and not isinstance(number, bool)
    if number is None or not is_number or not 0 <= number <= 1:
        _refuse(name, line, f"{what} {shown(value)} is not a number between 0 and 1")
    return float(number)
