/** The table of OAuth errors, row by row, with raw HTTP against the simulator alone. */
import { perSuite } from '@hookline/testing/per-suite';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  authorizeUrl,
  connect,
  consent,
  control,
  exchange,
  type Json,
  post,
  send,
  startSim,
  tokenCall,
} from './helpers.ts';

const sim = perSuite(() => startSim({ now: () => now, refreshTokenSeconds: 1_000 }));
let now = Date.now();

beforeEach(async () => {
  now = Date.now();
  await control(sim, 'POST', 'reset');
});

const fault = (operation: string, kind: string) =>
  control(sim, 'PUT', 'faults', [{ platform: 'tiktok', operation, kind, share: 1, times: 1 }]);
const code = async () => (await consent(sim)).get('code') ?? '';
const refreshOf = async () => (await exchange(sim, await code())).body.refresh_token as string;
const refresh = (refresh_token: string) => tokenCall(sim, { grant_type: 'refresh_token', refresh_token });

function expectFlat(body: Json, error: string): void {
  expect(body).toEqual({
    error,
    error_description: expect.stringMatching(/\w/),
    log_id: expect.stringMatching(/^\d{14}[0-9A-F]{20}$/),
  });
}

describe('errors of the token endpoint: flat, never in the envelope of the API', () => {
  it.each<[string, string, () => Promise<{ body: Json }>]>([
    [
      'access_denied',
      'the server says no',
      () => fault('oauth_token', 'access_denied').then(() => refresh('x')),
    ],
    ['invalid_client', 'a wrong key', async () => exchange(sim, await code(), { client_key: 'another' })],
    ['invalid_client', 'a wrong secret', async () => exchange(sim, await code(), { client_secret: 'x' })],
    ['invalid_grant', 'an unknown code', () => exchange(sim, 'nothing')],
    [
      'invalid_grant',
      'a code after its ten minutes',
      async () => {
        const given = await code();
        now += 600_001;
        return exchange(sim, given);
      },
    ],
    [
      'invalid_grant',
      'a code whose creator withdrew consent',
      async () => {
        const given = await code();
        await control(sim, 'POST', 'tiktok/accounts/maya.makes/disconnect', { reason: 1 });
        return exchange(sim, given);
      },
    ],
    [
      'invalid_grant',
      'a code that was used',
      async () => {
        const given = await code();
        expect((await exchange(sim, given)).status).toBe(200);
        return exchange(sim, given);
      },
    ],
    [
      'invalid_grant',
      'a refresh token that was used',
      async () => {
        const token = await refreshOf();
        const { body } = await refresh(token);
        expect((await refresh(body.refresh_token)).status).toBe(200);
        return refresh(token);
      },
    ],
    [
      'invalid_request',
      'a body in JSON',
      () => send('POST', `${sim.url}/tiktok/v2/oauth/token/`, { grant_type: 'refresh_token' }),
    ],
    ['invalid_grant', 'an unknown refresh token', () => refresh('rft.none')],
    [
      'invalid_grant',
      'an expired refresh token',
      async () => {
        const token = await refreshOf();
        now += 1_000_001;
        return refresh(token);
      },
    ],
    [
      'invalid_grant',
      'a refresh token whose creator withdrew consent',
      async () => {
        const token = await refreshOf();
        await control(sim, 'POST', 'tiktok/accounts/maya.makes/disconnect', { reason: 1 });
        return refresh(token);
      },
    ],
    ['invalid_request', 'no grant_type', () => tokenCall(sim, { grant_type: '' })],
    ['invalid_request', 'no code', () => exchange(sim, '')],
    ['invalid_request', 'no refresh_token', () => refresh('')],
    ['invalid_request', 'no client_key', async () => exchange(sim, await code(), { client_key: '' })],
    [
      'invalid_request',
      'another redirect_uri',
      async () => exchange(sim, await code(), { redirect_uri: 'http://localhost:1/x/' }),
    ],
    ['invalid_request', 'no verifier', async () => exchange(sim, await code(), { code_verifier: '' })],
    [
      'invalid_request',
      'a verifier of 42 characters',
      async () => exchange(sim, await code(), { code_verifier: 'v'.repeat(42) }),
    ],
    ['invalid_request', 'revoke without a token', () => tokenCall(sim, { token: '' }, 'revoke')],
    ['invalid_grant', 'revoke of an unknown token', () => tokenCall(sim, { token: 'act.x' }, 'revoke')],
    [
      'invalid_grant',
      'revoke of an expired token',
      async () => {
        const token = await connect(sim);
        now += 7_200_001;
        return tokenCall(sim, { token }, 'revoke');
      },
    ],
    ['unsupported_grant_type', 'password', () => tokenCall(sim, { grant_type: 'password' })],
    ['invalid_scope', 'on demand', () => fault('oauth_token', 'invalid_scope').then(() => refresh('x'))],
    [
      'unauthorized_client',
      'on demand',
      () => fault('oauth_token', 'unauthorized_client').then(() => refresh('x')),
    ],
  ])('%s: %s', async (error, _why, ask) => {
    for (const oauthErrorStatus of [200, 400]) {
      await control(sim, 'PUT', 'tiktok/client', { oauthErrorStatus });
      const answer = (await ask()) as Awaited<ReturnType<typeof refresh>>;
      expect(answer.status).toBe(oauthErrorStatus);
      expectFlat(answer.body, error);
      expect(answer.body.access_token).toBeUndefined();
    }
  });

  it.each(['server_error', 'temporarily_unavailable'])('%s leaves the refresh token alive', async kind => {
    const token = await refreshOf();
    await fault('oauth_token', kind);
    const answer = await refresh(token);
    expect(answer.status).toBe(503);
    expectFlat(answer.body, kind);
    expect((await refresh(token)).status).toBe(200);
  });
});

