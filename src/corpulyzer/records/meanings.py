"""What each column of the tables means, for the reference: one sentence each, complete by a test."""

from __future__ import annotations

from collections.abc import Mapping

from corpulyzer.records import Document, Edge, Evidence, Fetch, Paragraph, Verdict
from corpulyzer.records.annotation import Annotation, Sentence, Token

_RECORD = {
    "id": "Key of the record, made of archive and offset.",
    "url_id": "Key of the URL's canonical form.",
    "url": "The URL as it was sent.",
    "site": "The site that the URL belongs to.",
    "round": "The round of the crawl; 0 is what was imported.",
    "archive": "Name of the archive that holds the record.",
    "offset": "First byte of the record in the archive.",
    "record_id": "`WARC-Record-ID` of the record.",
    "date": "When it was fetched.",
    "status": "HTTP status; 0 if there was no answer.",
    "mime": "Media type that the server gave.",
    "truncated": "Whether the payload was cut off.",
}

MEANINGS: Mapping[type, Mapping[str, str]] = {
    Fetch: _RECORD
    | {
        "length": "Bytes of the record in the archive, as they are stored.",
        "kind": "Type of the WARC record.",
        "outcome": "`ok`, `revisit`, or why there is nothing to read.",
        "payload_bytes": "Size of the payload.",
        "digest": "Digest of the payload, as the archive has it.",
        "detail": "The outcome in words, for people.",
        "purpose": "`page`; `robots`: a site's robots.txt; `part`: what the scripts of a page asked for in a"
        " browser; `rendered`: the page as the browser made it; `links`: links without their page (WAT).",
        "location": "Where a redirect leads.",
        "took_ms": "How long the attempt took, in milliseconds.",
        "retry_after": "Seconds that the server asks to wait; -1 if it does not.",
    },
    Document: _RECORD
    | {
        "charset": "Encoding that the page was decoded from.",
        "raw_bytes": "Size of the payload.",
        "raw_digest": "SHA-224 of the payload.",
        "title": "Title of the page.",
        "declared_language": "Language that the page says it is in.",
        "canonical": "Canonical URL that the page names.",
        "author": "Author that the page names.",
        "published": "Day of publication as the page declares or shows it, in our calendar.",
        "text": "The paragraphs, joined by newlines.",
        "text_digest": "MD5 of the text.",
        "text_bytes": "Size of the text in UTF-8.",
        "tokens": "Number of tokens of the text.",
        "paragraphs": "Spans of the text, each with its kind and language.",
        "languages": "Bytes by language.",
        "language": "The language with the most bytes, or `und`; in a corpus of several, of these.",
        "target_bytes": "Bytes of the target language: of several, its own.",
        "target_characters": "Characters of the target language: of several, its own.",
        "license": "The license that was found.",
        "licenses": "All evidence of licenses.",
        "machine_translation": "What marks the page as translated by a machine; empty if nothing does.",
        "labels": "Further facts that stages have found, by name.",
        "scores": "Further numbers that stages have found, by name.",
        "verdict": "What the filters said.",
        "license_basis": "What the license was concluded from.",
    },
    Paragraph: {
        "start": "First character in the text.",
        "end": "The character behind its last one.",
        "kind": "What it was on the page: `p`, `h`, `li`, `quote`, `td` and so on.",
        "language": "Its language, or `und`.",
        "confidence": "How sure that is, from 0 to 1.",
        "languages": "Its bytes by language.",
    },
    Evidence: {
        "kind": "The kind of evidence.",
        "value": "The URL or the words that say so.",
        "where": "Where they stand on the page.",
    },
    Verdict: {
        "kept": "Whether the filters keep the document.",
        "reason": "The filter that drops it.",
        "detail": "The reason in words.",
        "facts": "The numbers that decided, by name.",
    },
    Edge: {
        "source_id": "`id` of the record that has the link.",
        "source_url_id": "Key of that record's URL.",
        "target_id": "Key of the URL that it leads to.",
        "target": "That URL in canonical form.",
        "target_site": "The site of that URL.",
        "round": "The round in which the link was found.",
        "anchor": "Its anchor text.",
        "rel": "Its `rel`.",
        "hreflang": "Its `hreflang`.",
        "element": "The element that it is: `a`, `area`, `link`, `sitemap` and so on.",
        "spelling": "The URL as the page spells it; empty where that is the canonical form.",
    },
    Annotation: {
        "id": "`id` of the document.",
        "text_digest": "`text_digest` of the text that was annotated.",
        "method": "What made the annotation.",
        "sentences": "The sentences, in order.",
    },
    Sentence: {
        "start": "First character in the text.",
        "end": "The character behind its last one.",
        "paragraph": "Number of its paragraph, from 0.",
        "tokens": "Its tokens, in order.",
    },
    Token: {
        "start": "First character in the text.",
        "end": "The character behind its last one.",
        "form": "The token as it is counted.",
        "lemma": "Its lemma.",
        "upos": "Its universal part of speech.",
        "xpos": "Its tag in the language's own tag set.",
        "feats": "Its universal features.",
        "morphs": "The parts of the form, with spaces between.",
    },
}
