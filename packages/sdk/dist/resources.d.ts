import type { Pages } from './pages.js';
import type { CallOptions, Transport, WriteOptions } from './transport.js';
import type { Accepted, AcceptedInvitation, AcceptInvitation, Account, AnalyticsSummary, ApiKey, ApiKeyWithSecret, App, AuditEvent, Automation, ChangePassword, ConfirmByPassword, ConfirmByPasswordInput, ConfirmPasswordReset, ConnectTiktok, Content, ContentCounts, ContentMoment, CreateApp, CreateAutomation, CreateContent, CreatedSchedule, CreateInvitation, CreateKey, CreateSchedule, CreateSource, CreateWebhook, Credits, CurrentSession, Deleted, Delivery, DeliveryAttempt, EditContent, EndedSessions, FinishTiktok, Firing, FiringTime, GetAnalyticsSummaryQuery, GetSeriesQuery, HooklineEvent, Invitation, InvitationWithUrl, Job, LedgerRow, ListAccountsQuery, ListAppsQuery, ListAuditQuery, ListAutomationsQuery, ListContentQuery, ListDeliveriesQuery, ListEventsQuery, ListFiringsQuery, ListInvitationsQuery, ListKeysQuery, ListLedgerQuery, ListMembersQuery, ListNextFiringsQuery, ListPicturesQuery, ListPostsQuery, ListSchedulesQuery, ListSessionsQuery, ListSourcesQuery, ListWebhooksQuery, MeasuredPost, Member, MetricSource, NextFiring, Notifications, Picture, Preflight, PreflightContentQuery, PreviewAutomationQuery, PublishedPost, RegisterPost, Rejection, RemovedMember, ReplayWebhook, ReplayWebhookResult, RequestPasswordReset, Review, RevokedKey, RotateWebhook, Schedule, ScheduleWithTimeline, SeriesDay, SessionOfPerson, SignedIn, SignIn, SignUp, Template, TiktokConnection, UpdateApp, UpdateAutomation, UpdateMember, UpdateNotifications, UpdateSchedule, UpdateWebhook, UpdateWorkspace, Usage, User, VerifyEmail, VideoAnalytics, Webhook, WebhookWithSecret, WorkOfKey, Workspace, WorkspaceExport, WorkspaceOfPerson } from './types.js';
export declare class SessionAuthResource {
    protected readonly transport: Transport;
    constructor(transport: Transport);
    /**
     * Create a user and sign in.
     *
     * Creates a user with its own workspace and 25 credits (the operator can set another number).
     * Where the operator allows sign-up by invitation only, or not at all: 403.
     */
    signUp(body: SignUp, options?: CallOptions): Promise<SignedIn>;
    /**
     * Sign in.
     *
     * An unknown e-mail address and a wrong password get the same response. After 10 failures for an
     * e-mail address from one network address within 15 minutes: 429 to that address. Beyond 100 from
     * anywhere, an address that never signed in to it gets one try in 10 seconds.
     */
    signIn(body: SignIn, options?: CallOptions): Promise<SignedIn>;
    /**
     * End the current session.
     *
     * The token is no longer accepted. A token of an OIDC issuer cannot be ended here (400): sign out
     * at the issuer.
     */
    signOut(options?: CallOptions): Promise<Deleted>;
    /**
     * Get the current session.
     *
     * Returns the user and the session that the token belongs to, and its workspace.
     */
    getSession(options?: CallOptions): Promise<CurrentSession>;
    /**
     * List the sessions of the person, newest first.
     *
     * Those that have not ended, in every workspace. Tokens of an OIDC issuer are not among them.
     */
    listSessions(query?: ListSessionsQuery, options?: CallOptions): Pages<SessionOfPerson>;
    /**
     * End all other sessions of the person.
     *
     * Ends every session but the one that asks. Their tokens are no longer accepted.
     */
    endOtherSessions(options?: CallOptions): Promise<EndedSessions>;
    /**
     * End one session of the person.
     *
     * Its token is no longer accepted.
     */
    endSession(id: string, options?: CallOptions): Promise<Deleted>;
    /**
     * Change the password.
     *
     * Ends the other sessions of the person. A wrong `current` is 400 and counts as a failed sign-in.
     */
    changePassword(body: ChangePassword, options?: CallOptions): Promise<User>;
    /**
     * Send a link that sets a new password.
     *
     * The answer is the same for every address. The link is mailed if somebody has signed up with it,
     * at most three times an hour, and is valid for an hour.
     */
    requestPasswordReset(body: RequestPasswordReset, options?: CallOptions): Promise<Accepted>;
    /**
     * Set a new password with the token of a link.
     *
     * Works once. Ends every session of the person.
     */
    confirmPasswordReset(body: ConfirmPasswordReset, options?: CallOptions): Promise<User>;
    /**
     * Prove an e-mail address with the token of a link.
     *
     * The link is mailed at sign-up where the operator requires it. It works once.
     */
    verifyEmail(body: VerifyEmail, options?: CallOptions): Promise<User>;
    /**
     * Accept an invitation.
     *
     * Without a session: `password` is the one of the person who signed up with the invited address,
     * or a new one of 10 to 200 characters, and a session in the workspace is returned. With a
     * session: no `password`, and the session enters the workspace (200, without a token).
     */
    acceptInvitation(body: AcceptInvitation, options?: CallOptions): Promise<AcceptedInvitation>;
    /**
     * List the workspaces of the person.
     *
     * At most 100, the one joined first at the top. `current` is the workspace of this session.
     */
    listOwnWorkspaces(options?: CallOptions): Promise<WorkspaceOfPerson[]>;
    /**
     * Go on in another workspace.
     *
     * Changes the workspace of this session. Keys are not affected: a key belongs to one workspace.
     */
    enterWorkspace(id: string, options?: CallOptions): Promise<WorkspaceOfPerson>;
}
export declare class SessionWorkspaceResource {
    protected readonly transport: Transport;
    constructor(transport: Transport);
    /**
     * Get the workspace of the session.
     *
     * Every key, app, content and account belongs to one workspace.
     */
    get(options?: CallOptions): Promise<Workspace>;
    /**
     * Get what you are mailed about.
     *
     * The choice of the person of the session, in the workspace of the session.
     */
    getNotifications(options?: CallOptions): Promise<Notifications>;
    /**
     * Choose what you are mailed about.
     *
     * `decksWaiting` is about content that waits for approval: `instant` mails at once, at most every
     * 15 minutes; `daily` at 09:00 in the time zone of the workspace; `off`, the default, never.
     * Nothing is mailed while nothing waits. An address that is not proven yet is mailed a link that
     * proves it first.
     */
    updateNotifications(body: UpdateNotifications, options?: CallOptions): Promise<Notifications>;
    /**
     * Change the name, time zone or approval policy.
     *
     * Only the given fields change. `approvalPolicy.preset` sets every field of the policy: `open` is
     * the default, `strict` is `people_only`, `true`, `approved_only`, `false`; fields given beside it
     * come on top.
     */
    update(body: UpdateWorkspace, options?: CallOptions): Promise<Workspace>;
    /**
     * Delete the workspace in seven days.
     *
     * Until `deletion.deletesAt` the workspace is frozen: reads and exports work, every other request
     * is 409, automations skip their slots, and schedules that fall due fail as retryable
     * (`workspace_frozen`). Then everything in it is deleted, and people without another workspace
     * are, too. Somebody who signs in at an OIDC issuer has no password and needs a sign-in of the
     * last 10 minutes (403). A repeat changes nothing.
     */
    delete(body?: ConfirmByPassword, options?: CallOptions): Promise<Workspace>;
    /**
     * Undo the deletion of the workspace.
     *
     * Keys, members, automations and schedules work as before. Slots and schedules that fell due in
     * between are not made up for: retry the failed schedules. Confirmed as `DELETE /workspace` is.
     * Does nothing when no deletion was requested.
     */
    restore(body?: ConfirmByPasswordInput, options?: CallOptions): Promise<Workspace>;
    /**
     * Export the workspace.
     *
     * The link needs no session and works for 24 h, one download at a time. The archive has the
     * records as the API answers them, as NDJSON of up to 100 per file in a folder per kind, and the
     * images; no secrets. A download that is cut off ends with a damaged archive: begin it again. At
     * most 5 in 24 h (429).
     */
    createExport(options?: WriteOptions): Promise<WorkspaceExport>;
    /**
     * Get an export.
     *
     * Not found once it has expired.
     */
    getExport(id: string, options?: CallOptions): Promise<WorkspaceExport>;
    /**
     * List members, newest first.
     *
     * Everyone who can sign in to this workspace.
     */
    listMembers(query?: ListMembersQuery, options?: CallOptions): Pages<Member>;
    /**
     * Change the role of a member.
     *
     * Takes effect at once, for the sessions of the member and for the keys that the member created:
     * such a key keeps only the scopes that the role still has. The last owner stays owner (409).
     */
    updateMember(userId: string, body: UpdateMember, options?: CallOptions): Promise<Member>;
    /**
     * Remove a member.
     *
     * Ends the sessions that the member has in this workspace and revokes the keys that the member
     * created; their ids are in `revokedKeyIds`. The last owner cannot leave (409).
     */
    removeMember(userId: string, options?: CallOptions): Promise<RemovedMember>;
    /**
     * Invite somebody to the workspace.
     *
     * The link is valid for 7 days and works once, for whoever has it. A retry with the same
     * `Idempotency-Key` returns the record without `url`. A workspace has at most 100 open
     * invitations, one for each address.
     */
    createInvitation(body: CreateInvitation, options?: WriteOptions): Promise<InvitationWithUrl>;
    /**
     * List open invitations, newest first.
     *
     * Without those that were accepted or deleted. The link is never included.
     */
    listInvitations(query?: ListInvitationsQuery, options?: CallOptions): Pages<Invitation>;
    /**
     * Withdraw an invitation.
     *
     * Its link no longer works.
     */
    deleteInvitation(id: string, options?: CallOptions): Promise<Deleted>;
}
export declare class SessionAuditResource {
    protected readonly transport: Transport;
    constructor(transport: Transport);
    /**
     * Read the audit log, oldest first or newest first.
     *
     * Who did what: sign-ins, keys, members, policy, decisions on content, connected accounts, secrets
     * of webhooks. What another service did appears a moment after it happened, with its own `at`.
     * Rows are kept for `AUDIT_RETENTION_DAYS`. `nextCursor` is always set: pass it as `after` to go
     * on.
     */
    list(query?: ListAuditQuery, options?: CallOptions): Pages<AuditEvent>;
}
export declare class SessionKeysResource {
    protected readonly transport: Transport;
    constructor(transport: Transport);
    /**
     * Create an API key; the plaintext is shown once.
     *
     * Grant only the scopes that the key needs. The key is stored as a hash and cannot be shown again:
     * a retry with the same `Idempotency-Key` returns the record without `key`. Only scopes that your
     * role has can be granted; the key loses those that your role loses. A workspace has at most 50
     * live keys.
     */
    create(body: CreateKey, options?: WriteOptions): Promise<ApiKeyWithSecret>;
    /**
     * List API keys, newest first.
     *
     * Includes revoked and expired keys. The plaintext is never included. An owner sees every key,
     * other members their own.
     */
    list(query?: ListKeysQuery, options?: CallOptions): Pages<ApiKey>;
    /**
     * List what a key made that still works.
     *
     * The automations and webhooks that the key made or changed, and the waiting schedules that it
     * made, moved or retried, or that an automation asked for after the key made or changed it.
     * Nothing is listed that was deleted, or made before its maker was recorded. An owner can ask
     * about every key, other members about their own; webhooks are listed to owners.
     */
    getWorkOf(id: string, options?: CallOptions): Promise<WorkOfKey>;
    /**
     * Revoke an API key immediately.
     *
     * The next request with the key gets 401 `key_revoked`, on every gateway. The record is kept, with
     * `revokedAt`. An owner can revoke every key, other members their own. `?withWhatItMade=true` also
     * pauses the automations and disables the webhooks that the key made or changed, and withdraws the
     * waiting schedules that `GET /keys/{id}/work` lists, as far as the role of the caller may. A
     * repeat for a revoked key does the rest.
     */
    revoke(id: string, options?: CallOptions & {
        withWhatItMade?: boolean | undefined;
    }): Promise<RevokedKey>;
}
export declare class AppsResource {
    protected readonly transport: Transport;
    constructor(transport: Transport);
    /**
     * Import an app from its store page.
     *
     * Costs no credits. Takes exactly one of `appStoreUrl`, an App Store or Google Play address that
     * is read, and `listing`, given by hand. Derives up to 15 hooks from it. A page that was read
     * within the last 6 hours is not read again. An account has at most 100 apps.
     *
     * Scope: `apps:write`.
     */
    create(body: CreateApp, options?: WriteOptions): Promise<App>;
    /**
     * List apps, newest first.
     *
     * Without `seedHooks`; read one app to get them.
     *
     * Scope: `apps:read`.
     */
    list(query?: ListAppsQuery, options?: CallOptions): Pages<App>;
    /**
     * Get one app with its seed hooks.
     *
     * `seedHooks` are the hooks that were derived from the listing, without those that have one of
     * `brand.avoidWords`.
     *
     * Scope: `apps:read`.
     */
    get(id: string, options?: CallOptions): Promise<App>;
    /**
     * Change an app.
     *
     * Fields that are not given keep their value, those of `brand` too; `null` clears. Colours with a
     * contrast below 4.5:1 are refused. Slides that were drawn before keep their look until an edit
     * changes the text of one: then all of the deck are drawn again.
     *
     * Scope: `apps:write`.
     */
    update(id: string, body: UpdateApp, options?: CallOptions): Promise<App>;
    /**
     * Read the store page of an app again.
     *
     * Replaces the listing, `details` and `seedHooks`; the name stays. Screenshots that the page no
     * longer has are deleted once one that it has is there, except the logo and those that the brief
     * of a recent content names; one that was deleted with `DELETE` is not fetched again. A page that
     * was read within the last minute is not read again. 409 `invalid_request` for a listing that was
     * given by hand.
     *
     * Scope: `apps:write`.
     */
    refresh(id: string, options?: WriteOptions): Promise<App>;
    /**
     * Delete an app.
     *
     * Its contents stay readable; its automations make nothing any more. 409 `invalid_request` while a
     * schedule of one of its contents waits.
     *
     * Scope: `apps:write`.
     */
    delete(id: string, options?: CallOptions): Promise<Deleted>;
    /**
     * Upload a picture of an app.
     *
     * JPEG, PNG or WebP of at most 10 MB and 40 megapixels, as the field `file`. It is stored upright,
     * without metadata, at most 2160 × 3840 px. An app has at most 50 pictures. 415
     * `unsupported_image_format`, 413 `image_too_large`, 400 for one that cannot be decoded.
     *
     * Scope: `apps:write`.
     */
    addPicture(id: string, file: Blob | Uint8Array, options?: WriteOptions): Promise<Picture>;
    /**
     * List the pictures of an app, newest first.
     *
     * Uploaded ones, and the screenshots of the store page, which are fetched some seconds after the
     * import. The links are signed and expire after 48 h.
     *
     * Scope: `apps:read`.
     */
    listPictures(id: string, query?: ListPicturesQuery, options?: CallOptions): Pages<Picture>;
    /**
     * Delete a picture of an app.
     *
     * Slides that show it stay as they are.
     *
     * Scope: `apps:write`.
     */
    deletePicture(id: string, pictureId: string, options?: CallOptions): Promise<Deleted>;
}
export declare class TemplatesResource {
    protected readonly transport: Transport;
    constructor(transport: Transport);
    /**
     * List the templates of slide images.
     *
     * Each with sample slides. `brief.templateId` names one of them.
     *
     * Scope: `content:read`.
     */
    list(options?: CallOptions): Promise<Template[]>;
}
export declare class ContentResource {
    protected readonly transport: Transport;
    constructor(transport: Transport);
    /**
     * Generate a slideshow (1 credit, charged only on success).
     *
     * Responds when the slideshow is `ready` or `failed`, within 8 s unless a text model is given more
     * time. Only with a `templateId` slide images are rendered, which posting requires. `illustrated`
     * and `hook_video` return 201 with `status: "failed"` and a notice, and cost nothing.
     *
     * Scope: `content:write`.
     */
    create(body: CreateContent, options?: WriteOptions): Promise<Content>;
    /**
     * List content, newest first.
     *
     * Each row is complete, with its texts and its slide images. The filters can be combined.
     * `approvalStatus=pending` returns what waits for a decision: only content that is `ready`.
     *
     * Scope: `content:read`.
     */
    list(query?: ListContentQuery, options?: CallOptions): Pages<Content>;
    /**
     * Count content by approval.
     *
     * Each number is exact up to 10,000; 10,000 means that or more. `pending` counts what `GET
     * /content?approvalStatus=pending` lists.
     *
     * Scope: `content:read`.
     */
    count(options?: CallOptions): Promise<ContentCounts>;
    /**
     * Get one content.
     *
     * The links in `images` are signed and expire after 48 h.
     *
     * Scope: `content:read`.
     */
    get(id: string, options?: CallOptions): Promise<Content>;
    /**
     * Get what happened to a content, oldest first.
     *
     * From its making to the delivery of its posts, at most the newest 1,000 entries. `GET
     * /schedules/{id}` has every attempt of one schedule.
     *
     * Scope: `content:read`.
     */
    getTimeline(id: string, options?: CallOptions): Promise<ContentMoment[]>;
    /**
     * Edit the texts; renders again and needs a new approval.
     *
     * Increments `version`, renders again and resets `approvalStatus` to `pending`. Costs nothing. A
     * pending schedule is held until the new version is approved. `?dryRun=true` returns the record as
     * it would be, with images whose links are valid for 10 minutes, and changes nothing.
     *
     * Scope: `content:write`.
     */
    update(id: string, body: EditContent, options?: CallOptions & {
        dryRun?: boolean | undefined;
    }): Promise<Content>;
    /**
     * Approve the current version.
     *
     * If `version` is given and is not the current one: 409 `not_ready`. The same if `approvalStatus`
     * is given and somebody has decided otherwise since. The approval policy of the workspace may ask
     * for a person, for `version`, or for somebody who neither made nor last edited the version.
     *
     * Scope: `content:approve`.
     */
    approve(id: string, body?: Review, options?: WriteOptions): Promise<Content>;
    /**
     * Reject the current version.
     *
     * As approving, with an optional `reason`. The same decision again changes nothing.
     *
     * Scope: `content:approve`.
     */
    reject(id: string, body?: Rejection, options?: WriteOptions): Promise<Content>;
    /**
     * Check what would prevent this content from being posted.
     *
     * Runs the checks of `POST /schedules` without creating a schedule. Without `tiktokAccountId` only
     * the deck is checked.
     *
     * Scope: `content:read`.
     */
    preflight(id: string, query?: PreflightContentQuery, options?: CallOptions): Promise<Preflight>;
}
export declare class JobsResource {
    protected readonly transport: Transport;
    constructor(transport: Transport);
    /**
     * Get the job of a content (same id).
     *
     * A job is created with its content and has the same status. `cost` is what was charged.
     *
     * Scope: `content:read`.
     */
    get(id: string, options?: CallOptions): Promise<Job>;
}
export declare class CreditsResource {
    protected readonly transport: Transport;
    constructor(transport: Transport);
    /**
     * Get the credit balance.
     *
     * `balance` is `granted` less `spent`. `dailyGeneration` resets at midnight UTC.
     *
     * Scope: `credits:read`.
     */
    get(options?: CallOptions): Promise<Credits>;
    /**
     * List ledger rows, newest first.
     *
     * One row for each grant and each charge. The balance is their sum.
     *
     * Scope: `credits:read`.
     */
    ledger(query?: ListLedgerQuery, options?: CallOptions): Pages<LedgerRow>;
}
export declare class UsageResource {
    protected readonly transport: Transport;
    constructor(transport: Transport);
    /**
     * Get what the limits leave.
     *
     * Windows of a minute: `requests_per_address`, `requests` and `generations` (`POST /content`) of
     * this key. Ceilings of the workspace: `keys` that are live and, with the scope `credits:read`,
     * `daily_generation`. A row that cannot be read now is left out.
     */
    get(options?: CallOptions): Promise<Usage>;
}
export declare class AccountsResource {
    protected readonly transport: Transport;
    constructor(transport: Transport);
    /**
     * List connected platform accounts.
     *
     * Nothing is posted to an account in `needs_reauth` or `disconnected` until it is connected again.
     */
    list(query?: ListAccountsQuery, options?: CallOptions): Pages<Account>;
}
export declare class SessionAccountsResource {
    protected readonly transport: Transport;
    constructor(transport: Transport);
    /**
     * Start connecting a TikTok account.
     *
     * Open `authorizeUrl` in a browser; TikTok sends the person back to the callback. Nothing is
     * connected until `POST /accounts/tiktok/finish`.
     */
    connectTiktok(body?: ConnectTiktok, options?: WriteOptions): Promise<TiktokConnection>;
    /**
     * Finish connecting a TikTok account.
     *
     * Only for the person who began the connection, within 10 minutes, once TikTok has sent the
     * browser back. `state` is the one of the callback; on a loopback address the one of `POST
     * /accounts/tiktok/connect` works too.
     */
    finishTiktok(body: FinishTiktok, options?: WriteOptions): Promise<Account>;
    /**
     * Disconnect a platform account.
     *
     * Revokes the tokens at the platform, unless another workspace has the same TikTok account
     * connected. Pending schedules of the account end as `failed` with `account_not_connected`.
     */
    delete(id: string, options?: CallOptions): Promise<Deleted>;
}
export declare class SchedulesResource {
    protected readonly transport: Transport;
    constructor(transport: Transport);
    /**
     * Schedule approved content as a draft or a direct post.
     *
     * Without `scheduledFor` the post is sent now. `mode: "publish"` also needs the scope
     * `schedules:publish` and a `privacyLevel` that the account allows. `?dryRun=true` runs every
     * check, writes nothing and returns 200 with the record that would have been created (`id: null`).
     *
     * Scope: `schedules:write`.
     */
    create(body: CreateSchedule, options?: WriteOptions & {
        dryRun?: false | undefined;
    }): Promise<CreatedSchedule & {
        id: string;
    }>;
    create(body: CreateSchedule, options: WriteOptions & {
        dryRun?: boolean | undefined;
    }): Promise<CreatedSchedule>;
    /**
     * List schedules, newest first.
     *
     * Without their timelines; read one schedule to get its timeline. With `from` or `to` the rows
     * come in the order of `scheduledFor`, earliest first, and so do the pages.
     *
     * Scope: `schedules:read`.
     */
    list(query?: ListSchedulesQuery, options?: CallOptions): Pages<Schedule>;
    /**
     * Get one schedule with its timeline.
     *
     * `timeline` has every change of state, attempt and response of the platform, oldest first.
     *
     * Scope: `schedules:read`.
     */
    get(id: string, options?: CallOptions): Promise<ScheduleWithTimeline>;
    /**
     * Move a pending schedule to another time.
     *
     * Only while `pending`. In `publish` mode it also needs the scope `schedules:publish`.
     *
     * Scope: `schedules:write`.
     */
    update(id: string, body: UpdateSchedule, options?: CallOptions): Promise<Schedule>;
    /**
     * Withdraw a pending schedule.
     *
     * Only while `pending`. After the response nothing is posted.
     *
     * Scope: `schedules:write`.
     */
    delete(id: string, options?: CallOptions): Promise<Deleted>;
    /**
     * Retry a failed schedule.
     *
     * Only for a `failed` schedule whose `failure.retryable` is true. In `publish` mode it also needs
     * the scope `schedules:publish`.
     *
     * Scope: `schedules:write`.
     */
    retry(id: string, options?: WriteOptions): Promise<Schedule>;
}
export declare class AutomationsResource {
    protected readonly transport: Transport;
    constructor(transport: Transport);
    /**
     * Create a recurring posting plan for one platform account.
     *
     * Each firing generates a deck. With `approvalMode: "auto"` it is approved and posted; with
     * `manual` it waits for approval. `approvalMode: "auto"` also needs the scope `content:approve`,
     * and `postingMode: "publish"` the scope `schedules:publish`. An account has at most 100
     * automations.
     *
     * Scope: `automations:write`.
     */
    create(body: CreateAutomation, options?: WriteOptions): Promise<Automation>;
    /**
     * List automations, newest first.
     *
     * `nextFireAt` is null while an automation is paused.
     *
     * Scope: `automations:read`.
     */
    list(query?: ListAutomationsQuery, options?: CallOptions): Pages<Automation>;
    /**
     * Preview the next firings of all automations.
     *
     * Of the active automations, in the order of their times. There are no pages.
     *
     * Scope: `automations:read`.
     */
    listNextFirings(query?: ListNextFiringsQuery, options?: CallOptions): Promise<NextFiring[]>;
    /**
     * Get one automation.
     *
     * `nextFireAt` is null while the automation is paused.
     *
     * Scope: `automations:read`.
     */
    get(id: string, options?: CallOptions): Promise<Automation>;
    /**
     * Pause, resume or change an automation.
     *
     * Unless it only pauses, a change needs the scopes of what the automation is afterwards:
     * `content:approve` with `approvalMode: "auto"`, `schedules:publish` with `postingMode:
     * "publish"`.
     *
     * Scope: `automations:write`.
     */
    update(id: string, body: UpdateAutomation, options?: CallOptions): Promise<Automation>;
    /**
     * Delete an automation.
     *
     * It does not fire again. Content and schedules that it created are kept.
     *
     * Scope: `automations:write`.
     */
    delete(id: string, options?: CallOptions): Promise<Deleted>;
    /**
     * Preview the next firing times.
     *
     * The next firing times, in UTC and in the time zone of the automation.
     *
     * Scope: `automations:read`.
     */
    preview(id: string, query?: PreviewAutomationQuery, options?: CallOptions): Promise<FiringTime[]>;
    /**
     * Fire one slot now.
     *
     * Fires once, now. The plan is unchanged. With `approvalMode: "auto"` it also needs the scope
     * `content:approve`, with `postingMode: "publish"` the scope `schedules:publish`.
     *
     * Scope: `automations:write`.
     */
    run(id: string, options?: WriteOptions): Promise<Firing>;
    /**
     * List the firings of an automation, newest first.
     *
     * Each with its content, its schedule and, where it failed, was skipped or waits for a person
     * against its plan, the reason.
     *
     * Scope: `automations:read`.
     */
    listFirings(id: string, query?: ListFiringsQuery, options?: CallOptions): Pages<Firing>;
}
export declare class WebhooksResource {
    protected readonly transport: Transport;
    constructor(transport: Transport);
    /**
     * Register an endpoint; the secret is shown once.
     *
     * Deliveries carry `X-Service-Signature` (hex HMAC-SHA256 of the body) and the headers of Standard
     * Webhooks. The URL must use https and resolve to a public address. Without the scope
     * `content:read` on the calling key, events give a content as its `id` alone; without
     * `schedules:read`, a schedule as its `id`, `contentId` and `status`. A retry with the same
     * `Idempotency-Key` returns the secret for 10 minutes, then the record without it.
     *
     * Scope: `webhooks:write`.
     */
    create(body: CreateWebhook, options?: WriteOptions): Promise<WebhookWithSecret>;
    /**
     * List webhook endpoints, newest first.
     *
     * The secrets are not included.
     *
     * Scope: `webhooks:write`.
     */
    list(query?: ListWebhooksQuery, options?: CallOptions): Pages<Webhook>;
    /**
     * Get one endpoint.
     *
     * The secret is not included.
     *
     * Scope: `webhooks:write`.
     */
    get(id: string, options?: CallOptions): Promise<Webhook>;
    /**
     * Update, enable or disable an endpoint.
     *
     * Disabling ends its pending deliveries as `failed`. A new `url` receives only what the calling
     * key may read.
     *
     * Scope: `webhooks:write`.
     */
    update(id: string, body: UpdateWebhook, options?: CallOptions): Promise<Webhook>;
    /**
     * Delete an endpoint.
     *
     * Nothing more is delivered to it.
     *
     * Scope: `webhooks:write`.
     */
    delete(id: string, options?: CallOptions): Promise<Deleted>;
    /**
     * Send a test event and return the delivery attempt.
     *
     * Waits for the receiver and returns its response.
     *
     * Scope: `webhooks:write`.
     */
    test(id: string, options?: WriteOptions): Promise<DeliveryAttempt>;
    /**
     * Rotate the secret; both sign until the overlap ends.
     *
     * Both secrets sign for `overlapHours` (default 24), then only the new one. A retry with the same
     * `Idempotency-Key` returns the secret for 10 minutes, then the record without it.
     *
     * Scope: `webhooks:write`.
     */
    rotate(id: string, body?: RotateWebhook, options?: WriteOptions): Promise<WebhookWithSecret>;
    /**
     * List the deliveries of an endpoint, newest first.
     *
     * Each with its attempts, what is sent, what the endpoint answered last and, while `pending`, the
     * time of the next attempt. For a key without `content:read`, `request` gives a content as its
     * `id` alone; without `schedules:read`, a schedule as its `id`, `contentId` and `status`.
     *
     * Scope: `webhooks:write`.
     */
    listDeliveries(id: string, query?: ListDeliveriesQuery, options?: CallOptions): Pages<Delivery>;
    /**
     * Send a delivery again.
     *
     * Queued immediately, with the original event id.
     *
     * Scope: `webhooks:write`.
     */
    replayDelivery(id: string, deliveryId: string, options?: WriteOptions): Promise<Delivery>;
    /**
     * Send all deliveries since a time again.
     *
     * Queues every delivery of the endpoint that was made at `since` or later and failed, with the
     * original event ids. `status: "all"` adds those that the endpoint accepted. More than 10,000 are
     * 400 `invalid_request`. The endpoint must be enabled.
     *
     * Scope: `webhooks:write`.
     */
    replay(id: string, body: ReplayWebhook, options?: WriteOptions): Promise<ReplayWebhookResult>;
}
export declare class EventsResource {
    protected readonly transport: Transport;
    constructor(transport: Transport);
    /**
     * Read the event feed, oldest first or newest first.
     *
     * Pass the last `nextCursor` as `after` to continue. It is a string even when there is nothing
     * more yet. Without the scope `content:read`, a content is given as its `id` alone; without
     * `schedules:read`, a schedule as its `id`, `contentId` and `status`.
     *
     * Scope: `webhooks:write`.
     */
    list(query?: ListEventsQuery, options?: CallOptions): Pages<HooklineEvent>;
}
export declare class AnalyticsResource {
    protected readonly transport: Transport;
    constructor(transport: Transport);
    /**
     * Get views, likes and comments for a period.
     *
     * Posts published within the window, which ends today (UTC), with their latest numbers.
     *
     * Scope: `analytics:read`.
     */
    summary(query?: GetAnalyticsSummaryQuery, options?: CallOptions): Promise<AnalyticsSummary>;
    /**
     * Get the metrics of one video on every platform.
     *
     * By the `videoId` given to `POST /analytics/posts`. It is not a content id.
     *
     * Scope: `analytics:read`.
     */
    video(videoId: string, options?: CallOptions): Promise<VideoAnalytics>;
    /**
     * List registered posts with their latest numbers, newest first.
     *
     * In the order in which they were registered. A number that the platform hides is null.
     *
     * Scope: `analytics:read`.
     */
    listPosts(query?: ListPostsQuery, options?: CallOptions): Pages<MeasuredPost>;
    /**
     * Get the numbers of all posts day by day.
     *
     * One row for each UTC day, oldest first: running totals of all registered posts at the end of the
     * day, so the difference of two rows is what was gained between them. A day without a measurement
     * repeats the numbers before it; days after today are left out.
     *
     * Scope: `analytics:read`.
     */
    getSeries(query?: GetSeriesQuery, options?: CallOptions): Promise<SeriesDay[]>;
}
export declare class SessionAnalyticsResource {
    protected readonly transport: Transport;
    constructor(transport: Transport);
    /**
     * Register a published post for measurement.
     *
     * An Instagram post needs a connected source.
     */
    registerPost(body: RegisterPost, options?: WriteOptions): Promise<PublishedPost>;
    /**
     * Connect an Instagram account as a source of metrics.
     *
     * The token is verified at the platform, stored encrypted and refreshed.
     */
    createSource(body: CreateSource, options?: WriteOptions): Promise<MetricSource>;
    /**
     * List metric sources, newest first.
     *
     * The tokens are not included.
     */
    listSources(query?: ListSourcesQuery, options?: CallOptions): Pages<MetricSource>;
    /**
     * Delete a metric source.
     *
     * Its stored token is deleted.
     */
    deleteSource(id: string, options?: CallOptions): Promise<Deleted>;
}
