"""What each column of the frontier's tables means, for the reference: complete by a test."""

from __future__ import annotations

from collections.abc import Mapping

from corpulyzer.web.frontier.tables import Cell, Known, Listed, Site, Spoken

_PLACE = {
    "id": "Key of the URL's canonical form.",
    "url": "The URL in canonical form.",
    "spelling": "How the URL is to be sent; empty where that is the canonical form.",
    "site_id": "Key of its site.",
    "section_id": "Key of its section of the site.",
    "prefix_id": "Key of its pattern within the section.",
    "stem": "Key that it shares with URLs of the site that may be other views of the page.",
    "hops": "Links from the nearest seed.",
    "seed": "1 if it is a seed.",
    "cash": "Cash of OPIC.",
    "fetches": "How often it was fetched.",
    "failures": "How many of the last fetches in a row have failed.",
    "pause": "Seconds between two fetches of it.",
    "digest": "Digest of its longest paragraphs; its `id` for a page without text, 0 if it gave none yet.",
}
_SUMS = {
    "site_id": "Key of the site.",
    "tries": "Requests for URLs that were new.",
    "pages": "Pages among them.",
    "good": "Pages that the corpus keeps and did not have.",
    "errors": "URLs that gave neither a page nor a redirect.",
    "copies": "Pages whose text was known.",
    "thin": "Pages with next to no text of their own.",
    "target_bytes": "Bytes of the target language.",
}
_EVIDENCE = "What speaks for such URLs, folded into one number."

MEANINGS: Mapping[type, Mapping[str, str]] = {
    Known: _PLACE
    | {
        "sibling": "1 if another view of the page was read.",
        "round": "The round in which it was first seen.",
        "words": "What the URL says of its language: 0 nothing, 1 another, 2 the target.",
        "links": "Links to it.",
        "outside": "Links to it from other sites.",
        "from_target": "Links to it from pages with text of the target language, a sentence where counted.",
        "share": "Sum of the target shares of the pages that link to it, in millionths.",
        "anchors_target": "Anchor texts in the target language.",
        "anchors_script": "Anchor texts in its script, of no known language.",
        "anchors_other": "Anchor texts in another language or script.",
        "anchors_named": "Anchor texts that name the target language.",
        "alternates_target": "Links that declare it to be in the target language.",
        "alternates_other": "Links that declare it to be in another language.",
        "listed": "Sitemaps and feeds that name it.",
        "maps": "Links that call it a sitemap or feed.",
        "referrer": "Key of a URL that links to it.",
        "referrer_bytes": "Target bytes of the page with the most of them that links to it.",
        "refused": "Why it is never fetched, or `list of pages`, which is put off; else empty.",
        "fetched": "When it was last fetched, in seconds since 1970.",
        "fetch_round": "The round in which it was last fetched; 0 for none, or before that was noted.",
        "status": "HTTP status of the last fetch.",
        "due": "When it is to be fetched next, in seconds since 1970.",
        "kept": "1 if the corpus keeps its page.",
        "digest_2": "Digest of further long paragraphs.",
        "digest_3": "Digest of further long paragraphs.",
        "digest_4": "Digest of further long paragraphs.",
    },
    Listed: _PLACE
    | {
        "place": "Its place in the list.",
        "evidence": _EVIDENCE,
        "score": "The score that the strategy gave it.",
    },
    Cell: _SUMS
    | {
        "prefix_id": "Key of the pattern of URLs; 0 in the totals of all.",
        "section_id": "Key of its section of the site; 0 in the totals.",
        "evidence": _EVIDENCE,
        "round": "The round that is summed up; 0 for all older ones.",
    },
    Site: _SUMS
    | {
        "site": "The site.",
        "round": "The round in which something of it was first fetched.",
    },
    Spoken: {
        "prefix_id": "Key of the pattern of URLs.",
        "language": "Key of the language of what came; 0 for none, -1 for one that is not wanted.",
        "site_id": "Key of the site.",
        "section_id": "Key of its section of the site.",
        "tries": "Requests for URLs that were new.",
    },
}
