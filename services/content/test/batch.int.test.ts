import type { Content, Job } from '@hookline/shared/contracts/content';
import type { BatchOutcome } from '@hookline/shared/contracts/content-batch';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { insertContent } from '../src/contents/queries.ts';
import { newContent } from '../src/jobs/generation.rules.ts';
import { claimQueuedContent, giveTurn } from '../src/jobs/queries.ts';
import { queueContent } from '../src/jobs/queue.ts';
import { codeOf, dataOf, messageOf, startContent } from './world.ts';

const under = perSuite(() => startContent({ env: { SIGNUP_CREDITS: '3' } }));

const send = (caller: Caller, items: unknown, key: string) =>
  under.service.call('POST', '/v1/content/batch', {
    caller,
    body: { items },
    headers: { 'idempotency-key': key },
  });

async function outcomesOf(caller: Caller, items: unknown, key: string): Promise<BatchOutcome[]> {
  const answer = await send(caller, items, key);
  if (answer.status !== 202) throw new Error(answer.text);
  return dataOf<{ outcomes: BatchOutcome[] }>(answer).outcomes;
}

const ended = (caller: Caller, id: string | undefined) =>
  eventually(async () => {
    const job = dataOf<Job>(await under.service.call('GET', `/v1/jobs/${id}`, { caller }));
    if (job.status !== 'ready' && job.status !== 'failed') throw new Error(job.status);
    return job;
  });

