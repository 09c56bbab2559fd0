// Made by "npm run generate" from packages/shared/src/contracts: change it there.

import type { Pages } from '../pages.ts';
import type { CallOptions, Transport, WriteOptions } from '../transport.ts';
import type {
  Accepted,
  AcceptedInvitation,
  AcceptInvitation,
  Account,
  AddDeckPost,
  AddPhone,
  AnalyticsSummary,
  ApiKey,
  ApiKeyWithSecret,
  App,
  AuditEvent,
  Automation,
  ChangePassword,
  ChangeTextModel,
  Comment,
  CompareDecksQuery,
  ConfirmAutomation,
  ConfirmByPassword,
  ConfirmByPasswordInput,
  ConfirmPasswordReset,
  ConnectTiktok,
  Content,
  ContentBatch,
  ContentCounts,
  ContentMoment,
  CreateApp,
  CreateAutomation,
  CreateComment,
  CreateContent,
  CreateContentBatch,
  CreatedSchedule,
  CreateInvitation,
  CreateKey,
  CreateReviewLink,
  CreateSchedule,
  CreateSource,
  CreateWebhook,
  Credits,
  CurrentSession,
  DecideByReviewLink,
  DeckComparison,
  DeckResults,
  Deleted,
  Delivery,
  DeliveryAttempt,
  EditContent,
  EndedSessions,
  EnterResults,
  Experiment,
  FinishTiktok,
  Firing,
  FiringTime,
  FreeSlot,
  GetAnalyticsSummaryQuery,
  GetSeriesQuery,
  HooklineEvent,
  Invitation,
  InvitationWithUrl,
  Job,
  LedgerRow,
  ListAccountsQuery,
  ListAppsQuery,
  ListAuditQuery,
  ListAutomationsQuery,
  ListCommentsQuery,
  ListContentQuery,
  ListDeliveriesQuery,
  ListEventsQuery,
  ListFiringsQuery,
  ListFreeSlotsQuery,
  ListInvitationsQuery,
  ListKeysQuery,
  ListLedgerQuery,
  ListMembersQuery,
  ListNextFiringsQuery,
  ListPicturesQuery,
  ListPostsQuery,
  ListReviewLinksQuery,
  ListSchedulesQuery,
  ListSessionsQuery,
  ListSourcesQuery,
  ListWebhooksQuery,
  MarkPosted,
  MeasuredPost,
  Member,
  MetricSource,
  NextFiring,
  Notifications,
  OpenReviewLink,
  Picture,
  Preflight,
  PreflightContentQuery,
  PreviewAutomationQuery,
  PublishedPost,
  Push,
  RegisterPost,
  Rejection,
  RemovedMember,
  ReplayWebhook,
  ReplayWebhookResult,
  RequestChanges,
  RequestPasswordReset,
  Review,
  ReviewApp,
  ReviewLink,
  ReviewLinkWithUrl,
  RevokedKey,
  RotateWebhook,
  Schedule,
  ScheduleWithTimeline,
  SeriesDay,
  SessionOfPerson,
  SetTextModel,
  SharedDeck,
  SignedIn,
  SignIn,
  SignUp,
  StartExperiment,
  StartedExperiment,
  SubscribePush,
  Template,
  TextModel,
  TextModelTest,
  TiktokConnection,
  UpdateAccount,
  UpdateApp,
  UpdateAutomation,
  UpdateMember,
  UpdateNotifications,
  UpdateSchedule,
  UpdateWebhook,
  UpdateWorkspace,
  Usage,
  User,
  VerifyEmail,
  VideoAnalytics,
  Webhook,
  WebhookWithSecret,
  WorkOfKey,
  Workspace,
  WorkspaceExport,
  WorkspaceOfPerson,
} from './types.ts';

export class SessionAuthResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Change the password.
   *
   * Ends the other sessions of the person. A wrong `current` is 400 and counts as a failed sign-in.
   */
  changePassword(body: ChangePassword, options: CallOptions = {}): Promise<User> {
    return this.transport.send('POST', '/auth/password', { body }, options);
  }

  /**
   * Send a link that sets a new password.
   *
   * The answer is the same for every address. The link is mailed if somebody has signed up with it,
   * at most three times an hour, and is valid for an hour.
   */
  requestPasswordReset(body: RequestPasswordReset, options: CallOptions = {}): Promise<Accepted> {
    return this.transport.send('POST', '/auth/password-reset', { body }, options);
  }

  /**
   * Set a new password with the token of a link.
   *
   * Works once. Ends every session of the person.
   */
  confirmPasswordReset(body: ConfirmPasswordReset, options: CallOptions = {}): Promise<User> {
    return this.transport.send('POST', '/auth/password-reset/confirm', { body }, options);
  }

  /**
   * Get the current session.
   *
   * Returns the user and the session that the token belongs to, and its workspace.
   */
  getSession(options: CallOptions = {}): Promise<CurrentSession> {
    return this.transport.send('GET', '/auth/session', {}, options);
  }

  /**
   * List the sessions of the person, newest first.
   *
   * Sessions that have ended are left out. All workspaces are included. A person has at most 50: the
   * next one ends the oldest.
   */
  listSessions(query: ListSessionsQuery = {}, options: CallOptions = {}): Pages<SessionOfPerson> {
    return this.transport.list('/auth/sessions', query, 'cursor', options);
  }

  /**
   * End all other sessions of the person.
   *
   * Ends every session but the one that asks. Their tokens are no longer accepted.
   */
  endOtherSessions(options: CallOptions = {}): Promise<EndedSessions> {
    return this.transport.send('DELETE', '/auth/sessions', {}, options);
  }

  /**
   * End one session of the person.
   *
   * Its token is no longer accepted.
   */
  endSession(id: string, options: CallOptions = {}): Promise<Deleted> {
    return this.transport.send('DELETE', `/auth/sessions/${encodeURIComponent(id)}`, {}, options);
  }

  /**
   * Sign in.
   *
   * An unknown e-mail address and a wrong password get the same response. After 10 failures for an
   * e-mail address from one network address within 15 minutes: 429 to that address. Beyond 100 from
   * anywhere, an address that never signed in to it gets one try in 10 seconds.
   */
  signIn(body: SignIn, options: CallOptions = {}): Promise<SignedIn> {
    return this.transport.send('POST', '/auth/sign-in', { body }, options);
  }

  /**
   * End the current session.
   *
   * The token is no longer accepted.
   */
  signOut(options: CallOptions = {}): Promise<Deleted> {
    return this.transport.send('POST', '/auth/sign-out', {}, options);
  }

  /**
   * Create a user and sign in.
   *
   * Creates a user with its own workspace and 25 credits (the operator can set another number).
   * Where the operator allows sign-up by invitation only, or not at all: 403.
   */
  signUp(body: SignUp, options: CallOptions = {}): Promise<SignedIn> {
    return this.transport.send('POST', '/auth/sign-up', { body }, options);
  }

  /**
   * Prove an e-mail address with the token of a link.
   *
   * The link is mailed at sign-up where the operator requires it. It works once, with a session of
   * the person whom it is for, or with the password.
   */
  verifyEmail(body: VerifyEmail, options: CallOptions = {}): Promise<User> {
    return this.transport.send('POST', '/auth/verify-email', { body }, options);
  }

  /**
   * Accept an invitation.
   *
   * Without a session: `password` is the one of the person who signed up with the invited address,
   * or a new one of 10 to 200 characters, and a session in the workspace is returned. With a
   * session: no `password`, and the session enters the workspace (200, without a token).
   */
  acceptInvitation(body: AcceptInvitation, options: CallOptions = {}): Promise<AcceptedInvitation> {
    return this.transport.send('POST', '/auth/invitations/accept', { body }, options);
  }

  /**
   * List the workspaces of the person.
   *
   * At most 100, the one joined first at the top. `current` is the workspace of this session.
   */
  listOwnWorkspaces(options: CallOptions = {}): Promise<WorkspaceOfPerson[]> {
    return this.transport.send('GET', '/auth/workspaces', {}, options);
  }

  /**
   * Go on in another workspace.
   *
   * Changes the workspace of this session. Keys are not affected: a key belongs to one workspace.
   */
  enterWorkspace(id: string, options: CallOptions = {}): Promise<WorkspaceOfPerson> {
    return this.transport.send('POST', `/auth/workspaces/${encodeURIComponent(id)}/enter`, {}, options);
  }
}

