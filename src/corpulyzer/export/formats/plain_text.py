"""Plain text in blocks with an empty line between: documents, a paragraph a line; or paragraphs."""

from __future__ import annotations

from corpulyzer.export.formats import Blocks, CollectBlocks, Format, Options, by_split, chosen
from corpulyzer.export.render import Material


def plain_text(options: Options) -> Format:
    """Text, one file for each split."""
    unit = chosen("unit", options.unit, ("document", "paragraph"))
    render = document_block if unit == "document" else paragraph_blocks
    return Format(
        "text", Blocks(render, by_split), CollectBlocks(".txt", options.compress or "none"), follows=True
    )


def document_block(material: Material) -> bytes:
    """The text, and an empty line."""
    return f"{material.published.text}\n\n".encode("utf-8", "replace")


def paragraph_blocks(material: Material) -> bytes:
    """Each paragraph with an empty line behind it."""
    lines = material.published.text.split("\n")
    return "".join(f"{line}\n\n" for line in lines if line).encode("utf-8", "replace")
