/**
 * Every POST of the API, cut at every point of its path. A request with an `Idempotency-Key` that is repeated
 * takes effect once; a request without one is never answered by an invitation to send it again.
 */

import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { honoursKey } from '@hookline/shared/contracts/route';
import type { CutProxy, CutRule } from '@hookline/testing/cut-at';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../../services/gateway/test/world.ts';
import { type Actions, type Asked, createActions } from './actions.ts';
import { commitCut, exchangeCuts } from './cuts.ts';
import { startGround } from './ground.ts';

const ground = perSuite(startGround, 120_000);
let actions: Actions;

beforeAll(async () => {
  actions = await createActions(ground);
}, 120_000);

const posts = allRoutes.filter(honoursKey);
/** A post now counts as a separate route here: its answer waits for the platform. */
const names = [...posts.map(route => route.id), 'postNow'];

type Name = (typeof names)[number];

/** Cuts that no owner can tell apart, or that the gateway alone sees, are the same for every route: tested on these. */
const thorough = new Set<Name>(['createContent', 'createAutomation', 'postNow']);

function pointsOf(name: Name) {
  const points = Object.entries(exchangeCuts);
  return thorough.has(name) ? points : points.filter(([point]) => /^the request, /.test(point));
}

function routeOf(name: Name) {
  const route = posts.find(({ id }) => id === (name === 'postNow' ? 'createSchedule' : name));
  if (!route) throw new Error(`${name} is not a route`);
  return route;
}

function ask(name: Name, { path, body }: Asked, idempotencyKey?: string, base?: string): Promise<Answer> {
  const as = routeOf(name).auth === 'session' ? 'session' : 'key';
  return ground.call('POST', path, {
    as,
    ...(body === undefined ? {} : { body }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(base === undefined ? {} : { base }),
  });
}

async function newAsked(name: Name): Promise<Asked> {
  const make = actions[name];
  if (!make) throw new Error(`nothing is known of ${name}`);
  return await make();
}

/** Repeats like a client that honours `Retry-After`, without its pauses. */
async function repeatUntilDone(name: Name, asked: Asked, key: string): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask(name, asked, key);
    if (answer.status < 300) return answer;
    expect([name, answer.status, answer.text, answer.headers.get('retry-after') !== null]).toEqual([
      name,
      answer.status,
      answer.text,
      true,
    ]);
    if (tries > 10) throw new Error(`${name} never ends: ${answer.text}`);
    // The first request holds the key until its lease ends.
    if (answer.status === 409) ground.skipLeases();
  }
}

/** With a key: takes effect once, and every repeat gets the same answer. */
async function judgeKeyed(name: Name, cut: () => { proxy: CutProxy; rule: CutRule; base?: string }) {
  const asked = await newAsked(name);
  const key = randomBytes(8).toString('hex');
  const { proxy, rule, base } = cut();
  const cuts = proxy.cuts;
  proxy.arm(rule);
  const first = await ask(name, asked, key, base).catch(() => null);
  proxy.disarm();
  const isCut = proxy.cuts > cuts;
  // An owner that lost its database has answered. One that the gateway lost may still be working.
  if (first && isCut && Object.values(ground.stores).includes(proxy)) ground.skipLeases();
  if (first && first.status >= 300)
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '1']);
  const second = await repeatUntilDone(name, asked, key);
  const third = await ask(name, asked, key);
  expect([name, await asked.effects()]).toEqual([name, 1]);
  expect(third.headers.get('idempotent-replayed')).toBe('true');
  const secret = secrets[name];
  const isFirstShown = secret && second.headers.get('idempotent-replayed') === null;
  if (isFirstShown) expect(withoutSecret(second, secret)).toEqual(third.body.data);
  else expect(third.text).toBe(second.text);
  return isCut;
}

