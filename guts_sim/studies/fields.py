"""The arguments that several studies share: rules and fields."""

from collections.abc import Collection, Mapping
from typing import Any

from guts_sim.checks import check_count, shown
from guts_sim.engine import MAX_DEALS
from guts_sim.errors import InputError
from guts_sim.hands import Ranking, class_names
from guts_sim.rules import GutsRules, get_rules
from guts_sim.strategy import Strategy, is_file_name, parse_field

EQUILIBRIUM = "equilibrium"


def chosen_rules(
    rules: str | GutsRules | None,
    switches: Mapping[str, Any],
    study: str,
    supports: Collection[str] = (),
) -> GutsRules:
    """Return the rules given with their switches changed; by default the profile that fits the cards.

    Switches beyond the base game are refused in the name of ``study`` unless it ``supports`` them.
    """
    if rules is None:
        rules = "home" if switches.get("cards") == 3 else "two-card"
    chosen = get_rules(rules, **switches)
    chosen.require_base(study, supports)
    return chosen


def read_field(field: str | Strategy | None, ranking: Ranking) -> Strategy | str | None:
    """Read the field before any work begins; the equilibrium stays a word until it is known."""
    if isinstance(field, Strategy):
        if field.ranking != ranking:
            raise InputError(f"field: its hands are ranked by {field.ranking}, the rules by {ranking}")
        return field
    if field is None:
        return None
    if not isinstance(field, str):
        raise InputError(f"field: {shown(field)} is not allowed; give text such as 'A4+', or a Strategy")
    if field.strip().lower() == EQUILIBRIUM:
        return EQUILIBRIUM
    return parse_field(field, ranking)


def repeatable(field: str | Strategy, read: Strategy | str | None) -> Any:
    """Return the field's text, or its probabilities where they came from a file or an array."""
    if isinstance(field, str) and not (isinstance(read, Strategy) and is_file_name(field)):
        return field
    assert isinstance(read, Strategy)
    return dict(zip(class_names(read.ranking), read.entry.tolist()))


def checked_deals(deals: object, default: int) -> int:
    """Return the number of deals to measure on, refused before any work begins if it is none."""
    return default if deals is None else check_count(deals, "deals", maximum=MAX_DEALS)


def checked_extension(method: str, n: int, wanted: object, unit: str = "deals") -> int:
    """Return how many deals a result of ``n`` is to be continued to; an exact result cannot be."""
    if method == "exact":
        raise InputError(f"extend: the result is exact; more {unit} would add nothing")
    return check_count(wanted, unit, n, MAX_DEALS)
