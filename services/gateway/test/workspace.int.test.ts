import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@hookline/shared/contracts';
import { askForConfirmations, setSendingPaused } from '@hookline/shared/contracts/internal';
import { type Role, roles } from '@hookline/shared/contracts/scopes';
import { addInternalRoute } from '@hookline/shared/http';
import { eventually } from '@hookline/testing/eventually';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopesOfRole } from '../src/identity/standing/roles.rules.ts';
import { publicRoutes } from '../src/public-api.ts';
import { startOwner, startTestGateway, type TestGateway, type TestOwner } from './world.ts';

let gateway: TestGateway;
let admin: pg.Client;
const owners: TestOwner[] = [];

beforeAll(async () => {
  for (const name of ['content', 'scheduling', 'analytics'] as const) owners.push(await startOwner(name));
  const [content, scheduling, analytics] = owners.map(owner => owner.url);
  gateway = await startTestGateway({ content: content!, scheduling: scheduling!, analytics: analytics! });
  admin = new pg.Client({ connectionString: gateway.database.url });
  await admin.connect();
});
afterAll(async () => {
  await admin?.end();
  await gateway?.stop();
  await Promise.all(owners.map(owner => owner.close()));
});

const get = (path: string, token: string) => gateway.call('GET', `/api/v1${path}`, { token });
const send = (method: string, path: string, token: string, body?: unknown) =>
  gateway.call(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) });

async function person(): Promise<{ token: string; userId: string; workspaceId: string }> {
  const { token } = await gateway.signUp();
  const { user, workspaceId } = (await get('/auth/session', token)).body.data;
  return { token, userId: user.id, workspaceId };
}

async function pair(role: Role) {
  const [owner, member] = [await person(), await person()];
  await admin.query(
    `insert into gateway.members (account_id, user_id, role, created_at, updated_at) values ($1, $2, $3, now(), now())`,
    [owner.workspaceId.replace('workspace_', 'acct_'), member.userId, role],
  );
  const entered = await send('POST', `/auth/workspaces/${owner.workspaceId}/enter`, member.token);
  expect([entered.status, entered.body.data.role]).toEqual([200, role]);
  return { owner, member };
}

