"""Command about colluding players."""

from typing import Any

import click

from guts_sim.cli.options import (
    Count,
    command,
    output_options,
    plot_option,
    profile_option,
    run_options,
    switch_options,
    take_rules,
    take_run,
)
from guts_sim.cli.output import check_outputs, emit
from guts_sim.errors import InputError

MAX_PLAYERS = 10_000


@command()
@click.option("--players", type=Count(3, MAX_PLAYERS), required=True, help="Players at the table, 3 to 10.")
@click.option("--colluders", type=Count(2, MAX_PLAYERS), help="How many of them collude. Default: all but one.")
@click.option("--continuous", is_flag=True, help="Hands are uniform numbers, not cards. The default without --cards.")
@click.option("--share-cards", is_flag=True, help="Colluders see each other's cards.")
@profile_option
@switch_options
@run_options
@output_options
@plot_option
def coalition(**options: Any) -> None:
    """What colluding players win from honest ones."""
    check_outputs(options)
    rules = take_rules(options)
    run = take_run(options)
    if options["continuous"] and "cards" in rules:
        raise InputError("--continuous and --cards contradict each other; give one of them")
    from guts_sim.studies.coalition import coalition as study

    who = {"colluders": options["colluders"], "shared_cards": options["share_cards"]}
    emit(study(options["players"], continuous=options["continuous"] or None, **who, **rules, **run), options)
