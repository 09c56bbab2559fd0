import { describe, expect, it } from 'vitest';
import { ErrorEnvelope, errorBody } from './envelope.ts';
import { ApiError, errorCatalogue, invalidRequest, rateLimited } from './errors.ts';

/** API-7, row by row, and the codes that were added since. */
const specified: Record<string, number[]> = {
  unauthorized: [401],
  second_factor_required: [401],
  key_revoked: [401],
  key_expired: [401],
  missing_scope: [403],
  not_found: [404],
  invalid_request: [400],
  idempotency_key_reused: [400],
  missing_idempotency_key: [400],
  not_approved: [409],
  not_ready: [409],
  no_images: [409],
  not_postable: [409],
  slide_missing: [409],
  unsupported_image_format: [409],
  image_too_large: [409],
  too_many_slides: [409],
  account_not_found: [404],
  account_not_connected: [409],
  account_needs_reauth: [409],
  cross_app: [409],
  already_scheduled: [409],
  no_free_slot: [409],
  already_sending: [409],
  already_sent: [409],
  missing_privacy_level: [400],
  invalid_privacy_level: [400],
  insufficient_credits: [402],
  rate_limited: [429],
  tiktok_create_failed: [409, 502],
  tiktok_publish_failed: [502],
  queue_unavailable: [502],
  not_implemented: [501],
  db_error: [502],
  internal_error: [500],
  store_unavailable: [502],
  service_unavailable: [503],
  outcome_unknown: [504],
};

describe('error catalogue', () => {
  it('has the codes of the spec and the additions, no more and no fewer, each with its status', () => {
    const catalogued = Object.entries(errorCatalogue).map(([code, entry]) => [
      code,
      'otherStatus' in entry ? [entry.status, entry.otherStatus] : [entry.status],
    ]);
    expect(Object.fromEntries(catalogued)).toEqual(specified);
  });

  it('has a sentence for every code', () => {
    for (const { message } of Object.values(errorCatalogue)) expect(message).toMatch(/^[A-Zp].+\.$/);
  });
});

describe('error envelope', () => {
  it('carries insufficient with insufficient_credits only', () => {
    expect(errorBody(new ApiError('insufficient_credits'), 'req_1').error).toMatchObject({
      insufficient: true,
    });
    expect(errorBody(new ApiError('not_found'), 'req_1').error).toEqual({
      code: 'not_found',
      message: 'No such resource.',
      requestId: 'req_1',
    });
  });

  it.each([
    ['brief.pictureIds[1] must be the id of a picture of the app', 'brief.pictureIds[1]'],
    ['name is required and must be a text of 1 to 5 characters', 'name'],
    ['client_id must name a public host', 'client_id'],
    ['Brief is not a known field; did you mean brief?', 'Brief'],
    ['body must be a JSON object', undefined],
    ['The body must be valid JSON.', undefined],
    ['60 schedules of this app wait; delete or await them first.', undefined],
  ])('param of "%s" is %s', (message, param) => {
    expect(errorBody(invalidRequest(message), 'req_1').error.param).toBe(param);
  });

  it('names privacyLevel as the param of its two codes, and no field of an answer of a platform', () => {
    for (const code of ['missing_privacy_level', 'invalid_privacy_level'] as const) {
      expect(errorBody(new ApiError(code), 'req_1').error.param).toBe('privacyLevel');
    }
    const refused = new ApiError('tiktok_create_failed', 'spam_risk is what TikTok says');
    expect(errorBody(refused, 'req_1').error).not.toHaveProperty('param');
  });

  it('fits its schema for every code', () => {
    for (const code of Object.keys(specified)) {
      const body = errorBody(new ApiError(code as 'not_found'), 'req_1');
      expect(ErrorEnvelope.safeParse(body).success).toBe(true);
    }
  });

  it('429 says the seconds in the words of API-8', () => {
    expect(rateLimited(7)).toMatchObject({
      status: 429,
      message: 'Too many requests. Retry after 7s.',
      retryAfterSeconds: 7,
    });
  });
});
