import { countContent } from '@hookline/shared/contracts/content';
import { listSchedules } from '@hookline/shared/contracts/schedules';
import {
  accountConnected,
  accountDisconnected,
  accountNeedsReauth,
  automationSkipped,
  contentApproved,
  contentChangesRequested,
  contentEdited,
  contentRejected,
  creditsLow,
  jobCompleted,
  scheduleDue,
  scheduleFailed,
  scheduleRejected,
  webhookSecretRotated,
} from '@hookline/shared/events';
import { addRoute, createCallVerifier, createServiceServer } from '@hookline/shared/http';
import { createLogger, loadSettings, newId } from '@hookline/shared/kernel';
import { minuteMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { signingKeysFor, startTestService, type TestService } from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pruneAudit } from '../src/identity/audit/prune.ts';
import type { MailRow } from '../src/identity/mail/record.ts';
import { endGathered } from '../src/identity/mail/tell.ts';
import { createGateway } from '../src/service.ts';
import { createInbox } from './inbox.ts';

const nowhere = 'http://127.0.0.1:1';
const inbox = createInbox();
const { mails } = inbox;

const standIn = (service: 'content' | 'scheduling') =>
  createServiceServer({
    log: createLogger({ service: 'test', level: 'silent' }),
    verifyCall: createCallVerifier(
      loadSettings(['SERVICE_SIGNING_KEYS'], { SERVICE_SIGNING_KEYS: signingKeysFor(service) })
        .SERVICE_SIGNING_KEYS ?? [],
      service,
    ),
    readiness: [],
  });

/** Stands in for the scheduling service: the ids of the schedules that are due. */
let dueNow: string[] = [];
const scheduling = standIn('scheduling');
addRoute(scheduling, listSchedules, async ({ query, caller }) => {
  const [example] = listSchedules.example.response.data;
  const isAsked = query.status === 'due' && caller.accountId === accountId;
  const data = isAsked ? dueNow.map(id => ({ ...example!, id, status: 'due' as const })) : [];
  return { data, nextCursor: null };
});

/** Stands in for the content service. */
let waiting = 0;
const content = standIn('content');
addRoute(content, countContent, async ({ caller }) => ({
  data: {
    pending: caller.accountId === accountId ? waiting : 0,
    changesRequested: 0,
    approved: 0,
    rejected: 0,
    failed: 0,
    toSchedule: 0,
  },
}));

let clockMs = Date.parse('2026-11-22T10:00:00.000Z');
let gateway: TestService;
let token: string;
let accountId: string;

async function send(path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') {
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers are judged by their values here.
  return (await response.json()) as any;
}

