import type { EventDefinition } from '@hookline/shared/events';
import {
  accountDisconnected,
  contentApproved,
  contentRejected,
  jobCompleted,
  scheduleCreated,
  scheduleDeleted,
  scheduleFailed,
  schedulePublished,
  scheduleRejected,
  scheduleSentToDrafts,
} from '@hookline/shared/events';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { startTestService, type TestService, testCaller } from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { automation } from '../src/service.ts';
import { startPeerDoubles } from './peer-doubles.ts';

const peers = perSuite(startPeerDoubles);
let service: TestService;
const owner: Caller = testCaller();

beforeAll(async () => {
  peers.addApp(owner.accountId, 'product_mine');
  peers.addAccount(owner.accountId, 'account_mine');
  service = await startTestService(automation, {
    env: { ...peers.env, PUBLIC_URL: 'http://localhost:8080' },
  });
});
afterAll(async () => {
  await service?.stop();
});

type Firing = {
  id: string;
  slot: string;
  status: string;
  contentId: string;
  scheduleId: string;
  reason: string;
};
type Saga = { automationId: string; firing: Firing; contentId: string; scheduleId: string };

async function fire(settings: Record<string, unknown> = {}, caller = owner): Promise<Saga> {
  const body = {
    appId: 'product_mine',
    tiktokAccountId: 'account_mine',
    format: 'slideshow',
    postingTimes: [{ time: '09:00', days: ['mon'] }],
    ...settings,
  };
  const created = await service.call('POST', '/v1/automations', { caller, body });
  const automationId = (created.body as { data: { id: string } }).data.id;
  const run = await service.call('POST', `/v1/automations/${automationId}/run`, { caller });
  const firing = (run.body as { data: Firing }).data;
  return { automationId, firing, contentId: newId('content'), scheduleId: newId('schedule') };
}

async function firingOf({ automationId }: Saga): Promise<Firing> {
  const answer = await service.call('GET', `/v1/automations/${automationId}/firings`, { caller: owner });
  return (answer.body as { data: Firing[] }).data[0] as Firing;
}

/** Publishes one fact about a saga: the example of the event's definition with the saga's ids. */
async function tell(saga: Saga, definition: EventDefinition, change: Change = {}): Promise<void> {
  const { accountId = owner.accountId, id } = change;
  const subject = definition.topic === 'scheduling.schedules' ? saga.scheduleId : saga.contentId;
  const data = dataOf(saga, definition, change);
  await service.publish(definition, { subject, accountId, data, ...(id ? { id } : {}) });
}
type Change = {
  accountId?: string;
  id?: string;
  failed?: boolean;
  code?: string;
  waitsBecause?: string | null;
  by?: 'automation' | 'person';
};

function dataOf(
  saga: Saga,
  definition: EventDefinition,
  { failed = false, code, waitsBecause = null, by: kind = 'person' }: Change,
): unknown {
  const origin = { automationId: saga.automationId, firingId: saga.firing.id };
  if (definition === jobCompleted) {
    const outcome = failed
      ? {
          status: 'failed',
          cost: 0,
          error: { code: code ?? 'insufficient_credits', message: 'Not enough credits.' },
        }
      : {};
    return {
      job: { ...jobCompleted.example.job, ...outcome, id: saga.contentId, resourceId: saga.contentId },
      origin,
      waitsBecause,
    };
  }
  if (definition === contentApproved || definition === contentRejected) {
    const { content, ...rest } = (definition as typeof contentApproved).example;
    const approval = { ...content.approval, by: { kind, id: 'maker', name: 'Maker' } };
    return { ...rest, content: { ...content, id: saga.contentId, origin, approval }, origin };
  }
  if (definition === scheduleRejected) {
    return { ...scheduleRejected.example, ...origin, contentId: saga.contentId, ...(code && { code }) };
  }
  const { schedule } = (definition as typeof scheduleFailed).example;
  return {
    schedule: { ...schedule, id: saga.scheduleId, contentId: saga.contentId },
    firingId: saga.firing.id,
  };
}

function requestsOf({ automationId }: Saga): Record<string, unknown>[] {
  return service.published
    .filter(({ key, headers }) => key === automationId && headers.ce_type === 'automation.schedule_requested')
    .map(({ value }) => JSON.parse(value));
}