export class SessionKeysResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Create an API key; the plaintext is shown once.
   *
   * Grant only the scopes that the key needs. The key is stored as a hash and cannot be shown again:
   * a retry with the same `Idempotency-Key` returns the record without `key`. Only scopes that your
   * role has can be granted; the key loses those that your role loses. A workspace has at most 50
   * live keys.
   */
  create(body: CreateKey, options: WriteOptions = {}): Promise<ApiKeyWithSecret> {
    return this.transport.send('POST', '/keys', { body, takesKey: true }, options);
  }

  /**
   * List API keys, newest first.
   *
   * Includes revoked and expired keys. The plaintext is never included. An owner sees every key,
   * other members their own.
   */
  list(query: ListKeysQuery = {}, options: CallOptions = {}): Pages<ApiKey> {
    return this.transport.list('/keys', query, 'cursor', options);
  }

  /**
   * Revoke an API key immediately.
   *
   * The next request with the key gets 401 `key_revoked`, on every gateway. The record is kept, with
   * `revokedAt`. An owner can revoke every key, other members their own. `?withWhatItMade=true` also
   * pauses the automations and disables the webhooks that the key made or changed, and withdraws the
   * waiting schedules that `GET /keys/{id}/work` lists, as far as the role of the caller may. A
   * repeat for a revoked key does the rest.
   */
  revoke(
    id: string,
    options: CallOptions & { withWhatItMade?: boolean | undefined } = {},
  ): Promise<RevokedKey> {
    return this.transport.send(
      'DELETE',
      `/keys/${encodeURIComponent(id)}`,
      { query: { withWhatItMade: options.withWhatItMade } },
      options,
    );
  }

  /**
   * List what a key made that still works.
   *
   * The automations and webhooks that the key made or changed, and the waiting schedules that it
   * made, moved or retried, or that an automation asked for after the key made or changed it.
   * Nothing is listed that was deleted, or made before its maker was recorded. An owner can ask
   * about every key, other members about their own; webhooks are listed to owners.
   */
  getWorkOf(id: string, options: CallOptions = {}): Promise<WorkOfKey> {
    return this.transport.send('GET', `/keys/${encodeURIComponent(id)}/work`, {}, options);
  }
}

export class SessionAuditResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Read the audit log, oldest first or newest first.
   *
   * Who did what: sign-ins, keys, members, policy, decisions on content, connected accounts, secrets
   * of webhooks. What another service did appears a moment after it happened, with its own `at`.
   * Rows are kept for `AUDIT_RETENTION_DAYS`. `nextCursor` is always set: pass it as `after` to go
   * on.
   */
  list(query: ListAuditQuery = {}, options: CallOptions = {}): Pages<AuditEvent> {
    return this.transport.list('/audit', query, 'after', options);
  }
}

