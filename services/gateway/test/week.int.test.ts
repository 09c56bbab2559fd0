/** The mail about a week: once for each week and owner, whatever runs or restarts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countContent } from '@hookline/shared/contracts/content';
import { countScheduled, summarizeWeek } from '@hookline/shared/contracts/internal';
import type { ServiceName } from '@hookline/shared/contracts/scopes';
import { addInternalRoute, addRoute, createCallVerifier, createServiceServer } from '@hookline/shared/http';
import { createLogger, loadSettings } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';
import { startSimulators } from '@hookline/simulators/simulators';
import { eventually } from '@hookline/testing/eventually';
import { signingKeysFor, startTestService, type TestService } from '@hookline/testing/service-harness';
import { controlHeaders, controlToken } from '@hookline/testing/simulator-controls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimMail } from '../src/identity/mail/queries.ts';
import { startWeek } from '../src/identity/week/start.ts';
import type { IdentityDeps } from '../src/identity-deps.ts';
import { createGateway } from '../src/service.ts';

const sunday = Date.parse('2026-11-22T10:00:00.000Z');
const dataDir = mkdtempSync(join(tmpdir(), 'hookline-week-'));
let clockMs = sunday;
let gateway: TestService;
let simulators: Awaited<ReturnType<typeof startSimulators>>;
let token = '';
const asked: object[] = [];
let scheduledUntil = '';

const standIn = (service: ServiceName) =>
  createServiceServer({
    log: createLogger({ service: 'test', level: 'silent' }),
    verifyCall: createCallVerifier(
      loadSettings(['SERVICE_SIGNING_KEYS'], { SERVICE_SIGNING_KEYS: signingKeysFor(service) })
        .SERVICE_SIGNING_KEYS ?? [],
      service,
    ),
    readiness: [],
  });
const content = standIn('content');
addRoute(content, countContent, async () => ({
  data: { pending: 2, changesRequested: 0, approved: 0, rejected: 0, failed: 0, toSchedule: 0 },
}));
const scheduling = standIn('scheduling');
addInternalRoute(scheduling, countScheduled, async ({ body: { until } }) => {
  scheduledUntil = until;
  return { count: 3 };
});
const analytics = standIn('analytics');
addInternalRoute(analytics, summarizeWeek, async ({ body }) => {
  asked.push(body);
  return { posted: 5, measured: 4, views: 12_400, best: null, next: null };
});

async function send(path: string, body: unknown, method = 'POST') {
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers are judged by their values here.
  return (await response.json()) as any;
}

beforeAll(async () => {
  simulators = await startSimulators({ port: 0, controlToken, dataDir });
  const listen = (server: typeof content) => server.listen({ port: 0, host: '127.0.0.1' });
  gateway = await startTestService(createGateway(), {
    now: () => new Date(clockMs),
    env: {
      SMTP_URL: `smtp://127.0.0.1:${simulators.smtpPort}`,
      MAIL_FROM: 'Hookline <hookline@example.com>',
      PUBLIC_URL: 'https://hookline.example.com',
      CONTENT_URL: await listen(content),
      SCHEDULING_URL: await listen(scheduling),
      ANALYTICS_URL: await listen(analytics),
      AUTOMATION_URL: 'http://127.0.0.1:1',
      SIGN_UP: 'open',
    },
  });
  const signedUp = await send('/auth/sign-up', {
    email: 'maya@example.com',
    password: 'correct horse battery',
  });
  token = signedUp.data.session.token;
  await gateway.db.query('update users set email_verified_at = now()');
  await send('/workspace', { timezone: 'Europe/Berlin', name: 'Maya' }, 'PATCH');
});
afterAll(async () => {
  await gateway?.stop();
  for (const each of [content, scheduling, analytics]) await each.close();
  await simulators?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** As eight replicas poll at once, and one of them again after a restart. */
async function poll(): Promise<void> {
  const deps = { db: gateway.db, now: () => new Date(clockMs), mailer: {} as IdentityDeps['mailer'] };
  const work = async () => {
    while (await startWeek(deps));
  };
  await Promise.all(Array.from({ length: 8 }, work));
  await work();
}

