"""What `corpulyzer estimate` reckons with: the prices of a cloud, and how much of it is rented."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Gt, Le


@dataclass(frozen=True, slots=True)
class EstimateTable:
    """What `estimate` reckons with; prices change, so set those of the day and the place."""

    prices: Annotated[str, "Whose prices these are, and of when: shown beside the dollars."] = (
        "AWS, us-east-1, m7g (June 2026) and S3 standard (not checked): set those of your day"
    )
    core_hour_dollars: Annotated[float, "Price of a core for an hour.", Ge(0)] = 0.0408
    gigabyte_month_dollars: Annotated[float, "Price of a gigabyte that is kept for a month.", Ge(0)] = 0.023
    thousand_reads_dollars: Annotated[float, "Price of a thousand requests that read.", Ge(0)] = 0.0004
    thousand_writes_dollars: Annotated[float, "Price of a thousand requests that write or list.", Ge(0)] = (
        0.005
    )
    months: Annotated[float, "How long the corpus is kept.", Ge(0)] = 1.0
    cores: Annotated[int, "Cores that are rented at once.", Ge(1)] = 64
    busy: Annotated[float, "Share of the rented time in which the cores work.", Gt(0), Le(1)] = 0.7
    core_speed: Annotated[float, "How fast a rented core is, where one of this machine is 1.", Gt(0)] = 1.0
    spark_factor: Annotated[float, "How much more processor time the same work takes on Spark.", Ge(1)] = 1.6
    local_pages: Annotated[int, "Pages up to which one machine does the work, without Spark.", Ge(0)] = (
        5_000_000
    )
    archive_pages: Annotated[
        int, "Pages of an archive: each is a part of the tables, which are asked for part by part.", Ge(1)
    ] = 40_000
    pages_per_second: Annotated[
        float,
        "Pages that a crawl gets in a second: sites asked at once, by their pause.",
        Gt(0),
    ] = 500.0
    fetchers: Annotated[int, "Fetchers of a crawl; each asks the store for as long as it fetches.", Ge(2)] = 4