/** Waits until everything published so far is consumed, by following a later saga to its end. */
async function waitForAll(): Promise<void> {
  const marker = await fire();
  for (const definition of [jobCompleted, contentApproved, scheduleCreated]) await tell(marker, definition);
  await eventually(async () => {
    const firing = await firingOf(marker);
    expect([firing.status, firing.contentId]).toEqual(['scheduled', marker.contentId]);
    expect(requestsOf(marker)).toHaveLength(1);
  });
}

describe('a firing', () => {
  it('a firing in auto mode says why its content waits for a person, and goes on when one approves', async () => {
    const saga = await fire({ approvalMode: 'auto' });
    const waitsBecause = 'the app was changed by somebody who may not approve content';
    await tell(saga, jobCompleted, { waitsBecause });
    await eventually(async () =>
      expect(await firingOf(saga)).toMatchObject({ status: 'awaiting_approval', reason: waitsBecause }),
    );
    await tell(saga, contentApproved);
    await eventually(() => expect(requestsOf(saga)).toHaveLength(1));
    await tell(saga, scheduleCreated);
    await eventually(async () =>
      expect(await firingOf(saga)).toMatchObject({ status: 'scheduled', reason: null }),
    );
  });

  it('a firing goes from fired to awaiting_approval, scheduled, done', async () => {
    const saga = await fire();
    await tell(saga, jobCompleted);
    await eventually(async () =>
      expect(await firingOf(saga)).toMatchObject({ status: 'awaiting_approval', contentId: saga.contentId }),
    );
    const before = Date.now();
    await tell(saga, contentApproved);
    await eventually(() => expect(requestsOf(saga)).toHaveLength(1));
    const [request] = requestsOf(saga);
    expect(request).toEqual({
      automationId: saga.automationId,
      firingId: saga.firing.id,
      contentId: saga.contentId,
      tiktokAccountId: 'account_mine',
      scheduledFor: expect.any(String),
      mode: 'draft',
      privacyLevel: null,
      keyIds: [owner.keyId],
    });
    // The slot is past, so it is the time of the approval.
    expect(Date.parse(request?.scheduledFor as string)).toBeGreaterThanOrEqual(before);
    await tell(saga, scheduleCreated);
    await eventually(async () =>
      expect(await firingOf(saga)).toMatchObject({ status: 'scheduled', scheduleId: saga.scheduleId }),
    );
    await tell(saga, scheduleSentToDrafts);
    await eventually(async () =>
      expect(await firingOf(saga)).toMatchObject({ status: 'done', reason: null }),
    );
  });

  async function automationOf({ automationId }: Saga): Promise<unknown> {
    const answer = await service.call('GET', `/v1/automations/${automationId}`, { caller: owner });
    return (answer.body as { data: unknown }).data;
  }

  it('an automation whose account is disconnected is paused, so that it makes no more decks; others are not', async () => {
    peers.addAccount(owner.accountId, 'account_left');
    const [left, other] = [await fire({ tiktokAccountId: 'account_left' }), await fire()];
    const ended = await fire({ tiktokAccountId: 'account_left', maxFirings: 1 });
    const { account, by } = accountDisconnected.example;
    const gone = { subject: 'account_left', data: { account: { ...account, id: 'account_left' }, by } };
    await service.publish(accountDisconnected, { ...gone, accountId: testCaller().accountId });
    await waitForAll();
    expect(await automationOf(left)).toMatchObject({ status: 'active' });
    await service.publish(accountDisconnected, { ...gone, accountId: owner.accountId });
    await eventually(async () =>
      expect(await automationOf(left)).toMatchObject({ status: 'paused', nextFireAt: null }),
    );
    expect(await automationOf(other)).toMatchObject({ status: 'active' });
    peers.removeAccount(owner.accountId, 'account_left');
    const change = ({ automationId }: Saga, body: object) =>
      service.call('PATCH', `/v1/automations/${automationId}`, { caller: owner, body });
    const refused = { status: 404, body: { error: { code: 'account_not_found' } } };
    expect(await change(left, { status: 'active' })).toMatchObject(refused);
    // More firings would make one active that has ended.
    expect(await change(ended, { maxFirings: 2 })).toMatchObject(refused);
    expect((await change(left, { maxFirings: 2 })).status).toBe(200);
  });

  it('an automation that was made while its account was disconnected is paused at its first refused schedule', async () => {
    const [late, other] = [await fire(), await fire()];
    await tell(other, scheduleRejected);
    await tell(late, scheduleRejected, { code: 'account_not_found' });
    await eventually(async () => {
      expect(await automationOf(late)).toMatchObject({ status: 'paused', nextFireAt: null });
      expect(await firingOf(late)).toMatchObject({ status: 'failed' });
      expect(await firingOf(other)).toMatchObject({ status: 'failed' });
    });
    expect(await automationOf(other)).toMatchObject({ status: 'active' });
  });

  it('a firing that fails because the app is gone pauses its automation; another failure does not', async () => {
    const [poor, orphan] = [await fire(), await fire()];
    await tell(poor, jobCompleted, { failed: true });
    await tell(orphan, jobCompleted, { failed: true, code: 'not_found' });
    await eventually(async () => {
      expect(await automationOf(orphan)).toMatchObject({ status: 'paused', nextFireAt: null });
      expect(await firingOf(orphan)).toMatchObject({
        status: 'failed',
        reason: expect.stringMatching(/^not_found: /),
      });
      expect(await firingOf(poor)).toMatchObject({ status: 'failed' });
    });
    expect(await automationOf(poor)).toMatchObject({ status: 'active', nextFireAt: expect.any(String) });
  });

  it('a firing is generated, not waiting, when its automation approves automatically, and requests publish', async () => {
    const saga = await fire({
      approvalMode: 'auto',
      postingMode: 'publish',
      privacyLevel: 'SELF_ONLY',
    });
    await tell(saga, jobCompleted);
    await eventually(async () => expect(await firingOf(saga)).toMatchObject({ status: 'generated' }));
    await tell(saga, contentApproved);
    await eventually(() =>
      expect(requestsOf(saga)).toMatchObject([{ mode: 'publish', privacyLevel: 'SELF_ONLY' }]),
    );
    await tell(saga, schedulePublished);
    await eventually(async () => expect(await firingOf(saga)).toMatchObject({ status: 'done' }));
  });

  it('a firing requests one schedule when the approval comes before the job, and everything twice', async () => {
    const saga = await fire();
    const ids = new Map<EventDefinition, string>();
    for (const definition of [contentApproved, scheduleCreated, jobCompleted]) {
      ids.set(definition, newId('event'));
      await tell(saga, definition, { id: ids.get(definition) as string });
      // The same event comes again, and the same fact in another event.
      await tell(saga, definition, { id: ids.get(definition) as string });
      await tell(saga, definition);
    }
    await waitForAll();
    expect(await firingOf(saga)).toMatchObject({ status: 'scheduled', contentId: saga.contentId });
    expect(requestsOf(saga)).toHaveLength(1);
  });

  it('a firing stays done when older facts arrive late', async () => {
    const saga = await fire();
    for (const definition of [scheduleSentToDrafts, scheduleCreated, contentApproved, jobCompleted]) {
      await tell(saga, definition);
    }
    await waitForAll();
    expect(await firingOf(saga)).toMatchObject({ status: 'done', scheduleId: saga.scheduleId });
    expect(requestsOf(saga)).toHaveLength(0);
  });

  it('a deck that would repeat another skips its firing; the owners are told once, until a deck is made', async () => {
    const saga = await fire({ topics: ['one'] });
    const again = async (): Promise<Saga> => {
      const run = await service.call('POST', `/v1/automations/${saga.automationId}/run`, { caller: owner });
      return { ...saga, firing: (run.body as { data: Firing }).data, contentId: newId('content') };
    };
    const told = () =>
      service.published
        .filter(({ key, headers }) => key === saga.automationId && headers.ce_type === 'automation.skipped')
        .map(({ value }) => JSON.parse(value));
    const repeats = async (one: Saga, isFirst: boolean) => {
      const before = told().length;
      // The same event twice is one.
      const id = newId('event');
      for (const _ of [1, 2]) await tell(one, jobCompleted, { failed: true, code: 'nothing_new', id });
      await eventually(() => expect(told()).toHaveLength(before + 1));
      const { firing, firstRepeat } = told().at(-1);
      expect(firing).toMatchObject({ id: one.firing.id, status: 'skipped', contentId: one.contentId });
      expect(firing.reason).toMatch(/^nothing_new: /);
      expect([firing, firstRepeat]).toEqual([await firingOf(one), isFirst]);
    };
    await repeats(saga, true);
    expect(await automationOf(saga)).toMatchObject({ status: 'active', nothingNewSince: expect.any(String) });
    await repeats(await again(), false);
    await tell(await again(), jobCompleted);
    await eventually(async () => expect(await automationOf(saga)).toMatchObject({ nothingNewSince: null }));
    await repeats(await again(), true);
  });

  it('the last deck of an automation that has ended is scheduled', async () => {
    const saga = await fire({ maxFirings: 1 });
    await tell(saga, jobCompleted);
    await tell(saga, contentApproved);
    await eventually(() => expect(requestsOf(saga)).toHaveLength(1));
  });

  it.each([
    ['a failed generation', jobCompleted, { failed: true }, 'failed', 'insufficient_credits: Not enough'],
    ['a rejection', contentRejected, {}, 'skipped', 'the content was rejected'],
    ['a refused schedule', scheduleRejected, {}, 'failed', 'account_needs_reauth: '],
    ['a failed schedule', scheduleFailed, {}, 'failed', 'tiktok_publish_failed: '],
    ['a deleted schedule', scheduleDeleted, {}, 'skipped', 'the schedule was deleted'],
  ])('a firing ends with its reason after %s', async (_what, definition, change, status, reason) => {
    const saga = await fire();
    await tell(saga, definition as EventDefinition, change);
    await eventually(async () =>
      expect(await firingOf(saga)).toMatchObject({ status, reason: expect.stringContaining(reason) }),
    );
  });

  it('a failed firing is done when its schedule was retried', async () => {
    const saga = await fire();
    await tell(saga, scheduleFailed);
    await tell(saga, schedulePublished);
    await eventually(async () =>
      expect(await firingOf(saga)).toMatchObject({ status: 'done', reason: null }),
    );
  });

  it.each([
    ['paused', 'PATCH', { status: 'paused' }, 'manual'],
    ['deleted', 'DELETE', undefined, 'manual'],
    ['set to manual approval', 'PATCH', { approvalMode: 'manual' }, 'auto'],
    ['left without a confirmation of its brief', 'PATCH', { topics: ['another'] }, 'auto'],
  ])(
    'a firing schedules nothing when its automation was %s before the approval',
    async (state, method, body, approvalMode) => {
      const saga = await fire({ approvalMode });
      await tell(saga, jobCompleted);
      await eventually(async () => expect((await firingOf(saga)).status).not.toBe('fired'));
      const path = `/v1/automations/${saga.automationId}`;
      const caller = { ...owner, approvalPolicy: { ...owner.approvalPolicy, selfApproval: false } };
      await service.call(method, path, { caller, ...(body ? { body } : {}) });
      await tell(saga, contentApproved, { by: 'automation' });
      await eventually(async () => {
        const [row] = await service.db.query('select status, reason from firings where id = $1', [
          saga.firing.id,
        ]);
        expect(row).toEqual({
          status: 'skipped',
          reason: `the automation was ${state} before the content was approved`,
        });
      });
      await waitForAll();
      expect(requestsOf(saga)).toHaveLength(0);
    },
  );

  it('a firing whose deck waited for a person is scheduled, also once its automation is set to manual', async () => {
    const saga = await fire({ approvalMode: 'auto' });
    await tell(saga, jobCompleted, { waitsBecause: 'nobody has looked at the app' });
    await eventually(async () => expect((await firingOf(saga)).status).toBe('awaiting_approval'));
    const body = { approvalMode: 'manual' };
    await service.call('PATCH', `/v1/automations/${saga.automationId}`, { caller: owner, body });
    await tell(saga, contentApproved);
    await eventually(() => expect(requestsOf(saga)).toHaveLength(1));
  });

  it('a person’s approval is scheduled, also where it is heard of before the deck of an unconfirmed brief', async () => {
    const caller = { ...owner, approvalPolicy: { ...owner.approvalPolicy, selfApproval: false } };
    const saga = await fire({ approvalMode: 'auto' }, caller);
    await tell(saga, contentApproved);
    await eventually(() => expect(requestsOf(saga)).toHaveLength(1));
  });

  it('a firing is not moved by events of another account', async () => {
    const saga = await fire();
    for (const definition of [contentApproved, scheduleFailed]) {
      await tell(saga, definition, { accountId: 'acct_stranger' });
    }
    await waitForAll();
    expect(await firingOf(saga)).toMatchObject({ status: 'fired', contentId: null });
    expect(requestsOf(saga)).toHaveLength(0);
  });
});