export class SessionWorkspaceResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Get the workspace of the session.
   *
   * Every key, app, content and account belongs to one workspace.
   */
  get(options: CallOptions = {}): Promise<Workspace> {
    return this.transport.send('GET', '/workspace', {}, options);
  }

  /**
   * Change the name, time zone or approval policy, or stop every post.
   *
   * Only the given fields change. `approvalPolicy.preset` sets every field of the policy: `open` is
   * the default, `strict` is `people_only`, `true`, `approved_only`, `false`; fields given beside it
   * come on top. Once `sendingPaused: true` is answered, no new post begins; one whose call to
   * TikTok has begun is settled. `false` lets what waits go on.
   */
  update(body: UpdateWorkspace, options: CallOptions = {}): Promise<Workspace> {
    return this.transport.send('PATCH', '/workspace', { body }, options);
  }

  /**
   * Delete the workspace in seven days.
   *
   * Until `deletion.deletesAt` the workspace is frozen: reads and exports work, every other request
   * is 409, automations skip their slots, and schedules that fall due fail as retryable
   * (`workspace_frozen`). Then everything in it is deleted, and people without another workspace
   * are, too. Somebody who signs in at an OIDC issuer has no password and needs a sign-in of the
   * last 10 minutes (403). A repeat changes nothing.
   */
  delete(body: ConfirmByPassword = {}, options: CallOptions = {}): Promise<Workspace> {
    return this.transport.send('DELETE', '/workspace', { body }, options);
  }

  /**
   * Export the workspace.
   *
   * The link needs no session and works for 24 h, one download at a time. The archive has the
   * records as the API answers them, as NDJSON of up to 100 per file in a folder per kind, and the
   * images; no secrets. A download that is cut off ends with a damaged archive: begin it again. At
   * most 5 in 24 h (429).
   */
  createExport(options: WriteOptions = {}): Promise<WorkspaceExport> {
    return this.transport.send('POST', '/workspace/exports', { takesKey: true }, options);
  }

  /**
   * Get an export.
   *
   * Not found once it has expired.
   */
  getExport(id: string, options: CallOptions = {}): Promise<WorkspaceExport> {
    return this.transport.send('GET', `/workspace/exports/${encodeURIComponent(id)}`, {}, options);
  }

  /**
   * Invite somebody to the workspace.
   *
   * The link is valid for 7 days and works once, for whoever has it. A retry with the same
   * `Idempotency-Key` returns the record without `url`. A workspace has at most 100 open
   * invitations, one for each address.
   */
  createInvitation(body: CreateInvitation, options: WriteOptions = {}): Promise<InvitationWithUrl> {
    return this.transport.send('POST', '/workspace/invitations', { body, takesKey: true }, options);
  }

  /**
   * List open invitations, newest first.
   *
   * Without those that were accepted or deleted. The link is never included.
   */
  listInvitations(query: ListInvitationsQuery = {}, options: CallOptions = {}): Pages<Invitation> {
    return this.transport.list('/workspace/invitations', query, 'cursor', options);
  }

  /**
   * Withdraw an invitation.
   *
   * Its link no longer works.
   */
  deleteInvitation(id: string, options: CallOptions = {}): Promise<Deleted> {
    return this.transport.send('DELETE', `/workspace/invitations/${encodeURIComponent(id)}`, {}, options);
  }

  /**
   * List members, newest first.
   *
   * Everyone who can sign in to this workspace.
   */
  listMembers(query: ListMembersQuery = {}, options: CallOptions = {}): Pages<Member> {
    return this.transport.list('/workspace/members', query, 'cursor', options);
  }

  /**
   * Change the role of a member.
   *
   * Takes effect at once, for the sessions of the member and for the keys that the member created:
   * such a key keeps only the scopes that the role still has. The last owner stays owner (409).
   */
  updateMember(userId: string, body: UpdateMember, options: CallOptions = {}): Promise<Member> {
    return this.transport.send(
      'PATCH',
      `/workspace/members/${encodeURIComponent(userId)}`,
      { body },
      options,
    );
  }

  /**
   * Remove a member.
   *
   * Ends the sessions that the member has in this workspace and revokes the keys that the member
   * created; their ids are in `revokedKeyIds`. The last owner cannot leave (409).
   */
  removeMember(userId: string, options: CallOptions = {}): Promise<RemovedMember> {
    return this.transport.send('DELETE', `/workspace/members/${encodeURIComponent(userId)}`, {}, options);
  }

  /**
   * Get your notification settings.
   *
   * The choice of the person of the session, in the workspace of the session.
   */
  getNotifications(options: CallOptions = {}): Promise<Notifications> {
    return this.transport.send('GET', '/workspace/notifications', {}, options);
  }

  /**
   * Update your notification settings.
   *
   * `decksWaiting` is about content that waits for approval: `instant` mails at once, at most every
   * 15 minutes; `daily` at 09:00 in the time zone of the workspace; `off`, the default, never.
   * Nothing is mailed while nothing waits. `weekly`, the default, mails an owner on Mondays at 09:00
   * what was posted, what it brought and what waits. `postDue`, the default, mails whoever may post
   * when a post is due on a phone. An address that is not proven yet is mailed a link that proves it
   * first.
   */
  updateNotifications(body: UpdateNotifications, options: CallOptions = {}): Promise<Notifications> {
    return this.transport.send('PATCH', '/workspace/notifications', { body }, options);
  }

  /**
   * Undo the deletion of the workspace.
   *
   * Keys, members, automations and schedules work as before. Slots and schedules that fell due in
   * between are not made up for: retry the failed schedules. Confirmed as `DELETE /workspace` is.
   * Does nothing when no deletion was requested.
   */
  restore(body: ConfirmByPasswordInput = {}, options: CallOptions = {}): Promise<Workspace> {
    return this.transport.send('POST', '/workspace/restore', { body }, options);
  }

  /**
   * Send notifications to this browser.
   *
   * Takes the `PushSubscription` of the browser as JSON, for as long as its session lives; a second
   * one replaces the first. A push service that answers 404 or 410 ends it.
   */
  subscribePush(body: SubscribePush, options: CallOptions = {}): Promise<Push> {
    return this.transport.send('PUT', '/workspace/notifications/browser', { body }, options);
  }

  /**
   * Send no notifications to this browser.
   *
   * Other browsers of the person are not affected.
   */
  unsubscribePush(options: CallOptions = {}): Promise<Push> {
    return this.transport.send('DELETE', '/workspace/notifications/browser', {}, options);
  }

  /**
   * Get the text model of the workspace.
   *
   * Which model writes the decks of the workspace. The key is never answered.
   */
  getTextModel(options: CallOptions = {}): Promise<TextModel> {
    return this.transport.send('GET', '/workspace/text-model', {}, options);
  }

  /**
   * Connect a text model.
   *
   * Writes one short sentence with it first: what the provider refuses is a 400 with its words, and
   * nothing is saved. `baseUrl` and `model` have defaults, except for `custom`. Without `apiKey` the
   * stored key stays, as long as provider and address do. The answer waits for the model, at most
   * `LLM_BUDGET_SECONDS`.
   */
  setTextModel(body: SetTextModel, options: CallOptions = {}): Promise<TextModel> {
    return this.transport.send('PUT', '/workspace/text-model', { body }, options);
  }

  /**
   * Choose whether the writer learns from results.
   *
   * With `learns: false`, hooks and structures are chosen as if no results were known, by a model
   * and by the built-in composer.
   */
  changeTextModel(body: ChangeTextModel, options: CallOptions = {}): Promise<TextModel> {
    return this.transport.send('PATCH', '/workspace/text-model', { body }, options);
  }

  /**
   * Remove the text model of the workspace.
   *
   * The key is erased. The installation's model writes again, or the built-in composer.
   */
  deleteTextModel(options: CallOptions = {}): Promise<TextModel> {
    return this.transport.send('DELETE', '/workspace/text-model', {}, options);
  }

  /**
   * Test the text model.
   *
   * Writes one short sentence with the model that writes the decks now. A failure is an answer too,
   * with `ok: false`.
   */
  testTextModel(options: CallOptions = {}): Promise<TextModelTest> {
    return this.transport.send('POST', '/workspace/text-model/test', {}, options);
  }
}

