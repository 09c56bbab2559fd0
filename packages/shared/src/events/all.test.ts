import { describe, expect, it } from 'vitest';
import { publicEventTypes } from '../contracts/webhooks.ts';
import { allEvents } from './all.ts';
import { fromHeaders, type HooklineEvent, toHeaders } from './envelope.ts';
import { topics } from './topics.ts';

describe('events', () => {
  it.each(allEvents.map(event => [`${event.type} v${event.version}`, event] as const))(
    'the example of %s fits its schema and survives JSON',
    (_, { data, example }) => {
      const parsed = data.parse(JSON.parse(JSON.stringify(example)));
      expect(parsed).toEqual(example);
    },
  );

  it('each type and version is there once, on a known topic', () => {
    const names = allEvents.map(event => `${event.type} ${event.version}`);
    expect(new Set(names).size).toBe(names.length);
    for (const event of allEvents) expect(topics).toContain(event.topic);
  });

  it('the public types are among them', () => {
    const types = allEvents.map(event => event.type);
    expect(publicEventTypes.toSorted()).toEqual([
      'account.connected',
      'account.needs_reauth',
      'automation.skipped',
      'content.approved',
      'content.changes_requested',
      'content.rejected',
      'credits.low',
      'job.completed',
      'schedule.due',
      'schedule.failed',
      'schedule.published',
      'schedule.sent_to_drafts',
    ]);
    for (const type of publicEventTypes) expect(types).toContain(type);
  });

  it('no example holds a link or a secret: images travel as ids', () => {
    for (const { example } of allEvents) {
      expect(JSON.stringify(example)).not.toMatch(/\/media\/|svc_live_|whsec_|sess_|act\./);
    }
  });
});

describe('event headers', () => {
  const event: HooklineEvent = {
    id: 'event_1',
    type: 'job.completed',
    version: 2,
    topic: 'content.jobs',
    subject: 'content_1',
    accountId: 'acct_1',
    sequence: 9_007_199_254_740_991,
    requestId: 'req_1',
    address: '203.0.113.7',
    time: '2026-11-21T09:00:00.000Z',
    source: '/services/content',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    data: {},
  };

  it('give back the event that they were made from', () => {
    const { data: _, ...envelope } = event;
    expect(fromHeaders(toHeaders(event), 'content.jobs')).toEqual(envelope);
    const withoutRequest = { ...event, requestId: null, address: null };
    expect(fromHeaders(toHeaders(withoutRequest), 'content.jobs')).toMatchObject({
      requestId: null,
      address: null,
    });
  });

  it.each(['ce_id', 'ce_type', 'ce_subject', 'ce_accountid', 'ce_dataversion', 'traceparent'])(
    'without %s are those of no event',
    name => {
      const { [name]: _, ...rest } = toHeaders(event);
      expect(() => fromHeaders(rest, 'content.jobs')).toThrow();
    },
  );
});
