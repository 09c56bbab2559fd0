/** Invariants of the ledger under contention, over time and through interruptions. */
import type { Content } from '@hookline/shared/contracts/content';
import { dayMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { grantCredits } from '../src/credits/grant.ts';
import { codeOf, dataOf, startContent } from './world.ts';

const under = perSuite(() =>
  startContent({
    env: { SIGNUP_CREDITS: '1', DAILY_GENERATIONS: '3' },
    now: () => new Date(Date.now() + aheadMs),
  }),
);
let aheadMs = 0;

type Caller = ReturnType<typeof testCaller>;

async function credits(caller: Caller) {
  const answer = await under.service.call('GET', '/v1/credits', { caller });
  return dataOf<{ balance: number; spent: number; dailyGeneration: { used: number } }>(answer);
}

async function grant(caller: Caller, amount: number): Promise<void> {
  await under.service.db.query(
    `with written as (
       insert into credit_ledger (id, account_id, amount, reason, created_at, updated_at)
       values ('grant ' || gen_random_uuid(), $1, $2, 'grant', now(), now())
     ) update credit_accounts set balance = balance + $2, granted = granted + $2 where account_id = $1`,
    [caller.accountId, amount],
  );
}

const eventsTo = ({ service }: typeof under, { accountId }: Caller) =>
  service.published.filter(({ headers }) => headers.ce_accountid === accountId);
const typesTo = (world: typeof under, caller: Caller) =>
  eventsTo(world, caller).map(({ headers }) => headers.ce_type);

/** Invariants of the ledger that always hold. Each statement finds offenders. */
const offenders = {
  'balance = grants - charges': `select account_id from credit_accounts a where balance <> (
     select coalesce(sum(amount), 0) from credit_ledger l where l.account_id = a.account_id)`,
  'never negative':
    'select account_id from credit_accounts where balance < 0 or reserved < 0 or reserved > balance',
  'one charge per ready content': `select id from contents c where (status = 'ready') <> (
     select count(*) = 1 from credit_ledger l where l.content_id = c.id and l.reason = 'generation')`,
  'nothing charged that is not ready': `select content_id from credit_ledger l where reason = 'generation'
     and not exists (select 1 from contents c where c.id = l.content_id and c.status = 'ready')`,
  'what is reserved is written down': `select account_id from credit_accounts a where reserved <> (
     select count(*) from credit_reservations r where r.account_id = a.account_id)`,
};

describe('CREDITS=unlimited', () => {
  const unlimited = perSuite(() => startContent({ env: { SIGNUP_CREDITS: '1', CREDITS: 'unlimited' } }));

  it('refuses nothing for the lack of credits; each deck is in the ledger, which adds up', async () => {
    const caller = testCaller();
    const appId = await unlimited.importApp(caller);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => unlimited.create(caller, { appId, type: 'slideshow' })),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const answer = await unlimited.service.call('GET', '/v1/credits', { caller });
    expect(dataOf(answer)).toMatchObject({ unlimited: true, spent: 4 });
    await eventually(() => expect(typesTo(unlimited, caller)).toContain('job.completed'));
    expect(typesTo(unlimited, caller)).not.toContain('credits.low');
    const ledger = await unlimited.service.call('GET', '/v1/credits/ledger', { caller });
    const rows = dataOf<{ amount: number; reason: string }[]>(ledger);
    expect(rows.filter(({ reason }) => reason === 'generation')).toHaveLength(4);
    for (const [what, sql] of Object.entries(offenders)) {
      expect(await unlimited.service.db.query(sql), what).toEqual([]);
    }
  });
});

describe('credits.low', () => {
  const few = perSuite(() => startContent({ env: { SIGNUP_CREDITS: '6' } }));

  it('comes once at a fifth of the last grant and once at none, and again after a grant', async () => {
    const caller = testCaller();
    const { accountId } = caller;
    const appId = await few.importApp(caller);
    const make = async (count: number) => {
      for (let made = 0; made < count; made += 1)
        expect((await few.create(caller, { appId, type: 'slideshow' })).status).toBe(201);
    };
    const told = () =>
      eventsTo(few, caller)
        .filter(({ headers }) => headers.ce_type === 'credits.low')
        .map(({ value }) => JSON.parse(String(value)));
    const first = [
      { level: 'low', balance: 1 },
      { level: 'none', balance: 0 },
    ];
    await make(4);
    await make(2);
    await eventually(() => expect(told()).toEqual(first));
    await few.create(caller, { appId, type: 'slideshow' });
    const deps = { db: few.service.db, now: () => new Date(), signupCredits: 6 };
    await grantCredits(deps, { accountId, amount: 4, reference: accountId });
    await make(4);
    await eventually(() => expect(told()).toEqual([...first, { level: 'none', balance: 0 }]));
  });
});

