import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from '@hookline/shared/contracts/apps';
import { lockWaits } from '@hookline/testing/database';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { controlHeaders } from '@hookline/testing/simulator-controls';
import { describe, expect, it } from 'vitest';
import { takeStoreTurn } from '../src/apps/queries-listings.ts';
import { readListing } from '../src/apps/read-listing.ts';
import { grantPermit, markReleased } from '../src/permits/queries.ts';
import { recordSchedule } from '../src/permits/queries-schedules.ts';
import { releasePermits } from '../src/permits/release.ts';
import { createAppStores } from '../src/stores/stores.ts';
import { codeOf, dataOf, messageOf, pebblo, startContent } from './world.ts';

const under = perSuite(startContent);

const given = {
  name: 'Lattenrost',
  description: 'Plan a slatted bed frame from what your shop sells, with a cutting list and a drawing.',
  features: ['Draw the frame to scale', 'Print a cutting list'],
};

const post = (body: unknown, caller = testCaller()) =>
  under.service.call('POST', '/v1/apps', { caller, body });

async function putFault(platform: string, operation: string, kind: string): Promise<void> {
  const faults = kind ? [{ platform, operation, kind, share: 1, times: 4 }] : [];
  await fetch(`${under.simulatorsUrl}/_control/faults`, {
    method: 'PUT',
    headers: controlHeaders,
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

  it('400 for the 101st app of an account, without a request to the store', async () => {
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

  it.each([
    [{ appStoreUrl: pebblo }, 'name is required and must be a text of 1 to 200 characters that is not blank'],
    [{ name: 'P', appstoreUrl: pebblo }, 'appstoreUrl is not a known field; did you mean appStoreUrl?'],
    [{ name: 7, appStoreUrl: pebblo }, 'name must be a text of 1 to 200 characters that is not blank'],
    [undefined, 'body must be a JSON object'],
    [{ name: 'P' }, 'body must have exactly one of appStoreUrl and listing'],
    [
      { name: 'P', appStoreUrl: pebblo, listing: given },
      'body must have exactly one of appStoreUrl and listing',
    ],
    [
      { listing: { ...given, description: 'short' } },
      'listing.description must be a text of 50 to 10000 characters',
    ],
    [
      { listing: { ...given, language: 'English' } },
      'listing.language must be a BCP 47 language tag, such as en or pt-BR',
    ],
  ])('400 with a message that says what would be right: %j', async (body, message) => {
    const answer = await post(body);
    expect([answer.status, messageOf(answer)]).toEqual([400, message]);
  });
});

describe('GET /v1/apps', () => {
  it('GET /v1/apps lists the account’s apps, newest first, without seed hooks', async () => {
    const caller = testCaller();
    const first = await under.importApp(caller);
    const second = await under.importApp(caller);
    await under.importApp(testCaller());
    const answer = await under.service.call('GET', '/v1/apps', { caller });
    const list = dataOf<App[]>(answer);
    expect(list.map(app => app.id)).toEqual([second, first]);
    expect(list[0]).not.toHaveProperty('seedHooks');
  });
});

const call = (method: string, path: string, caller: ReturnType<typeof testCaller>, body?: unknown) =>
  under.service.call(method, `/v1/apps${path}`, { caller, ...(body === undefined ? {} : { body }) });

describe('a listing given by hand', () => {
  it('a listing given by hand registers an app from which decks are written', async () => {
    const caller = testCaller();
    const answer = await post({ listing: given }, caller);
    expect(answer.status).toBe(201);
    const app = dataOf<App>(answer);
    expect(app).toMatchObject({ name: 'Lattenrost' });
    const deck = await under.create(caller, { appId: app.id, type: 'slideshow' });
    expect(dataOf<{ status: string }>(deck).status).toBe('ready');
    const refreshed = await call('POST', `/${app.id}/refresh`, caller);
    expect([refreshed.status, codeOf(refreshed)]).toEqual([409, 'invalid_request']);
  });
});

describe('POST /v1/apps/{id}/refresh', () => {
  it('a refresh reads the store page again and keeps the name', async () => {
    const caller = testCaller();
    const put = (description: string) =>
      fetch(`${under.simulatorsUrl}/_control/apps/appstore/881`, {
        method: 'PUT',
        headers: controlHeaders,
        body: JSON.stringify({ name: 'Beetplan', description, developer: 'Beet', category: 'Tools' }),
      });
    await put('Beetplan shows what to sow this week. It knows your frost dates.');
    const url = 'https://apps.apple.com/us/app/beetplan/id881';
    const { id, details } = dataOf<App>(await post({ name: 'Mine', appStoreUrl: url }, caller));
    await put('Beetplan keeps a diary of every bed. It prints a label for each row.');
    const refreshed = dataOf<App>(await call('POST', `/${id}/refresh`, caller));
    expect(refreshed.name).toBe('Mine');
    expect(refreshed.details).not.toBe(details);
    await putFault('appstore', 'lookup', 'down');
    const away = await call('POST', `/${id}/refresh`, caller);
    await putFault('', '', '');
    expect([away.status, messageOf(away)]).toEqual([502, expect.stringContaining('nothing was changed')]);
  });
});

describe('PATCH and DELETE /v1/apps/{id}', () => {
  it('PATCH renames an app', async () => {
    const caller = testCaller();
    const id = await under.importApp(caller);
    expect(dataOf<App>(await call('PATCH', `/${id}`, caller, { name: 'Other' })).name).toBe('Other');
    expect((await call('PATCH', `/${id}`, caller, {})).status).toBe(400);
  });

  it('externalId and metadata are answered and listed as given; a change replaces them and null clears them', async () => {
    const caller = testCaller();
    const own = { externalId: 'client 7', metadata: { owner: 'Maya' } };
    const app = dataOf<App>(await post({ listing: given, ...own }, caller));
    expect(app).toMatchObject(own);
    const find = async (name: string) => {
      const path = `/v1/apps?externalId=${encodeURIComponent(name)}`;
      return dataOf<App[]>(await under.service.call('GET', path, { caller })).map(({ id }) => id);
    };
    expect([await find('client 7'), await find('client 8')]).toEqual([[app.id], []]);
    const change = async (body: object) =>
      dataOf<App>(await under.service.call('PATCH', `/v1/apps/${app.id}`, { caller, body }));
    expect(await change({ name: 'Slats' })).toMatchObject(own);
    expect(await change({ metadata: {} })).toMatchObject({ ...own, metadata: {} });
    const cleared = await change({ externalId: null, metadata: null });
    expect(cleared).toMatchObject({ externalId: null, metadata: null });
  });

  it('a deleted app keeps its contents, gets no new ones, and frees its place', async () => {
    const caller = testCaller();
    const { id: contentId, appId } = await under.readyDeck(caller);
    const deleted = await call('DELETE', `/${appId}`, caller);
    expect(deleted.body).toEqual({ data: { id: appId, deleted: true } });
    expect((await call('GET', `/${appId}`, caller)).status).toBe(404);
    expect((await call('DELETE', `/${appId}`, caller)).status).toBe(404);
    expect((await call('GET', '', caller)).body).toEqual({ data: [], nextCursor: null });
    const content = await under.service.call('GET', `/v1/content/${contentId}`, { caller });
    expect(content.status).toBe(200);
    const edited = await under.service.call('PATCH', `/v1/content/${contentId}`, {
      caller,
      body: { hook: 'A new hook' },
    });
    expect(edited.status).toBe(200);
    expect((await under.create(caller, { appId, type: 'slideshow' })).status).toBe(404);
  });

  it('409 for deleting an app while a schedule of its contents waits, even after a requeue', async () => {
    const caller = testCaller();
    const { id: contentId, appId } = await under.readyDeck(caller);
    const news = (isWaiting: boolean, sequence: number) =>
      under.service.db.transaction(tx =>
        recordSchedule(
          tx,
          { scheduleId: `schedule_${contentId}`, contentId, isWaiting, sequence },
          new Date(),
        ),
      );
    await news(true, 1);
    const refused = await call('DELETE', `/${appId}`, caller);
    expect([refused.status, messageOf(refused)]).toEqual([
      409,
      '1 schedule of this app waits; delete or await them first.',
    ]);
    await news(false, 3);
    // An event that arrives late changes nothing.
    await news(true, 2);
    expect((await call('DELETE', `/${appId}`, caller)).status).toBe(200);
  });
});

it.each([
  ['was sent', 'sent', 9, 200],
  ['was withdrawn', 'failed', Number.MAX_SAFE_INTEGER, 200],
  ['failed and may wait again', 'failed', 9, 409],
] as const)('DELETE after the lost end of a schedule that %s', async (_, outcome, sequence, status) => {
  const caller = testCaller();
  const { id: contentId, appId } = await under.readyDeck(caller);
  const { db, log } = under.service;
  const scheduleId = `schedule_${contentId}`;
  await db.transaction(async tx => {
    await recordSchedule(tx, { scheduleId, contentId, isWaiting: true, sequence: 1 }, new Date());
    await grantPermit(tx, { scheduleId, contentId, version: 1, afterSequence: 1, at: new Date() });
  });
  const deps = { db, log, now: () => new Date() };
  expect(await releasePermits(deps, [{ scheduleId, outcome, sequence }])).toEqual([scheduleId]);
  expect((await call('DELETE', `/${appId}`, caller)).status).toBe(status);
});

it('the late event of a schedule and the release of its permit do not deadlock', async () => {
  const { id: contentId } = await under.readyDeck(testCaller());
  const { db, log } = under.service;
  const scheduleId = `schedule_${contentId}`;
  const at = new Date();
  await db.transaction(async tx => {
    await recordSchedule(tx, { scheduleId, contentId, isWaiting: true, sequence: 1 }, at);
    await grantPermit(tx, { scheduleId, contentId, version: 1, afterSequence: 1, at });
  });
  const end = { scheduleId, outcome: 'sent' as const, sequence: 2 };
  const { released } = await db.transaction(async tx => {
    await recordSchedule(tx, { scheduleId, contentId, isWaiting: false, sequence: 2 }, at);
    const release = releasePermits({ db, log, now: () => at }, [end]);
    await lockWaits(db);
    expect(await markReleased(tx, end, at)).toBe(true);
    return { released: release };
  });
  expect(await released).toEqual([]);
});

describe('a real store', () => {
  const pace = { everyMs: 60_000, burst: 2 };
  const take = async (accountId: string): Promise<boolean | number> => {
    const turn = await takeStoreTurn(
      under.service.db,
      { store: 'test', accountId, waitingMs: 600_000 },
      pace,
    );
    return turn.granted || Math.round(turn.waitMs / 10_000);
  };
  const freeTurn = () =>
    under.service.db.query("update store_turns set next_at = now() where store = 'test'");

  it('all accounts read a real store at one pace, by turns', async () => {
    expect([await take('a'), await take('a'), await take('a')]).toEqual([true, true, 6]);
    // "b" never had a turn: it is next, whoever asks first when the turn comes.
    expect([await take('b'), await take('a')]).toEqual([6, 12]);
    await freeTurn();
    expect([await take('a'), await take('b')]).toEqual([6, true]);
    // Alone again, "a" has every turn.
    await freeTurn();
    expect([await take('a'), await take('a')]).toEqual([true, 6]);
    await freeTurn();
    expect(await take('a')).toBe(true);
  });

  it('a page of a real store is read once for all accounts', async () => {
    const { db, log } = under.service;
    const [address] = [{ url: `${under.simulatorsUrl}/appstore`, isShared: true }];
    const stores = createAppStores({ apple: [address], google: [] });
    const deps = { db, log, now: () => new Date(), stores };
    const ref = { store: 'apple', storeId: '9990000011', country: 'us', language: null } as const;
    await readListing(deps, ref, { accountId: 'a', ageMaxMs: 60_000, wayOut: '' });
    await db.query('update store_listings set listing = listing || \'{"name": "Kept"}\'');
    expect((await readListing(deps, ref, { accountId: 'b', ageMaxMs: 60_000, wayOut: '' })).name).toBe(
      'Kept',
    );
    const callers = await db.query("select account_id from store_callers where store = 'apple'");
    expect(callers).toEqual([{ account_id: 'a' }]);
    await stores.close();
  });

  it('each lookup takes a turn, and an app not found is remembered for a minute', async () => {
    const { db, log } = under.service;
    const asked: string[] = [];
    const setTurn = (at: string) =>
      db.query(
        `insert into store_turns (store, next_at) values ('apple', now() + $1::interval)
         on conflict (store) do update set next_at = excluded.next_at`,
        [at],
      );
    const listed = { trackId: 7, trackName: 'Elsewhere', description: 'In one storefront.' };
    const server = createServer(async (req, res) => {
      const query = new URL(req.url ?? '', 'http://store').searchParams;
      asked.push(query.get('country') ?? '');
      // The first lookup takes the last turn of this hour.
      if (asked.length === 1) await setTurn('1 hour');
      const isListed = query.get('country') === 'us' && query.get('id') === '7';
      res.end(JSON.stringify({ results: isListed ? [listed] : [] }));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const stores = createAppStores({ apple: [{ url, isShared: true }], google: [] });
    let at = new Date();
    const read = (storeId: string) =>
      readListing(
        { db, log, now: () => at, stores },
        { store: 'apple', storeId, country: 'de', language: null },
        { accountId: 'a', ageMaxMs: 60_000, wayOut: '' },
      );
    await setTurn('-1 hour');
    await expect(read('6')).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(asked).toEqual(['de']);
    await setTurn('-1 hour');
    for (let times = 0; times < 2; times += 1) {
      await expect(read('6')).rejects.toMatchObject({ code: 'invalid_request' });
      expect(asked).toEqual(['de', 'us']);
    }
    for (let times = 0; times < 2; times += 1) {
      expect((await read('7')).country).toBe('us');
      expect(asked).toEqual(['de', 'us', 'de', 'us']);
    }
    at = new Date(at.getTime() + 60_000);
    await expect(read('6')).rejects.toMatchObject({ code: 'invalid_request' });
    expect(asked).toHaveLength(6);
    await stores.close();
    server.close();
  });
});
