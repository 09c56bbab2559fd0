/** The only catalogue of error codes: status, default message, meaning. The source of the reference. */

type CatalogueEntry = { status: number; otherStatus?: number; message: string; meaning: string };

/** Every code that a caller can receive (API-7). */
export const errorCatalogue = {
  unauthorized: {
    status: 401,
    message: 'Send a valid API key as "Authorization: Bearer svc_live_...".',
    meaning: 'missing or malformed `Authorization` header, or invalid key or session',
  },
  second_factor_required: {
    status: 401,
    message:
      'This account has a passkey: sign in with it at the console, or send one of your recovery codes as recoveryCode.',
    meaning: 'the password is right, and the passkey or a recovery code is missing or wrong',
  },
  key_revoked: { status: 401, message: 'This API key was revoked.', meaning: 'key was revoked' },
  key_expired: { status: 401, message: 'This API key has expired.', meaning: 'key passed its `expiresAt`' },
  missing_scope: {
    status: 403,
    message: 'This API key lacks a scope that the request needs.',
    meaning: 'key or role lacks what the request needs; the message names it',
  },
  not_found: {
    status: 404,
    message: 'No such resource.',
    meaning: 'resource does not exist or is not owned by the account',
  },
  invalid_request: {
    status: 400,
    message: 'The request is malformed.',
    meaning: 'missing or malformed fields; also 405, 409, 413 and 415, where the message says what is wrong',
  },
  idempotency_key_reused: {
    status: 400,
    message: 'Idempotency-Key was used with another body; send a new key for a new request.',
    meaning: '`Idempotency-Key` of an earlier request with another body',
  },
  missing_idempotency_key: {
    status: 400,
    message: 'Send an Idempotency-Key header: a text of 1 to 255 characters, new for each intended content.',
    meaning: 'credit-spending POST without `Idempotency-Key`',
  },
  not_approved: {
    status: 409,
    message: 'This content is not approved; approve it first.',
    meaning:
      'scheduling content whose `approvalStatus` is not `approved`, or with other texts than the approved ones where the approval policy forbids it',
  },
  not_ready: {
    status: 409,
    message: 'This content is not ready.',
    meaning:
      'approving or rejecting content whose `status` is not `ready`, or another version than the current',
  },
  no_images: {
    status: 409,
    message:
      'This content has no finished slide images; create it with a brief.templateId such as "quote-card".',
    meaning: 'scheduling content with no finished slide images',
  },
  not_postable: {
    status: 409,
    message: 'The slide images of this content do not match its slides.',
    meaning: 'images do not match the slides, or a final failure is retried',
  },
  slide_missing: {
    status: 409,
    message: 'A slide file is gone.',
    meaning: 'a slide file is gone',
  },
  unsupported_image_format: {
    status: 409,
    message: 'A slide is neither JPEG nor WebP.',
    meaning: 'a slide is not JPEG or WebP; 415: an uploaded picture is not JPEG, PNG or WebP',
  },
  image_too_large: {
    status: 409,
    message: 'A slide is too large to post.',
    meaning:
      'a slide is over 20,000,000 bytes or its shorter side is over 1080 px; 413: an uploaded picture is over 10 MB or 40 megapixels',
  },
  too_many_slides: {
    status: 409,
    message: 'The deck has more slides than the 35 a post can hold.',
    meaning: 'the deck is too big to post',
  },
  account_not_found: {
    status: 404,
    message: 'No such platform account; GET /accounts lists those that are connected.',
    meaning: "platform account is not on the caller's account",
  },
  account_not_connected: {
    status: 409,
    message: 'The platform account is disconnected; connect it again.',
    meaning: 'the platform account must be reconnected: consent was withdrawn',
  },
  account_needs_reauth: {
    status: 409,
    message: 'The platform account needs a new sign-in at the platform; connect it again.',
    meaning: 'the platform account must be reconnected: its tokens were refused',
  },
  cross_app: {
    status: 409,
    message: 'The platform account posts for a different app than this content.',
    meaning: 'account posts for a different app than the content',
  },
  already_scheduled: {
    status: 409,
    message: 'This content is already scheduled for that account.',
    meaning: 'content is already scheduled for that account',
  },
  no_free_slot: {
    status: 409,
    message: 'The account has no free slot within 365 days; set its slots with PATCH /accounts/{id}.',
    meaning: '`slot: "next"` where the account has no slots, or none that is free',
  },
  already_sending: {
    status: 409,
    message: 'The post is already being sent.',
    meaning: 'the post is being sent to the platform',
  },
  already_sent: {
    status: 409,
    message: 'The post is already on the platform.',
    meaning: 'the post is already on the platform',
  },
  missing_privacy_level: {
    status: 400,
    message: 'privacyLevel is required when mode is "publish".',
    meaning: '`mode: "publish"` without `privacyLevel`',
  },
  invalid_privacy_level: {
    status: 400,
    message: 'privacyLevel is not one that the account allows.',
    meaning: '`privacyLevel` not allowed by the account',
  },
  insufficient_credits: {
    status: 402,
    message: 'Not enough credits. Sending the same request again does not help.',
    meaning: 'not enough credits; the body also has `insufficient: true`',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests.',
    meaning: 'too many requests; the `Retry-After` header gives seconds',
  },
  tiktok_create_failed: {
    status: 409,
    otherStatus: 502,
    message: 'The platform refused the post.',
    meaning: "the platform refused (409) or could not be reached (502); the message is the platform's text",
  },
  tiktok_publish_failed: {
    status: 502,
    message: 'The platform rejected the post.',
    meaning: 'the platform rejected the request',
  },
  queue_unavailable: {
    status: 502,
    message: 'The queue could not be reached to withdraw the post; nothing was deleted.',
    meaning: 'the queue could not be reached to withdraw a post; nothing deleted',
  },
  store_unavailable: {
    status: 502,
    message: 'The app store could not be read; try again later.',
    meaning: 'the app store could not be read',
  },
  service_unavailable: {
    status: 503,
    message: 'A part of the service cannot be reached; try again.',
    meaning:
      'an owning service cannot be reached or did not answer; safe to retry after `Retry-After` seconds, although the first request may have been carried out',
  },
  outcome_unknown: {
    status: 504,
    message:
      'The response was lost: the request may have been carried out. Check before you repeat it, and send an Idempotency-Key next time, which makes a retry safe.',
    meaning:
      'a POST without `Idempotency-Key` may have been carried out, and its response was lost; check before repeating it',
  },
  not_implemented: {
    status: 501,
    message: 'This is not available yet.',
    meaning: 'pipeline not wired (remix; illustrated and hook_video generation)',
  },
  db_error: {
    status: 502,
    message: 'The database call failed and nothing was changed; the request is safe to send again.',
    meaning: "the service's own database call failed and nothing was changed; safe to retry",
  },
  internal_error: {
    status: 500,
    message: 'Something went wrong on our side.',
    meaning: 'unhandled error',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

export type ApiErrorOptions = {
  /**
   * Only for codes with several statuses (`tiktok_create_failed`, `invalid_request` as 405, 409, 413, 415).
   */
  status?: number;
  /** Sent as `Retry-After`, whole seconds, at least 1. */
  retryAfterSeconds?: number;
  /** Sent as `Allow` with a 405. */
  allow?: readonly string[];
  cause?: unknown;
};

/** The only error that reaches callers. Its message is public: it names the field and the valid values. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: readonly string[] | undefined;

  constructor(code: ErrorCode, message?: string, options: ApiErrorOptions = {}) {
    super(message ?? errorCatalogue[code].message, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? errorCatalogue[code].status;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
  }
}

export type LostAnswer = {
  method: string;
  /** True when the route honours an `Idempotency-Key`; `hasKey` when this request has one. */
  honoursKey: boolean;
  hasKey: boolean;
  cause?: unknown;
};

/**
 * The error for a request that may have been carried out although its answer was lost. Only a request that is
 * safe to repeat gets a `Retry-After`: a POST with a key that the route honours, and any other method.
 */
export function answerLost({ method, honoursKey, hasKey, cause }: LostAnswer): ApiError {
  if (method === 'POST' && !(honoursKey && hasKey)) {
    const message =
      'The response was lost: the request may have been carried out. Check before you repeat it.';
    return new ApiError('outcome_unknown', honoursKey ? undefined : message, { cause });
  }
  const message =
    method === 'POST'
      ? 'The response was lost: the request may have been carried out. Send it again with the same Idempotency-Key.'
      : 'The response was lost: the request may have been carried out. Sending it again leads to the same state.';
  return new ApiError('service_unavailable', message, { retryAfterSeconds: 1, cause });
}

/** 429 with the text of API-8. @param retryAfterSeconds whole seconds, at least 1. */
export function rateLimited(retryAfterSeconds: number): ApiError {
  return new ApiError('rate_limited', `Too many requests. Retry after ${retryAfterSeconds}s.`, {
    retryAfterSeconds,
  });
}

export function invalidRequest(message: string, options: ApiErrorOptions = {}): ApiError {
  return new ApiError('invalid_request', message, options);
}

/** A 404 that is the same for a foreign row and for a missing one (architecture invariant 5). */
export function notFound(what: string): ApiError {
  return new ApiError('not_found', `No such ${what}.`);
}
