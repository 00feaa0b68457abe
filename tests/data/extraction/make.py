"""Writes the gold set: `python tests/data/extraction/make.py DIR`. The pages are made, and so the truth is known."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from layouts import LAYOUTS, manual
from texts import Text, texts

PAGES_PER_LANGUAGE = 5


def rows() -> Iterator[tuple[dict[str, str], str]]:
    """Each gold line with its page: every language in five layouts, every layout in several languages."""
    for number, text in enumerate(texts().values()):
        for turn in range(PAGES_PER_LANGUAGE):
            layout = LAYOUTS[(number * PAGES_PER_LANGUAGE + turn) % len(LAYOUTS)]
            name = layout.__name__
            row = {
                "id": f"{text.language}-{name}",
                "url": f"https://{name}.example/{text.language}",
                "language": text.language,
                "page_type": name,
                "text": gold(text, layout is manual),
            }
            yield row, page(text, layout(text))


def gold(text: Text, sections: bool) -> str:
    """The title and the paragraphs; in a manual the headings of its sections too."""
    lines = [text.title]
    for i, paragraph in enumerate(text.paragraphs):
        lines += [text.related[i % len(text.related)], paragraph] if sections else [paragraph]
        lines += ["$ make install $ make test"] if sections and i == 1 else []
    return "\n".join(lines)


def page(text: Text, body: str) -> str:
    head = f'<meta charset="utf-8"><title>{text.title} - {text.menu[0]}</title>'
    return f'<!DOCTYPE html>\n<html lang="{text.code}" dir="{text.direction}"><head>{head}</head><body>\n{body}\n</body></html>\n'


def write(folder: Path) -> None:
    (folder / "html").mkdir(parents=True, exist_ok=True)
    lines = []
    for row, html in rows():
        (folder / "html" / f"{row['id']}.html").write_text(html, "utf-8")
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    (folder / "gold.jsonl").write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
