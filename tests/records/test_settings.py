"""Values of settings are checked against the types of their keys."""

import os

import pytest
from pydantic.plugin import _loader

from corpulyzer.records.settings import Key, as_type


def test_what_is_installed_is_not_looked_through(monkeypatch):
    monkeypatch.setattr(_loader, "_plugins", None)
    monkeypatch.setattr(_loader, "entry_points", lambda **_: pytest.fail("it was looked through"))
    before = dict(os.environ)
    assert as_type(Key("engine.workers", int, 0, ""), "3") == 3
    with pytest.raises(ValueError, match=r"engine\.workers = 'many' is not possible"):
        as_type(Key("engine.workers", int, 0, ""), "many")
    assert dict(os.environ) == before


@pytest.mark.parametrize("value", [float("inf"), float("nan"), "inf"])
def test_a_number_has_an_end(value):
    with pytest.raises(ValueError, match="a finite number"):
        as_type(Key("engine.spark.executor_memory_gigabytes", float, 0.0, ""), value)