async function mailsAfter(count: number): Promise<{ subject: string; text: string }[]> {
  await gateway.db.query('notify gateway_mails');
  return await eventually(async () => {
    expect(await gateway.db.query('select kind from mails')).toEqual([]);
    const url = `http://127.0.0.1:${simulators.port}/_control/mails?to=maya@example.com`;
    const all = (await (await fetch(url, { headers: controlHeaders })).json()) as {
      subject: string;
      text: string;
    }[];
    const weeks = all.filter(({ subject }) => subject.startsWith('Your week'));
    expect(weeks).toHaveLength(count);
    return weeks;
  }, 20_000);
}

const nextAt = async () =>
  (await gateway.db.query<{ at: Date }>('select week_mail_at as at from workspaces'))[0]?.at.toISOString();

it('goes out on Mondays at 09:00 in the zone of the workspace, once a week', async () => {
  await gateway.db.query(`update workspaces set week_mail_at = '-infinity'`);
  await poll();
  expect(await nextAt()).toBe('2026-11-23T08:00:00.000Z');
  await mailsAfter(0);
  clockMs = Date.parse('2026-11-23T08:00:00.000Z');
  await poll();
  const [mail] = await mailsAfter(1);
  expect(mail?.subject).toContain("Your week in 'Maya': 5 sent, 12,400 views");
  expect(asked.at(-1)).toMatchObject({
    ...{ since: '2026-11-16T08:00:00.000Z', until: '2026-11-23T08:00:00.000Z', timezone: 'Europe/Berlin' },
  });
  await poll();
  await mailsAfter(1);
  clockMs += 7 * dayMs;
  await poll();
  await mailsAfter(2);
});

it('comes once after an outage of weeks', async () => {
  clockMs += 20 * dayMs;
  await poll();
  await mailsAfter(3);
  expect(scheduledUntil).toBe(new Date(clockMs + 7 * dayMs).toISOString());
  expect(await nextAt()).toBe('2026-12-21T08:00:00.000Z');
});

it('comes once on a Monday to a workspace that has moved west, of the week that is over there', async () => {
  await send('/workspace', { timezone: 'America/Los_Angeles' }, 'PATCH');
  for (const [dueAt, count] of [
    ['2026-12-21T08:00:00.000Z', 3],
    ['2026-12-21T17:00:00.000Z', 4],
  ] as const) {
    expect(await nextAt()).toBe(dueAt);
    clockMs = Date.parse(dueAt);
    await poll();
    await mailsAfter(count);
  }
  const week = { since: '2026-12-14T17:00:00.000Z', until: '2026-12-21T17:00:00.000Z' };
  expect(asked.at(-1)).toMatchObject(week);
});

it('is not sent to an owner who switched it off, nor to anybody else', async () => {
  const off = await send('/workspace/notifications', { weekly: false }, 'PATCH');
  expect(off.data).toMatchObject({ weekly: false, decksWaiting: 'off' });
  clockMs += 7 * dayMs;
  await poll();
  await mailsAfter(4);
  await gateway.db.query(`update members set weekly_mail = true, role = 'approver'`);
  clockMs += 7 * dayMs;
  await poll();
  await mailsAfter(4);
});

it.each(['password_reset', 'post_due'])('keeps no %s waiting, however many weeks are due', async kind => {
  const due = new Date(clockMs + dayMs);
  await gateway.db.query(
    `insert into mails (id, kind, recipient, subject_id, due_at, created_at)
     select 'mail_' || nth, case when nth = 30 then $2 else 'week' end, nth || '@example.com', '',
       $1::timestamptz + nth * interval '1 ms', $1 from generate_series(1, 30) nth`,
    [due, kind],
  );
  const claim = () =>
    claimMail(gateway.db, new Date(due.getTime() + dayMs), new Date(due.getTime() + 2 * dayMs));
  const claimed = [await claim(), await claim()];
  expect(claimed.map(mail => mail?.id)).toEqual(['mail_30', 'mail_1']);
  await gateway.db.query('delete from mails');
});
