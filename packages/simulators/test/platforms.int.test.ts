import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { control, send, startSim } from './helpers.ts';

const sim = perSuite(startSim);

describe('GET /googleplay/store/apps/details', () => {
  it('404 for an unknown package; a listing cannot break out of the page', async () => {
    expect((await send('GET', `${sim.url}/googleplay/store/apps/details?id=no.such`)).status).toBe(404);
    const evil = '</script><script>alert(1)</script>';
    await control(sim, 'PUT', 'apps/googleplay/com.evil', {
      name: evil,
      description: evil,
      developer: evil,
      category: evil,
    });
    const page = await send('GET', `${sim.url}/googleplay/store/apps/details?id=com.evil`);
    expect(page.text).not.toContain('<script>alert');
  });
});

describe('YouTube', () => {
  const url = (call: string, query: string) => `${sim.url}/youtube/v3/${call}?${query}`;

  it('counts are strings, hidden ones absent, unknown ids left out', async () => {
    await control(sim, 'PUT', 'videos/youtube/abc', { views: 9007199254740, likes: null, comments: 0 });
    const { body } = await send('GET', url('videos', 'part=statistics&id=abc,zzz&key=k'));
    expect(body.items).toHaveLength(1);
    expect(body.items[0].statistics).toEqual({
      viewCount: '9007199254740',
      commentCount: '0',
      favoriteCount: '0',
    });
    expect(body.pageInfo.totalResults).toBe(1);
  });

  it('400 for 51 ids', async () => {
    const ids = Array.from({ length: 51 }, (_, index) => `v${index}`).join(',');
    expect((await send('GET', url('videos', `part=statistics&id=${ids}&key=k`))).status).toBe(400);
  });
});

describe('POST /llm/v1/chat/completions', () => {
  const deckSchema = {
    type: 'object',
    properties: { slides: { type: 'array', minItems: 3, items: { type: 'string' } } },
    required: ['slides'],
    additionalProperties: false,
  };
  const ask = (response_format: unknown) =>
    send('POST', `${sim.url}/llm/v1/chat/completions`, {
      model: 'm',
      messages: [{ role: 'system', content: 'go' }],
      response_format,
    });
  const jsonSchema = (schema: unknown) => ({
    type: 'json_schema',
    json_schema: { name: 'deck', strict: true, schema },
  });

  it('refuses what the real endpoint refuses', async () => {
    const loose = await ask(jsonSchema({ ...deckSchema, additionalProperties: undefined }));
    expect([loose.status, loose.body.error.message]).toEqual([
      400,
      'schema: additionalProperties must be false.',
    ]);
    expect((await ask(jsonSchema({ ...deckSchema, required: [] }))).status).toBe(400);
    expect((await ask({ type: 'json_object' })).status).toBe(400);
    expect((await ask({ type: 'xml' })).status).toBe(400);
  });
});
