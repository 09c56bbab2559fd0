// Made by "npm run generate" from packages/shared/src/contracts: change it there.

/** Every code that the API answers with an error. */
export type ErrorCode =
  | 'unauthorized'
  | 'key_revoked'
  | 'key_expired'
  | 'missing_scope'
  | 'not_found'
  | 'invalid_request'
  | 'idempotency_key_reused'
  | 'missing_idempotency_key'
  | 'not_approved'
  | 'not_ready'
  | 'no_images'
  | 'not_postable'
  | 'slide_missing'
  | 'unsupported_image_format'
  | 'image_too_large'
  | 'too_many_slides'
  | 'account_not_found'
  | 'account_not_connected'
  | 'account_needs_reauth'
  | 'cross_app'
  | 'already_scheduled'
  | 'no_free_slot'
  | 'already_sending'
  | 'already_sent'
  | 'missing_privacy_level'
  | 'invalid_privacy_level'
  | 'insufficient_credits'
  | 'rate_limited'
  | 'tiktok_create_failed'
  | 'tiktok_publish_failed'
  | 'queue_unavailable'
  | 'store_unavailable'
  | 'service_unavailable'
  | 'outcome_unknown'
  | 'not_implemented'
  | 'db_error'
  | 'internal_error';

export type AcceptInvitation = {
  token: string;
  name?: string | null | undefined;
  password?: string | null | undefined;
};

export type Accepted = {
  accepted: true;
};

export type AcceptedInvitation = {
  user: User;
  session: SessionMaybeWithToken;
};

export type Account = {
  id: string;
  createdAt: string;
  updatedAt: string;
  platform: 'tiktok';
  /** `phone`: somebody posts what is due for it by hand; nothing is connected at TikTok. */
  kind: 'api' | 'phone';
  /**
   * The handle without @. Null while TikTok has not told it, as for an account that grants only
   * drafts.
   */
  username: string | null;
  displayName: string;
  avatarUrl: string | null;
  appId: string | null;
  status: 'connected' | 'needs_reauth' | 'disconnected';
  canPublish: boolean;
  privacyLevels: Array<'PUBLIC_TO_EVERYONE' | 'MUTUAL_FOLLOW_FRIENDS' | 'FOLLOWER_OF_CREATOR' | 'SELF_ONLY'>;
  /** The creator takes no comments: no post has them. */
  commentDisabled: boolean;
  checkedAt: string | null;
  /** Posting times, which `slot: "next"` of `POST /schedules` fills. */
  slots: PostingTime[];
  /** The IANA zone of the slots. */
  timezone: string;
};

export type AccountConnectedEvent = {
  id: string;
  type: 'account.connected';
  timestamp: string;
  createdAt: string;
  sequence: number;
  data: Account;
};

export type AccountNeedsReauthEvent = {
  id: string;
  type: 'account.needs_reauth';
  timestamp: string;
  createdAt: string;
  sequence: number;
  data: Account;
};

export type AddDeckPost = {
  /** The address of the post. */
  url: string;
};

export type AddPhone = {
  name: string;
  appId?: string | null | undefined;
};

export type AnalyticsSummary = {
  windowDays: number;
  /** Decks posted within the window whose numbers are known. */
  decks: {
    posts: number;
    views: number;
    /** The decks with the most views, at most 20. */
    best: Array<{
      contentId: string;
      hook: string;
      views: number;
      /** Without a post by Hookline, when it was approved. */
      postedAt: string;
      /** Numbers read then or later are compared. Null: those kept are. */
      comparedFrom: string | null;
    }>;
  };
  totals: {
    views: number;
    likes: number;
    comments: number;
    posts: number;
  };
  byPlatform: {
    instagram: {
      views: number;
      likes: number;
      comments: number;
      posts: number;
    };
    youtube: {
      views: number;
      likes: number;
      comments: number;
      posts: number;
    };
  };
  note: string;
};

export type ApiKey = {
  id: string;
  createdAt: string;
  updatedAt: string;
  name: string;
  prefix: string;
  scopes: Array<
    | 'apps:read'
    | 'apps:write'
    | 'content:read'
    | 'content:write'
    | 'content:approve'
    | 'automations:read'
    | 'automations:write'
    | 'schedules:read'
    | 'schedules:write'
    | 'schedules:publish'
    | 'analytics:read'
    | 'credits:read'
    | 'webhooks:write'
  >;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** The member who created the key. Null if that is not known. */
  createdBy: {
    userId: string;
    name: string;
  } | null;
};

export type ApiKeyWithSecret = {
  id: string;
  createdAt: string;
  updatedAt: string;
  name: string;
  prefix: string;
  scopes: Array<
    | 'apps:read'
    | 'apps:write'
    | 'content:read'
    | 'content:write'
    | 'content:approve'
    | 'automations:read'
    | 'automations:write'
    | 'schedules:read'
    | 'schedules:write'
    | 'schedules:publish'
    | 'analytics:read'
    | 'credits:read'
    | 'webhooks:write'
  >;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** The member who created the key. Null if that is not known. */
  createdBy: {
    userId: string;
    name: string;
  } | null;
  /** The plaintext key, in the first response only. A retry returns the record without it. */
  key?: string;
};

export type App = {
  id: string;
  createdAt: string;
  updatedAt: string;
  name: string;
  /** Description text derived for the app. */
  details: string;
  /**
   * The logo of its brand, or else the icon of its store page, valid for 48 h at least. Null without
   * either.
   */
  iconUrl: string | null;
  /** Only in the responses of create and get. */
  seedHooks?: string[];
  /** Not in lists. Null when none was set. */
  brand?: Brand | null;
  /**
   * Not in lists. What somebody who may not approve content changed, and nobody who may has
   * reviewed: automations approve nothing that shows it.
   */
  unreviewed?: UnreviewedItem[];
  externalId: string | null;
  metadata: Record<string, unknown> | null;
};

export type Approval = {
  version: number;
  decision: 'approved' | 'rejected';
  decidedAt: string;
  keyId: string | null;
  by: Decider;
  /** Only of a rejection. */
  reason: string | null;
};

export type ApprovalPolicy = {
  /** `people_only`: an API key can neither approve nor reject. */
  approvers: 'anyone_with_scope' | 'people_only';
  /** A decision must name the version that it is on. */
  requireVersion: boolean;
  /**
   * `approved_only`, the default: only somebody who may approve replaces the approved title and
   * description in a schedule, and under `selfApproval: false` nobody.
   */
  postTexts: 'open' | 'approved_only';
  /** False: whoever made or last edited a version cannot decide on it. */
  selfApproval: boolean;
};

export type AuditEvent = {
  id: string;
  at: string;
  actor: {
    kind: 'person' | 'key' | 'automation' | 'reviewer' | 'operator' | 'anonymous';
    id: string | null;
    name: string | null;
  };
  action: string;
  subject: {
    kind: string;
    id: string | null;
  };
  /** IPv6 addresses as their /64. */
  address: string | null;
  requestId: string | null;
  /** What changed, by action. No secrets. */
  detail: Record<string, unknown>;
};

export type Automation = {
  id: string;
  createdAt: string;
  updatedAt: string;
  appId: string;
  tiktokAccountId: string;
  format: 'slideshow' | 'hook_video';
  postingTimes: PostingTime[];
  timezone: string;
  brief: Brief | null;
  /** Used in turn, one a firing. */
  topics: string[];
  nextTopic: string | null;
  /** No slot after this time fires. */
  until: string | null;
  maxFirings: number | null;
  /** How often it fired, whatever became of the decks. Slots that were missed do not count. */
  firingsMade: number;
  /** Null without `maxFirings`. */
  firingsLeft: number | null;
  approvalMode: 'auto' | 'manual';
  postingMode: 'drafts' | 'publish';
  privacyLevel: 'PUBLIC_TO_EVERYONE' | 'MUTUAL_FOLLOW_FRIENDS' | 'FOLLOWER_OF_CREATOR' | 'SELF_ONLY' | null;
  status: 'active' | 'paused' | 'ended';
  /** Why it fires no more; null unless `status` is `ended`. Another limit brings it back. */
  endedReason: 'until' | 'max_firings' | null;
  nextFireAt: string | null;
  /**
   * Since when its decks would repeat those of the last 60 days, so that its firings are skipped
   * with `nothing_new`. Add topics, connect a text model or refresh the listing of the app.
   */
  nothingNewSince: string | null;
  /**
   * The key or person that made it. Null where that was not recorded, and for what an automation
   * made.
   */
  createdBy: Maker | null;
  /** Who confirmed the present brief and topics, other than their author. */
  confirmedBy: Maker | null;
  /**
   * The approval policy asks that another person than their author confirms the brief and the
   * topics; until then its slideshows wait for approval.
   */
  awaitsConfirmation: boolean;
  externalId: string | null;
  metadata: Record<string, unknown> | null;
};

