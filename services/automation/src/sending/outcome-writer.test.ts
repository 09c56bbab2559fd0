import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@hookline/testing/eventually';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { SuccessRecord } from '../deliveries/record.ts';
import { createOutcomeWriter } from './outcome-writer.ts';

const log = pino({ level: 'silent' });

function success(id: string, webhookId: string): SuccessRecord {
  const attempt = { at: '2026-01-01T00:00:00.000Z', responseStatus: 200, durationMs: 1, error: null };
  const now = new Date(0);
  return { id, webhookId, token: 'token', attempt, response: '', now, updatedAt: now };
}

it('successes are written while the failures of an endpoint cannot be cleared; the rest are cleared together', async () => {
  const written: string[] = [];
  const cleared: (readonly string[])[] = [];
  const { promise: locked, resolve: unlock } = Promise.withResolvers<void>();
  const outcomes = createOutcomeWriter({
    log,
    async writeDelivered(records) {
      written.push(...records.map(({ id }) => id));
    },
    clearFailures(webhookIds) {
      cleared.push(webhookIds);
      return locked;
    },
  });
  await outcomes.delivered(success('one', 'a'));
  await outcomes.delivered(success('two', 'b'));
  await outcomes.delivered(success('three', 'c'));
  await outcomes.delivered(success('four', 'b'));
  expect(written).toEqual(['one', 'two', 'three', 'four']);
  expect(cleared).toEqual([['a']]);
  unlock();
  await delay(1);
  expect(cleared).toEqual([['a'], ['b', 'c']]);
});

it('failures that could not be cleared are cleared again', async () => {
  const cleared: (readonly string[])[] = [];
  const outcomes = createOutcomeWriter({
    log,
    writeDelivered: async () => {},
    async clearFailures(webhookIds) {
      cleared.push(webhookIds);
      if (cleared.length === 1) throw new Error('canceling statement due to statement timeout');
    },
  });
  await outcomes.delivered(success('one', 'a'));
  await eventually(() => expect(cleared).toEqual([['a'], ['a']]));
});
