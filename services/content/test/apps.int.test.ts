import type { App } from '@hookline/shared/contracts/apps';
import { testCaller } from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ContentUnderTest, codeOf, dataOf, messageOf, pebblo, startContent } from './world.ts';

let under: ContentUnderTest;
beforeAll(async () => {
  under = await startContent();
});
afterAll(() => under.stop());

const post = (body: unknown, caller = testCaller()) =>
  under.service.call('POST', '/v1/apps', { caller, body });

async function putFault(platform: string, operation: string, kind: string): Promise<void> {
  const faults = kind ? [{ platform, operation, kind, share: 1, times: 4 }] : [];
  await fetch(`${under.simulatorsUrl}/_control/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(faults),
  });
}

describe('POST /v1/apps', () => {
  it('201 with up to 15 distinct seed hooks and a readable description, free of credits', async () => {
    const caller = testCaller();
    const answer = await post({ name: 'Pebblo', appStoreUrl: pebblo }, caller);
    expect(answer.status).toBe(201);
    const app = dataOf<App>(answer);
    expect(app.id).toMatch(/^product_/);
    expect(app.name).toBe('Pebblo');
    expect(app.details.length).toBeGreaterThan(40);
    const hooks = app.seedHooks ?? [];
    expect(hooks.length).toBeGreaterThan(4);
    expect(hooks.length).toBeLessThanOrEqual(15);
    expect(new Set(hooks).size).toBe(hooks.length);
    const credits = await under.service.call('GET', '/v1/credits', { caller });
    expect(dataOf(credits)).toMatchObject({ balance: 25, spent: 0 });
  });

  it.each([
    ['a look-alike host', 'https://apps.apple.com.example.com/us/app/id9990000011'],
    ['a developer page', 'https://apps.apple.com/us/developer/oakstead/id123'],
    ['another site', 'https://example.com/app'],
  ])('400 invalid_request naming appStoreUrl for %s', async (_name, appStoreUrl) => {
    const answer = await post({ name: 'X', appStoreUrl });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
    expect(messageOf(answer)).toMatch(/^appStoreUrl must/);
  });

  it('400 for the 101st of an account, without asking the store', async () => {
    const caller = testCaller();
    const first = dataOf<App>(await post({ name: 'First', appStoreUrl: pebblo }, caller));
    await under.service.db.query(
      `insert into apps (id, account_id, name, details, seed_hooks, listing, created_at, updated_at)
       select id || '_' || n, account_id, name, details, seed_hooks, listing, created_at, updated_at
       from apps, generate_series(1, 98) n where id = $1`,
      [first.id],
    );
    const answers = await Promise.all(
      [1, 2, 3].map(() => post({ name: 'Last', appStoreUrl: pebblo }, caller)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400]);
    await putFault('appstore', 'lookup', 'error_500');
    const answer = await post({ name: 'Too many', appStoreUrl: pebblo }, caller);
    await putFault('appstore', 'lookup', '');
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
    expect(messageOf(answer)).toContain('at most 100 apps');
  });

  it('400 invalid_request for a listing that does not exist, and no row', async () => {
    const caller = testCaller();
    const answer = await post(
      { name: 'X', appStoreUrl: 'https://apps.apple.com/us/app/x/id1234567' },
      caller,
    );
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
    const list = await under.service.call('GET', '/v1/apps', { caller });
    expect(list.body).toEqual({ data: [], nextCursor: null });
  });

  it('502 store_unavailable while the store is down', async () => {
    await putFault('appstore', 'lookup', 'down');
    const answer = await post({ name: 'Pebblo', appStoreUrl: pebblo });
    await putFault('', '', '');
    expect([answer.status, codeOf(answer)]).toEqual([502, 'store_unavailable']);
  });

  it.each([
    [{ appStoreUrl: pebblo }, 'name is required and must be a text of 1 to 200 characters that is not blank'],
    [{ name: 'P', appstoreUrl: pebblo }, 'appstoreUrl is not a known field; did you mean appStoreUrl?'],
    [{ name: 7, appStoreUrl: pebblo }, 'name must be a text of 1 to 200 characters that is not blank'],
    [undefined, 'body must be a JSON object'],
  ])('400 with a message that says what would be right: %j', async (body, message) => {
    const answer = await post(body);
    expect([answer.status, messageOf(answer)]).toEqual([400, message]);
  });
});

describe('GET /v1/apps', () => {
  it('lists the account’s own, newest first, without seed hooks', async () => {
    const caller = testCaller();
    const first = await under.importApp(caller);
    const second = await under.importApp(caller);
    await under.importApp(testCaller());
    const answer = await under.service.call('GET', '/v1/apps', { caller });
    const list = dataOf<App[]>(answer);
    expect(list.map(app => app.id)).toEqual([second, first]);
    expect(list[0]).not.toHaveProperty('seedHooks');
  });

  it('pages through everything with limit and cursor', async () => {
    const caller = testCaller();
    const ids = [await under.importApp(caller), await under.importApp(caller), await under.importApp(caller)];
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 4; page += 1) {
      const answer = await under.service.call('GET', `/v1/apps?limit=1${cursor}`, { caller });
      const { data, nextCursor } = answer.body as { data: App[]; nextCursor: string | null };
      seen.push(...data.map(app => app.id));
      if (!nextCursor) break;
      cursor = `&cursor=${nextCursor}`;
    }
    expect(seen).toEqual([...ids].reverse());
  });

  it('404 not_found for another account’s app, like for one that does not exist', async () => {
    const id = await under.importApp(testCaller());
    const foreign = await under.service.call('GET', `/v1/apps/${id}`, { caller: testCaller() });
    const missing = await under.service.call('GET', '/v1/apps/product_none', { caller: testCaller() });
    expect([foreign.status, messageOf(foreign)]).toEqual([404, messageOf(missing)]);
    expect(missing.status).toBe(404);
  });
});
