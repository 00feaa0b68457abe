"""What may stand in a portable query, and what may not."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
import regex

import corpulyzer
from corpulyzer.engine.sql import PortabilityError, columns_used, lint, violations

PORTABLE = [
    "select id, site from urls order by id nulls last",
    "SELECT u.id, s.* FROM urls AS u LEFT JOIN sites AS s USING (site) WHERE u.id IN (1, 2)",
    "select count(*) as n, sum(case when a = 1 then 1 else 0 end) as ones from t",
    "select distinct a.b.c from t where a is not null and not (b <> 'it''s \"quoted\"') -- says \"k\"",
    "with c as (select site, max(score) as best from t group by site) select c.best from c /* 1.5 */",
    "select id from t where exists (select 1 from u where u.id = t.id) order by id desc nulls first limit 10",
    """select id, row_number() over (partition by site order by score desc nulls last, id nulls last) as place
       from t""",
    "select t.offset, id % 16 as bucket, a || b as ab, cast(null as bigint) as nothing from t",
    "select id from a semi join b using (id) union all select id from c",
]
BROKEN = [
    ('select "k" as k from t', 7, "no quoted identifiers"),
    ("select `k` as k from t", 7, "no quoted identifiers"),
    ("select Url from t", 7, "lower case"),
    ("Select url from t", 0, "lower case"),
    (r"select a from t where b = 'a\d'", 28, "no backslashes"),
    ("select a from t where b > 1.5", 26, "no decimal literals"),
    ("select a from t where b > .5", 26, "no decimal literals"),
    ("select a from t where b > 1e3", 26, "no decimal literals"),
    ("select a from t where b > 9223372036854775808", 26, "beyond 64 bits"),
    ("select a from t order by a nulls last limit 2147483648", 44, "no limit beyond 32 bits"),
    ("select a from t order by a nulls last limit \n 9999999999", 46, "no limit beyond 32 bits"),
    ("select cast(a as int) as b from t", 7, "no casts"),
    ("select a::int as b from t", 8, "not in both dialects"),
    ("select a / b as c from t", 9, "no division"),
    ("select a % b as c from t", 9, "% only before a number"),
    ("select a % 0 as c from t", 9, "% only before a number"),
    ("select a[1] as b from t", 8, "no '['"),
    ("select lower(a) as b from t", 7, "no function 'lower'"),
    ("select concat(a, b) as c from t", 7, "no function 'concat'"),
    ("select log(a) as b from t", 7, "no function 'log'"),
    ("select sum(a = b) as c from t", 7, "no sum of truth values"),
    ("select a from t order by a", 25, "NULLS FIRST or NULLS LAST"),
    ("select a, b from t order by a nulls last, b desc", 42, "NULLS FIRST or NULLS LAST"),
    ("select row_number() over (partition by a order by b) as n from t", 50, "NULLS FIRST or NULLS LAST"),
    ("select row_number() over (partition by a) as n from t", 7, "needs an order"),
    ("select a from t limit 3", 16, "LIMIT needs an ORDER BY"),
    ("select a from (select a from t order by a nulls last) as s limit 3", 59, "LIMIT needs an ORDER BY"),
    ("select count(*) from t", 7, "needs a name"),
    ("select a + 1, b from t", 7, "needs a name"),
    ("select offset from t", 7, "say which table's"),
    ("select a from t qualify a = 1", 16, "not in both dialects"),
    ("select date '2026-01-01' as d from t", 7, "no typed literals"),
    ("select a from t; select b from t", 15, "not in both dialects"),
    ("insert into t select a from u", 0, "one SELECT"),
    ("", 0, "one SELECT"),
]


@pytest.mark.parametrize("sql", PORTABLE)
def test_a_portable_query_passes(sql: str) -> None:
    assert violations(sql) == []


@pytest.mark.parametrize(("sql", "start", "rule"), BROKEN)
def test_a_query_that_is_not_portable_is_refused_at_the_place(sql: str, start: int, rule: str) -> None:
    found = violations(sql)
    assert [violation.start for violation in found if rule in violation.rule] == [start], found
    with pytest.raises(PortabilityError):
        lint(sql)


def test_the_message_names_all_rules_and_places() -> None:
    with pytest.raises(PortabilityError) as caught:
        lint("select Url,\n  lower(a) as b\nfrom t")
    assert str(caught.value).splitlines()[1:] == [
        "  line 1, column 8: identifiers in lower case: the engines fold case in different ways",
        "  line 2, column 3: no function 'lower'; portable: cast, coalesce, count, greatest, least, length, max, min, "
        "nullif, row_number, sum",
    ]


def test_only_the_columns_that_a_query_names_are_used() -> None:
    verdict = pa.struct([("kept", pa.bool_()), ("reason", pa.string()), ("detail", pa.string())])
    columns = pa.schema(
        [("id", pa.int64()), ("url", pa.string()), ("text", pa.string()), ("verdict", verdict)]
    )
    assert columns_used("select * from t", columns) == columns
    assert columns_used("select t.* from t", columns) == columns
    assert columns_used("select count(*) as n from t", columns).names == ["id"]
    for sql, fields in {
        "select verdict.reason as r, count(*) as n from t": ["reason"],
        "select id from t where not t.verdict.kept and verdict.reason <> ''": ["kept", "reason"],
        "select verdict from t where verdict.kept": ["kept", "reason", "detail"],
        "select verdict.kept as k, verdict is null as n from t": ["kept", "reason", "detail"],
    }.items():
        (used,) = [field for field in columns_used(sql, columns) if field.name == "verdict"]
        assert [own.name for own in used.type] == fields


def queries_of(folder: Path) -> Iterator[tuple[str, str]]:
    """Every query of a package and its place: the module constants named `…_SQL`, and the files `*.sql`.

    `{name}` in one stands for an integer that is filled in before it runs.
    """
    for path in sorted(folder.rglob("*.sql")):
        yield str(path), _filled(path.read_text(encoding="utf-8"))
    for path in sorted(folder.rglob("*.py")):
        for statement in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(statement, ast.Assign) and any(map(_is_query, statement.targets)):
                yield f"{path}:{statement.lineno}", _filled(str(ast.literal_eval(statement.value)))


def _is_query(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id.endswith("_SQL")


def _filled(sql: str) -> str:
    return regex.sub(r"\{\w+\}", "1", sql)


def test_queries_are_found_in_modules_and_files(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('ONE_SQL = "select a from t where b = {b}"\nTWO = "select"\n')
    (tmp_path / "b.sql").write_text("select c from t")
    assert [sql for _, sql in queries_of(tmp_path)] == [
        "select c from t",
        "select a from t where b = 1",
    ]


def test_every_query_of_the_package_is_portable() -> None:
    queries = dict(queries_of(Path(corpulyzer.__file__).parent))
    broken = {place: violations(sql) for place, sql in queries.items() if violations(sql)}
    assert not broken
