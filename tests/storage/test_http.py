"""Files on web servers, by byte ranges, and patience with servers that are busy."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent / "web" / "seeds"))
from local_services import Asked, Reply, serve

from corpulyzer.errors import UserError
from corpulyzer.storage import open_input
from corpulyzer.storage.http import Answer, ConnectionLostError, Patience, get
from corpulyzer.storage.http_file import HttpFile

CONTENT = bytes(range(256)) * 40


def ranges(asked: Asked) -> Reply:
    if asked.path != "/file":
        return Reply({"/secret": 403}.get(asked.path, 404))
    first, _, last = asked.headers["range"].removeprefix("bytes=").partition("-")
    start, stop = int(first), min(int(last) + 1, len(CONTENT))
    return Reply(206, CONTENT[start:stop], {"Content-Range": f"bytes {start}-{stop - 1}/{len(CONTENT)}"})


def test_a_file_is_read_at_any_offset_and_no_further_than_asked():
    with serve(ranges) as server, open_input(f"{server.url}/file") as file:
        file.seek(-10, 2)
        assert file.read() == CONTENT[-10:]
        file.seek(300)
        assert file.read(7) == CONTENT[300:307]
        assert file.size() == len(CONTENT)
    assert {asked.headers["range"] for asked in server.asked} >= {"bytes=300-306"}


def test_what_is_not_there_or_closed_is_told_apart():
    with serve(ranges) as server:
        with pytest.raises(FileNotFoundError):
            HttpFile(f"{server.url}/nothing").read()
        with pytest.raises(PermissionError):
            HttpFile(f"{server.url}/secret").read()


def test_a_server_without_ranges_is_named():
    with serve(lambda _: Reply(200, CONTENT)) as server, pytest.raises(UserError, match="parts of files"):
        HttpFile(f"{server.url}/file").read(5)


def test_a_broken_connection_and_a_busy_server_are_tried_again_with_growing_pauses():
    pauses: list[float] = []
    troubles = [Reply(200, CONTENT, cut=100), Reply(503), Reply(429, headers={"Retry-After": "7"})]
    with serve(lambda _: troubles.pop(0) if troubles else Reply(200, b"at last")) as server:
        patience = Patience(first_seconds=1.0, longest_seconds=5.0, sleep=pauses.append)
        assert patience(lambda: get(server.url)).body == b"at last"
    assert pauses == [1.0, 2.0, 5.0]


def test_patience_ends_with_the_last_answer_or_the_last_loss():
    quick = Patience(tries=3, sleep=lambda _: None)
    assert quick(lambda: Answer(503, {}, b"")).status == 503
    with pytest.raises(ConnectionLostError, match=r"127\.0\.0\.1"):
        quick(lambda: get("http://127.0.0.1:1/?key=hidden"))


def test_errors_name_the_host_and_not_what_stands_behind_it():
    with pytest.raises(ConnectionLostError) as lost:
        get("http://127.0.0.1:1/path?key=hidden")
    assert "hidden" not in str(lost.value) and "path" not in str(lost.value)


def test_more_than_was_allowed_for_is_not_taken():
    with (
        serve(lambda _: Reply(200, CONTENT)) as server,
        pytest.raises(ConnectionLostError, match="more than"),
    ):
        get(server.url, max_bytes=1000)