export class AppsResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Import an app from its store page.
   *
   * Costs no credits. Takes exactly one of `appStoreUrl`, an App Store or Google Play address that
   * is read, and `listing`, given by hand. Derives up to 15 hooks from it. A page that was read
   * within the last 6 hours is not read again. An account has at most 100 apps.
   *
   * Scope: `apps:write`.
   */
  create(body: CreateApp, options: WriteOptions = {}): Promise<App> {
    return this.transport.send('POST', '/apps', { body, takesKey: true }, options);
  }

  /**
   * List apps, newest first.
   *
   * Without `seedHooks`; read one app to get them.
   *
   * Scope: `apps:read`.
   */
  list(query: ListAppsQuery = {}, options: CallOptions = {}): Pages<App> {
    return this.transport.list('/apps', query, 'cursor', options);
  }

  /**
   * Get one app with its seed hooks.
   *
   * `seedHooks` are the hooks that were derived from the listing, without those that have one of
   * `brand.avoidWords`.
   *
   * Scope: `apps:read`.
   */
  get(id: string, options: CallOptions = {}): Promise<App> {
    return this.transport.send('GET', `/apps/${encodeURIComponent(id)}`, {}, options);
  }

  /**
   * Change an app.
   *
   * Fields that are not given keep their value, those of `brand` too; `null` clears. Colours with a
   * contrast below 4.5:1 are refused. Slides that were drawn before keep their look until an edit
   * changes the text of one: then all of the deck are drawn again.
   *
   * Scope: `apps:write`.
   */
  update(id: string, body: UpdateApp, options: CallOptions = {}): Promise<App> {
    return this.transport.send('PATCH', `/apps/${encodeURIComponent(id)}`, { body }, options);
  }

  /**
   * Delete an app.
   *
   * Its contents stay readable; its automations make nothing any more. 409 `invalid_request` while a
   * schedule of one of its contents waits.
   *
   * Scope: `apps:write`.
   */
  delete(id: string, options: CallOptions = {}): Promise<Deleted> {
    return this.transport.send('DELETE', `/apps/${encodeURIComponent(id)}`, {}, options);
  }

  /**
   * Upload a picture of an app.
   *
   * JPEG, PNG or WebP of at most 10 MB and 40 megapixels, as the field `file`. It is stored upright,
   * without metadata, at most 2160 × 3840 px. An app has at most 50 pictures and its newest 500
   * slides. 415 `unsupported_image_format`, 413 `image_too_large`, 400 for one that cannot be
   * decoded.
   *
   * Scope: `apps:write`.
   */
  addPicture(
    id: string,
    file: Blob | Uint8Array,
    options: WriteOptions & { kind?: 'upload' | 'slide' | undefined } = {},
  ): Promise<Picture> {
    return this.transport.send(
      'POST',
      `/apps/${encodeURIComponent(id)}/pictures`,
      { file, query: { kind: options.kind }, takesKey: true },
      options,
    );
  }

  /**
   * List the pictures of an app, newest first.
   *
   * Uploaded ones, and the screenshots of the store page, which are fetched some seconds after the
   * import. The links are signed and expire after 48 h.
   *
   * Scope: `apps:read`.
   */
  listPictures(id: string, query: ListPicturesQuery = {}, options: CallOptions = {}): Pages<Picture> {
    return this.transport.list(`/apps/${encodeURIComponent(id)}/pictures`, query, 'cursor', options);
  }

  /**
   * Delete a picture of an app.
   *
   * Slides that show it stay as they are.
   *
   * Scope: `apps:write`.
   */
  deletePicture(id: string, pictureId: string, options: CallOptions = {}): Promise<Deleted> {
    return this.transport.send(
      'DELETE',
      `/apps/${encodeURIComponent(id)}/pictures/${encodeURIComponent(pictureId)}`,
      {},
      options,
    );
  }

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
  refresh(id: string, options: WriteOptions = {}): Promise<App> {
    return this.transport.send(
      'POST',
      `/apps/${encodeURIComponent(id)}/refresh`,
      { takesKey: true },
      options,
    );
  }

  /**
   * Accept what others changed in an app.
   *
   * Ends the marks of the given items of `unreviewed`. One that is not there any more is passed
   * over. The approval policy of the workspace applies as to a slideshow: it may ask for a person,
   * for `at`, or for somebody who did not make the change. A mark also ends when a slideshow that
   * shows the item is approved, but not by a review link: a picture, a name, or a handle, logo,
   * fonts or colours that it was drawn with. No slideshow shows a whole listing, `brand.voice` or
   * `brand.avoidWords`.
   *
   * Scope: `content:approve`.
   */
  review(id: string, body: ReviewApp, options: WriteOptions = {}): Promise<App> {
    return this.transport.send(
      'POST',
      `/apps/${encodeURIComponent(id)}/review`,
      { body, takesKey: true },
      options,
    );
  }
}

export class TemplatesResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * List the templates of slide images.
   *
   * Each with sample slides. `brief.templateId` names one of them.
   *
   * Scope: `content:read`.
   */
  list(options: CallOptions = {}): Promise<Template[]> {
    return this.transport.send('GET', '/templates', {}, options);
  }
}

