"""What each column of the labels of copies means, for the reference: complete by a test."""

from __future__ import annotations

LABELS = {
    "id": "`id` of the document.",
    "cluster": "Key of the group of copies.",
    "representative": "`id` of the document that stays.",
    "size": "How many members the group has.",
    "weight": "How many documents or passages the group stands for.",
    "sites": "How many sites the members are on.",
    "place": "Its place among the members; 1 is the one that stays.",
    "scope": "`kept` for the one that stays, `across` for the first on another site, `within` otherwise.",
    "number": "Number of the paragraph or sentence in its document.",
    "begins": "First character of the passage in the text.",
    "stops": "The character behind its last one.",
    "words": "Number of words of the passage.",
    "scope_id": "Key of the site within which copies are looked for, or of the whole corpus.",
    "representative_number": "Number of the passage that stays, in its document.",
}