describe('errors of the consent page: back at the redirect_uri, with state', () => {
  it.each([
    ['access_denied', { deny: '1' }],
    ['access_denied', { granted: '' }],
    ['invalid_request', { state: '' }],
    ['invalid_request', { code_challenge_method: '' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge: Buffer.alloc(32).toString('base64url') }],
    ['invalid_scope', { scope: '' }],
    ['unsupported_response_type', { response_type: 'token' }],
  ])('%s for %j', async (error, change) => {
    const query = await consent(sim, change as Record<string, string>);
    expect(query.get('error')).toBe(error);
    expect(query.get('error_description')).toMatch(/\w/);
    expect(query.get('code')).toBeNull();
    expect(query.get('state')).toBe((change as Record<string, string>).state ?? 'st&te');
  });

  it('an unknown client_key ends on a page', async () => {
    const answer = await send('GET', authorizeUrl(sim, { client_key: 'another' }));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });
});

describe('tokens', () => {
  it('have the lifetimes that are set, and no credential lies in the data folder', async () => {
    await control(sim, 'PUT', 'tiktok/client', { accessTokenSeconds: 60, refreshTokenSeconds: 120 });
    const { body } = await exchange(sim, await code());
    expect(body).toMatchObject({ expires_in: 60, refresh_expires_in: 120 });
    now += 59_999;
    expect((await post(sim, 'creator_info/query/', body.access_token)).status).toBe(200);
    now += 2;
    expect((await post(sim, 'creator_info/query/', body.access_token)).status).toBe(401);
    const { readFileSync } = await import('node:fs');
    const kept = readFileSync(`${sim.dataDir}/journal.ndjson`, 'utf8');
    expect(kept).not.toContain(body.access_token);
    expect(kept).not.toContain(body.refresh_token);
  });

  it('revoke answers an empty object and can be repeated with an error', async () => {
    const token = await connect(sim);
    expect((await tokenCall(sim, { token }, 'revoke')).body).toEqual({});
    expect((await tokenCall(sim, { token }, 'revoke')).body.error).toBe('invalid_grant');
  });
});

describe('the consent page', () => {
  it('lists the fake creators, escaped, when no one was chosen', async () => {
    await control(sim, 'PUT', 'tiktok/accounts/mallory', { displayName: '<img src=x onerror=alert(1)>' });
    const url = authorizeUrl(sim).replace('&as=maya.makes', '');
    const page = await send('GET', url);
    expect(page.status).toBe(200);
    for (const name of ['maya.makes', 'leo.quiet', 'studio.nord'])
      expect(page.text).toContain(`value="${name}"`);
    expect(page.text).not.toContain('<img src=x');
    expect(page.text).toContain('&lt;img src=x');
  });

  it('400 on a page of its own, without a redirect, for one scope that the app was not given', async () => {
    const asked = { scope: 'user.info.basic,video.list' };
    const answer = await fetch(authorizeUrl(sim, asked), { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(await answer.text()).toContain('The app was not given video.list.');
  });

  it.each([
    ['http://evil.example/cb'],
    ['https://app.example/cb?x=1'],
    ['http://localhost/cb'],
    ['javascript:alert(1)'],
  ])('never redirects to %s', async uri => {
    const answer = await send('GET', authorizeUrl(sim, { redirect_uri: uri }));
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
  });
});
