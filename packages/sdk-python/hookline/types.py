# Made by "npm run generate" from packages/shared/src/contracts: change it there.
from __future__ import annotations


from typing import Any, Literal, NotRequired, TypedDict, Union


ErrorCode = Literal[
    "unauthorized",
    "key_revoked",
    "key_expired",
    "missing_scope",
    "not_found",
    "invalid_request",
    "idempotency_key_reused",
    "missing_idempotency_key",
    "not_approved",
    "not_ready",
    "no_images",
    "not_postable",
    "slide_missing",
    "unsupported_image_format",
    "image_too_large",
    "too_many_slides",
    "account_not_found",
    "account_not_connected",
    "account_needs_reauth",
    "cross_app",
    "already_scheduled",
    "no_free_slot",
    "already_sending",
    "already_sent",
    "missing_privacy_level",
    "invalid_privacy_level",
    "insufficient_credits",
    "rate_limited",
    "tiktok_create_failed",
    "tiktok_publish_failed",
    "queue_unavailable",
    "store_unavailable",
    "service_unavailable",
    "outcome_unknown",
    "not_implemented",
    "db_error",
    "internal_error",
]
"""Every code that the API answers with an error."""


class Accepted(TypedDict):
    accepted: Literal[True]


class AcceptedInvitation(TypedDict):
    user: User
    session: SessionMaybeWithToken


