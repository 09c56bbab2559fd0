import { jobCompleted } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import {
  createMigratedDatabase,
  startTestService,
  type TestService,
  testCaller,
} from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordDelivered } from '../src/deliveries/queries.ts';
import type { DeliveryRow } from '../src/deliveries/record.ts';
import { claimDeliveries } from '../src/sending/queries.ts';
import { automation } from '../src/service.ts';
import { startReceiver } from './receiver.ts';

const owner = testCaller();
const receiver = perSuite(startReceiver);
const database = perSuite(createMigratedDatabase);
let first: TestService;
let second: TestService;

beforeAll(async () => {
  const env = { PUBLIC_URL: 'https://api.example.com', WEBHOOK_ALLOW_TARGETS: receiver.target };
  first = await startTestService(automation, { env, database });
  second = await startTestService(automation, { env, database });
});
afterAll(async () => {
  await first?.stop();
  await second?.stop();
});

describe('two processes', () => {
  it('two processes deliver every event once between them', async () => {
    for (const path of ['/a', '/b', '/c']) {
      const body = { url: receiver.url(path), events: ['job.completed'] };
      await first.call('POST', '/v1/webhooks', { caller: owner, body });
    }
    const ids = Array.from({ length: 100 }, () => newId('event'));
    await Promise.all(
      ids.map((id, index) =>
        first.publish(jobCompleted, {
          id,
          subject: `content_${index % 10}`,
          accountId: owner.accountId,
          data: { ...jobCompleted.example, origin: null },
        }),
      ),
    );
    await eventually(() => expect(receiver.received).toHaveLength(300), 15_000);
    await eventually(async () => {
      const [row] = await first.db.query<{ left: number }>(
        `select count(*)::int as left from deliveries where status <> 'delivered'`,
      );
      expect(row?.left).toBe(0);
    });
    const arrived = receiver.received.map(({ path, headers }) => `${path} ${headers['webhook-id']}`);
    expect(new Set(arrived).size).toBe(300);
    expect(receiver.received).toHaveLength(300);
  });

  it('a process writes nothing for a delivery that another took over', async () => {
    const now = new Date();
    await first.db.query(
      `update deliveries set status = 'pending', next_attempt_at = $1, lease_token = 'newer'
       where id = (select id from deliveries limit 1)`,
      [new Date(now.getTime() + 60_000)],
    );
    const [held] = await first.db.query<Pick<DeliveryRow, 'id' | 'webhookId' | 'updatedAt'>>(
      `select id, webhook_id as "webhookId", updated_at as "updatedAt" from deliveries where lease_token = 'newer'`,
    );
    const attempt = { at: now.toISOString(), responseStatus: 200, durationMs: 1, error: null };
    const response = 'ok';
    if (!held) throw new Error('no delivery is claimed');
    const record = { ...held, attempt, response, now };
    await recordDelivered(first.db, [{ ...record, token: 'older' }]);
    expect(await first.db.query(`select id from deliveries where status = 'pending'`)).toHaveLength(1);
    const later = new Date(now.getTime() + 1_000);
    const options = { now: later, leaseUntil: later, token: 'third', room: new Map(), roomElse: 4, limit: 4 };
    expect(await claimDeliveries(first.db, options)).toMatchObject({ deliveries: [] });
    await recordDelivered(first.db, [{ ...record, token: 'newer' }]);
    expect(await first.db.query(`select id from deliveries where status = 'pending'`)).toHaveLength(0);
  });
});