describe('a workspace', () => {
  it('has defaults, is changed by its owner, and merges the policy', async () => {
    const { token, workspaceId } = await person();
    const { data } = (await get('/workspace', token)).body;
    expect(data).toMatchObject({
      id: workspaceId,
      timezone: 'UTC',
      approvalPolicy: {
        approvers: 'anyone_with_scope',
        requireVersion: false,
        postTexts: 'approved_only',
        selfApproval: true,
      },
    });
    const change = {
      name: 'Studio',
      timezone: 'Europe/Berlin',
      approvalPolicy: { preset: 'strict', selfApproval: true, approvers: 'anyone_with_scope' },
    };
    const changed = await send('PATCH', '/workspace', token, change);
    expect([changed.status, changed.body.data]).toMatchObject([
      200,
      {
        name: 'Studio',
        timezone: 'Europe/Berlin',
        approvalPolicy: {
          approvers: 'anyone_with_scope',
          requireVersion: true,
          postTexts: 'approved_only',
          selfApproval: true,
        },
      },
    ]);
    expect((await get('/workspace', token)).body).toEqual(changed.body);
  });

  it('tells automations whether another person must confirm them; a repeat does where they were away', async () => {
    const { token } = await person();
    const asked: unknown[] = [];
    let isSlow = false;
    const automation = await startOwner('automation', app =>
      addInternalRoute(app, askForConfirmations, async ({ body, call }) => {
        const waitsMs = isSlow ? 1_000 : 0;
        isSlow = false;
        await delay(waitsMs);
        asked.push([call.caller?.accountId.slice(0, 5), body.isAsked, body.ofKeys]);
        return {};
      }),
    );
    owners.push(automation);
    const { database } = gateway;
    const near = await startTestGateway({ automation: automation.url }, { database });
    const set = (at: TestGateway, selfApproval: boolean) =>
      at.call('PATCH', '/api/v1/workspace', { token, body: { approvalPolicy: { selfApproval } } });
    const away = await set(gateway, false);
    expect([away.status, away.body.error.message]).toEqual([503, expect.stringMatching(/again/)]);
    // A policy that automations have not heard of is not said to hold.
    expect((await get('/workspace', token)).body.data.approvalPolicy.selfApproval).toBe(true);
    for (const selfApproval of [false, true, true]) expect((await set(near, selfApproval)).status).toBe(200);
    expect(asked).toEqual([
      // Once more for those that were made before the change was committed.
      ...Array(2).fill(['acct_', true, false]),
      ['acct_', false, false],
    ]);
    const body = { approvalPolicy: { approvers: 'people_only' } };
    expect((await near.call('PATCH', '/api/v1/workspace', { token, body })).status).toBe(200);
    expect(asked.at(-1)).toEqual(['acct_', false, true]);
    await set(near, false);
    await set(near, true);
    // What one of them asks for holds until the change is committed.
    expect(asked.slice(-2)).toEqual([
      ['acct_', true, true],
      ['acct_', false, true],
    ]);
    await set(near, false);
    // Two owners change it at once, and the call for the first is slow.
    isSlow = true;
    const first = set(near, true);
    await eventually(() => expect(isSlow).toBe(false));
    await Promise.all([first, set(near, false)]);
    const { approvalPolicy } = (await get('/workspace', token)).body.data;
    expect(asked.at(-1)).toEqual(['acct_', !approvalPolicy.selfApproval, true]);
    await near.stop();
  });

  it('scheduling knows sendingPaused before the answer, and sends for nobody who is said to be paused', async () => {
    const { token } = await person();
    const told: [account: string | undefined, isPaused: boolean][] = [];
    let isAway = true;
    let isLost = false;
    const scheduling = await startOwner('scheduling', app =>
      addInternalRoute(app, setSendingPaused, async ({ body, call }) => {
        if (isAway) throw new ApiError('service_unavailable');
        told.push([call.caller?.accountId.slice(0, 5), body.isPaused]);
        if (isLost) throw new ApiError('service_unavailable');
        return {};
      }),
    );
    owners.push(scheduling);
    const { database } = gateway;
    const near = await startTestGateway({ scheduling: scheduling.url }, { database });
    const set = (sendingPaused: boolean) =>
      near.call('PATCH', '/api/v1/workspace', { token, body: { sendingPaused } });
    expect((await set(true)).status).toBe(503);
    isAway = false;
    expect((await get('/workspace', token)).body.data.sendingPaused).toBe(false);
    const asked = 'select 1 from gateway.workspaces where sending_asked_at is not null';
    for (const isPaused of [true, true, false]) {
      expect((await set(isPaused)).body.data.sendingPaused).toBe(isPaused);
      expect((await get('/workspace', token)).body.data.sendingPaused).toBe(isPaused);
    }
    expect(told).toEqual([true, true, false].map(isPaused => ['acct_', isPaused]));
    // The pause of another owner may have begun before this resumption and still be to ask scheduling.
    expect((await admin.query(asked)).rows).toHaveLength(1);
    // It is not said to be paused while scheduling, whose answer was lost, sends again.
    await set(true);
    isLost = true;
    expect((await set(false)).status).toBe(503);
    expect((await get('/workspace', token)).body.data.sendingPaused).toBe(told.at(-1)?.[1]);
    const audit = (await get('/audit', token)).body.data as { action: string }[];
    const actions = audit.map(({ action }) => action).filter(action => action.startsWith('sending.'));
    expect(actions.toSorted()).toEqual([
      ...Array(3).fill('sending.paused'),
      ...Array(2).fill('sending.resumed'),
    ]);
    // A pause whose answer was lost is not left to whoever repeats it.
    expect((await set(true)).status).toBe(503);
    expect(told.at(-1)?.[1]).toBe(true);
    isLost = false;
    await near.stop();
    const settled = async (isPaused: boolean) => {
      // The gateway of the other tests, whose scheduling answers nothing, may take it first.
      for (let tries = 0; told.at(-1)?.[1] !== isPaused && tries < 3; tries += 1) {
        await admin.query(`update gateway.workspaces set sending_asked_at = now() - interval '2 minutes'
          where sending_asked_at is not null`);
        const next = await startTestGateway({ scheduling: scheduling.url }, { database });
        await eventually(() => expect(told.at(-1)?.[1]).toBe(isPaused)).catch(() => undefined);
        await next.stop();
      }
      expect(told.at(-1)?.[1]).toBe(isPaused);
      expect((await get('/workspace', token)).body.data.sendingPaused).toBe(isPaused);
    };
    await settled(false);
    // A resumption that was given up arrives behind the pause that followed it.
    const { id } = (await get('/workspace', token)).body.data;
    await admin.query(
      'update gateway.workspaces set sending_paused = true, sending_asked_at = now() where account_id = $1',
      [id.replace('workspace_', 'acct_')],
    );
    await settled(true);
    await eventually(async () => expect((await admin.query(asked)).rows).toEqual([]));
  });

  it.each([
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['timezone', { timezone: null }],
    ['name', { name: ' ' }],
    ['approvalPolicy.preset', { approvalPolicy: { preset: 'lax' } }],
    ['approvalPolicy.approvers', { approvalPolicy: { approvers: 'nobody' } }],
    ['approvalPolicy.selfApprovals', { approvalPolicy: { selfApprovals: true } }],
  ])('400 invalid_request naming %s for %j', async (field, body) => {
    const { token } = await person();
    const answer = await send('PATCH', '/workspace', token, body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message).toContain(field);
  });
});

