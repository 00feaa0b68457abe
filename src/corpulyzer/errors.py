"""What went wrong, in words for the person at the keyboard."""

from __future__ import annotations


class UserError(Exception):
    """A mistake that the user can mend: `message` names the thing, `hint` the next step.

    The command line prints both without a traceback and exits with 1.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


def missing(package: str, extra: str = "") -> UserError:
    """The error for an optional package that is not installed; `extra` is our extra that installs it.

    >>> missing("polars", "report").hint
    "Run `pip install 'corpulyzer[report]'`, then this again."
    """
    wanted = f"'corpulyzer[{extra}]'" if extra else package
    return UserError(f"{package} is not installed.", f"Run `pip install {wanted}`, then this again.")
