"""Traces of people in the corpus: how many, in how many documents and sites; none of them is shown."""

from __future__ import annotations

from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import bars
from corpulyzer.measure.result import Result
from corpulyzer.measure.text.counts import text_counts, text_warnings
from corpulyzer.measure.typed_rows import table_of

KINDS = {
    "emails": "e-mail addresses",
    "phones": "phone numbers",
    "addresses": "IP addresses",
    "cards": "card numbers",
}
TRACES_SQL = """
select sum(emails) as emails, sum(case when emails > 0 then 1 else 0 end) as emails_documents,
       sum(phones) as phones, sum(case when phones > 0 then 1 else 0 end) as phones_documents,
       sum(addresses) as addresses, sum(case when addresses > 0 then 1 else 0 end) as addresses_documents,
       sum(cards) as cards, sum(case when cards > 0 then 1 else 0 end) as cards_documents
from facts
"""
SITES_SQL = """
select sum(case when emails > 0 then 1 else 0 end) as emails,
       sum(case when phones > 0 then 1 else 0 end) as phones,
       sum(case when addresses > 0 then 1 else 0 end) as addresses,
       sum(case when cards > 0 then 1 else 0 end) as cards
from (select site, max(emails) as emails, max(phones) as phones, max(addresses) as addresses,
             max(cards) as cards from facts group by site) as s
"""


def measure(bench: Bench) -> list[Result]:
    """Counts of each kind of trace."""
    counts = text_counts(bench)
    found = bench.engine.query(TRACES_SQL, {"facts": counts["facts"]}).to_pylist()[0]
    sites = bench.engine.query(SITES_SQL, {"facts": counts["facts"]}).to_pylist()[0]
    rows = [
        {
            "kind": name,
            "found": found[column] or 0,
            "documents": found[f"{column}_documents"] or 0,
            "documents_share": (found[f"{column}_documents"] or 0) / counts.documents
            if counts.documents
            else None,
            "sites": sites[column] or 0,
        }
        for column, name in KINDS.items()
    ]
    total = sum(found[column] or 0 for column in KINDS)
    kinds = {"kind": "string", "found": "int64", "documents": "int64", "documents_share": "double"}
    number = f"{total:,}" if total else "No"
    return [
        Result(
            name="pii",
            title="Traces of people",
            definition="E-mail addresses, phone numbers with a country or trunk prefix, IP addresses, and "
            "numbers "
            "of 13 to 19 digits whose check digit is that of a card (Luhn), in all text of kept documents.",
            citation="After WIMBD (Elazar et al. 2024)",
            rows=table_of(rows, {**kinds, "sites": "int64"}),
            summary=f"{number} traces of people in the text of {counts.documents:,} documents.",
            facts={"found": total},
            spec=bars(
                "kind", "documents_share", percent=True, titles={"documents_share": "share of documents"}
            ),
            warnings=(
                "Names, postal addresses and health are not looked for; most of what identifies people is "
                "not "
                "a number.",
                "One in ten long numbers passes the check of a card by chance, and phone numbers written "
                "without "
                "a prefix are missed.",
                *text_warnings(bench, counts),
            ),
        )
    ]
