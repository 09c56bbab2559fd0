import { setTimeout as delay } from 'node:timers/promises';
import { ownersOfData } from '@hookline/shared/contracts/internal';
import { createLogger } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';
import { lockWaits, openTestDatabase } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advanceDeletions } from '../src/identity/deletion/advance.ts';
import { claimReport, findDeletion } from '../src/identity/deletion/queries.ts';
import { deletePeople } from '../src/identity/deletion/queries-rows.ts';
import { startOwner, startTestGateway, type TestGateway, type TestOwner } from './world.ts';

const password = 'correct horse battery';

type Report = { service: string; accountId: string; standing: string; revision: number };
const reports: Report[] = [];
/** Services that answer 503 now. */
const away = new Set<string>();
/** Deletions that a service still answers with "more is left". */
const left = new Map<string, number>();

const owners: TestOwner[] = [];
let gateway: TestGateway;
let admin: pg.Client;
let aheadMs = 0;

beforeAll(async () => {
  for (const service of ownersOfData) {
    const owner = await startOwner(service, app => {
      app.post('/internal/workspace-standings', (request, reply) => {
        const report = { service, ...(request.body as Omit<Report, 'service'>) };
        reports.push(report);
        if (away.has(service)) return reply.code(503).send({});
        const deletion = `${service} ${report.accountId} ${report.standing}`;
        const more = left.get(deletion) ?? 0;
        left.set(deletion, more - 1);
        return reply.send({ isDone: more <= 0, note: null });
      });
    });
    owners.push(owner);
  }
  const urls = Object.fromEntries(ownersOfData.map((name, at) => [name, owners[at]!.url]));
  gateway = await startTestGateway(urls, { now: () => new Date(Date.now() + aheadMs) });
  admin = new pg.Client({ connectionString: gateway.database.url });
  await admin.connect();
});
afterAll(async () => {
  await admin?.end();
  await gateway?.stop();
  await Promise.all(owners.map(owner => owner.close()));
});

const send = (method: string, path: string, token: string, body?: unknown) =>
  gateway.call(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) });

async function newOwner() {
  const { token, email } = await gateway.signUp();
  const { user, workspaceId } = (await send('GET', '/auth/session', token)).body.data;
  const { key } = await gateway.mint(token, ['apps:read', 'apps:write']);
  return { token, email, key, userId: user.id, accountId: workspaceId.replace('workspace_', 'acct_') };
}
const reportsOf = (accountId: string, standing: string) =>
  reports.filter(report => report.accountId === accountId && report.standing === standing);
const reported = (accountId: string, standing: string) =>
  eventually(async () => {
    const services = new Set(reportsOf(accountId, standing).map(({ service }) => service));
    if (services.size < 4) throw new Error(`${standing} reached ${[...services]}`);
  }, 30_000);
