# Made by "npm run generate" from packages/shared/src/contracts: change it there.
from __future__ import annotations


import builtins
from typing import Any, BinaryIO, Literal, NotRequired, TypedDict

from ._core import NOT_GIVEN, NotGiven, segment
from ._pages import AsyncPages, Pages
from ._transport import AsyncTransport, Transport
from .types import (
    Accepted,
    AcceptedInvitation,
    Account,
    AnalyticsSummary,
    ApiKey,
    ApiKeyWithSecret,
    App,
    AuditEvent,
    Automation,
    BrandUpdate,
    BriefInput,
    BriefUpdate,
    Comment,
    Content,
    ContentBatch,
    ContentCounts,
    ContentMoment,
    CreateContent,
    CreatedSchedule,
    Credits,
    CurrentSession,
    DeckComparison,
    DeckResults,
    Deleted,
    Delivery,
    DeliveryAttempt,
    EndedSessions,
    Experiment,
    Firing,
    FiringTime,
    FreeSlot,
    HooklineEvent,
    Invitation,
    InvitationWithUrl,
    Job,
    LedgerRow,
    Listing,
    MeasuredPost,
    Member,
    MetricSource,
    NextFiring,
    Notifications,
    Picture,
    PostingTimeInput,
    Preflight,
    PublishedPost,
    Push,
    RemovedMember,
    ReplayWebhookResult,
    ReviewLink,
    ReviewLinkWithUrl,
    RevokedKey,
    Schedule,
    ScheduleWithTimeline,
    SeriesDay,
    SessionOfPerson,
    SharedDeck,
    SignedIn,
    StartedExperiment,
    Template,
    TextModel,
    TextModelTest,
    TiktokConnection,
    Usage,
    User,
    VideoAnalytics,
    Webhook,
    WebhookWithSecret,
    WorkOfKey,
    Workspace,
    WorkspaceExport,
    WorkspaceOfPerson,
)


class UpdateWorkspaceApprovalPolicy(TypedDict):
    preset: NotRequired[Literal["strict", "open"]]
    approvers: NotRequired[Literal["anyone_with_scope", "people_only"]]
    requireVersion: NotRequired[bool]
    postTexts: NotRequired[Literal["open", "approved_only"]]
    selfApproval: NotRequired[bool]


class SubscribePushKeys(TypedDict):
    p256dh: str
    auth: str


class ReviewAppItems(TypedDict):
    item: Literal["name", "listing", "brand.colors", "brand.logoImageId", "brand.handle", "brand.fonts", "brand.voice", "brand.avoidWords", "picture"]
    pictureId: NotRequired[str | None]
    at: NotRequired[str | None]
    """The time of the change that was looked at, as in `unreviewed`. 409 `not_ready` if it was changed
    since. Required where the approval policy asks for `version`."""


class EditContentBodySlides(TypedDict):
    text: str
    pictureId: NotRequired[str]
    """A picture of the app, shown by a template that needs pictures. Default: in its order."""
    position: NotRequired[Literal["top", "middle", "bottom"]]
    """Where the text stands. Default: the choice of the template."""


class EditContentCoverLook(TypedDict):
    pictureId: NotRequired[str]
    """A picture of the app, shown by a template that needs pictures. Default: in its order."""
    position: NotRequired[Literal["top", "middle", "bottom"]]
    """Where the text stands. Default: the choice of the template."""


class EditContentClosingLook(TypedDict):
    pictureId: NotRequired[str]
    """A picture of the app, shown by a template that needs pictures. Default: in its order."""
    position: NotRequired[Literal["top", "middle", "bottom"]]
    """Where the text stands. Default: the choice of the template."""


class SessionAuthResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def change_password(
        self,
        *,
        current: str,
        password: str,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> User:
        """Change the password.

        Ends the other sessions of the person. A wrong `current` is 400 and counts as a failed sign-in.
        """
        result: User = self._transport.send(
            "POST",
            "/auth/password",
            body={"current": current, "password": password},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def request_password_reset(
        self,
        *,
        email: str,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Accepted:
        """Send a link that sets a new password.

        The answer is the same for every address. The link is mailed if somebody has signed up with it,
        at most three times an hour, and is valid for an hour.
        """
        result: Accepted = self._transport.send(
            "POST",
            "/auth/password-reset",
            body={"email": email},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def confirm_password_reset(
        self,
        *,
        token: str,
        password: str,
        revoke_keys: bool | None | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> User:
        """Set a new password with the token of a link.

        Works once. Ends every session of the person.
        """
        result: User = self._transport.send(
            "POST",
            "/auth/password-reset/confirm",
            body={"token": token, "password": password, "revokeKeys": revoke_keys},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def get_session(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> CurrentSession:
        """Get the current session.

        Returns the user and the session that the token belongs to, and its workspace.
        """
        result: CurrentSession = self._transport.send(
            "GET",
            "/auth/session",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_sessions(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[SessionOfPerson]:
        """List the sessions of the person, newest first.

        Sessions that have ended are left out. All workspaces are included. A person has at most 50: the
        next one ends the oldest.
        """
        result: Pages[SessionOfPerson] = self._transport.pages(
            "/auth/sessions",
            query={"limit": limit, "cursor": cursor},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def end_other_sessions(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> EndedSessions:
        """End all other sessions of the person.

        Ends every session but the one that asks. Their tokens are no longer accepted.
        """
        result: EndedSessions = self._transport.send(
            "DELETE",
            "/auth/sessions",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def end_session(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """End one session of the person.

        Its token is no longer accepted.
        """
        result: Deleted = self._transport.send(
            "DELETE",
            f"/auth/sessions/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def sign_in(
        self,
        *,
        email: str,
        password: str,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> SignedIn:
        """Sign in.

        An unknown e-mail address and a wrong password get the same response. After 10 failures for an
        e-mail address from one network address within 15 minutes: 429 to that address. Beyond 100 from
        anywhere, an address that never signed in to it gets one try in 10 seconds.
        """
        result: SignedIn = self._transport.send(
            "POST",
            "/auth/sign-in",
            body={"email": email, "password": password},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def sign_out(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """End the current session.

        The token is no longer accepted.
        """
        result: Deleted = self._transport.send(
            "POST",
            "/auth/sign-out",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def sign_up(
        self,
        *,
        email: str,
        password: str,
        name: str | None | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> SignedIn:
        """Create a user and sign in.

        Creates a user with its own workspace and 25 credits (the operator can set another number).
        Where the operator allows sign-up by invitation only, or not at all: 403.
        """
        result: SignedIn = self._transport.send(
            "POST",
            "/auth/sign-up",
            body={"email": email, "password": password, "name": name},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def verify_email(
        self,
        *,
        token: str,
        password: str | None | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> User:
        """Prove an e-mail address with the token of a link.

        The link is mailed at sign-up where the operator requires it. It works once, with a session of
        the person whom it is for, or with the password.
        """
        result: User = self._transport.send(
            "POST",
            "/auth/verify-email",
            body={"token": token, "password": password},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def accept_invitation(
        self,
        *,
        token: str,
        name: str | None | NotGiven = NOT_GIVEN,
        password: str | None | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AcceptedInvitation:
        """Accept an invitation.

        Without a session: `password` is the one of the person who signed up with the invited address,
        or a new one of 10 to 200 characters, and a session in the workspace is returned. With a
        session: no `password`, and the session enters the workspace (200, without a token).
        """
        result: AcceptedInvitation = self._transport.send(
            "POST",
            "/auth/invitations/accept",
            body={"token": token, "name": name, "password": password},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_own_workspaces(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> builtins.list[WorkspaceOfPerson]:
        """List the workspaces of the person.

        At most 100, the one joined first at the top. `current` is the workspace of this session.
        """
        result: builtins.list[WorkspaceOfPerson] = self._transport.send(
            "GET",
            "/auth/workspaces",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def enter_workspace(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> WorkspaceOfPerson:
        """Go on in another workspace.

        Changes the workspace of this session. Keys are not affected: a key belongs to one workspace.
        """
        result: WorkspaceOfPerson = self._transport.send(
            "POST",
            f"/auth/workspaces/{segment(id)}/enter",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncSessionAuthResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def change_password(
        self,
        *,
        current: str,
        password: str,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> User:
        """Change the password.

        Ends the other sessions of the person. A wrong `current` is 400 and counts as a failed sign-in.
        """
        result: User = await self._transport.send(
            "POST",
            "/auth/password",
            body={"current": current, "password": password},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def request_password_reset(
        self,
        *,
        email: str,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Accepted:
        """Send a link that sets a new password.

        The answer is the same for every address. The link is mailed if somebody has signed up with it,
        at most three times an hour, and is valid for an hour.
        """
        result: Accepted = await self._transport.send(
            "POST",
            "/auth/password-reset",
            body={"email": email},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def confirm_password_reset(
        self,
        *,
        token: str,
        password: str,
        revoke_keys: bool | None | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> User:
        """Set a new password with the token of a link.

        Works once. Ends every session of the person.
        """
        result: User = await self._transport.send(
            "POST",
            "/auth/password-reset/confirm",
            body={"token": token, "password": password, "revokeKeys": revoke_keys},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def get_session(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> CurrentSession:
        """Get the current session.

        Returns the user and the session that the token belongs to, and its workspace.
        """
        result: CurrentSession = await self._transport.send(
            "GET",
            "/auth/session",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_sessions(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[SessionOfPerson]:
        """List the sessions of the person, newest first.

        Sessions that have ended are left out. All workspaces are included. A person has at most 50: the
        next one ends the oldest.
        """
        result: AsyncPages[SessionOfPerson] = self._transport.pages(
            "/auth/sessions",
            query={"limit": limit, "cursor": cursor},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def end_other_sessions(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> EndedSessions:
        """End all other sessions of the person.

        Ends every session but the one that asks. Their tokens are no longer accepted.
        """
        result: EndedSessions = await self._transport.send(
            "DELETE",
            "/auth/sessions",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def end_session(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """End one session of the person.

        Its token is no longer accepted.
        """
        result: Deleted = await self._transport.send(
            "DELETE",
            f"/auth/sessions/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def sign_in(
        self,
        *,
        email: str,
        password: str,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> SignedIn:
        """Sign in.

        An unknown e-mail address and a wrong password get the same response. After 10 failures for an
        e-mail address from one network address within 15 minutes: 429 to that address. Beyond 100 from
        anywhere, an address that never signed in to it gets one try in 10 seconds.
        """
        result: SignedIn = await self._transport.send(
            "POST",
            "/auth/sign-in",
            body={"email": email, "password": password},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def sign_out(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """End the current session.

        The token is no longer accepted.
        """
        result: Deleted = await self._transport.send(
            "POST",
            "/auth/sign-out",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def sign_up(
        self,
        *,
        email: str,
        password: str,
        name: str | None | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> SignedIn:
        """Create a user and sign in.

        Creates a user with its own workspace and 25 credits (the operator can set another number).
        Where the operator allows sign-up by invitation only, or not at all: 403.
        """
        result: SignedIn = await self._transport.send(
            "POST",
            "/auth/sign-up",
            body={"email": email, "password": password, "name": name},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def verify_email(
        self,
        *,
        token: str,
        password: str | None | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> User:
        """Prove an e-mail address with the token of a link.

        The link is mailed at sign-up where the operator requires it. It works once, with a session of
        the person whom it is for, or with the password.
        """
        result: User = await self._transport.send(
            "POST",
            "/auth/verify-email",
            body={"token": token, "password": password},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def accept_invitation(
        self,
        *,
        token: str,
        name: str | None | NotGiven = NOT_GIVEN,
        password: str | None | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AcceptedInvitation:
        """Accept an invitation.

        Without a session: `password` is the one of the person who signed up with the invited address,
        or a new one of 10 to 200 characters, and a session in the workspace is returned. With a
        session: no `password`, and the session enters the workspace (200, without a token).
        """
        result: AcceptedInvitation = await self._transport.send(
            "POST",
            "/auth/invitations/accept",
            body={"token": token, "name": name, "password": password},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def list_own_workspaces(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> builtins.list[WorkspaceOfPerson]:
        """List the workspaces of the person.

        At most 100, the one joined first at the top. `current` is the workspace of this session.
        """
        result: builtins.list[WorkspaceOfPerson] = await self._transport.send(
            "GET",
            "/auth/workspaces",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def enter_workspace(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> WorkspaceOfPerson:
        """Go on in another workspace.

        Changes the workspace of this session. Keys are not affected: a key belongs to one workspace.
        """
        result: WorkspaceOfPerson = await self._transport.send(
            "POST",
            f"/auth/workspaces/{segment(id)}/enter",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class SessionKeysResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        name: str,
        scopes: builtins.list[Literal["apps:read", "apps:write", "content:read", "content:write", "content:approve", "automations:read", "automations:write", "schedules:read", "schedules:write", "schedules:publish", "analytics:read", "credits:read", "webhooks:write"]],
        expires_at: str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> ApiKeyWithSecret:
        """Create an API key; the plaintext is shown once.

        Grant only the scopes that the key needs. The key is stored as a hash and cannot be shown again:
        a retry with the same `Idempotency-Key` returns the record without `key`. Only scopes that your
        role has can be granted; the key loses those that your role loses. A workspace has at most 50
        live keys.
        """
        result: ApiKeyWithSecret = self._transport.send(
            "POST",
            "/keys",
            body={"name": name, "scopes": scopes, "expiresAt": expires_at},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[ApiKey]:
        """List API keys, newest first.

        Includes revoked and expired keys. The plaintext is never included. An owner sees every key,
        other members their own.
        """
        result: Pages[ApiKey] = self._transport.pages(
            "/keys",
            query={"limit": limit, "cursor": cursor},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def revoke(
        self,
        id: str,
        *,
        with_what_it_made: bool | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> RevokedKey:
        """Revoke an API key immediately.

        The next request with the key gets 401 `key_revoked`, on every gateway. The record is kept, with
        `revokedAt`. An owner can revoke every key, other members their own. `?withWhatItMade=true` also
        pauses the automations and disables the webhooks that the key made or changed, and withdraws the
        waiting schedules that `GET /keys/{id}/work` lists, as far as the role of the caller may. A
        repeat for a revoked key does the rest.
        """
        result: RevokedKey = self._transport.send(
            "DELETE",
            f"/keys/{segment(id)}",
            query={"withWhatItMade": with_what_it_made},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def get_work_of(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> WorkOfKey:
        """List what a key made that still works.

        The automations and webhooks that the key made or changed, and the waiting schedules that it
        made, moved or retried, or that an automation asked for after the key made or changed it.
        Nothing is listed that was deleted, or made before its maker was recorded. An owner can ask
        about every key, other members about their own; webhooks are listed to owners.
        """
        result: WorkOfKey = self._transport.send(
            "GET",
            f"/keys/{segment(id)}/work",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncSessionKeysResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        name: str,
        scopes: builtins.list[Literal["apps:read", "apps:write", "content:read", "content:write", "content:approve", "automations:read", "automations:write", "schedules:read", "schedules:write", "schedules:publish", "analytics:read", "credits:read", "webhooks:write"]],
        expires_at: str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> ApiKeyWithSecret:
        """Create an API key; the plaintext is shown once.

        Grant only the scopes that the key needs. The key is stored as a hash and cannot be shown again:
        a retry with the same `Idempotency-Key` returns the record without `key`. Only scopes that your
        role has can be granted; the key loses those that your role loses. A workspace has at most 50
        live keys.
        """
        result: ApiKeyWithSecret = await self._transport.send(
            "POST",
            "/keys",
            body={"name": name, "scopes": scopes, "expiresAt": expires_at},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[ApiKey]:
        """List API keys, newest first.

        Includes revoked and expired keys. The plaintext is never included. An owner sees every key,
        other members their own.
        """
        result: AsyncPages[ApiKey] = self._transport.pages(
            "/keys",
            query={"limit": limit, "cursor": cursor},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def revoke(
        self,
        id: str,
        *,
        with_what_it_made: bool | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> RevokedKey:
        """Revoke an API key immediately.

        The next request with the key gets 401 `key_revoked`, on every gateway. The record is kept, with
        `revokedAt`. An owner can revoke every key, other members their own. `?withWhatItMade=true` also
        pauses the automations and disables the webhooks that the key made or changed, and withdraws the
        waiting schedules that `GET /keys/{id}/work` lists, as far as the role of the caller may. A
        repeat for a revoked key does the rest.
        """
        result: RevokedKey = await self._transport.send(
            "DELETE",
            f"/keys/{segment(id)}",
            query={"withWhatItMade": with_what_it_made},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def get_work_of(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> WorkOfKey:
        """List what a key made that still works.

        The automations and webhooks that the key made or changed, and the waiting schedules that it
        made, moved or retried, or that an automation asked for after the key made or changed it.
        Nothing is listed that was deleted, or made before its maker was recorded. An owner can ask
        about every key, other members about their own; webhooks are listed to owners.
        """
        result: WorkOfKey = await self._transport.send(
            "GET",
            f"/keys/{segment(id)}/work",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class SessionAuditResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        after: str | NotGiven = NOT_GIVEN,
        order: Literal["oldest", "newest"] | NotGiven = NOT_GIVEN,
        before: str | NotGiven = NOT_GIVEN,
        action: str | NotGiven = NOT_GIVEN,
        actor_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[AuditEvent]:
        """Read the audit log, oldest first or newest first.

        Who did what: sign-ins, keys, members, policy, decisions on content, connected accounts, secrets
        of webhooks. What another service did appears a moment after it happened, with its own `at`.
        Rows are kept for `AUDIT_RETENTION_DAYS`. `nextCursor` is always set: pass it as `after` to go
        on.
        """
        result: Pages[AuditEvent] = self._transport.pages(
            "/audit",
            query={"after": after, "order": order, "before": before, "action": action, "actorId": actor_id, "limit": limit},
            cursor_name="after",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncSessionAuditResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        after: str | NotGiven = NOT_GIVEN,
        order: Literal["oldest", "newest"] | NotGiven = NOT_GIVEN,
        before: str | NotGiven = NOT_GIVEN,
        action: str | NotGiven = NOT_GIVEN,
        actor_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[AuditEvent]:
        """Read the audit log, oldest first or newest first.

        Who did what: sign-ins, keys, members, policy, decisions on content, connected accounts, secrets
        of webhooks. What another service did appears a moment after it happened, with its own `at`.
        Rows are kept for `AUDIT_RETENTION_DAYS`. `nextCursor` is always set: pass it as `after` to go
        on.
        """
        result: AsyncPages[AuditEvent] = self._transport.pages(
            "/audit",
            query={"after": after, "order": order, "before": before, "action": action, "actorId": actor_id, "limit": limit},
            cursor_name="after",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class SessionWorkspaceResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Workspace:
        """Get the workspace of the session.

        Every key, app, content and account belongs to one workspace.
        """
        result: Workspace = self._transport.send(
            "GET",
            "/workspace",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def update(
        self,
        *,
        name: str | NotGiven = NOT_GIVEN,
        timezone: str | NotGiven = NOT_GIVEN,
        approval_policy: UpdateWorkspaceApprovalPolicy | NotGiven = NOT_GIVEN,
        sending_paused: bool | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Workspace:
        """Change the name, time zone or approval policy, or stop every post.

        Only the given fields change. `approvalPolicy.preset` sets every field of the policy: `open` is
        the default, `strict` is `people_only`, `true`, `approved_only`, `false`; fields given beside it
        come on top. Once `sendingPaused: true` is answered, no new post begins; one whose call to
        TikTok has begun is settled. `false` lets what waits go on.
        """
        result: Workspace = self._transport.send(
            "PATCH",
            "/workspace",
            body={"name": name, "timezone": timezone, "approvalPolicy": approval_policy, "sendingPaused": sending_paused},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def delete(
        self,
        *,
        password: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Workspace:
        """Delete the workspace in seven days.

        Until `deletion.deletesAt` the workspace is frozen: reads and exports work, every other request
        is 409, automations skip their slots, and schedules that fall due fail as retryable
        (`workspace_frozen`). Then everything in it is deleted, and people without another workspace
        are, too. Somebody who signs in at an OIDC issuer has no password and needs a sign-in of the
        last 10 minutes (403). A repeat changes nothing.
        """
        result: Workspace = self._transport.send(
            "DELETE",
            "/workspace",
            body={"password": password},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def create_export(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> WorkspaceExport:
        """Export the workspace.

        The link needs no session and works for 24 h, one download at a time. The archive has the
        records as the API answers them, as NDJSON of up to 100 per file in a folder per kind, and the
        images; no secrets. A download that is cut off ends with a damaged archive: begin it again. At
        most 5 in 24 h (429).
        """
        result: WorkspaceExport = self._transport.send(
            "POST",
            "/workspace/exports",
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def get_export(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> WorkspaceExport:
        """Get an export.

        Not found once it has expired.
        """
        result: WorkspaceExport = self._transport.send(
            "GET",
            f"/workspace/exports/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def create_invitation(
        self,
        *,
        email: str,
        role: Literal["owner", "approver", "editor", "viewer"],
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> InvitationWithUrl:
        """Invite somebody to the workspace.

        The link is valid for 7 days and works once, for whoever has it. A retry with the same
        `Idempotency-Key` returns the record without `url`. A workspace has at most 100 open
        invitations, one for each address.
        """
        result: InvitationWithUrl = self._transport.send(
            "POST",
            "/workspace/invitations",
            body={"email": email, "role": role},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_invitations(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[Invitation]:
        """List open invitations, newest first.

        Without those that were accepted or deleted. The link is never included.
        """
        result: Pages[Invitation] = self._transport.pages(
            "/workspace/invitations",
            query={"limit": limit, "cursor": cursor},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def delete_invitation(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """Withdraw an invitation.

        Its link no longer works.
        """
        result: Deleted = self._transport.send(
            "DELETE",
            f"/workspace/invitations/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_members(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[Member]:
        """List members, newest first.

        Everyone who can sign in to this workspace.
        """
        result: Pages[Member] = self._transport.pages(
            "/workspace/members",
            query={"limit": limit, "cursor": cursor},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def update_member(
        self,
        user_id: str,
        *,
        role: Literal["owner", "approver", "editor", "viewer"],
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Member:
        """Change the role of a member.

        Takes effect at once, for the sessions of the member and for the keys that the member created:
        such a key keeps only the scopes that the role still has. The last owner stays owner (409).
        """
        result: Member = self._transport.send(
            "PATCH",
            f"/workspace/members/{segment(user_id)}",
            body={"role": role},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def remove_member(
        self,
        user_id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> RemovedMember:
        """Remove a member.

        Ends the sessions that the member has in this workspace and revokes the keys that the member
        created; their ids are in `revokedKeyIds`. The last owner cannot leave (409).
        """
        result: RemovedMember = self._transport.send(
            "DELETE",
            f"/workspace/members/{segment(user_id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def get_notifications(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Notifications:
        """Get your notification settings.

        The choice of the person of the session, in the workspace of the session.
        """
        result: Notifications = self._transport.send(
            "GET",
            "/workspace/notifications",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def update_notifications(
        self,
        *,
        decks_waiting: Literal["off", "instant", "daily"] | NotGiven = NOT_GIVEN,
        weekly: bool | NotGiven = NOT_GIVEN,
        post_due: bool | NotGiven = NOT_GIVEN,
        push_kinds: builtins.list[Literal["decks_waiting", "post_due", "post_failed", "account_reconnect"]] | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Notifications:
        """Update your notification settings.

        `decksWaiting` is about content that waits for approval: `instant` mails at once, at most every
        15 minutes; `daily` at 09:00 in the time zone of the workspace; `off`, the default, never.
        Nothing is mailed while nothing waits. `weekly`, the default, mails an owner on Mondays at 09:00
        what was posted, what it brought and what waits. `postDue`, the default, mails whoever may post
        when a post is due on a phone. An address that is not proven yet is mailed a link that proves it
        first.
        """
        result: Notifications = self._transport.send(
            "PATCH",
            "/workspace/notifications",
            body={"decksWaiting": decks_waiting, "weekly": weekly, "postDue": post_due, "pushKinds": push_kinds},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def restore(
        self,
        *,
        password: str | None | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Workspace:
        """Undo the deletion of the workspace.

        Keys, members, automations and schedules work as before. Slots and schedules that fell due in
        between are not made up for: retry the failed schedules. Confirmed as `DELETE /workspace` is.
        Does nothing when no deletion was requested.
        """
        result: Workspace = self._transport.send(
            "POST",
            "/workspace/restore",
            body={"password": password},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def subscribe_push(
        self,
        *,
        endpoint: str,
        keys: SubscribePushKeys,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Push:
        """Send notifications to this browser.

        Takes the `PushSubscription` of the browser as JSON, for as long as its session lives; a second
        one replaces the first. A push service that answers 404 or 410 ends it.
        """
        result: Push = self._transport.send(
            "PUT",
            "/workspace/notifications/browser",
            body={"endpoint": endpoint, "keys": keys},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def unsubscribe_push(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Push:
        """Send no notifications to this browser.

        Other browsers of the person are not affected.
        """
        result: Push = self._transport.send(
            "DELETE",
            "/workspace/notifications/browser",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def get_text_model(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> TextModel:
        """Get the text model of the workspace.

        Which model writes the decks of the workspace. The key is never answered.
        """
        result: TextModel = self._transport.send(
            "GET",
            "/workspace/text-model",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def set_text_model(
        self,
        *,
        provider: Literal["openai", "anthropic", "gemini", "openrouter", "mistral", "ollama", "lmstudio", "custom"],
        model: str | NotGiven = NOT_GIVEN,
        api_key: str | NotGiven = NOT_GIVEN,
        base_url: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> TextModel:
        """Connect a text model.

        Writes one short sentence with it first: what the provider refuses is a 400 with its words, and
        nothing is saved. `baseUrl` and `model` have defaults, except for `custom`. Without `apiKey` the
        stored key stays, as long as provider and address do. The answer waits for the model, at most
        `LLM_BUDGET_SECONDS`.
        """
        result: TextModel = self._transport.send(
            "PUT",
            "/workspace/text-model",
            body={"provider": provider, "model": model, "apiKey": api_key, "baseUrl": base_url},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def change_text_model(
        self,
        *,
        learns: bool,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> TextModel:
        """Choose whether the writer learns from results.

        With `learns: false`, hooks and structures are chosen as if no results were known, by a model
        and by the built-in composer.
        """
        result: TextModel = self._transport.send(
            "PATCH",
            "/workspace/text-model",
            body={"learns": learns},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def delete_text_model(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> TextModel:
        """Remove the text model of the workspace.

        The key is erased. The installation's model writes again, or the built-in composer.
        """
        result: TextModel = self._transport.send(
            "DELETE",
            "/workspace/text-model",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def test_text_model(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> TextModelTest:
        """Test the text model.

        Writes one short sentence with the model that writes the decks now. A failure is an answer too,
        with `ok: false`.
        """
        result: TextModelTest = self._transport.send(
            "POST",
            "/workspace/text-model/test",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncSessionWorkspaceResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Workspace:
        """Get the workspace of the session.

        Every key, app, content and account belongs to one workspace.
        """
        result: Workspace = await self._transport.send(
            "GET",
            "/workspace",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def update(
        self,
        *,
        name: str | NotGiven = NOT_GIVEN,
        timezone: str | NotGiven = NOT_GIVEN,
        approval_policy: UpdateWorkspaceApprovalPolicy | NotGiven = NOT_GIVEN,
        sending_paused: bool | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Workspace:
        """Change the name, time zone or approval policy, or stop every post.

        Only the given fields change. `approvalPolicy.preset` sets every field of the policy: `open` is
        the default, `strict` is `people_only`, `true`, `approved_only`, `false`; fields given beside it
        come on top. Once `sendingPaused: true` is answered, no new post begins; one whose call to
        TikTok has begun is settled. `false` lets what waits go on.
        """
        result: Workspace = await self._transport.send(
            "PATCH",
            "/workspace",
            body={"name": name, "timezone": timezone, "approvalPolicy": approval_policy, "sendingPaused": sending_paused},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def delete(
        self,
        *,
        password: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Workspace:
        """Delete the workspace in seven days.

        Until `deletion.deletesAt` the workspace is frozen: reads and exports work, every other request
        is 409, automations skip their slots, and schedules that fall due fail as retryable
        (`workspace_frozen`). Then everything in it is deleted, and people without another workspace
        are, too. Somebody who signs in at an OIDC issuer has no password and needs a sign-in of the
        last 10 minutes (403). A repeat changes nothing.
        """
        result: Workspace = await self._transport.send(
            "DELETE",
            "/workspace",
            body={"password": password},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def create_export(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> WorkspaceExport:
        """Export the workspace.

        The link needs no session and works for 24 h, one download at a time. The archive has the
        records as the API answers them, as NDJSON of up to 100 per file in a folder per kind, and the
        images; no secrets. A download that is cut off ends with a damaged archive: begin it again. At
        most 5 in 24 h (429).
        """
        result: WorkspaceExport = await self._transport.send(
            "POST",
            "/workspace/exports",
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def get_export(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> WorkspaceExport:
        """Get an export.

        Not found once it has expired.
        """
        result: WorkspaceExport = await self._transport.send(
            "GET",
            f"/workspace/exports/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def create_invitation(
        self,
        *,
        email: str,
        role: Literal["owner", "approver", "editor", "viewer"],
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> InvitationWithUrl:
        """Invite somebody to the workspace.

        The link is valid for 7 days and works once, for whoever has it. A retry with the same
        `Idempotency-Key` returns the record without `url`. A workspace has at most 100 open
        invitations, one for each address.
        """
        result: InvitationWithUrl = await self._transport.send(
            "POST",
            "/workspace/invitations",
            body={"email": email, "role": role},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_invitations(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[Invitation]:
        """List open invitations, newest first.

        Without those that were accepted or deleted. The link is never included.
        """
        result: AsyncPages[Invitation] = self._transport.pages(
            "/workspace/invitations",
            query={"limit": limit, "cursor": cursor},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def delete_invitation(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """Withdraw an invitation.

        Its link no longer works.
        """
        result: Deleted = await self._transport.send(
            "DELETE",
            f"/workspace/invitations/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_members(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[Member]:
        """List members, newest first.

        Everyone who can sign in to this workspace.
        """
        result: AsyncPages[Member] = self._transport.pages(
            "/workspace/members",
            query={"limit": limit, "cursor": cursor},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def update_member(
        self,
        user_id: str,
        *,
        role: Literal["owner", "approver", "editor", "viewer"],
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Member:
        """Change the role of a member.

        Takes effect at once, for the sessions of the member and for the keys that the member created:
        such a key keeps only the scopes that the role still has. The last owner stays owner (409).
        """
        result: Member = await self._transport.send(
            "PATCH",
            f"/workspace/members/{segment(user_id)}",
            body={"role": role},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def remove_member(
        self,
        user_id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> RemovedMember:
        """Remove a member.

        Ends the sessions that the member has in this workspace and revokes the keys that the member
        created; their ids are in `revokedKeyIds`. The last owner cannot leave (409).
        """
        result: RemovedMember = await self._transport.send(
            "DELETE",
            f"/workspace/members/{segment(user_id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def get_notifications(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Notifications:
        """Get your notification settings.

        The choice of the person of the session, in the workspace of the session.
        """
        result: Notifications = await self._transport.send(
            "GET",
            "/workspace/notifications",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def update_notifications(
        self,
        *,
        decks_waiting: Literal["off", "instant", "daily"] | NotGiven = NOT_GIVEN,
        weekly: bool | NotGiven = NOT_GIVEN,
        post_due: bool | NotGiven = NOT_GIVEN,
        push_kinds: builtins.list[Literal["decks_waiting", "post_due", "post_failed", "account_reconnect"]] | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Notifications:
        """Update your notification settings.

        `decksWaiting` is about content that waits for approval: `instant` mails at once, at most every
        15 minutes; `daily` at 09:00 in the time zone of the workspace; `off`, the default, never.
        Nothing is mailed while nothing waits. `weekly`, the default, mails an owner on Mondays at 09:00
        what was posted, what it brought and what waits. `postDue`, the default, mails whoever may post
        when a post is due on a phone. An address that is not proven yet is mailed a link that proves it
        first.
        """
        result: Notifications = await self._transport.send(
            "PATCH",
            "/workspace/notifications",
            body={"decksWaiting": decks_waiting, "weekly": weekly, "postDue": post_due, "pushKinds": push_kinds},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def restore(
        self,
        *,
        password: str | None | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Workspace:
        """Undo the deletion of the workspace.

        Keys, members, automations and schedules work as before. Slots and schedules that fell due in
        between are not made up for: retry the failed schedules. Confirmed as `DELETE /workspace` is.
        Does nothing when no deletion was requested.
        """
        result: Workspace = await self._transport.send(
            "POST",
            "/workspace/restore",
            body={"password": password},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def subscribe_push(
        self,
        *,
        endpoint: str,
        keys: SubscribePushKeys,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Push:
        """Send notifications to this browser.

        Takes the `PushSubscription` of the browser as JSON, for as long as its session lives; a second
        one replaces the first. A push service that answers 404 or 410 ends it.
        """
        result: Push = await self._transport.send(
            "PUT",
            "/workspace/notifications/browser",
            body={"endpoint": endpoint, "keys": keys},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def unsubscribe_push(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Push:
        """Send no notifications to this browser.

        Other browsers of the person are not affected.
        """
        result: Push = await self._transport.send(
            "DELETE",
            "/workspace/notifications/browser",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def get_text_model(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> TextModel:
        """Get the text model of the workspace.

        Which model writes the decks of the workspace. The key is never answered.
        """
        result: TextModel = await self._transport.send(
            "GET",
            "/workspace/text-model",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def set_text_model(
        self,
        *,
        provider: Literal["openai", "anthropic", "gemini", "openrouter", "mistral", "ollama", "lmstudio", "custom"],
        model: str | NotGiven = NOT_GIVEN,
        api_key: str | NotGiven = NOT_GIVEN,
        base_url: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> TextModel:
        """Connect a text model.

        Writes one short sentence with it first: what the provider refuses is a 400 with its words, and
        nothing is saved. `baseUrl` and `model` have defaults, except for `custom`. Without `apiKey` the
        stored key stays, as long as provider and address do. The answer waits for the model, at most
        `LLM_BUDGET_SECONDS`.
        """
        result: TextModel = await self._transport.send(
            "PUT",
            "/workspace/text-model",
            body={"provider": provider, "model": model, "apiKey": api_key, "baseUrl": base_url},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def change_text_model(
        self,
        *,
        learns: bool,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> TextModel:
        """Choose whether the writer learns from results.

        With `learns: false`, hooks and structures are chosen as if no results were known, by a model
        and by the built-in composer.
        """
        result: TextModel = await self._transport.send(
            "PATCH",
            "/workspace/text-model",
            body={"learns": learns},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def delete_text_model(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> TextModel:
        """Remove the text model of the workspace.

        The key is erased. The installation's model writes again, or the built-in composer.
        """
        result: TextModel = await self._transport.send(
            "DELETE",
            "/workspace/text-model",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def test_text_model(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> TextModelTest:
        """Test the text model.

        Writes one short sentence with the model that writes the decks now. A failure is an answer too,
        with `ok: false`.
        """
        result: TextModelTest = await self._transport.send(
            "POST",
            "/workspace/text-model/test",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AppsResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
        app_store_url: str | None | NotGiven = NOT_GIVEN,
        listing: Listing | None | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, Any] | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> App:
        """Import an app from its store page.

        Costs no credits. Takes exactly one of `appStoreUrl`, an App Store or Google Play address that
        is read, and `listing`, given by hand. Derives up to 15 hooks from it. A page that was read
        within the last 6 hours is not read again. An account has at most 100 apps.

        Scope: `apps:write`.
        """
        result: App = self._transport.send(
            "POST",
            "/apps",
            body={"name": name, "appStoreUrl": app_store_url, "listing": listing, "externalId": external_id, "metadata": metadata},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[App]:
        """List apps, newest first.

        Without `seedHooks`; read one app to get them.

        Scope: `apps:read`.
        """
        result: Pages[App] = self._transport.pages(
            "/apps",
            query={"limit": limit, "cursor": cursor, "externalId": external_id},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> App:
        """Get one app with its seed hooks.

        `seedHooks` are the hooks that were derived from the listing, without those that have one of
        `brand.avoidWords`.

        Scope: `apps:read`.
        """
        result: App = self._transport.send(
            "GET",
            f"/apps/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def update(
        self,
        id: str,
        *,
        name: str | NotGiven = NOT_GIVEN,
        brand: BrandUpdate | None | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, Any] | None | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> App:
        """Change an app.

        Fields that are not given keep their value, those of `brand` too; `null` clears. Colours with a
        contrast below 4.5:1 are refused. Slides that were drawn before keep their look until an edit
        changes the text of one: then all of the deck are drawn again.

        Scope: `apps:write`.
        """
        result: App = self._transport.send(
            "PATCH",
            f"/apps/{segment(id)}",
            body={"name": name, "brand": brand, "externalId": external_id, "metadata": metadata},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def delete(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """Delete an app.

        Its contents stay readable; its automations make nothing any more. 409 `invalid_request` while a
        schedule of one of its contents waits.

        Scope: `apps:write`.
        """
        result: Deleted = self._transport.send(
            "DELETE",
            f"/apps/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def add_picture(
        self,
        id: str,
        file: bytes | BinaryIO,
        *,
        kind: Literal["upload", "slide"] | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Picture:
        """Upload a picture of an app.

        JPEG, PNG or WebP of at most 10 MB and 40 megapixels, as the field `file`. It is stored upright,
        without metadata, at most 2160 × 3840 px. An app has at most 50 pictures and its newest 500
        slides. 415 `unsupported_image_format`, 413 `image_too_large`, 400 for one that cannot be
        decoded.

        Scope: `apps:write`.
        """
        result: Picture = self._transport.send(
            "POST",
            f"/apps/{segment(id)}/pictures",
            query={"kind": kind},
            file=file,
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_pictures(
        self,
        id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        kind: Literal["upload", "screenshot", "slide"] | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[Picture]:
        """List the pictures of an app, newest first.

        Uploaded ones, and the screenshots of the store page, which are fetched some seconds after the
        import. The links are signed and expire after 48 h.

        Scope: `apps:read`.
        """
        result: Pages[Picture] = self._transport.pages(
            f"/apps/{segment(id)}/pictures",
            query={"limit": limit, "cursor": cursor, "kind": kind},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def delete_picture(
        self,
        id: str,
        picture_id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """Delete a picture of an app.

        Slides that show it stay as they are.

        Scope: `apps:write`.
        """
        result: Deleted = self._transport.send(
            "DELETE",
            f"/apps/{segment(id)}/pictures/{segment(picture_id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def refresh(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> App:
        """Read the store page of an app again.

        Replaces the listing, `details` and `seedHooks`; the name stays. Screenshots that the page no
        longer has are deleted once one that it has is there, except the logo and those that the brief
        of a recent content names; one that was deleted with `DELETE` is not fetched again. A page that
        was read within the last minute is not read again. 409 `invalid_request` for a listing that was
        given by hand.

        Scope: `apps:write`.
        """
        result: App = self._transport.send(
            "POST",
            f"/apps/{segment(id)}/refresh",
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def review(
        self,
        id: str,
        *,
        items: builtins.list[ReviewAppItems],
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> App:
        """Accept what others changed in an app.

        Ends the marks of the given items of `unreviewed`. One that is not there any more is passed
        over. The approval policy of the workspace applies as to a slideshow: it may ask for a person,
        for `at`, or for somebody who did not make the change. A mark also ends when a slideshow that
        shows the item is approved, but not by a review link: a picture, a name, or a handle, logo,
        fonts or colours that it was drawn with. No slideshow shows a whole listing, `brand.voice` or
        `brand.avoidWords`.

        Scope: `content:approve`.
        """
        result: App = self._transport.send(
            "POST",
            f"/apps/{segment(id)}/review",
            body={"items": items},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncAppsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
        app_store_url: str | None | NotGiven = NOT_GIVEN,
        listing: Listing | None | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, Any] | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> App:
        """Import an app from its store page.

        Costs no credits. Takes exactly one of `appStoreUrl`, an App Store or Google Play address that
        is read, and `listing`, given by hand. Derives up to 15 hooks from it. A page that was read
        within the last 6 hours is not read again. An account has at most 100 apps.

        Scope: `apps:write`.
        """
        result: App = await self._transport.send(
            "POST",
            "/apps",
            body={"name": name, "appStoreUrl": app_store_url, "listing": listing, "externalId": external_id, "metadata": metadata},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[App]:
        """List apps, newest first.

        Without `seedHooks`; read one app to get them.

        Scope: `apps:read`.
        """
        result: AsyncPages[App] = self._transport.pages(
            "/apps",
            query={"limit": limit, "cursor": cursor, "externalId": external_id},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> App:
        """Get one app with its seed hooks.

        `seedHooks` are the hooks that were derived from the listing, without those that have one of
        `brand.avoidWords`.

        Scope: `apps:read`.
        """
        result: App = await self._transport.send(
            "GET",
            f"/apps/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def update(
        self,
        id: str,
        *,
        name: str | NotGiven = NOT_GIVEN,
        brand: BrandUpdate | None | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, Any] | None | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> App:
        """Change an app.

        Fields that are not given keep their value, those of `brand` too; `null` clears. Colours with a
        contrast below 4.5:1 are refused. Slides that were drawn before keep their look until an edit
        changes the text of one: then all of the deck are drawn again.

        Scope: `apps:write`.
        """
        result: App = await self._transport.send(
            "PATCH",
            f"/apps/{segment(id)}",
            body={"name": name, "brand": brand, "externalId": external_id, "metadata": metadata},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def delete(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """Delete an app.

        Its contents stay readable; its automations make nothing any more. 409 `invalid_request` while a
        schedule of one of its contents waits.

        Scope: `apps:write`.
        """
        result: Deleted = await self._transport.send(
            "DELETE",
            f"/apps/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def add_picture(
        self,
        id: str,
        file: bytes | BinaryIO,
        *,
        kind: Literal["upload", "slide"] | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Picture:
        """Upload a picture of an app.

        JPEG, PNG or WebP of at most 10 MB and 40 megapixels, as the field `file`. It is stored upright,
        without metadata, at most 2160 × 3840 px. An app has at most 50 pictures and its newest 500
        slides. 415 `unsupported_image_format`, 413 `image_too_large`, 400 for one that cannot be
        decoded.

        Scope: `apps:write`.
        """
        result: Picture = await self._transport.send(
            "POST",
            f"/apps/{segment(id)}/pictures",
            query={"kind": kind},
            file=file,
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_pictures(
        self,
        id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        kind: Literal["upload", "screenshot", "slide"] | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[Picture]:
        """List the pictures of an app, newest first.

        Uploaded ones, and the screenshots of the store page, which are fetched some seconds after the
        import. The links are signed and expire after 48 h.

        Scope: `apps:read`.
        """
        result: AsyncPages[Picture] = self._transport.pages(
            f"/apps/{segment(id)}/pictures",
            query={"limit": limit, "cursor": cursor, "kind": kind},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def delete_picture(
        self,
        id: str,
        picture_id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """Delete a picture of an app.

        Slides that show it stay as they are.

        Scope: `apps:write`.
        """
        result: Deleted = await self._transport.send(
            "DELETE",
            f"/apps/{segment(id)}/pictures/{segment(picture_id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def refresh(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> App:
        """Read the store page of an app again.

        Replaces the listing, `details` and `seedHooks`; the name stays. Screenshots that the page no
        longer has are deleted once one that it has is there, except the logo and those that the brief
        of a recent content names; one that was deleted with `DELETE` is not fetched again. A page that
        was read within the last minute is not read again. 409 `invalid_request` for a listing that was
        given by hand.

        Scope: `apps:write`.
        """
        result: App = await self._transport.send(
            "POST",
            f"/apps/{segment(id)}/refresh",
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def review(
        self,
        id: str,
        *,
        items: builtins.list[ReviewAppItems],
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> App:
        """Accept what others changed in an app.

        Ends the marks of the given items of `unreviewed`. One that is not there any more is passed
        over. The approval policy of the workspace applies as to a slideshow: it may ask for a person,
        for `at`, or for somebody who did not make the change. A mark also ends when a slideshow that
        shows the item is approved, but not by a review link: a picture, a name, or a handle, logo,
        fonts or colours that it was drawn with. No slideshow shows a whole listing, `brand.voice` or
        `brand.avoidWords`.

        Scope: `content:approve`.
        """
        result: App = await self._transport.send(
            "POST",
            f"/apps/{segment(id)}/review",
            body={"items": items},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class TemplatesResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> builtins.list[Template]:
        """List the templates of slide images.

        Each with sample slides. `brief.templateId` names one of them.

        Scope: `content:read`.
        """
        result: builtins.list[Template] = self._transport.send(
            "GET",
            "/templates",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncTemplatesResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> builtins.list[Template]:
        """List the templates of slide images.

        Each with sample slides. `brief.templateId` names one of them.

        Scope: `content:read`.
        """
        result: builtins.list[Template] = await self._transport.send(
            "GET",
            "/templates",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class ContentResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        app_id: str,
        type: Literal["slideshow", "illustrated", "hook_video"],
        brief: BriefInput | None | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, Any] | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Content:
        """Generate a slideshow (1 credit, charged only on success).

        Responds when the slideshow is `ready` or `failed`, within 8 s unless a text model is given more
        time. Only with a `templateId` slide images are rendered, which posting requires. `illustrated`
        and `hook_video` return 201 with `status: "failed"` and a notice, and cost nothing.

        Scope: `content:write`.
        """
        result: Content = self._transport.send(
            "POST",
            "/content",
            body={"appId": app_id, "type": type, "brief": brief, "externalId": external_id, "metadata": metadata},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        status: Literal["queued", "running", "ready", "failed"] | NotGiven = NOT_GIVEN,
        approval_status: Literal["pending", "approved", "rejected"] | NotGiven = NOT_GIVEN,
        scheduled: bool | NotGiven = NOT_GIVEN,
        origin: Literal["api", "automation"] | NotGiven = NOT_GIVEN,
        changes_requested: bool | NotGiven = NOT_GIVEN,
        app_id: str | NotGiven = NOT_GIVEN,
        q: str | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        created_from: str | NotGiven = NOT_GIVEN,
        created_to: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[Content]:
        """List content, newest first.

        Each row is complete, with its texts and its slide images. The filters can be combined.
        `approvalStatus=pending` returns what waits for a decision: only content that is `ready` and
        without `changesRequested`, unless that is asked for.

        Scope: `content:read`.
        """
        result: Pages[Content] = self._transport.pages(
            "/content",
            query={"limit": limit, "cursor": cursor, "status": status, "approvalStatus": approval_status, "scheduled": scheduled, "origin": origin, "changesRequested": changes_requested, "appId": app_id, "q": q, "externalId": external_id, "createdFrom": created_from, "createdTo": created_to},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def count(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> ContentCounts:
        """Count content by approval.

        Each number is exact up to 10,000; 10,000 means that or more. `pending` counts what `GET
        /content?approvalStatus=pending` lists.

        Scope: `content:read`.
        """
        result: ContentCounts = self._transport.send(
            "GET",
            "/content/counts",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Content:
        """Get one content.

        The links in `images` are signed and expire after 48 h.

        Scope: `content:read`.
        """
        result: Content = self._transport.send(
            "GET",
            f"/content/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def update(
        self,
        id: str,
        *,
        hook: str | NotGiven = NOT_GIVEN,
        body_slides: builtins.list[EditContentBodySlides] | NotGiven = NOT_GIVEN,
        cover_look: EditContentCoverLook | NotGiven = NOT_GIVEN,
        closing_look: EditContentClosingLook | NotGiven = NOT_GIVEN,
        template_id: Literal["quote-card", "photo-card", "screenshot-card", "picture"] | NotGiven = NOT_GIVEN,
        cta_soft: str | NotGiven = NOT_GIVEN,
        cta_hard: str | NotGiven = NOT_GIVEN,
        caption: str | NotGiven = NOT_GIVEN,
        hashtags: builtins.list[str] | NotGiven = NOT_GIVEN,
        dry_run: bool | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Content:
        """Edit texts, pictures, positions, order or template; renders again and needs a new approval.

        Each field that is sent replaces the former value: `bodySlides` all slides between the first and
        the closing one, in the new order, with their pictures and positions. Increments `version`,
        renders again and resets `approvalStatus` to `pending`. Costs nothing. A pending schedule is
        held until the new version is approved. `?dryRun=true` returns the record as it would be, with
        images whose links are valid for 10 minutes, and changes nothing.

        Scope: `content:write`.
        """
        result: Content = self._transport.send(
            "PATCH",
            f"/content/{segment(id)}",
            body={"hook": hook, "bodySlides": body_slides, "coverLook": cover_look, "closingLook": closing_look, "templateId": template_id, "ctaSoft": cta_soft, "ctaHard": cta_hard, "caption": caption, "hashtags": hashtags},
            query={"dryRun": dry_run},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def approve(
        self,
        id: str,
        *,
        version: int | None | NotGiven = NOT_GIVEN,
        approval_status: Literal["pending", "approved", "rejected", None] | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Content:
        """Approve the current version.

        If `version` is given and is not the current one: 409 `not_ready`. The same if `approvalStatus`
        is given and somebody has decided otherwise since. The approval policy of the workspace may ask
        for a person, for `version`, or for somebody who neither made nor last edited the version.

        Scope: `content:approve`.
        """
        result: Content = self._transport.send(
            "POST",
            f"/content/{segment(id)}/approve",
            body={"version": version, "approvalStatus": approval_status},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def duplicate(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Content:
        """Duplicate a slideshow (1 credit).

        Makes a content with the texts, slides and `writer` of a `ready` one, whatever became of that.
        It is `pending` at version 1, and belongs to no automation.

        Scope: `content:write`.
        """
        result: Content = self._transport.send(
            "POST",
            f"/content/{segment(id)}/duplicate",
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def preflight(
        self,
        id: str,
        *,
        tiktok_account_id: str | NotGiven = NOT_GIVEN,
        mode: Literal["draft", "publish", "phone"] | NotGiven = NOT_GIVEN,
        privacy_level: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Preflight:
        """Check what would prevent this content from being posted.

        Runs the checks of `POST /schedules` without creating a schedule. Without `tiktokAccountId` only
        the deck is checked.

        Scope: `content:read`.
        """
        result: Preflight = self._transport.send(
            "GET",
            f"/content/{segment(id)}/preflight",
            query={"tiktokAccountId": tiktok_account_id, "mode": mode, "privacyLevel": privacy_level},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def reject(
        self,
        id: str,
        *,
        version: int | None | NotGiven = NOT_GIVEN,
        approval_status: Literal["pending", "approved", "rejected", None] | NotGiven = NOT_GIVEN,
        reason: str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Content:
        """Reject the current version.

        As approving, with an optional `reason`. The same decision again changes nothing.

        Scope: `content:approve`.
        """
        result: Content = self._transport.send(
            "POST",
            f"/content/{segment(id)}/reject",
            body={"version": version, "approvalStatus": approval_status, "reason": reason},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def request_changes(
        self,
        id: str,
        *,
        reason: str,
        version: int | None | NotGiven = NOT_GIVEN,
        approval_status: Literal["pending", "approved", "rejected", None] | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Content:
        """Ask for another version of a pending content.

        The content leaves the approval queue until its next version: `approvalStatus` stays `pending`,
        and `changesRequested` says why. A later request replaces the reason, and a decision ends it.
        409 `not_ready` for what is approved or rejected. Of the approval policy, `approvers` and
        `requireVersion` apply.

        Scope: `content:approve`.
        """
        result: Content = self._transport.send(
            "POST",
            f"/content/{segment(id)}/request-changes",
            body={"version": version, "approvalStatus": approval_status, "reason": reason},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def create_batch(
        self,
        *,
        items: builtins.list[CreateContent],
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> ContentBatch:
        """Generate slideshows from a list (1 credit each, charged only on success).

        Responds at once: `outcomes` has a job or an error for each of `items`, in their order. One that
        is refused stops no other. `GET /jobs/{id}` and `job.completed` tell what became of a job. Each
        item has a key of its own, derived from the `Idempotency-Key` and its place: with the same list
        and key, those that were refused are tried again, even corrected, and the others answer the job
        of the first time. The decks of a list take turns with everything else that waits to be made.

        Scope: `content:write`.
        """
        result: ContentBatch = self._transport.send(
            "POST",
            "/content/batch",
            body={"items": items},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def get_timeline(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> builtins.list[ContentMoment]:
        """Get what happened to a content, oldest first.

        From its making to the delivery of its posts, at most the newest 1,000 entries. `GET
        /schedules/{id}` has every attempt of one schedule.

        Scope: `content:read`.
        """
        result: builtins.list[ContentMoment] = self._transport.send(
            "GET",
            f"/content/{segment(id)}/timeline",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def add_deck_post(
        self,
        id: str,
        *,
        url: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> PublishedPost:
        """Name the post of a deck on YouTube or Instagram.

        Its numbers are read from then on; `GET /analytics/content/{videoId}` has them under the id of
        the deck. An Instagram post must be of a connected source.

        Scope: `content:write`.
        """
        result: PublishedPost = self._transport.send(
            "POST",
            f"/content/{segment(id)}/posts",
            body={"url": url},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def enter_results(
        self,
        id: str,
        *,
        views: int,
        likes: int | None | NotGiven = NOT_GIVEN,
        comments: int | None | NotGiven = NOT_GIVEN,
        shares: int | None | NotGiven = NOT_GIVEN,
        saves: int | None | NotGiven = NOT_GIVEN,
        at: str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> DeckResults:
        """Enter what a deck brought.

        The running totals of the post of an approved deck, as the platform shows them. They replace
        those kept; numbers that were read before those kept change nothing. Answers what is kept.

        Scope: `content:write`.
        """
        result: DeckResults = self._transport.send(
            "POST",
            f"/content/{segment(id)}/results",
            body={"views": views, "likes": likes, "comments": comments, "shares": shares, "saves": saves, "at": at},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def get_results(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> DeckResults | None:
        """Get what a deck brought.

        The newest numbers of the first post of an approved deck, or null. TikTok tells those of public
        posts where the account allows it (`video.list`); those of private posts and of posts by phone
        are null until somebody enters them. 404 for a deck that was never approved.

        Scope: `content:read`.
        """
        result: DeckResults | None = self._transport.send(
            "GET",
            f"/content/{segment(id)}/results",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def start_experiment(
        self,
        id: str,
        *,
        read_after_hours: int,
        hooks: builtins.list[str] | None | NotGiven = NOT_GIVEN,
        against: builtins.list[str] | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> StartedExperiment:
        """Compare hooks on purpose (1 credit for each copy).

        Names which decks are compared, two or three hooks between them, and after how many hours their
        views are read, before any is posted. `hooks` makes copies of the deck that differ by nothing
        else, and wait for approval. Each deck must be `ready` and takes part in one experiment. Post
        them as usual, each copy on another account: 409 `already_scheduled` where the account has the
        same slides within 90 days.

        Scope: `content:write`.
        """
        result: StartedExperiment = self._transport.send(
            "POST",
            f"/content/{segment(id)}/experiment",
            body={"hooks": hooks, "against": against, "readAfterHours": read_after_hours},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def create_review_link(
        self,
        id: str,
        *,
        expires_in_hours: int,
        may_decide: bool | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> ReviewLinkWithUrl:
        """Make a link that shows the current version to somebody without an account.

        It ends with its time, with the next version, and with the membership or key of its maker. With
        `mayDecide` whoever has it approves or rejects, signed with the name that they give; the
        approval policy counts that as a decision of the maker, who must be allowed to take it. A
        content has at most 20 open links.

        Scope: `content:write` or `content:approve`.
        """
        result: ReviewLinkWithUrl = self._transport.send(
            "POST",
            f"/content/{segment(id)}/review-links",
            body={"expiresInHours": expires_in_hours, "mayDecide": may_decide},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_review_links(
        self,
        id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[ReviewLink]:
        """List the review links of a content, newest first.

        Lists links that have not expired. The address is never included.

        Scope: `content:write` or `content:approve`.
        """
        result: Pages[ReviewLink] = self._transport.pages(
            f"/content/{segment(id)}/review-links",
            query={"limit": limit, "cursor": cursor},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def delete_review_link(
        self,
        id: str,
        link_id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """Withdraw a review link.

        It opens nothing from then on. Decisions that were taken by it stay.

        Scope: `content:write` or `content:approve`.
        """
        result: Deleted = self._transport.send(
            "DELETE",
            f"/content/{segment(id)}/review-links/{segment(link_id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def create_comment(
        self,
        id: str,
        *,
        text: str,
        slide: int | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Comment:
        """Comment on a content or one of its slides.

        A comment changes nothing about the content. A content has at most 1,000.

        Scope: `content:write` or `content:approve`.
        """
        result: Comment = self._transport.send(
            "POST",
            f"/content/{segment(id)}/comments",
            body={"text": text, "slide": slide},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_comments(
        self,
        id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[Comment]:
        """List the comments on a content, newest first.

        The list includes comments on earlier versions.

        Scope: `content:write` or `content:approve`.
        """
        result: Pages[Comment] = self._transport.pages(
            f"/content/{segment(id)}/comments",
            query={"limit": limit, "cursor": cursor},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncContentResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        app_id: str,
        type: Literal["slideshow", "illustrated", "hook_video"],
        brief: BriefInput | None | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, Any] | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Content:
        """Generate a slideshow (1 credit, charged only on success).

        Responds when the slideshow is `ready` or `failed`, within 8 s unless a text model is given more
        time. Only with a `templateId` slide images are rendered, which posting requires. `illustrated`
        and `hook_video` return 201 with `status: "failed"` and a notice, and cost nothing.

        Scope: `content:write`.
        """
        result: Content = await self._transport.send(
            "POST",
            "/content",
            body={"appId": app_id, "type": type, "brief": brief, "externalId": external_id, "metadata": metadata},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        status: Literal["queued", "running", "ready", "failed"] | NotGiven = NOT_GIVEN,
        approval_status: Literal["pending", "approved", "rejected"] | NotGiven = NOT_GIVEN,
        scheduled: bool | NotGiven = NOT_GIVEN,
        origin: Literal["api", "automation"] | NotGiven = NOT_GIVEN,
        changes_requested: bool | NotGiven = NOT_GIVEN,
        app_id: str | NotGiven = NOT_GIVEN,
        q: str | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        created_from: str | NotGiven = NOT_GIVEN,
        created_to: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[Content]:
        """List content, newest first.

        Each row is complete, with its texts and its slide images. The filters can be combined.
        `approvalStatus=pending` returns what waits for a decision: only content that is `ready` and
        without `changesRequested`, unless that is asked for.

        Scope: `content:read`.
        """
        result: AsyncPages[Content] = self._transport.pages(
            "/content",
            query={"limit": limit, "cursor": cursor, "status": status, "approvalStatus": approval_status, "scheduled": scheduled, "origin": origin, "changesRequested": changes_requested, "appId": app_id, "q": q, "externalId": external_id, "createdFrom": created_from, "createdTo": created_to},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def count(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> ContentCounts:
        """Count content by approval.

        Each number is exact up to 10,000; 10,000 means that or more. `pending` counts what `GET
        /content?approvalStatus=pending` lists.

        Scope: `content:read`.
        """
        result: ContentCounts = await self._transport.send(
            "GET",
            "/content/counts",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Content:
        """Get one content.

        The links in `images` are signed and expire after 48 h.

        Scope: `content:read`.
        """
        result: Content = await self._transport.send(
            "GET",
            f"/content/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def update(
        self,
        id: str,
        *,
        hook: str | NotGiven = NOT_GIVEN,
        body_slides: builtins.list[EditContentBodySlides] | NotGiven = NOT_GIVEN,
        cover_look: EditContentCoverLook | NotGiven = NOT_GIVEN,
        closing_look: EditContentClosingLook | NotGiven = NOT_GIVEN,
        template_id: Literal["quote-card", "photo-card", "screenshot-card", "picture"] | NotGiven = NOT_GIVEN,
        cta_soft: str | NotGiven = NOT_GIVEN,
        cta_hard: str | NotGiven = NOT_GIVEN,
        caption: str | NotGiven = NOT_GIVEN,
        hashtags: builtins.list[str] | NotGiven = NOT_GIVEN,
        dry_run: bool | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Content:
        """Edit texts, pictures, positions, order or template; renders again and needs a new approval.

        Each field that is sent replaces the former value: `bodySlides` all slides between the first and
        the closing one, in the new order, with their pictures and positions. Increments `version`,
        renders again and resets `approvalStatus` to `pending`. Costs nothing. A pending schedule is
        held until the new version is approved. `?dryRun=true` returns the record as it would be, with
        images whose links are valid for 10 minutes, and changes nothing.

        Scope: `content:write`.
        """
        result: Content = await self._transport.send(
            "PATCH",
            f"/content/{segment(id)}",
            body={"hook": hook, "bodySlides": body_slides, "coverLook": cover_look, "closingLook": closing_look, "templateId": template_id, "ctaSoft": cta_soft, "ctaHard": cta_hard, "caption": caption, "hashtags": hashtags},
            query={"dryRun": dry_run},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def approve(
        self,
        id: str,
        *,
        version: int | None | NotGiven = NOT_GIVEN,
        approval_status: Literal["pending", "approved", "rejected", None] | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Content:
        """Approve the current version.

        If `version` is given and is not the current one: 409 `not_ready`. The same if `approvalStatus`
        is given and somebody has decided otherwise since. The approval policy of the workspace may ask
        for a person, for `version`, or for somebody who neither made nor last edited the version.

        Scope: `content:approve`.
        """
        result: Content = await self._transport.send(
            "POST",
            f"/content/{segment(id)}/approve",
            body={"version": version, "approvalStatus": approval_status},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def duplicate(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Content:
        """Duplicate a slideshow (1 credit).

        Makes a content with the texts, slides and `writer` of a `ready` one, whatever became of that.
        It is `pending` at version 1, and belongs to no automation.

        Scope: `content:write`.
        """
        result: Content = await self._transport.send(
            "POST",
            f"/content/{segment(id)}/duplicate",
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def preflight(
        self,
        id: str,
        *,
        tiktok_account_id: str | NotGiven = NOT_GIVEN,
        mode: Literal["draft", "publish", "phone"] | NotGiven = NOT_GIVEN,
        privacy_level: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Preflight:
        """Check what would prevent this content from being posted.

        Runs the checks of `POST /schedules` without creating a schedule. Without `tiktokAccountId` only
        the deck is checked.

        Scope: `content:read`.
        """
        result: Preflight = await self._transport.send(
            "GET",
            f"/content/{segment(id)}/preflight",
            query={"tiktokAccountId": tiktok_account_id, "mode": mode, "privacyLevel": privacy_level},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def reject(
        self,
        id: str,
        *,
        version: int | None | NotGiven = NOT_GIVEN,
        approval_status: Literal["pending", "approved", "rejected", None] | NotGiven = NOT_GIVEN,
        reason: str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Content:
        """Reject the current version.

        As approving, with an optional `reason`. The same decision again changes nothing.

        Scope: `content:approve`.
        """
        result: Content = await self._transport.send(
            "POST",
            f"/content/{segment(id)}/reject",
            body={"version": version, "approvalStatus": approval_status, "reason": reason},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def request_changes(
        self,
        id: str,
        *,
        reason: str,
        version: int | None | NotGiven = NOT_GIVEN,
        approval_status: Literal["pending", "approved", "rejected", None] | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Content:
        """Ask for another version of a pending content.

        The content leaves the approval queue until its next version: `approvalStatus` stays `pending`,
        and `changesRequested` says why. A later request replaces the reason, and a decision ends it.
        409 `not_ready` for what is approved or rejected. Of the approval policy, `approvers` and
        `requireVersion` apply.

        Scope: `content:approve`.
        """
        result: Content = await self._transport.send(
            "POST",
            f"/content/{segment(id)}/request-changes",
            body={"version": version, "approvalStatus": approval_status, "reason": reason},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def create_batch(
        self,
        *,
        items: builtins.list[CreateContent],
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> ContentBatch:
        """Generate slideshows from a list (1 credit each, charged only on success).

        Responds at once: `outcomes` has a job or an error for each of `items`, in their order. One that
        is refused stops no other. `GET /jobs/{id}` and `job.completed` tell what became of a job. Each
        item has a key of its own, derived from the `Idempotency-Key` and its place: with the same list
        and key, those that were refused are tried again, even corrected, and the others answer the job
        of the first time. The decks of a list take turns with everything else that waits to be made.

        Scope: `content:write`.
        """
        result: ContentBatch = await self._transport.send(
            "POST",
            "/content/batch",
            body={"items": items},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def get_timeline(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> builtins.list[ContentMoment]:
        """Get what happened to a content, oldest first.

        From its making to the delivery of its posts, at most the newest 1,000 entries. `GET
        /schedules/{id}` has every attempt of one schedule.

        Scope: `content:read`.
        """
        result: builtins.list[ContentMoment] = await self._transport.send(
            "GET",
            f"/content/{segment(id)}/timeline",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def add_deck_post(
        self,
        id: str,
        *,
        url: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> PublishedPost:
        """Name the post of a deck on YouTube or Instagram.

        Its numbers are read from then on; `GET /analytics/content/{videoId}` has them under the id of
        the deck. An Instagram post must be of a connected source.

        Scope: `content:write`.
        """
        result: PublishedPost = await self._transport.send(
            "POST",
            f"/content/{segment(id)}/posts",
            body={"url": url},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def enter_results(
        self,
        id: str,
        *,
        views: int,
        likes: int | None | NotGiven = NOT_GIVEN,
        comments: int | None | NotGiven = NOT_GIVEN,
        shares: int | None | NotGiven = NOT_GIVEN,
        saves: int | None | NotGiven = NOT_GIVEN,
        at: str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> DeckResults:
        """Enter what a deck brought.

        The running totals of the post of an approved deck, as the platform shows them. They replace
        those kept; numbers that were read before those kept change nothing. Answers what is kept.

        Scope: `content:write`.
        """
        result: DeckResults = await self._transport.send(
            "POST",
            f"/content/{segment(id)}/results",
            body={"views": views, "likes": likes, "comments": comments, "shares": shares, "saves": saves, "at": at},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def get_results(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> DeckResults | None:
        """Get what a deck brought.

        The newest numbers of the first post of an approved deck, or null. TikTok tells those of public
        posts where the account allows it (`video.list`); those of private posts and of posts by phone
        are null until somebody enters them. 404 for a deck that was never approved.

        Scope: `content:read`.
        """
        result: DeckResults | None = await self._transport.send(
            "GET",
            f"/content/{segment(id)}/results",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def start_experiment(
        self,
        id: str,
        *,
        read_after_hours: int,
        hooks: builtins.list[str] | None | NotGiven = NOT_GIVEN,
        against: builtins.list[str] | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> StartedExperiment:
        """Compare hooks on purpose (1 credit for each copy).

        Names which decks are compared, two or three hooks between them, and after how many hours their
        views are read, before any is posted. `hooks` makes copies of the deck that differ by nothing
        else, and wait for approval. Each deck must be `ready` and takes part in one experiment. Post
        them as usual, each copy on another account: 409 `already_scheduled` where the account has the
        same slides within 90 days.

        Scope: `content:write`.
        """
        result: StartedExperiment = await self._transport.send(
            "POST",
            f"/content/{segment(id)}/experiment",
            body={"hooks": hooks, "against": against, "readAfterHours": read_after_hours},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def create_review_link(
        self,
        id: str,
        *,
        expires_in_hours: int,
        may_decide: bool | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> ReviewLinkWithUrl:
        """Make a link that shows the current version to somebody without an account.

        It ends with its time, with the next version, and with the membership or key of its maker. With
        `mayDecide` whoever has it approves or rejects, signed with the name that they give; the
        approval policy counts that as a decision of the maker, who must be allowed to take it. A
        content has at most 20 open links.

        Scope: `content:write` or `content:approve`.
        """
        result: ReviewLinkWithUrl = await self._transport.send(
            "POST",
            f"/content/{segment(id)}/review-links",
            body={"expiresInHours": expires_in_hours, "mayDecide": may_decide},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_review_links(
        self,
        id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[ReviewLink]:
        """List the review links of a content, newest first.

        Lists links that have not expired. The address is never included.

        Scope: `content:write` or `content:approve`.
        """
        result: AsyncPages[ReviewLink] = self._transport.pages(
            f"/content/{segment(id)}/review-links",
            query={"limit": limit, "cursor": cursor},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def delete_review_link(
        self,
        id: str,
        link_id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """Withdraw a review link.

        It opens nothing from then on. Decisions that were taken by it stay.

        Scope: `content:write` or `content:approve`.
        """
        result: Deleted = await self._transport.send(
            "DELETE",
            f"/content/{segment(id)}/review-links/{segment(link_id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def create_comment(
        self,
        id: str,
        *,
        text: str,
        slide: int | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Comment:
        """Comment on a content or one of its slides.

        A comment changes nothing about the content. A content has at most 1,000.

        Scope: `content:write` or `content:approve`.
        """
        result: Comment = await self._transport.send(
            "POST",
            f"/content/{segment(id)}/comments",
            body={"text": text, "slide": slide},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_comments(
        self,
        id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[Comment]:
        """List the comments on a content, newest first.

        The list includes comments on earlier versions.

        Scope: `content:write` or `content:approve`.
        """
        result: AsyncPages[Comment] = self._transport.pages(
            f"/content/{segment(id)}/comments",
            query={"limit": limit, "cursor": cursor},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class JobsResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Job:
        """Get the job of a content (same id).

        A job is created with its content and has the same status. `cost` is what was charged.

        Scope: `content:read`.
        """
        result: Job = self._transport.send(
            "GET",
            f"/jobs/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncJobsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Job:
        """Get the job of a content (same id).

        A job is created with its content and has the same status. `cost` is what was charged.

        Scope: `content:read`.
        """
        result: Job = await self._transport.send(
            "GET",
            f"/jobs/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AnalyticsResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def compare_decks(
        self,
        *,
        window_days: int | NotGiven = NOT_GIVEN,
        app_id: str | NotGiven = NOT_GIVEN,
        timezone: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> builtins.list[DeckComparison]:
        """Compare what decks brought, by hook, its form, archetype, template, language, weekday and hour.

        Compares the newest 500 decks of the window whose numbers were read 24 h or more after the post.
        Private posts and posts by phone count once their numbers are entered. Each value has one row,
        the best of each kind first; hooks have the 20 best and the 20 worst.

        Scope: `analytics:read`.
        """
        result: builtins.list[DeckComparison] = self._transport.send(
            "GET",
            "/analytics/decks",
            query={"windowDays": window_days, "appId": app_id, "timezone": timezone},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_experiments(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> builtins.list[Experiment]:
        """List the experiments with hooks, and what they say.

        The newest 10.

        Scope: `analytics:read`.
        """
        result: builtins.list[Experiment] = self._transport.send(
            "GET",
            "/analytics/experiments",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def video(
        self,
        video_id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> VideoAnalytics:
        """Get the metrics of one video on every platform.

        By the `videoId` given to `POST /analytics/posts`, or the id of the deck whose posts `POST
        /content/{id}/posts` named.

        Scope: `analytics:read`.
        """
        result: VideoAnalytics = self._transport.send(
            "GET",
            f"/analytics/content/{segment(video_id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_posts(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        platform: Literal["instagram", "youtube"] | NotGiven = NOT_GIVEN,
        video_id: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[MeasuredPost]:
        """List registered posts with their latest numbers, newest first.

        In the order in which they were registered. A number that the platform hides is null.

        Scope: `analytics:read`.
        """
        result: Pages[MeasuredPost] = self._transport.pages(
            "/analytics/posts",
            query={"limit": limit, "cursor": cursor, "platform": platform, "videoId": video_id},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def get_series(
        self,
        *,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        platform: Literal["instagram", "youtube"] | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> builtins.list[SeriesDay]:
        """Get the numbers of all posts day by day.

        One row for each UTC day, oldest first: running totals of all registered posts at the end of the
        day, so the difference of two rows is what was gained between them. A day without a measurement
        repeats the numbers before it; days after today are left out.

        Scope: `analytics:read`.
        """
        result: builtins.list[SeriesDay] = self._transport.send(
            "GET",
            "/analytics/series",
            query={"from": from_, "to": to, "platform": platform},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def summary(
        self,
        *,
        window_days: int | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AnalyticsSummary:
        """Get views, likes and comments for a period.

        The latest numbers of decks, and of posts on Instagram and YouTube, published within the window,
        which ends today (UTC).

        Scope: `analytics:read`.
        """
        result: AnalyticsSummary = self._transport.send(
            "GET",
            "/analytics/summary",
            query={"windowDays": window_days},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncAnalyticsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def compare_decks(
        self,
        *,
        window_days: int | NotGiven = NOT_GIVEN,
        app_id: str | NotGiven = NOT_GIVEN,
        timezone: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> builtins.list[DeckComparison]:
        """Compare what decks brought, by hook, its form, archetype, template, language, weekday and hour.

        Compares the newest 500 decks of the window whose numbers were read 24 h or more after the post.
        Private posts and posts by phone count once their numbers are entered. Each value has one row,
        the best of each kind first; hooks have the 20 best and the 20 worst.

        Scope: `analytics:read`.
        """
        result: builtins.list[DeckComparison] = await self._transport.send(
            "GET",
            "/analytics/decks",
            query={"windowDays": window_days, "appId": app_id, "timezone": timezone},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def list_experiments(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> builtins.list[Experiment]:
        """List the experiments with hooks, and what they say.

        The newest 10.

        Scope: `analytics:read`.
        """
        result: builtins.list[Experiment] = await self._transport.send(
            "GET",
            "/analytics/experiments",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def video(
        self,
        video_id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> VideoAnalytics:
        """Get the metrics of one video on every platform.

        By the `videoId` given to `POST /analytics/posts`, or the id of the deck whose posts `POST
        /content/{id}/posts` named.

        Scope: `analytics:read`.
        """
        result: VideoAnalytics = await self._transport.send(
            "GET",
            f"/analytics/content/{segment(video_id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_posts(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        platform: Literal["instagram", "youtube"] | NotGiven = NOT_GIVEN,
        video_id: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[MeasuredPost]:
        """List registered posts with their latest numbers, newest first.

        In the order in which they were registered. A number that the platform hides is null.

        Scope: `analytics:read`.
        """
        result: AsyncPages[MeasuredPost] = self._transport.pages(
            "/analytics/posts",
            query={"limit": limit, "cursor": cursor, "platform": platform, "videoId": video_id},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def get_series(
        self,
        *,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        platform: Literal["instagram", "youtube"] | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> builtins.list[SeriesDay]:
        """Get the numbers of all posts day by day.

        One row for each UTC day, oldest first: running totals of all registered posts at the end of the
        day, so the difference of two rows is what was gained between them. A day without a measurement
        repeats the numbers before it; days after today are left out.

        Scope: `analytics:read`.
        """
        result: builtins.list[SeriesDay] = await self._transport.send(
            "GET",
            "/analytics/series",
            query={"from": from_, "to": to, "platform": platform},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def summary(
        self,
        *,
        window_days: int | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AnalyticsSummary:
        """Get views, likes and comments for a period.

        The latest numbers of decks, and of posts on Instagram and YouTube, published within the window,
        which ends today (UTC).

        Scope: `analytics:read`.
        """
        result: AnalyticsSummary = await self._transport.send(
            "GET",
            "/analytics/summary",
            query={"windowDays": window_days},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class SessionReviewResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def decide_by_link(
        self,
        *,
        token: str,
        decision: Literal["approved", "rejected"],
        name: str,
        reason: str | None | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> SharedDeck:
        """Approve or reject by a review link.

        Signed with `name`, which nothing proves: `approval.by` has the kind `reviewer` and the id of
        the link. The version is that of the link; 409 `not_ready` when there is a newer one, or this
        one was decided otherwise.
        """
        result: SharedDeck = self._transport.send(
            "POST",
            "/review/decide",
            body={"token": token, "decision": decision, "name": name, "reason": reason},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def open_link(
        self,
        *,
        token: str,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> SharedDeck:
        """Read what a review link shows.

        It is 404 `not_found` for a link that expired or was withdrawn, 409 `not_ready` when there is a
        newer version. The links of the pictures end within two hours.
        """
        result: SharedDeck = self._transport.send(
            "POST",
            "/review/open",
            body={"token": token},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncSessionReviewResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def decide_by_link(
        self,
        *,
        token: str,
        decision: Literal["approved", "rejected"],
        name: str,
        reason: str | None | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> SharedDeck:
        """Approve or reject by a review link.

        Signed with `name`, which nothing proves: `approval.by` has the kind `reviewer` and the id of
        the link. The version is that of the link; 409 `not_ready` when there is a newer one, or this
        one was decided otherwise.
        """
        result: SharedDeck = await self._transport.send(
            "POST",
            "/review/decide",
            body={"token": token, "decision": decision, "name": name, "reason": reason},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def open_link(
        self,
        *,
        token: str,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> SharedDeck:
        """Read what a review link shows.

        It is 404 `not_found` for a link that expired or was withdrawn, 409 `not_ready` when there is a
        newer version. The links of the pictures end within two hours.
        """
        result: SharedDeck = await self._transport.send(
            "POST",
            "/review/open",
            body={"token": token},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class CreditsResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Credits:
        """Get the credit balance.

        `balance` is `granted` less `spent`. `dailyGeneration` resets at midnight UTC.

        Scope: `credits:read`.
        """
        result: Credits = self._transport.send(
            "GET",
            "/credits",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def ledger(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        content_id: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[LedgerRow]:
        """List ledger rows, newest first.

        One row for each grant and each charge. The balance is their sum.

        Scope: `credits:read`.
        """
        result: Pages[LedgerRow] = self._transport.pages(
            "/credits/ledger",
            query={"limit": limit, "cursor": cursor, "contentId": content_id},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncCreditsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Credits:
        """Get the credit balance.

        `balance` is `granted` less `spent`. `dailyGeneration` resets at midnight UTC.

        Scope: `credits:read`.
        """
        result: Credits = await self._transport.send(
            "GET",
            "/credits",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def ledger(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        content_id: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[LedgerRow]:
        """List ledger rows, newest first.

        One row for each grant and each charge. The balance is their sum.

        Scope: `credits:read`.
        """
        result: AsyncPages[LedgerRow] = self._transport.pages(
            "/credits/ledger",
            query={"limit": limit, "cursor": cursor, "contentId": content_id},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class UsageResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Usage:
        """Get what the limits leave.

        Windows of a minute: `requests_per_address`, `requests` and `generations` (`POST /content`) of
        this key. Ceilings of the workspace: `keys` that are live and, with the scope `credits:read`,
        `daily_generation`. A row that cannot be read now is left out.
        """
        result: Usage = self._transport.send(
            "GET",
            "/usage",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncUsageResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Usage:
        """Get what the limits leave.

        Windows of a minute: `requests_per_address`, `requests` and `generations` (`POST /content`) of
        this key. Ceilings of the workspace: `keys` that are live and, with the scope `credits:read`,
        `daily_generation`. A row that cannot be read now is left out.
        """
        result: Usage = await self._transport.send(
            "GET",
            "/usage",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AccountsResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        status: Literal["connected", "needs_reauth", "disconnected"] | NotGiven = NOT_GIVEN,
        app_id: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[Account]:
        """List connected platform accounts.

        Nothing is posted to an account in `needs_reauth` or `disconnected` until it is connected again.
        """
        result: Pages[Account] = self._transport.pages(
            "/accounts",
            query={"limit": limit, "cursor": cursor, "status": status, "appId": app_id},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_free_slots(
        self,
        id: str,
        *,
        count: int | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> builtins.list[FreeSlot]:
        """List the next free slots of an account.

        A slot is free if no schedule of the account waits for a time less than 10 minutes away from it.
        Empty without slots; at most 365 days ahead.

        Scope: `schedules:read`.
        """
        result: builtins.list[FreeSlot] = self._transport.send(
            "GET",
            f"/accounts/{segment(id)}/slots",
            query={"count": count},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncAccountsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        status: Literal["connected", "needs_reauth", "disconnected"] | NotGiven = NOT_GIVEN,
        app_id: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[Account]:
        """List connected platform accounts.

        Nothing is posted to an account in `needs_reauth` or `disconnected` until it is connected again.
        """
        result: AsyncPages[Account] = self._transport.pages(
            "/accounts",
            query={"limit": limit, "cursor": cursor, "status": status, "appId": app_id},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def list_free_slots(
        self,
        id: str,
        *,
        count: int | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> builtins.list[FreeSlot]:
        """List the next free slots of an account.

        A slot is free if no schedule of the account waits for a time less than 10 minutes away from it.
        Empty without slots; at most 365 days ahead.

        Scope: `schedules:read`.
        """
        result: builtins.list[FreeSlot] = await self._transport.send(
            "GET",
            f"/accounts/{segment(id)}/slots",
            query={"count": count},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class SessionAccountsResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def add_phone(
        self,
        *,
        name: str,
        app_id: str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Account:
        """Add an account whose posts somebody makes on a phone.

        Needs no TikTok app, so no audit. What is scheduled for it becomes `due` at its time and waits
        until somebody posts it and says so.
        """
        result: Account = self._transport.send(
            "POST",
            "/accounts/phone",
            body={"name": name, "appId": app_id},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def connect_tiktok(
        self,
        *,
        app_id: str | None | NotGiven = NOT_GIVEN,
        return_to: str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> TiktokConnection:
        """Start connecting a TikTok account.

        Open `authorizeUrl` in a browser; TikTok sends the person back to the callback. Nothing is
        connected until `POST /accounts/tiktok/finish`.
        """
        result: TiktokConnection = self._transport.send(
            "POST",
            "/accounts/tiktok/connect",
            body={"appId": app_id, "returnTo": return_to},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def finish_tiktok(
        self,
        *,
        state: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Account:
        """Finish connecting a TikTok account.

        Only for the person who began the connection, within 10 minutes, once TikTok has sent the
        browser back. `state` is the one of the callback; on a loopback address the one of `POST
        /accounts/tiktok/connect` works too.
        """
        result: Account = self._transport.send(
            "POST",
            "/accounts/tiktok/finish",
            body={"state": state},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def update(
        self,
        id: str,
        *,
        name: str | NotGiven = NOT_GIVEN,
        slots: builtins.list[PostingTimeInput] | NotGiven = NOT_GIVEN,
        timezone: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Account:
        """Set the posting slots of an account, or rename a phone account.

        Schedules that are made already keep their times. `name` is for accounts of kind `phone`; TikTok
        names the others.
        """
        result: Account = self._transport.send(
            "PATCH",
            f"/accounts/{segment(id)}",
            body={"name": name, "slots": slots, "timezone": timezone},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def delete(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """Disconnect a platform account.

        Revokes the tokens at the platform, unless another workspace has the same TikTok account
        connected. Pending schedules of the account end as `failed` with `account_not_connected`.
        """
        result: Deleted = self._transport.send(
            "DELETE",
            f"/accounts/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncSessionAccountsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def add_phone(
        self,
        *,
        name: str,
        app_id: str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Account:
        """Add an account whose posts somebody makes on a phone.

        Needs no TikTok app, so no audit. What is scheduled for it becomes `due` at its time and waits
        until somebody posts it and says so.
        """
        result: Account = await self._transport.send(
            "POST",
            "/accounts/phone",
            body={"name": name, "appId": app_id},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def connect_tiktok(
        self,
        *,
        app_id: str | None | NotGiven = NOT_GIVEN,
        return_to: str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> TiktokConnection:
        """Start connecting a TikTok account.

        Open `authorizeUrl` in a browser; TikTok sends the person back to the callback. Nothing is
        connected until `POST /accounts/tiktok/finish`.
        """
        result: TiktokConnection = await self._transport.send(
            "POST",
            "/accounts/tiktok/connect",
            body={"appId": app_id, "returnTo": return_to},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def finish_tiktok(
        self,
        *,
        state: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Account:
        """Finish connecting a TikTok account.

        Only for the person who began the connection, within 10 minutes, once TikTok has sent the
        browser back. `state` is the one of the callback; on a loopback address the one of `POST
        /accounts/tiktok/connect` works too.
        """
        result: Account = await self._transport.send(
            "POST",
            "/accounts/tiktok/finish",
            body={"state": state},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def update(
        self,
        id: str,
        *,
        name: str | NotGiven = NOT_GIVEN,
        slots: builtins.list[PostingTimeInput] | NotGiven = NOT_GIVEN,
        timezone: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Account:
        """Set the posting slots of an account, or rename a phone account.

        Schedules that are made already keep their times. `name` is for accounts of kind `phone`; TikTok
        names the others.
        """
        result: Account = await self._transport.send(
            "PATCH",
            f"/accounts/{segment(id)}",
            body={"name": name, "slots": slots, "timezone": timezone},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def delete(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """Disconnect a platform account.

        Revokes the tokens at the platform, unless another workspace has the same TikTok account
        connected. Pending schedules of the account end as `failed` with `account_not_connected`.
        """
        result: Deleted = await self._transport.send(
            "DELETE",
            f"/accounts/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class SchedulesResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        content_id: str,
        tiktok_account_id: str,
        scheduled_for: str | None | NotGiven = NOT_GIVEN,
        slot: Literal["next", None] | NotGiven = NOT_GIVEN,
        mode: Literal["draft", "publish", "phone", None] | NotGiven = NOT_GIVEN,
        privacy_level: str | None | NotGiven = NOT_GIVEN,
        title: str | None | NotGiven = NOT_GIVEN,
        description: str | None | NotGiven = NOT_GIVEN,
        disable_comment: bool | None | NotGiven = NOT_GIVEN,
        brand_organic: bool | None | NotGiven = NOT_GIVEN,
        branded_content: bool | None | NotGiven = NOT_GIVEN,
        ai_generated: bool | None | NotGiven = NOT_GIVEN,
        auto_add_music: bool | None | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, Any] | None | NotGiven = NOT_GIVEN,
        dry_run: bool | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> CreatedSchedule:
        """Schedule approved content as a draft or a direct post.

        Without `scheduledFor` or `slot` the post is sent now. `slot: "next"` takes the first free slot
        of the account; two requests at once never take the same. `mode: "publish"` also needs the scope
        `schedules:publish` and a `privacyLevel` that the account allows. `mode: "phone"` is for
        accounts of kind `phone`, where it is the default: at its time the schedule becomes `due`, and
        somebody posts the slides on a phone. `aiGenerated: false`, and under the approval policy
        `postTexts: "approved_only"` a `title` or `description` that is not the approved text, need the
        scope `content:approve`. `?dryRun=true` runs every check, writes nothing and returns 200 with
        the record that would have been created (`id: null`).

        Scope: `schedules:write`.
        """
        result: CreatedSchedule = self._transport.send(
            "POST",
            "/schedules",
            body={"contentId": content_id, "tiktokAccountId": tiktok_account_id, "scheduledFor": scheduled_for, "slot": slot, "mode": mode, "privacyLevel": privacy_level, "title": title, "description": description, "disableComment": disable_comment, "brandOrganic": brand_organic, "brandedContent": branded_content, "aiGenerated": ai_generated, "autoAddMusic": auto_add_music, "externalId": external_id, "metadata": metadata},
            query={"dryRun": dry_run},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        status: Literal["pending", "sending", "due", "sent", "failed"] | NotGiven = NOT_GIVEN,
        content_id: str | NotGiven = NOT_GIVEN,
        tiktok_account_id: str | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[Schedule]:
        """List schedules, newest first.

        Without their timelines; read one schedule to get its timeline. With `from` or `to` the rows
        come in the order of `scheduledFor`, earliest first, and so do the pages.

        Scope: `schedules:read`.
        """
        result: Pages[Schedule] = self._transport.pages(
            "/schedules",
            query={"limit": limit, "cursor": cursor, "status": status, "contentId": content_id, "tiktokAccountId": tiktok_account_id, "externalId": external_id, "from": from_, "to": to},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> ScheduleWithTimeline:
        """Get one schedule with its timeline.

        `timeline` has every change of state, attempt and response of the platform, oldest first; of
        more than 1,000, the newest.

        Scope: `schedules:read`.
        """
        result: ScheduleWithTimeline = self._transport.send(
            "GET",
            f"/schedules/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def update(
        self,
        id: str,
        *,
        tiktok_account_id: str | NotGiven = NOT_GIVEN,
        scheduled_for: str | NotGiven = NOT_GIVEN,
        slot: Literal["next"] | NotGiven = NOT_GIVEN,
        mode: Literal["draft", "publish", "phone"] | NotGiven = NOT_GIVEN,
        privacy_level: str | None | NotGiven = NOT_GIVEN,
        title: str | None | NotGiven = NOT_GIVEN,
        description: str | None | NotGiven = NOT_GIVEN,
        disable_comment: bool | NotGiven = NOT_GIVEN,
        brand_organic: bool | NotGiven = NOT_GIVEN,
        branded_content: bool | NotGiven = NOT_GIVEN,
        ai_generated: bool | NotGiven = NOT_GIVEN,
        auto_add_music: bool | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, Any] | None | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Schedule:
        """Change a waiting schedule.

        Only while `pending` or `due`; what is due waits for its time again. Only the given fields
        change, under the checks and scopes of its creation; another content is another schedule.
        `title` or `description: null` goes back to the text of the content. In `publish` mode it needs
        the scope `schedules:publish`.

        Scope: `schedules:write`.
        """
        result: Schedule = self._transport.send(
            "PATCH",
            f"/schedules/{segment(id)}",
            body={"tiktokAccountId": tiktok_account_id, "scheduledFor": scheduled_for, "slot": slot, "mode": mode, "privacyLevel": privacy_level, "title": title, "description": description, "disableComment": disable_comment, "brandOrganic": brand_organic, "brandedContent": branded_content, "aiGenerated": ai_generated, "autoAddMusic": auto_add_music, "externalId": external_id, "metadata": metadata},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def delete(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """Withdraw a waiting schedule.

        Only while `pending` or `due`. After the response nothing is posted. With `mode: "publish"` it
        needs the scope `schedules:publish`, as making it did.

        Scope: `schedules:write`.
        """
        result: Deleted = self._transport.send(
            "DELETE",
            f"/schedules/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def mark_posted(
        self,
        id: str,
        *,
        url: str | None | NotGiven = NOT_GIVEN,
        version: int | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Schedule:
        """Record that somebody posted a schedule by phone.

        Ends a schedule of mode `phone` as `sent`, with the address of the post if given. Nothing else
        does. Refused for a version that was not approved. A repeat returns the same record, and adds
        the address if it had none.

        Scope: `schedules:publish`.
        """
        result: Schedule = self._transport.send(
            "POST",
            f"/schedules/{segment(id)}/posted",
            body={"url": url, "version": version},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def retry(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Schedule:
        """Retry a failed schedule.

        Only for a `failed` schedule whose `failure.retryable` is true. In `publish` mode it also needs
        the scope `schedules:publish`.

        Scope: `schedules:write`.
        """
        result: Schedule = self._transport.send(
            "POST",
            f"/schedules/{segment(id)}/retry",
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncSchedulesResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        content_id: str,
        tiktok_account_id: str,
        scheduled_for: str | None | NotGiven = NOT_GIVEN,
        slot: Literal["next", None] | NotGiven = NOT_GIVEN,
        mode: Literal["draft", "publish", "phone", None] | NotGiven = NOT_GIVEN,
        privacy_level: str | None | NotGiven = NOT_GIVEN,
        title: str | None | NotGiven = NOT_GIVEN,
        description: str | None | NotGiven = NOT_GIVEN,
        disable_comment: bool | None | NotGiven = NOT_GIVEN,
        brand_organic: bool | None | NotGiven = NOT_GIVEN,
        branded_content: bool | None | NotGiven = NOT_GIVEN,
        ai_generated: bool | None | NotGiven = NOT_GIVEN,
        auto_add_music: bool | None | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, Any] | None | NotGiven = NOT_GIVEN,
        dry_run: bool | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> CreatedSchedule:
        """Schedule approved content as a draft or a direct post.

        Without `scheduledFor` or `slot` the post is sent now. `slot: "next"` takes the first free slot
        of the account; two requests at once never take the same. `mode: "publish"` also needs the scope
        `schedules:publish` and a `privacyLevel` that the account allows. `mode: "phone"` is for
        accounts of kind `phone`, where it is the default: at its time the schedule becomes `due`, and
        somebody posts the slides on a phone. `aiGenerated: false`, and under the approval policy
        `postTexts: "approved_only"` a `title` or `description` that is not the approved text, need the
        scope `content:approve`. `?dryRun=true` runs every check, writes nothing and returns 200 with
        the record that would have been created (`id: null`).

        Scope: `schedules:write`.
        """
        result: CreatedSchedule = await self._transport.send(
            "POST",
            "/schedules",
            body={"contentId": content_id, "tiktokAccountId": tiktok_account_id, "scheduledFor": scheduled_for, "slot": slot, "mode": mode, "privacyLevel": privacy_level, "title": title, "description": description, "disableComment": disable_comment, "brandOrganic": brand_organic, "brandedContent": branded_content, "aiGenerated": ai_generated, "autoAddMusic": auto_add_music, "externalId": external_id, "metadata": metadata},
            query={"dryRun": dry_run},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        status: Literal["pending", "sending", "due", "sent", "failed"] | NotGiven = NOT_GIVEN,
        content_id: str | NotGiven = NOT_GIVEN,
        tiktok_account_id: str | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[Schedule]:
        """List schedules, newest first.

        Without their timelines; read one schedule to get its timeline. With `from` or `to` the rows
        come in the order of `scheduledFor`, earliest first, and so do the pages.

        Scope: `schedules:read`.
        """
        result: AsyncPages[Schedule] = self._transport.pages(
            "/schedules",
            query={"limit": limit, "cursor": cursor, "status": status, "contentId": content_id, "tiktokAccountId": tiktok_account_id, "externalId": external_id, "from": from_, "to": to},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> ScheduleWithTimeline:
        """Get one schedule with its timeline.

        `timeline` has every change of state, attempt and response of the platform, oldest first; of
        more than 1,000, the newest.

        Scope: `schedules:read`.
        """
        result: ScheduleWithTimeline = await self._transport.send(
            "GET",
            f"/schedules/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def update(
        self,
        id: str,
        *,
        tiktok_account_id: str | NotGiven = NOT_GIVEN,
        scheduled_for: str | NotGiven = NOT_GIVEN,
        slot: Literal["next"] | NotGiven = NOT_GIVEN,
        mode: Literal["draft", "publish", "phone"] | NotGiven = NOT_GIVEN,
        privacy_level: str | None | NotGiven = NOT_GIVEN,
        title: str | None | NotGiven = NOT_GIVEN,
        description: str | None | NotGiven = NOT_GIVEN,
        disable_comment: bool | NotGiven = NOT_GIVEN,
        brand_organic: bool | NotGiven = NOT_GIVEN,
        branded_content: bool | NotGiven = NOT_GIVEN,
        ai_generated: bool | NotGiven = NOT_GIVEN,
        auto_add_music: bool | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, Any] | None | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Schedule:
        """Change a waiting schedule.

        Only while `pending` or `due`; what is due waits for its time again. Only the given fields
        change, under the checks and scopes of its creation; another content is another schedule.
        `title` or `description: null` goes back to the text of the content. In `publish` mode it needs
        the scope `schedules:publish`.

        Scope: `schedules:write`.
        """
        result: Schedule = await self._transport.send(
            "PATCH",
            f"/schedules/{segment(id)}",
            body={"tiktokAccountId": tiktok_account_id, "scheduledFor": scheduled_for, "slot": slot, "mode": mode, "privacyLevel": privacy_level, "title": title, "description": description, "disableComment": disable_comment, "brandOrganic": brand_organic, "brandedContent": branded_content, "aiGenerated": ai_generated, "autoAddMusic": auto_add_music, "externalId": external_id, "metadata": metadata},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def delete(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """Withdraw a waiting schedule.

        Only while `pending` or `due`. After the response nothing is posted. With `mode: "publish"` it
        needs the scope `schedules:publish`, as making it did.

        Scope: `schedules:write`.
        """
        result: Deleted = await self._transport.send(
            "DELETE",
            f"/schedules/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def mark_posted(
        self,
        id: str,
        *,
        url: str | None | NotGiven = NOT_GIVEN,
        version: int | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Schedule:
        """Record that somebody posted a schedule by phone.

        Ends a schedule of mode `phone` as `sent`, with the address of the post if given. Nothing else
        does. Refused for a version that was not approved. A repeat returns the same record, and adds
        the address if it had none.

        Scope: `schedules:publish`.
        """
        result: Schedule = await self._transport.send(
            "POST",
            f"/schedules/{segment(id)}/posted",
            body={"url": url, "version": version},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def retry(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Schedule:
        """Retry a failed schedule.

        Only for a `failed` schedule whose `failure.retryable` is true. In `publish` mode it also needs
        the scope `schedules:publish`.

        Scope: `schedules:write`.
        """
        result: Schedule = await self._transport.send(
            "POST",
            f"/schedules/{segment(id)}/retry",
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AutomationsResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        app_id: str,
        tiktok_account_id: str,
        format: Literal["slideshow", "hook_video"],
        posting_times: builtins.list[PostingTimeInput],
        timezone: str | None | NotGiven = NOT_GIVEN,
        brief: BriefInput | None | NotGiven = NOT_GIVEN,
        topics: builtins.list[str] | None | NotGiven = NOT_GIVEN,
        until: str | None | NotGiven = NOT_GIVEN,
        max_firings: int | None | NotGiven = NOT_GIVEN,
        approval_mode: Literal["auto", "manual", None] | NotGiven = NOT_GIVEN,
        posting_mode: Literal["drafts", "publish", None] | NotGiven = NOT_GIVEN,
        privacy_level: Literal["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "FOLLOWER_OF_CREATOR", "SELF_ONLY", None] | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, Any] | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Automation:
        """Create a recurring posting plan for one platform account.

        Each firing generates a deck. With `approvalMode: "auto"` it is approved and posted; with
        `manual` it waits for approval. `approvalMode: "auto"` also needs the scope `content:approve`,
        and `postingMode: "publish"` the scope `schedules:publish`. An account has at most 100
        automations.

        Scope: `automations:write`.
        """
        result: Automation = self._transport.send(
            "POST",
            "/automations",
            body={"appId": app_id, "tiktokAccountId": tiktok_account_id, "format": format, "postingTimes": posting_times, "timezone": timezone, "brief": brief, "topics": topics, "until": until, "maxFirings": max_firings, "approvalMode": approval_mode, "postingMode": posting_mode, "privacyLevel": privacy_level, "externalId": external_id, "metadata": metadata},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        status: Literal["active", "paused", "ended"] | NotGiven = NOT_GIVEN,
        app_id: str | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[Automation]:
        """List automations, newest first.

        `nextFireAt` is null while an automation is paused, and once it has ended.

        Scope: `automations:read`.
        """
        result: Pages[Automation] = self._transport.pages(
            "/automations",
            query={"limit": limit, "cursor": cursor, "status": status, "appId": app_id, "externalId": external_id},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_next_firings(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> builtins.list[NextFiring]:
        """Preview the next firings of all automations.

        Lists firings of active automations in the order of their times. There are no pages.

        Scope: `automations:read`.
        """
        result: builtins.list[NextFiring] = self._transport.send(
            "GET",
            "/automations/next",
            query={"limit": limit},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Automation:
        """Get one automation.

        `nextFireAt` is null while the automation is paused, and once it has ended.

        Scope: `automations:read`.
        """
        result: Automation = self._transport.send(
            "GET",
            f"/automations/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def update(
        self,
        id: str,
        *,
        status: Literal["active", "paused"] | NotGiven = NOT_GIVEN,
        posting_times: builtins.list[PostingTimeInput] | NotGiven = NOT_GIVEN,
        timezone: str | NotGiven = NOT_GIVEN,
        brief: BriefUpdate | None | NotGiven = NOT_GIVEN,
        topics: builtins.list[str] | None | NotGiven = NOT_GIVEN,
        until: str | None | NotGiven = NOT_GIVEN,
        max_firings: int | None | NotGiven = NOT_GIVEN,
        approval_mode: Literal["auto", "manual"] | NotGiven = NOT_GIVEN,
        posting_mode: Literal["drafts", "publish"] | NotGiven = NOT_GIVEN,
        privacy_level: Literal["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "FOLLOWER_OF_CREATOR", "SELF_ONLY"] | None | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, Any] | None | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Automation:
        """Pause, resume or change an automation.

        Unless it only pauses, a change needs the scopes of what the automation is afterwards:
        `content:approve` with `approvalMode: "auto"`, `schedules:publish` with `postingMode:
        "publish"`. An automation that ended is active again when a change of its plan, `until` or
        `maxFirings` leaves it a slot. Null removes `brief`, `topics`, `until` and `maxFirings`.

        Scope: `automations:write`.
        """
        result: Automation = self._transport.send(
            "PATCH",
            f"/automations/{segment(id)}",
            body={"status": status, "postingTimes": posting_times, "timezone": timezone, "brief": brief, "topics": topics, "until": until, "maxFirings": max_firings, "approvalMode": approval_mode, "postingMode": posting_mode, "privacyLevel": privacy_level, "externalId": external_id, "metadata": metadata},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def delete(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """Delete an automation.

        It does not fire again. Content and schedules that it created are kept.

        Scope: `automations:write`.
        """
        result: Deleted = self._transport.send(
            "DELETE",
            f"/automations/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def confirm(
        self,
        id: str,
        *,
        updated_at: str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Automation:
        """Confirm the brief of an automation that somebody else wrote.

        Refuses with 403 `missing_scope` whoever last changed the brief or the topics, with a key or in
        person, and a key where the approval policy asks for people. The next change of either ends it.
        Under the approval policy `selfApproval: false` an automation with `approvalMode: "auto"`
        approves nothing before.

        Scope: `content:approve`.
        """
        result: Automation = self._transport.send(
            "POST",
            f"/automations/{segment(id)}/confirm",
            body={"updatedAt": updated_at},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_firings(
        self,
        id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        status: Literal["fired", "generated", "awaiting_approval", "scheduled", "done", "failed", "skipped"] | NotGiven = NOT_GIVEN,
        content_id: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[Firing]:
        """List the firings of an automation, newest first.

        Each with its content, its schedule and, where it failed, was skipped or waits for a person
        against its plan, the reason.

        Scope: `automations:read`.
        """
        result: Pages[Firing] = self._transport.pages(
            f"/automations/{segment(id)}/firings",
            query={"limit": limit, "cursor": cursor, "status": status, "contentId": content_id},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def preview(
        self,
        id: str,
        *,
        count: int | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> builtins.list[FiringTime]:
        """Preview the next firing times.

        The next firing times, in UTC and in the time zone of the automation.

        Scope: `automations:read`.
        """
        result: builtins.list[FiringTime] = self._transport.send(
            "GET",
            f"/automations/{segment(id)}/next",
            query={"count": count},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def run(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Firing:
        """Fire one slot now.

        Fires once, now, with the next topic; it counts for `maxFirings`. The plan is unchanged. With
        `approvalMode: "auto"` it also needs the scope `content:approve`, with `postingMode: "publish"`
        the scope `schedules:publish`.

        Scope: `automations:write`.
        """
        result: Firing = self._transport.send(
            "POST",
            f"/automations/{segment(id)}/run",
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncAutomationsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        app_id: str,
        tiktok_account_id: str,
        format: Literal["slideshow", "hook_video"],
        posting_times: builtins.list[PostingTimeInput],
        timezone: str | None | NotGiven = NOT_GIVEN,
        brief: BriefInput | None | NotGiven = NOT_GIVEN,
        topics: builtins.list[str] | None | NotGiven = NOT_GIVEN,
        until: str | None | NotGiven = NOT_GIVEN,
        max_firings: int | None | NotGiven = NOT_GIVEN,
        approval_mode: Literal["auto", "manual", None] | NotGiven = NOT_GIVEN,
        posting_mode: Literal["drafts", "publish", None] | NotGiven = NOT_GIVEN,
        privacy_level: Literal["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "FOLLOWER_OF_CREATOR", "SELF_ONLY", None] | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, Any] | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Automation:
        """Create a recurring posting plan for one platform account.

        Each firing generates a deck. With `approvalMode: "auto"` it is approved and posted; with
        `manual` it waits for approval. `approvalMode: "auto"` also needs the scope `content:approve`,
        and `postingMode: "publish"` the scope `schedules:publish`. An account has at most 100
        automations.

        Scope: `automations:write`.
        """
        result: Automation = await self._transport.send(
            "POST",
            "/automations",
            body={"appId": app_id, "tiktokAccountId": tiktok_account_id, "format": format, "postingTimes": posting_times, "timezone": timezone, "brief": brief, "topics": topics, "until": until, "maxFirings": max_firings, "approvalMode": approval_mode, "postingMode": posting_mode, "privacyLevel": privacy_level, "externalId": external_id, "metadata": metadata},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        status: Literal["active", "paused", "ended"] | NotGiven = NOT_GIVEN,
        app_id: str | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[Automation]:
        """List automations, newest first.

        `nextFireAt` is null while an automation is paused, and once it has ended.

        Scope: `automations:read`.
        """
        result: AsyncPages[Automation] = self._transport.pages(
            "/automations",
            query={"limit": limit, "cursor": cursor, "status": status, "appId": app_id, "externalId": external_id},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def list_next_firings(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> builtins.list[NextFiring]:
        """Preview the next firings of all automations.

        Lists firings of active automations in the order of their times. There are no pages.

        Scope: `automations:read`.
        """
        result: builtins.list[NextFiring] = await self._transport.send(
            "GET",
            "/automations/next",
            query={"limit": limit},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Automation:
        """Get one automation.

        `nextFireAt` is null while the automation is paused, and once it has ended.

        Scope: `automations:read`.
        """
        result: Automation = await self._transport.send(
            "GET",
            f"/automations/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def update(
        self,
        id: str,
        *,
        status: Literal["active", "paused"] | NotGiven = NOT_GIVEN,
        posting_times: builtins.list[PostingTimeInput] | NotGiven = NOT_GIVEN,
        timezone: str | NotGiven = NOT_GIVEN,
        brief: BriefUpdate | None | NotGiven = NOT_GIVEN,
        topics: builtins.list[str] | None | NotGiven = NOT_GIVEN,
        until: str | None | NotGiven = NOT_GIVEN,
        max_firings: int | None | NotGiven = NOT_GIVEN,
        approval_mode: Literal["auto", "manual"] | NotGiven = NOT_GIVEN,
        posting_mode: Literal["drafts", "publish"] | NotGiven = NOT_GIVEN,
        privacy_level: Literal["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "FOLLOWER_OF_CREATOR", "SELF_ONLY"] | None | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, Any] | None | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Automation:
        """Pause, resume or change an automation.

        Unless it only pauses, a change needs the scopes of what the automation is afterwards:
        `content:approve` with `approvalMode: "auto"`, `schedules:publish` with `postingMode:
        "publish"`. An automation that ended is active again when a change of its plan, `until` or
        `maxFirings` leaves it a slot. Null removes `brief`, `topics`, `until` and `maxFirings`.

        Scope: `automations:write`.
        """
        result: Automation = await self._transport.send(
            "PATCH",
            f"/automations/{segment(id)}",
            body={"status": status, "postingTimes": posting_times, "timezone": timezone, "brief": brief, "topics": topics, "until": until, "maxFirings": max_firings, "approvalMode": approval_mode, "postingMode": posting_mode, "privacyLevel": privacy_level, "externalId": external_id, "metadata": metadata},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def delete(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """Delete an automation.

        It does not fire again. Content and schedules that it created are kept.

        Scope: `automations:write`.
        """
        result: Deleted = await self._transport.send(
            "DELETE",
            f"/automations/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def confirm(
        self,
        id: str,
        *,
        updated_at: str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Automation:
        """Confirm the brief of an automation that somebody else wrote.

        Refuses with 403 `missing_scope` whoever last changed the brief or the topics, with a key or in
        person, and a key where the approval policy asks for people. The next change of either ends it.
        Under the approval policy `selfApproval: false` an automation with `approvalMode: "auto"`
        approves nothing before.

        Scope: `content:approve`.
        """
        result: Automation = await self._transport.send(
            "POST",
            f"/automations/{segment(id)}/confirm",
            body={"updatedAt": updated_at},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_firings(
        self,
        id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        status: Literal["fired", "generated", "awaiting_approval", "scheduled", "done", "failed", "skipped"] | NotGiven = NOT_GIVEN,
        content_id: str | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[Firing]:
        """List the firings of an automation, newest first.

        Each with its content, its schedule and, where it failed, was skipped or waits for a person
        against its plan, the reason.

        Scope: `automations:read`.
        """
        result: AsyncPages[Firing] = self._transport.pages(
            f"/automations/{segment(id)}/firings",
            query={"limit": limit, "cursor": cursor, "status": status, "contentId": content_id},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def preview(
        self,
        id: str,
        *,
        count: int | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> builtins.list[FiringTime]:
        """Preview the next firing times.

        The next firing times, in UTC and in the time zone of the automation.

        Scope: `automations:read`.
        """
        result: builtins.list[FiringTime] = await self._transport.send(
            "GET",
            f"/automations/{segment(id)}/next",
            query={"count": count},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def run(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Firing:
        """Fire one slot now.

        Fires once, now, with the next topic; it counts for `maxFirings`. The plan is unchanged. With
        `approvalMode: "auto"` it also needs the scope `content:approve`, with `postingMode: "publish"`
        the scope `schedules:publish`.

        Scope: `automations:write`.
        """
        result: Firing = await self._transport.send(
            "POST",
            f"/automations/{segment(id)}/run",
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class EventsResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        after: str | NotGiven = NOT_GIVEN,
        order: Literal["oldest", "newest"] | NotGiven = NOT_GIVEN,
        before: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[HooklineEvent]:
        """Read the event feed, in the order of arrival or newest first.

        Pass the last `nextCursor` as `after` to continue. A decision may come before the
        `job.completed` of its content. It is a string even when there is nothing more yet. Without the
        scope `content:read`, a content is given as its `id` alone; without `schedules:read`, a schedule
        as its `id`, `contentId` and `status`.

        Scope: `webhooks:write`.
        """
        result: Pages[HooklineEvent] = self._transport.pages(
            "/events",
            query={"after": after, "order": order, "before": before, "limit": limit},
            cursor_name="after",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncEventsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        after: str | NotGiven = NOT_GIVEN,
        order: Literal["oldest", "newest"] | NotGiven = NOT_GIVEN,
        before: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[HooklineEvent]:
        """Read the event feed, in the order of arrival or newest first.

        Pass the last `nextCursor` as `after` to continue. A decision may come before the
        `job.completed` of its content. It is a string even when there is nothing more yet. Without the
        scope `content:read`, a content is given as its `id` alone; without `schedules:read`, a schedule
        as its `id`, `contentId` and `status`.

        Scope: `webhooks:write`.
        """
        result: AsyncPages[HooklineEvent] = self._transport.pages(
            "/events",
            query={"after": after, "order": order, "before": before, "limit": limit},
            cursor_name="after",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class WebhooksResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        url: str,
        events: builtins.list[Literal["job.completed", "content.approved", "content.rejected", "schedule.sent_to_drafts", "schedule.published", "schedule.failed", "automation.skipped", "schedule.due", "content.changes_requested", "account.connected", "account.needs_reauth", "credits.low"]],
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> WebhookWithSecret:
        """Register an endpoint; the secret is shown once.

        Deliveries carry `X-Service-Signature` (hex HMAC-SHA256 of the body) and the headers of Standard
        Webhooks. The URL must use https and resolve to a public address. Without the scope
        `content:read` on the calling key, events give a content as its `id` alone; without
        `schedules:read`, a schedule as its `id`, `contentId` and `status`. A retry with the same
        `Idempotency-Key` returns the secret for 10 minutes, then the record without it.

        Scope: `webhooks:write`.
        """
        result: WebhookWithSecret = self._transport.send(
            "POST",
            "/webhooks",
            body={"url": url, "events": events},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        status: Literal["enabled", "disabled"] | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[Webhook]:
        """List webhook endpoints, newest first.

        The secrets are not included.

        Scope: `webhooks:write`.
        """
        result: Pages[Webhook] = self._transport.pages(
            "/webhooks",
            query={"limit": limit, "cursor": cursor, "status": status},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Webhook:
        """Get one endpoint.

        The secret is not included.

        Scope: `webhooks:write`.
        """
        result: Webhook = self._transport.send(
            "GET",
            f"/webhooks/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def update(
        self,
        id: str,
        *,
        url: str | NotGiven = NOT_GIVEN,
        events: builtins.list[Literal["job.completed", "content.approved", "content.rejected", "schedule.sent_to_drafts", "schedule.published", "schedule.failed", "automation.skipped", "schedule.due", "content.changes_requested", "account.connected", "account.needs_reauth", "credits.low"]] | NotGiven = NOT_GIVEN,
        status: Literal["enabled", "disabled"] | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Webhook:
        """Update, enable or disable an endpoint.

        Disabling ends its pending deliveries as `failed`. A new `url` receives only what the calling
        key may read.

        Scope: `webhooks:write`.
        """
        result: Webhook = self._transport.send(
            "PATCH",
            f"/webhooks/{segment(id)}",
            body={"url": url, "events": events, "status": status},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def delete(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """Delete an endpoint.

        Nothing more is delivered to it.

        Scope: `webhooks:write`.
        """
        result: Deleted = self._transport.send(
            "DELETE",
            f"/webhooks/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_deliveries(
        self,
        id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        status: Literal["pending", "delivered", "failed"] | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[Delivery]:
        """List the deliveries of an endpoint, newest first.

        Each with its attempts, what is sent, what the endpoint answered last and, while `pending`, the
        time of the next attempt. For a key without `content:read`, `request` gives a content as its
        `id` alone; without `schedules:read`, a schedule as its `id`, `contentId` and `status`.

        Scope: `webhooks:write`.
        """
        result: Pages[Delivery] = self._transport.pages(
            f"/webhooks/{segment(id)}/deliveries",
            query={"limit": limit, "cursor": cursor, "status": status},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def replay_delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Delivery:
        """Send a delivery again.

        Queued immediately, with the original event id.

        Scope: `webhooks:write`.
        """
        result: Delivery = self._transport.send(
            "POST",
            f"/webhooks/{segment(id)}/deliveries/{segment(delivery_id)}/replay",
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def replay(
        self,
        id: str,
        *,
        since: str,
        status: Literal["failed", "delivered", "all", None] | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> ReplayWebhookResult:
        """Send all deliveries since a time again.

        Queues every delivery of the endpoint that was made at `since` or later and failed, with the
        original event ids. `status: "all"` adds those that the endpoint accepted. More than 10,000 are
        400 `invalid_request`. The endpoint must be enabled.

        Scope: `webhooks:write`.
        """
        result: ReplayWebhookResult = self._transport.send(
            "POST",
            f"/webhooks/{segment(id)}/replay",
            body={"since": since, "status": status},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def rotate(
        self,
        id: str,
        *,
        overlap_hours: int | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> WebhookWithSecret:
        """Rotate the secret; both sign until the overlap ends.

        Both secrets sign for `overlapHours` (default 24), then only the new one. A retry with the same
        `Idempotency-Key` returns the secret for 10 minutes, then the record without it.

        Scope: `webhooks:write`.
        """
        result: WebhookWithSecret = self._transport.send(
            "POST",
            f"/webhooks/{segment(id)}/rotate",
            body={"overlapHours": overlap_hours},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def test(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> DeliveryAttempt:
        """Send a test event and return the delivery attempt.

        Waits for the receiver and returns its response.

        Scope: `webhooks:write`.
        """
        result: DeliveryAttempt = self._transport.send(
            "POST",
            f"/webhooks/{segment(id)}/test",
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncWebhooksResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        url: str,
        events: builtins.list[Literal["job.completed", "content.approved", "content.rejected", "schedule.sent_to_drafts", "schedule.published", "schedule.failed", "automation.skipped", "schedule.due", "content.changes_requested", "account.connected", "account.needs_reauth", "credits.low"]],
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> WebhookWithSecret:
        """Register an endpoint; the secret is shown once.

        Deliveries carry `X-Service-Signature` (hex HMAC-SHA256 of the body) and the headers of Standard
        Webhooks. The URL must use https and resolve to a public address. Without the scope
        `content:read` on the calling key, events give a content as its `id` alone; without
        `schedules:read`, a schedule as its `id`, `contentId` and `status`. A retry with the same
        `Idempotency-Key` returns the secret for 10 minutes, then the record without it.

        Scope: `webhooks:write`.
        """
        result: WebhookWithSecret = await self._transport.send(
            "POST",
            "/webhooks",
            body={"url": url, "events": events},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        status: Literal["enabled", "disabled"] | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[Webhook]:
        """List webhook endpoints, newest first.

        The secrets are not included.

        Scope: `webhooks:write`.
        """
        result: AsyncPages[Webhook] = self._transport.pages(
            "/webhooks",
            query={"limit": limit, "cursor": cursor, "status": status},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Webhook:
        """Get one endpoint.

        The secret is not included.

        Scope: `webhooks:write`.
        """
        result: Webhook = await self._transport.send(
            "GET",
            f"/webhooks/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def update(
        self,
        id: str,
        *,
        url: str | NotGiven = NOT_GIVEN,
        events: builtins.list[Literal["job.completed", "content.approved", "content.rejected", "schedule.sent_to_drafts", "schedule.published", "schedule.failed", "automation.skipped", "schedule.due", "content.changes_requested", "account.connected", "account.needs_reauth", "credits.low"]] | NotGiven = NOT_GIVEN,
        status: Literal["enabled", "disabled"] | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Webhook:
        """Update, enable or disable an endpoint.

        Disabling ends its pending deliveries as `failed`. A new `url` receives only what the calling
        key may read.

        Scope: `webhooks:write`.
        """
        result: Webhook = await self._transport.send(
            "PATCH",
            f"/webhooks/{segment(id)}",
            body={"url": url, "events": events, "status": status},
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def delete(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """Delete an endpoint.

        Nothing more is delivered to it.

        Scope: `webhooks:write`.
        """
        result: Deleted = await self._transport.send(
            "DELETE",
            f"/webhooks/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_deliveries(
        self,
        id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        status: Literal["pending", "delivered", "failed"] | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[Delivery]:
        """List the deliveries of an endpoint, newest first.

        Each with its attempts, what is sent, what the endpoint answered last and, while `pending`, the
        time of the next attempt. For a key without `content:read`, `request` gives a content as its
        `id` alone; without `schedules:read`, a schedule as its `id`, `contentId` and `status`.

        Scope: `webhooks:write`.
        """
        result: AsyncPages[Delivery] = self._transport.pages(
            f"/webhooks/{segment(id)}/deliveries",
            query={"limit": limit, "cursor": cursor, "status": status},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def replay_delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Delivery:
        """Send a delivery again.

        Queued immediately, with the original event id.

        Scope: `webhooks:write`.
        """
        result: Delivery = await self._transport.send(
            "POST",
            f"/webhooks/{segment(id)}/deliveries/{segment(delivery_id)}/replay",
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def replay(
        self,
        id: str,
        *,
        since: str,
        status: Literal["failed", "delivered", "all", None] | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> ReplayWebhookResult:
        """Send all deliveries since a time again.

        Queues every delivery of the endpoint that was made at `since` or later and failed, with the
        original event ids. `status: "all"` adds those that the endpoint accepted. More than 10,000 are
        400 `invalid_request`. The endpoint must be enabled.

        Scope: `webhooks:write`.
        """
        result: ReplayWebhookResult = await self._transport.send(
            "POST",
            f"/webhooks/{segment(id)}/replay",
            body={"since": since, "status": status},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def rotate(
        self,
        id: str,
        *,
        overlap_hours: int | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> WebhookWithSecret:
        """Rotate the secret; both sign until the overlap ends.

        Both secrets sign for `overlapHours` (default 24), then only the new one. A retry with the same
        `Idempotency-Key` returns the secret for 10 minutes, then the record without it.

        Scope: `webhooks:write`.
        """
        result: WebhookWithSecret = await self._transport.send(
            "POST",
            f"/webhooks/{segment(id)}/rotate",
            body={"overlapHours": overlap_hours},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def test(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> DeliveryAttempt:
        """Send a test event and return the delivery attempt.

        Waits for the receiver and returns its response.

        Scope: `webhooks:write`.
        """
        result: DeliveryAttempt = await self._transport.send(
            "POST",
            f"/webhooks/{segment(id)}/test",
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class SessionAnalyticsResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def register_post(
        self,
        *,
        video_id: str,
        platform: Literal["instagram", "youtube"],
        platform_post_id: str,
        published_at: str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> PublishedPost:
        """Register a published post for measurement.

        An Instagram post needs a connected source.
        """
        result: PublishedPost = self._transport.send(
            "POST",
            "/analytics/posts",
            body={"videoId": video_id, "platform": platform, "platformPostId": platform_post_id, "publishedAt": published_at},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def create_source(
        self,
        *,
        platform: Literal["instagram"],
        access_token: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> MetricSource:
        """Connect an Instagram account as a source of metrics.

        The token is verified at the platform, stored encrypted and refreshed.
        """
        result: MetricSource = self._transport.send(
            "POST",
            "/analytics/sources",
            body={"platform": platform, "accessToken": access_token},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_sources(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        status: Literal["connected", "needs_reauth"] | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Pages[MetricSource]:
        """List metric sources, newest first.

        The tokens are not included.
        """
        result: Pages[MetricSource] = self._transport.pages(
            "/analytics/sources",
            query={"limit": limit, "cursor": cursor, "status": status},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def delete_source(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """Delete a metric source.

        Its stored token is deleted.
        """
        result: Deleted = self._transport.send(
            "DELETE",
            f"/analytics/sources/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class AsyncSessionAnalyticsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def register_post(
        self,
        *,
        video_id: str,
        platform: Literal["instagram", "youtube"],
        platform_post_id: str,
        published_at: str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> PublishedPost:
        """Register a published post for measurement.

        An Instagram post needs a connected source.
        """
        result: PublishedPost = await self._transport.send(
            "POST",
            "/analytics/posts",
            body={"videoId": video_id, "platform": platform, "platformPostId": platform_post_id, "publishedAt": published_at},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def create_source(
        self,
        *,
        platform: Literal["instagram"],
        access_token: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> MetricSource:
        """Connect an Instagram account as a source of metrics.

        The token is verified at the platform, stored encrypted and refreshed.
        """
        result: MetricSource = await self._transport.send(
            "POST",
            "/analytics/sources",
            body={"platform": platform, "accessToken": access_token},
            takes_key=True,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    def list_sources(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        status: Literal["connected", "needs_reauth"] | NotGiven = NOT_GIVEN,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[MetricSource]:
        """List metric sources, newest first.

        The tokens are not included.
        """
        result: AsyncPages[MetricSource] = self._transport.pages(
            "/analytics/sources",
            query={"limit": limit, "cursor": cursor, "status": status},
            cursor_name="cursor",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result

    async def delete_source(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """Delete a metric source.

        Its stored token is deleted.
        """
        result: Deleted = await self._transport.send(
            "DELETE",
            f"/analytics/sources/{segment(id)}",
            timeout=timeout,
            max_retries=max_retries,
        )
        return result


class KeyResources:
    """What an API key opens."""

    def __init__(self, transport: Transport) -> None:
        self.apps = AppsResource(transport)
        self.templates = TemplatesResource(transport)
        self.content = ContentResource(transport)
        self.jobs = JobsResource(transport)
        self.analytics = AnalyticsResource(transport)
        self.credits = CreditsResource(transport)
        self.usage = UsageResource(transport)
        self.accounts = AccountsResource(transport)
        self.schedules = SchedulesResource(transport)
        self.automations = AutomationsResource(transport)
        self.events = EventsResource(transport)
        self.webhooks = WebhooksResource(transport)


class SessionResources:
    """What a person with a login session does."""

    def __init__(self, transport: Transport) -> None:
        self.auth = SessionAuthResource(transport)
        self.keys = SessionKeysResource(transport)
        self.audit = SessionAuditResource(transport)
        self.workspace = SessionWorkspaceResource(transport)
        self.review = SessionReviewResource(transport)
        self.accounts = SessionAccountsResource(transport)
        self.analytics = SessionAnalyticsResource(transport)


class AsyncKeyResources:
    """What an API key opens."""

    def __init__(self, transport: AsyncTransport) -> None:
        self.apps = AsyncAppsResource(transport)
        self.templates = AsyncTemplatesResource(transport)
        self.content = AsyncContentResource(transport)
        self.jobs = AsyncJobsResource(transport)
        self.analytics = AsyncAnalyticsResource(transport)
        self.credits = AsyncCreditsResource(transport)
        self.usage = AsyncUsageResource(transport)
        self.accounts = AsyncAccountsResource(transport)
        self.schedules = AsyncSchedulesResource(transport)
        self.automations = AsyncAutomationsResource(transport)
        self.events = AsyncEventsResource(transport)
        self.webhooks = AsyncWebhooksResource(transport)


class AsyncSessionResources:
    """What a person with a login session does."""

    def __init__(self, transport: AsyncTransport) -> None:
        self.auth = AsyncSessionAuthResource(transport)
        self.keys = AsyncSessionKeysResource(transport)
        self.audit = AsyncSessionAuditResource(transport)
        self.workspace = AsyncSessionWorkspaceResource(transport)
        self.review = AsyncSessionReviewResource(transport)
        self.accounts = AsyncSessionAccountsResource(transport)
        self.analytics = AsyncSessionAnalyticsResource(transport)
