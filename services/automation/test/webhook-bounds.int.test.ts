/** Limits of an account and an endpoint, and the effect of a change on deliveries in flight. */

import { jobCompleted } from '@hookline/shared/events';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { startTestService, testCaller } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { automation } from '../src/service.ts';
import { startReceiver } from './receiver.ts';

const receiver = perSuite(startReceiver);
const service = perSuite(() =>
  startTestService(automation, {
    env: { PUBLIC_URL: 'https://api.example.com', WEBHOOK_ALLOW_TARGETS: receiver.target },
  }),
);

async function register(caller: Caller, path: string) {
  const body = { url: receiver.url(path), events: ['job.completed'] };
  const answer = await service.call('POST', '/v1/webhooks', { caller, body });
  return { status: answer.status, ...(answer.body as { data: { id: string }; error: { message: string } }) };
}

async function publishJobs(caller: Caller, count: number, subject?: string): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await service.publish(jobCompleted, {
      subject: subject ?? newId('content'),
      accountId: caller.accountId,
      sequence: index + 1,
      data: { ...jobCompleted.example, origin: null },
    });
  }
}
const at = (path: string) => receiver.received.filter(request => request.path === path);

describe('an account', () => {
  it('an account has at most 100 webhooks, also when many are registered at once; a deleted one makes room', async () => {
    const caller = testCaller();
    const answers = await Promise.all(Array.from({ length: 104 }, () => register(caller, '/many')));
    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 400);
    expect([made.length, refused.length]).toEqual([100, 4]);
    expect(refused[0]?.error.message).toContain('at most 100 webhooks');
    expect((await register(testCaller(), '/many')).status).toBe(201);
    await service.call('DELETE', `/v1/webhooks/${made[0]?.data.id}`, { caller });
    expect((await register(caller, '/many')).status).toBe(201);
  });
});

describe('endpoints that hang', () => {
  it('any number of endpoints that hang hold up no other', async () => {
    const callers = Array.from({ length: 20 }, () => testCaller());
    for (const [index, caller] of callers.entries()) {
      receiver.answer(`/hang${index}`, 'hang');
      await register(caller, `/hang${index}`);
      await publishJobs(caller, 5);
    }
    await eventually(() => {
      for (const index of callers.keys()) expect(at(`/hang${index}`)).toHaveLength(4);
    }, 15_000);
    const quick = testCaller();
    await register(quick, '/quick');
    await publishJobs(quick, 20);
    await eventually(() => expect(at('/quick')).toHaveLength(20));
    for (const index of callers.keys()) expect(at(`/hang${index}`)).toHaveLength(4);
  });
});

describe('a change of an endpoint', () => {
  it('a change of an endpoint reaches deliveries that were claimed before it', async () => {
    const caller = testCaller();
    const { data } = await register(caller, '/before');
    // The window is at its maximum: many deliveries are claimed ahead of the eight in flight.
    await publishJobs(caller, 40);
    await eventually(() => expect(at('/before')).toHaveLength(40));
    receiver.answer('/before', 'hang');
    await publishJobs(caller, 60);
    await eventually(() => expect(at('/before').length).toBeGreaterThanOrEqual(44));
    const body = { url: receiver.url('/after') };
    const changed = await service.call('PATCH', `/v1/webhooks/${data.id}`, { caller, body });
    expect(changed.status).toBe(200);
    const before = at('/before').length;
    expect(before).toBeLessThanOrEqual(48);
    await service.call('POST', `/v1/webhooks/${data.id}/test`, { caller });
    await eventually(() => expect(at('/after').length).toBeGreaterThanOrEqual(1));
    await service.call('DELETE', `/v1/webhooks/${data.id}`, { caller });
    expect(at('/before')).toHaveLength(before);
  });
});

describe('one resource with very many events', () => {
  it('events of one resource keep their order, and more than 100 let another resource pass in time', async () => {
    const caller = testCaller();
    await register(caller, '/order');
    const busy = newId('content');
    await publishJobs(caller, 120, busy);
    await publishJobs(caller, 1);
    await eventually(() => expect(at('/order')).toHaveLength(121), 20_000);
    const sequences = at('/order')
      .map(({ body }) => JSON.parse(body) as { sequence: number; id: string })
      .map(({ sequence }) => sequence);
    const ofBusy = sequences.slice();
    ofBusy.splice(ofBusy.lastIndexOf(1), 1);
    expect(ofBusy).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
  });
});