/** The rows of every table of the gateway that name one of the ids. */
async function rowsWith(...ids: string[]): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'gateway'`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const text = `select 1 from gateway.${name} t where t::text ~ $1 limit 1`;
    if ((await admin.query(text, [ids.join('|')])).rowCount) found.push(name);
  }
  return found.sort();
}
/** The calls that failed are due now. */
const hurry = () =>
  admin.query('update gateway.workspace_deletion_parts set due_at = now() where due_at is not null');

it('a deletion that is due later is not asked for without a pause where the clock of the machine is ahead', async () => {
  const commits = async (): Promise<number> => {
    const { rows } = await admin.query(
      'select xact_commit::int as count from pg_stat_database where datname = current_database()',
    );
    return rows[0].count;
  };
  aheadMs = -60_000;
  await admin.query(
    `insert into gateway.workspace_deletions (account_id, standing, revision, requested_by, requested_at, delete_at)
     values ('acct_later', 'frozen', 1, 'user_later', now(), now() - interval '30 s')`,
  );
  await admin.query('notify gateway_deletions');
  // Postgres counts transactions up to a second late.
  await delay(1_200);
  const before = await commits();
  await delay(800);
  expect((await commits()) - before).toBeLessThan(250);
  await admin.query(`delete from gateway.workspace_deletions where account_id = 'acct_later'`);
  aheadMs = 0;
  await admin.query('notify gateway_deletions');
});

it('a standing that changes while a call is claimed is not left for the lease of that call', async () => {
  const database = await createMigratedDatabase();
  const db = openTestDatabase(database.roleUrl('gateway'));
  const now = new Date();
  const claim = () => claimReport(db, now, new Date(now.getTime() + 60_000));
  await db.query(
    `insert into workspace_deletions (account_id, standing, revision, requested_by, requested_at, delete_at)
     values ('acct_a', 'frozen', 0, 'user_a', now(), now())`,
  );
  await db.query(`insert into workspace_deletion_parts (account_id, service) values ('acct_a', 'content')`);
  const due = `update workspace_deletion_parts set due_at = now() - interval '1 minute'`;
  for (let revision = 1; revision <= 300; revision += 1) {
    await db.query(due);
    let isChanged = false;
    let claimed: Awaited<ReturnType<typeof claim>> = null;
    const claimUntilChanged = async () => {
      while (!isChanged) claimed = (await claim()) ?? claimed;
      claimed = (await claim()) ?? claimed;
    };
    let claiming: Promise<void> | undefined;
    await db.transaction(async tx => {
      await tx.query('update workspace_deletions set revision = $1', [revision]);
      await tx.query(due);
      claiming = claimUntilChanged();
    });
    isChanged = true;
    await claiming;
    expect(claimed).toMatchObject({ revision });
  }
  await db.close();
  await database.drop();
});

it('no deletion begins while the clock of the database has jumped', async () => {
  const database = await createMigratedDatabase();
  const db = openTestDatabase(database.roleUrl('gateway'));
  await db.query(
    `insert into workspace_deletions (account_id, standing, revision, requested_by, requested_at, delete_at)
     values ('acct_a', 'frozen', 1, 'user_a', now(), now())`,
  );
  let isSteady = false;
  const log = createLogger({ level: 'silent' });
  // The workspace has no keys, and no service is called yet.
  const unused = {} as never;
  const deps = { db, log, admissions: unused, peers: unused, now: () => new Date() };
  const advance = () => advanceDeletions({ ...deps, clockIsSteady: () => isSteady });
  const standing = async () => (await findDeletion(db, 'acct_a'))?.standing;
  expect([await advance(), await standing()]).toEqual([false, 'frozen']);
  isSteady = true;
  expect([await advance(), await standing()]).toEqual([true, 'deleted']);
  await db.close();
  await database.drop();
});

describe('an export', () => {
  it('that is cut off, here because no list of the owners is one, can be downloaded again', async () => {
    const { token } = await newOwner();
    const { pathname, search } = new URL((await send('POST', '/workspace/exports', token)).body.data.url);
    for (const place of [1, 2, 3]) {
      const answer = await fetch(gateway.url + pathname + search);
      expect([place, answer.status]).toEqual([place, 200]);
      await expect(answer.arrayBuffer()).rejects.toThrow();
    }
    expect((await fetch(`${gateway.url}${pathname}?s=x`)).status).toBe(404);
  });

  it.each([
    ['demoted', 'PATCH', { role: 'viewer' }],
    ['removed', 'DELETE', undefined],
  ])('opens nothing once whoever asked for it is %s', async (_name, method, body) => {
    const [owner, second] = [await newOwner(), await newOwner()];
    await admin.query(
      `insert into gateway.members (account_id, user_id, role, created_at, updated_at) values ($1, $2, 'owner', now(), now())`,
      [owner.accountId, second.userId],
    );
    const workspaceId = owner.accountId.replace('acct_', 'workspace_');
    expect((await send('POST', `/auth/workspaces/${workspaceId}/enter`, second.token)).status).toBe(200);
    const { id, url } = (await send('POST', '/workspace/exports', second.token)).body.data;
    const { pathname, search } = new URL(url);
    const open = async () => (await fetch(gateway.url + pathname + search, { method: 'HEAD' })).status;
    const find = async () => (await send('GET', `/workspace/exports/${id}`, owner.token)).status;
    expect([await open(), await find()]).toEqual([200, 200]);
    expect((await send(method, `/workspace/members/${second.userId}`, owner.token, body)).status).toBe(200);
    expect([await open(), await find()]).toEqual([404, 404]);
  });
});

describe('leaving', () => {
  it('wants the password of an owner', async () => {
    const { token } = await newOwner();
    for (const body of [{}, { password: 'wrong' }, { passwort: password }]) {
      const answer = await send('DELETE', '/workspace', token, body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
      expect(answer.body.error.message).toContain('password');
    }
    expect((await send('GET', '/workspace', token)).body.data.deletion).toBeNull();
  });

  it('freezes the workspace, which an owner restores', async () => {
    const { token, key, accountId, userId } = await newOwner();
    const invited = await send('POST', '/workspace/invitations', token, {
      email: `late${userId}@example.com`,
      role: 'viewer',
    });
    const asked = await send('DELETE', '/workspace', token, { password });
    expect(asked.status).toBe(200);
    const { deletion } = asked.body.data;
    expect(Date.parse(deletion.deletesAt) - Date.parse(deletion.requestedAt)).toBe(7 * dayMs);
    await reported(accountId, 'frozen');
    // A repeat changes nothing.
    expect((await send('DELETE', '/workspace', token, { password })).body.data).toEqual(asked.body.data);

    expect((await send('GET', '/apps', key)).status).toBe(200);
    const refusal = `This workspace is deleted at ${deletion.deletesAt} and cannot be changed. An owner can restore it until then.`;
    for (const refused of [
      await send('POST', '/apps', key, { appStoreUrl: 'https://apps.apple.com/app/id1' }),
      await send('PATCH', '/workspace', token, { name: 'x' }),
    ]) {
      expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_request']);
      expect(refused.body.error.message).toBe(refusal);
    }

    const joined = await gateway.call('POST', '/api/v1/auth/invitations/accept', {
      body: { token: new URL(invited.body.data.url).searchParams.get('token'), password },
    });
    expect([joined.status, joined.body.error.message]).toEqual([409, refusal]);

    const restored = await send('POST', '/workspace/restore', token, { password });
    expect([restored.status, restored.body.data.deletion]).toEqual([200, null]);
    expect((await send('POST', '/workspace/restore', token, { password })).body).toEqual(restored.body);
    await reported(accountId, 'open');
    expect((await send('POST', '/apps', key, {})).body).toMatchObject({ data: { route: 'createApp' } });
    const { data } = (await send('GET', '/audit', token)).body;
    const actions = (data as { action: string }[]).map(({ action }) => action);
    expect(actions.slice(-2)).toEqual(['workspace.deletion_requested', 'workspace.restored']);
    expect(reportsOf(accountId, 'deleted')).toEqual([]);
  });

  it('exports five times in 24 h, also while it is frozen', async () => {
    const { token } = await newOwner();
    await send('DELETE', '/workspace', token, { password });
    const request = () =>
      gateway.call('POST', '/api/v1/workspace/exports', {
        token,
        headers: { 'idempotency-key': `export-${Math.random()}` },
      });
    for (let count = 0; count < 5; count += 1) expect((await request()).status).toBe(202);
    const sixth = await request();
    expect([sixth.status, sixth.body.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(23 * 3_600);
    aheadMs += dayMs;
    expect((await request()).status).toBe(202);
  });

  it('deletes everywhere after seven days, however often a service fails, and nothing of others', async () => {
    const [leaver, other, guest] = [await newOwner(), await newOwner(), await newOwner()];
    // The guest is a member too, and keeps the own workspace.
    await admin.query(
      `insert into gateway.members (account_id, user_id, role, created_at, updated_at)
       values ($1, $2, 'viewer', now(), now())`,
      [leaver.accountId, guest.userId],
    );
    // So is somebody of the OIDC issuer, who is in the leaver's workspace now, and has waiting mails of it.
    await admin.query(
      `with person as (
         insert into gateway.oidc_users (id, account_id, issuer, subject, email, created_at, updated_at)
         values ('user_oidc', 'acct_oidc', 'https://issuer', 's', 'oidc@example.com', now(), now())
       ), member as (
         insert into gateway.members (account_id, user_id, role, created_at, updated_at)
         values ($1, 'user_oidc', 'approver', now(), now())
       ), mail as (
         insert into gateway.mails (id, kind, recipient, subject_id, due_at, created_at)
         values ('mail_oidc', 'decks_waiting', 'oidc@example.com', $1, now(), now())
       )
       insert into gateway.sessions (id, user_id, entered_account_id, token_hash, expires_at, created_at)
       select 'session_' || account, 'user_oidc', account, sha256(account::bytea), now() + interval '60 days', now()
       from unnest(array[$1, 'acct_oidc']) as entered (account)`,
      [leaver.accountId],
    );
    // A session of the leaver that no workspace of theirs explains goes with the person.
    await admin.query(
      `insert into gateway.sessions (id, user_id, entered_account_id, token_hash, expires_at, created_at)
       values ('session_stray', $1, 'acct_elsewhere', sha256('stray'), now() + interval '60 days', now())`,
      [leaver.userId],
    );
    await send('POST', '/workspace/invitations', leaver.token, { email: 'new@example.com', role: 'viewer' });
    expect((await send('POST', '/workspace/exports', leaver.token)).status).toBe(202);
    const before = await rowsWith(other.accountId, other.userId);
    away.add('analytics');
    left.set(`content ${leaver.accountId} deleted`, 2);
    await send('DELETE', '/workspace', leaver.token, { password });
    expect(reportsOf(leaver.accountId, 'deleted')).toEqual([]);
    aheadMs += 7 * dayMs + 1_000;
    await hurry();
    // Wakes the worker: the clock of the test has moved.
    await send('DELETE', '/workspace', (await newOwner()).token, { password });
    await reported(leaver.accountId, 'deleted');
    await eventually(async () => {
      const calls = reportsOf(leaver.accountId, 'deleted').filter(({ service }) => service === 'content');
      expect(calls).toHaveLength(3);
    }, 30_000);
    expect((await send('GET', '/apps', leaver.key)).status).toBe(401);
    expect((await send('GET', '/workspace', leaver.token)).status).toBe(401);
    // One service is away: the gateway keeps its own rows until it has confirmed.
    await eventually(async () => {
      // Written after the service has answered: a call in flight would undo hurry().
      const { rows } = await admin.query(
        `select service from gateway.workspace_deletion_parts where account_id = $1 and attempts > 0`,
        [leaver.accountId],
      );
      expect(rows).toEqual([{ service: 'analytics' }]);
    }, 30_000);
    const kept = await rowsWith(leaver.accountId);
    expect(kept).toContain('audit_events');
    expect(kept).not.toContain('workspace_exports');

    // The gateway's own rows: the first poll fails in the middle, a later one goes on.
    await admin.query(
      `create function gateway.die() returns trigger language plpgsql as $$ begin raise 'killed'; end $$;
       create trigger die before delete on gateway.workspaces for each row execute function gateway.die()`,
    );
    away.clear();
    await hurry();
    await send('DELETE', '/workspace', (await newOwner()).token, { password });
    await eventually(async () => {
      expect(await rowsWith(leaver.accountId)).not.toContain('api_keys');
    }, 30_000);
    expect(await rowsWith(leaver.accountId)).toContain('workspaces');
    await admin.query('drop trigger die on gateway.workspaces; drop function gateway.die()');
    await send('DELETE', '/workspace', (await newOwner()).token, { password });
    await eventually(async () => {
      const rows = await rowsWith(leaver.accountId, leaver.userId, leaver.email);
      expect(rows).toEqual(['workspace_deletion_parts', 'workspace_deletions']);
    }, 30_000);
    expect(await rowsWith(other.accountId, other.userId)).toEqual(expect.arrayContaining(before));
    expect((await send('GET', '/workspace', guest.token)).status).toBe(200);
    const { rows: sessions } = await admin.query(
      `select id from gateway.sessions where user_id = 'user_oidc'`,
    );
    expect(sessions).toEqual([{ id: 'session_acct_oidc' }]);
    // The audit log is append-only for everything else.
    const change = admin.query('delete from gateway.audit_events where account_id = $1', [other.accountId]);
    await expect(change).rejects.toThrow('append-only');
  }, 150_000);
});

it('nobody stays behind whose two workspaces are deleted at once', async () => {
  const person = await newOwner();
  const second = await newOwner();
  await admin.query(
    `insert into gateway.members (account_id, user_id, role, created_at, updated_at) values ($1, $2, 'owner', now(), now())`,
    [second.accountId, person.userId],
  );
  const db = openTestDatabase(gateway.database.roleUrl('gateway'));
  let other: Promise<void> | undefined;
  await db.transaction(async tx => {
    await deletePeople(tx, person.accountId);
    other = db.transaction(also => deletePeople(also, second.accountId));
    await Promise.race([other, delay(500)]);
  });
  await other;
  const { rows } = await admin.query('select id from gateway.users where id = any($1)', [
    [person.userId, second.userId],
  ]);
  await db.close();
  expect(rows).toEqual([]);
});

describe('somebody who is invited elsewhere while their only workspace is deleted', () => {
  async function invited() {
    const [person, host] = [await newOwner(), await newOwner()];
    const invitation = await send('POST', '/workspace/invitations', host.token, {
      email: person.email,
      role: 'viewer',
    });
    const token = new URL(invitation.body.data.url).searchParams.get('token');
    const rows = async () => {
      const { rows } = await admin.query(
        `select (select count(*)::int from gateway.users where id = $1) as users,
           (select count(*)::int from gateway.members where user_id = $1) as memberships`,
        [person.userId],
      );
      return rows[0];
    };
    return {
      ...person,
      accept: () => send('POST', '/auth/invitations/accept', person.token, { token }),
      rows,
    };
  }
  const inDatabase = async (act: (db: ReturnType<typeof openTestDatabase>) => Promise<void>) => {
    const db = openTestDatabase(gateway.database.roleUrl('gateway'));
    await act(db).finally(() => db.close());
  };

  it('stays when they accept first', async () => {
    const { accountId, userId, accept, rows } = await invited();
    await admin.query('begin');
    await admin.query('select 1 from gateway.sessions where user_id = $1 for update', [userId]);
    const accepting = accept();
    await inDatabase(async db => {
      await delay(300);
      const deleting = db.transaction(tx => deletePeople(tx, accountId));
      await Promise.race([deleting, delay(300)]);
      await admin.query('commit');
      await deleting;
    });
    expect([(await accepting).status, await rows()]).toEqual([200, { users: 1, memberships: 1 }]);
  });

  it('is no member when the deletion is first', async () => {
    const { accountId, accept, rows } = await invited();
    let accepting: ReturnType<typeof accept> | undefined;
    await inDatabase(db =>
      db.transaction(async tx => {
        await deletePeople(tx, accountId);
        accepting = accept();
        await Promise.race([accepting, delay(300)]);
      }),
    );
    expect([(await accepting)?.status, await rows()]).toEqual([400, { users: 0, memberships: 0 }]);
  });
});

it('two requests at once to delete a workspace are one', async () => {
  const { token, accountId } = await newOwner();
  await admin.query('begin');
  await admin.query('select 1 from gateway.workspaces where account_id = $1 for update', [accountId]);
  const asked = [1, 2].map(() => send('DELETE', '/workspace', token, { password }));
  await lockWaits(admin, 2);
  await admin.query('commit');
  for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
  const { data } = (await send('GET', '/audit?action=workspace', token)).body;
  expect(data).toHaveLength(1);
});
