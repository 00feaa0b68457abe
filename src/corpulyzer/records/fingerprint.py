"""Fingerprints: short hashes of the settings that a result was made with. If they differ now, it is stale.

Hashed are the names and values of settings and a version of each stage, never names of classes or the
package's version: a release or a moved module makes nothing stale.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Set
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from pathlib import PurePath
from typing import Any

# Raise the number of a stage when the same settings would give another result than before: its method, a
# default or a list that comes with it has changed. All that the stage has made is then made again, in every
# corpus. Leave it as it is when code was only moved, named anew or made faster, and for a new setting whose
# default does what was done without it.
VERSIONS: dict[str, int] = {
    "index": 2,
    "extract": 5,
    "identify": 3,
    "filter": 1,
    "frontier": 5,
    "gone": 1,
    "units": 1,
    "full_stops": 1,
    "passages": 2,
    "minhash": 1,
    "simhash": 1,
    "text_profile": 1,
    "duplicates": 2,
    "view": 1,
    "kept": 1,
    "languages": 1,
    "annotations": 2,
    "text_counts": 3,
    "pages": 1,
    "annotation_counts": 1,
    "analysis": 3,
    "funnel": 1,
    "export": 1,
}

# The same for one method of a stage, where only what that method makes has changed. Others stay at 1, which
# is no part of a fingerprint.
METHOD_VERSIONS: dict[str, int] = {"identify.guess": 4, "identify.markov": 2, "filter.language_share": 2}


def method_version(stage: str, method: str) -> dict[str, int]:
    """What a method's version adds to the settings that are hashed: nothing, where it was never raised.

    >>> method_version("identify", "cld2")
    {}
    """
    version = METHOD_VERSIONS.get(f"{stage}.{method}", 1)
    return {"version": version} if version > 1 else {}


NOT_HASHED = {"fingerprint": False}
"""Marks a field that says nothing of the result, such as where a file stands."""


def fingerprint(stage: str, settings: object, versions: Mapping[str, int] = VERSIONS) -> str:
    """The fingerprint of a stage with these settings: equal settings give the same, whatever their classes.

    A field that has its default is left out, so that a new setting with a default makes nothing stale.

    >>> fingerprint("filter", {"min_bytes": 256}) == fingerprint("filter", {"min_bytes": 256.0})
    True
    """
    return digest([stage, versions[stage], settings])


def digest(value: object) -> str:
    """A short hash of plain values; equal values have the same."""
    return hashlib.sha256(json.dumps(_plain(value), sort_keys=True).encode()).hexdigest()[:16]


def _plain(value: Any) -> Any:
    """A value as JSON can write it; TypeError for one that has no lasting form, such as a function."""
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in _changed_fields(value)}
    if isinstance(value, Enum):
        return _plain(value.value)
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, Set):
        return sorted(map(_plain, value), key=json.dumps)
    if isinstance(value, list | tuple):
        if all(type(each) is str for each in value):  # long lists of words are asked for often
            return list(value)
        return [_plain(each) for each in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, PurePath):
        return str(value)
    raise TypeError(f"{value!r} cannot be part of a fingerprint")


def _changed_fields(settings: Any) -> Iterator[Field[Any]]:
    """The fields that count when settings are compared, and have other values than their defaults."""
    for each in fields(settings):
        default = each.default if each.default_factory is MISSING else each.default_factory()
        counts = each.compare and each.metadata.get("fingerprint", True)
        if counts and getattr(settings, each.name) != default:
            yield each
