from __future__ import annotations


class HooklineError(Exception):
    """A call that failed, after its retries.

    ``code`` is one of the API's, or of this library: ``connection_failed`` (no or half an answer),
    ``timed_out``, ``no_envelope`` (something else answered), ``wait_ran_out``.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int | None = None,
        request_id: str | None = None,
        param: str | None = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        """HTTP status; None when there was no answer."""
        self.request_id = request_id
        """Quote it when you ask for help."""
        self.param = param
        """The path of the field that the API refused, such as ``brief.slideCount``."""
        self.retry_after_seconds = retry_after_seconds
        """Seconds after which the same request is accepted, where the API named them."""

    def __str__(self) -> str:
        details = [self.code, self.request_id] if self.request_id else [self.code]
        return f"{self.message} ({', '.join(details)})"


class WebhookVerificationError(Exception):
    """A delivery that was not signed with the secret, or too long ago."""