export type AutomationSkippedEvent = {
  id: string;
  type: 'automation.skipped';
  timestamp: string;
  createdAt: string;
  sequence: number;
  data: Firing;
};

export type BatchOutcome = {
  job: Job | null;
  /** Why the row was refused. `param` is the field of the row. */
  error: {
    code:
      | 'unauthorized'
      | 'key_revoked'
      | 'key_expired'
      | 'missing_scope'
      | 'not_found'
      | 'invalid_request'
      | 'idempotency_key_reused'
      | 'missing_idempotency_key'
      | 'not_approved'
      | 'not_ready'
      | 'no_images'
      | 'not_postable'
      | 'slide_missing'
      | 'unsupported_image_format'
      | 'image_too_large'
      | 'too_many_slides'
      | 'account_not_found'
      | 'account_not_connected'
      | 'account_needs_reauth'
      | 'cross_app'
      | 'already_scheduled'
      | 'no_free_slot'
      | 'already_sending'
      | 'already_sent'
      | 'missing_privacy_level'
      | 'invalid_privacy_level'
      | 'insufficient_credits'
      | 'rate_limited'
      | 'tiktok_create_failed'
      | 'tiktok_publish_failed'
      | 'queue_unavailable'
      | 'store_unavailable'
      | 'service_unavailable'
      | 'outcome_unknown'
      | 'not_implemented'
      | 'db_error'
      | 'internal_error';
    message: string;
    param?: string;
    insufficient?: true;
  } | null;
};

export type Brand = {
  colors: string[] | null;
  logoImageId: string | null;
  handle: string | null;
  fonts:
    | 'bricolage-inter'
    | 'anton-jakarta'
    | 'fraunces-newsreader'
    | 'manrope'
    | 'space-grotesk-inter'
    | null;
  voice: string[] | null;
  avoidWords: string[] | null;
};

export type BrandUpdate = {
  /** Background and accent, with a contrast of at least 4.5:1. */
  colors?: string[] | null | undefined;
  /** A picture of the app, shown on the closing slide. */
  logoImageId?: string | null | undefined;
  /** Shown on the closing slide. */
  handle?: string | null | undefined;
  fonts?:
    | 'bricolage-inter'
    | 'anton-jakarta'
    | 'fraunces-newsreader'
    | 'manrope'
    | 'space-grotesk-inter'
    | null
    | undefined;
  /** Sample captions that a text model imitates. */
  voice?: string[] | null | undefined;
  /** Words that generated texts never have. A hook that you give is not checked. */
  avoidWords?: string[] | null | undefined;
};

export type Brief = {
  topic?: string;
  archetype?: 'listicle' | 'transformation' | 'pov_results' | 'authority' | 'motivational';
  /** Used word for word instead of a generated one. */
  hook?: string;
  /**
   * Total slides with the hook and the closing slide, at most 10. Default 6, unless a hook promises
   * a count. With `slides` their number, if sent.
   */
  slideCount?: number;
  /** Default `soft`; with `slides` it is `none` exactly where `closing` is absent. */
  ctaMode?: 'soft' | 'direct' | 'none';
  /**
   * Gives finished slide images; `GET /templates` shows them. `auto` is `photo-card` for an app with
   * three uploaded pictures besides its logo, else `quote-card`. `picture` draws no text: each of
   * `pictureIds` is a slide, and `hook`, then required, names the deck. If it is omitted, only texts
   * are written.
   */
  templateId?: 'quote-card' | 'photo-card' | 'screenshot-card' | 'picture' | 'auto';
  /**
   * Pictures of the app for a template that needs them, in the order of the slides, at most 10.
   * Default: its own, oldest first. With `picture` they are the slides, 1 to 35.
   */
  pictureIds?: string[];
  /**
   * Your own texts between the hook, then required, and the closing slide: used word for word,
   * nothing is written. Not with `topic` or `archetype`, not for an automation.
   */
  slides?: Array<{
    text: string;
  }>;
  /** The closing slide of `slides`; without it there is none. */
  closing?: string;
  /** With `slides`. Default: the hook and the closing slide. */
  caption?: string;
  /** With `slides`. Default: up to three words of the slides. */
  hashtags?: string[];
};

export type BriefInput = {
  topic?: string | null | undefined;
  archetype?: 'listicle' | 'transformation' | 'pov_results' | 'authority' | 'motivational' | null | undefined;
  /** Used word for word instead of a generated one. */
  hook?: string | null | undefined;
  /**
   * Total slides with the hook and the closing slide, at most 10. Default 6, unless a hook promises
   * a count. With `slides` their number, if sent.
   */
  slideCount?: number | null | undefined;
  /** Default `soft`; with `slides` it is `none` exactly where `closing` is absent. */
  ctaMode?: 'soft' | 'direct' | 'none' | null | undefined;
  /**
   * Gives finished slide images; `GET /templates` shows them. `auto` is `photo-card` for an app with
   * three uploaded pictures besides its logo, else `quote-card`. `picture` draws no text: each of
   * `pictureIds` is a slide, and `hook`, then required, names the deck. If it is omitted, only texts
   * are written.
   */
  templateId?: 'quote-card' | 'photo-card' | 'screenshot-card' | 'picture' | 'auto' | null | undefined;
  /**
   * Pictures of the app for a template that needs them, in the order of the slides, at most 10.
   * Default: its own, oldest first. With `picture` they are the slides, 1 to 35.
   */
  pictureIds?: string[] | null | undefined;
  /**
   * Your own texts between the hook, then required, and the closing slide: used word for word,
   * nothing is written. Not with `topic` or `archetype`, not for an automation.
   */
  slides?:
    | Array<{
        text: string;
      }>
    | null
    | undefined;
  /** The closing slide of `slides`; without it there is none. */
  closing?: string | null | undefined;
  /** With `slides`. Default: the hook and the closing slide. */
  caption?: string | null | undefined;
  /** With `slides`. Default: up to three words of the slides. */
  hashtags?: string[] | null | undefined;
};

export type BriefUpdate = {
  topic?: string | undefined;
  archetype?: 'listicle' | 'transformation' | 'pov_results' | 'authority' | 'motivational' | undefined;
  /** Used word for word instead of a generated one. */
  hook?: string | undefined;
  /**
   * Total slides with the hook and the closing slide, at most 10. Default 6, unless a hook promises
   * a count. With `slides` their number, if sent.
   */
  slideCount?: number | undefined;
  /** Default `soft`; with `slides` it is `none` exactly where `closing` is absent. */
  ctaMode?: 'soft' | 'direct' | 'none' | undefined;
  /**
   * Gives finished slide images; `GET /templates` shows them. `auto` is `photo-card` for an app with
   * three uploaded pictures besides its logo, else `quote-card`. `picture` draws no text: each of
   * `pictureIds` is a slide, and `hook`, then required, names the deck. If it is omitted, only texts
   * are written.
   */
  templateId?: 'quote-card' | 'photo-card' | 'screenshot-card' | 'picture' | 'auto' | undefined;
  /**
   * Pictures of the app for a template that needs them, in the order of the slides, at most 10.
   * Default: its own, oldest first. With `picture` they are the slides, 1 to 35.
   */
  pictureIds?: string[] | undefined;
  /**
   * Your own texts between the hook, then required, and the closing slide: used word for word,
   * nothing is written. Not with `topic` or `archetype`, not for an automation.
   */
  slides?:
    | Array<{
        text: string;
      }>
    | undefined;
  /** The closing slide of `slides`; without it there is none. */
  closing?: string | undefined;
  /** With `slides`. Default: the hook and the closing slide. */
  caption?: string | undefined;
  /** With `slides`. Default: up to three words of the slides. */
  hashtags?: string[] | undefined;
};

export type ChangePassword = {
  current: string;
  password: string;
};

