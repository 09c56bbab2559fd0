import { openDatabase } from '@hookline/shared/postgres';
import { eventually } from '@hookline/testing/eventually';
import { startTestService, testCaller } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { automation } from '../src/service.ts';

describe('the connections for deliveries', () => {
  it('are opened where the workers run, and not in the role api', async () => {
    const env = { PUBLIC_URL: 'https://api.example.com', WEBHOOK_ALLOW_TARGETS: '127.0.0.1:9' };
    const api = await startTestService(automation, { env: { ...env, ROLE: 'api' } });
    const { database, log } = api;
    const admin = openDatabase({ url: database.url, connectionsMax: 1, name: 'test', log });
    const countOpened = async (): Promise<number> => {
      const rows = await admin.query(
        `select 1 from pg_stat_activity
         where datname = current_database() and application_name = 'hookline automation deliveries'`,
      );
      return rows.length;
    };
    try {
      const body = { url: 'http://127.0.0.1:9/hooks', events: ['job.completed'] };
      const created = await api.call('POST', '/v1/webhooks', { caller: testCaller(), body });
      expect(created.status).toBe(201);
      expect(await countOpened()).toBe(0);
      const worker = await startTestService(automation, { env: { ...env, ROLE: 'worker' }, database });
      await eventually(async () => expect(await countOpened()).toBeGreaterThan(0));
      await worker.stop();
    } finally {
      await admin.close();
      await api.stop();
    }
  });
});
