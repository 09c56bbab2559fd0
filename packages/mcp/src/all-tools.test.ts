import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { exampleIds } from '@hookline/shared/contracts/examples';
import { describe, expect, it } from 'vitest';
import { allTools, toolsFor } from './all-tools.ts';
import type { Api } from './api.ts';
import { callTool, describeTool } from './call-tool.ts';
import { listResources } from './resources.ts';

type Call = { method: string; path: string; body: unknown; headers: Readonly<Record<string, string>> };

type Answer = { status: number; headers?: Record<string, string>; body: unknown };

/**
 * The API, answering each route with the example of its contract, or with `answer`, or
 * with that of its method.
 */
function exampleApi(answer?: Answer, answers: Record<string, Answer> = {}) {
  const calls: Call[] = [];
  const api: Api = {
    async call(method, path, body, headers = {}) {
      calls.push({ method, path, body, headers });
      const given = answers[method] ?? answer;
      if (given) return { headers: {}, ...given };
      return { status: 200, headers: {}, body: routeOf({ method, path }).example.response };
    },
    readImage: async () => ({ bytes: new Uint8Array([1, 2, 3]), contentType: 'image/jpeg' }),
    consoleUrl: 'http://localhost:8080/console',
    workspaceUrl: async () => 'http://localhost:8080/console/in/workspace_1',
    caller: 'one key',
  };
  return { api, calls };
}