export type ChangeTextModel = {
  learns: boolean;
};

export type ChangesRequested = {
  reason: string;
  by: Decider;
  at: string;
};

export type Comment = {
  id: string;
  createdAt: string;
  updatedAt: string;
  contentId: string;
  /** The version that was current. */
  version: number;
  /** Counted from 1; null where the comment is on the whole deck. */
  slide: number | null;
  text: string;
  by: Maker | null;
};

export type ConfirmAutomation = {
  /**
   * The `updatedAt` of the automation that was looked at. 409 `not_ready` if it was changed since.
   * Required where the approval policy asks for `version`.
   */
  updatedAt?: string | null | undefined;
};

export type ConfirmByPassword = {
  /** The password of your account. Not needed by people who sign in at an OIDC issuer. */
  password?: string | undefined;
};

export type ConfirmByPasswordInput = {
  /** The password of your account. Not needed by people who sign in at an OIDC issuer. */
  password?: string | null | undefined;
};

export type ConfirmPasswordReset = {
  token: string;
  password: string;
  /** Also revokes every API key that the person created, and every connected client. */
  revokeKeys?: boolean | null | undefined;
};

export type ConnectTiktok = {
  appId?: string | null | undefined;
  /** The page of the console that the callback leads back to. */
  returnTo?: string | null | undefined;
};

export type Content = {
  id: string;
  createdAt: string;
  updatedAt: string;
  appId: string;
  type: 'slideshow' | 'illustrated' | 'hook_video';
  status: 'queued' | 'running' | 'ready' | 'failed';
  approvalStatus: 'pending' | 'approved' | 'rejected';
  result: SlideshowResult | null;
  costCharged: number;
  version: number;
  brief: Brief | null;
  /** Who wrote the texts; `null` until they are written, and where writing failed. */
  writer: DeckWriter | null;
  /**
   * The deck of the app, of the newest 100 in 90 days, that has most in common with this one; `null`
   * without an earlier one. Found when the texts are written or edited.
   */
  freshness: Freshness | null;
  /** What the slide images were drawn with; null when there are none. */
  templateId: 'quote-card' | 'photo-card' | 'screenshot-card' | 'picture' | null;
  images: SlideImage[];
  approval: Approval | null;
  /**
   * Somebody who may approve asked for another version: this one is out of the approval queue. Null
   * otherwise.
   */
  changesRequested: ChangesRequested | null;
  /** The experiment with hooks that it takes part in. */
  experimentId: string | null;
  origin: {
    automationId: string;
    firingId: string;
  } | null;
  /**
   * `generation_not_wired`: this type is not generated. `topic_needs_model`: the deck is about the
   * app, since only a text model writes about a topic. `listing_too_short`: the listing has fewer
   * lines than the deck has slides, so the deck is shorter; neutral lines fill it where the brief
   * names a number.
   */
  notice?: 'generation_not_wired' | 'topic_needs_model' | 'listing_too_short';
  error?: {
    code: string;
    message: string;
  };
  externalId: string | null;
  metadata: Record<string, unknown> | null;
};

export type ContentApprovedEvent = {
  id: string;
  type: 'content.approved';
  timestamp: string;
  createdAt: string;
  sequence: number;
  data: Content | ContentReference;
};

export type ContentBatch = {
  outcomes: BatchOutcome[];
};

export type ContentChangesRequestedEvent = {
  id: string;
  type: 'content.changes_requested';
  timestamp: string;
  createdAt: string;
  sequence: number;
  data: Content | ContentReference;
};

export type ContentCounts = {
  /** `ready`, not decided and without `changesRequested`. */
  pending: number;
  changesRequested: number;
  approved: number;
  rejected: number;
  failed: number;
  /** `approved` and without a schedule. */
  toSchedule: number;
};

export type ContentMoment = {
  at: string;
  /**
   * `sent`: a schedule was given to the sender; `delivered`: its post or draft is at the platform;
   * `postponed`: it waits to be sent again; `due`: it waits for somebody to post it by phone.
   */
  what:
    | 'made'
    | 'failed'
    | 'charged'
    | 'edited'
    | 'approved'
    | 'rejected'
    | 'changes_requested'
    | 'scheduled'
    | 'withdrawn'
    | 'sent'
    | 'postponed'
    | 'due'
    | 'delivered'
    | 'not_delivered';
  /** Who made, edited or decided; null where it is not known. */
  by: Decider | null;
  version: number | null;
  scheduleId: string | null;
  detail: string | null;
};

export type ContentReference = {
  id: string;
};

export type ContentRejectedEvent = {
  id: string;
  type: 'content.rejected';
  timestamp: string;
  createdAt: string;
  sequence: number;
  data: Content | ContentReference;
};

export type CreateApp = {
  /** Required with `appStoreUrl`. Default: the name in `listing`. */
  name?: string | null | undefined;
  appStoreUrl?: string | null | undefined;
  listing?: Listing | null | undefined;
  /** Your own id for it. Several may have the same. */
  externalId?: string | null | undefined;
  /** Texts of your own by name. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type CreateAutomation = {
  appId: string;
  tiktokAccountId: string;
  format: 'slideshow' | 'hook_video';
  postingTimes: PostingTimeInput[];
  /** IANA zone, default UTC. */
  timezone?: string | null | undefined;
  brief?: BriefInput | null | undefined;
  /** Used in turn instead of `brief.topic`, which must be left out. */
  topics?: string[] | null | undefined;
  /** No slot after this time fires. */
  until?: string | null | undefined;
  /** It ends when it fired so often since its creation. */
  maxFirings?: number | null | undefined;
  approvalMode?: 'auto' | 'manual' | null | undefined;
  postingMode?: 'drafts' | 'publish' | null | undefined;
  privacyLevel?:
    | 'PUBLIC_TO_EVERYONE'
    | 'MUTUAL_FOLLOW_FRIENDS'
    | 'FOLLOWER_OF_CREATOR'
    | 'SELF_ONLY'
    | null
    | undefined;
  /** Your own id for it. Several may have the same. */
  externalId?: string | null | undefined;
  /** Texts of your own by name. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type CreateComment = {
  text: string;
  /** A slide of the current version, counted from 1. Default: the whole deck. */
  slide?: number | null | undefined;
};

export type CreateContent = {
  appId: string;
  type: 'slideshow' | 'illustrated' | 'hook_video';
  brief?: BriefInput | null | undefined;
  /** Your own id for it. Several may have the same. */
  externalId?: string | null | undefined;
  /** Texts of your own by name. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type CreateContentBatch = {
  items: CreateContent[];
};

export type CreateInvitation = {
  email: string;
  role: 'owner' | 'approver' | 'editor' | 'viewer';
};

export type CreateKey = {
  name: string;
  scopes: Array<
    | 'apps:read'
    | 'apps:write'
    | 'content:read'
    | 'content:write'
    | 'content:approve'
    | 'automations:read'
    | 'automations:write'
    | 'schedules:read'
    | 'schedules:write'
    | 'schedules:publish'
    | 'analytics:read'
    | 'credits:read'
    | 'webhooks:write'
  >;
  expiresAt?: string | null | undefined;
};

export type CreateReviewLink = {
  expiresInHours: number;
  /** Whoever has the link may approve or reject. Needs `content:approve`. Default false. */
  mayDecide?: boolean | null | undefined;
};

