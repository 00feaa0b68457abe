"""The article of a page as Boilerpipe's ArticleExtractor finds it (CZ-4), in the order of its filters.

Kohlschütter, Fankhauser and Nejdl (2010), Algorithm 2, tell content from boilerplate by the words and links
of a block and of its neighbours. Around that decision tree version 1.1 has rules for news: nothing is content
where the comments begin, content stands together, and it reaches up to the headline.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import regex

from corpulyzer.page.extract.blocks import Block, Blocks
from corpulyzer.page.extract.published.as_written import source_of
from corpulyzer.page.extract.published.text_blocks import TextBlock, TextBlocks, text_blocks
from corpulyzer.text import clean

MAX_LINK_DENSITY = 0.333333
MAX_PREVIOUS_LINK_DENSITY = 0.555556
FEW_WORDS = 16
FEW_NEXT_WORDS = 15
FEW_PREVIOUS_WORDS = 4
FEW_WORDS_AFTER_LINKS = 40
FEW_NEXT_WORDS_AFTER_LINKS = 17
MAX_WORDS_OF_AN_END = 14
MIN_CHARACTERS_OF_AN_END = 8
MIN_WORDS_BEFORE_AN_END = 60
MAX_GAP = 1  # blocks

# What stands between an article and its comments, in lower case.
_END = regex.compile(
    r"comments|\d+(?: comments| users responded in)|© reuters|please rate this|post a comment"
    r"|thanks for your comments - this feedback is now closed$"
    r"|.*(?:what you think\.\.\.|add your comment|add comment|reader views|have your say|reader comments"
    r"|rätta artikeln)",
    regex.DOTALL,
)
# Separators between the names of the site, the section and the article in a title.
_TITLE_SEPARATORS = tuple(
    regex.compile(rf" *[{signs}] *") for signs in (r"|»:", r"|»:()", r"|»:()\-", r"|»,:()\-")
)
_WORD = regex.compile(r"\w+")
# The numbers of blocks that stand together.
_Passage = list[int]
_EDGE = TextBlock("", 0, 0, 0, -1, "p")


def article(page: Blocks) -> list[Block]:
    """The blocks of the article. They are no blocks of the page's tree, so they have no element of it."""
    return without_elements(article_of(text_blocks(source_of(page))))


def without_elements(blocks: Iterable[Block]) -> list[Block]:
    """The blocks without their elements, which are those of the source and not of the tree."""
    return [block._replace(element=-1) for block in blocks]


def article_of(page: TextBlocks) -> list[Block]:
    """The blocks of the article, among those of a page."""
    content = _before_the_end(page.blocks, _content(page.blocks))
    chosen = _from_title_to_largest(page, _joined(_passages(content)))
    blocks = (page.blocks[number] for passage in chosen for number in passage)
    made = (Block(clean(block.text), block.tag, block.element, 0, 0, 0, 0, 0) for block in blocks)
    return [block for block in made if block.text]


def _content(blocks: Sequence[TextBlock]) -> list[bool]:
    """What the decision tree says of each block."""
    around = [_EDGE, *blocks, _EDGE]
    return [is_content(*three) for three in zip(around, around[1:], around[2:], strict=False)]


def is_content(before: TextBlock, this: TextBlock, after: TextBlock) -> bool:
    """The published decision tree, for a block between two others."""
    if this.link_density > MAX_LINK_DENSITY:
        return False
    if before.link_density > MAX_PREVIOUS_LINK_DENSITY:
        return this.words > FEW_WORDS_AFTER_LINKS or after.words > FEW_NEXT_WORDS_AFTER_LINKS
    return this.words > FEW_WORDS or after.words > FEW_NEXT_WORDS or before.words > FEW_PREVIOUS_WORDS


def _before_the_end(blocks: Sequence[TextBlock], content: Sequence[bool]) -> list[bool]:
    """The same without what follows the line that ends the article, if there is enough before it."""
    words = 0
    for number, (block, is_content) in enumerate(zip(blocks, content, strict=True)):
        words += block.full_text if is_content else 0
        if words >= MIN_WORDS_BEFORE_AN_END and _is_end(block):
            return [*content[:number], *(False for _ in content[number:])]
    return list(content)


def _is_end(block: TextBlock) -> bool:
    text = block.text.lower()
    if block.words > MAX_WORDS_OF_AN_END or len(text) < MIN_CHARACTERS_OF_AN_END:
        return False
    return _END.match(text) is not None


def _passages(content: Sequence[bool]) -> list[_Passage]:
    """Runs of content, each with the block right before it: a headline, or how the text begins."""
    passages: list[_Passage] = []
    for number, is_content in enumerate(content):
        if is_content and number and content[number - 1]:
            passages[-1].append(number)
        elif is_content:
            passages.append([number - 1, number] if number else [number])
    return passages


def _joined(passages: Sequence[_Passage]) -> list[_Passage]:
    """Passages with at most one block between them become one. That block is left out."""
    joined: list[_Passage] = []
    for passage in passages:
        if joined and passage[0] - joined[-1][-1] - 1 <= MAX_GAP:
            joined[-1] += passage
        else:
            joined.append(list(passage))
    return joined


def _from_title_to_largest(page: TextBlocks, passages: Sequence[_Passage]) -> Sequence[_Passage]:
    """The passage with the most words, and those before it back to the nearest one that has the title."""
    if not passages:
        return []
    sizes = [sum(page.blocks[number].words for number in passage) for passage in passages]
    largest = sizes.index(max(sizes))
    titles = _possible_titles(page.title)
    for first in range(largest, -1, -1):
        if any(page.blocks[number].text.lower() in titles for number in passages[first]):
            return passages[first : largest + 1]
    return passages[largest : largest + 1]


def _possible_titles(title: str) -> set[str]:
    """The title, and what can be the article's own part of it, in lower case."""
    parts = (_longest_part(separator.split(title)) for separator in _TITLE_SEPARATORS)
    return {text.lower() for text in (title, *parts) if text}


def _longest_part(parts: Sequence[str]) -> str:
    """The last part that is longer than those before it, in words or characters; addresses are skipped."""
    most, longest = 0, ""
    for part in parts:
        words = len(_WORD.findall(part))
        if ".com" not in part and (words > most or len(part) > len(longest)):
            most, longest = words, part
    return longest.strip()
