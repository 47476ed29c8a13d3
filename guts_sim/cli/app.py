"""The command group and what every call shares: errors in one line, exit codes, interruption."""

import os
import sys
from collections.abc import Sequence

import click

from guts_sim._version import __version__
from guts_sim.cli.guts import odds, threshold
from guts_sim.cli.hands import hands
from guts_sim.cli.output import INTERRUPTED
from guts_sim.cli.rules import rules
from guts_sim.errors import InputError

BAD_INPUT = 2


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="guts-sim")
def app() -> None:
    """Odds, entry thresholds and equilibria of the home poker game Guts.

    Answers go to standard output, progress and errors to standard error. Exit codes: 0 answered, 2 bad
    input, 130 interrupted.
    """


for command in (threshold, odds, hands, rules):
    app.add_command(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments after the program's name; default those of the process.

    Returns
    -------
    int
        Exit code: 0 answered, 2 bad input, 130 interrupted.
    """
    try:
        code = app.main(
            args=None if arguments is None else list(arguments), prog_name="guts-sim", standalone_mode=False
        )
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return BAD_INPUT
    except click.ClickException as error:
        return _refuse(error.format_message())
    except InputError as error:
        return _refuse(str(error))
    except (KeyboardInterrupt, click.exceptions.Abort):
        click.echo("interrupted before there was anything to report", err=True)
        return INTERRUPTED
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else BAD_INPUT
    except BrokenPipeError:
        # The reader has gone (``| head``). Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code if isinstance(code, int) else 0


def _refuse(message: str) -> int:
    click.echo("error: " + " ".join(message.split()), err=True)
    return BAD_INPUT