export type CreateSchedule = {
  contentId: string;
  tiktokAccountId: string;
  scheduledFor?: string | null | undefined;
  /** Instead of `scheduledFor`: the first free slot of the account. */
  slot?: 'next' | null | undefined;
  mode?: 'draft' | 'publish' | 'phone' | null | undefined;
  privacyLevel?: string | null | undefined;
  title?: string | null | undefined;
  description?: string | null | undefined;
  disableComment?: boolean | null | undefined;
  brandOrganic?: boolean | null | undefined;
  brandedContent?: boolean | null | undefined;
  aiGenerated?: boolean | null | undefined;
  autoAddMusic?: boolean | null | undefined;
  /** Your own id for it. Several may have the same. */
  externalId?: string | null | undefined;
  /** Texts of your own by name. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type CreateSource = {
  platform: 'instagram';
  accessToken: string;
};

export type CreateWebhook = {
  url: string;
  events: Array<
    | 'job.completed'
    | 'content.approved'
    | 'content.rejected'
    | 'schedule.sent_to_drafts'
    | 'schedule.published'
    | 'schedule.failed'
    | 'automation.skipped'
    | 'schedule.due'
    | 'content.changes_requested'
    | 'account.connected'
    | 'account.needs_reauth'
    | 'credits.low'
  >;
};

export type CreatedSchedule = {
  id: string | null;
  createdAt: string;
  updatedAt: string;
  contentId: string;
  contentVersion: number;
  tiktokAccountId: string;
  status: 'pending' | 'sending' | 'due' | 'sent' | 'failed';
  mode: 'draft' | 'publish' | 'phone';
  privacyLevel: 'PUBLIC_TO_EVERYONE' | 'MUTUAL_FOLLOW_FRIENDS' | 'FOLLOWER_OF_CREATOR' | 'SELF_ONLY' | null;
  scheduledFor: string;
  title: string;
  description: string;
  disableComment: boolean;
  brandOrganic: boolean;
  brandedContent: boolean;
  aiGenerated: boolean;
  autoAddMusic: boolean;
  /**
   * What else than its time a pending schedule waits for: the approval of its content, or that
   * sending goes on.
   */
  waitsBecause: 'approval' | 'sending_paused' | null;
  outcome: 'sent_to_drafts' | 'published' | null;
  failure: ScheduleFailure | null;
  platformPostId: string | null;
  platformPostUrl: string | null;
  sentAt: string | null;
  automationId: string | null;
  /**
   * The key or person that made it. Null where that was not recorded, and for what an automation
   * made.
   */
  createdBy: Maker | null;
  externalId: string | null;
  metadata: Record<string, unknown> | null;
  /** The first slide as a JPEG of 270 px width, valid for 48 h at least. Absent in events. */
  thumbnailUrl?: string | null;
};

export type Credits = {
  balance: number;
  granted: number;
  spent: number;
  /** True: nothing is refused for the lack of credits; grants are added as they are needed. */
  unlimited: boolean;
  dailyGeneration: {
    limit: number;
    used: number;
    resetsAt: string;
  };
};

export type CreditsLowEvent = {
  id: string;
  type: 'credits.low';
  timestamp: string;
  createdAt: string;
  sequence: number;
  data: {
    level: 'low' | 'none';
  };
};

export type CurrentSession = {
  user: User;
  session: Session;
  workspaceId: string;
};

export type DecideByReviewLink = {
  /** The token of the link. */
  token: string;
  decision: 'approved' | 'rejected';
  name: string;
  /** Why it was rejected. */
  reason?: string | null | undefined;
};

export type Decider = {
  kind: 'person' | 'key' | 'automation' | 'reviewer';
  id: string;
  name: string;
};

export type DeckComparison = {
  of: 'hook' | 'form' | 'archetype' | 'template' | 'language' | 'weekday' | 'hour';
  /**
   * What these decks have in common: `monday`, `09`; as the form of a hook `number` or `question`
   * for what it has, else `short`, up to 8 words, or `long`.
   */
  value: string;
  decks: number;
  views: number;
  /** Views of a typical deck of them, at a typical account. */
  typicalViews: number;
  /**
   * How many times the views of all other decks these get, by an estimate that is drawn towards 1
   * the fewer they are.
   */
  lift: number;
  /** `low` to `high` holds the true lift; of all such intervals of one kind, 95 % of the time. */
  low: number;
  high: number;
  /**
   * `better`, `worse`: the interval leaves out 1. `no_difference`: it leaves out 0.5 and 2.
   * `too_early`: fewer than 5 decks, fewer than 500 views, or the interval says nothing.
   */
  verdict: 'better' | 'worse' | 'no_difference' | 'too_early';
  /** The newest 20 of these decks. */
  contentIds: string[];
};

export type DeckResults = {
  views: number;
  /** Null: not known. */
  likes: number | null;
  /** Null: not known. */
  comments: number | null;
  /** Null: not known. */
  shares: number | null;
  /** Null: not known. */
  saves: number | null;
  /** When the numbers were read. */
  at: string;
  /** `entered`: `by` a person or a key. `tiktok`: told by TikTok, which does not tell saves. */
  source: 'entered' | 'tiktok';
  by: Maker | null;
};

export type DeckWriter = {
  /**
   * `model`: a text model; `builtin`: the composer, which needs no network; `given`: the caller, in
   * `brief.slides`, or with the template `picture`.
   */
  kind: 'model' | 'builtin' | 'given';
  /** The name of the model, `composer` or `given`. */
  name: string;
  /** A part of the first answer broke a rule and was written again or filled by rule. */
  repaired: boolean;
  /**
   * Why this hook, or this structure, in one line: what earlier decks of the app brought. Null where
   * their numbers did not choose.
   */
  because: string | null;
};

export type Deleted = {
  id: string;
  deleted: true;
};

export type Delivery = {
  id: string;
  createdAt: string;
  updatedAt: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: DeliveryAttempt[];
  nextAttemptAt: string | null;
  /** The body that is sent, as it was at the last attempt; null when the event is no longer kept. */
  request: string | null;
  /**
   * The first 1,024 bytes of the answer to the last attempt; null when there was none, and for a key
   * without `content:read` or `schedules:read` at an endpoint that gets contents or schedules.
   */
  response: string | null;
};

export type DeliveryAttempt = {
  at: string;
  responseStatus: number | null;
  durationMs: number;
  error: string | null;
};

export type DisabledWork = {
  /** Paused. */
  automationIds: string[];
  /** Disabled. */
  webhookIds: string[];
  /** Withdrawn. */
  scheduleIds: string[];
  /** More schedules of the key wait: repeat the request. */
  more: boolean;
};

export type EditContent = {
  hook?: string | undefined;
  /** A text is blank only with the template `picture`. */
  bodySlides?:
    | Array<{
        text: string;
        /** A picture of the app, shown by a template that needs pictures. Default: in its order. */
        pictureId?: string | undefined;
        /** Where the text stands. Default: the choice of the template. */
        position?: 'top' | 'middle' | 'bottom' | undefined;
      }>
    | undefined;
  /** The picture and position of the first slide. */
  coverLook?:
    | {
        /** A picture of the app, shown by a template that needs pictures. Default: in its order. */
        pictureId?: string | undefined;
        /** Where the text stands. Default: the choice of the template. */
        position?: 'top' | 'middle' | 'bottom' | undefined;
      }
    | undefined;
  /** The same of the closing slide. */
  closingLook?:
    | {
        /** A picture of the app, shown by a template that needs pictures. Default: in its order. */
        pictureId?: string | undefined;
        /** Where the text stands. Default: the choice of the template. */
        position?: 'top' | 'middle' | 'bottom' | undefined;
      }
    | undefined;
  /** Draws the deck with this template. */
  templateId?: 'quote-card' | 'photo-card' | 'screenshot-card' | 'picture' | undefined;
  ctaSoft?: string | undefined;
  ctaHard?: string | undefined;
  caption?: string | undefined;
  hashtags?: string[] | undefined;
};

export type EndedSessions = {
  sessionIds: string[];
  deleted: true;
};

export type EnterResults = {
  views: number;
  likes?: number | null | undefined;
  comments?: number | null | undefined;
  shares?: number | null | undefined;
  saves?: number | null | undefined;
  /** When the numbers were read. Default: now. */
  at?: string | null | undefined;
};

export type Experiment = {
  id: string;
  appId: string;
  readAfterHours: number;
  createdAt: string;
  posts: Array<{
    contentId: string;
    hook: string;
    /** By the first reading `readAfterHours` or more after the post. Null: there is none yet. */
    views: number | null;
    /**
     * Why its views do not count. `edited`: since the start. `same_deck`: the account had these slides
     * within 90 days before. `lone_post`: the account has no other post to compare it with.
     */
    leftOut: 'edited' | 'same_deck' | 'lone_post' | null;
  }>;
  /** Each post has its views, is left out, or 90 days have passed. Nothing is judged before. */
  isFinal: boolean;
  /** The hooks against each other, the best first, once `isFinal`. */
  hooks: DeckComparison[];
  /** Decks of each hook by which a twofold difference shows in half of all cases. */
  decksNeeded: number;
  /** The outcome in a sentence or two. */
  verdict: string;
};

export type FinishTiktok = {
  state: string;
};

