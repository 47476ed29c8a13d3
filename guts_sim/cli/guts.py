"""Commands about rounds of Guts."""

from typing import Any

import click

from guts_sim.cli.options import (
    MAX_CHIPS,
    Count,
    checkpoint_option,
    command,
    long_options,
    output_options,
    plot_option,
    profile_option,
    run_options,
    switch_options,
    take_long,
    take_number,
    take_rules,
    take_run,
)
from guts_sim.cli.output import check_outputs, emit
from guts_sim.errors import InputError

FIELD_HELP = (
    "What all opponents do: A4+ (that hand or stronger), AK,TT+ (a list), top:30%, always, never, equilibrium, or"
    " a .csv or .json file of entry probabilities."
)
PLAYERS_HELP = "Players at the table, 2 to 10."
players_option = click.option("--players", type=Count(2, 10), required=True, help=PLAYERS_HELP)
field_option = click.option("--field", metavar="SPEC", help=FIELD_HELP)


@command()
@click.option("--players", type=Count(2, 10), help=PLAYERS_HELP)
@click.option("--table", is_flag=True, help="All hands against 2 to 10 players at once, base game.")
@field_option
@click.option("--pot", type=Count(1, MAX_CHIPS), help="Active pot in chips, to see values in chips as well.")
@click.option(
    "--effort",
    metavar="X",
    default="1",
    show_default=True,
    help="Seek the equilibrium, where it cannot be counted, on so many times the usual deals.",
)
@profile_option
@switch_options
@run_options
@checkpoint_option
@output_options
@plot_option
def threshold(**options: Any) -> None:
    """Entry threshold and equilibrium; with --field, the best reply to it."""
    from guts_sim.studies.threshold import threshold as study

    check_outputs(options)
    rules, run, long = take_rules(options), take_run(options), take_long(options)
    long["effort"] = take_number(options, "effort", 4)
    if options["table"]:
        emit(_table(options, rules, run, long), options)
        return
    if options["players"] is None:
        raise InputError("--players is missing; give their number, or --table for 2 to 10")
    emit(study(options["players"], field=options["field"], pot=options["pot"], **rules, **run, **long), options)


def _table(options: dict[str, Any], rules: dict[str, Any], run: dict[str, Any], long: dict[str, Any]) -> Any:
    from guts_sim.studies.reference_tables import threshold_table

    effort = long.pop("effort")
    given = {name: options[name] for name in ("players", "field", "pot")} | rules | long
    usual = {"cards": rules.get("cards")}
    others = [name for name, value in given.items() if value is not None and value != usual.get(name)]
    if others or run.pop("method") != "auto":
        name = others[0].replace("_", "-") if others else "method"
        raise InputError(f"--{name} does not go with --table, which is of the base game; leave it out")
    return threshold_table(rules.get("cards", 2), effort=effort, **run)


@command()
@click.argument("hand")
@players_option
@field_option
@profile_option
@switch_options
@run_options
@long_options
@output_options
@plot_option
def odds(**options: Any) -> None:
    """Win, tie, lose and equity of HAND ("As Kd"); with --field, in or out."""
    from guts_sim.studies.odds import odds as study

    check_outputs(options)
    arguments = take_rules(options) | take_run(options) | take_long(options)
    emit(study(options["hand"], n_players=options["players"], field=options["field"], **arguments), options)
