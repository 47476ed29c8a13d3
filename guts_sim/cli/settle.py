"""The command ``settle``: the referee."""

from collections.abc import Callable
from typing import Any

import click

from guts_sim.cli.options import Command, command, format_option, profile_option, switch_options, take_rules
from guts_sim.cli.output import check_outputs, emit
from guts_sim.errors import InputError

_ROLES = ("in", "high", "low", "both", "out_players")
_SINGLE = ("pot", "low_pot", "reserve_chips", "low_reserve_chips", "dealer", "ghost_hand", "community_card")


def _role(option: str, name: str, text: str) -> Callable[[Command], Command]:
    return click.option(option, name, multiple=True, metavar="NAME[=CARDS]", help=text)


@command()
@_role("--in", "in", "A player who is in; the cards may be left out where they decide nothing.")
@_role("--out", "out_players", "A player who is out.")
@_role("--high", "high", "High-low: in for the high pot.")
@_role("--low", "low", "High-low: in for the low pot.")
@_role("--both", "both", "High-low: in for both pots.")
@click.option("--pot", metavar="CHIPS", help="Chips in the pot, exact: 6 or 20/3; high-low: in the high pot.")
@click.option("--low-pot", metavar="CHIPS", help="Chips in the low pot. Default: as many as in the high pot.")
@click.option("--reserve-chips", metavar="CHIPS", help="Chips in the reserve. Default: 0.")
@click.option("--low-reserve-chips", metavar="CHIPS", help="Chips in the low pot's reserve.")
@click.option("--stack", "stacks", multiple=True, metavar="NAME=CHIPS", help="What a player has; default the bankroll.")
@click.option("--seats", metavar="NAMES", help="All players clockwise, with commas: A,B,C.")
@click.option("--dealer", metavar="NAME", help="Who dealt; a rest of whole chips goes to the left.")
@click.option("--ghost-hand", metavar="CARDS", help="The ghost's cards.")
@click.option("--community-card", metavar="CARD", help="The common card.")
@click.option("--whole-chips", is_flag=True, default=None, help="Divide into whole chips; otherwise exact fractions.")
@click.option("--file", "round_file", metavar="FILE", help="Read the round from a JSON file; rules may be changed.")
@profile_option
@switch_options
@format_option
@click.option("--save", "out", metavar="PATH", help="Also write the table (.csv, .parquet) and its record.")
def settle(**options: Any) -> None:
    """Who pays what in one round: --pot 6 --in "A=Qs Qh" --in "B=Ac Kd" --out D."""
    from guts_sim.studies.settle import settle as study
    from guts_sim.studies.settle_input import read_round_file

    check_outputs(options)
    rules = take_rules(options)
    given = _given(options)
    if options["round_file"] is not None:
        if given:
            raise InputError(f"--file: the round comes from the file; leave {_option_of(next(iter(given)))} out")
        given = read_round_file(options["round_file"])
    elif "pot" not in given:
        raise InputError("--pot is missing; give the chips in the pot, as in --pot 6")
    emit(study(**given | rules), options)


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """Options about the round that were given, as arguments of the study."""
    arguments: dict[str, Any] = {}
    for role in _ROLES:
        if options[role]:
            argument = {"in": "players_in", "out_players": "out"}.get(role, role)
            arguments[argument] = _named(options[role], f"--{role.removesuffix('_players')}")
    arguments |= {name: options[name] for name in _SINGLE if options[name] is not None}
    if options["stacks"]:
        arguments["stacks"] = _named(options["stacks"], "--stack")
    if options["seats"] is not None:
        arguments["seats"] = options["seats"].split(",")
    if options["whole_chips"]:
        arguments["whole_chips"] = True
    return arguments


def _option_of(argument: str) -> str:
    return "--" + {"players_in": "in", "stacks": "stack"}.get(argument, argument).replace("_", "-")


def _named(values: tuple[str, ...], option: str) -> dict[str, str | None]:
    """Read NAME=VALUE pairs; a name alone has no value."""
    pairs: dict[str, str | None] = {}
    for text in values:
        name, separator, value = text.partition("=")
        if name.strip() in pairs:
            raise InputError(f"{option} {text!r}: {name.strip()} is named twice; every player declares once")
        pairs[name.strip()] = value if separator else None
    return pairs