describe('the role of a session', () => {
  const reachable = publicRoutes.filter(({ auth, service, path }) => {
    // Ending sessions and the change of roles have tests of their own.
    const isOwn = path.endsWith('/sign-out') || path.includes('/members/');
    return auth === 'session' && service !== 'automation' && !isOwn;
  });

  it.each(roles)('%s opens the routes of the role and no others', async role => {
    const { member } = await pair(role);
    for (const { method, path, roles: needed } of reachable) {
      const body = method === 'POST' || method === 'PATCH' ? { name: 'x', scopes: ['apps:read'] } : undefined;
      const answer = await send(
        method,
        path.slice('/api/v1'.length).replace(/\{\w+\}/, 'x1'),
        member.token,
        body,
      );
      const isOpen = needed === null || needed.includes(role);
      expect([path, answer.status === 403]).toEqual([path, !isOpen]);
      if (!isOpen)
        expect(answer.body.error).toMatchObject({
          code: 'missing_scope',
          message: expect.stringContaining(role),
        });
    }
  });

  it('bounds the scopes of the keys that it mints', async () => {
    const { member } = await pair('editor');
    const refused = await send('POST', '/keys', member.token, {
      name: 'x',
      scopes: ['content:read', 'content:approve'],
    });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'missing_scope']);
    expect(refused.body.error.message).toContain('content:approve');
    expect((await gateway.mint(member.token, scopesOfRole('editor'))).key).toMatch(/^svc_live_/);
  });
});

