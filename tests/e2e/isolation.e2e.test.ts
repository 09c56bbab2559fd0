/**
 * Two accounts: on every route, another account's id answers exactly like an id that does not exist. The
 * cases are generated from the contracts, so a new route is tested automatically, or fails here because it
 * lacks an id.
 */
import { randomBytes } from 'node:crypto';
import { allRoutes } from '@hookline/shared/contracts/all-routes';
import type { NamedRoute } from '@hookline/shared/contracts/route';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { fileForm, tinyPng } from '@hookline/testing/tiny-png';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { approvedDeck, type Prepared, prepareAccount } from '../lab/kit/clients/api.ts';
import { startStandalone } from '../lab/kit/product/standalone.ts';
import { startWebhookReceiver } from '../lab/kit/servers/webhook-receiver.ts';

/** One id of each kind that an account owns. */
const kinds = [
  'app',
  'content',
  'reviewLink',
  'account',
  'schedule',
  'automation',
  'webhook',
  'delivery',
  'key',
  'member',
  'workspace',
  'invitation',
  'session',
  'source',
  'video',
  'picture',
  'export',
] as const;
type Kind = (typeof kinds)[number];
type Ids = Record<Kind, string>;

/** The kind of each id in a path, by the path before it. */
const kindOfPath: Record<string, Kind> = {
  '/apps/{id}': 'app',
  '/apps/{id}/pictures/{pictureId}': 'picture',
  '/content/{id}': 'content',
  '/content/{id}/review-links/{linkId}': 'reviewLink',
  '/jobs/{id}': 'content',
  '/accounts/{id}': 'account',
  '/schedules/{id}': 'schedule',
  '/automations/{id}': 'automation',
  '/webhooks/{id}': 'webhook',
  '/webhooks/{id}/deliveries/{deliveryId}': 'delivery',
  '/keys/{id}': 'key',
  '/workspace/members/{userId}': 'member',
  '/auth/workspaces/{id}': 'workspace',
  '/workspace/invitations/{id}': 'invitation',
  '/workspace/exports/{id}': 'export',
  '/auth/sessions/{id}': 'session',
  '/analytics/sources/{id}': 'source',
  '/analytics/content/{videoId}': 'video',
};
/** The same for fields of bodies and queries. */
const kindOfField: Record<string, Kind> = {
  appId: 'app',
  contentId: 'content',
  tiktokAccountId: 'account',
  actorId: 'member',
  ids: 'content',
};
/** Fields that end in `Id` but do not identify anything of an account. */
const namesNothing = new Set(['templateId', 'videoId', 'platformPostId', 'externalId']);

/** The rest of a valid body, for routes that need one. */
const bodies: Record<string, Record<string, unknown>> = {
  updateApp: { name: 'another name' },
  reviewApp: { items: [{ item: 'name' }] },
  createContent: { type: 'slideshow' },
  editContent: { caption: 'another caption' },
  approveContent: {},
  rejectContent: {},
  requestChanges: { reason: 'Shorter.' },
  enterResults: { views: 1 },
  createReviewLink: { expiresInHours: 1 },
  startExperiment: { against: ['content_unknown'], readAfterHours: 48 },
  addDeckPost: { url: 'https://youtu.be/dQsim000001' },
  createComment: { text: 'Shorter.' },
  createSchedule: { scheduledFor: inAnHour() },
  updateSchedule: { scheduledFor: inAnHour() },
  updateAccount: { slots: [] },
  markPosted: {},
  addPhone: { name: 'Phone' },
  connectTiktok: {},
  finishTiktok: { state: 'unknown' },
  createAutomation: { format: 'slideshow', postingTimes: [{ time: '09:00', days: ['mon'] }] },
  updateAutomation: { status: 'paused' },
  confirmAutomation: {},
  updateWebhook: { status: 'disabled' },
  rotateWebhook: {},
  replayWebhook: { since: inAnHour() },
  updateMember: { role: 'owner' },
};
/** Answers the same for every id and every caller (D-41). */
const readsNoId = new Set(['remixContent']);

type Slot = { where: 'path' | 'query' | 'body'; name: string; kind: Kind | undefined };

