"""Objects of S3 that are put on condition, which pyarrow cannot: with botocore, an extra."""

from __future__ import annotations

from functools import cache
from typing import Any

from corpulyzer.errors import UserError
from corpulyzer.storage.location import in_s3

CHANGED = ("PreconditionFailed", "NoSuchKey", "404", "412")
BUSY = ("ConditionalRequestConflict", "409")
UNKNOWN = ("NotImplemented", "501", "MethodNotAllowed", "405", "InvalidArgument", "InvalidRequest", "400")
FORBIDDEN = (401, 403)
TRIES = 5
CONNECT_SECONDS = 3.0
ANSWER_SECONDS = 5.0
"""So long an answer is waited for before the next try: less than a lease, of which it may be the renewal."""


class NoConditionsError(OSError):
    """The store puts nothing on condition, or botocore has no keys for it; pyarrow may have some."""


def get(uri: str) -> tuple[bytes, str] | None:
    """An object and its entity tag; None if there is none. OSError if the store cannot be asked."""
    answer = _asked(uri, "get_object")
    return None if "refused" in answer else (answer["Body"], answer["ETag"])


def put_if(uri: str, data: bytes, tag: str) -> str:
    """Put an object if it still has a tag (empty: if there is none); returns its new tag, empty if not put.

    OSError if the store cannot be asked.
    """
    condition = {"IfMatch": tag} if tag else {"IfNoneMatch": "*"}
    for _ in range(TRIES):
        answer = _asked(uri, "put_object", Body=data, **condition)
        if answer.get("refused") not in BUSY:
            break
    if "refused" not in answer:
        return str(answer["ETag"])
    # The answer to an earlier try may have been lost after it had succeeded.
    found = get(uri)
    if found is not None and found[0] == data:
        return found[1]
    if answer["refused"] in BUSY:  # which says nothing about the condition
        raise OSError(f"put_object of {uri.partition('@')[2] or uri}: the store says {answer['refused']}")
    return ""


def _asked(uri: str, verb: str, **options: Any) -> dict[str, Any]:
    """The store's answer, its body read; `refused` has the code of a refusal that is no error."""
    store, bucket, key = _place(uri)
    try:
        from botocore.exceptions import (
            BotoCoreError,
            ClientError,
            NoCredentialsError,
            NoRegionError,
            PartialCredentialsError,
            ProfileNotFound,
        )
    except ImportError:
        raise UserError(
            "To share a crawl in S3 among several fetchers takes botocore, which is not installed.",
            "Install it with `pip install 'corpulyzer[s3]'`.",
        ) from None
    try:
        answer: dict[str, Any] = getattr(_client(store), verb)(Bucket=bucket, Key=key, **options)
        return {**answer, "Body": answer["Body"].read()} if "Body" in answer else answer
    except ClientError as error:
        code = str(error.response.get("Error", {}).get("Code", ""))
        if code in (*CHANGED, *BUSY):
            return {"refused": code}
        is_forbidden = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode") in FORBIDDEN
        kind = NoConditionsError if is_forbidden or code in UNKNOWN else OSError
        raise kind(f"{verb} of s3://{bucket}/{key}: {error}") from error
    except (NoCredentialsError, NoRegionError, PartialCredentialsError, ProfileNotFound) as error:
        raise NoConditionsError(f"{verb} of s3://{bucket}/{key}: {error}") from error
    except BotoCoreError as error:
        raise OSError(f"{verb} of s3://{bucket}/{key}: {error}") from error


def _place(uri: str) -> tuple[tuple[tuple[str, str], ...], str, str]:
    """How a store is reached, the bucket and the key in it."""
    scheme = uri.partition("://")[0]
    if scheme != "s3":
        hint = "Put the corpus into S3, or into a folder that all machines see."
        raise UserError(f"Several fetchers cannot share a crawl in {scheme}://.", hint)
    options, bucket, key = in_s3(uri)
    return tuple(options.items()), bucket, key


@cache
def _client(store: tuple[tuple[str, str], ...]) -> Any:
    from botocore.config import Config
    from botocore.session import Session

    asked = dict(store)
    endpoint = asked.get("endpoint_override")
    if endpoint and "://" not in endpoint:
        endpoint = f"{asked.get('scheme', 'https')}://{endpoint}"
    keys = {
        "aws_access_key_id": asked.get("access_key"),
        "aws_secret_access_key": asked.get("secret_key"),
        "aws_session_token": asked.get("session_token"),
    }
    patience = Config(
        connect_timeout=CONNECT_SECONDS,
        read_timeout=ANSWER_SECONDS,
        # Some stores refuse the checksums that S3 itself can do without.
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )
    return Session().create_client(
        "s3", region_name=asked.get("region"), endpoint_url=endpoint, config=patience, **keys
    )
