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