export type Firing = {
  id: string;
  createdAt: string;
  updatedAt: string;
  automationId: string;
  slot: string;
  status: 'fired' | 'generated' | 'awaiting_approval' | 'scheduled' | 'done' | 'failed' | 'skipped';
  contentId: string | null;
  scheduleId: string | null;
  reason: string | null;
};

export type FiringTime = {
  fireAt: string;
  local: string;
};

export type FreeSlot = {
  scheduledFor: string;
};

export type Freshness = {
  nearestContentId: string;
  /** Of the hook and the body slides, the part that the nearest deck has too, with two decimals. */
  overlap: number;
};

export type Invitation = {
  id: string;
  createdAt: string;
  updatedAt: string;
  email: string;
  role: 'owner' | 'approver' | 'editor' | 'viewer';
  expiresAt: string;
};

export type InvitationWithUrl = {
  id: string;
  createdAt: string;
  updatedAt: string;
  email: string;
  role: 'owner' | 'approver' | 'editor' | 'viewer';
  expiresAt: string;
  /** The link to pass on, in the first response only. */
  url?: string;
  /**
   * True: the link is mailed too. False where no mail is set up, and beyond the mails of a day: 3 to
   * an address, 20 from a workspace, 5 while your own address is not proven.
   */
  mailed: boolean;
};

export type Job = {
  id: string;
  createdAt: string;
  updatedAt: string;
  status: 'queued' | 'running' | 'ready' | 'failed';
  resourceType: 'content';
  resourceId: string;
  cost: number;
  error: {
    code: string;
    message: string;
  } | null;
};

export type JobCompletedEvent = {
  id: string;
  type: 'job.completed';
  timestamp: string;
  createdAt: string;
  sequence: number;
  data: Job;
};

export type LedgerRow = {
  id: string;
  createdAt: string;
  updatedAt: string;
  /** Signed: grants are positive, charges negative. */
  amount: number;
  reason: 'grant' | 'generation';
  contentId: string | null;
  requestId: string | null;
};

export type Listing = {
  name: string;
  description: string;
  category?: string | null | undefined;
  /** What the app lets people do, one thing each. */
  features?: string[] | null | undefined;
  /** Default: what the description is written in. */
  language?: string | null | undefined;
};

export type Maker = {
  kind: 'person' | 'key';
  id: string;
  name: string;
};

export type MarkPosted = {
  url?: string | null | undefined;
  /** The version that was posted. Default: the newest, if it is approved. */
  version?: number | null | undefined;
};

export type MeasuredPost = {
  id: string;
  createdAt: string;
  updatedAt: string;
  videoId: string;
  platform: 'instagram' | 'youtube';
  platformPostId: string;
  publishedAt: string | null;
  views: number | null;
  likes: number | null;
  comments: number | null;
  /** Null until numbers are collected. */
  collectedAt: string | null;
};

export type Member = {
  userId: string;
  email: string | null;
  name: string | null;
  role: 'owner' | 'approver' | 'editor' | 'viewer';
  createdAt: string;
  updatedAt: string;
};

export type MetricSource = {
  id: string;
  createdAt: string;
  updatedAt: string;
  platform: 'instagram';
  username: string;
  status: 'connected' | 'needs_reauth';
};

export type NextFiring = {
  automationId: string;
  appId: string;
  tiktokAccountId: string;
  fireAt: string;
  /** The same time on the clocks of the time zone of the automation. */
  local: string;
};

export type Notifications = {
  decksWaiting: 'off' | 'instant' | 'daily';
  /** True: an owner is mailed what each week brought. */
  weekly: boolean;
  /** True: whoever may post is mailed what is due on a phone. */
  postDue: boolean;
  /** Where the mails go. Null while the OIDC issuer has not said that an address is verified. */
  email: string | null;
  /** False: the address is not proven yet, and nothing but a link to prove it is mailed. */
  emailVerified: boolean;
  /** False: this server sends no mail. */
  mailConfigured: boolean;
  push: Push;
};

export type OpenReviewLink = {
  /** The token of the link. */
  token: string;
};

export type Picture = {
  id: string;
  createdAt: string;
  updatedAt: string;
  /** `slide`: finished, for the template `picture` alone. */
  kind: 'upload' | 'screenshot' | 'slide';
  width: number;
  height: number;
  bytes: number;
  contentType: string;
  url: string;
};

export type PostProblem = {
  code: string;
  slide: number | null;
  measured: number | string | null;
  limit: number | string | null;
  message: string;
};

export type PostingTime = {
  time: string;
  days: Array<'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'>;
};

export type PostingTimeInput = {
  time: string;
  days: Array<'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'>;
};

export type Preflight = {
  postable: boolean;
  problems: PostProblem[];
};

export type PublishedPost = {
  id: string;
  createdAt: string;
  updatedAt: string;
  videoId: string;
  platform: 'instagram' | 'youtube';
  platformPostId: string;
  publishedAt: string | null;
};

export type Push = {
  /** The VAPID key, for `applicationServerKey`. */
  publicKey: string;
  /** What the person is told in this workspace, on each browser that takes it. */
  kinds: Array<'decks_waiting' | 'post_due' | 'post_failed' | 'account_reconnect'>;
  /** Whether the browser of this session takes it. */
  subscribed: boolean;
};

export type RegisterPost = {
  videoId: string;
  platform: 'instagram' | 'youtube';
  platformPostId: string;
  publishedAt?: string | null | undefined;
};

export type Rejection = {
  /** The version that was looked at. Required where the approval policy says so. */
  version?: number | null | undefined;
  /**
   * The approval status that was looked at. 409 `not_ready` if somebody has decided otherwise since;
   * without it, the last decision wins.
   */
  approvalStatus?: 'pending' | 'approved' | 'rejected' | null | undefined;
  /** Shown in `approval` and in events. */
  reason?: string | null | undefined;
};

export type RemovedMember = {
  userId: string;
  deleted: true;
  revokedKeyIds: string[];
};

export type ReplayWebhook = {
  since: string;
  /** Which to send again. Default: `failed`. */
  status?: 'failed' | 'delivered' | 'all' | null | undefined;
};

export type ReplayWebhookResult = {
  replayed: number;
};

export type RequestChanges = {
  /** The version that was looked at. Required where the approval policy says so. */
  version?: number | null | undefined;
  /**
   * The approval status that was looked at. 409 `not_ready` if somebody has decided otherwise since;
   * without it, the last decision wins.
   */
  approvalStatus?: 'pending' | 'approved' | 'rejected' | null | undefined;
  /** What the next version must have. Writers are told. */
  reason: string;
};

export type RequestPasswordReset = {
  email: string;
};

export type Review = {
  /** The version that was looked at. Required where the approval policy says so. */
  version?: number | null | undefined;
  /**
   * The approval status that was looked at. 409 `not_ready` if somebody has decided otherwise since;
   * without it, the last decision wins.
   */
  approvalStatus?: 'pending' | 'approved' | 'rejected' | null | undefined;
};

export type ReviewApp = {
  items: Array<{
    item:
      | 'name'
      | 'listing'
      | 'brand.colors'
      | 'brand.logoImageId'
      | 'brand.handle'
      | 'brand.fonts'
      | 'brand.voice'
      | 'brand.avoidWords'
      | 'picture';
    pictureId?: string | null | undefined;
    /**
     * The time of the change that was looked at, as in `unreviewed`. 409 `not_ready` if it was changed
     * since. Required where the approval policy asks for `version`.
     */
    at?: string | null | undefined;
  }>;
};

export type ReviewLink = {
  id: string;
  createdAt: string;
  updatedAt: string;
  contentId: string;
  /** The only version that the link shows. */
  version: number;
  mayDecide: boolean;
  expiresAt: string;
  /**
   * The key or person that made it. Null where that was not recorded, and for what an automation
   * made.
   */
  createdBy: Maker | null;
};

export type ReviewLinkWithUrl = {
  id: string;
  createdAt: string;
  updatedAt: string;
  contentId: string;
  /** The only version that the link shows. */
  version: number;
  mayDecide: boolean;
  expiresAt: string;
  /**
   * The key or person that made it. Null where that was not recorded, and for what an automation
   * made.
   */
  createdBy: Maker | null;
  /** Absent when a request is repeated. */
  url?: string;
};

