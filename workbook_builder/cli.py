"""The command line: the verbs of `commands`, each loaded when it is called. Data to stdout, talk to stderr."""

import sys
from collections.abc import Callable
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from workbook_builder.commands import VERBS, verb_function
from workbook_builder.commands.options import say
from workbook_builder.errors import WorkbookBuilderError

PLAIN: dict[str, Any] = {"add_completion": False, "pretty_exceptions_enable": False, "rich_markup_mode": None}


class Verbs(TyperGroup):
    """A group whose commands are the verbs; only the one that is called is imported, and none for the help."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        # Only the names: the help lists them, and a mistyped verb is answered with the nearest.
        self.commands: dict[str, Any] = dict.fromkeys(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """The verb's command, its module now imported; None when there is no such verb."""
        if cmd_name not in VERBS:
            return None
        alone = typer.Typer(**PLAIN)
        alone.command(cmd_name)(verb_function(cmd_name))
        return typer.main.get_command(alone)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """The verbs with the first line of their help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


app = typer.Typer(
    help="Live, proved spreadsheets that teach and explain ranking metrics.",
    cls=Verbs,
    no_args_is_help=True,
    **PLAIN,
)


@app.callback(invoke_without_command=True)
def top(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """Live, proved spreadsheets that teach and explain ranking metrics."""
    if version:
        from workbook_builder import __version__  # noqa: PLC0415  reading the package's metadata takes a while

        print(__version__)
        raise typer.Exit


def main() -> NoReturn:
    """Run the command line; what a user did wrong ends in a message and an exit code, never in a traceback."""
    sys.exit(run_guarded(app))


def run_guarded(command: Callable[[], object]) -> int:
    """Run a command and turn this package's errors into messages and exit codes."""
    try:
        command()
    except WorkbookBuilderError as error:
        say(str(error))
        return error.exit_code
    except BrokenPipeError:
        return 0
    return 0
