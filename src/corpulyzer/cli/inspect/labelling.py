"""Labelling in a terminal: a document, a key, the next document."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from corpulyzer.errors import UserError

if TYPE_CHECKING:
    from corpulyzer.api.looking import Looking
    from corpulyzer.audit.sample import Item

QUIT, SKIP = "q", "s"
SHOWN_CHARACTERS = 1_500


def label_all(corpus: Looking, audit: str, annotator: str, *, quiet: bool) -> tuple[int, int]:
    """Ask for the label of each document without one of this annotator; return how many have one, and not."""
    from corpulyzer.audit.labels import by_keys

    asked = corpus.audit.labelling(audit, annotator)
    done, total = len(asked.items) - len(asked.waiting), len(asked.items)
    for number, item in enumerate(asked.waiting, done + 1):
        if not quiet:
            _show(item, number, total)
        keys = _answer(quiet)
        if keys == QUIT:
            break
        if keys == SKIP:
            continue
        code, flags = by_keys(keys)
        corpus.audit.label(item.id, code, flags, name=audit, annotator=annotator)
        done += 1
    return done, total - done


def _show(item: Item, number: int, of: int) -> None:
    sys.stderr.write(f"\n── {number} of {of} ── {item.url}\n{item.title}\n\n{item.text[:SHOWN_CHARACTERS]}\n")
    if item.cut or len(item.text) > SHOWN_CHARACTERS:
        sys.stderr.write("…\n")


def _answer(quiet: bool) -> str:
    """What a person answers: keys up to a label, or a word to quit or skip."""
    from corpulyzer.audit.labels import FLAGS, LABELS, by_keys

    keys = "  ".join(f"[{kind.key}] {kind.name}" for kind in (*LABELS, *FLAGS))
    while True:
        if not quiet:
            sys.stderr.write(f"\n{keys}  [s] skip  [q] quit: ")
            sys.stderr.flush()
        typed = _keys() if sys.stdin.isatty() else sys.stdin.readline()
        if not typed:
            return QUIT
        typed = typed.strip().lower()
        if typed in (QUIT, SKIP):
            return typed
        try:
            by_keys(typed)
        except UserError as error:
            sys.stderr.write(f"\n{error.message} {error.hint}\n")
            continue
        return typed


def _keys() -> str:
    """Keys as they are pressed, without Enter, up to the first that ends an answer."""
    import termios
    import tty

    from corpulyzer.audit.labels import FLAGS

    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    typed = ""
    try:
        tty.setcbreak(handle)
        while not typed or typed[-1] in {flag.key for flag in FLAGS}:
            typed += sys.stdin.read(1).lower()
            sys.stderr.write(typed[-1:])
            sys.stderr.flush()
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)
    return typed[-1:] if typed[-1:] in (QUIT, SKIP) else typed