function routeOf({ method, path }: Pick<Call, 'method' | 'path'>) {
  const route = allRoutes.find(
    one =>
      one.method === method && new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?.*)?$`).test(path),
  );
  if (!route) throw new Error(`no route ${method} ${path}`);
  return route;
}

/** Arguments with which each tool makes its call. */
const given: Record<string, Record<string, unknown>> = {
  import_app: { name: 'Pebblo', appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id1' },
  list_pictures: { appId: exampleIds.app },
  set_brand: { appId: exampleIds.app, handle: '@pebblo.app' },
  create_decks: { appId: exampleIds.app, decks: [{ topic: 'morning habits' }, { topic: 'evenings' }] },
  get_deck: { deckId: exampleIds.content, slide: 1 },
  create_deck: { appId: exampleIds.app, topic: 'morning habits' },
  edit_deck: { deckId: exampleIds.content, slides: [{ text: 'Put the phone in another room' }] },
  check_deck: { deckId: exampleIds.content },
  request_approval: { deckId: exampleIds.content },
  schedule_deck: { deckId: exampleIds.content, tiktokAccountId: exampleIds.account, confirm: true },
  move_schedule: { scheduleId: exampleIds.schedule, scheduledFor: '2026-12-01T09:00:00Z' },
  cancel_schedule: { scheduleId: exampleIds.schedule },
  retry_schedule: { scheduleId: exampleIds.schedule },
  why: { id: exampleIds.content },
  create_automation: {
    appId: exampleIds.app,
    tiktokAccountId: exampleIds.account,
    times: ['08:30'],
    topics: ['morning habits', 'habits for travellers'],
    maxFirings: 20,
  },
  preview_automation: { automationId: exampleIds.automation },
  get_results: { deckId: exampleIds.content },
  enter_results: { deckId: exampleIds.content, views: 1200 },
  add_post: { deckId: exampleIds.content, url: 'https://youtu.be/dQw4w9WgXcQ' },
  compare_hooks: { deckId: exampleIds.content, hooks: ['Too tired for habits?'], readAfterHours: 48 },
  pause_automation: { automationId: exampleIds.automation },
};

async function run(name: string, more: Record<string, unknown> = {}) {
  const { api, calls } = exampleApi();
  const outcome = await callTool(name, { ...given[name], ...more }, api);
  return { outcome, calls };
}

const names = allTools.map(({ name }) => name);

describe('the tools', () => {
  it.each(names)('%s answers what its outputSchema says, by routes that its scopes open', async name => {
    const { outcome, calls } = await run(name);
    const tool = allTools.find(one => one.name === name);
    expect(outcome?.isError, JSON.stringify(outcome?.content)).toBeUndefined();
    expect(tool?.output.safeParse(outcome?.structuredContent).error).toBeUndefined();
    expect(calls).not.toHaveLength(0);
    for (const call of calls) {
      for (const scope of routeOf(call).scopes) expect(tool?.scopes).toContain(scope);
    }
  });

  it('approve nothing, whatever the scopes of the key', async () => {
    expect(toolsFor([])).not.toHaveLength(0);
    expect(names.filter(name => /(^|_)(approve|reject|decide|publish)/.test(name))).toEqual([]);
    for (const name of names) {
      const { calls } = await run(name);
      for (const { path, body } of calls) {
        expect(path).not.toMatch(/\/(approve|reject|run)\b/);
        expect(JSON.stringify(body ?? {})).not.toMatch(/"approvalMode":"auto"|approvalStatus/);
      }
    }
    const { outcome, calls } = await run('create_automation', { approvalMode: 'auto' });
    expect([outcome?.isError, calls]).toEqual([true, []]);
  });

  it('change nothing where they say so', async () => {
    for (const { name, effect } of allTools) {
      const { calls } = await run(name);
      const isReading = calls.every(({ method }) => method === 'GET');
      expect([name, isReading]).toEqual([name, effect === 'reads']);
    }
  });

  it.each(allTools.filter(({ input }) => 'idempotencyKey' in input.shape))(
    '$name sends the API a body without the idempotencyKey that makes it new',
    async ({ name }) => {
      const { calls } = await run(name, { idempotencyKey: 'second try' });
      for (const { body } of calls) expect(body).not.toHaveProperty('idempotencyKey');
    },
  );

  it('schedule nothing without confirm', async () => {
    const { calls } = await run('schedule_deck', { confirm: false });
    expect(calls.map(({ path }) => path)).toEqual(['/schedules?dryRun=true']);
  });

  it('say effect and cost, describe every argument, and are short', () => {
    for (const tool of allTools) {
      const { description, inputSchema } = describeTool(tool);
      expect(description).toMatch(/cost/i);
      const { properties = {} } = inputSchema as { properties?: Record<string, { description?: string }> };
      for (const [field, { description: text }] of Object.entries(properties)) {
        if (!text) expect.fail(`${tool.name}.${field} has no description`);
      }
    }
    const list = JSON.stringify(allTools.map(describeTool));
    expect(list).not.toContain('$ref');
    expect(list.length).toBeLessThan(51_000);
  });
});

describe('recent_events', () => {
  const event = (id: string) => ({
    id,
    type: 'schedule.failed',
    timestamp: new Date(0).toISOString(),
    data: {},
  });
  const body = { data: [event('event_2'), event('event_1')], nextCursor: 'later', previousCursor: 'earlier' };

  it('answers the newest events in their order, and then what came since', async () => {
    const { api, calls } = exampleApi({ status: 200, body });
    const newest = await callTool('recent_events', {}, api);
    expect(newest?.structuredContent).toMatchObject({
      events: [{ id: 'event_1' }, { id: 'event_2' }],
      cursor: 'later',
    });
    await callTool('recent_events', { after: 'later' }, api);
    expect(calls.map(({ path }) => path)).toEqual([
      '/events?order=newest&limit=20',
      '/events?after=later&limit=20',
    ]);
  });
});

describe('why', () => {
  it('tells of a deck who did what, from its timeline, and the state of its schedules', async () => {
    const { outcome, calls } = await run('why');
    expect(calls.map(({ path }) => path)).toEqual([
      `/content/${exampleIds.content}`,
      `/content/${exampleIds.content}/timeline`,
      `/schedules?contentId=${exampleIds.content}&limit=5`,
    ]);
    expect(outcome?.structuredContent).toMatchObject({
      summary: expect.stringContaining(`${exampleIds.schedule}: `),
      timeline: expect.arrayContaining([
        expect.objectContaining({ what: 'version 1 approved', by: 'Reviewer' }),
      ]),
    });
  });

  it('answers the newest entries of a long timeline', async () => {
    const moment = { what: 'edited', by: null, version: null, scheduleId: null, detail: null };
    const moments = Array.from({ length: 130 }, (_, n) => ({ ...moment, at: new Date(n).toISOString() }));
    const { api } = exampleApi();
    const outcome = await callTool('why', given.why, {
      ...api,
      call: async (method, path, ...rest) =>
        path.endsWith('/timeline')
          ? { status: 200, headers: {}, body: { data: moments } }
          : await api.call(method, path, ...rest),
    });
    const newest = moments.slice(-100).map(({ at }) => expect.objectContaining({ at }));
    expect(outcome?.structuredContent?.timeline).toEqual(newest);
  });
});

describe('a call that creates', () => {
  const keyOf = async (name: string, more = {}, caller = 'one key') => {
    const { api, calls } = exampleApi();
    await callTool(name, { ...given[name], ...more }, { ...api, caller });
    return calls[0]?.headers['idempotency-key'];
  };

  it.each(['create_deck', 'create_decks', 'import_app', 'create_automation', 'schedule_deck'])(
    '%s repeats under one Idempotency-Key, which another text, argument or API key changes',
    async name => {
      const first = await keyOf(name);
      expect(first).toMatch(/^mcp-[\w-]{43}$/);
      expect(await keyOf(name)).toBe(first);
      expect(await keyOf(name, { idempotencyKey: 'again' })).not.toBe(first);
      expect(await keyOf(name, {}, 'another key')).not.toBe(first);
    },
  );
});

describe('a repeated call', () => {
  const errorOf = (code: string, message: string) => ({ error: { code, message, requestId: 'req_1' } });
  /** The API has created the tool's record before; `now` is what it answers for it today. */
  async function repeat(name: string, now: (record: Record<string, unknown>) => Answer) {
    const { calls } = await run(name);
    const [first] = calls;
    const { data } = (first && routeOf(first).example.response) as { data: Record<string, unknown> };
    const headers = { 'idempotent-replayed': 'true' };
    const { api, calls: repeated } = exampleApi(undefined, {
      POST: { status: 201, headers, body: { data } },
      GET: now(data),
    });
    const outcome = await callTool(name, given[name], api);
    const [text] = outcome?.content ?? [];
    const { error } = JSON.parse(text?.type === 'text' ? text.text : '');
    return { outcome, error, id: String(data.id), paths: repeated.map(({ path }) => path) };
  }
  const creating = ['create_deck', 'import_app', 'create_automation', 'schedule_deck'];

  it.each([
    ['create_deck', { status: 'failed' }],
    ['import_app', { name: 'Pebblo 2' }],
    ['create_automation', { status: 'paused' }],
    ['schedule_deck', { status: 'sent' }],
  ])('of %s answers the record as it is now', async (name, change) => {
    const { outcome, id, paths } = await repeat(name, data => ({
      status: 200,
      body: { data: { ...data, ...change } },
    }));
    expect(outcome?.isError).toBeUndefined();
    expect(outcome?.structuredContent).toMatchObject({ id, ...change });
    expect(paths).toEqual([paths[0], `${paths[0]}/${id}`]);
  });

  it.each(creating)('of %s says that the record was deleted', async name => {
    const gone = { status: 404, body: errorOf('not_found', 'No such record.') };
    const { outcome, error, id } = await repeat(name, () => gone);
    expect([outcome?.isError, outcome?.structuredContent]).toEqual([true, undefined]);
    expect(error.code).toBe('not_found');
    expect(error.message).toContain(`created ${id}, which was deleted`);
    expect(error.nextStep).toContain('another idempotencyKey');
  });

  it.each([
    [true, 'Call retry_schedule with'],
    [false, 'Call schedule_deck with another idempotencyKey'],
  ])('of a schedule that failed, retryable %s, says so', async (retryable, step) => {
    const failure = { code: 'account_needs_reauth', message: 'Connect the account again.', retryable };
    const { outcome, error } = await repeat('schedule_deck', data => ({
      status: 200,
      body: { data: { ...data, status: 'failed', failure } },
    }));
    expect([outcome?.isError, error.code]).toEqual([true, 'account_needs_reauth']);
    expect(error.message).toContain('has failed. Connect the account again.');
    expect(error.nextStep).toContain(step);
    expect(error.nextStep).toContain('another idempotencyKey');
  });

  it('of a schedule that may have been posted sends nobody to schedule it again', async () => {
    const failure = { code: 'outcome_unknown', message: 'Look at the account.', retryable: false };
    const { error } = await repeat('schedule_deck', data => ({
      status: 200,
      body: { data: { ...data, status: 'failed', failure } },
    }));
    expect(error.nextStep).toBe('Stop and let the person look at the account: it may have been posted.');
  });

  it.each(creating)('of %s answers the record as created to a key that may not read it', async name => {
    const refused = { status: 403, body: errorOf('missing_scope', 'This key lacks a scope.') };
    const { outcome, id } = await repeat(name, () => refused);
    expect(outcome?.structuredContent).toMatchObject({ id });
  });

  it.each(creating)('of %s fails when the record cannot be read', async name => {
    const away = {
      status: 503,
      headers: { 'retry-after': '5' },
      body: errorOf('service_unavailable', 'Away.'),
    };
    const { error } = await repeat(name, () => away);
    expect([error.code, error.retryAfterSeconds]).toEqual(['service_unavailable', 5]);
  });
});

it('create_deck says that the deck is not about its topic', async () => {
  const { data } = routeOf({ method: 'POST', path: '/content' }).example.response as { data: object };
  const { api } = exampleApi({ status: 201, body: { data: { ...data, notice: 'topic_needs_model' } } });
  const outcome = await callTool('create_deck', given.create_deck, api);
  expect(outcome?.structuredContent).toMatchObject({ notice: 'topic_needs_model' });
});

it('create_decks passes each deck, and answers the id or the error of each', async () => {
  const { outcome, calls } = await run('create_decks', {
    decks: [{ topic: 'morning habits' }, { hook: 'What ferns want', slides: ['Water from below'] }],
  });
  const common = { appId: exampleIds.app, type: 'slideshow' };
  expect(calls[0]?.body).toEqual({
    items: [
      { ...common, brief: { topic: 'morning habits', templateId: 'auto' } },
      {
        ...common,
        brief: { hook: 'What ferns want', slides: [{ text: 'Water from below' }], templateId: 'auto' },
      },
    ],
  });
  expect(outcome?.structuredContent).toEqual({
    outcomes: [
      { deckId: exampleIds.content, error: null },
      { deckId: null, error: { code: 'not_found', message: 'The app was not found.' } },
    ],
  });
});

it('create_decks with a corrected list repeats under one Idempotency-Key', async () => {
  const keyOf = async (...topics: string[]) => {
    const { calls } = await run('create_decks', { decks: topics.map(topic => ({ topic })) });
    return calls[0]?.headers['idempotency-key'];
  };
  expect(await keyOf('morning habits', 'evenings')).toBe(await keyOf('evenings', 'weekends'));
});

it('resources/list answers the covers of the newest decks', async () => {
  const { api, calls } = exampleApi();
  expect(await listResources(api)).toEqual([
    {
      uri: `hookline://content/${exampleIds.content}/slides/1`,
      name: `cover of ${exampleIds.content}`,
      title: expect.stringMatching(/\w/),
      mimeType: 'image/jpeg',
    },
  ]);
  expect(calls[0]?.path).toBe('/content?status=ready&limit=50');
});

