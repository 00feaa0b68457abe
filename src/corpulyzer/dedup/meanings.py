"""What each column of the tables of copies means, for the reference: complete by a test."""

from __future__ import annotations

from collections.abc import Mapping

from corpulyzer.dedup.passages import Passage
from corpulyzer.dedup.units import Unit

LABELS = {
    "id": "`id` of the document.",
    "cluster": "Key of the group of copies.",
    "representative": "`id` of the document that stays.",
    "size": "How many members the group has.",
    "weight": "How many documents or passages the group stands for.",
    "sites": "How many sites the members are on.",
    "place": "Its place among the members; 1 is the one that stays. Of more than 10,000 the others have 2.",
    "scope": "`kept` for the one that stays, `across` for the first on another site, `within` otherwise.",
    "number": "Number of the paragraph or sentence in its document.",
    "begins": "First character of the passage in the text.",
    "stops": "The character behind its last one.",
    "words": "Number of words of the passage.",
    "scope_id": "Key of the site within which copies are looked for, or of the whole corpus.",
    "representative_number": "Number of the passage that stays, in its document.",
}

MEANINGS: Mapping[type, Mapping[str, str]] = {
    Unit: {
        "id": "`id` of the document.",
        "archive_id": "Key of its archive.",
        "site_id": "Key of its site.",
        "kept": "1 if the filters keep it.",
        "rank": "Which copy is to stay: the one with the smallest.",
        "date": "When it was fetched, as a number.",
        "raw_key": "Key of the payload.",
        "raw_bytes": "Size of the payload.",
        "text_key": "Key of the text.",
        "text_bytes": "Size of the text.",
    },
    Passage: {
        "document": "`id` of the document.",
        "number": "Number of the paragraph or sentence in its document.",
        "begins": "First character in the text.",
        "stops": "The character behind its last one.",
        "words": "Number of words.",
        "key": "Key of the text; passages of one scope with the same are copies.",
        "scope_id": "Key of the site within which copies are looked for, or of the whole corpus.",
        "site_id": "Key of its site.",
    },
}
