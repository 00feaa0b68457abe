"""All visible text, boilerplate and all: what the isiXhosa crawler identified the language of (XH-3)."""

from __future__ import annotations

from corpulyzer.page.extract.blocks import Block, Blocks


def full_text(page: Blocks) -> list[Block]:
    """Every block of the page."""
    return page.blocks
