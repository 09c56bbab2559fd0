/** What YouTube, Instagram, the App Store and the text model refuse, row by row. */
import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, expect, it } from 'vitest';
import { control, send, startSim } from './helpers.ts';

const sim = perSuite(startSim);
const owner = 'page.owner';
const ask = (path: string, token = `simulator-token-${owner}`) =>
  send('GET', sim.url + path, undefined, { authorization: `Bearer ${token}`, 'x-goog-api-key': 'any' });
const askMedia = (query: string) => ask(`/instagram/v25.0/me/media?fields=id&${query}`);

beforeAll(async () => {
  for (const id of ['1', '2', '3']) await control(sim, 'PUT', `videos/instagram/${id}`, { owner });
});

it.each([
  ['/instagram/v25.0/me?fields=user_id,shoe_size', 100],
  ['/instagram/v25.0/me?fields=username&fields=user_id', 100],
  ['/instagram/v25.0/me?fields=username,username', 2500],
  ['/instagram/v25.0/me/media?fields=id&limit=all', 100],
  ['/instagram/v25.0/me/media?fields=id&after=1', 100],
  ['/instagram/v25.0/1?fields=shares_count', 100],
  ['/instagram/v25.0/1/insights?metric=views&metric=reach', 100],
])('Instagram refuses %s with code %i', async (path, code) => {
  const { status, body } = await ask(path);
  expect([status, body.error.code]).toEqual([400, code]);
});

it('Instagram gives each page of media by the cursor of the one before, encoded as a query wants it', async () => {
  const seen: string[] = [];
  for (let after = ''; ; ) {
    const { body } = await askMedia(`limit=1${after}`);
    seen.push(...body.data.map((media: { id: string }) => media.id));
    if (!body.paging?.next) break;
    const { after: cursor } = body.paging.cursors;
    expect((await askMedia(`limit=1&after=${cursor}`)).body.error.code).toBe(100);
    after = `&after=${encodeURIComponent(cursor)}`;
  }
  expect(seen.toSorted()).toEqual(['1', '2', '3']);
});

it.each([
  ['part=statistics&id=dQsim000001&hl=en', 400, 'unexpectedParameter'],
  ['part=statistics,tags&id=dQsim000001', 400, 'unknownPart'],
  ['part=statistics', 400, 'missingRequiredParameter'],
])('YouTube refuses %s with %i %s', async (query, status, reason) => {
  const answer = await ask(`/youtube/v3/videos?${query}`);
  expect([answer.status, answer.body.error.errors[0].reason]).toEqual([status, reason]);
});

it('YouTube takes no API key as a bearer', async () => {
  const url = `${sim.url}/youtube/v3/videos?part=id&id=dQsim000001`;
  expect((await send('GET', url, undefined, { authorization: 'Bearer any' })).status).toBe(403);
  expect((await ask('/youtube/v3/videos?part=id&id=dQsim000001')).status).toBe(200);
});

it('the App Store refuses an entity that it does not know', async () => {
  const answer = await ask('/appstore/lookup?id=1&entity=programs');
  expect([answer.status, answer.body.errorMessage]).toEqual([400, 'Invalid value(s) for key(s): [entity]']);
});

it('the text model refuses a body that is not typed as JSON', async () => {
  const body = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Hello' }] });
  const typed = (type: string) =>
    send('POST', `${sim.url}/llm/v1/chat/completions`, body, { 'content-type': type });
  expect((await typed('text/plain')).status).toBe(400);
  expect((await typed('application/json')).status).toBe(200);
});
