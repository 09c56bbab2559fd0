/** App import from the simulated stores: every form of an address, and every faulty answer of a store. */

import type { App } from '@hookline/shared/contracts/apps';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { controlHeaders } from '@hookline/testing/simulator-controls';
import { beforeEach, describe, expect, it } from 'vitest';
import { codeOf, dataOf, messageOf, startContent } from './world.ts';

const under = perSuite(startContent);
beforeEach(() => control('POST', '/reset'));

async function control(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${under.simulatorsUrl}/_control${path}`, {
    method,
    headers: controlHeaders,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
  return await answer.json();
}

const stores = {
  apple: {
    platform: 'appstore',
    operation: 'lookup',
    url: 'https://apps.apple.com/us/app/pebblo/id9990000011',
  },
  google: {
    platform: 'googleplay',
    operation: 'details',
    url: 'https://play.google.com/store/apps/details?id=io.sprigly.plants',
  },
};
type StoreName = keyof typeof stores;

const putFault = (store: StoreName, kind: string, more: { times?: number; delayMs?: number } = {}) => {
  const { platform, operation } = stores[store];
  return control('PUT', '/faults', [{ platform, operation, kind, share: 1, ...more }]);
};

async function importApp(appStoreUrl: string) {
  const caller = testCaller();
  const answer = await under.service.call('POST', '/v1/apps', {
    caller,
    body: { name: 'Mine', appStoreUrl },
  });
  const list = await under.service.call('GET', '/v1/apps', { caller });
  return { answer, rows: dataOf<App[]>(list) };
}

const listing = {
  name: 'Kleiner Garten',
  description: 'Gießt, was durstig ist.',
  developer: 'Beet',
  category: 'Tools',
};

describe('an address of a listing', () => {
  it.each([
    'https://apps.apple.com/uk/app/pebblo/id9990000011',
    'https://apps.apple.com/us/app/pebblo/id9990000011?l=zh-Hans',
    'https://itunes.apple.com/jp/app/%E3%82%B3%E3%83%84/id9990000037?mt=8',
    'https://play.google.com/store/apps/details?id=io.sprigly.plants&hl=de&gl=DE&pcampaignid=web_share',
  ])('201 for %s', async url => {
    const { answer, rows } = await importApp(url);
    expect(answer.status).toBe(201);
    expect(rows).toHaveLength(1);
    expect(rows[0]!.details.length).toBeGreaterThan(10);
  });

  it('an app is looked up in the storefront of its address, then in us', async () => {
    await control('PUT', '/apps/appstore/777', { ...listing, country: 'de' });
    expect((await importApp('https://apps.apple.com/de/app/id777')).answer.status).toBe(201);
    expect((await importApp('https://apps.apple.com/us/app/id777')).answer.status).toBe(400);
    await control('PUT', '/apps/appstore/778', { ...listing, country: 'us' });
    expect((await importApp('https://apps.apple.com/fr/app/id778')).answer.status).toBe(201);
    await control('PUT', '/apps/googleplay/com.garten.app', { ...listing, country: 'de' });
    const play = 'https://play.google.com/store/apps/details?id=com.garten.app';
    expect((await importApp(`${play}&gl=DE`)).answer.status).toBe(201);
    expect((await importApp(play)).answer.status).toBe(400);
  });

  it.each([
    'https://apps.apple.com.example.com/us/app/x/id9990000011',
    'http://169.254.169.254/latest/meta-data/app/id1',
  ])('400 naming appStoreUrl for %s: no store is asked, no row is written', async url => {
    await putFault('apple', 'down');
    const { answer, rows } = await importApp(url);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
    expect(messageOf(answer)).toMatch(/^appStoreUrl must/);
    expect(rows).toEqual([]);
    expect(await control('GET', '/faults')).toMatchObject([{ hits: 0 }]);
  });
});

describe.each(Object.keys(stores) as StoreName[])('when the store answers no app: %s', store => {
  it.each(['down', 'rate_limited', 'connection_dropped', 'garbage'])(
    '502 store_unavailable for %s, and no row',
    async kind => {
      await putFault(store, kind);
      const { answer, rows } = await importApp(stores[store].url);
      expect([answer.status, codeOf(answer)]).toEqual([502, 'store_unavailable']);
      expect(messageOf(answer)).toBe(
        'The app store could not be read; try again in a minute, or give the listing by hand: send listing { name, description } instead of appStoreUrl.',
      );
      expect(rows).toEqual([]);
    },
  );

  it('400 naming appStoreUrl for a listing that is not there, and no row', async () => {
    await putFault(store, 'not_found');
    const { answer, rows } = await importApp(stores[store].url);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
    expect(messageOf(answer)).toMatch(/^appStoreUrl must be the address of an app that is in the store/);
    expect(rows).toEqual([]);
  });
});

describe('a store that is slow', () => {
  it('502 after 10 s in all without a row, even where the App Store is looked up twice', async () => {
    await control('PUT', '/apps/appstore/779', { ...listing, country: 'de' });
    // Slow enough that two lookups in sequence would take 18 s, longer than the gateway waits.
    await putFault('apple', 'slow', { delayMs: 9_000 });
    const startedMs = performance.now();
    const { answer, rows } = await importApp('https://apps.apple.com/fr/app/id779');
    const waitedMs = performance.now() - startedMs;
    expect([answer.status, codeOf(answer), rows]).toEqual([502, 'store_unavailable', []]);
    expect(waitedMs).toBeGreaterThan(9_500);
    expect(waitedMs).toBeLessThan(15_000);
  });
});