function slotsOf(route: NamedRoute): Slot[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(match => ({
    where: 'path' as const,
    name: match[1] ?? '',
    kind: kindOfPath[route.path.slice(0, match.index + match[0].length)],
  }));
  const inFields = (where: 'query' | 'body') =>
    fieldsOf(route[where])
      .filter(name => /(^i|I)ds?$/.test(name) && !namesNothing.has(name))
      .map(name => ({ where, name, kind: kindOfField[name] }));
  return [...inPath, ...inFields('query'), ...inFields('body')];
}

function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (!schema) return [];
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  // A named schema is stored under its name.
  const named = json.$ref?.split('/').at(-1);
  const whole = named === undefined ? json : json.$defs?.[named];
  return Object.keys(whole?.properties ?? {});
}

const routes = allRoutes
  .map(route => ({ route, slots: slotsOf(route) }))
  .filter(({ slots }) => slots.length > 0)
  // Deletes come last: the other cases need the resources. What is deleted with another
  // resource comes before it.
  .sort((one, other) => rankOf(one.route) - rankOf(other.route));

function rankOf({ method, path }: NamedRoute): number {
  return method === 'DELETE' ? 100 - path.length : 0;
}

const receiver = perSuite(startWebhookReceiver);
const product = perSuite(() => startStandalone({ WEBHOOK_ALLOW_TARGETS: receiver.target }));
let owner: Prepared & { ids: Ids };
let intruder: Prepared & { ids: Ids };
const missing = Object.fromEntries(kinds.map(kind => [kind, ''])) as Ids;

beforeAll(async () => {
  owner = await populate('studio.nord');
  intruder = await populate('leo.quiet');
  for (const kind of kinds) missing[kind] = unlike(owner.ids[kind]);
});

async function populate(creator: string): Promise<Prepared & { ids: Ids }> {
  const prepared = await prepareAccount(product.baseUrl, creator);
  const { api, key, session, appId, accountId } = prepared;
  const idOf = async (path: string, token: string, body: unknown): Promise<string> => {
    const made = await api<{ id: string }>('POST', path, { token, body });
    if (made.error) throw new Error(`${path}: ${made.error.message}`);
    return made.data.id;
  };
  const webhook = await idOf('/webhooks', key, { url: receiver.url, events: ['content.approved'] });
  const content = await approvedDeck(prepared);
  const videoId = `video-of-${creator}`;
  const post = { videoId, platform: 'youtube', platformPostId: 'dQw4w9WgXcQ' };
  await idOf('/analytics/posts', session, post);
  const automation = { appId, tiktokAccountId: accountId, ...bodies.createAutomation };
  const schedule = { contentId: content.id, tiktokAccountId: accountId, ...bodies.createSchedule };
  const source = { platform: 'instagram', accessToken: `simulator-token-${creator.replace('.', '_')}` };
  const who = await api<{ user: { id: string }; workspaceId: string }>('GET', '/auth/session', {
    token: session,
  });
  const { email, password } = prepared;
  const spare = await api<{ session: { id: string } }>('POST', '/auth/sign-in', {
    body: { email, password },
  });
  const ids = {
    app: appId,
    content: content.id,
    reviewLink: await idOf(`/content/${content.id}/review-links`, key, { expiresInHours: 1 }),
    account: accountId,
    schedule: await idOf('/schedules', key, schedule),
    automation: await idOf('/automations', key, automation),
    webhook,
    delivery: await eventually(async () => {
      const deliveries = await api<{ id: string }[]>('GET', `/webhooks/${webhook}/deliveries`, {
        token: key,
      });
      const id = deliveries.data[0]?.id;
      if (!id) throw new Error('no delivery yet');
      return id;
    }, 20_000),
    member: who.data.user.id,
    workspace: who.data.workspaceId,
    export: await idOf('/workspace/exports', session, {}),
    invitation: await idOf('/workspace/invitations', session, {
      email: `guest-of-${creator}@example.com`,
      role: 'viewer',
    }),
    session: spare.data.session.id,
    key: await idOf('/keys', session, { name: 'spare', scopes: ['apps:read'] }),
    source: await idOf('/analytics/sources', session, source),
    video: videoId,
    picture: await idOf(`/apps/${appId}/pictures`, key, fileForm(tinyPng())),
  };
  return { ...prepared, ids };
}

/** An id of the same format that does not exist. */
function unlike(id: string): string {
  return `${id.slice(0, -6)}${id.endsWith('zzzzzz') ? 'yyyyyy' : 'zzzzzz'}`;
}

function inAnHour(): string {
  return new Date(Date.now() + 3_600_000).toISOString();
}

