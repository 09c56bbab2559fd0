/** The parts of the nodes that need nothing of n8n, and the parameters that the contracts gave them. */
import { registerHooks } from 'node:module';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { sdkModel } from '../build/model.ts';
import { n8nOperations } from '../generate/n8n-operations.ts';

type Json = Record<string, unknown>;
type Property = {
  name: string;
  default?: unknown;
  displayOptions?: { show: Record<string, string[]> };
  options?: Property[];
  values?: Property[];
};
type Send = (request: {
  path: string;
  query: Json;
}) => Promise<{ status: number; headers: Json; body: unknown }>;

// The nodes are built as CommonJS, so their own imports name no extension.
const hooks = registerHooks({
  resolve: (name, context, next) => next(/^\.[\w./]*\/\w+$/.test(name) ? `${name}.ts` : name, context),
});
// The types of n8n are not installed here, so the imports are untyped.
const nodes = '../../packages/n8n-nodes-hookline/nodes';
const { operations, properties } = n8nOperations();
const { callOperation, derivedKey } = (await import(`${nodes}/Hookline/calls.ts`)) as {
  callOperation(call: Json): Promise<unknown>;
  derivedKey(parts: (string | number)[]): string;
};
const { complaintAbout } = (await import(`${nodes}/HooklineTrigger/signature.ts`)) as {
  complaintAbout(
    body: Uint8Array,
    headers: Record<string, string>,
    secret: string,
    nowMs: number,
  ): string | null;
};
const { readFeed } = (await import(`${nodes}/HooklineFeedTrigger/feed.ts`)) as {
  readFeed(
    send: Send,
    types: string[],
    position: Json,
  ): Promise<{ events: { id: string }[]; position: { after?: string } }>;
};
hooks.deregister();

describe('the parameters of the node', () => {
  const shownFor = (key: string): Property[] => {
    const [resource = '', operation = ''] = key.split('.');
    return (properties as Property[]).filter(({ displayOptions }) => {
      const { show } = displayOptions ?? {};
      return show?.resource?.includes(resource) && show.operation?.includes(operation);
    });
  };

  it('has an operation for each route that a key opens', () => {
    const expected = sdkModel().operations.filter(
      ({ isForKeys, contract }) => isForKeys && !contract.produces,
    );
    expect(Object.keys(operations)).toHaveLength(expected.length);
  });

  it.each(Object.entries(operations))(
    '%s has a parameter for each field',
    (key, { takesKey, answers, fields }) => {
      const shown = shownFor(key);
      const names = shown.map(({ name }) => name);
      for (const { name, from } of fields) {
        const among = from === undefined ? shown : (shown.find(one => one.name === from)?.options ?? []);
        expect(among.map(one => one.name)).toContain(name);
      }
      expect(names.includes('idempotencyKey')).toBe(takesKey === true);
      expect(names.includes('returnAll')).toBe(answers === 'page');
      expect(new Set(names).size).toBe(names.length);
    },
  );

  it.each<[string, Json, Json]>([
    [
      'content.update',
      { bodySlides: [{ text: 'Water' }, { text: 'Mist', position: 'bottom' }] },
      { bodySlides: [{ text: 'Water' }, { text: 'Mist', position: 'bottom' }] },
    ],
    [
      'app.review',
      {
        items: [
          { item: 'name', at: '2026-11-22T09:00:00' },
          { item: 'picture', pictureId: 'picture_1' },
        ],
      },
      {
        items: [
          { item: 'name', at: '2026-11-22T09:00:00Z' },
          { item: 'picture', pictureId: 'picture_1' },
        ],
      },
    ],
    [
      'content.createBatch',
      { items: [{ appId: 'product_1', brief: '{"topic":"ferns"}' }, { appId: 'product_1' }] },
      {
        items: [
          { appId: 'product_1', type: 'slideshow', brief: { topic: 'ferns' } },
          { appId: 'product_1', type: 'slideshow' },
        ],
      },
    ],
    ['app.update', { name: 'New', clear: ['brand.handle'] }, { name: 'New', brand: { handle: null } }],
    ['automation.update', { clear: ['until', 'brief'] }, { until: null, brief: null }],
    ['content.create', { metadata: '{"sheet":"may"}' }, { metadata: { sheet: 'may' } }],
    ['content.create', { metadata: 'may' }, { metadata: 'may' }],
  ])('%s sends of %o what was filled in', async (key, given, sent) => {
    const shown = shownFor(key).flatMap(property => [property, ...(property.options ?? [])]);
    // n8n gives each row all fields that it can have.
    const filled = (name: string, value: unknown): unknown => {
      const values = shown.find(one => one.name === name)?.options?.[0]?.values ?? [];
      const empty = Object.fromEntries(values.map(({ name, default: initial }) => [name, initial]));
      return values.length > 0 && Array.isArray(value)
        ? { rows: value.map(row => ({ ...empty, ...row })) }
        : value;
    };
    const all = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, filled(name, value)]));
    let body: unknown;
    await callOperation({
      operation: operations[key],
      parameter: (name: string) => ({ updateFields: all, options: all, ...all })[name] ?? null,
      instant: (value: unknown) => `${value}Z`,
      idempotencyKey: 'key',
      send: async (request: Json) => {
        body = JSON.parse(JSON.stringify(request.body));
        return { status: 200, headers: {}, body: { data: {} } };
      },
    });
    expect(body).toEqual(sent);
  });

  it('derives one key for each item of each run of a node in an execution', () => {
    expect(derivedKey(['flow', '17', 'node', 0, 2])).toBe('n8n-flow-17-node-0-2');
    expect(derivedKey(['x'.repeat(300)]).length).toBeLessThanOrEqual(200);
  });
});

