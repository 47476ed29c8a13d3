"""Command about the best reply to given opponents."""

from typing import Any

import click

from guts_sim.cli.guts import FIELD_HELP, players_option
from guts_sim.cli.options import (
    command,
    output_options,
    plot_option,
    profile_option,
    run_options,
    switch_options,
    take_number,
    take_rules,
    take_run,
)
from guts_sim.cli.output import check_outputs, emit

TASTES = ("risk_aversion", "relative_risk_aversion", "wealth")


@command("best-response")
@players_option
@click.option("--field", metavar="SPEC", help=FIELD_HELP)
@click.option(
    "--opponent", "opponents", metavar="SPEC", multiple=True, help="Strategy of one opponent; give it once for each."
)
@click.option(
    "--risk-aversion", metavar="A", default="0", show_default=True, help="Absolute risk aversion per chip, as 0.01."
)
@click.option(
    "--relative-risk-aversion",
    metavar="G",
    default="0",
    show_default=True,
    help="Instead, for stakes table or eliminate: 1 for the logarithm of what the player owns, 0.5 for its root.",
)
@click.option("--wealth", metavar="CHIPS", default="0", show_default=True, help="Chips owned besides those brought.")
@profile_option
@switch_options
@run_options
@output_options
@plot_option
def best_response(**options: Any) -> None:
    """What wins most from given opponents over whole cycles, by hand, pot and reserve."""
    check_outputs(options)
    rules = take_rules(options)
    run = take_run(options)
    tastes: dict[str, Any] = {name: take_number(options, name, 0.01) for name in TASTES}
    from guts_sim.studies.best_response import best_response as study

    strategies: dict[str, Any] = {} if options["field"] is None else {"field": options["field"]}
    if options["opponents"]:
        strategies["fields"] = list(options["opponents"])
    emit(study(options["players"], **tastes, **strategies, **rules, **run), options)