/**
 * Calls the route as `client` with these ids and returns the answer without its variable parts: request id
 * and the ids.
 */
async function ask(client: Prepared, route: NamedRoute, slots: readonly Slot[], ids: readonly string[]) {
  let path = route.path;
  const query = new URLSearchParams();
  const body: Record<string, unknown> = { ...bodies[route.id] };
  for (const [index, slot] of slots.entries()) {
    const id = ids[index] ?? '';
    if (slot.where === 'path') path = path.replace(`{${slot.name}}`, encodeURIComponent(id));
    else if (slot.where === 'query') query.set(slot.name, id);
    else body[slot.name] = id;
  }
  const suffix = query.size > 0 ? `?${query}` : '';
  const { status, headers, text } = await client.api(route.method, path + suffix, {
    token: route.auth === 'session' ? client.session : client.key,
    ...(route.body ? { body } : {}),
    ...(route.upload ? { body: fileForm(tinyPng()) } : {}),
    ...(route.idempotency ? { headers: { 'idempotency-key': randomBytes(8).toString('hex') } } : {}),
  });
  let shape = text.replaceAll(/req_[0-9a-z]+/g, 'req');
  for (const id of ids) shape = shape.replaceAll(id, '<id>');
  return { status, shape, retryAfter: headers.get('retry-after'), allow: headers.get('allow') };
}

/** All non-empty subsets, as lists of positions. */
function subsetsOf(count: number): number[][] {
  return Array.from({ length: 2 ** count - 1 }, (_, index) =>
    Array.from({ length: count }, (_unused, at) => at).filter(at => ((index + 1) >> at) & 1),
  );
}

