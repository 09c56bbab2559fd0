import { describe, expect, it } from 'vitest';
import { publicRoutes } from '../src/public-api.ts';

/** Section 4 of the spec and its additions, written down a second time: the scopes that open each route. */
const opens: Record<string, readonly string[]> = {
  'apps:read': ['GET /apps', 'GET /apps/{id}', 'GET /apps/{id}/pictures'],
  'apps:write': [
    'POST /apps',
    'PATCH /apps/{id}',
    'POST /apps/{id}/refresh',
    'DELETE /apps/{id}',
    'POST /apps/{id}/pictures',
    'DELETE /apps/{id}/pictures/{pictureId}',
  ],
  'content:read': [
    'GET /content',
    'GET /content/counts',
    'GET /content/{id}',
    'GET /content/{id}/archive',
    'GET /content/{id}/timeline',
    'GET /content/{id}/results',
    'GET /content/{id}/preflight',
    'GET /jobs/{id}',
    'GET /templates',
  ],
  'content:write': [
    'POST /content',
    'POST /content/batch',
    'PATCH /content/{id}',
    'POST /content/{id}/duplicate',
    'POST /content/{id}/remix',
    'POST /content/{id}/results',
    'POST /content/{id}/posts',
    'POST /content/{id}/experiment',
  ],
  'content:approve': [
    'POST /content/{id}/approve',
    'POST /content/{id}/reject',
    'POST /content/{id}/request-changes',
    'POST /apps/{id}/review',
    'POST /automations/{id}/confirm',
  ],
  'content:write or content:approve': [
    'GET /content/{id}/comments',
    'POST /content/{id}/comments',
    'GET /content/{id}/review-links',
    'POST /content/{id}/review-links',
    'DELETE /content/{id}/review-links/{linkId}',
  ],
  'schedules:read': ['GET /schedules', 'GET /schedules/{id}', 'GET /accounts/{id}/slots'],
  // With mode publish the service also requires schedules:publish.
  'schedules:write': [
    'POST /schedules',
    'PATCH /schedules/{id}',
    'DELETE /schedules/{id}',
    'POST /schedules/{id}/retry',
  ],
  'schedules:publish': ['POST /schedules/{id}/posted'],
  'automations:read': [
    'GET /automations',
    'GET /automations/next',
    'GET /automations/{id}',
    'GET /automations/{id}/next',
    'GET /automations/{id}/firings',
  ],
  // Where it approves or publishes, the service asks for content:approve and schedules:publish as well.
  'automations:write': [
    'POST /automations',
    'PATCH /automations/{id}',
    'DELETE /automations/{id}',
    'POST /automations/{id}/run',
  ],
  'analytics:read': [
    'GET /analytics/summary',
    'GET /analytics/content/{videoId}',
    'GET /analytics/posts',
    'GET /analytics/series',
    'GET /analytics/decks',
    'GET /analytics/experiments',
  ],
  'credits:read': ['GET /credits', 'GET /credits/ledger'],
  'webhooks:write': [
    'POST /webhooks',
    'GET /webhooks',
    'GET /webhooks/{id}',
    'PATCH /webhooks/{id}',
    'DELETE /webhooks/{id}',
    'POST /webhooks/{id}/test',
    'POST /webhooks/{id}/rotate',
    'GET /webhooks/{id}/deliveries',
    'POST /webhooks/{id}/replay',
    'POST /webhooks/{id}/deliveries/{deliveryId}/replay',
    'GET /events',
  ],
  'any key': ['GET /accounts', 'GET /usage'],
  'a session': [
    'POST /auth/sign-out',
    'GET /auth/session',
    'GET /auth/workspaces',
    'POST /auth/workspaces/{id}/enter',
    'GET /auth/sessions',
    'DELETE /auth/sessions',
    'DELETE /auth/sessions/{id}',
    'POST /auth/password',
    'GET /workspace',
    'GET /workspace/members',
    'GET /workspace/text-model',
    'GET /workspace/notifications',
    'DELETE /workspace/notifications/browser',
    'GET /keys',
    'DELETE /keys/{id}',
    'GET /keys/{id}/work',
    'GET /analytics/sources',
  ],
  'a session of owner, approver, editor': ['POST /keys', 'POST /analytics/posts'],
  'a session of owner, approver': ['PATCH /workspace/notifications', 'PUT /workspace/notifications/browser'],
  'a session of owner': [
    'PATCH /workspace',
    'DELETE /workspace',
    'POST /workspace/restore',
    'POST /workspace/exports',
    'GET /workspace/exports/{id}',
    'GET /workspace/invitations',
    'POST /workspace/invitations',
    'DELETE /workspace/invitations/{id}',
    'GET /audit',
    'PUT /workspace/text-model',
    'PATCH /workspace/text-model',
    'DELETE /workspace/text-model',
    'POST /workspace/text-model/test',
    'PATCH /workspace/members/{userId}',
    'DELETE /workspace/members/{userId}',
    'POST /accounts/phone',
    'POST /accounts/tiktok/connect',
    'POST /accounts/tiktok/finish',
    'PATCH /accounts/{id}',
    'DELETE /accounts/{id}',
    'POST /analytics/sources',
    'DELETE /analytics/sources/{id}',
  ],
  nothing: [
    'POST /auth/sign-up',
    'POST /auth/sign-in',
    // A session is not needed, but used when it is sent.
    'POST /auth/invitations/accept',
    'POST /auth/password-reset',
    'POST /auth/password-reset/confirm',
    'POST /auth/verify-email',
    'POST /review/open',
    'POST /review/decide',
    'GET /accounts/tiktok/callback',
    'GET /openapi.json',
  ],
};

describe('who opens which route under /api/v1', () => {
  it('is what the spec says, route by route', () => {
    const told = Object.entries(opens).flatMap(([who, routes]) => routes.map(route => `${route}: ${who}`));
    const served = publicRoutes
      .filter(({ path }) => path.startsWith('/api/v1/'))
      .map(({ method, path, auth, scopes, roles, contract }) => {
        const session = roles ? `a session of ${roles.join(', ')}` : 'a session';
        const who = {
          key: scopes.join(contract?.anyScope ? ' or ' : ' and ') || 'any key',
          session,
          none: 'nothing',
          cookie: '',
        }[auth];
        return `${method} ${path.slice('/api/v1'.length)}: ${who}`;
      });
    expect(served.toSorted()).toEqual(told.toSorted());
  });
});
