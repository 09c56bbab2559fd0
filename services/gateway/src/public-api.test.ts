import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { describe, expect, it } from 'vitest';
import { methodsOf, ownersPath, publicRoutes } from './public-api.ts';

describe('the table of the public API', () => {
  it('has every contract once', () => {
    const names = publicRoutes.map(route => `${route.method} ${route.path}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { method, path } of allRoutes) expect(names).toContain(`${method} /api/v1${path}`);
  });

  it('serves every route but the page under /console too, for a cookie where it needs credentials', () => {
    const served = publicRoutes.filter(({ isConsole }) => isConsole);
    expect(served).toHaveLength(allRoutes.filter(({ response, produces }) => response || produces).length);
    for (const { path, auth, contract } of served) {
      expect([path, auth]).toEqual([
        `/console/api/v1${contract?.path}`,
        contract?.auth === 'none' ? 'none' : 'cookie',
      ]);
    }
  });

  it('opens to sessions exactly the routes that API-11 lists', () => {
    const sessionRoutes = publicRoutes.filter(route => route.auth === 'session');
    expect(
      sessionRoutes.map(({ method, path }) => `${method} ${path.slice('/api/v1'.length)}`).sort(),
    ).toEqual(
      [
        'DELETE /accounts/{id}',
        'DELETE /analytics/sources/{id}',
        'DELETE /keys/{id}',
        'GET /keys/{id}/work',
        'GET /analytics/sources',
        'GET /auth/session',
        'GET /auth/workspaces',
        'POST /auth/workspaces/{id}/enter',
        'GET /auth/sessions',
        'DELETE /auth/sessions',
        'DELETE /auth/sessions/{id}',
        'POST /auth/password',
        'GET /workspace/invitations',
        'POST /workspace/invitations',
        'DELETE /workspace/invitations/{id}',
        'GET /audit',
        'GET /workspace',
        'PATCH /accounts/{id}',
        'PATCH /workspace',
        'DELETE /workspace',
        'POST /workspace/restore',
        'POST /workspace/exports',
        'GET /workspace/exports/{id}',
        'GET /workspace/members',
        'GET /workspace/notifications',
        'PATCH /workspace/notifications',
        'PUT /workspace/notifications/browser',
        'DELETE /workspace/notifications/browser',
        'PATCH /workspace/members/{userId}',
        'GET /workspace/text-model',
        'PUT /workspace/text-model',
        'PATCH /workspace/text-model',
        'DELETE /workspace/text-model',
        'POST /workspace/text-model/test',
        'DELETE /workspace/members/{userId}',
        'GET /keys',
        'POST /accounts/phone',
        'POST /accounts/tiktok/connect',
        'POST /accounts/tiktok/finish',
        'POST /analytics/posts',
        'POST /analytics/sources',
        'POST /auth/sign-out',
        'POST /keys',
      ].sort(),
    );
  });

  it('counts only POST /content and its list as content; what spends a credit needs an Idempotency-Key', () => {
    const under = (...paths: string[]) =>
      ['/api/v1', '/console/api/v1'].flatMap(root => paths.map(path => root + path)).toSorted();
    const pathsOf = (isMeant: (route: (typeof publicRoutes)[number]) => boolean) =>
      publicRoutes
        .filter(isMeant)
        .map(route => route.path)
        .toSorted();
    const content = ['/content', '/content/batch'];
    const copies = ['/content/{id}/duplicate', '/content/{id}/experiment'];
    expect(pathsOf(route => route.countsAsContent)).toEqual(under(...content));
    expect(pathsOf(route => route.needsIdempotencyKey)).toEqual(under(...content, ...copies));
  });

  it('returns the methods of a path, and none for an unknown one', () => {
    expect(methodsOf('/api/v1/automations/x').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH']);
    expect(methodsOf('/api/v1/automations/next').sort()).toEqual(['GET', 'HEAD']);
    expect(methodsOf('/api/v1/automations/x/y')).toEqual([]);
    expect(methodsOf('/api/v1/openapiXjson')).toEqual([]);
  });

  it.each([
    ['/api/v1/apps?limit=2', '/v1/apps?limit=2'],
    ['/console/api/v1/apps?limit=2', '/v1/apps?limit=2'],
    ['/console/api/v2/apps', '/console/api/v2/apps'],
    ['/media/images/x?e=1&s=2', '/media/images/x?e=1&s=2'],
    ['http://host:1/api/v1/apps', '/v1/apps'],
  ])('%s reaches its owner as %s', (given, expected) => {
    expect(ownersPath(given)).toBe(expected);
  });
});
