"""Paths and URIs: which file system they belong to, and where in it they lead."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.fs import FileSystem

HTTP = ("http://", "https://")
YES_OR_NO = {"anonymous", "background_writes", "allow_bucket_creation", "allow_delayed_open"}
"""Options of S3 that a query says in words."""

TRIES = 6
"""So often a store is asked, over some fifteen seconds: that it is busy once must not end a long crawl."""


def user_cache() -> Path:
    """The folder of this user for what can be made again at any time."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "corpulyzer"


def open_input(location: str) -> pa.NativeFile:
    """A file anywhere, by path or URI, open for reads at any offset."""
    if location.startswith(HTTP):
        from corpulyzer.storage.http_file import open_http

        return open_http(location)
    filesystem, path = filesystem_of(location)
    return filesystem.open_input_file(path)


def exists(location: str) -> bool:
    """Whether there is a file or folder under a path or URI."""
    if not is_remote(location):
        return os.path.exists(normalize(location))
    if location.startswith(HTTP):
        from corpulyzer.storage.http_file import is_there

        return is_there(location)
    from pyarrow.fs import FileType

    filesystem, path = filesystem_of(location)
    return bool(filesystem.get_file_info(path).type != FileType.NotFound)


def is_file(location: str) -> bool:
    """Whether there is a file under a path or URI: a store is asked once, not for a folder of that name."""
    if not is_remote(location):
        return os.path.isfile(normalize(location))
    if location.startswith(HTTP):
        return exists(location)
    filesystem, path = filesystem_of(location)
    try:
        filesystem.open_input_file(path).close()
    except FileNotFoundError:
        return False
    return True


def sizes_of(locations: Sequence[str]) -> list[int]:
    """The bytes of files of one folder; an object store is asked for them at the same time."""
    if not locations:
        return []
    if not is_remote(locations[0]):
        return [os.path.getsize(normalize(each)) for each in locations]
    found = [filesystem_of(each) for each in locations]
    return [info.size or 0 for info in found[0][0].get_file_info([path for _, path in found])]


def is_remote(location: str) -> bool:
    """Whether a location is a URI other than `file:`."""
    return "://" in location and not location.startswith("file://")


def normalize(location: str) -> str:
    """An absolute path for anything local, since workers have other working folders; a URI as it is."""
    if is_remote(location):
        return location
    if location.startswith("file://"):
        from urllib.request import url2pathname

        location = url2pathname(urlsplit(location).path)
    return os.path.abspath(os.path.expanduser(location))


def beside(location: str, ending: str) -> str:
    """A hidden name in the same folder, which begins like that of a file and has an ending of its own.

    >>> beside("s3://bucket/a/b.parquet?region=x", ".tmp")
    's3://bucket/a/.b.parquet.tmp?region=x'
    """
    path, mark, query = location.partition("?") if is_remote(location) else (location, "", "")
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}.{name}{ending}{mark}{query}"


def filesystem_of(location: str) -> tuple[FileSystem, str]:
    """The pyarrow file system of a path or URI, and the path in it."""
    from pyarrow.fs import FileSystem

    if not is_remote(location):
        return _local(), normalize(location)
    if location.startswith("s3://"):
        options, bucket, key = in_s3(location)
        return _s3(tuple(options.items())), f"{bucket}/{key}".rstrip("/")
    filesystem, path = FileSystem.from_uri(location)
    return filesystem, path


def split(uri: str) -> SplitResult:
    """The parts of a URI; an object of a store may have # in its name, where the web has a fragment.

    >>> split("s3://bucket/c#/1.warc.gz").path
    '/c#/1.warc.gz'
    """
    return urlsplit(uri, allow_fragments=uri.startswith(HTTP))


def in_s3(uri: str) -> tuple[dict[str, str], str, str]:
    """How the store of an object is reached, the bucket and the key in it.

    The environment says how, the query of the URI what it says instead; keys of access may stand in it too.
    """
    parts = split(uri)
    options = _environment() | {name: values[-1] for name, values in parse_qs(parts.query).items()}
    keys, _, bucket = parts.netloc.rpartition("@")
    if keys:
        access, _, secret = keys.partition(":")
        options |= {"access_key": unquote(access), "secret_key": unquote(secret)}
    return options, bucket, parts.path.removeprefix("/")


@cache
def _local() -> FileSystem:
    from pyarrow.fs import LocalFileSystem

    return LocalFileSystem()


def _environment() -> dict[str, str]:
    """The options of S3 that pyarrow does not read from the environment itself."""
    read: dict[str, str | None] = {
        "endpoint_override": os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL"),
        "region": os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION"),
    }
    return {name: value for name, value in read.items() if value}


@cache
def _s3(said: tuple[tuple[str, str], ...]) -> FileSystem:
    """One client for all files of a store: making one costs milliseconds and a pool of connections.

    It writes a small file with one request, where opening, filling and closing a large one takes three.
    """
    from pyarrow.fs import AwsStandardS3RetryStrategy, S3FileSystem

    options: dict[str, Any] = {"allow_delayed_open": "true", **dict(said)}
    options["retry_strategy"] = AwsStandardS3RetryStrategy(TRIES)
    for name in options.keys() & YES_OR_NO:
        options[name] = options[name].lower() in ("1", "true", "yes")
    return S3FileSystem(**options)
