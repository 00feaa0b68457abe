"""An object changes only for those who know it as it is, on disk and in an object store."""

import socket
import sys
import threading
from itertools import count

import pytest
from pyarrow.fs import FileSelector, FileType
from s3_server import environment, make_bucket
from unreliable import unreliable

from corpulyzer.errors import UserError
from corpulyzer.storage import Storage, s3_objects
from corpulyzer.storage.swap import create, look, must_compare, swap, update


@pytest.fixture(params=["disk", "s3"])
def storage(request, tmp_path):
    if request.param == "disk":
        yield Storage(tmp_path)
        return
    variables = request.getfixturevalue("object_store")
    with environment(variables):
        yield Storage(f"{make_bucket(variables, 'swapped')}/{tmp_path.name}")


def test_what_is_not_there_can_be_made_once(storage):
    assert look(storage, "a/lease") is None
    made = swap(storage, "a/lease", b"1", None)
    assert made == look(storage, "a/lease")
    assert made.data == b"1"
    assert swap(storage, "a/lease", b"2", None) is None
    assert look(storage, "a/lease") == made


def test_who_knows_an_older_state_changes_nothing(storage):
    first = swap(storage, "lease", b"1", None)
    second = swap(storage, "lease", b"2", first)
    assert swap(storage, "lease", b"3", first) is None
    assert look(storage, "lease") == second
    assert swap(storage, "lease", b"3", second).data == b"3"


def test_what_was_removed_is_not_what_it_was(storage):
    first = swap(storage, "lease", b"1", None)
    storage.delete("lease")
    assert swap(storage, "lease", b"2", first) is None
    assert look(storage, "lease") is None


@pytest.mark.parametrize("keys", ["", "me:pass%2Fword@"])
def test_objects_are_the_same_as_other_files_of_a_folder_with_a_hash_sign(object_store, tmp_path, keys):
    with environment(object_store):
        bucket = make_bucket(object_store, "swapped").removeprefix("s3://")
        storage = Storage(f"s3://{keys}{bucket}/{tmp_path.name}/c#?region=us-east-1")
        first, second = (swap(storage, name, name.encode(), None) for name in ("one", "#2"))
        assert look(storage, "one") == first and look(storage, "#2") == second
        assert storage.list() == ["#2", "one"] and storage.read("#2") == b"#2"


