import { perSuite } from '@hookline/testing/per-suite';
import { beforeEach, describe, expect, it } from 'vitest';
import { control, type Json, send, startSim } from './helpers.ts';

const hourMs = 3_600_000;
let now = Date.parse('2026-11-21T12:00:00Z');
const sim = perSuite(() => startSim({ now: () => now }));

beforeEach(async () => {
  await control(sim, 'POST', 'reset');
});

const get = (path: string, token = 'simulator-token-maya') =>
  send('GET', `${sim.url}/instagram/v25.0/${path}`, undefined, { authorization: `Bearer ${token}` });
const refresh = (token: string, grant = 'ig_refresh_token') =>
  send('GET', `${sim.url}/instagram/refresh_access_token?grant_type=${grant}&access_token=${token}`);
const setAccount = (change: Json, username = 'maya') =>
  control(sim, 'PUT', `instagram/accounts/${username}`, change);
const codeOf = ({ body }: { body: Json }) => [body.error.code, body.error.error_subcode];

describe('tokens', () => {
  it('a refresh gives another one, which can be refreshed a day later and ends after its seconds', async () => {
    const first = await refresh('simulator-token-maya');
    expect(first.body).toMatchObject({ token_type: 'bearer', expires_in: 5_183_944 });
    const token = first.body.access_token;
    expect(token).not.toBe('simulator-token-maya');
    expect((await get('me?fields=user_id,username', token)).body.username).toBe('maya');
    expect((await refresh(token)).status).toBe(400);
    now += 24 * hourMs;
    expect((await refresh(token)).status).toBe(200);
    now += 60 * 24 * hourMs;
    expect(codeOf(await get('me?fields=username', token))).toEqual([190, 463]);
    expect(codeOf(await refresh(token))).toEqual([190, 463]);
  });

  it('190/460 while the owner has taken the permission back', async () => {
    await setAccount({ revoked: true });
    expect(codeOf(await get('me'))).toEqual([190, 460]);
    await setAccount({ revoked: false });
    expect((await get('me')).status).toBe(200);
  });

  it('190 for a token that was never issued', async () => {
    for (const token of ['junk', 'simulator-token-maya~9', 'simulator-token-'])
      expect(codeOf(await get('me', token))).toEqual([190, undefined]);
  });
});

describe('limits', () => {
  it('the header tells the share of the rolling day; over it 80002 with the minutes to wait', async () => {
    await setAccount({ callsPerDayMax: 2 });
    const usage = (answer: { headers: Headers }) =>
      Object.values(JSON.parse(answer.headers.get('x-business-use-case-usage') ?? '{}') as Json).flat()[0];
    expect(usage(await get('17900000000000001'))).toMatchObject({ type: 'instagram', call_count: 50 });
    expect(usage(await get('17900000000000001'))).toMatchObject({ call_count: 100 });
    const over = await get('17900000000000001');
    expect([over.status, over.body.error.code]).toEqual([403, 80002]);
    expect(usage(over)).toMatchObject({ estimated_time_to_regain_access: 24 * 60 });
    expect((await get('17900000000000001', 'simulator-token-leo')).status).toBe(200);
    now += 24 * hourMs;
    expect((await get('17900000000000001')).status).toBe(200);
  });
});

describe('media', () => {
  const put = (body: Json) => control(sim, 'PUT', 'videos/instagram/1790', body);

  it('100/33 for a removed one', async () => {
    await put({ views: 5, removed: true });
    expect(codeOf(await get('1790?fields=like_count'))).toEqual([100, 33]);
    expect(codeOf(await get('1790/insights?metric=views'))).toEqual([100, 33]);
  });

  it('a metric or field that it does not have fails the whole call with code 100', async () => {
    await put({ views: 5, likes: 3, comments: 1, refusedNames: ['views', 'comments_count'] });
    expect(codeOf(await get('1790/insights?metric=likes,views'))).toEqual([100, undefined]);
    expect((await get('1790/insights?metric=likes')).body.data[0].values).toEqual([{ value: 3 }]);
    expect(codeOf(await get('1790?fields=like_count,comments_count'))).toEqual([100, undefined]);
    expect((await get('1790?fields=like_count')).body).toEqual({ id: '1790', like_count: 3 });
  });
});
