"""The Hookline API for Python: typed records, retries that act once, lists as iterators."""

from ._client import AsyncHookline, AsyncHooklineSession, Hookline, HooklineSession
from ._core import NOT_GIVEN, NotGiven
from ._errors import HooklineError, WebhookVerificationError
from ._pages import AsyncPages, Page, Pages
from ._webhooks import verify_webhook
from .types import HooklineEvent

__all__ = [
    "NOT_GIVEN",
    "AsyncHookline",
    "AsyncHooklineSession",
    "AsyncPages",
    "Hookline",
    "HooklineError",
    "HooklineEvent",
    "HooklineSession",
    "NotGiven",
    "Page",
    "Pages",
    "WebhookVerificationError",
    "verify_webhook",
]
