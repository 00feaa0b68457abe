"""Main content as in hrWaC and slWaC (2011): the path that carries the most text (HR-5, Eq. 1).

Every paragraph is described by the (tag, id, class) triples above it. A path is worth the text of its
paragraphs, less what is in links, and the later it appears among the paths the less it is worth.
"""

from __future__ import annotations

from collections import defaultdict

import regex

from corpulyzer.page.extract.blocks import Block, Blocks

# The paper does not print its expressions for well-formed paragraphs. Ours: it ends as a sentence does in
# its script, or is longer than headings and menus are (Thai and many a hurried author write no full stop).
LONG_CHARACTERS = 80
_END_OF_SENTENCE = regex.compile(r"[\p{Sentence_Terminal}…:;][\p{Pf}\p{Pe}\p{Pi}\"']*$")


def path_weight(page: Blocks) -> list[Block]:
    """All well-formed paragraphs of the path with the largest weight."""
    accepted = [block for block in page.blocks if is_well_formed(block.text)]
    if not accepted:
        return []
    weights: defaultdict[int, float] = defaultdict(float)
    for block in accepted:
        path = page.elements[block.element].path
        weights[path] += 0.0  # a path counts among the paths from its first paragraph on
        weights[path] += len(block.text) * (1 - block.link_density) / len(weights)
    best = max(weights, key=weights.__getitem__)
    return [block for block in accepted if page.elements[block.element].path == best]


def is_well_formed(text: str) -> bool:
    """True of text that ends like a sentence, in any script, or is long.

    >>> is_well_formed("یہ جملہ ہے۔"), is_well_formed("„Dobro došli!“"), is_well_formed("Read more")
    (True, True, False)
    """
    return len(text) >= LONG_CHARACTERS or _END_OF_SENTENCE.search(text[-4:]) is not None
