"""Work in a thread of its own: the same items in the same order, its errors, and its end."""

import threading
from itertools import count

import pytest

from corpulyzer.search.ahead import ahead


def threads():
    return [thread for thread in threading.enumerate() if thread.name == "ahead"]


def test_items_come_in_order_and_few_of_them_early():
    made = []
    given = ahead((made.append(n) or n for n in range(100)), most=3)
    for number, item in enumerate(given):
        assert item == number
        assert len(made) <= number + 6  # those that wait, the one here and the one that is being made
    assert made == list(range(100)) and not threads()


def test_an_error_comes_after_the_items_before_it():
    def broken():
        yield from range(3)
        raise OSError("the part is gone")

    given = ahead(broken())
    assert [next(given) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(OSError, match="the part is gone"):
        next(given)
    assert not threads()


def test_whoever_stops_early_ends_the_thread():
    given = ahead(count(), most=2)
    assert next(given) == 0
    given.close()
    assert not threads()
