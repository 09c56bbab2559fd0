/** A text model of the workspace's own: connected by a key, tested on save, kept apart from others. */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Content } from '@hookline/shared/contracts/content';
import type { TextModel, TextModelTest } from '@hookline/shared/contracts/text-model';
import { startSimulators } from '@hookline/simulators/simulators';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller, testPerson } from '@hookline/testing/service-harness';
import { controlHeaders, controlToken } from '@hookline/testing/simulator-controls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ContentUnderTest, dataOf, messageOf, startContent } from './world.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'hookline-text-models-'));
const apiKey = `sk-${randomBytes(24).toString('hex')}`;
const model = perSuite(() => startSimulators({ port: 0, controlToken, dataDir }));
let under: ContentUnderTest;
let baseUrl: string;

beforeAll(async () => {
  baseUrl = `http://127.0.0.1:${model.port}/llm/v1`;
  under = await startContent({ env: { LLM_ALLOW_TARGETS: `127.0.0.1:${model.port},127.0.0.1:9` } });
});
afterAll(async () => {
  await under?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function control(method: string, path: string, body?: unknown): Promise<unknown> {
  const init = {
    method,
    headers: controlHeaders,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const answer = await fetch(`http://127.0.0.1:${model.port}/_control${path}`, init);
  expect(answer.ok).toBe(true);
  return await answer.json();
}
const spoil = (kind: string, rest = {}) =>
  control('PUT', '/faults', [{ platform: 'llm', operation: 'chat_completions', kind, share: 1, ...rest }]);
afterEach(() => control('POST', '/reset'));

type Asked = { hasKey: boolean; body: Record<string, unknown> };
const asked = async () => (await control('GET', '/llm/requests')) as Asked[];

type CallerOf = ReturnType<typeof testCaller>;
const owner = (): CallerOf => testPerson(testCaller(), 'Maya');
const put = (caller: CallerOf, body: object) =>
  under.service.call('PUT', '/v1/workspace/text-model', { caller, body });
const get = async (caller: CallerOf) =>
  dataOf<TextModel>(await under.service.call('GET', '/v1/workspace/text-model', { caller }));
const connect = (caller: CallerOf, given: object = {}) =>
  put(caller, { provider: 'custom', baseUrl, model: 'small-model', apiKey, ...given });
const rowsOf = (caller: CallerOf) =>
  under.service.db.query<{ keySealed: string | null }>(
    'select key_sealed as "keySealed" from text_models where account_id = $1',
    [caller.accountId],
  );
async function deckOf(caller: CallerOf, service = under): Promise<Content> {
  const appId = await service.importApp(caller);
  return dataOf<Content>(await service.create(caller, { appId, type: 'slideshow' }));
}

describe('PUT /v1/workspace/text-model', () => {
  it('200: the model is tested and writes from then on; the key is sealed and never answered', async () => {
    const caller = owner();
    expect(await get(caller)).toMatchObject({
      source: 'none',
      provider: null,
      hasKey: false,
      lastTest: null,
    });
    expect((await deckOf(caller)).writer?.kind).toBe('builtin');
    const answer = await connect(caller);
    expect(dataOf(answer)).toEqual({
      provider: 'custom',
      model: 'small-model',
      baseUrl,
      hasKey: true,
      source: 'workspace',
      lastTest: {
        at: expect.any(String),
        ok: true,
        milliseconds: expect.any(Number),
        message: 'A plain answer of the simulator.',
      },
      learns: true,
    });
    expect(await get(caller)).toEqual(dataOf(answer));
    expect((await deckOf(caller)).writer).toMatchObject({ kind: 'model', name: 'small-model' });
    const [row] = await rowsOf(caller);
    expect(row?.keySealed).toMatch(/^test:/);
    const events = under.service.published.map(({ value }) => String(value));
    expect(events.length).toBeGreaterThan(0);
    expect(JSON.stringify([row, answer.text, events])).not.toContain(apiKey.slice(3, 9));
    expect((await asked()).every(({ hasKey }) => hasKey)).toBe(true);
  });

  it.each([
    ['invalid_api_key', 'apiKey', 'HTTP 401): Incorrect API key provided: [key]. Nothing'],
    ['invalid_key_listed', 'apiKey', 'HTTP 400): API key not valid. Please pass a valid API key.'],
    ['unauthorized_detail', 'apiKey', 'HTTP 401): Unauthorized.'],
    ['model_not_found', 'model', 'HTTP 404): The model `small-model` does not exist'],
    ['insufficient_quota', 'provider', 'HTTP 429): You exceeded your current quota'],
    ['down', 'provider', 'HTTP 503)'],
    ['connection_dropped', 'baseUrl', 'the connection failed (UND_ERR_SOCKET)'],
    ['refusal', 'model', 'the model declines to write'],
  ])('400 for %s: names %s, in the words of the provider, and saves nothing', async (kind, field, words) => {
    const caller = owner();
    await spoil(kind);
    const answer = await connect(caller);
    expect([answer.status, messageOf(answer)]).toEqual([400, expect.stringContaining(words)]);
    expect(messageOf(answer)).toMatch(new RegExp(`^${field} is refused: custom says.*Nothing was saved\\.$`));
    expect(answer.text).not.toContain(apiKey.slice(0, 8));
    expect(await asked()).toHaveLength(1);
    expect(await rowsOf(caller)).toEqual([]);
  });

  it.each([
    [{ provider: 'nobody' }, /^provider must be one of openai, anthropic,/],
    [{ provider: 'openai' }, /^apiKey is required with the provider openai$/],
    [{ provider: 'custom', model: 'm' }, /^baseUrl is required with the provider custom$/],
    [{ provider: 'custom', baseUrl: 'https://api.example.com/v1' }, /^model is required/],
    [{ provider: 'openai', apiKey: 'a b' }, /^apiKey must be printable ASCII/],
    [{ provider: 'ollama' }, /^provider ollama, at http:\S+, must use https.*LLM_ALLOW_TARGETS/],
    [{ provider: 'custom', model: 'm', baseUrl: 'https://10.0.0.1/v1' }, /^baseUrl must name a public host/],
    [{ provider: 'custom', model: 'm', baseUrl: 'https://169.254.169.254' }, /^baseUrl must name a public/],
    [{ provider: 'custom', model: 'm', baseUrl: 'https://me:word@example.com' }, /^baseUrl must not carry/],
    [
      { provider: 'custom', model: 'm', baseUrl: 'https://example.com/v1?k=1' },
      /^baseUrl must have no query/,
    ],
  ])('400 for %j', async (body, message) => {
    const answer = await put(owner(), body);
    expect([answer.status, messageOf(answer)]).toEqual([400, expect.stringMatching(message)]);
    expect(await asked()).toEqual([]);
  });

  it('the stored key goes along to the same address, and to no other', async () => {
    const caller = owner();
    await connect(caller);
    const renamed = await put(caller, { provider: 'custom', baseUrl: `${baseUrl}/`, model: 'other' });
    expect(dataOf(renamed)).toMatchObject({ model: 'other', hasKey: true });
    await control('POST', '/reset');
    const moved = await put(caller, { provider: 'ollama', baseUrl, model: 'm' });
    expect(dataOf(moved)).toMatchObject({ provider: 'ollama', hasKey: false });
    expect((await asked()).map(({ hasKey }) => hasKey)).toEqual([false]);
  });
});

describe('POST /v1/workspace/text-model/test', () => {
  const test = (caller: CallerOf) => under.service.call('POST', '/v1/workspace/text-model/test', { caller });

  it('200 with ok false and the words of the provider; the last test is kept', async () => {
    const caller = owner();
    await connect(caller);
    await spoil('invalid_api_key');
    const answer = await test(caller);
    expect([answer.status, dataOf(answer)]).toEqual([
      200,
      { ok: false, milliseconds: expect.any(Number), message: 'Incorrect API key provided: [key]' },
    ]);
    expect((await get(caller)).lastTest).toMatchObject(dataOf<TextModelTest>(answer));
  });

  it('404 where no model is connected', async () => {
    expect((await test(owner())).status).toBe(404);
  });

  it('says that a key cannot be opened any more', async () => {
    const caller = owner();
    await connect(caller);
    await under.service.db.query(`update text_models set key_sealed = 'gone:x' where account_id = $1`, [
      caller.accountId,
    ]);
    const answer = await test(caller);
    expect([answer.status, dataOf<TextModelTest>(answer)?.ok]).toEqual([200, false]);
    expect(answer.text).toContain('cannot be opened');
  });
});

it('a workspace neither sees, tests nor removes the model of another', async () => {
  const [mine, other] = [owner(), owner()];
  await connect(mine);
  expect(await get(other)).toMatchObject({ source: 'none', hasKey: false });
  await under.service.call('DELETE', '/v1/workspace/text-model', { caller: other });
  expect((await under.service.call('POST', '/v1/workspace/text-model/test', { caller: other })).status).toBe(
    404,
  );
  expect((await deckOf(other)).writer?.kind).toBe('builtin');
  expect(await get(mine)).toMatchObject({ source: 'workspace', hasKey: true });
});

it('DELETE erases the key; the built-in composer writes again', async () => {
  const caller = owner();
  await connect(caller);
  const answer = await under.service.call('DELETE', '/v1/workspace/text-model', { caller });
  expect(dataOf(answer)).toMatchObject({ source: 'none', hasKey: false, lastTest: null });
  expect(await rowsOf(caller)).toEqual([{ keySealed: null }]);
  expect((await deckOf(caller)).writer?.kind).toBe('builtin');
});

it('the breaker of a workspace whose endpoint is down does not stop the decks of another', async () => {
  const [dead, well] = [owner(), owner()];
  await connect(dead);
  await connect(well);
  await under.service.db.query(
    `update text_models set base_url = 'http://127.0.0.1:9/v1' where account_id = $1`,
    [dead.accountId],
  );
  const appId = await under.importApp(dead);
  const decks: Content[] = [];
  for (let deck = 0; deck < 4; deck += 1) {
    decks.push(dataOf<Content>(await under.create(dead, { appId, type: 'slideshow' })));
  }
  expect(decks.at(-1)?.error?.message).toContain('not asked now');
  expect((await deckOf(well)).status).toBe('ready');
});

it('an address that the operator no longer allows is refused at use', async () => {
  const caller = owner();
  await connect(caller);
  const strict = await startContent({ database: under.service.database });
  const refused = await deckOf(caller, strict);
  expect(refused.error?.message).toContain('AddressRefusedError');
  await strict.service.stop();
});

describe('a model of the installation', () => {
  it('writes for everybody without a model of their own, and is shown without its key', async () => {
    const env = { LLM_BASE_URL: baseUrl, LLM_MODEL: 'shared-model', LLM_API_KEY: apiKey };
    const installed = await startContent({
      env: { ...env, LLM_EXTRA_BODY: '{"reasoning_effort":"low"}', LLM_MAX_TOKENS: '900' },
    });
    const caller = owner();
    const read = () => installed.service.call('GET', '/v1/workspace/text-model', { caller });
    expect(dataOf(await read())).toEqual({
      provider: 'custom',
      model: 'shared-model',
      baseUrl,
      hasKey: true,
      source: 'installation',
      lastTest: null,
      learns: true,
    });
    expect((await deckOf(caller, installed)).writer?.name).toBe('shared-model');
    expect((await asked())[0]!.body).toMatchObject({ reasoning_effort: 'low', max_tokens: 900 });
    await installed.service.call('POST', '/v1/workspace/text-model/test', { caller });
    expect(dataOf<TextModel>(await read()).lastTest).toMatchObject({ ok: true });
    await installed.stop();
  });

  it.each([
    [{ LLM_PROVIDER: 'gpt' }, 'LLM_PROVIDER must be one of openai, anthropic'],
    [{ LLM_PROVIDER: 'openai' }, 'LLM_API_KEY must be set'],
    [{ LLM_PROVIDER: 'custom' }, 'LLM_BASE_URL, LLM_MODEL must be set'],
    [{ LLM_PROVIDER: 'ollama', LLM_EXTRA_BODY: '[1]' }, 'LLM_EXTRA_BODY must be a JSON object'],
    [{ LLM_PROVIDER: 'ollama', LLM_EXTRA_BODY: '{"model":"x"}' }, 'LLM_EXTRA_BODY must be a JSON object'],
    [{ LLM_PROVIDER: 'ollama', LLM_MAX_TOKENS: '1' }, 'LLM_MAX_TOKENS must be an integer'],
    [{ LLM_ALLOW_TARGETS: '127.0.0.1' }, 'LLM_ALLOW_TARGETS must be host:port'],
  ])('refuses to start with %j', async (env, sentence) => {
    await expect(startContent({ env })).rejects.toThrow(sentence);
  });
});