/** Shown in the first answer only. */
const secrets: Readonly<Partial<Record<Name, { field: string; form: RegExp }>>> = {
  createKey: { field: 'key', form: /^svc_live_/ },
  createInvitation: { field: 'url', form: /\?token=link_/ },
  createReviewLink: { field: 'url', form: /#link_/ },
};

function withoutSecret({ body }: Answer, { field, form }: { field: string; form: RegExp }): unknown {
  const { [field]: secret, ...record } = body.data;
  expect(secret).toMatch(form);
  return record;
}

/**
 * Without a key: takes effect at most once, answered as done or unknown, and never with an invitation to
 * repeat.
 */
async function judgeUnkeyed(name: Name, proxy: CutProxy, rule: CutRule): Promise<boolean> {
  const asked = await newAsked(name);
  if (proxy === ground.stores.gateway) await untilQuiet(proxy);
  const cuts = proxy.cuts;
  proxy.arm(rule);
  const answer = await ask(name, asked);
  proxy.disarm();
  if (proxy.cuts === cuts) return false;
  const { status, body, headers } = answer;
  expect([name, status, body?.error?.code, headers.get('retry-after')]).toEqual([
    name,
    504,
    'outcome_unknown',
    null,
  ]);
  expect(body.error.message).not.toMatch(/try again|send (it )?again/i);
  // A request that was handed over may still be in progress, and a late schedule is in the way of the next one.
  if (routeOf(name).service === 'scheduling') await untilQuiet(ground.stores.scheduling);
  await eventually(async () => expect(await asked.effects()).toBeLessThanOrEqual(1));
  return true;
}

/** The gateway writes down what requests changed shortly after them: that commit is nobody's request. */
async function untilQuiet(proxy: CutProxy): Promise<void> {
  let lastMs = performance.now();
  proxy.arm(({ from, bytes }) => {
    if (from === 'client' && /commit\0/.test(bytes.toString('latin1'))) lastMs = performance.now();
    return null;
  });
  while (performance.now() - lastMs < 300) await delay(20);
  proxy.disarm();
}

beforeEach(async () => {
  // A success resets the count of failures after which the gateway stops calling an owner.
  for (const path of ['/credits', '/accounts', '/automations', '/analytics/summary']) {
    await eventually(async () => expect((await ground.call('GET', path)).status).toBe(200));
  }
});

it('every POST that honours a key is asked here', () => {
  expect(Object.keys(actions).sort()).toEqual([...names].sort());
});

describe.each(names)('%s', name => {
  const { service } = routeOf(name);
  const isThorough = thorough.has(name);
  const isKeyRequired = routeOf(name).idempotency === 'required';

  if (service !== 'gateway') {
    it.each(pointsOf(name))('between gateway and owner, after %s', async (_point, makeCut) => {
      const proxy = ground.ways[service];
      expect(await judgeKeyed(name, () => ({ proxy, rule: makeCut() }))).toBe(true);
      if (!isKeyRequired) expect(await judgeUnkeyed(name, proxy, makeCut())).toBe(true);
    });
  }

  // An owner sees the same as after a cut of its own answer.
  it.runIf(isThorough || service === 'gateway')(
    'between caller and gateway, at the end of the request and after',
    async () => {
      for (const [, makeCut] of pointsOf(name).slice(-2)) {
        const cut = () => ({ proxy: ground.front, rule: makeCut(), base: ground.front.url });
        expect(await judgeKeyed(name, cut)).toBe(true);
      }
    },
  );

  it('between owner and database, at each commit', { timeout: 60_000 }, async () => {
    const proxy = ground.stores[service];
    for (const what of isThorough
      ? (['commit', 'its answer', 'what follows'] as const)
      : (['commit', 'its answer'] as const)) {
      for (let nth = 1; await judgeKeyed(name, () => ({ proxy, rule: commitCut(what, nth) })); nth += 1) {
        if (nth > 5) throw new Error('more commits than expected');
      }
      if (isKeyRequired) continue;
      const isCut = await judgeUnkeyed(name, proxy, commitCut(what, 1));
      // A test event commits nothing; only a post now queries the database again until the platform has
      // answered.
      expect(isCut).toBe(what === 'what follows' ? name === 'postNow' : name !== 'testWebhook');
    }
  });
});

it('a database that stalls for longer than the gateway waits', { timeout: 90_000 }, async () => {
  const [withKey, without] = [await newAsked('createSchedule'), await newAsked('createWebhook')];
  const { body } = await ask(
    'createSchedule',
    await newAsked('createSchedule'),
    randomBytes(8).toString('hex'),
  );
  const schedule = `/schedules/${body.data.id}`;
  const key = randomBytes(8).toString('hex');
  const frozen = [ground.stores.scheduling, ground.stores.automation];
  for (const store of frozen) store.freeze();
  const [keyed, unkeyed, deleted] = await Promise.all([
    ask('createSchedule', { ...withKey, body: { ...(withKey.body as object), title: 'Other' } }, key),
    ask('createWebhook', without),
    ground.call('DELETE', schedule),
  ]);
  for (const store of frozen) store.thaw();
  // Load decides whether gateway or service gives up first. The service gives up before the commit, with 502.
  expect([502, 503]).toContain(keyed?.status);
  expect([502, 504]).toContain(unkeyed?.status);
  if (unkeyed?.status === 504) expect(unkeyed.headers.get('retry-after')).toBeNull();
  expect([502, 503]).toContain(deleted?.status);
  if (deleted?.status === 502) expect((await ground.call('GET', schedule)).body.data.status).toBe('pending');
  else expect(deleted?.body.error.message).toContain('may have been carried out');
  await eventually(async () => {
    await ground.call('DELETE', schedule);
    expect((await ground.call('GET', schedule)).status).toBe(404);
  }, 20_000);
  if (unkeyed?.status === 502) expect(await without.effects()).toBe(0);
  expect(await without.effects()).toBeLessThanOrEqual(1);
});
