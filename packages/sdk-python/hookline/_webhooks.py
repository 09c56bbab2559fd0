"""Verification of deliveries, for receivers."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import Literal

from ._errors import WebhookVerificationError
from .types import HooklineEvent


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    signature: Literal["standard", "service"] = "standard",
) -> HooklineEvent:
    """Checks the signature of a delivery and returns its event.

    :param body: as received, before any JSON parser
    :param secret: ``whsec_...``; several while a secret is being rotated
    :param signature: ``standard``: the headers of Standard Webhooks, which carry the time. ``service``:
        ``X-Service-Signature`` of the body alone, which does not protect from a repeat of an old delivery.
    :raises WebhookVerificationError: the signature does not match, or is too old
    """
    data = body.encode() if isinstance(body, str) else body
    known = {name.lower(): value for name, value in headers.items()}
    keys = [secret] if isinstance(secret, str) else list(secret)
    if signature == "service":
        is_genuine = _has_service_signature(data, known, keys)
    else:
        is_genuine = _has_standard_signature(data, known, keys, tolerance_seconds)
    if not is_genuine:
        raise WebhookVerificationError("No signature of the delivery matches a secret.")
    event: HooklineEvent = json.loads(data)
    return event


def _required(headers: Mapping[str, str], name: str) -> str:
    if name not in headers:
        raise WebhookVerificationError(f"The header {name} is missing.")
    return headers[name]


def _has_standard_signature(
    body: bytes, headers: Mapping[str, str], secrets: Sequence[str], tolerance_seconds: float
) -> bool:
    event_id = _required(headers, "webhook-id")
    timestamp = _required(headers, "webhook-timestamp")
    signatures = _required(headers, "webhook-signature").split(" ")
    is_number = timestamp.isascii() and timestamp.isdigit()
    if not is_number or abs(time.time() - float(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError(f"webhook-timestamp is more than {tolerance_seconds:g} s from now.")
    signed = f"{event_id}.{timestamp}.".encode() + body
    for secret in secrets:
        try:
            key = base64.b64decode(secret.removeprefix("whsec_"))
        except binascii.Error:
            continue
        if not key:
            continue
        expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        if any(hmac.compare_digest(given.encode(), expected.encode()) for given in signatures):
            return True
    return False


def _has_service_signature(body: bytes, headers: Mapping[str, str], secrets: Sequence[str]) -> bool:
    signatures = [
        _required(headers, "x-service-signature"),
        headers.get("x-service-signature-previous", ""),
    ]
    for secret in secrets:
        expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
        if secret and any(hmac.compare_digest(given.encode(), expected.encode()) for given in signatures):
            return True
    return False
