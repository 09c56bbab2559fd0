"""The clients: with an API key and with the session of a person, each sync and async."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Literal, Self

import httpx2

from ._core import Settings, api_root, setting
from ._errors import HooklineError
from ._resources import (
    AsyncKeyResources,
    AsyncSessionResources,
    AsyncWebhooksResource,
    KeyResources,
    SessionResources,
    WebhooksResource,
)
from ._transport import AsyncTransport, Transport
from ._webhooks import verify_webhook
from .types import Content, HooklineEvent


def _key(api_key: str | None) -> str:
    key = setting(api_key, "HOOKLINE_API_KEY")
    if key is None:
        raise ValueError("Pass api_key, or set HOOKLINE_API_KEY.")
    return key


def _settings(
    base_url: str | None, timeout: float, max_retries: int, headers: Mapping[str, str] | None
) -> Settings:
    return Settings(api_root(base_url), timeout, max_retries, dict(headers or {}))


def _ran_out(job_id: str, status: str, within: float) -> HooklineError:
    return HooklineError(f"{job_id} is still {status} after {within:g} s.", code="wait_ran_out")


class _Verifies:
    def verify(
        self,
        body: bytes | str,
        headers: Mapping[str, str],
        secret: str | Sequence[str],
        *,
        tolerance_seconds: float = 300,
        signature: Literal["standard", "service"] = "standard",
    ) -> HooklineEvent:
        """``verify_webhook``, which needs no client. There is nothing to await."""
        return verify_webhook(
            body, headers, secret, tolerance_seconds=tolerance_seconds, signature=signature
        )


class WebhookCalls(_Verifies, WebhooksResource):
    pass


class AsyncWebhookCalls(_Verifies, AsyncWebhooksResource):
    pass


class _Closes:
    _transport: Transport

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class _AsyncCloses:
    _transport: AsyncTransport

    async def close(self) -> None:
        await self._transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()


class Hookline(_Closes, KeyResources):
    """The API for an API key. Every method needs the scopes that its description names.

    :param api_key: ``svc_live_...``; default: ``HOOKLINE_API_KEY``
    :param base_url: with or without ``/api/v1``; default: ``HOOKLINE_BASE_URL``, else
        ``http://localhost:8080``
    :param timeout: seconds, of one attempt
    :param max_retries: attempts after the first one
    """

    webhooks: WebhookCalls

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = 60,
        max_retries: int = 2,
        headers: Mapping[str, str] | None = None,
        http_client: httpx2.Client | None = None,
    ) -> None:
        key = _key(api_key)
        settings = _settings(base_url, timeout, max_retries, headers)
        self._transport = Transport(settings, lambda: key, http_client)
        super().__init__(self._transport)
        self.webhooks = WebhookCalls(self._transport)

    def wait_for(self, job_id: str, *, within: float = 120, every: float = 1) -> Content:
        """Waits until a content is ``ready`` or ``failed`` and returns it.

        :param job_id: the id of the job, which is that of its content
        :raises HooklineError: ``wait_ran_out``
        """
        until = time.monotonic() + within
        while True:
            status = self.jobs.get(job_id)["status"]
            if status in ("ready", "failed"):
                return self.content.get(job_id)
            left = until - time.monotonic()
            if left <= 0:
                raise _ran_out(job_id, status, within)
            time.sleep(min(every, left))


class AsyncHookline(_AsyncCloses, AsyncKeyResources):
    """``Hookline`` with ``await``."""

    webhooks: AsyncWebhookCalls

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = 60,
        max_retries: int = 2,
        headers: Mapping[str, str] | None = None,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        key = _key(api_key)
        settings = _settings(base_url, timeout, max_retries, headers)
        self._transport = AsyncTransport(settings, lambda: key, http_client)
        super().__init__(self._transport)
        self.webhooks = AsyncWebhookCalls(self._transport)

    async def wait_for(self, job_id: str, *, within: float = 120, every: float = 1) -> Content:
        """Waits until a content is ``ready`` or ``failed`` and returns it.

        :param job_id: the id of the job, which is that of its content
        :raises HooklineError: ``wait_ran_out``
        """
        until = time.monotonic() + within
        while True:
            status = (await self.jobs.get(job_id))["status"]
            if status in ("ready", "failed"):
                return await self.content.get(job_id)
            left = until - time.monotonic()
            if left <= 0:
                raise _ran_out(job_id, status, within)
            await asyncio.sleep(min(every, left))


class HooklineSession(_Closes, SessionResources):
    """What a person does: members, keys, connecting accounts. An API key opens none of it.

    :param token: ``sess_...``; not needed to sign in or up
    """

    def __init__(
        self,
        *,
        token: str | None = None,
        base_url: str | None = None,
        timeout: float = 60,
        max_retries: int = 2,
        headers: Mapping[str, str] | None = None,
        http_client: httpx2.Client | None = None,
    ) -> None:
        self.token = token
        settings = _settings(base_url, timeout, max_retries, headers)
        self._transport = Transport(settings, lambda: self.token, http_client)
        super().__init__(self._transport)

    def sign_in(
        self, *, email: str, password: str, recovery_code: str | None = None
    ) -> None:
        """Signs in; later requests carry the token."""
        signed_in = self.auth.sign_in(email=email, password=password, recovery_code=recovery_code)
        self.token = signed_in["session"]["token"]


class AsyncHooklineSession(_AsyncCloses, AsyncSessionResources):
    """``HooklineSession`` with ``await``."""

    def __init__(
        self,
        *,
        token: str | None = None,
        base_url: str | None = None,
        timeout: float = 60,
        max_retries: int = 2,
        headers: Mapping[str, str] | None = None,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        self.token = token
        settings = _settings(base_url, timeout, max_retries, headers)
        self._transport = AsyncTransport(settings, lambda: self.token, http_client)
        super().__init__(self._transport)

    async def sign_in(
        self, *, email: str, password: str, recovery_code: str | None = None
    ) -> None:
        """Signs in; later requests carry the token."""
        signed_in = await self.auth.sign_in(
            email=email, password=password, recovery_code=recovery_code
        )
        self.token = signed_in["session"]["token"]
