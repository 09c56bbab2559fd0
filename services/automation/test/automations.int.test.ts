import { approvalPolicies } from '@hookline/shared/contracts/approval-policy';
import { scopes } from '@hookline/shared/contracts/scopes';
import type { Caller } from '@hookline/shared/http';
import { lockWaits } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import {
  startTestService,
  type TestService,
  testCaller,
  testPerson,
} from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pauseAutomationsOf } from '../src/automations/queries.ts';
import { automation } from '../src/service.ts';
import { markHealthy } from '../src/webhooks/queries.ts';
import { startPeerDoubles } from './peer-doubles.ts';

const peers = perSuite(startPeerDoubles);
let service: TestService;
const owner = testCaller();
const stranger = testCaller();
const drafter: Caller = { ...owner, scopes: scopes.filter(scope => scope !== 'schedules:publish') };

const wish = {
  appId: 'product_mine',
  tiktokAccountId: 'account_mine',
  format: 'slideshow',
  postingTimes: [{ time: '09:00', days: ['mon', 'wed', 'fri'] }],
};

beforeAll(async () => {
  peers.addApp(owner.accountId, 'product_mine');
  peers.addApp(owner.accountId, 'product_other');
  peers.addAccount(owner.accountId, 'account_mine');
  peers.addAccount(owner.accountId, 'account_bound', 'product_other');
  service = await startTestService(automation, {
    env: { ...peers.env, PUBLIC_URL: 'http://localhost:8080' },
  });
});
afterAll(async () => {
  await service?.stop();
});

type Answer = {
  status: number;
  body: { data: Record<string, unknown>; error: { code: string; message: string } };
};
async function call(method: string, path: string, body?: unknown, caller: Caller = owner): Promise<Answer> {
  const answer = await service.call(method, path, { caller, ...(body === undefined ? {} : { body }) });
  return { status: answer.status, body: answer.body as Answer['body'] };
}
async function create(overrides: Record<string, unknown> = {}): Promise<string> {
  const answer = await call('POST', '/v1/automations', { ...wish, ...overrides });
  expect(answer.status).toBe(201);
  return answer.body.data.id as string;
}