export type RevokedKey = {
  id: string;
  createdAt: string;
  updatedAt: string;
  name: string;
  prefix: string;
  scopes: Array<
    | 'apps:read'
    | 'apps:write'
    | 'content:read'
    | 'content:write'
    | 'content:approve'
    | 'automations:read'
    | 'automations:write'
    | 'schedules:read'
    | 'schedules:write'
    | 'schedules:publish'
    | 'analytics:read'
    | 'credits:read'
    | 'webhooks:write'
  >;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** The member who created the key. Null if that is not known. */
  createdBy: {
    userId: string;
    name: string;
  } | null;
  /** With `withWhatItMade=true` only. */
  disabled?: DisabledWork;
};

export type RotateWebhook = {
  overlapHours?: number | null | undefined;
};

export type Schedule = {
  id: string;
  createdAt: string;
  updatedAt: string;
  contentId: string;
  contentVersion: number;
  tiktokAccountId: string;
  status: 'pending' | 'sending' | 'due' | 'sent' | 'failed';
  mode: 'draft' | 'publish' | 'phone';
  privacyLevel: 'PUBLIC_TO_EVERYONE' | 'MUTUAL_FOLLOW_FRIENDS' | 'FOLLOWER_OF_CREATOR' | 'SELF_ONLY' | null;
  scheduledFor: string;
  title: string;
  description: string;
  disableComment: boolean;
  brandOrganic: boolean;
  brandedContent: boolean;
  aiGenerated: boolean;
  autoAddMusic: boolean;
  /**
   * What else than its time a pending schedule waits for: the approval of its content, or that
   * sending goes on.
   */
  waitsBecause: 'approval' | 'sending_paused' | null;
  outcome: 'sent_to_drafts' | 'published' | null;
  failure: ScheduleFailure | null;
  platformPostId: string | null;
  platformPostUrl: string | null;
  sentAt: string | null;
  automationId: string | null;
  /**
   * The key or person that made it. Null where that was not recorded, and for what an automation
   * made.
   */
  createdBy: Maker | null;
  externalId: string | null;
  metadata: Record<string, unknown> | null;
  /** The first slide as a JPEG of 270 px width, valid for 48 h at least. Absent in events. */
  thumbnailUrl?: string | null;
};

export type ScheduleDueEvent = {
  id: string;
  type: 'schedule.due';
  timestamp: string;
  createdAt: string;
  sequence: number;
  data: Schedule | ScheduleReference;
};

export type ScheduleFailedEvent = {
  id: string;
  type: 'schedule.failed';
  timestamp: string;
  createdAt: string;
  sequence: number;
  data: Schedule | ScheduleReference;
};

export type ScheduleFailure = {
  code: string;
  category:
    | 'account'
    | 'content'
    | 'platform_rejected'
    | 'platform_unavailable'
    | 'rate_limited'
    | 'outcome_unknown'
    | 'internal';
  message: string;
  retryable: boolean;
  platformMessage: string | null;
};

export type SchedulePublishedEvent = {
  id: string;
  type: 'schedule.published';
  timestamp: string;
  createdAt: string;
  sequence: number;
  data: Schedule | ScheduleReference;
};

export type ScheduleReference = {
  id: string;
  contentId: string;
  status: 'pending' | 'sending' | 'due' | 'sent' | 'failed';
};

export type ScheduleSentToDraftsEvent = {
  id: string;
  type: 'schedule.sent_to_drafts';
  timestamp: string;
  createdAt: string;
  sequence: number;
  data: Schedule | ScheduleReference;
};

export type ScheduleWithTimeline = {
  id: string;
  createdAt: string;
  updatedAt: string;
  contentId: string;
  contentVersion: number;
  tiktokAccountId: string;
  status: 'pending' | 'sending' | 'due' | 'sent' | 'failed';
  mode: 'draft' | 'publish' | 'phone';
  privacyLevel: 'PUBLIC_TO_EVERYONE' | 'MUTUAL_FOLLOW_FRIENDS' | 'FOLLOWER_OF_CREATOR' | 'SELF_ONLY' | null;
  scheduledFor: string;
  title: string;
  description: string;
  disableComment: boolean;
  brandOrganic: boolean;
  brandedContent: boolean;
  aiGenerated: boolean;
  autoAddMusic: boolean;
  /**
   * What else than its time a pending schedule waits for: the approval of its content, or that
   * sending goes on.
   */
  waitsBecause: 'approval' | 'sending_paused' | null;
  outcome: 'sent_to_drafts' | 'published' | null;
  failure: ScheduleFailure | null;
  platformPostId: string | null;
  platformPostUrl: string | null;
  sentAt: string | null;
  automationId: string | null;
  /**
   * The key or person that made it. Null where that was not recorded, and for what an automation
   * made.
   */
  createdBy: Maker | null;
  externalId: string | null;
  metadata: Record<string, unknown> | null;
  /** The first slide as a JPEG of 270 px width, valid for 48 h at least. Absent in events. */
  thumbnailUrl?: string | null;
  timeline: TimelineEntry[];
};

export type SeriesDay = {
  day: string;
  views: number;
  likes: number;
  comments: number;
  /** Posts published until the end of the day. */
  posts: number;
};

export type Session = {
  id: string;
  createdAt: string;
  updatedAt: string;
  expiresAt: string;
};

export type SessionMaybeWithToken = {
  id: string;
  createdAt: string;
  updatedAt: string;
  expiresAt: string;
  token?: string;
};

export type SessionOfPerson = {
  id: string;
  createdAt: string;
  updatedAt: string;
  expiresAt: string;
  /** Written some seconds after the use. */
  lastUsedAt: string | null;
  /** The `User-Agent` that signed in. */
  client: string | null;
  current: boolean;
};

export type SessionWithToken = {
  id: string;
  createdAt: string;
  updatedAt: string;
  expiresAt: string;
  /** `sess_` and 43 characters; shown once. */
  token: string;
};

export type SetTextModel = {
  provider: 'openai' | 'anthropic' | 'gemini' | 'openrouter' | 'mistral' | 'ollama' | 'lmstudio' | 'custom';
  model?: string | undefined;
  apiKey?: string | undefined;
  /**
   * An OpenAI-compatible endpoint, such as `https://host/v1`: https on the public internet, or an
   * address that the operator allows (`LLM_ALLOW_TARGETS`).
   */
  baseUrl?: string | undefined;
};

export type SharedDeck = {
  workspace: string;
  /** The handle of the app in its brand, or its name. */
  handle: string;
  version: number;
  approvalStatus: 'pending' | 'approved' | 'rejected';
  caption: string;
  hashtags: string[];
  slides: Array<{
    text: string;
    /** Null for a slide that was not drawn. */
    url: string | null;
    thumbnailUrl: string | null;
  }>;
  /** The version waits for a decision that this link may take. */
  mayDecide: boolean;
  expiresAt: string;
};

export type SignIn = {
  email: string;
  password: string;
};

export type SignUp = {
  email: string;
  password: string;
  name?: string | null | undefined;
};

export type SignedIn = {
  user: User;
  session: SessionWithToken;
};

export type SlideImage = {
  /** Counted from 1. */
  index: number;
  url: string;
  /** A JPEG of 270 px width under a link like `url`. Absent in events. */
  thumbnailUrl?: string;
  width: number;
  height: number;
  bytes: number;
  contentType: string;
};

export type SlideLook = {
  pictureId?: string;
  position?: 'top' | 'middle' | 'bottom';
};

export type SlideshowResult = {
  hook: string;
  hookOptions: string[];
  bodySlides: Array<{
    text: string;
    pictureId?: string;
    position?: 'top' | 'middle' | 'bottom';
  }>;
  ctaSoft: string;
  ctaHard: string;
  caption: string;
  hashtags: string[];
  /** The picture and position of the first slide, once edited. */
  coverLook?: SlideLook;
  /** The same of the closing slide. */
  closingLook?: SlideLook;
};

export type StartExperiment = {
  /** Makes a copy of the deck with each. */
  hooks?: string[] | null | undefined;
  against?: string[] | null | undefined;
  readAfterHours: number;
};

export type StartedExperiment = {
  id: string;
  appId: string;
  readAfterHours: number;
  createdAt: string;
  /** The deck in the path, those of `against`, then the copies. */
  decks: Array<{
    contentId: string;
    hook: string;
  }>;
};

export type SubscribePush = {
  /** https, on the public internet. */
  endpoint: string;
  keys: {
    p256dh: string;
    auth: string;
  };
};