it('create_deck passes the texts that an agent wrote', async () => {
  const { api, calls } = exampleApi();
  const texts = { hook: 'What ferns want', closing: 'Pebblo', caption: '', hashtags: ['#ferns'] };
  await callTool('create_deck', { appId: exampleIds.app, slides: ['Water from below'], ...texts }, api);
  expect(calls[0]?.body).toMatchObject({
    brief: { ...texts, slides: [{ text: 'Water from below' }], templateId: 'auto' },
  });
});

it('list_pictures goes on to older ones: an app has up to 500 finished slides', async () => {
  const { calls, outcome } = await run('list_pictures', { kind: 'slide', cursor: 'MQ' });
  expect(calls[0]?.path).toBe(`/apps/${exampleIds.app}/pictures?limit=50&kind=slide&cursor=MQ`);
  expect(outcome?.structuredContent).toHaveProperty('nextCursor');
});

it('edit_deck passes the order, the pictures, the positions and the template', async () => {
  const { api, calls } = exampleApi();
  const slides = [{ text: 'Mist, then wait', pictureId: exampleIds.picture }, { text: 'Water from below' }];
  const changed = { coverLook: { position: 'top' }, closingLook: {}, templateId: 'photo-card' };
  await callTool('edit_deck', { deckId: exampleIds.content, slides, ...changed }, api);
  expect(calls[0]?.body).toEqual({ bodySlides: slides, ...changed });
});