beforeAll(async () => {
  const contentUrl = await content.listen({ port: 0, host: '127.0.0.1' });
  const schedulingUrl = await scheduling.listen({ port: 0, host: '127.0.0.1' });
  gateway = await startTestService(createGateway(), {
    now: () => new Date(clockMs),
    env: {
      SMTP_URL: await inbox.listen(),
      MAIL_FROM: 'Hookline <hookline@example.com>',
      PUBLIC_URL: 'https://hookline.example.com',
      ...{
        CONTENT_URL: contentUrl,
        SCHEDULING_URL: schedulingUrl,
        AUTOMATION_URL: nowhere,
        ANALYTICS_URL: nowhere,
      },
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
afterAll(async () => {
  await gateway?.stop();
  await content.close();
  await scheduling.close();
  await inbox.close();
});

/** Waits until a consumer has handled the event. */
const handled = (consumer: string, id: string) =>
  eventually(async () => {
    const rows = await gateway.db.query('select 1 from inbox where event_id = $1 and consumer like $2', [
      id,
      `%${consumer}`,
    ]);
    expect(rows).toHaveLength(1);
  }, 30_000);

describe('what the other services did', () => {
  it('is in the audit log once, with who did it, in the order of the events', async () => {
    const { content } = contentRejected.example;
    const approval = content.approval!;
    const by = { kind: 'automation' as const, id: 'automation_1', name: 'Daily' };
    const decided = {
      ...contentRejected.example,
      content: { ...content, approval: { ...approval, by } },
    };
    const events = [
      [contentApproved, content.id, decided],
      [contentRejected, content.id, contentRejected.example],
      [contentChangesRequested, content.id, contentChangesRequested.example],
      [accountConnected, 'account_1', accountConnected.example],
      [accountDisconnected, 'account_1', { ...accountDisconnected.example, by: null }],
      [webhookSecretRotated, 'webhook_1', webhookSecretRotated.example],
    ] as const;
    for (const [index, [definition, subject, data]] of events.entries()) {
      const event = { id: newId('event'), subject, accountId, data };
      await gateway.publish(definition, event);
      // A redelivery.
      await gateway.publish(definition, event);
      await eventually(async () => {
        const [row] = await gateway.db.query<{ count: number }>(
          `select count(*)::int as count from audit_events where subject_kind in ('content', 'account', 'webhook')`,
        );
        expect(row?.count).toBe(index + 1);
      }, 30_000);
    }
    const rows = (await send('/audit')).data.slice(-6);
    expect(rows).toMatchObject([
      {
        action: 'content.approved',
        actor: by,
        subject: { kind: 'content', id: content.id },
        detail: { hook: content.result?.hook, version: 1 },
      },
      { action: 'content.rejected', actor: approval.by, detail: { version: 1, reason: approval.reason } },
      {
        action: 'content.changes_requested',
        actor: approval.by,
        detail: { version: 1, reason: 'Name the app on the first slide.' },
      },
      { action: 'account.connected', actor: { kind: 'person' }, detail: { username: 'maya.makes' } },
      { action: 'account.disconnected', actor: { kind: 'anonymous', id: null } },
      { action: 'webhook.secret_rotated', subject: { kind: 'webhook', id: 'webhook_1' } },
    ]);
    for (const row of rows) expect(row.requestId).toMatch(/^req_/);
  });

  it('is not in the log of a workspace that was deleted before the event came', async () => {
    const event = { id: newId('event'), subject: 'account_2', accountId: 'acct_gone' };
    await gateway.publish(accountConnected, { ...event, data: accountConnected.example });
    await handled('audit-log', event.id);
    const kept = await gateway.db.query(`select id from audit_events where account_id = 'acct_gone'`);
    expect(kept).toEqual([]);
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

const pageIn = (path: string) =>
  `https://hookline.example.com/console/in/${accountId.replace('acct', 'workspace')}/${path}`;

/** The worker sleeps by the clock of the machine. */
const advance = async (ms: number) => {
  clockMs += ms;
  await gateway.db.query('notify gateway_mails');
};

describe('mails about content that waits', () => {
  const ready = async () => {
    const id = newId('event');
    const data = { ...jobCompleted.example, origin: null };
    await gateway.publish(jobCompleted, { id, subject: newId('content'), accountId, data });
    await handled('mails', id);
  };
  const stored = () =>
    gateway.db.query<{ kind: string; dueAt: Date; attempts: number }>(
      'select kind, due_at as "dueAt", attempts from mails order by due_at',
    );
  const sent = (count: number) => eventually(() => expect(mails).toHaveLength(count), 30_000);
  const settled = (rows: object[]) =>
    eventually(async () => expect(await stored()).toMatchObject(rows), 30_000);
  const choose = (decksWaiting: string) =>
    send('/workspace/notifications', { decksWaiting }, 'PATCH').then(({ data }) => data);

  it('go to a proven address only', async () => {
    expect((await send('/workspace/notifications')).data).toEqual({
      decksWaiting: 'off',
      weekly: true,
      postDue: true,
      email: 'maya@example.com',
      emailVerified: false,
      mailConfigured: true,
      push: {
        publicKey: expect.any(String),
        kinds: ['decks_waiting', 'link_decided', 'post_due', 'post_failed', 'account_reconnect'],
        subscribed: false,
      },
    });
    expect(await choose('instant')).toMatchObject({ decksWaiting: 'instant', emailVerified: false });
    await sent(1);
    expect(mails[0]?.text).toContain('/console/verify-email?token');
    waiting = 1;
    await ready();
    await gateway.db.query('update users set email_verified_at = now()');
    expect(mails).toHaveLength(1);
    await choose('off');
  });

  it('instant: at once, then one for the decks of a quarter of an hour, and none when nothing waits', async () => {
    waiting = 0;
    await choose('instant');
    await settled([]);
    waiting = 2;
    await ready();
    await sent(2);
    expect(mails[1]).toMatchObject({
      to: 'maya@example.com',
      subject: "2 slideshows wait for your approval in 'maya'",
    });
    expect(mails[1]?.text).toContain(pageIn('approve'));
    await settled([]);
    // A decided deck waits again once it is edited.
    const edited = { id: newId('event'), subject: newId('content'), accountId, data: { version: 2 } };
    await gateway.publish(contentEdited, edited);
    const due = new Date(clockMs + 15 * minuteMs);
    await settled([{ kind: 'decks_waiting', dueAt: due, attempts: 0 }]);
    await ready();
    await settled([{ kind: 'decks_waiting', dueAt: due, attempts: 0 }]);
    waiting = 0;
    await advance(16 * minuteMs);
    await settled([]);
    expect(mails).toHaveLength(2);
  });

  it('a deck that gets ready while a mail is being sent has another mail', async () => {
    waiting = 1;
    await gateway.db.query(
      `insert into mails (id, kind, recipient, subject_id, due_at, asked_at, created_at)
       values ('mail_racing', 'decks_waiting', 'maya@example.com', $1, $2, $3, $2)`,
      [accountId, new Date(clockMs), new Date(clockMs + 1)],
    );
    await gateway.db.query('notify gateway_mails');
    await sent(3);
    await settled([{ dueAt: new Date(clockMs + 15 * minuteMs), attempts: 0 }]);
  });

  it('daily: at 09:00 in the zone of the workspace, once; off: none', async () => {
    await send('/workspace', { timezone: 'Europe/Berlin' }, 'PATCH');
    await choose('daily');
    await ready();
    const due = new Date('2026-11-23T08:00:00.000Z');
    await settled([{ kind: 'decks_waiting', dueAt: due }]);
    clockMs = due.getTime();
    await advance(0);
    await sent(4);
    await settled([]);
    await ready();
    await settled([{ dueAt: new Date('2026-11-24T08:00:00.000Z') }]);
    await choose('off');
    await settled([]);
  });

  it('wait while the workspace is frozen, and come after its restore', async () => {
    waiting = 0;
    clockMs += 60 * minuteMs;
    await choose('instant');
    await settled([]);
    waiting = 1;
    const before = mails.length;
    // One that was stored before, and a deck that gets ready after.
    await gateway.db.query(
      `insert into mails (id, kind, recipient, subject_id, due_at, asked_at, created_at)
       values ('mail_before', 'decks_waiting', 'maya@example.com', $1, $2, $2, $2)`,
      [accountId, new Date(clockMs + minuteMs)],
    );
    const password = 'correct horse battery';
    expect((await send('/workspace', { password }, 'DELETE')).data.deletion).not.toBeNull();
    await ready();
    await advance(2 * minuteMs);
    await settled([]);
    expect(mails).toHaveLength(before);
    expect((await send('/workspace/restore', { password })).data.deletion).toBeNull();
    await sent(before + 1);
    await choose('off');
    await settled([]);
  });

  it('cannot be chosen by whoever may not approve', async () => {
    await gateway.db.query(`update members set role = 'editor'`);
    const { error } = await send('/workspace/notifications', { decksWaiting: 'daily' }, 'PATCH');
    expect(error).toMatchObject({ code: 'missing_scope' });
    await gateway.db.query(`update members set role = 'owner'`);
  });
});

describe('a mail about an automation that repeats itself', () => {
  it('goes to the owners, once for the first deck that would have repeated another', async () => {
    const before = mails.length;
    const skipped = (firstRepeat: boolean, id = newId('event')) =>
      gateway.publish(automationSkipped, {
        ...{ id, accountId, subject: 'automation_1' },
        data: { ...automationSkipped.example, firstRepeat },
      });
    await skipped(false);
    const id = newId('event');
    await skipped(true, id);
    await skipped(true, id);
    await skipped(false);
    await eventually(() => expect(mails).toHaveLength(before + 1), 30_000);
    expect(mails.at(-1)).toMatchObject({
      to: 'maya@example.com',
      subject: "An automation of 'maya' has nothing new to post",
    });
    expect(mails.at(-1)?.text).toContain(pageIn('automations'));
    await gateway.db.query(`update members set role = 'editor'`);
    const toNobody = newId('event');
    await skipped(true, toNobody);
    await handled('mails', toNobody);
    await gateway.db.query(`update members set role = 'owner'`);
    expect(await gateway.db.query('select kind from mails')).toEqual([]);
    expect(mails).toHaveLength(before + 1);
  });
});

const noneWaits = () =>
  eventually(async () => expect(await gateway.db.query('select kind from mails')).toEqual([]), 30_000);

describe('a mail about posts that are due on a phone', () => {
  const publish = async () => {
    const id = newId('event');
    const subject = newId('schedule');
    dueNow.push(subject);
    for (const _ of [1, 2]) {
      await gateway.publish(scheduleDue, { id, accountId, subject, data: scheduleDue.example });
    }
    await handled('mails', id);
    return subject;
  };

  it('goes once to whoever may post and wants it, and to nobody once it is posted', async () => {
    const before = mails.length;
    const due = async (role: string, isPosted = false) => {
      await gateway.db.query('update members set role = $1', [role]);
      const subject = await publish();
      if (isPosted) dueNow = [];
      await advance(minuteMs);
      await noneWaits();
      return subject;
    };
    const subject = await due('approver');
    expect(mails.slice(before)).toMatchObject([
      { to: 'maya@example.com', subject: "A post of 'maya' is due on your phone" },
    ]);
    expect(mails.at(-1)?.text).toContain(pageIn(`due/${subject}`));
    const want = (postDue: boolean) => send('/workspace/notifications', { postDue }, 'PATCH');
    expect((await want(false)).data).toMatchObject({ postDue: false, weekly: true });
    await due('approver');
    await want(true);
    await due('editor');
    await due('owner', true);
    expect(mails).toHaveLength(before + 1);
  });

  it('tells of seven that are due together at once, with the pages of five', async () => {
    const before = mails.length;
    const subjects: string[] = [];
    for (let post = 1; post <= 7; post += 1) subjects.push(await publish());
    expect(mails).toHaveLength(before);
    await advance(minuteMs);
    await noneWaits();
    expect(mails.slice(before)).toMatchObject([
      { to: 'maya@example.com', subject: "7 posts of 'maya' are due on your phone" },
    ]);
    const text = mails.at(-1)?.text;
    const named = subjects.filter(subject => text?.includes(`/due/${subject}`));
    expect(named).toEqual(subjects.slice(-5));
    expect(text).toContain('- 2 more');
  });

  it('tells of those alone that are left when it goes', async () => {
    const before = mails.length;
    dueNow = [];
    for (let post = 1; post <= 5; post += 1) await publish();
    dueNow = dueNow.slice(0, 3);
    await advance(minuteMs);
    await noneWaits();
    expect(mails.slice(before)).toMatchObject([{ subject: "3 posts of 'maya' are due on your phone" }]);
  });

  it('waits a minute for what is due while it is being sent', async () => {
    await publish();
    const [claimed] = await gateway.db.query<MailRow>('select * from mails');
    await publish();
    await endGathered({ db: gateway.db, now: () => new Date(clockMs) }, claimed!);
    const before = mails.length;
    await advance(minuteMs);
    await noneWaits();
    expect(mails.slice(before)).toHaveLength(1);
  });
});

describe('mails to the owners', () => {
  type Definition =
    | typeof scheduleFailed
    | typeof scheduleRejected
    | typeof accountNeedsReauth
    | typeof creditsLow
    | typeof contentChangesRequested;
  const publish = async (definition: Definition, data: object = definition.example) => {
    const id = newId('event');
    for (const _ of [1, 2]) await gateway.publish(definition, { id, accountId, subject: id, data });
    await handled('mails', id);
  };

  it('tell of seven posts that failed in one mail, of which five are named', async () => {
    const before = mails.length;
    const { schedule } = scheduleFailed.example;
    for (let post = 1; post <= 7; post += 1)
      await publish(scheduleFailed, { schedule: { ...schedule, title: `Post ${post}` }, firingId: null });
    expect(mails).toHaveLength(before);
    await advance(5 * minuteMs);
    await noneWaits();
    expect(mails.slice(before)).toMatchObject([
      { to: 'maya@example.com', subject: "7 posts of 'maya' failed" },
    ]);
    const text = mails.at(-1)?.text;
    expect(text).toContain("- 'Post 7': TikTok refused the post because of its spam rules.");
    expect(text).not.toContain('Post 2');
    expect(text).toContain('- 2 more');
    expect(text).toContain(pageIn('calendar'));
  });

  it('tell of a post that fails while the mail is being sent in another', async () => {
    const before = mails.length;
    const { schedule } = scheduleFailed.example;
    const fail = (title: string) =>
      publish(scheduleFailed, { schedule: { ...schedule, title }, firingId: null });
    for (let post = 1; post <= 5; post += 1) await fail(`Post ${post}`);
    // The server's answer is held back by the lease: the mail is claimed, and not ended.
    await gateway.db.query(`update mails set due_at = $1, attempts = 1`, [new Date(clockMs + 60_000)]);
    const [claimed] = await gateway.db.query<MailRow>('select * from mails');
    await fail('Post 6');
    await endGathered({ db: gateway.db, now: () => new Date(clockMs) }, claimed!);
    await advance(5 * minuteMs);
    await noneWaits();
    expect(mails.slice(before)).toMatchObject([{ subject: "A post of 'maya' failed" }]);
    expect(mails.at(-1)?.text).toMatch(/utf-8\s+- 'Post 6'.*\s+Why/);
  });

  it('tell of a deck that an automation could not schedule, and where it is', async () => {
    const before = mails.length;
    // A person has scheduled it: nothing failed.
    const taken = { ...scheduleRejected.example, code: 'already_scheduled' };
    await gateway.publish(scheduleRejected, { id: newId('event'), accountId, subject: 'deck', data: taken });
    await publish(scheduleRejected);
    await advance(5 * minuteMs);
    await noneWaits();
    expect(mails.slice(before)).toMatchObject([
      { to: 'maya@example.com', subject: "A post of 'maya' failed" },
    ]);
    const { contentId, message } = scheduleRejected.example;
    expect(mails.at(-1)?.text).toContain(`- An automation: ${message}`);
    expect(mails.at(-1)?.text).toContain(pageIn(`posts/${contentId}`));
  });

  it('a post that fails late in an outage of mail is not given up with those from before', async () => {
    await publish(scheduleFailed);
    await gateway.db.query('update mails set attempts = 9');
    await publish(scheduleFailed);
    expect(await gateway.db.query('select attempts, facts from mails')).toEqual([{ attempts: 5, facts: 2 }]);
    await gateway.db.query('delete from mails');
  });

  it('tell which account must be connected again', async () => {
    const before = mails.length;
    await publish(accountNeedsReauth);
    await advance(5 * minuteMs);
    await noneWaits();
    expect(mails.slice(before)).toMatchObject([
      { subject: "An account of 'maya' must be connected again", to: 'maya@example.com' },
    ]);
    expect(mails.at(-1)?.text).toContain("- 'Maya makes'");
  });

  it('tell whoever made a link what was decided by it', async () => {
    const before = mails.length;
    await gateway.db.query(
      `insert into review_links (id, account_id, content_id, version, may_decide, created_by, member_id, expires_at, created_at, token_hash)
       select 'review_1', account_id, 'content_1', 1, true, '{}', id, now(), now(), '\\x01' from users limit 1`,
    );
    const data = structuredClone(contentChangesRequested.example);
    const by = { kind: 'reviewer', id: 'review_1', name: 'Kim https://evil.example' };
    Object.assign(data.content.changesRequested!, { by });
    await publish(contentChangesRequested, data);
    await advance(5 * minuteMs);
    await noneWaits();
    expect(mails.slice(before)).toMatchObject([
      { subject: "A decision by link on decks of 'maya'", to: 'maya@example.com' },
    ]);
    expect(mails.at(-1)?.text).toContain(
      "- '5 habits small enough for a bad day': sent back for changes by 'Kim https evil example': '",
    );
    expect(mails.at(-1)?.text).toContain(pageIn(`posts/${data.content.id}`));
  });

  it('tell once that few credits are left, once that none are, and nobody but owners', async () => {
    const before = mails.length;
    await publish(creditsLow);
    await noneWaits();
    await publish(creditsLow, { level: 'none', balance: 0 });
    await noneWaits();
    expect(mails.slice(before).map(({ subject }) => subject)).toEqual([
      "'maya' has few credits left",
      "'maya' has no credits left",
    ]);
    expect(mails[before]?.text).toContain('5 credits are left, a fifth of the last grant');
    await gateway.db.query(`update members set role = 'approver'`);
    for (const definition of [scheduleFailed, accountNeedsReauth, creditsLow]) await publish(definition);
    await gateway.db.query(`update members set role = 'owner'`);
    expect(await gateway.db.query('select kind from mails')).toEqual([]);
    expect(mails).toHaveLength(before + 2);
  });
});

it('what happens while there is no mail server is read at once, so that no mail tells of it later', async () => {
  const silent = await startTestService(createGateway(), {
    env: {
      ...{ CONTENT_URL: nowhere, SCHEDULING_URL: nowhere, AUTOMATION_URL: nowhere, ANALYTICS_URL: nowhere },
      SIGN_UP: 'open',
    },
  });
  await fetch(`${silent.url}/api/v1/auth/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'maya@example.com', password: 'correct horse battery' }),
  });
  const [owner] = await silent.db.query<{ accountId: string }>('select account_id as "accountId" from users');
  await silent.publish(scheduleFailed, {
    ...{ subject: newId('schedule'), accountId: owner?.accountId ?? '', data: scheduleFailed.example },
  });
  await eventually(async () => {
    const [lag] = await silent.bus.lag('gateway.mails', [scheduleFailed.topic]);
    expect(lag).toMatchObject({ lag: 0, confirmed: 2 });
  }, 30_000);
  expect(await silent.db.query('select kind from mails')).toEqual([]);
  await silent.stop();
});