export type Template = {
  id: 'quote-card' | 'photo-card' | 'screenshot-card' | 'picture';
  name: string;
  description: string;
  /** Sample slides, open to everyone. */
  sampleUrls: string[];
  /** Draws pictures of the app; it must have at least one. */
  needsPictures: boolean;
};

export type TextModel = {
  provider:
    | 'openai'
    | 'anthropic'
    | 'gemini'
    | 'openrouter'
    | 'mistral'
    | 'ollama'
    | 'lmstudio'
    | 'custom'
    | null;
  model: string | null;
  baseUrl: string | null;
  hasKey: boolean;
  /**
   * `workspace`: its own. `installation`: the one that the operator set. `none`: the built-in
   * composer writes, about the app only.
   */
  source: 'workspace' | 'installation' | 'none';
  lastTest: {
    ok: boolean;
    milliseconds: number;
    /** The sentence that the model wrote, or the provider's words, without the key. */
    message: string;
    at: string;
  } | null;
  /** True: what earlier decks brought helps to choose hooks and structures. */
  learns: boolean;
};

export type TextModelTest = {
  ok: boolean;
  milliseconds: number;
  /** The sentence that the model wrote, or the provider's words, without the key. */
  message: string;
};

export type TiktokConnection = {
  authorizeUrl: string;
  state: string;
  expiresAt: string;
};

export type TimelineEntry = {
  at: string;
  what: string;
  detail: string | null;
};

export type UnreviewedItem = {
  item:
    | 'name'
    | 'listing'
    | 'brand.colors'
    | 'brand.logoImageId'
    | 'brand.handle'
    | 'brand.fonts'
    | 'brand.voice'
    | 'brand.avoidWords'
    | 'picture';
  /** Only of a `picture`. */
  pictureId?: string;
  by: Maker;
  at: string;
};

export type UpdateAccount = {
  name?: string | undefined;
  slots?: PostingTimeInput[] | undefined;
  /** IANA zone, default UTC. */
  timezone?: string | undefined;
};

export type UpdateApp = {
  name?: string | undefined;
  brand?: BrandUpdate | null | undefined;
  /** Your own id for it. Several may have the same. */
  externalId?: string | null | undefined;
  /** Texts of your own by name. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type UpdateAutomation = {
  status?: 'active' | 'paused' | undefined;
  postingTimes?: PostingTimeInput[] | undefined;
  /** IANA zone, default UTC. */
  timezone?: string | undefined;
  brief?: BriefUpdate | null | undefined;
  topics?: string[] | null | undefined;
  until?: string | null | undefined;
  maxFirings?: number | null | undefined;
  approvalMode?: 'auto' | 'manual' | undefined;
  postingMode?: 'drafts' | 'publish' | undefined;
  privacyLevel?:
    | 'PUBLIC_TO_EVERYONE'
    | 'MUTUAL_FOLLOW_FRIENDS'
    | 'FOLLOWER_OF_CREATOR'
    | 'SELF_ONLY'
    | null
    | undefined;
  /** Your own id for it. Several may have the same. */
  externalId?: string | null | undefined;
  /** Texts of your own by name. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type UpdateMember = {
  role: 'owner' | 'approver' | 'editor' | 'viewer';
};

export type UpdateNotifications = {
  decksWaiting?: 'off' | 'instant' | 'daily' | undefined;
  weekly?: boolean | undefined;
  postDue?: boolean | undefined;
  /** What you are told on each browser that takes notifications. */
  pushKinds?: Array<'decks_waiting' | 'post_due' | 'post_failed' | 'account_reconnect'> | undefined;
};

export type UpdateSchedule = {
  tiktokAccountId?: string | undefined;
  scheduledFor?: string | undefined;
  /** Instead of `scheduledFor`: the first free slot of the account. */
  slot?: 'next' | undefined;
  mode?: 'draft' | 'publish' | 'phone' | undefined;
  privacyLevel?: string | null | undefined;
  title?: string | null | undefined;
  description?: string | null | undefined;
  disableComment?: boolean | undefined;
  brandOrganic?: boolean | undefined;
  brandedContent?: boolean | undefined;
  aiGenerated?: boolean | undefined;
  autoAddMusic?: boolean | undefined;
  /** Your own id for it. Several may have the same. */
  externalId?: string | null | undefined;
  /** Texts of your own by name. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type UpdateWebhook = {
  url?: string | undefined;
  events?:
    | Array<
        | 'job.completed'
        | 'content.approved'
        | 'content.rejected'
        | 'schedule.sent_to_drafts'
        | 'schedule.published'
        | 'schedule.failed'
        | 'automation.skipped'
        | 'schedule.due'
        | 'content.changes_requested'
        | 'account.connected'
        | 'account.needs_reauth'
        | 'credits.low'
      >
    | undefined;
  status?: 'enabled' | 'disabled' | undefined;
};

export type UpdateWorkspace = {
  name?: string | undefined;
  /** Name of an IANA time zone, such as Europe/Berlin. */
  timezone?: string | undefined;
  approvalPolicy?:
    | {
        preset?: 'strict' | 'open' | undefined;
        approvers?: 'anyone_with_scope' | 'people_only' | undefined;
        requireVersion?: boolean | undefined;
        postTexts?: 'open' | 'approved_only' | undefined;
        selfApproval?: boolean | undefined;
      }
    | undefined;
  sendingPaused?: boolean | undefined;
};

export type Usage = {
  windows: UsageRow[];
  ceilings: UsageRow[];
};

export type UsageRow = {
  name: string;
  limit: number;
  /** A window: requests of the last 60 s, this one included. */
  used: number;
  /**
   * When `used` falls without another request: for a window when its oldest request is 60 s old.
   * `null`: it does not.
   */
  resetsAt: string | null;
};

export type User = {
  id: string;
  createdAt: string;
  updatedAt: string;
  /** An address, or null for a user of an OIDC issuer that sent none. */
  email: string | null;
  name: string | null;
};

export type VerifyEmail = {
  token: string;
  password?: string | null | undefined;
};

export type VideoAnalytics = {
  videoId: string;
  posts: Array<{
    platform: 'instagram' | 'youtube';
    platformPostId: string;
    views: number | null;
    likes: number | null;
    comments: number | null;
    publishedAt: string | null;
    collectedAt: string | null;
  }>;
  totals: {
    views: number;
    likes: number;
    comments: number;
  };
  history: Array<{
    day: string;
    views: number;
    likes: number;
    comments: number;
  }>;
};

export type Webhook = {
  id: string;
  createdAt: string;
  updatedAt: string;
  url: string;
  events: Array<
    | 'job.completed'
    | 'content.approved'
    | 'content.rejected'
    | 'schedule.sent_to_drafts'
    | 'schedule.published'
    | 'schedule.failed'
    | 'automation.skipped'
    | 'schedule.due'
    | 'content.changes_requested'
    | 'account.connected'
    | 'account.needs_reauth'
    | 'credits.low'
  >;
  status: 'enabled' | 'disabled';
  disabledReason: string | null;
  /**
   * The key or person that made it. Null where that was not recorded, and for what an automation
   * made.
   */
  createdBy: Maker | null;
};

export type WebhookWithSecret = {
  id: string;
  createdAt: string;
  updatedAt: string;
  url: string;
  events: Array<
    | 'job.completed'
    | 'content.approved'
    | 'content.rejected'
    | 'schedule.sent_to_drafts'
    | 'schedule.published'
    | 'schedule.failed'
    | 'automation.skipped'
    | 'schedule.due'
    | 'content.changes_requested'
    | 'account.connected'
    | 'account.needs_reauth'
    | 'credits.low'
  >;
  status: 'enabled' | 'disabled';
  disabledReason: string | null;
  /**
   * The key or person that made it. Null where that was not recorded, and for what an automation
   * made.
   */
  createdBy: Maker | null;
  /** `whsec_` and base64. A retry returns it for 10 minutes, then the record without it. */
  secret?: string;
};

export type WorkOfKey = {
  automations: Array<{
    id: string;
    appId: string;
    status: 'active' | 'paused' | 'ended';
    /** `created`: the key made it. `changed`: somebody else made it, and the key changed it later. */
    change: 'created' | 'changed';
  }>;
  webhooks: Array<{
    id: string;
    url: string;
    status: 'enabled' | 'disabled';
    /** `created`: the key made it. `changed`: somebody else made it, and the key changed it later. */
    change: 'created' | 'changed';
  }>;
  /** Schedules that wait, oldest first. */
  schedules: Array<{
    id: string;
    contentId: string;
    tiktokAccountId: string;
    scheduledFor: string;
  }>;
  /** More schedules wait than are listed. */
  more: boolean;
};

