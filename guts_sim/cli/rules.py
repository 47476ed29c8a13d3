"""Commands that show rules."""

from typing import Any

import click

from guts_sim.cli.options import OneOfEach, output_options, switch_options, take_rules
from guts_sim.cli.output import check_outputs, emit


@click.group(invoke_without_command=True)
@click.pass_context
@output_options
def rules(ctx: click.Context, /, **options: Any) -> None:
    """Profiles and their switches; `rules show PROFILE` writes out a rule set."""
    if ctx.invoked_subcommand is not None:
        _refuse_misplaced(ctx)
        return
    from guts_sim.studies.rulebook import list_rules

    check_outputs(options)
    emit(list_rules(), options)


def _refuse_misplaced(ctx: click.Context) -> None:
    """Options before the subcommand would have no effect: say so."""
    for param in ctx.command.params:
        if param.name and ctx.get_parameter_source(param.name) is click.core.ParameterSource.COMMANDLINE:
            command = ctx.invoked_subcommand
            raise click.UsageError(f"{param.opts[0]} belongs after the command: rules {command} ... {param.opts[0]}")


@rules.command(cls=OneOfEach)
@click.argument("profile")
@switch_options
@output_options
def show(profile: str, **options: Any) -> None:
    """Full text of PROFILE (two-card or home) with the switches that options change."""
    from guts_sim.studies.rulebook import show_rules

    check_outputs(options)
    emit(show_rules(profile, **take_rules(options)), options)
