import {
  accountConnected,
  accountDisconnected,
  contentApproved,
  contentRejected,
  webhookSecretRotated,
} from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { startTestService, type TestService } from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { pruneAudit } from '../src/actions/prune-audit.ts';
import { createGateway } from '../src/service.ts';

const nowhere = 'http://127.0.0.1:1';
let gateway: TestService;
let token: string;
let accountId: string;

async function send(path: string, body?: unknown) {
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers are judged by their values here.
  return (await response.json()) as any;
}

beforeAll(async () => {
  gateway = await startTestService(createGateway(), {
    env: {
      ...{ CONTENT_URL: nowhere, SCHEDULING_URL: nowhere, AUTOMATION_URL: nowhere, ANALYTICS_URL: nowhere },
      SIGN_UP: 'open',
    },
  });
  const signedUp = await send('/auth/sign-up', {
    email: 'maya@example.com',
    password: 'correct horse battery',
  });
  token = signedUp.data.session.token;
  const [user] = await gateway.db.query<{ accountId: string }>('select account_id as "accountId" from users');
  accountId = user?.accountId ?? '';
});
afterAll(() => gateway.stop());

describe('what the other services did', () => {
  it('is in the audit log once, with who did it, in the order of the events', async () => {
    const { content, origin } = contentRejected.example;
    const approval = content.approval!;
    const by = { kind: 'automation' as const, id: 'automation_1', name: 'Daily' };
    const decided = { content: { ...content, approval: { ...approval, by } }, origin };
    const events = [
      [contentApproved, content.id, decided],
      [contentRejected, content.id, contentRejected.example],
      [accountConnected, 'account_1', accountConnected.example],
      [accountDisconnected, 'account_1', { ...accountDisconnected.example, by: null }],
      [webhookSecretRotated, 'webhook_1', webhookSecretRotated.example],
    ] as const;
    for (const [index, [definition, subject, data]] of events.entries()) {
      const event = { id: newId('event'), subject, accountId, data };
      await gateway.publish(definition, event);
      // A redelivery.
      await gateway.publish(definition, event);
      await vi.waitFor(
        async () => {
          const [row] = await gateway.db.query<{ count: number }>(
            `select count(*)::int as count from audit_events where subject_kind in ('content', 'account', 'webhook')`,
          );
          expect(row?.count).toBe(index + 1);
        },
        { timeout: 30_000 },
      );
    }
    const rows = (await send('/audit')).data.slice(-5);
    expect(rows).toMatchObject([
      { action: 'content.approved', actor: by, subject: { kind: 'content', id: content.id } },
      { action: 'content.rejected', actor: approval.by, detail: { version: 1, reason: approval.reason } },
      { action: 'account.connected', actor: { kind: 'person' }, detail: { username: 'pebblo.app' } },
      { action: 'account.disconnected', actor: { kind: 'anonymous', id: null } },
      { action: 'webhook.secret_rotated', subject: { kind: 'webhook', id: 'webhook_1' } },
    ]);
    for (const row of rows) expect(row.requestId).toMatch(/^req_/);
  });

  it('is deleted after AUDIT_RETENTION_DAYS, and never within 90 days', async () => {
    const insert = (id: string, days: number) =>
      gateway.db.query(
        `insert into audit_events (id, account_id, at, actor_kind, action, subject_kind, detail)
         values ($1, 'acct_old', now() - $2 * interval '1 day', 'key', 'key.created', 'key', '{}')`,
        [id, days],
      );
    await insert('audit_old', 91);
    await insert('audit_new', 89);
    const { db } = gateway;
    await pruneAudit({ db, now: () => new Date(), auditDays: 90 });
    expect(await db.query(`select id from audit_events where account_id = 'acct_old'`)).toEqual([
      { id: 'audit_new' },
    ]);
    await expect(gateway.db.query(`delete from audit_events where id = 'audit_new'`)).rejects.toThrow(
      'append-only',
    );
  });
});