export class ContentResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Generate a slideshow (1 credit, charged only on success).
   *
   * Responds when the slideshow is `ready` or `failed`, within 8 s unless a text model is given more
   * time. Only with a `templateId` slide images are rendered, which posting requires. `illustrated`
   * and `hook_video` return 201 with `status: "failed"` and a notice, and cost nothing.
   *
   * Scope: `content:write`.
   */
  create(body: CreateContent, options: WriteOptions = {}): Promise<Content> {
    return this.transport.send('POST', '/content', { body, takesKey: true }, options);
  }

  /**
   * List content, newest first.
   *
   * Each row is complete, with its texts and its slide images. The filters can be combined.
   * `approvalStatus=pending` returns what waits for a decision: only content that is `ready` and
   * without `changesRequested`, unless that is asked for.
   *
   * Scope: `content:read`.
   */
  list(query: ListContentQuery = {}, options: CallOptions = {}): Pages<Content> {
    return this.transport.list('/content', query, 'cursor', options);
  }

  /**
   * Count content by approval.
   *
   * Each number is exact up to 10,000; 10,000 means that or more. `pending` counts what `GET
   * /content?approvalStatus=pending` lists.
   *
   * Scope: `content:read`.
   */
  count(options: CallOptions = {}): Promise<ContentCounts> {
    return this.transport.send('GET', '/content/counts', {}, options);
  }

  /**
   * Get one content.
   *
   * The links in `images` are signed and expire after 48 h.
   *
   * Scope: `content:read`.
   */
  get(id: string, options: CallOptions = {}): Promise<Content> {
    return this.transport.send('GET', `/content/${encodeURIComponent(id)}`, {}, options);
  }

  /**
   * Edit texts, pictures, positions, order or template; renders again and needs a new approval.
   *
   * Each field that is sent replaces the former value: `bodySlides` all slides between the first and
   * the closing one, in the new order, with their pictures and positions. Increments `version`,
   * renders again and resets `approvalStatus` to `pending`. Costs nothing. A pending schedule is
   * held until the new version is approved. `?dryRun=true` returns the record as it would be, with
   * images whose links are valid for 10 minutes, and changes nothing.
   *
   * Scope: `content:write`.
   */
  update(
    id: string,
    body: EditContent,
    options: CallOptions & { dryRun?: boolean | undefined } = {},
  ): Promise<Content> {
    return this.transport.send(
      'PATCH',
      `/content/${encodeURIComponent(id)}`,
      { body, query: { dryRun: options.dryRun } },
      options,
    );
  }

  /**
   * Approve the current version.
   *
   * If `version` is given and is not the current one: 409 `not_ready`. The same if `approvalStatus`
   * is given and somebody has decided otherwise since. The approval policy of the workspace may ask
   * for a person, for `version`, or for somebody who neither made nor last edited the version.
   *
   * Scope: `content:approve`.
   */
  approve(id: string, body: Review = {}, options: WriteOptions = {}): Promise<Content> {
    return this.transport.send(
      'POST',
      `/content/${encodeURIComponent(id)}/approve`,
      { body, takesKey: true },
      options,
    );
  }

  /**
   * Duplicate a slideshow (1 credit).
   *
   * Makes a content with the texts, slides and `writer` of a `ready` one, whatever became of that.
   * It is `pending` at version 1, and belongs to no automation.
   *
   * Scope: `content:write`.
   */
  duplicate(id: string, options: WriteOptions = {}): Promise<Content> {
    return this.transport.send(
      'POST',
      `/content/${encodeURIComponent(id)}/duplicate`,
      { takesKey: true },
      options,
    );
  }

  /**
   * Check what would prevent this content from being posted.
   *
   * Runs the checks of `POST /schedules` without creating a schedule. Without `tiktokAccountId` only
   * the deck is checked.
   *
   * Scope: `content:read`.
   */
  preflight(id: string, query: PreflightContentQuery = {}, options: CallOptions = {}): Promise<Preflight> {
    return this.transport.send('GET', `/content/${encodeURIComponent(id)}/preflight`, { query }, options);
  }

  /**
   * Reject the current version.
   *
   * As approving, with an optional `reason`. The same decision again changes nothing.
   *
   * Scope: `content:approve`.
   */
  reject(id: string, body: Rejection = {}, options: WriteOptions = {}): Promise<Content> {
    return this.transport.send(
      'POST',
      `/content/${encodeURIComponent(id)}/reject`,
      { body, takesKey: true },
      options,
    );
  }

  /**
   * Ask for another version of a pending content.
   *
   * The content leaves the approval queue until its next version: `approvalStatus` stays `pending`,
   * and `changesRequested` says why. A later request replaces the reason, and a decision ends it.
   * 409 `not_ready` for what is approved or rejected. Of the approval policy, `approvers` and
   * `requireVersion` apply.
   *
   * Scope: `content:approve`.
   */
  requestChanges(id: string, body: RequestChanges, options: WriteOptions = {}): Promise<Content> {
    return this.transport.send(
      'POST',
      `/content/${encodeURIComponent(id)}/request-changes`,
      { body, takesKey: true },
      options,
    );
  }

  /**
   * Generate slideshows from a list (1 credit each, charged only on success).
   *
   * Responds at once: `outcomes` has a job or an error for each of `items`, in their order. One that
   * is refused stops no other. `GET /jobs/{id}` and `job.completed` tell what became of a job. Each
   * item has a key of its own, derived from the `Idempotency-Key` and its place: with the same list
   * and key, those that were refused are tried again, even corrected, and the others answer the job
   * of the first time. The decks of a list take turns with everything else that waits to be made.
   *
   * Scope: `content:write`.
   */
  createBatch(body: CreateContentBatch, options: WriteOptions = {}): Promise<ContentBatch> {
    return this.transport.send('POST', '/content/batch', { body, takesKey: true }, options);
  }

  /**
   * Get what happened to a content, oldest first.
   *
   * From its making to the delivery of its posts, at most the newest 1,000 entries. `GET
   * /schedules/{id}` has every attempt of one schedule.
   *
   * Scope: `content:read`.
   */
  getTimeline(id: string, options: CallOptions = {}): Promise<ContentMoment[]> {
    return this.transport.send('GET', `/content/${encodeURIComponent(id)}/timeline`, {}, options);
  }

  /**
   * Name the post of a deck on YouTube or Instagram.
   *
   * Its numbers are read from then on; `GET /analytics/content/{videoId}` has them under the id of
   * the deck. An Instagram post must be of a connected source.
   *
   * Scope: `content:write`.
   */
  addDeckPost(id: string, body: AddDeckPost, options: WriteOptions = {}): Promise<PublishedPost> {
    return this.transport.send(
      'POST',
      `/content/${encodeURIComponent(id)}/posts`,
      { body, takesKey: true },
      options,
    );
  }

  /**
   * Enter what a deck brought.
   *
   * The running totals of the post of an approved deck, as the platform shows them. They replace
   * those kept; numbers that were read before those kept change nothing. Answers what is kept.
   *
   * Scope: `content:write`.
   */
  enterResults(id: string, body: EnterResults, options: WriteOptions = {}): Promise<DeckResults> {
    return this.transport.send(
      'POST',
      `/content/${encodeURIComponent(id)}/results`,
      { body, takesKey: true },
      options,
    );
  }

  /**
   * Get what a deck brought.
   *
   * The newest numbers of the first post of an approved deck, or null. TikTok tells those of public
   * posts where the account allows it (`video.list`); those of private posts and of posts by phone
   * are null until somebody enters them. 404 for a deck that was never approved.
   *
   * Scope: `content:read`.
   */
  getResults(id: string, options: CallOptions = {}): Promise<DeckResults | null> {
    return this.transport.send('GET', `/content/${encodeURIComponent(id)}/results`, {}, options);
  }

  /**
   * Compare hooks on purpose (1 credit for each copy).
   *
   * Names which decks are compared, two or three hooks between them, and after how many hours their
   * views are read, before any is posted. `hooks` makes copies of the deck that differ by nothing
   * else, and wait for approval. Each deck must be `ready` and takes part in one experiment. Post
   * them as usual, each copy on another account: 409 `already_scheduled` where the account has the
   * same slides within 90 days.
   *
   * Scope: `content:write`.
   */
  startExperiment(id: string, body: StartExperiment, options: WriteOptions = {}): Promise<StartedExperiment> {
    return this.transport.send(
      'POST',
      `/content/${encodeURIComponent(id)}/experiment`,
      { body, takesKey: true },
      options,
    );
  }

  /**
   * Make a link that shows the current version to somebody without an account.
   *
   * It ends with its time, with the next version, and with the membership or key of its maker. With
   * `mayDecide` whoever has it approves or rejects, signed with the name that they give; the
   * approval policy counts that as a decision of the maker, who must be allowed to take it. A
   * content has at most 20 open links.
   *
   * Scope: `content:write` or `content:approve`.
   */
  createReviewLink(
    id: string,
    body: CreateReviewLink,
    options: WriteOptions = {},
  ): Promise<ReviewLinkWithUrl> {
    return this.transport.send(
      'POST',
      `/content/${encodeURIComponent(id)}/review-links`,
      { body, takesKey: true },
      options,
    );
  }

  /**
   * List the review links of a content, newest first.
   *
   * Lists links that have not expired. The address is never included.
   *
   * Scope: `content:write` or `content:approve`.
   */
  listReviewLinks(
    id: string,
    query: ListReviewLinksQuery = {},
    options: CallOptions = {},
  ): Pages<ReviewLink> {
    return this.transport.list(`/content/${encodeURIComponent(id)}/review-links`, query, 'cursor', options);
  }

  /**
   * Withdraw a review link.
   *
   * It opens nothing from then on. Decisions that were taken by it stay.
   *
   * Scope: `content:write` or `content:approve`.
   */
  deleteReviewLink(id: string, linkId: string, options: CallOptions = {}): Promise<Deleted> {
    return this.transport.send(
      'DELETE',
      `/content/${encodeURIComponent(id)}/review-links/${encodeURIComponent(linkId)}`,
      {},
      options,
    );
  }

  /**
   * Comment on a content or one of its slides.
   *
   * A comment changes nothing about the content. A content has at most 1,000.
   *
   * Scope: `content:write` or `content:approve`.
   */
  createComment(id: string, body: CreateComment, options: WriteOptions = {}): Promise<Comment> {
    return this.transport.send(
      'POST',
      `/content/${encodeURIComponent(id)}/comments`,
      { body, takesKey: true },
      options,
    );
  }

  /**
   * List the comments on a content, newest first.
   *
   * The list includes comments on earlier versions.
   *
   * Scope: `content:write` or `content:approve`.
   */
  listComments(id: string, query: ListCommentsQuery = {}, options: CallOptions = {}): Pages<Comment> {
    return this.transport.list(`/content/${encodeURIComponent(id)}/comments`, query, 'cursor', options);
  }
}

export class JobsResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Get the job of a content (same id).
   *
   * A job is created with its content and has the same status. `cost` is what was charged.
   *
   * Scope: `content:read`.
   */
  get(id: string, options: CallOptions = {}): Promise<Job> {
    return this.transport.send('GET', `/jobs/${encodeURIComponent(id)}`, {}, options);
  }
}

