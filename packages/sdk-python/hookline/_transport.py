"""The attempts of a call, in both colours."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import httpx2

from ._core import (
    LOST,
    Attempt,
    Settings,
    attempt_of,
    connection_failed,
    is_safe_to_repeat,
    may_have_arrived,
    read_answer,
    timed_out,
    wait_seconds,
)
from ._errors import HooklineError
from ._pages import AsyncPages, CursorName, Pages

Token = Callable[[], str | None]


def _headers(attempt: Attempt, token: str | None) -> dict[str, str]:
    if token is None:
        return attempt.headers
    # The library's error would quote the token.
    if not (token.isascii() and token.isprintable()):
        raise ValueError("The key or token has a character that no header can carry.")
    return {**attempt.headers, "authorization": f"Bearer {token}"}


class Transport:
    def __init__(self, settings: Settings, token: Token, client: httpx2.Client | None) -> None:
        self._settings = settings
        self._token = token
        self._owns = client is None
        self._client = client or httpx2.Client()

    def send(self, method: str, path: str, **request: Any) -> Any:
        return self._exchange(method, path, **request)["data"]

    def pages(
        self,
        path: str,
        *,
        query: dict[str, Any],
        cursor_name: CursorName,
        timeout: float | None,
        max_retries: int | None,
    ) -> Pages[Any]:
        def load(asked: dict[str, Any]) -> dict[str, Any]:
            return self._exchange("GET", path, query=asked, timeout=timeout, max_retries=max_retries)

        return Pages(load, query, cursor_name)

    def close(self) -> None:
        if self._owns:
            self._client.close()

    def _exchange(
        self,
        method: str,
        path: str,
        *,
        timeout: float | None,
        max_retries: int | None,
        **request: Any,
    ) -> dict[str, Any]:
        attempt = attempt_of(self._settings, method, path, **request)
        most = self._settings.max_retries if max_retries is None else max_retries
        retries = 0
        is_lost = False
        while True:
            try:
                return self._attempt(attempt, self._settings.timeout if timeout is None else timeout)
            except HooklineError as error:
                is_lost = is_lost or may_have_arrived(error, attempt)
                if retries >= most or not is_safe_to_repeat(error, attempt):
                    if is_lost:
                        error.message += LOST
                    raise
                time.sleep(wait_seconds(error, retries))
                retries += 1

    def _attempt(self, attempt: Attempt, seconds: float) -> dict[str, Any]:
        until = time.monotonic() + seconds
        try:
            with self._client.stream(
                attempt.method,
                attempt.url,
                headers=_headers(attempt, self._token()),
                content=attempt.content,
                files=attempt.files,
                timeout=seconds,
                follow_redirects=False,
            ) as response:
                content = bytearray()
                for chunk in response.iter_bytes():
                    content += chunk
                    # The limit of the library is for each read.
                    if time.monotonic() > until:
                        raise timed_out(attempt, seconds)
            return read_answer(attempt, response.status_code, response.headers, bytes(content))
        except httpx2.TimeoutException as error:
            raise timed_out(attempt, seconds) from error
        except httpx2.RequestError as error:
            raise connection_failed(attempt, error) from error


class AsyncTransport:
    def __init__(self, settings: Settings, token: Token, client: httpx2.AsyncClient | None) -> None:
        self._settings = settings
        self._token = token
        self._owns = client is None
        self._client = client or httpx2.AsyncClient()

    async def send(self, method: str, path: str, **request: Any) -> Any:
        return (await self._exchange(method, path, **request))["data"]

    def pages(
        self,
        path: str,
        *,
        query: dict[str, Any],
        cursor_name: CursorName,
        timeout: float | None,
        max_retries: int | None,
    ) -> AsyncPages[Any]:
        async def load(asked: dict[str, Any]) -> dict[str, Any]:
            return await self._exchange("GET", path, query=asked, timeout=timeout, max_retries=max_retries)

        return AsyncPages(load, query, cursor_name)

    async def close(self) -> None:
        if self._owns:
            await self._client.aclose()

    async def _exchange(
        self,
        method: str,
        path: str,
        *,
        timeout: float | None,
        max_retries: int | None,
        **request: Any,
    ) -> dict[str, Any]:
        attempt = attempt_of(self._settings, method, path, **request)
        most = self._settings.max_retries if max_retries is None else max_retries
        retries = 0
        is_lost = False
        while True:
            try:
                return await self._attempt(attempt, self._settings.timeout if timeout is None else timeout)
            except HooklineError as error:
                is_lost = is_lost or may_have_arrived(error, attempt)
                if retries >= most or not is_safe_to_repeat(error, attempt):
                    if is_lost:
                        error.message += LOST
                    raise
                await asyncio.sleep(wait_seconds(error, retries))
                retries += 1

    async def _attempt(self, attempt: Attempt, seconds: float) -> dict[str, Any]:
        until = time.monotonic() + seconds
        try:
            async with self._client.stream(
                attempt.method,
                attempt.url,
                headers=_headers(attempt, self._token()),
                content=attempt.content,
                files=attempt.files,
                timeout=seconds,
                follow_redirects=False,
            ) as response:
                content = bytearray()
                async for chunk in response.aiter_bytes():
                    content += chunk
                    # The limit of the library is for each read.
                    if time.monotonic() > until:
                        raise timed_out(attempt, seconds)
            return read_answer(attempt, response.status_code, response.headers, bytes(content))
        except httpx2.TimeoutException as error:
            raise timed_out(attempt, seconds) from error
        except httpx2.RequestError as error:
            raise connection_failed(attempt, error) from error