describe('POST /v1/automations', () => {
  it('201 answers the whole automation, defaults filled in, the template auto stated in the brief', async () => {
    const { status, body } = await call('POST', '/v1/automations', {
      ...wish,
      brief: { archetype: 'listicle' },
    });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^automation_[0-9a-z]{26}$/),
      ...wish,
      timezone: 'UTC',
      brief: { archetype: 'listicle', templateId: 'auto' },
      ...{ topics: [], nextTopic: null, until: null, maxFirings: null, firingsMade: 0, firingsLeft: null },
      approvalMode: 'manual',
      postingMode: 'drafts',
      privacyLevel: null,
      status: 'active',
      nextFireAt: expect.stringMatching(/T09:00:00\.000Z$/),
      ...{ endedReason: null, nothingNewSince: null, externalId: null, metadata: null },
      createdBy: { kind: 'key', id: owner.keyId, name: expect.any(String) },
      confirmedBy: null,
      awaitsConfirmation: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('201 with SELF_ONLY when publish names no privacy level', async () => {
    const { status, body } = await call('POST', '/v1/automations', { ...wish, postingMode: 'publish' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ postingMode: 'publish', privacyLevel: 'SELF_ONLY' });
  });

  it('201 for drafts to a phone, 400 naming postingMode for publish, also as a change', async () => {
    peers.addAccount(owner.accountId, 'account_phone', null, 'phone');
    const phone = { ...wish, tiktokAccountId: 'account_phone' };
    const { status, body } = await call('POST', '/v1/automations', phone);
    expect(status).toBe(201);
    const publish = { postingMode: 'publish' };
    const refusals = [
      await call('POST', '/v1/automations', { ...phone, ...publish }),
      await call('PATCH', `/v1/automations/${body.data.id}`, publish),
    ];
    expect(refusals.map(({ status, body }) => [status, body.error.message])).toEqual(
      Array(2).fill([400, 'postingMode must be "drafts" for an account of kind "phone"']),
    );
  });

  it('403 missing_scope for a key that leaves an automation in auto under people_only; a person may', async () => {
    const approvalPolicy = approvalPolicies.strict;
    const key = { ...owner, approvalPolicy };
    const person = { ...testPerson(owner, 'Maya'), approvalPolicy };
    const auto = { ...wish, approvalMode: 'auto' };
    const refused = await call('POST', '/v1/automations', auto, key);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'missing_scope']);
    const made = await call('POST', '/v1/automations', auto, person);
    const path = `/v1/automations/${made.body.data.id}`;
    const brief = { hook: 'Words that nobody read' };
    const statuses: number[] = [];
    for (const [caller, change] of [
      [key, { brief }],
      [person, { brief }],
      [key, { status: 'paused' }],
      [key, { approvalMode: 'manual' }],
      [key, { approvalMode: 'auto' }],
    ] as const) {
      statuses.push((await call('PATCH', path, change, caller)).status);
    }
    expect(statuses).toEqual([403, 200, 200, 200, 403]);
  });

  it.each([
    [{ appId: 'product_none' }, 404, 'not_found'],
    [{ tiktokAccountId: 'account_none' }, 404, 'account_not_found'],
    [{ tiktokAccountId: 'account_bound' }, 409, 'cross_app'],
  ])('an automation with %o is refused with %d %s', async (change, status, code) => {
    const answer = await call('POST', '/v1/automations', { ...wish, ...change });
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  it('what the author or a key confirmed before a stricter policy waits for another person', async () => {
    const maya = testPerson(owner, 'Maya');
    const actor = { kind: 'key', id: 'key_maya', name: 'agent', creatorId: maya.userId } as const;
    const mayasKey: Caller = { ...owner, keyId: actor.id, actor };
    const confirmed = async (author: Caller, confirmer: Caller, approvalMode = 'auto') => {
      const made = await call('POST', '/v1/automations', { ...wish, approvalMode }, author);
      const path = `/v1/automations/${made.body.data.id}`;
      expect((await call('POST', `${path}/confirm`, {}, confirmer)).status).toBe(200);
      return path;
    };
    const awaits = async (path: string) => (await call('GET', path)).body.data.awaitsConfirmation;
    const ask = (body: object) =>
      service.call('POST', '/internal/automations/ask-for-confirmations', {
        ...{ caller: owner, sender: 'gateway', body },
      });
    const byAuthor = await confirmed(maya, maya);
    const byAuthorsKey = await confirmed(maya, mayasKey);
    const manual = await confirmed(maya, maya, 'manual');
    await ask({ isAsked: true });
    const selfless = { ...maya, approvalPolicy: { ...maya.approvalPolicy, selfApproval: false } };
    await call('PATCH', manual, { approvalMode: 'auto' }, selfless);
    expect(await Promise.all([byAuthor, byAuthorsKey, manual].map(awaits))).toEqual([true, true, true]);

    const byKey = await confirmed(mayasKey, owner);
    await ask({ isAsked: false, ofKeys: true });
    expect(await awaits(byKey)).toBe(true);
    await call(
      'PATCH',
      byKey,
      { timezone: 'Asia/Tokyo' },
      { ...maya, approvalPolicy: approvalPolicies.strict },
    );
    expect(await awaits(byKey)).toBe(true);
  });

  it('a privacy level that the account does not allow is refused, also in a PATCH', async () => {
    const level = { postingMode: 'publish', privacyLevel: 'FOLLOWER_OF_CREATOR' };
    const { body } = await call('POST', '/v1/automations', { ...wish, ...level, privacyLevel: 'SELF_ONLY' });
    for (const answer of [
      await call('POST', '/v1/automations', { ...wish, ...level }),
      await call('PATCH', `/v1/automations/${body.data.id}`, { privacyLevel: level.privacyLevel }),
    ]) {
      expect([answer.status, answer.body.error]).toMatchObject([
        400,
        {
          code: 'invalid_privacy_level',
          message: 'privacyLevel must be one that the account allows: PUBLIC_TO_EVERYONE, SELF_ONLY',
        },
      ]);
    }
  });

  it.each([
    [{ timezone: 'Mars/Olympus' }, 'timezone must be'],
    [{ privacyLevel: 'SELF_ONLY' }, 'privacyLevel must be left out unless postingMode is "publish"'],
    [
      { brief: { hook: 'x', slides: [{ text: 'y' }] } },
      'brief.slides must be left out: an automation would post',
    ],
    [
      { brief: { templateId: 'picture', hook: 'x', pictureIds: ['picture_1'] } },
      'brief.templateId must be another than picture: an automation would post',
    ],
  ])('400 for an automation with %o, saying what would be right', async (change, message) => {
    const { status, body } = await call('POST', '/v1/automations', { ...wish, ...change });
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(body.error.message).toContain(message);
  });
});

describe('reading and changing', () => {
  it('automations are listed newest first, with a cursor only when limit is set', async () => {
    const all = (await call('GET', '/v1/automations')).body as unknown as {
      data: { id: string }[];
      nextCursor: null;
    };
    expect(all.nextCursor).toBeNull();
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor ? `&cursor=${cursor}` : '';
      const page = (await call('GET', `/v1/automations?limit=2${query}`)).body as unknown as {
        data: { id: string }[];
        nextCursor: string | null;
      };
      seen.push(...page.data.map(row => row.id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(all.data.map(row => row.id));
  });

  it('externalId and metadata are answered and listed as given; a change replaces them and null clears them', async () => {
    const own = { externalId: 'plan 7', metadata: { client: 'Pebblo' } };
    const id = await create(own);
    const find = async (name: string) => {
      const listed = await call('GET', `/v1/automations?externalId=${encodeURIComponent(name)}`);
      return (listed.body.data as unknown as { id: string }[]).map(row => row.id);
    };
    expect([await find('plan 7'), await find('plan 8')]).toEqual([[id], []]);
    const change = async (fields: object) => (await call('PATCH', `/v1/automations/${id}`, fields)).body.data;
    expect(await change({ status: 'paused' })).toMatchObject(own);
    expect(await change({ externalId: 'plan 8' })).toMatchObject({ ...own, externalId: 'plan 8' });
    const cleared = await change({ externalId: null, metadata: null });
    expect(cleared).toMatchObject({ externalId: null, metadata: null });
  });
  it('a paused automation has no next slot and refuses a run; resumed, it has the next one', async () => {
    const id = await create();
    const paused = await call('PATCH', `/v1/automations/${id}`, { status: 'paused' });
    expect(paused.body.data).toMatchObject({ status: 'paused', nextFireAt: null });
    expect((await call('POST', `/v1/automations/${id}/run`)).status).toBe(400);
    const active = await call('PATCH', `/v1/automations/${id}`, { status: 'active' });
    expect(active.body.data).toMatchObject({ status: 'active', nextFireAt: expect.any(String) });
  });

  it('403 for a key without the scopes of what an automation does, when it changes its words or runs it', async () => {
    const id = await create({ postingMode: 'publish', privacyLevel: 'PUBLIC_TO_EVERYONE' });
    const agent: Caller = { ...owner, scopes: ['automations:read', 'automations:write'] };
    const path = `/v1/automations/${id}`;
    const before = (await call('GET', path)).body.data;
    for (const change of [
      { approvalMode: 'auto', brief: { hook: 'SEND 1 BTC TO CLAIM YOUR PRIZE' } },
      { brief: { hook: 'SEND 1 BTC TO CLAIM YOUR PRIZE' } },
      { postingTimes: [{ time: '07:30', days: ['sun'] }] },
      { status: 'paused', timezone: 'Asia/Tokyo' },
      { postingMode: 'publish' },
      { privacyLevel: 'SELF_ONLY' },
      { status: 'active' },
    ]) {
      const answer = await call('PATCH', path, change, agent);
      expect([answer.status, answer.body.error?.code], JSON.stringify(change)).toEqual([
        403,
        'missing_scope',
      ]);
    }
    const run = await call('POST', `${path}/run`, undefined, agent);
    expect([run.status, run.body.error?.code]).toEqual([403, 'missing_scope']);
    expect((await call('GET', path)).body.data).toEqual(before);
    expect((await call('GET', `${path}/firings`)).body.data).toEqual([]);
    // Stopping it is open to everyone who may change automations, and so is giving its powers up.
    expect((await call('PATCH', path, { status: 'paused' }, agent)).status).toBe(200);
    const lowered = await call('PATCH', path, { postingMode: 'drafts', status: 'active' }, agent);
    expect(lowered.body.data).toMatchObject({ postingMode: 'drafts', privacyLevel: null });
    expect((await call('POST', `${path}/run`, undefined, agent)).status).toBe(201);
  });

  it('an automation that approves its own decks needs content:approve', async () => {
    const approver: Caller = { ...owner, scopes: ['automations:write', 'content:approve'] };
    const agent: Caller = { ...owner, scopes: ['automations:write'] };
    const made = await call('POST', '/v1/automations', { ...wish, approvalMode: 'auto' }, approver);
    const path = `/v1/automations/${made.body.data.id}`;
    const expected = [403, 'approvalMode "auto" needs a key with the scope content:approve.'];
    for (const [method, where, body] of [
      ['POST', '/v1/automations', { ...wish, approvalMode: 'auto' }],
      ['PATCH', path, { brief: { topic: 'habits' } }],
      ['PATCH', path, { approvalMode: 'auto' }],
      ['POST', `${path}/run`, undefined],
    ] as const) {
      const answer = await call(method, where, body, agent);
      expect([answer.status, answer.body.error?.message], `${method} ${where}`).toEqual(expected);
    }
    expect((await call('POST', `${path}/run`, undefined, approver)).status).toBe(201);
    expect((await call('PATCH', path, { approvalMode: 'manual' }, agent)).status).toBe(200);
    expect((await call('PATCH', path, { approvalMode: 'auto' }, agent)).status).toBe(403);
  });

  it('publishing needs schedules:publish, also where the key approves', async () => {
    const id = await create();
    const raise = { postingMode: 'publish' };
    expect((await call('PATCH', `/v1/automations/${id}`, raise, drafter)).status).toBe(403);
    expect((await call('PATCH', `/v1/automations/${id}`, raise)).body.data).toMatchObject({
      postingMode: 'publish',
      privacyLevel: 'SELF_ONLY',
    });
    const auto = { approvalMode: 'auto' };
    expect((await call('PATCH', `/v1/automations/${id}`, auto, drafter)).status).toBe(403);
    const lowered = await call('PATCH', `/v1/automations/${id}`, { postingMode: 'drafts', ...auto }, drafter);
    expect(lowered.body.data).toMatchObject({ postingMode: 'drafts', privacyLevel: null, ...auto });
  });

  it('next firings are those of all automations, in order of time, without paused ones', async () => {
    const caller = testCaller();
    peers.addApp(caller.accountId, 'product_mine');
    peers.addAccount(caller.accountId, 'account_mine');
    const next = async (query = '') =>
      (await call('GET', `/v1/automations/next${query}`, undefined, caller)).body.data as unknown as {
        automationId: string;
        fireAt: string;
        local: string;
      }[];
    expect(await next()).toEqual([]);
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
    const make = async (time: string, timezone: string) => {
      const made = await call(
        'POST',
        '/v1/automations',
        { ...wish, postingTimes: [{ time, days }], timezone },
        caller,
      );
      return String(made.body.data.id);
    };
    const ids = [await make('12:00', 'UTC'), await make('18:00', 'Asia/Tokyo')];
    const paused = await make('10:00', 'UTC');
    await call('PATCH', `/v1/automations/${paused}`, { status: 'paused' }, caller);
    const firings = await next();
    expect(firings).toHaveLength(20);
    expect(firings.map(({ fireAt }) => fireAt)).toEqual(firings.map(({ fireAt }) => fireAt).toSorted());
    expect(new Set(firings.map(({ automationId }) => automationId))).toEqual(new Set(ids));
    const tokyo = firings.find(({ automationId }) => automationId === ids[1]);
    expect([tokyo?.fireAt.slice(11), tokyo?.local.slice(11)]).toEqual([
      '09:00:00.000Z',
      '18:00:00.000+09:00',
    ]);
    const one = await call('GET', `/v1/automations/${firings[0]?.automationId}`, undefined, caller);
    expect(one.body.data.nextFireAt).toBe(firings[0]?.fireAt);
    expect(await next('?limit=3')).toEqual(firings.slice(0, 3));
    expect((await call('GET', '/v1/automations/next?limit=101', undefined, caller)).status).toBe(400);
  });

  it('an automation follows a new zone and new times', async () => {
    const id = await create();
    const change = { timezone: 'Asia/Tokyo', postingTimes: [{ time: '07:30', days: ['sun'] }] };
    const { body } = await call('PATCH', `/v1/automations/${id}`, change);
    expect(body.data).toMatchObject({ ...change, nextFireAt: expect.stringMatching(/T22:30:00\.000Z$/) });
    const preview = await call('GET', `/v1/automations/${id}/next?count=3`);
    const slots = preview.body.data as unknown as { fireAt: string; local: string }[];
    expect(slots).toHaveLength(3);
    expect(slots[0]).toEqual({
      fireAt: body.data.nextFireAt,
      local: expect.stringMatching(/T07:30:00\.000\+09:00$/),
    });
    expect((await call('GET', `/v1/automations/${id}/next?count=51`)).status).toBe(400);
  });

  it('a deleted automation is gone, and the answer says so', async () => {
    const id = await create();
    expect((await call('DELETE', `/v1/automations/${id}`)).body.data).toEqual({ id, deleted: true });
    expect((await call('GET', `/v1/automations/${id}`)).status).toBe(404);
    expect((await call('DELETE', `/v1/automations/${id}`)).status).toBe(404);
  });
});

describe('what a key made or changed', () => {
  it('the work of a key is found by the key, and disabled with one call, for its account alone', async () => {
    const keyId = 'key_leaked';
    const actor = { kind: 'key' as const, id: keyId, name: 'leaked', creatorId: null };
    const leaked: Caller = { ...owner, keyId, actor };
    const made = (await call('POST', '/v1/automations', wish, leaked)).body.data.id;
    const changed = await create();
    await call('PATCH', `/v1/automations/${changed}`, { timezone: 'Europe/Berlin' }, leaked);
    const untouched = await create();
    const endpoint = { url: 'https://192.0.2.1/hooks', events: ['content.approved'] };
    const urls = ['https://example.com/a', 'https://example.com/b'];
    await service.db.query(
      `insert into webhooks (id, account_id, url, events, secrets, created_at, updated_at)
       select 'webhook_' || n, $1, ($2::text[])[n], $3, '[]', now(), now() from generate_series(1, 2) n`,
      [owner.accountId, urls, endpoint.events],
    );
    const moved = await call('PATCH', '/v1/webhooks/webhook_1', { events: ['schedule.failed'] }, leaked);
    expect(moved.status).toBe(200);

    const work = await call('POST', '/internal/work-of-key', { keyId });
    expect(work.body).toEqual({
      automations: [
        { id: changed, appId: wish.appId, status: 'active', change: 'changed' },
        { id: made, appId: wish.appId, status: 'active', change: 'created' },
      ],
      webhooks: [{ id: 'webhook_1', url: urls[0], status: 'enabled', change: 'changed' }],
    });
    const nothing = { automationIds: [], webhookIds: [] };
    const disable = '/internal/work-of-key/disable';
    const all = { keyId, automations: true, webhooks: true };
    expect((await call('POST', disable, all, stranger)).body).toEqual(nothing);
    // As far as the role of the member reaches.
    const none = { keyId, automations: false, webhooks: false };
    expect((await call('POST', disable, none)).body).toEqual(nothing);
    expect((await call('POST', disable, all)).body).toEqual({
      automationIds: expect.toSatisfy(
        (ids: string[]) => ids.toSorted().join() === [changed, made].toSorted().join(),
      ),
      webhookIds: ['webhook_1'],
    });
    expect((await call('POST', disable, all)).body).toEqual(nothing);
    const { status, nextFireAt } = (await call('GET', `/v1/automations/${made}`)).body.data;
    expect([status, nextFireAt]).toEqual(['paused', null]);
    expect((await call('GET', `/v1/automations/${untouched}`)).body.data.status).toBe('active');
    expect((await call('GET', '/v1/webhooks/webhook_1')).body.data).toMatchObject({
      status: 'disabled',
      disabledReason: 'the key that made or changed it was revoked',
    });
    expect((await call('GET', '/v1/webhooks/webhook_2')).body.data.status).toBe('enabled');
  });
});

describe('the automations of an account', () => {
  /** Holds a row, and writes it to another place, which is read last. @returns what releases it */
  async function hold(table: 'automations' | 'webhooks', id: string): Promise<() => Promise<void>> {
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = service.db.transaction(async tx => {
      await tx.query(`update ${table} set created_at = created_at + interval '1 ms' where id = $1`, [id]);
      held.resolve();
      await released.promise;
    });
    await held.promise;
    return async () => {
      released.resolve();
      await holding;
    };
  }

  /** One statement changes all three rows, the other the first and the last. */
  async function meet<All, Two>(
    table: 'automations' | 'webhooks',
    [first, second]: readonly [string, string],
    { all, two }: { all: () => Promise<All>; two: () => Promise<Two> },
  ): Promise<[All, Two]> {
    const [releaseFirst, releaseSecond] = [await hold(table, first), await hold(table, second)];
    const changing = all();
    await lockWaits(service.db);
    await releaseFirst();
    await lockWaits(service.db);
    const others = two();
    await lockWaits(service.db, 2);
    await releaseSecond();
    return await Promise.all([changing, others]);
  }

  it('a policy and the end of a platform account change the same automations at once without a deadlock', async () => {
    const caller = testCaller();
    peers.addApp(caller.accountId, 'product_own');
    const make = async (tiktokAccountId: string) => {
      peers.addAccount(caller.accountId, tiktokAccountId);
      const body = { ...wish, appId: 'product_own', tiktokAccountId };
      return (await call('POST', '/v1/automations', body, caller)).body.data.id as string;
    };
    const rows = [await make('account_ends'), await make('account_stays')] as const;
    await make('account_ends');
    const ask = { caller, sender: 'gateway', body: { isAsked: true } } as const;
    const ending = { accountId: caller.accountId, of: 'account_ends', now: new Date() };
    const [asked, paused] = await meet('automations', rows, {
      all: () => service.call('POST', '/internal/automations/ask-for-confirmations', ask),
      two: () => service.db.transaction(tx => pauseAutomationsOf(tx, ending)),
    });
    expect([asked.status, paused.length]).toEqual([200, 2]);
  });

  it('a key is revoked while its endpoints recover, without a deadlock', async () => {
    const caller = testCaller();
    const ids = ['webhook_c', 'webhook_b', 'webhook_a'] as const;
    await service.db.query(
      `insert into webhooks (id, account_id, url, events, secrets, key_ids, failing_since, created_at, updated_at)
       select id, $2, 'https://example.com/', '{schedule.failed}', '[]', array[$3], now(), now(), now()
       from unnest($1::text[]) as id`,
      [ids, caller.accountId, caller.keyId],
    );
    const body = { keyId: caller.keyId, automations: true, webhooks: true };
    const [disabled] = await meet('webhooks', [ids[0], ids[1]], {
      all: () => service.call('POST', '/internal/work-of-key/disable', { caller, sender: 'gateway', body }),
      two: () => markHealthy(service.db, [ids[0], ids[2]]),
    });
    expect(disabled.status).toBe(200);
  });

  it('an account has at most 100 automations, also when many are made at once; a deleted one makes room', async () => {
    const caller = testCaller();
    peers.addApp(caller.accountId, 'product_mine');
    peers.addAccount(caller.accountId, 'account_mine');
    const make = () => call('POST', '/v1/automations', wish, caller);
    const answers = await Promise.all(
      Array.from({ length: 104 }, async () => {
        let answer = await make();
        // A busy machine may answer 503: nothing was made.
        for (let tries = 1; answer.status === 503 && tries < 20; tries += 1) {
          await new Promise(resolve => setTimeout(resolve, 100));
          answer = await make();
        }
        return answer;
      }),
    );
    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 400);
    expect(answers.filter(({ status }) => status !== 201 && status !== 400)).toEqual([]);
    expect([made.length, refused.length]).toEqual([100, 4]);
    expect(refused[0]?.body.error.message).toContain('at most 100');
    await call('DELETE', `/v1/automations/${made[0]?.body.data.id}`, undefined, caller);
    expect((await make()).status).toBe(201);
    expect((await make()).status).toBe(400);
  });
});

describe('POST /v1/automations/{id}/run', () => {
  it('201 of a run answers the firing, and automation.fired is on the bus', async () => {
    const id = await create({ brief: { topic: 'habits' }, approvalMode: 'auto' });
    const { status, body } = await call('POST', `/v1/automations/${id}/run`);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      id: expect.stringMatching(/^firing_/),
      automationId: id,
      status: 'fired',
      contentId: null,
      scheduleId: null,
      reason: null,
    });
    const message = await eventually(() => {
      const found = service.published.find(({ key }) => key === id);
      expect(found).toBeDefined();
      return found;
    });
    expect(message?.topic).toBe('automation.firings');
    expect(message?.headers).toMatchObject({
      ce_type: 'automation.fired',
      ce_accountid: owner.accountId,
      ce_sequence: '1',
    });
    expect(JSON.parse(message?.value ?? '')).toEqual({
      automationId: id,
      firingId: body.data.id,
      appId: 'product_mine',
      brief: { topic: 'habits', templateId: 'auto' },
      approvalMode: 'auto',
      authorId: owner.keyId,
      slot: body.data.slot,
    });
    const firings = await call('GET', `/v1/automations/${id}/firings`);
    expect(firings.body.data).toEqual([body.data]);
  });

  it('firings are listed by the content that they made', async () => {
    const id = await create();
    const [first, second] = [
      await call('POST', `/v1/automations/${id}/run`),
      await call('POST', `/v1/automations/${id}/run`),
    ];
    await service.db.query(`update firings set content_id = 'content_of_' || id where automation_id = $1`, [
      id,
    ]);
    const wanted = (first.body.data as { id: string }).id;
    const { body } = await call('GET', `/v1/automations/${id}/firings?contentId=content_of_${wanted}`);
    expect(second.status).toBe(201);
    expect(body.data).toMatchObject([{ id: wanted, contentId: `content_of_${wanted}` }]);
  });

  it('201 of a run of hook_video is skipped with the reason, and nothing is requested of content', async () => {
    const id = await create({ format: 'hook_video' });
    const { body } = await call('POST', `/v1/automations/${id}/run`);
    expect(body.data).toMatchObject({
      status: 'skipped',
      reason: expect.stringContaining('generation_not_wired'),
    });
    const marker = await create();
    await call('POST', `/v1/automations/${marker}/run`);
    await eventually(() => expect(service.published.some(({ key }) => key === marker)).toBe(true));
    const told = service.published.filter(({ key }) => key === id).map(({ headers }) => headers.ce_type);
    expect(told).toEqual(['automation.skipped']);
  });

  it('simultaneous runs have separate slots', async () => {
    const id = await create();
    const runs = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', `/v1/automations/${id}/run`)),
    );
    expect(runs.map(run => run.status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(runs.map(run => run.body.data.slot)).size).toBe(5);
  });
});