describe('members', () => {
  it('a key has the scopes that its creator’s role still has, at once', async () => {
    const { owner, member } = await pair('approver');
    const { key } = await gateway.mint(member.token, ['apps:read', 'apps:write']);
    const use = async () => [(await get('/apps', key)).status, (await send('POST', '/apps', key, {})).status];
    expect(await use()).toEqual([200, 201]);
    const path = `/workspace/members/${member.userId}`;
    const lowered = await send('PATCH', path, owner.token, { role: 'viewer' });
    expect([lowered.status, lowered.body.data]).toMatchObject([
      200,
      { userId: member.userId, role: 'viewer' },
    ]);
    expect(await use()).toEqual([200, 403]);
    await send('PATCH', path, owner.token, { role: 'editor' });
    expect(await use()).toEqual([200, 201]);
  });

  it('one who is removed loses sessions there and keys, and keeps the own workspace', async () => {
    const { owner, member } = await pair('editor');
    const { id, key } = await gateway.mint(member.token, ['apps:read']);
    const own = await gateway.mint(owner.token, ['apps:read']);
    expect((await get('/apps', key)).status).toBe(200);
    const removed = await send('DELETE', `/workspace/members/${member.userId}`, owner.token);
    expect([removed.status, removed.body.data]).toEqual([
      200,
      { userId: member.userId, deleted: true, revokedKeyIds: [id] },
    ]);
    const refused = await get('/apps', key);
    expect([refused.status, refused.body.error.code]).toEqual([401, 'key_revoked']);
    expect((await get('/auth/session', member.token)).status).toBe(401);
    expect((await get('/apps', own.key)).status).toBe(200);
    const again = await send('DELETE', `/workspace/members/${member.userId}`, owner.token);
    expect([again.status, again.body.error.code]).toEqual([404, 'not_found']);
  });

  it('the last owner stays; of two owners who leave at once one stays', async () => {
    const { owner, member } = await pair('owner');
    const leave = (userId: string) => send('DELETE', `/workspace/members/${userId}`, owner.token);
    const answers = await Promise.all([leave(owner.userId), leave(member.userId)]);
    // The second may find its own session ended by the first.
    expect(answers.map(({ status }) => status).filter(status => status === 200)).toHaveLength(1);
    const lone = await person();
    const path = `/workspace/members/${lone.userId}`;
    for (const answer of [
      await send('DELETE', path, lone.token),
      await send('PATCH', path, lone.token, { role: 'editor' }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([409, 'invalid_request']);
      expect(answer.body.error.message).toContain('owner');
    }
  });

  it('only an owner sees and revokes the keys of others', async () => {
    const { owner, member } = await pair('editor');
    const [ours, theirs] = [await gateway.mint(owner.token), await gateway.mint(member.token, ['apps:read'])];
    const idsSeenBy = async (token: string) =>
      (await get('/keys', token)).body.data.map(({ id }: { id: string }) => id);
    expect(await idsSeenBy(owner.token)).toEqual([theirs.id, ours.id]);
    expect(await idsSeenBy(member.token)).toEqual([theirs.id]);
    expect((await send('DELETE', `/keys/${ours.id}`, member.token)).status).toBe(404);
    expect((await send('DELETE', `/keys/${theirs.id}`, owner.token)).status).toBe(200);
  });

  it('are listed in pages, newest first, with their roles', async () => {
    const { owner, member } = await pair('viewer');
    const page = (await get('/workspace/members?limit=1', member.token)).body;
    expect(page.data).toMatchObject([{ userId: member.userId, role: 'viewer' }]);
    const rest = (await get(`/workspace/members?limit=1&cursor=${page.nextCursor}`, member.token)).body;
    expect([rest.data, rest.nextCursor]).toMatchObject([[{ userId: owner.userId, role: 'owner' }], null]);
  });

  it('enter their workspaces, and no others', async () => {
    const { owner, member } = await pair('viewer');
    const list = (await get('/auth/workspaces', member.token)).body.data;
    expect(list).toMatchObject([
      { id: member.workspaceId, role: 'owner', current: false },
      { id: owner.workspaceId, role: 'viewer', current: true },
    ]);
    for (const id of [(await person()).workspaceId, 'workspace_x', 'x']) {
      const answer = await send('POST', `/auth/workspaces/${id}/enter`, member.token);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
    }
    await send('POST', `/auth/workspaces/${member.workspaceId}/enter`, member.token);
    expect((await get('/auth/session', member.token)).body.data.workspaceId).toBe(member.workspaceId);
  });

  it('enter the last of more workspaces than a list has', async () => {
    const { token, userId } = await person();
    await admin.query(
      `with made as (
         insert into gateway.workspaces (account_id, name, created_at, updated_at)
         select 'acct_many' || lpad(n::text, 3, '0'), 'Client ' || n, now(), now() from generate_series(1, 101) n
         returning account_id
       )
       insert into gateway.members (account_id, user_id, role, created_at, updated_at)
       select account_id, $1, 'viewer', now(), now() from made`,
      [userId],
    );
    const entered = await send('POST', '/auth/workspaces/workspace_many101/enter', token);
    expect([entered.status, entered.body.data?.name]).toEqual([200, 'Client 101']);
  });
});