describe('the ledger', () => {
  it('50 at once on a balance of 1 start one generation; 49 get insufficient_credits', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => under.create(caller, { appId, type: 'slideshow' })),
    );
    expect(answers.filter(answer => answer.status === 201)).toHaveLength(1);
    const refused = answers.filter(answer => answer.status === 402);
    expect(refused).toHaveLength(49);
    for (const answer of refused)
      expect(answer.body).toMatchObject({ error: { code: 'insufficient_credits', insufficient: true } });
    expect(await credits(caller)).toMatchObject({ balance: 0, spent: 1, dailyGeneration: { used: 1 } });
    const list = await under.service.call('GET', '/v1/content', { caller });
    expect(dataOf<Content[]>(list)).toHaveLength(1);
  });

  it('402 keeps nothing: the same key works after a top-up, and neither is counted twice', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const body = { appId, type: 'slideshow' };
    await under.create(caller, body);
    const refused = await under.create(caller, body, 'top-up');
    expect([refused.status, codeOf(refused)]).toEqual([402, 'insufficient_credits']);
    await grant(caller, 1);
    const made = await under.create(caller, body, 'top-up');
    expect(made.status).toBe(201);
    expect((await under.create(caller, body, 'top-up')).text).toBe(made.text);
    expect(await credits(caller)).toMatchObject({ balance: 0, spent: 2, dailyGeneration: { used: 2 } });
  });

  it('the daily ceiling admits exactly as many concurrent requests as are left; midnight UTC resets it', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const body = { appId, type: 'slideshow' };
    await under.create(caller, body);
    await grant(caller, 20);
    const answers = await Promise.all(Array.from({ length: 12 }, () => under.create(caller, body)));
    expect(answers.filter(answer => answer.status === 201)).toHaveLength(2);
    const refused = answers.filter(answer => answer.status === 429);
    expect(refused.map(codeOf)).toEqual(Array(10).fill('rate_limited'));
    expect(await credits(caller)).toMatchObject({ balance: 18, dailyGeneration: { used: 3 } });
    const retryAfterMs = Number(refused[0]?.headers.get('retry-after')) * 1_000;
    aheadMs = retryAfterMs;
    expect((await under.create(caller, body)).status).toBe(201);
    aheadMs = 0;
  });

  it('a failed generation costs nothing and is not counted for the day', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const brief = { topic: 'how to kill time with a bomb' };
    const failed = await under.create(caller, { appId, type: 'slideshow', brief }, 'fails');
    expect(dataOf<Content>(failed)).toMatchObject({ status: 'failed', costCharged: 0 });
    expect((await under.create(caller, { appId, type: 'slideshow', brief }, 'fails')).text).toBe(failed.text);
    expect(await credits(caller)).toMatchObject({ balance: 1, spent: 0, dailyGeneration: { used: 0 } });
  });

  it('the reply of POST /content equals the content as it is read', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const brief = { templateId: 'quote-card', ctaMode: 'direct', topic: 'evenings', slideCount: 3 };
    const made = dataOf<Content>(await under.create(caller, { appId, type: 'slideshow', brief }));
    const read = dataOf<Content>(await under.service.call('GET', `/v1/content/${made.id}`, { caller }));
    const withoutLinks = (content: Content) => ({
      ...content,
      images: content.images.map(({ url: _, ...image }) => image),
    });
    expect(withoutLinks(read)).toEqual(withoutLinks(made));
    expect(made.images).toHaveLength(3);
  });

  it.each(Object.entries(offenders))('the ledger invariant holds after these tests: %s', async (_, sql) => {
    expect(await under.service.db.query(sql)).toEqual([]);
  });
});

describe('the 24 h of an idempotency key', () => {
  it('a key is replayed to the last second of its 24 h, then it is new', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const body = { appId, type: 'hook_video' };
    const beganMs = Date.now();
    const first = await under.create(caller, body, 'window');
    aheadMs = dayMs - (Date.now() - beganMs) - 1_000;
    const replayed = await under.create(caller, body, 'window');
    expect(replayed.text).toBe(first.text);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    aheadMs = dayMs + 1_000;
    const anew = await under.create(caller, body, 'window');
    expect(anew.headers.get('idempotent-replayed')).toBeNull();
    expect(dataOf<Content>(anew).id).not.toBe(dataOf<Content>(first).id);
    aheadMs = 0;
  });
});