def test_of_many_who_change_it_at_once_one_succeeds_each_time(storage):
    swap(storage, "count", b"0", None)
    won = []

    def add(name):
        while len(won) < 20:
            seen = look(storage, "count")
            if swap(storage, "count", f"{int(seen.data.split()[0]) + 1} {name}".encode(), seen):
                won.append(name)

    threads = [threading.Thread(target=add, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(180)
    assert int(look(storage, "count").data.split()[0]) == len(won) >= 20


def test_what_others_change_meanwhile_is_changed_anew_and_not_lost(object_store, tmp_path):
    others = iter([b"one\n", b"two\n"])
    with environment(object_store):
        storage = Storage(f"{make_bucket(object_store, 'swapped')}/{tmp_path.name}")

        def longer(before):
            if other := next(others, b""):
                storage.write("list", (before or b"") + other)
            return (before or b"") + b"mine\n"

        assert update(storage, "list", longer) == (b"one\ntwo\n", b"one\ntwo\nmine\n")
        assert storage.read("list") == b"one\ntwo\nmine\n"
        assert (
            create(storage, "new", b"1") and not create(storage, "new", b"2") and storage.read("new") == b"1"
        )


def test_what_others_change_all_the_time_is_left_to_them(object_store, tmp_path):
    numbers = count()
    with environment(object_store):
        storage = Storage(f"{make_bucket(object_store, 'swapped')}/{tmp_path.name}")

        def busy(before):
            storage.write("list", b"%d" % next(numbers))
            return b"mine"

        with pytest.raises(UserError, match="change list again and again") as told:
            update(storage, "list", busy)
        assert "one after the other" in told.value.hint and storage.read("list") != b"mine"


@pytest.mark.parametrize("way", ["unknown", "refused", "ignored", "no botocore", "no profile", "disk"])
def test_where_nothing_compares_an_object_is_replaced(request, tmp_path, monkeypatch, way):
    if way == "disk":
        storage = Storage(tmp_path)
    else:
        storage, store = request.getfixturevalue("unreliable_store")
        store.fault = lambda: way
    if way == "no botocore":
        monkeypatch.setitem(sys.modules, "botocore", None)
    if way == "no profile":
        monkeypatch.setenv("AWS_PROFILE", "nobody")
        s3_objects._client.cache_clear()
    for before, after in ((None, b"1"), (b"1", b"2")):
        assert update(storage, "list", lambda found, after=after: after) == (before, after)
    assert create(storage, "new", b"3") and storage.read("new") == b"3"


def test_a_store_that_cannot_be_read_for_a_moment_loses_nothing_that_others_wrote(unreliable_store):
    storage, way = unreliable_store
    storage.write("list", b"others")
    way.loses_gets = True
    with pytest.raises(OSError, match="get_object"):
        update(storage, "list", lambda _: b"mine")
    way.loses_gets = False
    assert storage.read("list") == b"others"


@pytest.fixture
def unreliable_store(object_store, tmp_path, monkeypatch):
    """An object store, and what befalls its answers."""
    monkeypatch.setattr(s3_objects, "ANSWER_SECONDS", 0.5)
    folder = f"{make_bucket(object_store, 'swapped')}/{tmp_path.name}"
    with unreliable(object_store) as (way, variables), environment(variables):
        yield Storage(folder), way


@pytest.mark.parametrize("fault", ["lost", "late", (500, "InternalError"), (503, "SlowDown")])
def test_a_change_whose_answer_does_not_come_is_made_once(unreliable_store, fault):
    storage, way = unreliable_store
    way.befall(fault)
    first = swap(storage, "lease", b"1", None)
    way.befall(fault)
    second = swap(storage, "lease", b"2", first)
    assert look(storage, "lease") == second
    assert second.data == b"2"


def test_a_store_that_is_busy_with_an_object_has_not_said_that_somebody_was_quicker(unreliable_store):
    storage, way = unreliable_store
    first = swap(storage, "lease", b"1", None)
    way.befall(*[(409, "ConditionalRequestConflict")] * 9)
    with pytest.raises(OSError, match="ConditionalRequestConflict"):
        swap(storage, "lease", b"2", first)
    way.befall()
    assert swap(storage, "lease", b"2", first)


def test_a_store_that_puts_whatever_the_condition_is_refused(unreliable_store):
    storage, way = unreliable_store
    must_compare(storage, "logs")
    must_compare(storage, "logs")
    way.fault = lambda: "ignored"
    with pytest.raises(UserError, match="whether or not their condition holds"):
        must_compare(storage, "logs")
    way.fault = lambda: (501, "NotImplemented")
    with pytest.raises(UserError, match="NotImplemented"):
        must_compare(storage, "logs")
    filesystem, path = storage.filesystem()
    left = filesystem.get_file_info(FileSelector(path, recursive=True, allow_not_found=True))
    assert [info.path for info in left if info.type == FileType.File] == []


@pytest.fixture
def breaking_store(monkeypatch):
    """A store that ends its answers too soon."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "x")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer():
            while True:
                try:
                    connection = server.accept()[0]
                except OSError:
                    return
                with connection:
                    connection.recv(65_536)
                    connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nETag: "1"\r\n\r\nhalf')

        threading.Thread(target=answer, daemon=True).start()
        yield f"127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.parametrize("keys", ["", "me:pass%2Fword@"])
def test_an_answer_that_breaks_off_is_an_error_of_the_store_and_tells_no_secret(breaking_store, keys):
    query = f"endpoint_override={breaking_store}&scheme=http&region=x"
    with pytest.raises(OSError, match="get_object of s3://bucket/c/lease: ") as error:
        look(Storage(f"s3://{keys}bucket/c?{query}"), "lease")
    assert "pass" not in str(error.value)


def test_a_store_without_such_objects_is_refused():
    with pytest.raises(UserError, match="hdfs://"):
        look(Storage("hdfs://name/c"), "lease")
