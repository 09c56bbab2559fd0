import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  allScopes,
  authorizeUrl,
  connect,
  consent,
  control,
  exchange,
  listen,
  post,
  send,
  startSim,
  tokenCall,
} from './helpers.ts';

const sim = perSuite(() => startSim({ now: () => now }));
let now = Date.now();

beforeEach(async () => {
  now = Date.now();
  await control(sim, 'POST', 'reset');
});

describe('GET /v2/auth/authorize/', () => {
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

  it('302 back with code, scopes and the state untouched when &as= names a creator', async () => {
    const query = await consent(sim);
    expect(query.get('state')).toBe('st&te');
    expect(query.get('scopes')).toBe(allScopes);
    expect(query.get('code')).toMatch(/[*!]/);
  });

  it('grants only the scopes that were left ticked', async () => {
    const query = await consent(sim, { granted: 'video.upload' });
    const token = await exchange(sim, query.get('code') ?? '');
    expect(token.body.scope).toBe('video.upload');
  });

  it('302 with access_denied when the person cancels', async () => {
    expect((await consent(sim, { deny: '1' })).get('error')).toBe('access_denied');
  });

  it.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_scope', { scope: '' }],
    ['invalid_request', { code_challenge: Buffer.alloc(32).toString('base64url') }],
    ['invalid_request', { code_challenge_method: 'plain' }],
  ])('302 with %s for %j', async (error, change) => {
    expect((await consent(sim, change as Record<string, string>)).get('error')).toBe(error);
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

  it('400 on a page of its own, without a redirect, for one scope that the app was not given', async () => {
    const asked = { scope: 'user.info.basic,video.list' };
    const answer = await fetch(authorizeUrl(sim, asked), { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(await answer.text()).toContain('The app was not given video.list.');
  });

  it('takes an https redirect as the web flow, without PKCE', async () => {
    const uri = 'https://app.example/cb/';
    const query = await consent(sim, { redirect_uri: uri, code_challenge: '', code_challenge_method: '' });
    const token = await exchange(sim, query.get('code') ?? '', { redirect_uri: uri, code_verifier: '' });
    expect(token.status).toBe(200);
  });
});

describe('POST /v2/oauth/token/', () => {
  it('200 flat, with the documented lifetimes', async () => {
    const { body } = await exchange(sim, (await consent(sim)).get('code') ?? '');
    expect(body).toMatchObject({
      expires_in: 7200,
      refresh_expires_in: 15_552_000,
      token_type: 'Bearer',
      scope: allScopes,
    });
    expect(body.access_token).toMatch(/^act\./);
    expect(body.refresh_token).toMatch(/^rft\./);
    expect(body.data).toBeUndefined();
  });

  it('invalid_grant when a code is used twice', async () => {
    const code = (await consent(sim)).get('code') ?? '';
    await exchange(sim, code);
    expect((await exchange(sim, code)).body).toMatchObject({
      error: 'invalid_grant',
      log_id: expect.any(String),
    });
  });

  it.each([
    ['invalid_request', { code_verifier: 'w'.repeat(64) }],
    ['invalid_request', { redirect_uri: 'http://localhost:9999/other/' }],
    ['invalid_client', { client_secret: 'wrong' }],
    ['unsupported_grant_type', { grant_type: 'password' }],
  ])('%s for %j, and the code stays good', async (error, change) => {
    const code = (await consent(sim)).get('code') ?? '';
    const refused = await exchange(sim, code, change as Record<string, string>);
    expect([refused.status, refused.body.error]).toEqual([400, error]);
    expect((await exchange(sim, code)).status).toBe(200);
  });

  it('invalid_request for a JSON body', async () => {
    const answer = await send('POST', `${sim.url}/tiktok/v2/oauth/token/`, { grant_type: 'refresh_token' });
    expect(answer.body.error).toBe('invalid_request');
  });

  it('rotates: the old refresh token dies at its first use', async () => {
    const first = (await exchange(sim, (await consent(sim)).get('code') ?? '')).body;
    const form = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
    const second = (await tokenCall(sim, form)).body;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await tokenCall(sim, form)).body.error).toBe('invalid_grant');
    const third = await tokenCall(sim, { ...form, refresh_token: second.refresh_token });
    expect(third.status).toBe(200);
  });

  it('rotates even when the answer is dropped', async () => {
    const { refresh_token } = (await exchange(sim, (await consent(sim)).get('code') ?? '')).body;
    const fault = {
      platform: 'tiktok',
      operation: 'oauth_token',
      kind: 'accepted_answer_dropped',
      share: 1,
      times: 1,
    };
    await control(sim, 'PUT', 'faults', [fault]);
    const form = { grant_type: 'refresh_token', refresh_token };
    await expect(tokenCall(sim, form)).rejects.toThrow();
    expect((await tokenCall(sim, form)).body.error).toBe('invalid_grant');
  });

  it('ends access tokens after their lifetime', async () => {
    const token = await connect(sim);
    expect((await post(sim, 'creator_info/query/', token)).status).toBe(200);
    now += 7_200_001;
    const late = await post(sim, 'creator_info/query/', token);
    expect([late.status, late.body.error.code]).toEqual([401, 'access_token_invalid']);
  });
});

describe('POST /v2/oauth/revoke/', () => {
  it('kills every token of the creator and tells by signed webhook', async () => {
    const hook = await listen((_request, reply) => reply.writeHead(200).end());
    await control(sim, 'PUT', 'tiktok/client', { webhookUrl: hook.url });
    const { access_token, refresh_token } = (await exchange(sim, (await consent(sim)).get('code') ?? ''))
      .body;
    expect((await tokenCall(sim, { token: access_token }, 'revoke')).body).toEqual({});
    expect((await post(sim, 'creator_info/query/', access_token)).status).toBe(401);
    expect((await tokenCall(sim, { grant_type: 'refresh_token', refresh_token })).body.error).toBe(
      'invalid_grant',
    );
    const sent = await eventually(() => JSON.parse(hook.requests[0]!.body));
    expect(sent.event).toBe('authorization.removed');
    expect(JSON.parse(sent.content)).toEqual({ reason: 5 });
    await hook.close();
  });
});

describe('GET /v2/user/info/', () => {
  const url = (fields: string) => `${sim.url}/tiktok/v2/user/info/?fields=${fields}`;

  it('200 with exactly the fields asked for', async () => {
    const token = await connect(sim);
    const answer = await send('GET', url('open_id,username'), undefined, {
      authorization: `Bearer ${token}`,
    });
    expect(Object.keys(answer.body.data.user)).toEqual(['open_id', 'username']);
    expect(answer.body.error.code).toBe('ok');
  });

  it('400 scope_permission_missed for a field outside the grant, 400 invalid_params for an unknown one', async () => {
    const token = await connect(sim, 'maya.makes', 'user.info.basic');
    const headers = { authorization: `Bearer ${token}` };
    const missed = await send('GET', url('username'), undefined, headers);
    expect([missed.status, missed.body.error.code]).toEqual([400, 'scope_permission_missed']);
    expect((await send('GET', url('shoe_size'), undefined, headers)).body.error.code).toBe('invalid_params');
  });
});