export class AnalyticsResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Compare what decks brought, by hook, its form, archetype, template, language, weekday and hour.
   *
   * Compares the newest 500 decks of the window whose numbers were read 24 h or more after the post.
   * Private posts and posts by phone count once their numbers are entered. Each value has one row,
   * the best of each kind first; hooks have the 20 best and the 20 worst.
   *
   * Scope: `analytics:read`.
   */
  compareDecks(query: CompareDecksQuery = {}, options: CallOptions = {}): Promise<DeckComparison[]> {
    return this.transport.send('GET', '/analytics/decks', { query }, options);
  }

  /**
   * List the experiments with hooks, and what they say.
   *
   * The newest 10.
   *
   * Scope: `analytics:read`.
   */
  listExperiments(options: CallOptions = {}): Promise<Experiment[]> {
    return this.transport.send('GET', '/analytics/experiments', {}, options);
  }

  /**
   * Get the metrics of one video on every platform.
   *
   * By the `videoId` given to `POST /analytics/posts`, or the id of the deck whose posts `POST
   * /content/{id}/posts` named.
   *
   * Scope: `analytics:read`.
   */
  video(videoId: string, options: CallOptions = {}): Promise<VideoAnalytics> {
    return this.transport.send('GET', `/analytics/content/${encodeURIComponent(videoId)}`, {}, options);
  }

  /**
   * List registered posts with their latest numbers, newest first.
   *
   * In the order in which they were registered. A number that the platform hides is null.
   *
   * Scope: `analytics:read`.
   */
  listPosts(query: ListPostsQuery = {}, options: CallOptions = {}): Pages<MeasuredPost> {
    return this.transport.list('/analytics/posts', query, 'cursor', options);
  }

  /**
   * Get the numbers of all posts day by day.
   *
   * One row for each UTC day, oldest first: running totals of all registered posts at the end of the
   * day, so the difference of two rows is what was gained between them. A day without a measurement
   * repeats the numbers before it; days after today are left out.
   *
   * Scope: `analytics:read`.
   */
  getSeries(query: GetSeriesQuery = {}, options: CallOptions = {}): Promise<SeriesDay[]> {
    return this.transport.send('GET', '/analytics/series', { query }, options);
  }

  /**
   * Get views, likes and comments for a period.
   *
   * The latest numbers of decks, and of posts on Instagram and YouTube, published within the window,
   * which ends today (UTC).
   *
   * Scope: `analytics:read`.
   */
  summary(query: GetAnalyticsSummaryQuery = {}, options: CallOptions = {}): Promise<AnalyticsSummary> {
    return this.transport.send('GET', '/analytics/summary', { query }, options);
  }
}

export class SessionReviewResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Approve or reject by a review link.
   *
   * Signed with `name`, which nothing proves: `approval.by` has the kind `reviewer` and the id of
   * the link. The version is that of the link; 409 `not_ready` when there is a newer one, or this
   * one was decided otherwise.
   */
  decideByLink(body: DecideByReviewLink, options: CallOptions = {}): Promise<SharedDeck> {
    return this.transport.send('POST', '/review/decide', { body }, options);
  }

  /**
   * Read what a review link shows.
   *
   * It is 404 `not_found` for a link that expired or was withdrawn, 409 `not_ready` when there is a
   * newer version. The links of the pictures end within two hours.
   */
  openLink(body: OpenReviewLink, options: CallOptions = {}): Promise<SharedDeck> {
    return this.transport.send('POST', '/review/open', { body }, options);
  }
}

export class CreditsResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Get the credit balance.
   *
   * `balance` is `granted` less `spent`. `dailyGeneration` resets at midnight UTC.
   *
   * Scope: `credits:read`.
   */
  get(options: CallOptions = {}): Promise<Credits> {
    return this.transport.send('GET', '/credits', {}, options);
  }

  /**
   * List ledger rows, newest first.
   *
   * One row for each grant and each charge. The balance is their sum.
   *
   * Scope: `credits:read`.
   */
  ledger(query: ListLedgerQuery = {}, options: CallOptions = {}): Pages<LedgerRow> {
    return this.transport.list('/credits/ledger', query, 'cursor', options);
  }
}

export class UsageResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Get what the limits leave.
   *
   * Windows of a minute: `requests_per_address`, `requests` and `generations` (`POST /content`) of
   * this key. Ceilings of the workspace: `keys` that are live and, with the scope `credits:read`,
   * `daily_generation`. A row that cannot be read now is left out.
   */
  get(options: CallOptions = {}): Promise<Usage> {
    return this.transport.send('GET', '/usage', {}, options);
  }
}

export class AccountsResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * List connected platform accounts.
   *
   * Nothing is posted to an account in `needs_reauth` or `disconnected` until it is connected again.
   */
  list(query: ListAccountsQuery = {}, options: CallOptions = {}): Pages<Account> {
    return this.transport.list('/accounts', query, 'cursor', options);
  }

  /**
   * List the next free slots of an account.
   *
   * A slot is free if no schedule of the account waits for a time less than 10 minutes away from it.
   * Empty without slots; at most 365 days ahead.
   *
   * Scope: `schedules:read`.
   */
  listFreeSlots(id: string, query: ListFreeSlotsQuery = {}, options: CallOptions = {}): Promise<FreeSlot[]> {
    return this.transport.send('GET', `/accounts/${encodeURIComponent(id)}/slots`, { query }, options);
  }
}

export class SessionAccountsResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Add an account whose posts somebody makes on a phone.
   *
   * Needs no TikTok app, so no audit. What is scheduled for it becomes `due` at its time and waits
   * until somebody posts it and says so.
   */
  addPhone(body: AddPhone, options: WriteOptions = {}): Promise<Account> {
    return this.transport.send('POST', '/accounts/phone', { body, takesKey: true }, options);
  }

  /**
   * Start connecting a TikTok account.
   *
   * Open `authorizeUrl` in a browser; TikTok sends the person back to the callback. Nothing is
   * connected until `POST /accounts/tiktok/finish`.
   */
  connectTiktok(body: ConnectTiktok = {}, options: WriteOptions = {}): Promise<TiktokConnection> {
    return this.transport.send('POST', '/accounts/tiktok/connect', { body, takesKey: true }, options);
  }

  /**
   * Finish connecting a TikTok account.
   *
   * Only for the person who began the connection, within 10 minutes, once TikTok has sent the
   * browser back. `state` is the one of the callback; on a loopback address the one of `POST
   * /accounts/tiktok/connect` works too.
   */
  finishTiktok(body: FinishTiktok, options: WriteOptions = {}): Promise<Account> {
    return this.transport.send('POST', '/accounts/tiktok/finish', { body, takesKey: true }, options);
  }

  /**
   * Set the posting slots of an account, or rename a phone account.
   *
   * Schedules that are made already keep their times. `name` is for accounts of kind `phone`; TikTok
   * names the others.
   */
  update(id: string, body: UpdateAccount, options: CallOptions = {}): Promise<Account> {
    return this.transport.send('PATCH', `/accounts/${encodeURIComponent(id)}`, { body }, options);
  }

  /**
   * Disconnect a platform account.
   *
   * Revokes the tokens at the platform, unless another workspace has the same TikTok account
   * connected. Pending schedules of the account end as `failed` with `account_not_connected`.
   */
  delete(id: string, options: CallOptions = {}): Promise<Deleted> {
    return this.transport.send('DELETE', `/accounts/${encodeURIComponent(id)}`, {}, options);
  }
}

