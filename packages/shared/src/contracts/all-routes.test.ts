import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allRoutes, passkeyRoutes } from './all-routes.ts';
import { scopes, serviceNames } from './scopes.ts';

const files = readdirSync(import.meta.dirname).filter(name => !name.endsWith('.test.ts'));

describe('route contracts', () => {
  it('each has an id of its own', () => {
    const ids = allRoutes.map(route => route.id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('no two answer the same method and path, whatever their parameters are called', () => {
    const places = allRoutes.map(route => `${route.method} ${route.path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
  });

  it('every contract that is defined is in the list', () => {
    const defined = files.flatMap(file => {
      const text = readFileSync(join(import.meta.dirname, file), 'utf8');
      return [...text.matchAll(/^export const (\w+) = (?!internal)\w+Route\('/gm)].map(match => match[1]);
    });
    expect([...allRoutes, ...passkeyRoutes].map(route => route.id).toSorted()).toEqual(defined.toSorted());
  });

  it.each(allRoutes.map(route => [route.id, route] as const))('%s is complete and consistent', (_, route) => {
    expect(serviceNames).toContain(route.service);
    for (const scope of route.scopes) expect(scopes).toContain(scope);
    // Only keys have scopes; a session or nobody is asked for none.
    if (route.auth !== 'key') expect(route.scopes).toEqual([]);
    const named = [...route.path.matchAll(/\{(\w+)\}/g)].map(match => match[1]);
    const shape = (route.params as { shape?: object } | undefined)?.shape ?? {};
    expect(Object.keys(shape)).toEqual(named);
    if (route.method === 'GET') expect(route.body).toBeUndefined();
    if (route.status === 201) expect(route.method).toBe('POST');
  });

  it('every POST says what it does with an Idempotency-Key, and no other route', () => {
    for (const route of allRoutes) {
      expect([route.id, route.idempotency !== undefined]).toEqual([route.id, route.method === 'POST']);
    }
  });

  it('a field of the wrong type is refused in words of our own', () => {
    for (const { id, body } of allRoutes) {
      const fields = Object.keys((body as { shape?: object } | undefined)?.shape ?? {});
      const refused = body?.safeParse(Object.fromEntries(fields.map(field => [field, Symbol('wrong')])));
      const messages = refused?.error?.issues.map(({ message }) => message) ?? [];
      expect([id, messages.filter(message => message.startsWith('Invalid'))]).toEqual([id, []]);
    }
  });

  it('every POST that creates or triggers something honours one', () => {
    const without = allRoutes.filter(route => route.idempotency === 'none').map(route => route.id);
    // Routes of /auth concern a person; a restore has a password in its body, and a repeat changes nothing
    // (D-84); remix does nothing (D-41); a test of a text model changes nothing.
    const ofAuth = allRoutes.filter(({ method, path }) => method === 'POST' && path.startsWith('/auth/'));
    expect(without).toEqual([
      ...ofAuth.map(route => route.id),
      'restoreWorkspace',
      'testTextModel',
      'remixContent',
      'decideByReviewLink',
      'openReviewLink',
    ]);
  });
});