describe('topics and limits', () => {
  const nextYear = `${new Date().getUTCFullYear() + 1}-06-01T12:00:00.000Z`;
  const get = async (id: string) => (await call('GET', `/v1/automations/${id}`)).body.data;
  const change = (id: string, body: object) => call('PATCH', `/v1/automations/${id}`, body);
  const run = (id: string) => call('POST', `/v1/automations/${id}/run`);
  const topicsOf = (id: string): (string | undefined)[] =>
    service.published
      .filter(({ key, headers }) => key === id && headers.ce_type === 'automation.fired')
      .map(({ value }) => JSON.parse(value).brief.topic);

  it('201 with topics, until and maxFirings answers the next topic and the firings left; null removes each', async () => {
    const limits = { topics: ['one', 'two'], until: nextYear, maxFirings: 3 };
    const id = await create(limits);
    expect(await get(id)).toMatchObject({ ...limits, nextTopic: 'one', firingsMade: 0, firingsLeft: 3 });
    const removed = await change(id, { topics: null, until: null, maxFirings: null });
    const none = { topics: [], until: null, maxFirings: null, nextTopic: null, firingsLeft: null };
    expect(removed.body.data).toMatchObject({ status: 'active', ...none });
  });

  it.each([
    [{ topics: ['one'], brief: { topic: 'two' } }, 'topics must be left out where brief.topic is set'],
    [{ until: '2020-01-01T00:00:00Z' }, 'until must not be before the first slot, which is 20'],
  ])('400 for a new automation with %j names the field', async (fields, message) => {
    const { status, body } = await call('POST', '/v1/automations', { ...wish, ...fields });
    expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
    expect(body.error.message).toContain(message);
  });

  it('400 for a change that leaves a topic beside the topics names the field that was sent', async () => {
    const withTopic = await change(await create({ topics: ['one'] }), { brief: { topic: 'two' } });
    expect([withTopic.status, withTopic.body.error?.message]).toEqual([
      400,
      'brief.topic must be left out where topics is set: a deck has one topic',
    ]);
    const id = await create({ brief: { topic: 'two' } });
    const withTopics = await change(id, { topics: ['one'] });
    expect([withTopics.status, withTopics.body.error?.message]).toEqual([
      400,
      'topics must be left out where brief.topic is set: a deck has one topic',
    ]);
    expect((await change(id, { topics: ['one'], brief: {} })).status).toBe(200);
    expect((await change(id, { topics: [], brief: { topic: 'two' } })).status).toBe(200);
  });

  it('topics are used in turn; a longer list goes on where it was, and a new one begins at its first', async () => {
    const id = await create({ topics: ['one', 'two'] });
    for (const _ of [1, 2, 3]) await run(id);
    expect((await get(id)).nextTopic).toBe('two');
    await change(id, { topics: ['zero', 'one', 'two'], maxFirings: 100 });
    await change(id, { topics: ['zero', 'one', 'two'] });
    await run(id);
    expect((await get(id)).nextTopic).toBe('one');
    await change(id, { topics: ['six', 'seven'] });
    for (const _ of [1, 2]) await run(id);
    await eventually(() => expect(topicsOf(id)).toEqual(['one', 'two', 'one', 'zero', 'six', 'seven']));
  });

  it('simultaneous runs make as many firings as maxFirings allows, each with its topic', async () => {
    const id = await create({ topics: ['one', 'two', 'three', 'four'], maxFirings: 3 });
    const runs = await Promise.all(Array.from({ length: 6 }, () => run(id)));
    expect(runs.map(({ status }) => status).sort()).toEqual([201, 201, 201, 400, 400, 400]);
    const ended = { status: 'ended', endedReason: 'max_firings', nextFireAt: null, firingsLeft: 0 };
    expect(await get(id)).toMatchObject({ ...ended, firingsMade: 3, nextTopic: 'four' });
    await eventually(() => expect(topicsOf(id)).toEqual(['one', 'two', 'three']));
  });

  it('one that has ended fires no more, and is active again when its limits leave it a slot', async () => {
    const id = await create({ maxFirings: 1 });
    await run(id);
    const ended = await get(id);
    const listed = await call('GET', '/v1/automations?status=ended');
    expect(listed.body.data).toContainEqual(ended);
    expect((await call('GET', `/v1/automations/${id}/next`)).body.data).toEqual([]);
    const resumed = await change(id, { status: 'active' });
    expect([resumed.status, resumed.body.error?.message]).toEqual([
      400,
      'maxFirings must be changed or removed: it leaves the automation no slot',
    ]);
    expect((await change(id, { timezone: 'Asia/Tokyo' })).body.data).toMatchObject({ status: 'ended' });
    const more = await change(id, { maxFirings: 3 });
    const active = { status: 'active', endedReason: null, nextFireAt: expect.any(String), firingsLeft: 2 };
    expect(more.body.data).toMatchObject(active);
    expect((await call('GET', `/v1/automations/${id}/next`)).body.data).toHaveLength(2);
    const past = await change(id, { until: '2020-01-01T00:00:00Z' });
    expect(past.body.data).toMatchObject({ status: 'ended', endedReason: 'until', nextFireAt: null });
    expect((await change(id, { until: nextYear })).body.data).toMatchObject(active);
  });
});
