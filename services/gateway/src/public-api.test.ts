import { allRoutes, passkeyRoutes } from '@hookline/shared/contracts/all-routes';
import { describe, expect, it } from 'vitest';
import { methodsOf, ownersPath, publicRoutes } from './public-api.ts';

describe('the table of the public API', () => {
  it('serves every route but the page under /console too, for a cookie where it needs credentials', () => {
    const served = publicRoutes.filter(({ isConsole }) => isConsole);
    const api = allRoutes.filter(({ response, produces }) => response || produces);
    expect(served).toHaveLength(api.length + passkeyRoutes.length);
    for (const { path, auth, contract } of served) {
      expect([path, auth]).toEqual([
        `/console/api/v1${contract?.path}`,
        contract?.auth === 'none' ? 'none' : 'cookie',
      ]);
    }
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
