"""Commands that show rules."""

from typing import Any

import click

from guts_sim.cli.options import output_options, rule_options, take_rules
from guts_sim.cli.output import check_outputs, emit


@click.group(invoke_without_command=True)
@click.pass_context
@output_options
def rules(ctx: click.Context, **options: Any) -> None:
    """Profiles and switches; `rules show PROFILE` writes out a rule set."""
    if ctx.invoked_subcommand is None:
        from guts_sim.studies.rulebook import list_rules

        check_outputs(options)
        emit(list_rules(), options)


@rules.command()
@click.argument("profile")
@rule_options
@output_options
def show(profile: str, **options: Any) -> None:
    """Full text of PROFILE (two-card or home), with switches changed by options."""
    from guts_sim.studies.rulebook import show_rules

    check_outputs(options)
    switches = take_rules(options)
    switches.pop("rules", None)
    emit(show_rules(profile, **switches), options)