export type Workspace = {
  id: string;
  createdAt: string;
  updatedAt: string;
  name: string;
  timezone: string;
  approvalPolicy: ApprovalPolicy;
  /** True: no post of the workspace goes out. */
  sendingPaused: boolean;
  /** Until `deletesAt` the workspace is frozen, and an owner can restore it. Null: not requested. */
  deletion: {
    requestedAt: string;
    deletesAt: string;
  } | null;
};

export type WorkspaceExport = {
  id: string;
  createdAt: string;
  updatedAt: string;
  /** Always `ready` today: the archive is written while it is downloaded. */
  status: 'pending' | 'running' | 'ready' | 'failed';
  /** Link to the archive, a tar.gz; null until `ready`. */
  url: string | null;
  expiresAt: string;
};

export type WorkspaceOfPerson = {
  id: string;
  name: string;
  role: 'owner' | 'approver' | 'editor' | 'viewer';
  current: boolean;
};

/**
 * An event of the feed or of a webhook. More types may be added: ignore those that you do not
 * know.
 */
export type HooklineEvent =
  | JobCompletedEvent
  | ContentApprovedEvent
  | ContentRejectedEvent
  | ScheduleSentToDraftsEvent
  | SchedulePublishedEvent
  | ScheduleFailedEvent
  | AutomationSkippedEvent
  | ScheduleDueEvent
  | ContentChangesRequestedEvent
  | AccountConnectedEvent
  | AccountNeedsReauthEvent
  | CreditsLowEvent;

export type ListSessionsQuery = {
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
};

export type ListKeysQuery = {
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
};

export type ListAuditQuery = {
  /**
   * The `nextCursor` of the previous response. Without it, reading starts at the oldest row that is
   * kept.
   */
  after?: string | undefined;
  /**
   * Default: `oldest`. With `newest`, the newest rows come first, `previousCursor` leads to those
   * before them, and `nextCursor` to those that are added later.
   */
  order?: 'oldest' | 'newest' | undefined;
  /** With `order=newest`: the `previousCursor` of the previous response. */
  before?: string | undefined;
  /** Only this action, or all of a kind: `key` matches `key.created` and `key.revoked`. */
  action?: string | undefined;
  /** Only what this person or key did. */
  actorId?: string | undefined;
  /** Maximum number of rows; 100 without it. */
  limit?: number | undefined;
};

export type ListInvitationsQuery = {
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
};

export type ListMembersQuery = {
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
};

export type ListAppsQuery = {
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
  /** Return only those with this `externalId`. */
  externalId?: string | undefined;
};

export type ListPicturesQuery = {
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
  /** Default: all but `slide`. */
  kind?: 'upload' | 'screenshot' | 'slide' | undefined;
};

export type ListContentQuery = {
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
  /** Return only those in this state. */
  status?: 'queued' | 'running' | 'ready' | 'failed' | undefined;
  /**
   * Return only those with this approval; `pending` means that a decision can be taken, so only
   * `ready` ones.
   */
  approvalStatus?: 'pending' | 'approved' | 'rejected' | undefined;
  /**
   * Return only those with a schedule that was not withdrawn (`true`), or without one (`false`). A
   * new schedule counts within a moment.
   */
  scheduled?: boolean | undefined;
  /** Return only those that an automation (`automation`) or a request (`api`) made. */
  origin?: 'api' | 'automation' | undefined;
  /** Return only those of which another version was asked for (`true`), or all others (`false`). */
  changesRequested?: boolean | undefined;
  /** Return only those of this app. */
  appId?: string | undefined;
  /** Return only those whose texts have these words, or words that begin so, in any order. */
  q?: string | undefined;
  /** Return only those with this `externalId`. */
  externalId?: string | undefined;
  /** Return only those made at this time or later. */
  createdFrom?: string | undefined;
  /** Return only those made before this time. */
  createdTo?: string | undefined;
};

export type PreflightContentQuery = {
  /** Also check against what this account allows. */
  tiktokAccountId?: string | undefined;
  /** Check for this mode. Default `draft`, for a phone `phone`. */
  mode?: 'draft' | 'publish' | 'phone' | undefined;
  /** Check for this level. */
  privacyLevel?: string | undefined;
};

export type CompareDecksQuery = {
  /** Number of days, including today. Default 90. */
  windowDays?: number | undefined;
  /** Return only those of this app. */
  appId?: string | undefined;
  /** The zone of weekdays and hours. Default UTC. */
  timezone?: string | undefined;
};

export type ListReviewLinksQuery = {
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
};

export type ListCommentsQuery = {
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
};

export type ListLedgerQuery = {
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
  /** Return only those of this content. */
  contentId?: string | undefined;
};

export type ListAccountsQuery = {
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
  /** Return only those in this state. */
  status?: 'connected' | 'needs_reauth' | 'disconnected' | undefined;
  /** Return only those of this app. */
  appId?: string | undefined;
};

export type ListFreeSlotsQuery = {
  /** How many slots, by default 10. */
  count?: number | undefined;
};

export type ListSchedulesQuery = {
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
  /** Return only those in this state. */
  status?: 'pending' | 'sending' | 'due' | 'sent' | 'failed' | undefined;
  /** Return only those of this content. */
  contentId?: string | undefined;
  /** Return only those of this TikTok account. */
  tiktokAccountId?: string | undefined;
  /** Return only those with this `externalId`. */
  externalId?: string | undefined;
  /** Return only those scheduled for this time or later. */
  from?: string | undefined;
  /** Return only those scheduled for a time before this one. */
  to?: string | undefined;
};

export type ListAutomationsQuery = {
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
  /** Return only those in this state. */
  status?: 'active' | 'paused' | 'ended' | undefined;
  /** Return only those of this app. */
  appId?: string | undefined;
  /** Return only those with this `externalId`. */
  externalId?: string | undefined;
};

export type ListNextFiringsQuery = {
  /** Number of firings. Default 20. */
  limit?: number | undefined;
};

export type ListFiringsQuery = {
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
  /** Return only those in this state. */
  status?:
    | 'fired'
    | 'generated'
    | 'awaiting_approval'
    | 'scheduled'
    | 'done'
    | 'failed'
    | 'skipped'
    | undefined;
  /** Return only those of this content. */
  contentId?: string | undefined;
};

export type PreviewAutomationQuery = {
  /** Number of firing times. Default 10. */
  count?: number | undefined;
};

export type ListEventsQuery = {
  /**
   * The `nextCursor` of the previous response. Without it, reading starts at the oldest row that is
   * kept.
   */
  after?: string | undefined;
  /**
   * Default: `oldest`. With `newest`, the newest rows come first, `previousCursor` leads to those
   * before them, and `nextCursor` to those that are added later.
   */
  order?: 'oldest' | 'newest' | undefined;
  /** With `order=newest`: the `previousCursor` of the previous response. */
  before?: string | undefined;
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
};

export type ListWebhooksQuery = {
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
  /** Return only those in this state. */
  status?: 'enabled' | 'disabled' | undefined;
};

export type ListDeliveriesQuery = {
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
  /** Return only those in this state. */
  status?: 'pending' | 'delivered' | 'failed' | undefined;
};

export type ListPostsQuery = {
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
  /** Return only those of this platform. */
  platform?: 'instagram' | 'youtube' | undefined;
  /** Return only those of this video. */
  videoId?: string | undefined;
};

export type GetSeriesQuery = {
  /** First day. Default: 29 days before `to`. */
  from?: string | undefined;
  /** Last day. Default: today. */
  to?: string | undefined;
  /** Count only posts of this platform. */
  platform?: 'instagram' | 'youtube' | undefined;
};

export type ListSourcesQuery = {
  /** Maximum number of rows. With it, `nextCursor` is set when there are more. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
  /** Return only those in this state. */
  status?: 'connected' | 'needs_reauth' | undefined;
};

export type GetAnalyticsSummaryQuery = {
  /** Number of days, including today. Default 30. */
  windowDays?: number | undefined;
};