describe('the signature of a delivery', () => {
  const secret = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`;
  const body = Buffer.from('{"type":"job.completed"}');
  const at = new Date('2026-11-22T09:00:00Z');
  const signature = new Webhook(secret).sign('event_1', at, body.toString());
  const headers = {
    'webhook-id': 'event_1',
    'webhook-timestamp': String(at.getTime() / 1_000),
    'webhook-signature': `v1,b2xk ${signature}`,
  };

  it.each([
    ['as it was sent', body, headers, 0, null],
    ['of another body', Buffer.from('{}'), headers, 0, 'no signature matches the secret'],
    ['of six minutes ago', body, headers, 360_000, 'webhook-timestamp is more than 300 s from now'],
    ['without a signature', body, {}, 0, 'the headers of Standard Webhooks are missing'],
    [
      'with nonsense',
      body,
      { ...headers, 'webhook-signature': 'v1, v2,x' },
      0,
      'no signature matches the secret',
    ],
  ])('%s', (_, bytes, given: Record<string, string>, laterMs, complaint) => {
    expect(complaintAbout(bytes, given, secret, at.getTime() + laterMs)).toBe(complaint);
  });
});

describe('the feed', () => {
  const events = Array.from({ length: 250 }, (_, index) => ({
    id: `event_${index}`,
    type: index % 2 === 0 ? 'job.completed' : 'schedule.failed',
    timestamp: new Date(Date.UTC(2026, 10, 22) + index * 1_000).toISOString(),
  }));
  const send: Send = async ({ query }) => {
    const from = Number(query.after ?? 0);
    const isNewest = query.order === 'newest';
    const newest = events.toReversed();
    const data = (isNewest ? newest : events).slice(from, from + Number(query.limit));
    const nextCursor = String(isNewest ? events.length : from + data.length);
    return { status: 200, headers: {}, body: { data, nextCursor } };
  };

  it('is read from its end, whatever time n8n has, and then to its end from the kept position', async () => {
    const types = ['job.completed'];
    const first = await readFeed(send, types, {});
    expect(first.position).toEqual({ after: '250' });
    expect([first.events[0]?.id, first.events.at(-1)?.id]).toEqual(['event_150', 'event_248']);
    expect(await readFeed(send, types, first.position)).toEqual({ events: [], position: first.position });
    events.push({ id: 'event_250', type: 'job.completed', timestamp: '2020-01-01T00:00:00.000Z' });
    const next = await readFeed(send, types, first.position);
    expect([next.events.map(({ id }) => id), next.position]).toEqual([['event_250'], { after: '251' }]);
    expect((await readFeed(send, types, { after: '0' })).events).toHaveLength(126);
  });

  it('is read from its end again after a position that is kept no longer', async () => {
    const error = { code: 'invalid_request', message: 'after must not be older than the 30 days' };
    const refuse: Send = async () => ({ status: 400, headers: {}, body: { error } });
    const position = { after: '0' };
    await expect(readFeed(refuse, [], position)).rejects.toThrow('after must not be older');
    expect(position).toEqual({});
  });
});
