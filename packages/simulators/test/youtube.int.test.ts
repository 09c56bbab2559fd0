import { perSuite } from '@hookline/testing/per-suite';
import { beforeEach, describe, expect, it } from 'vitest';
import { control, type Json, send, startSim } from './helpers.ts';

let now = Date.parse('2026-11-21T12:00:00Z');
const sim = perSuite(() => startSim({ now: () => now }));

beforeEach(async () => {
  await control(sim, 'POST', 'reset');
});

type Call = 'videos' | 'videos:batchGetStats';

function ask(call: Call, ids: string, headers: Record<string, string> = { 'x-goog-api-key': 'k' }) {
  return send('GET', `${sim.url}/youtube/v3/${call}?part=statistics,snippet&id=${ids}`, undefined, headers);
}

const reasonOf = (answer: { body: Json }): string => answer.body.error.errors[0].reason;

describe('videos:batchGetStats', () => {
  it('takes the key as parameter, as header and as bearer, and needs one', async () => {
    expect((await ask('videos:batchGetStats', 'dQsim000001')).status).toBe(200);
    expect((await ask('videos:batchGetStats', 'dQsim000001&key=k', {})).status).toBe(200);
    expect((await ask('videos:batchGetStats', 'dQsim000001', { authorization: 'Bearer t' })).status).toBe(
      200,
    );
    expect((await ask('videos:batchGetStats', 'dQsim000001', {})).status).toBe(403);
    const bad = await ask('videos:batchGetStats', 'dQsim000001', { 'x-goog-api-key': 'invalid' });
    expect([bad.status, bad.body.error.details[0].reason]).toEqual([400, 'API_KEY_INVALID']);
  });

  it('tells the time of publication, and names a removed video as failed', async () => {
    await control(sim, 'PUT', 'videos/youtube/gone', { views: 1, removed: true });
    const { body } = await ask('videos:batchGetStats', 'dQsim000001,gone');
    expect(body.items[0].snippet).toEqual({ publishTime: '2026-11-01T18:00:00.000Z' });
    expect(body.items).toHaveLength(1);
    expect(body.summary.failedVideoIds).toEqual(['gone']);
  });

  it('400 for the whole call when one id is refused', async () => {
    await control(sim, 'PUT', 'videos/youtube/bad', { views: 1, refused: true });
    const answer = await ask('videos:batchGetStats', 'dQsim000001,bad');
    expect([answer.status, reasonOf(answer)]).toEqual([400, 'badRequest']);
    expect(answer.body.error.details).toBeUndefined();
  });
});

describe('quotas', () => {
  it('each call has its own bucket, counted per key, until midnight Pacific', async () => {
    now = Date.parse('2026-11-21T07:59:00Z');
    await control(sim, 'PUT', 'youtube/client', { unitsPerDay: { batch_get_stats: 2, videos_list: 1 } });
    for (const _ of [1, 2]) expect((await ask('videos:batchGetStats', 'a')).status).toBe(200);
    const over = await ask('videos:batchGetStats', 'a');
    expect([over.status, reasonOf(over), over.body.error.errors[0].domain]).toEqual([
      403,
      'quotaExceeded',
      'youtube.quota',
    ]);
    expect((await ask('videos', 'a')).status).toBe(200);
    expect(reasonOf(await ask('videos', 'a'))).toBe('quotaExceeded');
    expect((await ask('videos', 'a', { 'x-goog-api-key': 'another' })).status).toBe(200);
    now = Date.parse('2026-11-21T08:00:00Z');
    expect((await ask('videos:batchGetStats', 'a')).status).toBe(200);
  });

  it('a refused query costs its unit too; a bad key none', async () => {
    await send('GET', `${sim.url}/youtube/v3/videos?id=a&key=k`);
    await ask('videos', 'a', { 'x-goog-api-key': 'invalid' });
    expect((await control(sim, 'GET', 'youtube/client')).body.spentToday).toEqual({
      videos_list: 1,
      batch_get_stats: 0,
    });
  });

  it('429 with RATE_LIMIT_EXCEEDED over the calls of a sliding minute', async () => {
    await control(sim, 'PUT', 'youtube/client', { callsPerMinuteMax: 1 });
    expect((await ask('videos', 'a')).status).toBe(200);
    now += 59_000;
    const over = await ask('videos', 'a');
    expect([over.status, over.body.error.details[0].reason]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    now += 1_000;
    expect((await ask('videos', 'a')).status).toBe(200);
  });
});

describe('GET /_control/metric-calls', () => {
  it('lists what was asked, ids included, refused calls too', async () => {
    await ask('videos', 'a,b');
    await ask('videos:batchGetStats', 'c', {});
    expect((await control(sim, 'GET', 'metric-calls?platform=youtube')).body).toEqual([
      { platform: 'youtube', operation: 'videos_list', ids: ['a', 'b'], at: new Date(now).toISOString() },
      { platform: 'youtube', operation: 'batch_get_stats', ids: ['c'], at: new Date(now).toISOString() },
    ]);
    expect((await control(sim, 'GET', 'metric-calls?platform=instagram')).body).toEqual([]);
  });
});