describe('a call that fails', () => {
  it.each([
    [429, 'rate_limited'],
    // The same call still runs.
    [409, 'invalid_request'],
  ])('answers code, seconds and next step of a %i to the model', async (status, code) => {
    const { api } = exampleApi({
      status,
      headers: { 'retry-after': '12' },
      body: { error: { code, message: 'Too many requests.', requestId: 'req_1' } },
    });
    const outcome = await callTool('get_credits', {}, api);
    expect(outcome?.isError).toBe(true);
    const [text] = outcome?.content ?? [];
    expect(JSON.parse(text?.type === 'text' ? text.text : '')).toEqual({
      error: {
        code,
        message: 'Too many requests.',
        requestId: 'req_1',
        retryAfterSeconds: 12,
        nextStep: 'Wait for retryAfterSeconds, then call again with the same arguments.',
      },
    });
  });

  it('says nothing in the words of the library, whatever the arguments', () => {
    const values = [undefined, {}, '', 'x', -1, 1e9, [], [1], true, null];
    const told = allTools.flatMap(({ name, input }) =>
      Object.keys(input.shape).flatMap(argument =>
        values.map(async value => (await callTool(name, { [argument]: value }, exampleApi().api))?.content),
      ),
    );
    return expect(Promise.all(told).then(JSON.stringify)).resolves.not.toMatch(/Invalid|Too \w+|expected/);
  });

  it.each([
    ['create_deck', { topic: 'x' }, 'appId must be the id of the app'],
    ['create_deck', { appId: 'p', slideCount: 40 }, 'slideCount must be an integer from 2 to 10'],
    ['get_credits', { approve: true }, 'approve: no such argument'],
    ['get_deck', { deckId: '../keys' }, 'deckId must be the id of the deck'],
    ['create_automation', { appId: 'product_1' }, 'times is required'],
    ['edit_deck', { deckId: 'content_1', slides: 'one' }, 'slides must be a list'],
    ['check_deck', { deckId: 'content_1', mode: 'x' }, 'mode must be one of draft, publish'],
  ])('%s %j names the argument', async (name, args, message) => {
    const { api, calls } = exampleApi();
    const outcome = await callTool(name, args, api);
    expect([outcome?.isError, calls]).toEqual([true, []]);
    expect(JSON.stringify(outcome?.content)).toContain(message);
  });
});
