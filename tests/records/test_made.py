"""Records that are made of values by the places of their fields: the same as by their constructors."""

import pytest

from corpulyzer.native import compiled
from corpulyzer.records import Document, Edge, Evidence, Fetch, Page, Verdict
from corpulyzer.records.made import made_by_name, maker

needs_compiler = pytest.mark.skipif(compiled is None, reason="nothing was compiled")


@pytest.mark.parametrize("cls", [Document, Edge, Evidence, Fetch, Page, Verdict])
def test_a_record_of_all_its_fields_is_the_same_as_by_its_constructor(cls):
    values = [f"value {number}" for number in range(len(cls.__slots__))]
    made = maker(cls, *cls.__slots__)(*values)
    assert type(made) is cls
    assert made == cls(*values) == made_by_name(cls, *cls.__slots__)(*values)


def test_names_may_come_in_any_order_and_the_other_fields_get_their_defaults():
    make = maker(Page, "status", "url")
    assert make(404, "https://a.pk/") == Page("https://a.pk/", status=404)


def test_what_a_factory_makes_is_made_for_each_record():
    make = maker(Page, "url")
    one, other = make("https://a.pk/"), make("https://b.pk/")
    assert one.headers == {}
    assert one.headers is not other.headers


@pytest.mark.parametrize("values", [(), (1,), (1, 2, 3)])
def test_a_record_is_made_of_as_many_values_as_it_was_to_get(values):
    for make in (maker(Page, "status", "url"), made_by_name(Page, "status", "url")):
        with pytest.raises((TypeError, ValueError)):
            make(*values)


@needs_compiler
@pytest.mark.parametrize(
    ("cls", "names"),
    [(Page, ("status",)), (Page, ("url", "unknown")), (Page, ("url", "url")), (str, ("upper",)), (Page, ())],
)
def test_a_maker_that_would_leave_a_field_open_or_set_one_twice_is_refused(cls, names):
    with pytest.raises(TypeError):
        compiled.Maker(cls, names, {}, {})


@needs_compiler
def test_an_error_of_a_factory_is_told():
    def broken() -> str:
        raise ValueError("no value today")

    make = compiled.Maker(Evidence, ("kind", "value"), {}, {"where": broken})
    with pytest.raises(ValueError, match="no value today"):
        make("a", "b")
