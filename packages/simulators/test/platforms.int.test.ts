import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import listings from '../src/stores/listings.json' with { type: 'json' };
import { control, type Json, send, startSim } from './helpers.ts';

const sim = perSuite(startSim);

describe('GET /appstore/lookup', () => {
  it.each(listings.filter(listing => listing.store === 'apple'))('serves $name', async listing => {
    const answer = await send(
      'GET',
      `${sim.url}/appstore/lookup?id=${listing.storeId}&country=de&entity=software`,
    );
    expect(answer.headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(answer.body.resultCount).toBe(1);
    expect(answer.body.results[0]).toMatchObject({
      wrapperType: 'software',
      trackId: Number(listing.storeId),
      trackName: listing.name,
      description: listing.description,
      primaryGenreName: listing.category,
      artistName: listing.developer,
    });
    const icon = await send('GET', answer.body.results[0].artworkUrl512.replace('localhost', '127.0.0.1'));
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('200 with resultCount 0 for an unknown app, and for one of another storefront', async () => {
    await control(sim, 'PUT', 'apps/appstore/77', {
      name: 'A',
      description: 'B',
      developer: 'C',
      category: 'D',
      country: 'JP',
    });
    const count = async (query: string) =>
      (await send('GET', `${sim.url}/appstore/lookup?${query}`)).body.resultCount;
    expect(await count('id=1')).toBe(0);
    expect(await count('id=77&country=us')).toBe(0);
    expect(await count('id=77&country=jp')).toBe(1);
  });
});

describe('GET /googleplay/store/apps/details', () => {
  it.each(listings.filter(listing => listing.store === 'google'))('serves $name', async listing => {
    const page = await send(
      'GET',
      `${sim.url}/googleplay/store/apps/details?id=${listing.storeId}&hl=en&gl=us`,
    );
    const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page.text)?.[1] ?? '';
    expect(JSON.parse(json)).toMatchObject({ '@type': 'SoftwareApplication', name: listing.name });
    const description = /data-g-id="description">(.*?)<\/div>/s.exec(page.text)?.[1] ?? '';
    expect(description.split('<br>')).toHaveLength(listing.description.split('\n').length);
  });

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

describe('Instagram', () => {
  const get = (path: string, token = 'simulator-token-maya') =>
    send('GET', `${sim.url}/instagram/v25.0/${path}${path.includes('?') ? '&' : '?'}access_token=${token}`);

  it('a missing insight is left out and not 0', async () => {
    await control(sim, 'PUT', 'videos/instagram/1790', { views: null, likes: 3, owner: 'maya' });
    const { body } = await get('1790/insights?metric=views,likes');
    expect(body.data.map((row: Json) => [row.name, row.values])).toEqual([['likes', [{ value: 3 }]]]);
    expect((await get('1790?fields=like_count,comments_count')).body).toEqual({ id: '1790', like_count: 3 });
  });

  it('100/33 for another owner’s media', async () => {
    const answer = await get('1790?fields=like_count', 'simulator-token-leo');
    expect([answer.body.error.code, answer.body.error.error_subcode]).toEqual([100, 33]);
  });
});

describe('POST /llm/v1/chat/completions', () => {
  it('answers a value of the schema asked for', async () => {
    const schema = {
      type: 'object',
      properties: {
        hook: { type: 'string', maxLength: 20 },
        slides: { type: 'array', minItems: 3, items: { type: 'string' } },
      },
    };
    const { body } = await send('POST', `${sim.url}/llm/v1/chat/completions`, {
      model: 'm',
      messages: [{ role: 'user', content: 'go' }],
      response_format: { type: 'json_schema', json_schema: { name: 'deck', schema } },
    });
    const deck = JSON.parse(body.choices[0].message.content);
    expect(deck.hook.length).toBeLessThanOrEqual(20);
    expect(deck.slides).toHaveLength(3);
  });

  const deckSchema = {
    type: 'object',
    properties: { slides: { type: 'array', minItems: 3, items: { type: 'string' } } },
    required: ['slides'],
    additionalProperties: false,
  };
  const ask = (format: unknown, system = 'go') =>
    send('POST', `${sim.url}/llm/v1/chat/completions`, {
      model: 'm',
      messages: [{ role: 'system', content: system }],
      ...(format === null ? {} : { response_format: format }),
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

  it('follows a schema in words', async () => {
    const system = `Answer in JSON schema: ${JSON.stringify(deckSchema)}`;
    for (const format of [null, { type: 'json_object' }]) {
      const { body } = await ask(format, system);
      expect(JSON.parse(body.choices[0].message.content).slides).toHaveLength(3);
    }
  });

  it.each([
    ['refusal', { message: { content: null, refusal: 'I cannot help with that.' }, finish_reason: 'stop' }],
    ['truncated', { finish_reason: 'length' }],
    ['content_filter', { finish_reason: 'content_filter' }],
  ])('plays %s', async (kind, choice) => {
    await control(sim, 'PUT', 'faults', [
      { platform: 'llm', operation: 'chat_completions', kind, share: 1, times: 1 },
    ]);
    expect((await ask(jsonSchema(deckSchema))).body.choices[0]).toMatchObject(choice);
    expect((await ask(jsonSchema(deckSchema))).body.choices[0].finish_reason).toBe('stop');
  });
});
