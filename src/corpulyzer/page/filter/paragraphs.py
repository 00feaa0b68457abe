"""Pages without some of their paragraphs: those in other languages (HR-8), or repeated ones (HR-7)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from corpulyzer.page.filter.language import leading_language
from corpulyzer.records import Page, Paragraph
from corpulyzer.records.changed import changed
from corpulyzer.records.targets import Targets


@dataclass(frozen=True, slots=True)
class TargetOnly:
    """Take out the paragraphs that are not in the page's own language, and note how many and how large."""

    targets: Targets

    def __call__(self, page: Page) -> Page:
        target = self.targets.judging_shown(page.language)
        others = [number for number, p in enumerate(page.paragraphs) if p.language != target]
        if not others:
            return page
        size = sum(len(text_of(page, page.paragraphs[number]).encode()) for number in others)
        noted = {**page.scores, "other_paragraphs": float(len(others)), "other_bytes": float(size)}
        before = leading_language(page.languages)
        labels = {**page.labels, "language_before": before}
        return changed(without(page, others, self.targets), scores=noted, labels=labels)


def without(page: Page, dropped: Collection[int], targets: Targets) -> Page:
    """The page without the paragraphs of these numbers: text, spans and bytes are those of what is left.

    In a corpus of several languages, that may be in another one than the whole page was.
    """
    left = [p for number, p in enumerate(page.paragraphs) if number not in dropped]
    texts, moved, start = [], [], 0
    for paragraph in left:
        text = text_of(page, paragraph)
        texts.append(text)
        moved.append(paragraph._replace(start=start, end=start + len(text)))
        start += len(text) + 1
    languages: dict[str, int] = {}
    for paragraph in left:
        for code, size in paragraph.languages.items():
            languages[code] = languages.get(code, 0) + size
    language = targets.shown(languages, page.language)
    target = targets.judging_shown(language)
    return changed(
        page,
        text="\n".join(texts),
        paragraphs=tuple(moved),
        languages=languages,
        language=language,
        target_bytes=languages.get(target, 0),
        target_characters=round(sum(_target_characters(p, target) for p in moved)),
    )


def text_of(page: Page, paragraph: Paragraph) -> str:
    """The words of one paragraph."""
    return page.text[paragraph.start : paragraph.end]


def _target_characters(paragraph: Paragraph, target: str) -> float:
    """Characters of the target in a paragraph: in one of several languages, its share by bytes."""
    size = paragraph.languages.get(target, 0)
    return (paragraph.end - paragraph.start) * size / sum(paragraph.languages.values()) if size else 0.0