export class SchedulesResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Schedule approved content as a draft or a direct post.
   *
   * Without `scheduledFor` or `slot` the post is sent now. `slot: "next"` takes the first free slot
   * of the account; two requests at once never take the same. `mode: "publish"` also needs the scope
   * `schedules:publish` and a `privacyLevel` that the account allows. `mode: "phone"` is for
   * accounts of kind `phone`, where it is the default: at its time the schedule becomes `due`, and
   * somebody posts the slides on a phone. `aiGenerated: false`, and under the approval policy
   * `postTexts: "approved_only"` a `title` or `description` that is not the approved text, need the
   * scope `content:approve`. `?dryRun=true` runs every check, writes nothing and returns 200 with
   * the record that would have been created (`id: null`).
   *
   * Scope: `schedules:write`.
   */
  create(
    body: CreateSchedule,
    options?: WriteOptions & { dryRun?: false | undefined },
  ): Promise<CreatedSchedule & { id: string }>;
  create(
    body: CreateSchedule,
    options: WriteOptions & { dryRun?: boolean | undefined },
  ): Promise<CreatedSchedule>;
  create(
    body: CreateSchedule,
    options: WriteOptions & { dryRun?: boolean | undefined } = {},
  ): Promise<CreatedSchedule> {
    return this.transport.send(
      'POST',
      '/schedules',
      { body, query: { dryRun: options.dryRun }, takesKey: true },
      options,
    );
  }

  /**
   * List schedules, newest first.
   *
   * Without their timelines; read one schedule to get its timeline. With `from` or `to` the rows
   * come in the order of `scheduledFor`, earliest first, and so do the pages.
   *
   * Scope: `schedules:read`.
   */
  list(query: ListSchedulesQuery = {}, options: CallOptions = {}): Pages<Schedule> {
    return this.transport.list('/schedules', query, 'cursor', options);
  }

  /**
   * Get one schedule with its timeline.
   *
   * `timeline` has every change of state, attempt and response of the platform, oldest first; of
   * more than 1,000, the newest.
   *
   * Scope: `schedules:read`.
   */
  get(id: string, options: CallOptions = {}): Promise<ScheduleWithTimeline> {
    return this.transport.send('GET', `/schedules/${encodeURIComponent(id)}`, {}, options);
  }

  /**
   * Change a waiting schedule.
   *
   * Only while `pending` or `due`; what is due waits for its time again. Only the given fields
   * change, under the checks and scopes of its creation; another content is another schedule.
   * `title` or `description: null` goes back to the text of the content. In `publish` mode it needs
   * the scope `schedules:publish`.
   *
   * Scope: `schedules:write`.
   */
  update(id: string, body: UpdateSchedule, options: CallOptions = {}): Promise<Schedule> {
    return this.transport.send('PATCH', `/schedules/${encodeURIComponent(id)}`, { body }, options);
  }

  /**
   * Withdraw a waiting schedule.
   *
   * Only while `pending` or `due`. After the response nothing is posted. With `mode: "publish"` it
   * needs the scope `schedules:publish`, as making it did.
   *
   * Scope: `schedules:write`.
   */
  delete(id: string, options: CallOptions = {}): Promise<Deleted> {
    return this.transport.send('DELETE', `/schedules/${encodeURIComponent(id)}`, {}, options);
  }

  /**
   * Record that somebody posted a schedule by phone.
   *
   * Ends a schedule of mode `phone` as `sent`, with the address of the post if given. Nothing else
   * does. Refused for a version that was not approved. A repeat returns the same record, and adds
   * the address if it had none.
   *
   * Scope: `schedules:publish`.
   */
  markPosted(id: string, body: MarkPosted = {}, options: WriteOptions = {}): Promise<Schedule> {
    return this.transport.send(
      'POST',
      `/schedules/${encodeURIComponent(id)}/posted`,
      { body, takesKey: true },
      options,
    );
  }

  /**
   * Retry a failed schedule.
   *
   * Only for a `failed` schedule whose `failure.retryable` is true. In `publish` mode it also needs
   * the scope `schedules:publish`.
   *
   * Scope: `schedules:write`.
   */
  retry(id: string, options: WriteOptions = {}): Promise<Schedule> {
    return this.transport.send(
      'POST',
      `/schedules/${encodeURIComponent(id)}/retry`,
      { takesKey: true },
      options,
    );
  }
}

export class AutomationsResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

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
  create(body: CreateAutomation, options: WriteOptions = {}): Promise<Automation> {
    return this.transport.send('POST', '/automations', { body, takesKey: true }, options);
  }

  /**
   * List automations, newest first.
   *
   * `nextFireAt` is null while an automation is paused, and once it has ended.
   *
   * Scope: `automations:read`.
   */
  list(query: ListAutomationsQuery = {}, options: CallOptions = {}): Pages<Automation> {
    return this.transport.list('/automations', query, 'cursor', options);
  }

  /**
   * Preview the next firings of all automations.
   *
   * Lists firings of active automations in the order of their times. There are no pages.
   *
   * Scope: `automations:read`.
   */
  listNextFirings(query: ListNextFiringsQuery = {}, options: CallOptions = {}): Promise<NextFiring[]> {
    return this.transport.send('GET', '/automations/next', { query }, options);
  }

  /**
   * Get one automation.
   *
   * `nextFireAt` is null while the automation is paused, and once it has ended.
   *
   * Scope: `automations:read`.
   */
  get(id: string, options: CallOptions = {}): Promise<Automation> {
    return this.transport.send('GET', `/automations/${encodeURIComponent(id)}`, {}, options);
  }

  /**
   * Pause, resume or change an automation.
   *
   * Unless it only pauses, a change needs the scopes of what the automation is afterwards:
   * `content:approve` with `approvalMode: "auto"`, `schedules:publish` with `postingMode:
   * "publish"`. An automation that ended is active again when a change of its plan, `until` or
   * `maxFirings` leaves it a slot. Null removes `brief`, `topics`, `until` and `maxFirings`.
   *
   * Scope: `automations:write`.
   */
  update(id: string, body: UpdateAutomation, options: CallOptions = {}): Promise<Automation> {
    return this.transport.send('PATCH', `/automations/${encodeURIComponent(id)}`, { body }, options);
  }

  /**
   * Delete an automation.
   *
   * It does not fire again. Content and schedules that it created are kept.
   *
   * Scope: `automations:write`.
   */
  delete(id: string, options: CallOptions = {}): Promise<Deleted> {
    return this.transport.send('DELETE', `/automations/${encodeURIComponent(id)}`, {}, options);
  }

  /**
   * Confirm the brief of an automation that somebody else wrote.
   *
   * Refuses with 403 `missing_scope` whoever last changed the brief or the topics, with a key or in
   * person, and a key where the approval policy asks for people. The next change of either ends it.
   * Under the approval policy `selfApproval: false` an automation with `approvalMode: "auto"`
   * approves nothing before.
   *
   * Scope: `content:approve`.
   */
  confirm(id: string, body: ConfirmAutomation = {}, options: WriteOptions = {}): Promise<Automation> {
    return this.transport.send(
      'POST',
      `/automations/${encodeURIComponent(id)}/confirm`,
      { body, takesKey: true },
      options,
    );
  }

  /**
   * List the firings of an automation, newest first.
   *
   * Each with its content, its schedule and, where it failed, was skipped or waits for a person
   * against its plan, the reason.
   *
   * Scope: `automations:read`.
   */
  listFirings(id: string, query: ListFiringsQuery = {}, options: CallOptions = {}): Pages<Firing> {
    return this.transport.list(`/automations/${encodeURIComponent(id)}/firings`, query, 'cursor', options);
  }

  /**
   * Preview the next firing times.
   *
   * The next firing times, in UTC and in the time zone of the automation.
   *
   * Scope: `automations:read`.
   */
  preview(id: string, query: PreviewAutomationQuery = {}, options: CallOptions = {}): Promise<FiringTime[]> {
    return this.transport.send('GET', `/automations/${encodeURIComponent(id)}/next`, { query }, options);
  }

  /**
   * Fire one slot now.
   *
   * Fires once, now, with the next topic; it counts for `maxFirings`. The plan is unchanged. With
   * `approvalMode: "auto"` it also needs the scope `content:approve`, with `postingMode: "publish"`
   * the scope `schedules:publish`.
   *
   * Scope: `automations:write`.
   */
  run(id: string, options: WriteOptions = {}): Promise<Firing> {
    return this.transport.send(
      'POST',
      `/automations/${encodeURIComponent(id)}/run`,
      { takesKey: true },
      options,
    );
  }
}

