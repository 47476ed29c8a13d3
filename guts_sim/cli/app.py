"""The command group and what every call shares: errors in one line, exit codes, interruption."""

import click

from guts_sim._version import __version__
from guts_sim.cli import INTERRUPTED, NOT_CONFIRMED
from guts_sim.cli.anaconda import anaconda
from guts_sim.cli.best_response import best_response
from guts_sim.cli.cascade import cascade
from guts_sim.cli.coalition import coalition
from guts_sim.cli.folklore import folklore
from guts_sim.cli.guts import odds, threshold
from guts_sim.cli.hands import hands
from guts_sim.cli.indian import indian
from guts_sim.cli.passing import passing
from guts_sim.cli.reproduce import reproduce
from guts_sim.cli.rules import rules
from guts_sim.cli.session import session
from guts_sim.cli.settle import settle
from guts_sim.cli.verify import verify
from guts_sim.errors import InputError

NOT_WRITTEN = 1
BAD_INPUT = 2


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="guts-sim")
def app() -> None:
    """Odds, entry thresholds and equilibria of the home poker games Guts, Anaconda and Indian poker.

    Answers go to standard output, progress and errors to standard error. Exit codes: 0 answered, 1 the
    answer could not be written, 2 bad input, 3 a value was not confirmed, 130 interrupted.
    """


for command in (
    threshold,
    odds,
    cascade,
    session,
    best_response,
    coalition,
    settle,
    passing,
    anaconda,
    indian,
    hands,
    folklore,
    rules,
    verify,
    reproduce,
):
    app.add_command(command)


def run(arguments: list[str]) -> int:
    """Run the command line with these arguments and return the exit code."""
    try:
        code = app.main(args=arguments, prog_name="guts-sim", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        # A group without a command asks what there is: that is answered, not refused.
        click.echo(error.format_message())
        return 0
    except click.exceptions.Abort:  # click's name for Ctrl-C
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        return _refuse(_message(error))
    except InputError as error:
        return _refuse(str(error))
    except SystemExit as stop:
        # 130 from `emit`, 3 from `verify`; 1 from click itself, whose text no reader wanted (``--help | head``).
        return int(stop.code or 0) if stop.code in (INTERRUPTED, NOT_CONFIRMED) else 0
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _refuse(f"{place}the answer could not be written: {error.strerror or error}", NOT_WRITTEN)
    return code if isinstance(code, int) else 0


def _message(error: click.ClickException) -> str:
    """Click's message with what is allowed, where click leaves that out."""
    text = error.format_message()
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None or isinstance(error, click.BadParameter):
        return text
    if isinstance(context.command, click.Group) and not isinstance(error, click.NoSuchOption):
        return f"{text.rstrip('.')}; commands are {', '.join(context.command.list_commands(context))}"
    return f"{text.rstrip('.')}; see {context.command_path} --help"


def _refuse(message: str, code: int = BAD_INPUT) -> int:
    click.echo("error: " + " ".join(message.split()), err=True)
    return code