describe('POST /v1/content/batch', () => {
  it('a bad item stops no other, and says what is wrong with it', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const foreign = await under.importApp(testCaller());
    const outcomes = await outcomesOf(
      caller,
      [
        { appId, type: 'slideshow', brief: { hook: 'First of the list', templateId: null } },
        { appId, type: 'slideshow', brief: { slideCount: 400 } },
        'nothing',
        { appId: foreign, type: 'slideshow' },
        { appId, type: 'hook_video' },
        { appId, type: 'slideshow', externalId: 'row-6', metadata: { sheet: 'may' } },
      ],
      'mixed',
    );
    expect(outcomes.map(({ job, error }) => job?.status ?? error?.code)).toEqual([
      'queued',
      'invalid_request',
      'invalid_request',
      'not_found',
      'not_implemented',
      'queued',
    ]);
    expect(outcomes[1]?.error).toMatchObject({ param: 'brief.slideCount' });
    expect(await ended(caller, outcomes[0]?.job?.id)).toMatchObject({ status: 'ready', cost: 1 });
    expect(await ended(caller, outcomes[5]?.job?.id)).toMatchObject({ status: 'ready', cost: 1 });
    const found = await under.service.call('GET', '/v1/content?externalId=row-6', { caller });
    expect(dataOf<Content[]>(found)).toMatchObject([{ metadata: { sheet: 'may' }, origin: null }]);
    const credits = dataOf(await under.service.call('GET', '/v1/credits', { caller }));
    expect(credits).toMatchObject({ balance: 1, spent: 2 });
  });

  it('the same list with the same key makes nothing twice, and tries again only what was refused', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const good = { appId, type: 'slideshow' };
    const first = await outcomesOf(caller, [good, { ...good, brief: { slideCount: 1 } }], 'again');
    const later = await outcomesOf(caller, [good, good], 'again');
    expect(later[0]).toEqual(first[0]);
    expect([first[1]?.error?.code, later[1]?.job?.status]).toEqual(['invalid_request', 'queued']);
    const other = { ...good, brief: { topic: 'other' } };
    const changed = await outcomesOf(caller, [other, good, good], 'again');
    expect(changed.map(({ job }) => job?.id)).toEqual([
      expect.any(String),
      ...later.map(({ job }) => job?.id),
    ]);
    const repeat = await send(caller, [good, good], 'again');
    expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    await Promise.all(changed.map(outcome => ended(caller, outcome?.job?.id)));
    expect(dataOf(await under.service.call('GET', '/v1/credits', { caller }))).toMatchObject({ spent: 3 });
  });

  it('items beyond the credits are refused at once, those before them are made', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const good = { appId, type: 'slideshow' };
    const outcomes = await outcomesOf(caller, [good, good, good, good], 'poor');
    expect(outcomes.map(({ error }) => error?.code ?? null)).toEqual([
      null,
      null,
      null,
      'insufficient_credits',
    ]);
    await Promise.all(outcomes.slice(0, 3).map(({ job }) => ended(caller, job?.id)));
  });

  it('a deck that fails costs nothing', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const brief = { hook: 'No font has \u{12000}', templateId: 'quote-card' };
    const [outcome] = await outcomesOf(caller, [{ appId, type: 'slideshow', brief }], 'undrawable');
    expect(await ended(caller, outcome?.job?.id)).toMatchObject({ status: 'failed', cost: 0 });
    expect(dataOf(await under.service.call('GET', '/v1/credits', { caller }))).toMatchObject({ balance: 3 });
  });

  it('a list gives way to what others queue meanwhile', async () => {
    const [lister, other] = [testCaller(), testCaller()];
    const claimed: string[] = [];
    const rolledBack = under.service.db.transaction(async tx => {
      const add = async ({ accountId }: Caller, appId: string) => {
        const made = { id: newId('content'), accountId, appId, brief: null, requestId: null };
        const content = newContent({ ...made, type: 'slideshow' }, new Date());
        await insertContent(tx, content);
        return content;
      };
      const [listed, others] = [await under.importApp(lister), await under.importApp(other)];
      for (let row = 0; row < 3; row += 1) await giveTurn(tx, await add(lister, listed));
      await add(other, others);
      for (let turn = 0; turn < 4; turn += 1) {
        const claim = await claimQueuedContent(tx, `lease-${turn}`, 60_000);
        claimed.push(claim?.accountId === other.accountId ? 'other' : 'list');
      }
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(claimed).toEqual(['other', 'list', 'list', 'list']);
  });

  it('the firings of an account give way to the first of another, whatever lists it has', async () => {
    const [many, other] = [testCaller(), testCaller()];
    const claimed: string[] = [];
    const rolledBack = under.service.db.transaction(async tx => {
      const [own, others] = [await under.importApp(many), await under.importApp(other)];
      const fire = ({ accountId }: Caller, appId: string) => {
        const fired = { automationId: newId('automation'), firingId: newId('firing'), appId, brief: null };
        const data = { ...fired, approvalMode: 'manual' as const };
        return queueContent({ now: () => new Date() }, tx, { accountId, requestId: null, data });
      };
      const made = {
        id: newId('content'),
        appId: own,
        brief: null,
        requestId: null,
        type: 'slideshow' as const,
      };
      const listed = newContent({ ...made, accountId: many.accountId }, new Date());
      await insertContent(tx, listed);
      await giveTurn(tx, listed);
      for (let row = 0; row < 3; row += 1) await fire(many, own);
      await fire(other, others);
      for (let turn = 0; turn < 5; turn += 1) {
        const claim = await claimQueuedContent(tx, `lease-${turn}`, 60_000);
        const isListed = claim?.id === listed.id;
        claimed.push(isListed ? 'list' : claim?.accountId === other.accountId ? 'other' : 'firing');
      }
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(claimed.slice(0, 2)).toEqual(['firing', 'other']);
    expect(claimed.toSorted()).toEqual(['firing', 'firing', 'firing', 'list', 'other']);
  });

  it('the credit of an item is set aside until two hours after its turn', async () => {
    const api = await startContent({ env: { SIGNUP_CREDITS: '3', ROLE: 'api' } });
    try {
      const caller = testCaller();
      const appId = await api.importApp(caller);
      const queue = async (key: string) => {
        const body = { items: [{ appId, type: 'slideshow' }] };
        const headers = { 'idempotency-key': key };
        const answer = await api.service.call('POST', '/v1/content/batch', { caller, body, headers });
        expect(answer.status, answer.text).toBe(202);
      };
      await queue('first');
      // As after six lists.
      await api.service.db.query(`update contents set turn_at = turn_at + interval '150 minutes'`);
      await queue('last');
      const [last] = await api.service.db.query<{ keptMinutes: number; accountId: string }>(
        `select extract(epoch from expires_at - turn_at)::float8 / 60 as "keptMinutes"
         from credit_reservations r join contents c on c.id = r.content_id order by turn_at desc limit 1`,
      );
      expect(last?.keptMinutes).toBeGreaterThan(119);
      const claims = await api.service.db.query<{ id: string }>('select id from contents');
      await api.service.db.query(`update contents set lease_until = now() - interval '1 second'`);
      expect(claims).toHaveLength(2);
      for (const _ of claims) {
        const claimed = await claimQueuedContent(api.service.db, newId('attempt'), 60_000);
        const [row] = await api.service.db.query<{ turnAt: Date }>(
          'select turn_at as "turnAt" from contents where id = $1',
          [claimed?.id],
        );
        // From here on an outage is waited out for two hours.
        expect(claimed?.dueAt).toEqual(row?.turnAt);
      }
    } finally {
      await api.stop();
    }
  });

  it('400 for a list of none, of more than 50, and without a key', async () => {
    const caller = testCaller();
    for (const items of [[], Array.from({ length: 51 }, () => ({})), undefined]) {
      const answer = await send(caller, items, 'shape');
      expect(messageOf(answer)).toMatch(/^items .*1 to 50/);
    }
    const keyless = await under.service.call('POST', '/v1/content/batch', { caller, body: { items: [{}] } });
    expect(codeOf(keyless)).toBe('missing_idempotency_key');
  });
});