/** Everything in the account's own lists, except the time at which a key was last used. */
async function snapshotOf({ api, key, session }: Prepared): Promise<string[]> {
  const lists = allRoutes.filter(
    route => route.method === 'GET' && !route.path.includes('{') && route.auth !== 'none',
  );
  const answers = await Promise.all(
    lists.map(async ({ path, auth }) => {
      const answer = await api('GET', path, { token: auth === 'session' ? session : key });
      return `${path} ${answer.status} ${answer.text}`;
    }),
  );
  // Signed links change, a refusal has a new request id, resetsAt may pass midnight, and reading counts in
  // the windows of `/usage`. A key's last use is written some time after the use.
  const passing =
    /"name":"requests\w*","limit":\d+,"used":\d+|"lastUsedAt":(?:null|"[^"]+")|\?e=\d+&s=[\w-]+|"resetsAt":"[^"]+"|req_\w+/g;
  return answers.map(text => text.replaceAll(passing, ''));
}

describe('every id of the contracts', () => {
  it.each(routes)('$route.method $route.path: its ids are known to this test', ({ route, slots }) => {
    for (const { where, name, kind } of slots) {
      expect(kind, `${route.id}: no existing id for the ${where} parameter ${name}`).toBeDefined();
    }
    if (route.body) expect(Object.keys(bodies), `${route.id} needs a valid body`).toContain(route.id);
  });

  it('finds the routes with ids that there were when this was written', () => {
    expect(routes.length).toBeGreaterThanOrEqual(35);
  });
});

describe('a leaked key', () => {
  it('is revoked with what it made: the automation pauses, the webhook stops, the schedule is withdrawn', async () => {
    const { api, session, appId, accountId } = owner;
    const scopes = [
      'automations:write',
      'automations:read',
      'webhooks:write',
      'schedules:write',
      'schedules:read',
    ];
    const leaked = await api<{ id: string; key: string }>('POST', '/keys', {
      token: session,
      body: { name: 'leaked', scopes },
    });
    const content = await approvedDeck(owner);
    const make = async (path: string, body: unknown): Promise<string> => {
      const made = await api<{ id: string; createdBy: unknown }>('POST', path, {
        token: leaked.data.key,
        body,
      });
      expect(made.data.createdBy).toEqual({ kind: 'key', id: leaked.data.id, name: 'leaked' });
      return made.data.id;
    };
    const automation = await make('/automations', {
      ...{ appId, tiktokAccountId: accountId },
      ...bodies.createAutomation,
    });
    const webhook = await make('/webhooks', { url: receiver.url, events: ['content.approved'] });
    const schedule = await make('/schedules', {
      ...{ contentId: content.id, tiktokAccountId: accountId },
      ...bodies.createSchedule,
    });

    const key = `/keys/${leaked.data.id}`;
    const work = await api('GET', `${key}/work`, { token: session });
    expect(work.data).toMatchObject({
      automations: [{ id: automation, status: 'active', change: 'created' }],
      webhooks: [{ id: webhook, status: 'enabled', change: 'created' }],
      schedules: [{ id: schedule }],
      more: false,
    });
    const revoked = await api('DELETE', `${key}?withWhatItMade=true`, { token: session });
    expect(revoked.data).toMatchObject({
      revokedAt: expect.any(String),
      disabled: { automationIds: [automation], webhookIds: [webhook], scheduleIds: [schedule], more: false },
    });
    const statusOf = async (path: string) => {
      const answer = await api<{ status: string }>('GET', path, { token: owner.key });
      return answer.error?.code ?? answer.data.status;
    };
    expect(await statusOf(`/automations/${automation}`)).toBe('paused');
    expect(await statusOf(`/webhooks/${webhook}`)).toBe('disabled');
    expect(await statusOf(`/schedules/${schedule}`)).toBe('not_found');
    const audit = await api<{ action: string; detail: unknown }[]>('GET', '/audit?order=newest&limit=1', {
      token: session,
    });
    expect(audit.data[0]).toMatchObject({
      action: 'key.work_disabled',
      detail: { automationIds: [automation], webhookIds: [webhook], scheduleIds: [schedule] },
    });
  });
});

describe('another account’s id answers as one that does not exist', () => {
  let before: string[];
  beforeAll(async () => {
    before = await snapshotOf(owner);
  });

  it.each(routes)('$route.method $route.path', async ({ route, slots }) => {
    for (const subset of subsetsOf(slots.length)) {
      const idsWith = (others: Ids) =>
        slots.map(({ kind }, at) => (subset.includes(at) ? others : intruder.ids)[kind as Kind]);
      const foreign = await ask(intruder, route, slots, idsWith(owner.ids));
      const unknown = await ask(intruder, route, slots, idsWith(missing));
      expect(foreign).toEqual(unknown);
      if (readsNoId.has(route.id)) expect(foreign.status).toBe(501);
      // A list filter finds nothing, preflight reports it among the problems; everything else answers not
      // found.
      else if (subset.every(at => slots[at]?.where === 'query')) {
        expect(foreign.status).toBe(200);
        expect(foreign.shape).toMatch(/^{"data":\[\]|"code":"account_not_found"/);
      } else expect([foreign.status, foreign.shape]).toEqual([404, foreign.shape]);
    }
  });

  it('and nothing of the owner’s has changed', async () => {
    expect(await snapshotOf(owner)).toEqual(before);
  });
});

describe('an id of another form than any that was given out', () => {
  const odd = [
    'x',
    '0',
    '-1',
    'null',
    '..',
    "' or 1=1",
    'content_',
    '✓',
    'a\u0000b',
    '\ud83d',
    'i'.repeat(300),
  ];

  it.each(routes)('$route.method $route.path is refused in the envelope', async ({ route, slots }) => {
    if (readsNoId.has(route.id)) return;
    for (const [at, { where, kind }] of slots.entries()) {
      const own = owner.ids[kind as Kind];
      for (const id of [...odd, own.toUpperCase(), own.slice(0, -1), `${own}0`]) {
        // A path of dots is another path, and half a surrogate pair is no text of a URL.
        if (where === 'path' && /^\.+$|[\ud800-\udfff]/.test(id)) continue;
        const ids = slots.map((slot, other) => (other === at ? id : owner.ids[slot.kind as Kind]));
        const { status, shape } = await ask(owner, route, slots, ids);
        const isFilter = where === 'query' && status === 200;
        expect([id, status, shape]).toEqual([id, isFilter ? 200 : expect.toBeOneOf([400, 404]), shape]);
        if (!isFilter)
          expect(JSON.parse(shape).error.code).toMatch(/^(?:invalid_request|(?:account_)?not_found)$/);
      }
    }
  });
});

describe('the same ids, asked for by their owner, are found', () => {
  it.each(routes)('$route.method $route.path', async ({ route, slots }) => {
    const ids = slots.map(({ kind }) => owner.ids[kind as Kind]);
    const answer = await ask(owner, route, slots, ids);
    expect([answer.status === 404, answer.shape]).toEqual([false, answer.shape]);
    if (!readsNoId.has(route.id)) expect(answer.status).toBeLessThan(500);
  });
});
