import { perSuite } from '@hookline/testing/per-suite';
import { beforeEach, describe, expect, it } from 'vitest';
import { faultKinds } from '../src/faults/fault-kinds.ts';
import { isRefusalCode } from '../src/tiktok/envelope.ts';
import { arrived, connect, control, initBody, type Json, mediaServer, post, startSim } from './helpers.ts';

const media = perSuite(mediaServer);
const sim = perSuite(() => startSim({ random: () => draw }));
let token: string;
let draw = 0;

beforeEach(async () => {
  draw = 0;
  await control(sim, 'POST', 'reset');
  token = await connect(sim);
});

function init(): ReturnType<typeof post> {
  return post(sim, 'content/init/', token, initBody([`${media.url}/1080x1350-a.jpg`]));
}

function setFault(operation: string, kind: string, more: Record<string, unknown> = {}, platform = 'tiktok') {
  return control(sim, 'PUT', 'faults', [{ platform, operation, kind, share: 1, times: 1, ...more }]);
}

describe('faults of content/init', () => {
  it('accepted_answer_dropped posts once and answers nothing; a blind retry shows as a double post', async () => {
    await setFault('content_init', 'accepted_answer_dropped');
    await expect(init()).rejects.toThrow();
    const [row] = await arrived(sim, 1);
    expect((await init()).status).toBe(200);
    const rows = await arrived(sim, 2);
    expect(rows.map(one => [one.account, one.imageDigests])).toEqual([
      [row.account, row.imageDigests],
      [row.account, row.imageDigests],
    ]);
  });

  it('connection_dropped answers nothing and posts nothing', async () => {
    await setFault('content_init', 'connection_dropped');
    await expect(init()).rejects.toThrow();
    await init();
    expect(await arrived(sim, 1)).toHaveLength(1);
  });

  it('accepted_then_slow posts before it answers', async () => {
    await setFault('content_init', 'accepted_then_slow', { delayMs: 60_000 });
    const gone = new AbortController();
    const held = fetch(`${sim.url}/tiktok/v2/post/publish/content/init/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(initBody([`${media.url}/1080x1350-a.jpg`])),
      signal: gone.signal,
    });
    const settled = expect(held).rejects.toThrow();
    expect(await arrived(sim, 1)).toHaveLength(1);
    gone.abort();
    await settled;
  });

  it('slow does the work although the caller has gone', async () => {
    await setFault('content_init', 'slow', { delayMs: 50 });
    const signal = AbortSignal.timeout(10);
    const body = JSON.stringify(initBody([`${media.url}/1080x1350-a.jpg`]));
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await expect(
      fetch(`${sim.url}/tiktok/v2/post/publish/content/init/`, { method: 'POST', headers, body, signal }),
    ).rejects.toThrow();
    expect(await arrived(sim, 1)).toHaveLength(1);
  });

  it('accepted_internal_error answers 500 and posts all the same; internal_error does not post', async () => {
    await setFault('content_init', 'internal_error');
    expect((await init()).status).toBe(500);
    await setFault('content_init', 'accepted_internal_error');
    expect((await init()).body.error.code).toBe('internal_error');
    expect(await arrived(sim, 1)).toHaveLength(1);
  });

  const codes = faultKinds.filter(kind => kind.operation === 'content_init' && isRefusalCode(kind.kind));
  it.each(codes.map(({ kind, description }) => [kind, Number(description.slice(0, 3))]))(
    '%s answers %d with that code',
    async (kind, status) => {
      await setFault('content_init', kind as string);
      const answer = await init();
      expect([answer.status, answer.body.error.code]).toEqual([status, kind]);
    },
  );
});

describe('PUT /_control/faults', () => {
  it('shares of one operation add up, times runs down, hits count', async () => {
    const fault = { platform: 'tiktok', operation: 'creator_info' };
    await control(sim, 'PUT', 'faults', [
      { ...fault, kind: 'internal_error', share: 0.1 },
      { ...fault, kind: 'rate_limit_exceeded', share: 0.05, times: 1 },
    ]);
    const ask = async () => (await post(sim, 'creator_info/query/', token)).status;
    draw = 0.099;
    expect(await ask()).toBe(500);
    draw = 0.12;
    expect(await ask()).toBe(429);
    expect(await ask()).toBe(200);
    draw = 0.151;
    expect(await ask()).toBe(200);
    const list = (await control(sim, 'GET', 'faults')).body;
    expect(list.map((one: Json) => [one.kind, one.times, one.hits])).toEqual([
      ['internal_error', undefined, 1],
      ['rate_limit_exceeded', 0, 1],
    ]);
    expect((await control(sim, 'PUT', 'faults', list)).status).toBe(200);
  });

  it('400 for a kind that does not exist', async () => {
    expect((await setFault('content_init', 'gremlins')).status).toBe(400);
    expect((await control(sim, 'PUT', 'faults', { share: 1 })).status).toBe(400);
  });

  it('400 for a creator field that does not exist, and what GET answered can be put back', async () => {
    const path = 'tiktok/accounts/maya.makes';
    expect((await control(sim, 'PUT', path, { isBanned: true })).status).toBe(400);
    const shown = (await control(sim, 'GET', path)).body;
    const put = await control(sim, 'PUT', path, { ...shown, openId: 'other', banned: true });
    expect(put.body).toMatchObject({ ...shown, banned: true });
  });
});