export class EventsResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Read the event feed, in the order of arrival or newest first.
   *
   * Pass the last `nextCursor` as `after` to continue. A decision may come before the
   * `job.completed` of its content. It is a string even when there is nothing more yet. Without the
   * scope `content:read`, a content is given as its `id` alone; without `schedules:read`, a schedule
   * as its `id`, `contentId` and `status`.
   *
   * Scope: `webhooks:write`.
   */
  list(query: ListEventsQuery = {}, options: CallOptions = {}): Pages<HooklineEvent> {
    return this.transport.list('/events', query, 'after', options);
  }
}

export class WebhooksResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

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
  create(body: CreateWebhook, options: WriteOptions = {}): Promise<WebhookWithSecret> {
    return this.transport.send('POST', '/webhooks', { body, takesKey: true }, options);
  }

  /**
   * List webhook endpoints, newest first.
   *
   * The secrets are not included.
   *
   * Scope: `webhooks:write`.
   */
  list(query: ListWebhooksQuery = {}, options: CallOptions = {}): Pages<Webhook> {
    return this.transport.list('/webhooks', query, 'cursor', options);
  }

  /**
   * Get one endpoint.
   *
   * The secret is not included.
   *
   * Scope: `webhooks:write`.
   */
  get(id: string, options: CallOptions = {}): Promise<Webhook> {
    return this.transport.send('GET', `/webhooks/${encodeURIComponent(id)}`, {}, options);
  }

  /**
   * Update, enable or disable an endpoint.
   *
   * Disabling ends its pending deliveries as `failed`. A new `url` receives only what the calling
   * key may read.
   *
   * Scope: `webhooks:write`.
   */
  update(id: string, body: UpdateWebhook, options: CallOptions = {}): Promise<Webhook> {
    return this.transport.send('PATCH', `/webhooks/${encodeURIComponent(id)}`, { body }, options);
  }

  /**
   * Delete an endpoint.
   *
   * Nothing more is delivered to it.
   *
   * Scope: `webhooks:write`.
   */
  delete(id: string, options: CallOptions = {}): Promise<Deleted> {
    return this.transport.send('DELETE', `/webhooks/${encodeURIComponent(id)}`, {}, options);
  }

  /**
   * List the deliveries of an endpoint, newest first.
   *
   * Each with its attempts, what is sent, what the endpoint answered last and, while `pending`, the
   * time of the next attempt. For a key without `content:read`, `request` gives a content as its
   * `id` alone; without `schedules:read`, a schedule as its `id`, `contentId` and `status`.
   *
   * Scope: `webhooks:write`.
   */
  listDeliveries(id: string, query: ListDeliveriesQuery = {}, options: CallOptions = {}): Pages<Delivery> {
    return this.transport.list(`/webhooks/${encodeURIComponent(id)}/deliveries`, query, 'cursor', options);
  }

  /**
   * Send a delivery again.
   *
   * Queued immediately, with the original event id.
   *
   * Scope: `webhooks:write`.
   */
  replayDelivery(id: string, deliveryId: string, options: WriteOptions = {}): Promise<Delivery> {
    return this.transport.send(
      'POST',
      `/webhooks/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}/replay`,
      { takesKey: true },
      options,
    );
  }

  /**
   * Send all deliveries since a time again.
   *
   * Queues every delivery of the endpoint that was made at `since` or later and failed, with the
   * original event ids. `status: "all"` adds those that the endpoint accepted. More than 10,000 are
   * 400 `invalid_request`. The endpoint must be enabled.
   *
   * Scope: `webhooks:write`.
   */
  replay(id: string, body: ReplayWebhook, options: WriteOptions = {}): Promise<ReplayWebhookResult> {
    return this.transport.send(
      'POST',
      `/webhooks/${encodeURIComponent(id)}/replay`,
      { body, takesKey: true },
      options,
    );
  }

  /**
   * Rotate the secret; both sign until the overlap ends.
   *
   * Both secrets sign for `overlapHours` (default 24), then only the new one. A retry with the same
   * `Idempotency-Key` returns the secret for 10 minutes, then the record without it.
   *
   * Scope: `webhooks:write`.
   */
  rotate(id: string, body: RotateWebhook = {}, options: WriteOptions = {}): Promise<WebhookWithSecret> {
    return this.transport.send(
      'POST',
      `/webhooks/${encodeURIComponent(id)}/rotate`,
      { body, takesKey: true },
      options,
    );
  }

  /**
   * Send a test event and return the delivery attempt.
   *
   * Waits for the receiver and returns its response.
   *
   * Scope: `webhooks:write`.
   */
  test(id: string, options: WriteOptions = {}): Promise<DeliveryAttempt> {
    return this.transport.send(
      'POST',
      `/webhooks/${encodeURIComponent(id)}/test`,
      { takesKey: true },
      options,
    );
  }
}

export class SessionAnalyticsResource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Register a published post for measurement.
   *
   * An Instagram post needs a connected source.
   */
  registerPost(body: RegisterPost, options: WriteOptions = {}): Promise<PublishedPost> {
    return this.transport.send('POST', '/analytics/posts', { body, takesKey: true }, options);
  }

  /**
   * Connect an Instagram account as a source of metrics.
   *
   * The token is verified at the platform, stored encrypted and refreshed.
   */
  createSource(body: CreateSource, options: WriteOptions = {}): Promise<MetricSource> {
    return this.transport.send('POST', '/analytics/sources', { body, takesKey: true }, options);
  }

  /**
   * List metric sources, newest first.
   *
   * The tokens are not included.
   */
  listSources(query: ListSourcesQuery = {}, options: CallOptions = {}): Pages<MetricSource> {
    return this.transport.list('/analytics/sources', query, 'cursor', options);
  }

  /**
   * Delete a metric source.
   *
   * Its stored token is deleted.
   */
  deleteSource(id: string, options: CallOptions = {}): Promise<Deleted> {
    return this.transport.send('DELETE', `/analytics/sources/${encodeURIComponent(id)}`, {}, options);
  }
}