class Account(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    platform: Literal["tiktok"]
    kind: Literal["api", "phone"]
    """`phone`: somebody posts what is due for it by hand; nothing is connected at TikTok."""
    username: str | None
    """The handle without @. Null while TikTok has not told it, as for an account that grants only
    drafts."""
    displayName: str
    avatarUrl: str | None
    appId: str | None
    status: Literal["connected", "needs_reauth", "disconnected"]
    canPublish: bool
    privacyLevels: list[Literal["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "FOLLOWER_OF_CREATOR", "SELF_ONLY"]]
    commentDisabled: bool
    """The creator takes no comments: no post has them."""
    checkedAt: str | None
    slots: list[PostingTime]
    """Posting times, which `slot: "next"` of `POST /schedules` fills."""
    timezone: str
    """The IANA zone of the slots."""


class AccountConnectedEvent(TypedDict):
    id: str
    type: Literal["account.connected"]
    timestamp: str
    createdAt: str
    sequence: int
    data: Account


class AccountNeedsReauthEvent(TypedDict):
    id: str
    type: Literal["account.needs_reauth"]
    timestamp: str
    createdAt: str
    sequence: int
    data: Account


class AnalyticsSummaryDecksBest(TypedDict):
    contentId: str
    hook: str
    views: int
    postedAt: str
    """Without a post by Hookline, when it was approved."""
    comparedFrom: str | None
    """Numbers read then or later are compared. Null: those kept are."""


class AnalyticsSummaryDecks(TypedDict):
    posts: int
    views: int
    best: list[AnalyticsSummaryDecksBest]
    """The decks with the most views, at most 20."""


class AnalyticsSummaryTotals(TypedDict):
    views: int
    likes: int
    comments: int
    posts: int


class AnalyticsSummaryByPlatformInstagram(TypedDict):
    views: int
    likes: int
    comments: int
    posts: int


class AnalyticsSummaryByPlatformYoutube(TypedDict):
    views: int
    likes: int
    comments: int
    posts: int


class AnalyticsSummaryByPlatform(TypedDict):
    instagram: AnalyticsSummaryByPlatformInstagram
    youtube: AnalyticsSummaryByPlatformYoutube


class AnalyticsSummary(TypedDict):
    windowDays: int
    decks: AnalyticsSummaryDecks
    """Decks posted within the window whose numbers are known."""
    totals: AnalyticsSummaryTotals
    byPlatform: AnalyticsSummaryByPlatform
    note: str


class ApiKeyCreatedBy(TypedDict):
    userId: str
    name: str


class ApiKey(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    name: str
    prefix: str
    scopes: list[Literal["apps:read", "apps:write", "content:read", "content:write", "content:approve", "automations:read", "automations:write", "schedules:read", "schedules:write", "schedules:publish", "analytics:read", "credits:read", "webhooks:write"]]
    expiresAt: str | None
    lastUsedAt: str | None
    revokedAt: str | None
    createdBy: ApiKeyCreatedBy | None
    """The member who created the key. Null if that is not known."""


class ApiKeyWithSecretCreatedBy(TypedDict):
    userId: str
    name: str


class ApiKeyWithSecret(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    name: str
    prefix: str
    scopes: list[Literal["apps:read", "apps:write", "content:read", "content:write", "content:approve", "automations:read", "automations:write", "schedules:read", "schedules:write", "schedules:publish", "analytics:read", "credits:read", "webhooks:write"]]
    expiresAt: str | None
    lastUsedAt: str | None
    revokedAt: str | None
    createdBy: ApiKeyWithSecretCreatedBy | None
    """The member who created the key. Null if that is not known."""
    key: NotRequired[str]
    """The plaintext key, in the first response only. A retry returns the record without it."""


class App(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    name: str
    details: str
    """Description text derived for the app."""
    iconUrl: str | None
    """The logo of its brand, or else the icon of its store page, valid for 48 h at least. Null without
    either."""
    seedHooks: NotRequired[list[str]]
    """Only in the responses of create and get."""
    brand: NotRequired[Brand | None]
    """Not in lists. Null when none was set."""
    unreviewed: NotRequired[list[UnreviewedItem]]
    """Not in lists. What somebody who may not approve content changed, and nobody who may has
    reviewed: automations approve nothing that shows it."""
    externalId: str | None
    metadata: dict[str, Any] | None


class Approval(TypedDict):
    version: int
    decision: Literal["approved", "rejected"]
    decidedAt: str
    keyId: str | None
    by: Decider
    reason: str | None
    """Only of a rejection."""


class ApprovalPolicy(TypedDict):
    approvers: Literal["anyone_with_scope", "people_only"]
    """`people_only`: an API key can neither approve nor reject."""
    requireVersion: bool
    """A decision must name the version that it is on."""
    postTexts: Literal["open", "approved_only"]
    """`approved_only`, the default: only somebody who may approve replaces the approved title and
    description in a schedule, and under `selfApproval: false` nobody."""
    selfApproval: bool
    """False: whoever made or last edited a version cannot decide on it."""


class AuditEventActor(TypedDict):
    kind: Literal["person", "key", "automation", "reviewer", "operator", "anonymous"]
    id: str | None
    name: str | None


class AuditEventSubject(TypedDict):
    kind: str
    id: str | None


class AuditEvent(TypedDict):
    id: str
    at: str
    actor: AuditEventActor
    action: str
    subject: AuditEventSubject
    address: str | None
    """IPv6 addresses as their /64."""
    requestId: str | None
    detail: dict[str, Any]
    """What changed, by action. No secrets."""


class Automation(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    appId: str
    tiktokAccountId: str
    format: Literal["slideshow", "hook_video"]
    postingTimes: list[PostingTime]
    timezone: str
    brief: Brief | None
    topics: list[str]
    """Used in turn, one a firing."""
    nextTopic: str | None
    until: str | None
    """No slot after this time fires."""
    maxFirings: int | None
    firingsMade: int
    """How often it fired, whatever became of the decks. Slots that were missed do not count."""
    firingsLeft: int | None
    """Null without `maxFirings`."""
    approvalMode: Literal["auto", "manual"]
    postingMode: Literal["drafts", "publish"]
    privacyLevel: Literal["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "FOLLOWER_OF_CREATOR", "SELF_ONLY"] | None
    status: Literal["active", "paused", "ended"]
    endedReason: Literal["until", "max_firings"] | None
    """Why it fires no more; null unless `status` is `ended`. Another limit brings it back."""
    nextFireAt: str | None
    nothingNewSince: str | None
    """Since when its decks would repeat those of the last 60 days, so that its firings are skipped
    with `nothing_new`. Add topics, connect a text model or refresh the listing of the app."""
    createdBy: Maker | None
    """The key or person that made it. Null where that was not recorded, and for what an automation
    made."""
    confirmedBy: Maker | None
    """Who confirmed the present brief and topics, other than their author."""
    awaitsConfirmation: bool
    """The approval policy asks that another person than their author confirms the brief and the
    topics; until then its slideshows wait for approval."""
    externalId: str | None
    metadata: dict[str, Any] | None


class AutomationSkippedEvent(TypedDict):
    id: str
    type: Literal["automation.skipped"]
    timestamp: str
    createdAt: str
    sequence: int
    data: Firing


class BatchOutcomeError(TypedDict):
    code: Literal["unauthorized", "key_revoked", "key_expired", "missing_scope", "not_found", "invalid_request", "idempotency_key_reused", "missing_idempotency_key", "not_approved", "not_ready", "no_images", "not_postable", "slide_missing", "unsupported_image_format", "image_too_large", "too_many_slides", "account_not_found", "account_not_connected", "account_needs_reauth", "cross_app", "already_scheduled", "no_free_slot", "already_sending", "already_sent", "missing_privacy_level", "invalid_privacy_level", "insufficient_credits", "rate_limited", "tiktok_create_failed", "tiktok_publish_failed", "queue_unavailable", "store_unavailable", "service_unavailable", "outcome_unknown", "not_implemented", "db_error", "internal_error"]
    message: str
    param: NotRequired[str]
    insufficient: NotRequired[Literal[True]]


class BatchOutcome(TypedDict):
    job: Job | None
    error: BatchOutcomeError | None
    """Why the row was refused. `param` is the field of the row."""


class Brand(TypedDict):
    colors: list[str] | None
    logoImageId: str | None
    handle: str | None
    fonts: Literal["bricolage-inter", "anton-jakarta", "fraunces-newsreader", "manrope", "space-grotesk-inter"] | None
    voice: list[str] | None
    avoidWords: list[str] | None


class BrandUpdate(TypedDict):
    colors: NotRequired[list[str] | None]
    """Background and accent, with a contrast of at least 4.5:1."""
    logoImageId: NotRequired[str | None]
    """A picture of the app, shown on the closing slide."""
    handle: NotRequired[str | None]
    """Shown on the closing slide."""
    fonts: NotRequired[Literal["bricolage-inter", "anton-jakarta", "fraunces-newsreader", "manrope", "space-grotesk-inter"] | None]
    voice: NotRequired[list[str] | None]
    """Sample captions that a text model imitates."""
    avoidWords: NotRequired[list[str] | None]
    """Words that generated texts never have. A hook that you give is not checked."""


class BriefSlides(TypedDict):
    text: str


class Brief(TypedDict):
    topic: NotRequired[str]
    archetype: NotRequired[Literal["listicle", "transformation", "pov_results", "authority", "motivational"]]
    hook: NotRequired[str]
    """Used word for word instead of a generated one."""
    slideCount: NotRequired[int]
    """Total slides with the hook and the closing slide, at most 10. Default 6, unless a hook promises
    a count. With `slides` their number, if sent."""
    ctaMode: NotRequired[Literal["soft", "direct", "none"]]
    """Default `soft`; with `slides` it is `none` exactly where `closing` is absent."""
    templateId: NotRequired[Literal["quote-card", "photo-card", "screenshot-card", "picture", "auto"]]
    """Gives finished slide images; `GET /templates` shows them. `auto` is `photo-card` for an app with
    three uploaded pictures besides its logo, else `quote-card`. `picture` draws no text: each of
    `pictureIds` is a slide, and `hook`, then required, names the deck. If it is omitted, only texts
    are written."""
    pictureIds: NotRequired[list[str]]
    """Pictures of the app for a template that needs them, in the order of the slides, at most 10.
    Default: its own, oldest first. With `picture` they are the slides, 1 to 35."""
    slides: NotRequired[list[BriefSlides]]
    """Your own texts between the hook, then required, and the closing slide: used word for word,
    nothing is written. Not with `topic` or `archetype`, not for an automation."""
    closing: NotRequired[str]
    """The closing slide of `slides`; without it there is none."""
    caption: NotRequired[str]
    """With `slides`. Default: the hook and the closing slide."""
    hashtags: NotRequired[list[str]]
    """With `slides`. Default: up to three words of the slides."""


class BriefInputSlides(TypedDict):
    text: str


class BriefInput(TypedDict):
    topic: NotRequired[str | None]
    archetype: NotRequired[Literal["listicle", "transformation", "pov_results", "authority", "motivational", None]]
    hook: NotRequired[str | None]
    """Used word for word instead of a generated one."""
    slideCount: NotRequired[int | None]
    """Total slides with the hook and the closing slide, at most 10. Default 6, unless a hook promises
    a count. With `slides` their number, if sent."""
    ctaMode: NotRequired[Literal["soft", "direct", "none", None]]
    """Default `soft`; with `slides` it is `none` exactly where `closing` is absent."""
    templateId: NotRequired[Literal["quote-card", "photo-card", "screenshot-card", "picture", "auto", None]]
    """Gives finished slide images; `GET /templates` shows them. `auto` is `photo-card` for an app with
    three uploaded pictures besides its logo, else `quote-card`. `picture` draws no text: each of
    `pictureIds` is a slide, and `hook`, then required, names the deck. If it is omitted, only texts
    are written."""
    pictureIds: NotRequired[list[str] | None]
    """Pictures of the app for a template that needs them, in the order of the slides, at most 10.
    Default: its own, oldest first. With `picture` they are the slides, 1 to 35."""
    slides: NotRequired[list[BriefInputSlides] | None]
    """Your own texts between the hook, then required, and the closing slide: used word for word,
    nothing is written. Not with `topic` or `archetype`, not for an automation."""
    closing: NotRequired[str | None]
    """The closing slide of `slides`; without it there is none."""
    caption: NotRequired[str | None]
    """With `slides`. Default: the hook and the closing slide."""
    hashtags: NotRequired[list[str] | None]
    """With `slides`. Default: up to three words of the slides."""


class BriefUpdateSlides(TypedDict):
    text: str


class BriefUpdate(TypedDict):
    topic: NotRequired[str]
    archetype: NotRequired[Literal["listicle", "transformation", "pov_results", "authority", "motivational"]]
    hook: NotRequired[str]
    """Used word for word instead of a generated one."""
    slideCount: NotRequired[int]
    """Total slides with the hook and the closing slide, at most 10. Default 6, unless a hook promises
    a count. With `slides` their number, if sent."""
    ctaMode: NotRequired[Literal["soft", "direct", "none"]]
    """Default `soft`; with `slides` it is `none` exactly where `closing` is absent."""
    templateId: NotRequired[Literal["quote-card", "photo-card", "screenshot-card", "picture", "auto"]]
    """Gives finished slide images; `GET /templates` shows them. `auto` is `photo-card` for an app with
    three uploaded pictures besides its logo, else `quote-card`. `picture` draws no text: each of
    `pictureIds` is a slide, and `hook`, then required, names the deck. If it is omitted, only texts
    are written."""
    pictureIds: NotRequired[list[str]]
    """Pictures of the app for a template that needs them, in the order of the slides, at most 10.
    Default: its own, oldest first. With `picture` they are the slides, 1 to 35."""
    slides: NotRequired[list[BriefUpdateSlides]]
    """Your own texts between the hook, then required, and the closing slide: used word for word,
    nothing is written. Not with `topic` or `archetype`, not for an automation."""
    closing: NotRequired[str]
    """The closing slide of `slides`; without it there is none."""
    caption: NotRequired[str]
    """With `slides`. Default: the hook and the closing slide."""
    hashtags: NotRequired[list[str]]
    """With `slides`. Default: up to three words of the slides."""


class ChangesRequested(TypedDict):
    reason: str
    by: Decider
    at: str


class Comment(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    contentId: str
    version: int
    """The version that was current."""
    slide: int | None
    """Counted from 1; null where the comment is on the whole deck."""
    text: str
    by: Maker | None


class ContentOrigin(TypedDict):
    automationId: str
    firingId: str


class ContentError(TypedDict):
    code: str
    message: str


class Content(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    appId: str
    type: Literal["slideshow", "illustrated", "hook_video"]
    status: Literal["queued", "running", "ready", "failed"]
    approvalStatus: Literal["pending", "approved", "rejected"]
    result: SlideshowResult | None
    costCharged: int
    version: int
    brief: Brief | None
    writer: DeckWriter | None
    """Who wrote the texts; `null` until they are written, and where writing failed."""
    freshness: Freshness | None
    """The deck of the app, of the newest 100 in 90 days, that has most in common with this one; `null`
    without an earlier one. Found when the texts are written or edited."""
    templateId: Literal["quote-card", "photo-card", "screenshot-card", "picture"] | None
    """What the slide images were drawn with; null when there are none."""
    images: list[SlideImage]
    approval: Approval | None
    changesRequested: ChangesRequested | None
    """Somebody who may approve asked for another version: this one is out of the approval queue. Null
    otherwise."""
    experimentId: str | None
    """The experiment with hooks that it takes part in."""
    origin: ContentOrigin | None
    notice: NotRequired[Literal["generation_not_wired", "topic_needs_model", "listing_too_short"]]
    """`generation_not_wired`: this type is not generated. `topic_needs_model`: the deck is about the
    app, since only a text model writes about a topic. `listing_too_short`: the listing has fewer
    lines than the deck has slides, so the deck is shorter; neutral lines fill it where the brief
    names a number."""
    error: NotRequired[ContentError]
    externalId: str | None
    metadata: dict[str, Any] | None


class ContentApprovedEvent(TypedDict):
    id: str
    type: Literal["content.approved"]
    timestamp: str
    createdAt: str
    sequence: int
    data: Content | ContentReference


class ContentBatch(TypedDict):
    outcomes: list[BatchOutcome]


class ContentChangesRequestedEvent(TypedDict):
    id: str
    type: Literal["content.changes_requested"]
    timestamp: str
    createdAt: str
    sequence: int
    data: Content | ContentReference


class ContentCounts(TypedDict):
    pending: int
    """`ready`, not decided and without `changesRequested`."""
    changesRequested: int
    approved: int
    rejected: int
    failed: int
    toSchedule: int
    """`approved` and without a schedule."""


class ContentMoment(TypedDict):
    at: str
    what: Literal["made", "failed", "charged", "edited", "approved", "rejected", "changes_requested", "scheduled", "withdrawn", "sent", "postponed", "due", "delivered", "not_delivered"]
    """`sent`: a schedule was given to the sender; `delivered`: its post or draft is at the platform;
    `postponed`: it waits to be sent again; `due`: it waits for somebody to post it by phone."""
    by: Decider | None
    """Who made, edited or decided; null where it is not known."""
    version: int | None
    scheduleId: str | None
    detail: str | None


class ContentReference(TypedDict):
    id: str


class ContentRejectedEvent(TypedDict):
    id: str
    type: Literal["content.rejected"]
    timestamp: str
    createdAt: str
    sequence: int
    data: Content | ContentReference


class CreateContent(TypedDict):
    appId: str
    type: Literal["slideshow", "illustrated", "hook_video"]
    brief: NotRequired[BriefInput | None]
    externalId: NotRequired[str | None]
    """Your own id for it. Several may have the same."""
    metadata: NotRequired[dict[str, Any] | None]
    """Texts of your own by name."""


class CreatedSchedule(TypedDict):
    id: str | None
    createdAt: str
    updatedAt: str
    contentId: str
    contentVersion: int
    tiktokAccountId: str
    status: Literal["pending", "sending", "due", "sent", "failed"]
    mode: Literal["draft", "publish", "phone"]
    privacyLevel: Literal["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "FOLLOWER_OF_CREATOR", "SELF_ONLY"] | None
    scheduledFor: str
    title: str
    description: str
    disableComment: bool
    brandOrganic: bool
    brandedContent: bool
    aiGenerated: bool
    autoAddMusic: bool
    waitsBecause: Literal["approval", "sending_paused"] | None
    """What else than its time a pending schedule waits for: the approval of its content, or that
    sending goes on."""
    outcome: Literal["sent_to_drafts", "published"] | None
    failure: ScheduleFailure | None
    platformPostId: str | None
    platformPostUrl: str | None
    sentAt: str | None
    automationId: str | None
    createdBy: Maker | None
    """The key or person that made it. Null where that was not recorded, and for what an automation
    made."""
    externalId: str | None
    metadata: dict[str, Any] | None
    thumbnailUrl: NotRequired[str | None]
    """The first slide as a JPEG of 270 px width, valid for 48 h at least. Absent in events."""


class CreditsDailyGeneration(TypedDict):
    limit: int
    used: int
    resetsAt: str


class Credits(TypedDict):
    balance: int
    granted: int
    spent: int
    unlimited: bool
    """True: nothing is refused for the lack of credits; grants are added as they are needed."""
    dailyGeneration: CreditsDailyGeneration


class CreditsLowEventData(TypedDict):
    level: Literal["low", "none"]


class CreditsLowEvent(TypedDict):
    id: str
    type: Literal["credits.low"]
    timestamp: str
    createdAt: str
    sequence: int
    data: CreditsLowEventData


class CurrentSession(TypedDict):
    user: User
    session: Session
    workspaceId: str


class Decider(TypedDict):
    kind: Literal["person", "key", "automation", "reviewer"]
    id: str
    name: str


class DeckComparison(TypedDict):
    of: Literal["hook", "form", "archetype", "template", "language", "weekday", "hour"]
    value: str
    """What these decks have in common: `monday`, `09`; as the form of a hook `number` or `question`
    for what it has, else `short`, up to 8 words, or `long`."""
    decks: int
    views: int
    typicalViews: int
    """Views of a typical deck of them, at a typical account."""
    lift: float
    """How many times the views of all other decks these get, by an estimate that is drawn towards 1
    the fewer they are."""
    low: float
    """`low` to `high` holds the true lift; of all such intervals of one kind, 95 % of the time."""
    high: float
    verdict: Literal["better", "worse", "no_difference", "too_early"]
    """`better`, `worse`: the interval leaves out 1. `no_difference`: it leaves out 0.5 and 2.
    `too_early`: fewer than 5 decks, fewer than 500 views, or the interval says nothing."""
    contentIds: list[str]
    """The newest 20 of these decks."""


class DeckResults(TypedDict):
    views: int
    likes: int | None
    """Null: not known."""
    comments: int | None
    """Null: not known."""
    shares: int | None
    """Null: not known."""
    saves: int | None
    """Null: not known."""
    at: str
    """When the numbers were read."""
    source: Literal["entered", "tiktok"]
    """`entered`: `by` a person or a key. `tiktok`: told by TikTok, which does not tell saves."""
    by: Maker | None


class DeckWriter(TypedDict):
    kind: Literal["model", "builtin", "given"]
    """`model`: a text model; `builtin`: the composer, which needs no network; `given`: the caller, in
    `brief.slides`, or with the template `picture`."""
    name: str
    """The name of the model, `composer` or `given`."""
    repaired: bool
    """A part of the first answer broke a rule and was written again or filled by rule."""
    because: str | None
    """Why this hook, or this structure, in one line: what earlier decks of the app brought. Null where
    their numbers did not choose."""


class Deleted(TypedDict):
    id: str
    deleted: Literal[True]


class Delivery(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    webhookId: str
    eventId: str
    eventType: str
    status: Literal["pending", "delivered", "failed"]
    attempts: list[DeliveryAttempt]
    nextAttemptAt: str | None
    request: str | None
    """The body that is sent, as it was at the last attempt; null when the event is no longer kept."""
    response: str | None
    """The first 1,024 bytes of the answer to the last attempt; null when there was none, and for a key
    without `content:read` or `schedules:read` at an endpoint that gets contents or schedules."""


class DeliveryAttempt(TypedDict):
    at: str
    responseStatus: int | None
    durationMs: int
    error: str | None


class DisabledWork(TypedDict):
    automationIds: list[str]
    """Paused."""
    webhookIds: list[str]
    """Disabled."""
    scheduleIds: list[str]
    """Withdrawn."""
    more: bool
    """More schedules of the key wait: repeat the request."""


class EndedSessions(TypedDict):
    sessionIds: list[str]
    deleted: Literal[True]


class ExperimentPosts(TypedDict):
    contentId: str
    hook: str
    views: int | None
    """By the first reading `readAfterHours` or more after the post. Null: there is none yet."""
    leftOut: Literal["edited", "same_deck", "lone_post"] | None
    """Why its views do not count. `edited`: since the start. `same_deck`: the account had these slides
    within 90 days before. `lone_post`: the account has no other post to compare it with."""


class Experiment(TypedDict):
    id: str
    appId: str
    readAfterHours: int
    createdAt: str
    posts: list[ExperimentPosts]
    isFinal: bool
    """Each post has its views, is left out, or 90 days have passed. Nothing is judged before."""
    hooks: list[DeckComparison]
    """The hooks against each other, the best first, once `isFinal`."""
    decksNeeded: int
    """Decks of each hook by which a twofold difference shows in half of all cases."""
    verdict: str
    """The outcome in a sentence or two."""


class Firing(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    automationId: str
    slot: str
    status: Literal["fired", "generated", "awaiting_approval", "scheduled", "done", "failed", "skipped"]
    contentId: str | None
    scheduleId: str | None
    reason: str | None


class FiringTime(TypedDict):
    fireAt: str
    local: str


class FreeSlot(TypedDict):
    scheduledFor: str


class Freshness(TypedDict):
    nearestContentId: str
    overlap: float
    """Of the hook and the body slides, the part that the nearest deck has too, with two decimals."""


class Invitation(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    email: str
    role: Literal["owner", "approver", "editor", "viewer"]
    expiresAt: str


class InvitationWithUrl(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    email: str
    role: Literal["owner", "approver", "editor", "viewer"]
    expiresAt: str
    url: NotRequired[str]
    """The link to pass on, in the first response only."""
    mailed: bool
    """True: the link is mailed too. False where no mail is set up, and beyond the mails of a day: 3 to
    an address, 20 from a workspace, 5 while your own address is not proven."""


class JobError(TypedDict):
    code: str
    message: str


class Job(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    status: Literal["queued", "running", "ready", "failed"]
    resourceType: Literal["content"]
    resourceId: str
    cost: int
    error: JobError | None


class JobCompletedEvent(TypedDict):
    id: str
    type: Literal["job.completed"]
    timestamp: str
    createdAt: str
    sequence: int
    data: Job


class LedgerRow(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    amount: int
    """Signed: grants are positive, charges negative."""
    reason: Literal["grant", "generation"]
    contentId: str | None
    requestId: str | None


class Listing(TypedDict):
    name: str
    description: str
    category: NotRequired[str | None]
    features: NotRequired[list[str] | None]
    """What the app lets people do, one thing each."""
    language: NotRequired[str | None]
    """Default: what the description is written in."""


class Maker(TypedDict):
    kind: Literal["person", "key"]
    id: str
    name: str


class MeasuredPost(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    videoId: str
    platform: Literal["instagram", "youtube"]
    platformPostId: str
    publishedAt: str | None
    views: int | None
    likes: int | None
    comments: int | None
    collectedAt: str | None
    """Null until numbers are collected."""


class Member(TypedDict):
    userId: str
    email: str | None
    name: str | None
    role: Literal["owner", "approver", "editor", "viewer"]
    createdAt: str
    updatedAt: str


class MetricSource(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    platform: Literal["instagram"]
    username: str
    status: Literal["connected", "needs_reauth"]


class NextFiring(TypedDict):
    automationId: str
    appId: str
    tiktokAccountId: str
    fireAt: str
    local: str
    """The same time on the clocks of the time zone of the automation."""


class Notifications(TypedDict):
    decksWaiting: Literal["off", "instant", "daily"]
    weekly: bool
    """True: an owner is mailed what each week brought."""
    postDue: bool
    """True: whoever may post is mailed what is due on a phone."""
    email: str | None
    """Where the mails go. Null while the OIDC issuer has not said that an address is verified."""
    emailVerified: bool
    """False: the address is not proven yet, and nothing but a link to prove it is mailed."""
    mailConfigured: bool
    """False: this server sends no mail."""
    push: Push


class Picture(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    kind: Literal["upload", "screenshot", "slide"]
    """`slide`: finished, for the template `picture` alone."""
    width: int
    height: int
    bytes: int
    contentType: str
    url: str


class PostProblem(TypedDict):
    code: str
    slide: int | None
    measured: float | str | None
    limit: float | str | None
    message: str


class PostingTime(TypedDict):
    time: str
    days: list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]


class PostingTimeInput(TypedDict):
    time: str
    days: list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]


class Preflight(TypedDict):
    postable: bool
    problems: list[PostProblem]


class PublishedPost(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    videoId: str
    platform: Literal["instagram", "youtube"]
    platformPostId: str
    publishedAt: str | None


class Push(TypedDict):
    publicKey: str
    """The VAPID key, for `applicationServerKey`."""
    kinds: list[Literal["decks_waiting", "post_due", "post_failed", "account_reconnect"]]
    """What the person is told in this workspace, on each browser that takes it."""
    subscribed: bool
    """Whether the browser of this session takes it."""


class RemovedMember(TypedDict):
    userId: str
    deleted: Literal[True]
    revokedKeyIds: list[str]


class ReplayWebhookResult(TypedDict):
    replayed: int


class ReviewLink(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    contentId: str
    version: int
    """The only version that the link shows."""
    mayDecide: bool
    expiresAt: str
    createdBy: Maker | None
    """The key or person that made it. Null where that was not recorded, and for what an automation
    made."""


class ReviewLinkWithUrl(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    contentId: str
    version: int
    """The only version that the link shows."""
    mayDecide: bool
    expiresAt: str
    createdBy: Maker | None
    """The key or person that made it. Null where that was not recorded, and for what an automation
    made."""
    url: NotRequired[str]
    """Absent when a request is repeated."""


class RevokedKeyCreatedBy(TypedDict):
    userId: str
    name: str


class RevokedKey(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    name: str
    prefix: str
    scopes: list[Literal["apps:read", "apps:write", "content:read", "content:write", "content:approve", "automations:read", "automations:write", "schedules:read", "schedules:write", "schedules:publish", "analytics:read", "credits:read", "webhooks:write"]]
    expiresAt: str | None
    lastUsedAt: str | None
    revokedAt: str | None
    createdBy: RevokedKeyCreatedBy | None
    """The member who created the key. Null if that is not known."""
    disabled: NotRequired[DisabledWork]
    """With `withWhatItMade=true` only."""


class Schedule(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    contentId: str
    contentVersion: int
    tiktokAccountId: str
    status: Literal["pending", "sending", "due", "sent", "failed"]
    mode: Literal["draft", "publish", "phone"]
    privacyLevel: Literal["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "FOLLOWER_OF_CREATOR", "SELF_ONLY"] | None
    scheduledFor: str
    title: str
    description: str
    disableComment: bool
    brandOrganic: bool
    brandedContent: bool
    aiGenerated: bool
    autoAddMusic: bool
    waitsBecause: Literal["approval", "sending_paused"] | None
    """What else than its time a pending schedule waits for: the approval of its content, or that
    sending goes on."""
    outcome: Literal["sent_to_drafts", "published"] | None
    failure: ScheduleFailure | None
    platformPostId: str | None
    platformPostUrl: str | None
    sentAt: str | None
    automationId: str | None
    createdBy: Maker | None
    """The key or person that made it. Null where that was not recorded, and for what an automation
    made."""
    externalId: str | None
    metadata: dict[str, Any] | None
    thumbnailUrl: NotRequired[str | None]
    """The first slide as a JPEG of 270 px width, valid for 48 h at least. Absent in events."""


class ScheduleDueEvent(TypedDict):
    id: str
    type: Literal["schedule.due"]
    timestamp: str
    createdAt: str
    sequence: int
    data: Schedule | ScheduleReference


class ScheduleFailedEvent(TypedDict):
    id: str
    type: Literal["schedule.failed"]
    timestamp: str
    createdAt: str
    sequence: int
    data: Schedule | ScheduleReference


class ScheduleFailure(TypedDict):
    code: str
    category: Literal["account", "content", "platform_rejected", "platform_unavailable", "rate_limited", "outcome_unknown", "internal"]
    message: str
    retryable: bool
    platformMessage: str | None


class SchedulePublishedEvent(TypedDict):
    id: str
    type: Literal["schedule.published"]
    timestamp: str
    createdAt: str
    sequence: int
    data: Schedule | ScheduleReference


class ScheduleReference(TypedDict):
    id: str
    contentId: str
    status: Literal["pending", "sending", "due", "sent", "failed"]


class ScheduleSentToDraftsEvent(TypedDict):
    id: str
    type: Literal["schedule.sent_to_drafts"]
    timestamp: str
    createdAt: str
    sequence: int
    data: Schedule | ScheduleReference


class ScheduleWithTimeline(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    contentId: str
    contentVersion: int
    tiktokAccountId: str
    status: Literal["pending", "sending", "due", "sent", "failed"]
    mode: Literal["draft", "publish", "phone"]
    privacyLevel: Literal["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "FOLLOWER_OF_CREATOR", "SELF_ONLY"] | None
    scheduledFor: str
    title: str
    description: str
    disableComment: bool
    brandOrganic: bool
    brandedContent: bool
    aiGenerated: bool
    autoAddMusic: bool
    waitsBecause: Literal["approval", "sending_paused"] | None
    """What else than its time a pending schedule waits for: the approval of its content, or that
    sending goes on."""
    outcome: Literal["sent_to_drafts", "published"] | None
    failure: ScheduleFailure | None
    platformPostId: str | None
    platformPostUrl: str | None
    sentAt: str | None
    automationId: str | None
    createdBy: Maker | None
    """The key or person that made it. Null where that was not recorded, and for what an automation
    made."""
    externalId: str | None
    metadata: dict[str, Any] | None
    thumbnailUrl: NotRequired[str | None]
    """The first slide as a JPEG of 270 px width, valid for 48 h at least. Absent in events."""
    timeline: list[TimelineEntry]


class SeriesDay(TypedDict):
    day: str
    views: int
    likes: int
    comments: int
    posts: int
    """Posts published until the end of the day."""


class Session(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    expiresAt: str


class SessionMaybeWithToken(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    expiresAt: str
    token: NotRequired[str]


class SessionOfPerson(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    expiresAt: str
    lastUsedAt: str | None
    """Written some seconds after the use."""
    client: str | None
    """The `User-Agent` that signed in."""
    current: bool


class SessionWithToken(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    expiresAt: str
    token: str
    """`sess_` and 43 characters; shown once."""


class SharedDeckSlides(TypedDict):
    text: str
    url: str | None
    """Null for a slide that was not drawn."""
    thumbnailUrl: str | None


class SharedDeck(TypedDict):
    workspace: str
    handle: str
    """The handle of the app in its brand, or its name."""
    version: int
    approvalStatus: Literal["pending", "approved", "rejected"]
    caption: str
    hashtags: list[str]
    slides: list[SharedDeckSlides]
    mayDecide: bool
    """The version waits for a decision that this link may take."""
    expiresAt: str


class SignedIn(TypedDict):
    user: User
    session: SessionWithToken


class SlideImage(TypedDict):
    index: int
    """Counted from 1."""
    url: str
    thumbnailUrl: NotRequired[str]
    """A JPEG of 270 px width under a link like `url`. Absent in events."""
    width: int
    height: int
    bytes: int
    contentType: str


class SlideLook(TypedDict):
    pictureId: NotRequired[str]
    position: NotRequired[Literal["top", "middle", "bottom"]]


class SlideshowResultBodySlides(TypedDict):
    text: str
    pictureId: NotRequired[str]
    position: NotRequired[Literal["top", "middle", "bottom"]]


class SlideshowResult(TypedDict):
    hook: str
    hookOptions: list[str]
    bodySlides: list[SlideshowResultBodySlides]
    ctaSoft: str
    ctaHard: str
    caption: str
    hashtags: list[str]
    coverLook: NotRequired[SlideLook]
    """The picture and position of the first slide, once edited."""
    closingLook: NotRequired[SlideLook]
    """The same of the closing slide."""


class StartedExperimentDecks(TypedDict):
    contentId: str
    hook: str


class StartedExperiment(TypedDict):
    id: str
    appId: str
    readAfterHours: int
    createdAt: str
    decks: list[StartedExperimentDecks]
    """The deck in the path, those of `against`, then the copies."""


class Template(TypedDict):
    id: Literal["quote-card", "photo-card", "screenshot-card", "picture"]
    name: str
    description: str
    sampleUrls: list[str]
    """Sample slides, open to everyone."""
    needsPictures: bool
    """Draws pictures of the app; it must have at least one."""


class TextModelLastTest(TypedDict):
    ok: bool
    milliseconds: int
    message: str
    """The sentence that the model wrote, or the provider's words, without the key."""
    at: str


class TextModel(TypedDict):
    provider: Literal["openai", "anthropic", "gemini", "openrouter", "mistral", "ollama", "lmstudio", "custom"] | None
    model: str | None
    baseUrl: str | None
    hasKey: bool
    source: Literal["workspace", "installation", "none"]
    """`workspace`: its own. `installation`: the one that the operator set. `none`: the built-in
    composer writes, about the app only."""
    lastTest: TextModelLastTest | None
    learns: bool
    """True: what earlier decks brought helps to choose hooks and structures."""


class TextModelTest(TypedDict):
    ok: bool
    milliseconds: int
    message: str
    """The sentence that the model wrote, or the provider's words, without the key."""


class TiktokConnection(TypedDict):
    authorizeUrl: str
    state: str
    expiresAt: str


class TimelineEntry(TypedDict):
    at: str
    what: str
    detail: str | None


class UnreviewedItem(TypedDict):
    item: Literal["name", "listing", "brand.colors", "brand.logoImageId", "brand.handle", "brand.fonts", "brand.voice", "brand.avoidWords", "picture"]
    pictureId: NotRequired[str]
    """Only of a `picture`."""
    by: Maker
    at: str


class Usage(TypedDict):
    windows: list[UsageRow]
    ceilings: list[UsageRow]


class UsageRow(TypedDict):
    name: str
    limit: int
    used: int
    """A window: requests of the last 60 s, this one included."""
    resetsAt: str | None
    """When `used` falls without another request: for a window when its oldest request is 60 s old.
    `null`: it does not."""


class User(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    email: str | None
    """An address, or null for a user of an OIDC issuer that sent none."""
    name: str | None


class VideoAnalyticsPosts(TypedDict):
    platform: Literal["instagram", "youtube"]
    platformPostId: str
    views: int | None
    likes: int | None
    comments: int | None
    publishedAt: str | None
    collectedAt: str | None


class VideoAnalyticsTotals(TypedDict):
    views: int
    likes: int
    comments: int


class VideoAnalyticsHistory(TypedDict):
    day: str
    views: int
    likes: int
    comments: int


class VideoAnalytics(TypedDict):
    videoId: str
    posts: list[VideoAnalyticsPosts]
    totals: VideoAnalyticsTotals
    history: list[VideoAnalyticsHistory]


class Webhook(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    url: str
    events: list[Literal["job.completed", "content.approved", "content.rejected", "schedule.sent_to_drafts", "schedule.published", "schedule.failed", "automation.skipped", "schedule.due", "content.changes_requested", "account.connected", "account.needs_reauth", "credits.low"]]
    status: Literal["enabled", "disabled"]
    disabledReason: str | None
    createdBy: Maker | None
    """The key or person that made it. Null where that was not recorded, and for what an automation
    made."""


class WebhookWithSecret(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    url: str
    events: list[Literal["job.completed", "content.approved", "content.rejected", "schedule.sent_to_drafts", "schedule.published", "schedule.failed", "automation.skipped", "schedule.due", "content.changes_requested", "account.connected", "account.needs_reauth", "credits.low"]]
    status: Literal["enabled", "disabled"]
    disabledReason: str | None
    createdBy: Maker | None
    """The key or person that made it. Null where that was not recorded, and for what an automation
    made."""
    secret: NotRequired[str]
    """`whsec_` and base64. A retry returns it for 10 minutes, then the record without it."""


class WorkOfKeyAutomations(TypedDict):
    id: str
    appId: str
    status: Literal["active", "paused", "ended"]
    change: Literal["created", "changed"]
    """`created`: the key made it. `changed`: somebody else made it, and the key changed it later."""


class WorkOfKeyWebhooks(TypedDict):
    id: str
    url: str
    status: Literal["enabled", "disabled"]
    change: Literal["created", "changed"]
    """`created`: the key made it. `changed`: somebody else made it, and the key changed it later."""


class WorkOfKeySchedules(TypedDict):
    id: str
    contentId: str
    tiktokAccountId: str
    scheduledFor: str


class WorkOfKey(TypedDict):
    automations: list[WorkOfKeyAutomations]
    webhooks: list[WorkOfKeyWebhooks]
    schedules: list[WorkOfKeySchedules]
    """Schedules that wait, oldest first."""
    more: bool
    """More schedules wait than are listed."""


class WorkspaceDeletion(TypedDict):
    requestedAt: str
    deletesAt: str


class Workspace(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    name: str
    timezone: str
    approvalPolicy: ApprovalPolicy
    sendingPaused: bool
    """True: no post of the workspace goes out."""
    deletion: WorkspaceDeletion | None
    """Until `deletesAt` the workspace is frozen, and an owner can restore it. Null: not requested."""


class WorkspaceExport(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    status: Literal["pending", "running", "ready", "failed"]
    """Always `ready` today: the archive is written while it is downloaded."""
    url: str | None
    """Link to the archive, a tar.gz; null until `ready`."""
    expiresAt: str


class WorkspaceOfPerson(TypedDict):
    id: str
    name: str
    role: Literal["owner", "approver", "editor", "viewer"]
    current: bool


HooklineEvent = Union[
    "JobCompletedEvent",
    "ContentApprovedEvent",
    "ContentRejectedEvent",
    "ScheduleSentToDraftsEvent",
    "SchedulePublishedEvent",
    "ScheduleFailedEvent",
    "AutomationSkippedEvent",
    "ScheduleDueEvent",
    "ContentChangesRequestedEvent",
    "AccountConnectedEvent",
    "AccountNeedsReauthEvent",
    "CreditsLowEvent",
]
"""An event of the feed or of a webhook. More types may be added: ignore those that you do not know."""
