"""What the sync and the async client share: requests, what answers mean, and when to try again."""

from __future__ import annotations

import json
import os
import random
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Literal
from urllib.parse import quote, urlsplit

import httpx2

from ._errors import HooklineError

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]

# Longer waits are left to the caller: the windows of the limits last 60 s.
LONGEST_WAIT_SECONDS = 60
FIRST_BACKOFF_SECONDS = 0.5
LONGEST_BACKOFF_SECONDS = 8
LOST = " It may have been carried out: look before you repeat it."


class NotGiven:
    """A field that is left out. None is sent as null, which clears a field in an update."""

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()


@dataclass(frozen=True)
class Settings:
    api_root: str
    timeout: float
    max_retries: int
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Attempt:
    method: str
    url: str
    headers: dict[str, str]
    content: bytes | None = None
    files: dict[str, tuple[str, bytes]] | None = None
    has_key: bool = field(default=False)


def segment(text: str) -> str:
    return quote(text, safe="")


def setting(given: str | None, name: str) -> str | None:
    return given or os.environ.get(name) or None


def api_root(base_url: str | None) -> str:
    address = setting(base_url, "HOOKLINE_BASE_URL") or "http://localhost:8080"
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError(f'base_url must be an http or https address, not "{address}".')
    path = parts.path.rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path if path.endswith('/api/v1') else path + '/api/v1'}"


def attempt_of(
    settings: Settings,
    method: str,
    path: str,
    *,
    body: Mapping[str, Any] | None = None,
    query: Mapping[str, Any] | None = None,
    file: bytes | BinaryIO | None = None,
    takes_key: bool = False,
    idempotency_key: str | None = None,
) -> Attempt:
    asked = [(name, _text(value)) for name, value in _given(query or {}).items() if value is not None]
    url = str(httpx2.URL(settings.api_root + path, params=asked)) if asked else settings.api_root + path
    headers = {"accept": "application/json", **settings.headers}
    if takes_key:
        headers["idempotency-key"] = idempotency_key or secrets.token_hex(16)
    if file is not None:
        data = file if isinstance(file, bytes) else file.read()
        return Attempt(method, url, headers, files={"file": ("file", data)}, has_key=takes_key)
    if body is None:
        return Attempt(method, url, headers, has_key=takes_key)
    headers["content-type"] = "application/json"
    content = json.dumps(_given(body), ensure_ascii=False).encode()
    return Attempt(method, url, headers, content=content, has_key=takes_key)


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if not isinstance(value, NotGiven)}


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_answer(attempt: Attempt, status: int, headers: httpx2.Headers, content: bytes) -> dict[str, Any]:
    """The envelope of an answer. Raises HooklineError for an error, and for an answer of something else."""
    is_ok = 200 <= status < 300
    if is_ok and headers.get("content-type") == "application/zip":
        return {"data": content}
    try:
        envelope = json.loads(content)
    except ValueError:
        envelope = None
    if is_ok and isinstance(envelope, dict) and "data" in envelope:
        return envelope
    waits = headers.get("retry-after", "")
    retry_after = float(waits) if waits.isascii() and waits.isdigit() else None
    request_id = headers.get("x-request-id")
    error = envelope.get("error") if isinstance(envelope, dict) and not is_ok else None
    if isinstance(error, dict) and isinstance(error.get("code"), str):
        raise HooklineError(
            str(error.get("message", error["code"])),
            code=error["code"],
            status=status,
            request_id=error.get("requestId", request_id),
            param=error.get("param"),
            retry_after_seconds=retry_after,
        )
    kind = headers.get("content-type", "an unknown type").split(";")[0]
    what = "envelope" if is_ok else "error envelope"
    raise HooklineError(
        f"{attempt.method} {attempt.url} answered {status} {kind} with no {what}: is the base URL right?",
        code="no_envelope",
        status=status,
        request_id=request_id,
        retry_after_seconds=retry_after,
    )


def timed_out(attempt: Attempt, seconds: float) -> HooklineError:
    return HooklineError(
        f"{attempt.method} {attempt.url} was not answered within {seconds:g} s.", code="timed_out"
    )


def connection_failed(attempt: Attempt, error: Exception) -> HooklineError:
    reason = str(error).rstrip(".") or type(error).__name__
    return HooklineError(f"{attempt.method} {attempt.url} failed: {reason}.", code="connection_failed")


def is_safe_to_repeat(error: HooklineError, attempt: Attempt) -> bool:
    """A refusal by a limit comes before the request is carried out. ``db_error`` and ``service_unavailable``
    promise that a repeat is safe. After anything else only a GET, a DELETE and a request with a key may be
    sent again, also where the API names a time: a 409 while the first request with the key still runs."""
    if (error.retry_after_seconds or 0) > LONGEST_WAIT_SECONDS:
        return False
    if error.status == 429:
        return True
    is_safe = attempt.method in ("GET", "DELETE") or attempt.has_key
    if error.code in ("db_error", "service_unavailable"):
        return is_safe or attempt.method in ("PATCH", "PUT")
    if not is_safe:
        return False
    if error.retry_after_seconds is not None:
        return True
    if error.code == "no_envelope":
        return error.status in (500, 502, 503)
    return error.code in ("internal_error", "connection_failed", "timed_out")


def may_have_arrived(error: HooklineError, attempt: Attempt) -> bool:
    """An answer was lost, and nothing shows that the request was not sent."""
    if attempt.method == "GET":
        return False
    if error.code == "no_envelope":
        return error.status is not None and error.status >= 500
    never_sent = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
    return error.code in ("connection_failed", "timed_out") and not isinstance(error.__cause__, never_sent)


def wait_seconds(error: HooklineError, retries: int) -> float:
    if error.retry_after_seconds is not None:
        return error.retry_after_seconds
    backoff = min(FIRST_BACKOFF_SECONDS * 2.0**retries, LONGEST_BACKOFF_SECONDS)
    return backoff * (0.5 + random.random() / 2)
