"""The clients against a server that misbehaves."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import time
from collections.abc import Callable
from typing import Any

import pytest
from conftest import CUT, STALL, Answer, HostileServer, refusal

from hookline import (
    AsyncHookline,
    AsyncHooklineSession,
    Hookline,
    HooklineError,
    HooklineSession,
    WebhookVerificationError,
    verify_webhook,
)

OK = Answer()
PAGE = Answer(200, "<html>Sign in</html>")
UNAVAILABLE = refusal(503, "service_unavailable", retry_after="0")
Call = Callable[[str, str], Any]


def sync_call(base_url: str, name: str) -> Any:
    if name == "sign_in":
        with HooklineSession(base_url=base_url) as session:
            return session.sign_in(email="a@b.co", password="x")
    with Hookline(api_key="svc_live_test", base_url=base_url) as hookline:
        if name == "get":
            return hookline.credits.get()
        if name == "patch":
            return hookline.content.update("content_1", caption="x")
        return hookline.content.create(app_id="product_1", type="slideshow")


def async_call(base_url: str, name: str) -> Any:
    async def call() -> Any:
        if name == "sign_in":
            async with AsyncHooklineSession(base_url=base_url) as session:
                return await session.sign_in(email="a@b.co", password="x")
        async with AsyncHookline(api_key="svc_live_test", base_url=base_url) as hookline:
            if name == "get":
                return await hookline.credits.get()
            if name == "patch":
                return await hookline.content.update("content_1", caption="x")
            return await hookline.content.create(app_id="product_1", type="slideshow")

    return asyncio.run(call())


both = pytest.mark.parametrize("call", [sync_call, async_call], ids=["sync", "async"])


@both
def test_one_key_for_all_attempts_of_a_call(server: HostileServer, call: Call) -> None:
    server.script(refusal(429, "rate_limited", retry_after="1"), CUT, OK)
    began = time.monotonic()
    assert call(server.base_url, "post") == {"id": "x_1"}
    assert time.monotonic() - began > 1
    keys = [request.headers["idempotency-key"] for request in server.received]
    assert len(keys) == 3 and len(set(keys)) == 1
    call(server.base_url, "post")
    assert server.received[3].headers["idempotency-key"] != keys[0]
    assert server.received[3].headers["authorization"] == "Bearer svc_live_test"
    assert server.received[3].body == b'{"appId": "product_1", "type": "slideshow"}'


@both
@pytest.mark.parametrize(
    ("name", "answer", "is_repeated"),
    [
        ("post", UNAVAILABLE, True),
        ("patch", UNAVAILABLE, True),
        ("sign_in", UNAVAILABLE, False),
        ("get", refusal(500, "internal_error", retry_after="0"), True),
        ("patch", refusal(500, "internal_error", retry_after="0"), False),
        ("patch", CUT, False),
        ("sign_in", CUT, False),
        ("get", Answer(502, "<html>Bad gateway</html>", {"retry-after": "0"}), True),
        ("get", refusal(429, "rate_limited", retry_after="3600"), False),
        ("post", refusal(504, "outcome_unknown"), False),
        ("post", refusal(502, "tiktok_publish_failed"), False),
        ("post", refusal(402, "insufficient_credits"), False),
        ("post", refusal(409, "invalid_request", retry_after="0"), True),
        ("patch", refusal(409, "invalid_request", retry_after="0"), False),
        ("post", refusal(409, "invalid_request"), False),
        ("get", PAGE, False),
    ],
)
def test_what_is_tried_again(
    server: HostileServer, call: Call, name: str, answer: Answer, is_repeated: bool
) -> None:
    server.script(answer, OK)
    if is_repeated:
        call(server.base_url, name)
    else:
        with pytest.raises(HooklineError):
            call(server.base_url, name)
    assert len(server.received) == (2 if is_repeated else 1)


@both
@pytest.mark.parametrize(
    ("name", "answers", "is_said"),
    [
        ("post", [CUT], True),
        ("patch", [CUT], True),
        ("post", [CUT, refusal(402, "insufficient_credits")], True),
        ("post", [Answer(504, "<html>Gateway Time-out</html>")], True),
        ("post", [refusal(402, "insufficient_credits")], False),
        ("get", [CUT], False),
    ],
)
def test_a_request_that_may_have_been_carried_out(
    server: HostileServer, call: Call, name: str, answers: list[Answer], is_said: bool
) -> None:
    server.script(*answers)
    with pytest.raises(HooklineError) as caught:
        call(server.base_url, name)
    assert ("It may have been carried out" in str(caught.value)) == is_said
    assert ("It may have been carried out" in caught.value.message) == is_said


@both
def test_a_request_that_reached_nobody(call: Call) -> None:
    gone = HostileServer()
    gone.close()
    with pytest.raises(HooklineError) as caught:
        call(gone.base_url, "sign_in")
    assert "carried out" not in str(caught.value)


@both
def test_errors_carry_what_the_api_said(server: HostileServer, call: Call) -> None:
    server.script(refusal(429, "rate_limited", retry_after="90"))
    with pytest.raises(HooklineError) as caught:
        call(server.base_url, "get")
    error = caught.value
    assert (error.code, error.status, error.request_id) == ("rate_limited", 429, "req_of_body")
    assert (error.retry_after_seconds, error.param) == (90, "limit")
    assert error.message == "The message of rate_limited."
    assert str(error) == f"{error.message} (rate_limited, {error.request_id})"
    server.script(PAGE)
    with pytest.raises(HooklineError, match=r"answered 200 text/html with no envelope: is the base URL right\?"):
        call(server.base_url, "get")


def test_half_an_answer_times_out_and_nobody_listens(server: HostileServer) -> None:
    server.script(STALL)
    with Hookline(api_key="svc_live_test", base_url=server.base_url, max_retries=0) as hookline:
        with pytest.raises(HooklineError) as caught:
            hookline.credits.get(timeout=0.1)
        assert (caught.value.code, caught.value.status) == ("timed_out", None)
    with Hookline(api_key="svc_live_test", base_url="http://127.0.0.1:1", max_retries=0) as hookline:
        with pytest.raises(HooklineError) as caught:
            hookline.credits.get()
        assert caught.value.code == "connection_failed"


def test_lists_read_page_after_page(server: HostileServer) -> None:
    pages = [
        Answer(body={"data": [{"id": "a"}, {"id": "b"}], "nextCursor": "two"}),
        Answer(body={"data": [{"id": "c"}], "nextCursor": None}),
    ]
    feed = Answer(body={"data": [{"id": "d"}], "nextCursor": "end"})
    with Hookline(api_key="svc_live_test", base_url=server.base_url) as hookline:
        server.script(*pages)
        assert [app["id"] for app in hookline.apps.list()] == ["a", "b", "c"]
        assert [request.path for request in server.received] == [
            "/api/v1/apps?limit=100",
            "/api/v1/apps?limit=100&cursor=two",
        ]
        server.script(feed)
        assert len(list(hookline.events.list(after="start"))) == 1
        assert hookline.events.list().page("x").next_cursor == "end"
        newest = {"data": [{"id": "e"}], "nextCursor": "end"}
        server.script(
            Answer(body={**newest, "previousCursor": "four"}), Answer(body={**newest, "previousCursor": None})
        )
        assert len(list(hookline.events.list(order="newest"))) == 2
        assert server.received[-1].path == "/api/v1/events?limit=100&order=newest&before=four"

    async def read() -> list[str]:
        async with AsyncHookline(api_key="svc_live_test", base_url=server.base_url) as client:
            return [app["id"] async for app in client.apps.list(limit=2)]

    server.script(*pages)
    assert asyncio.run(read()) == ["a", "b", "c"]


def test_arguments_become_fields(server: HostileServer) -> None:
    server.script(OK)
    with Hookline(api_key="svc_live_test", base_url=f"{server.base_url}/api/v1/") as hookline:
        hookline.apps.update("a/b", brand=None)
        hookline.schedules.create(content_id="c", tiktok_account_id="t", dry_run=True)
        hookline.apps.add_picture("p", b"bytes")
    update, schedule, picture = server.received
    assert (update.path, update.body) == ("/api/v1/apps/a%2Fb", b'{"brand": null}')
    assert schedule.path == "/api/v1/schedules?dryRun=true"
    assert schedule.body == b'{"contentId": "c", "tiktokAccountId": "t"}'
    assert b'name="file"; filename="file"' in picture.body


def test_a_file_is_bytes(server: HostileServer) -> None:
    server.script(Answer(body="PK", headers={"content-type": "application/zip"}))
    with Hookline(api_key="svc_live_test", base_url=server.base_url) as hookline:
        assert hookline.content.get_archive("c") == b"PK"


def test_waiting_ends(server: HostileServer) -> None:
    running, ready = (Answer(body={"data": {"id": "c", "status": status}}) for status in ("running", "ready"))
    with Hookline(api_key="svc_live_test", base_url=server.base_url) as hookline:
        server.script(running, ready, ready)
        assert hookline.wait_for("c", every=0.01)["status"] == "ready"
        server.script(running, ready, ready)
        assert hookline.wait_for("c", every=60, within=0.03)["status"] == "ready"
        server.script(running)
        with pytest.raises(HooklineError) as caught:
            hookline.wait_for("c", every=0.01, within=0.03)
        assert caught.value.code == "wait_ran_out"


def test_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOOKLINE_API_KEY", raising=False)
    with pytest.raises(ValueError, match="Pass api_key, or set HOOKLINE_API_KEY."):
        Hookline()
    monkeypatch.setenv("HOOKLINE_API_KEY", "svc_live_env")
    with pytest.raises(ValueError, match="base_url must be an http or https address"):
        Hookline(base_url="localhost:8080")
    assert "svc_live_env" not in repr(Hookline().__dict__)


@pytest.mark.parametrize("key", ["svc_live_secret\nsvc_live_other", "svc_live_x\n", "svc_live_…"])
def test_no_error_quotes_a_key(server: HostileServer, key: str) -> None:
    with pytest.raises(ValueError, match="no header can carry") as caught:
        Hookline(api_key=key, base_url=server.base_url).credits.get()
    assert "svc_live_" not in str(caught.value)


def test_verifying_a_delivery() -> None:
    key = b"0123456789abcdef0123456789abcdef"
    secret, other = ("whsec_" + base64.b64encode(bytes_).decode() for bytes_ in (key, key[::-1]))
    body = '{"id":"event_1","type":"job.completed","data":{"text":"schön 🎉"}}'.encode()

    def signed(age: int) -> dict[str, str]:
        at = str(int(time.time()) - age)
        text = f"event_1.{at}.".encode() + body
        signature = base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
        return {
            "Webhook-Id": "event_1",
            "Webhook-Timestamp": at,
            "Webhook-Signature": f"v1,AAAA v1,{signature}",
            "X-Service-Signature": hmac.new(secret.encode(), body, hashlib.sha256).hexdigest(),
        }

    assert verify_webhook(body, signed(0), [other, secret])["id"] == "event_1"
    assert verify_webhook(body, signed(400), secret, signature="service")["id"] == "event_1"
    assert verify_webhook(body, signed(400), secret, tolerance_seconds=500)["id"] == "event_1"
    clients = (Hookline(api_key="key"), AsyncHookline(api_key="key"))
    for client in clients:
        assert client.webhooks.verify(body, signed(0), secret)["id"] == "event_1"
        assert client.webhooks.verify(body, signed(400), secret, signature="service")["id"] == "event_1"
        with pytest.raises(WebhookVerificationError):
            client.webhooks.verify(body, signed(0), other)
    refused: list[tuple[bytes, dict[str, str], str]] = [
        (body + b" ", signed(0), secret),
        (body, signed(0), other),
        (body, signed(0), "whsec_"),
        (body, {**signed(0), "Webhook-Id": "event_2"}, secret),
        (body, {}, secret),
        (body, signed(301), secret),
        (body, {**signed(0), "Webhook-Timestamp": "9" * 400}, secret),
    ]
    for arguments in refused:
        with pytest.raises(WebhookVerificationError):
            verify_webhook(*arguments)
    with pytest.raises(WebhookVerificationError):
        verify_webhook(body + b" ", signed(0), secret, signature="service")
