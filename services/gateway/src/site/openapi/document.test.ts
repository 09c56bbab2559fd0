import { errorCatalogue } from '@hookline/shared/contracts';
import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { honoursKey } from '@hookline/shared/contracts/route';
import { publicEventTypes } from '@hookline/shared/contracts/webhooks';
import { publicEvents } from '@hookline/shared/events';
import { describe, expect, it } from 'vitest';
import { buildOpenApi } from './document.ts';
import { errorCodesOf } from './errors.ts';
import { tags } from './texts.ts';

type Operation = {
  operationId: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: Record<string, unknown>;
  }[];
  requestBody?: { required: boolean; content: Media };
  responses: Record<string, { $ref?: string; headers?: Record<string, unknown>; content?: Media }>;
  'x-scopes'?: string[];
  'x-idempotency'?: string;
};
type Response = {
  headers: Record<string, unknown>;
  content: Record<string, { schema: { $ref?: string }; examples: Record<string, unknown> }>;
};
type ErrorSchema = { properties: { error: { properties: { code: { enum: string[] } } } } };
type Schema = { additionalProperties?: unknown; properties?: Record<string, unknown> };
type Media = Record<string, { schema: { $ref?: string }; example?: unknown; examples?: unknown }>;

const document = buildOpenApi('https://hookline.internal') as {
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { requestBody: { content: Media } } }>;
  components: {
    responses: Record<string, Response>;
    schemas: Record<string, Schema>;
    securitySchemes: Record<string, unknown>;
  };
};
const operations = new Map(
  Object.values(document.paths)
    .flatMap(path => Object.values(path))
    .map(operation => [operation.operationId, operation]),
);
const responseOf = (operation: Operation, status: string): Response => {
  const name = operation.responses[status]?.$ref?.split('/').at(-1) ?? '';
  const found = document.components.responses[name];
  if (!found) throw new Error(`${operation.operationId} has no response ${status}`);
  return found;
};

/** The names of the components that the nodes refer to, directly or not. */
function reachable(nodes: unknown[]): Set<string> {
  const names = new Set<string>();
  const open = [...nodes];
  while (open.length > 0) {
    const references = JSON.stringify(open.pop()).matchAll(/"#\/components\/schemas\/(\w+)"/g);
    for (const [, name = ''] of references) {
      if (names.has(name)) continue;
      names.add(name);
      open.push(document.components.schemas[name]);
    }
  }
  return names;
}

describe.each(allRoutes.map(route => [route.id, route] as const))('%s in openapi.json', (id, route) => {
  const operation = operations.get(id) as Operation;

  it('says which status comes with which codes, and no others', () => {
    const wanted = errorCodesOf(route);
    for (const [status, codes] of wanted) {
      const { schema, examples: shown } =
        responseOf(operation, String(status)).content['application/json'] ?? {};
      expect(schema).toEqual({ $ref: '#/components/schemas/Error' });
      expect(Object.keys(shown ?? {})).toEqual(codes);
    }
    const successes = [route.status, route.dryRunStatus ?? [], route.optionalSession ? 200 : []].flat();
    expect(Object.keys(operation.responses).sort()).toEqual(
      [...new Set([...successes, ...wanted.keys()])].map(String).sort(),
    );
    for (const code of route.errors) expect([...wanted.values()].flat()).toContain(code);
  });

  it('has the common codes of its kind of caller', () => {
    const codes = [...errorCodesOf(route).values()].flat();
    for (const code of [
      'invalid_request',
      'rate_limited',
      'internal_error',
      'db_error',
      'service_unavailable',
    ]) {
      expect(codes).toContain(code);
    }
    expect(codes.includes('key_revoked')).toBe(route.auth === 'key');
    expect(codes.includes('unauthorized')).toBe(
      route.auth !== 'none' || id === 'signIn' || route.optionalSession === true,
    );
    expect(codes.includes('missing_scope')).toBe(
      route.scopes.length > 0 || route.roles !== undefined || ['signUp', 'decideByReviewLink'].includes(id),
    );
  });

  it('carries X-Request-Id on every answer, Retry-After where waiting helps', () => {
    for (const [status, given] of Object.entries(operation.responses)) {
      const headers = (given.$ref ? responseOf(operation, status) : given).headers ?? {};
      expect(headers).toHaveProperty('X-Request-Id');
      expect('Retry-After' in headers).toBe(status === '429' || status === '503');
    }
  });

  it('says who may call it, in a tag and in its description', () => {
    const scheme = { key: [{ apiKey: [] }], session: [{ session: [] }], none: [] }[route.auth];
    expect(operation.security).toEqual(route.optionalSession ? [{}, { session: [] }] : scheme);
    expect(Object.keys(tags)).toContain(operation.tags[0]);
    for (const scope of route.scopes) expect(operation.description).toContain(scope);
    expect(operation['x-scopes']).toEqual(route.scopes);
    expect(operation['x-idempotency']).toBe(route.idempotency);
  });

  it('has a named answer, and an example of each body', () => {
    const media = Object.values(operation.responses[route.status]?.content ?? {});
    const bodies = Object.values(operation.requestBody?.content ?? {});
    for (const body of [...(route.produces ? [] : media), ...bodies]) expect(body.example).toBeDefined();
    expect(media).toHaveLength(1);
    if (route.response) expect(media[0]?.schema.$ref).toMatch(/(Response|List)$/);
    if (route.body) expect(bodies[0]?.schema.$ref).toBeDefined();
  });

  it('asks for Idempotency-Key as the contract does', () => {
    const header = operation.parameters.find(({ name }) => name === 'Idempotency-Key');
    expect(header?.required).toBe(honoursKey(route) ? route.idempotency === 'required' : undefined);
    expect('Idempotent-Replayed' in (operation.responses[route.status]?.headers ?? {})).toBe(Boolean(header));
    // A POST that may be sent without a key can have an unknown outcome, and must document it.
    expect('504' in operation.responses).toBe(route.method === 'POST' && route.idempotency !== 'required');
  });
});

describe('openapi.json', () => {
  it('names every code of the catalogue in the error, and some answer shows it', () => {
    const shown = Object.values(document.components.responses).flatMap(response =>
      Object.keys(response.content['application/json']?.examples ?? {}),
    );
    const codes = Object.keys(errorCatalogue).sort();
    expect([...new Set(shown)].sort()).toEqual(codes);
    const { properties } = document.components.schemas.Error as ErrorSchema;
    expect([...properties.error.properties.code.enum].sort()).toEqual(codes);
  });

  it('answers accept fields that are added later, bodies refuse unknown ones', () => {
    const ofAnswers = reachable([
      ...Object.values(document.components.responses),
      ...[...operations.values()].map(({ responses }) => responses),
      ...Object.values(document.webhooks),
    ]);
    const ofBodies = reachable([...operations.values()].map(({ requestBody }) => requestBody ?? {}));
    expect(ofAnswers.size).toBeGreaterThan(50);
    expect(ofBodies.size).toBeGreaterThan(20);
    for (const name of ofAnswers) {
      expect([name, JSON.stringify(document.components.schemas[name])]).not.toEqual([
        name,
        expect.stringContaining('"additionalProperties":false'),
      ]);
    }
    for (const name of ofBodies) {
      expect([name, document.components.schemas[name]?.additionalProperties]).toEqual([name, false]);
    }
  });

  it('has a webhook for each public event, with its payload and an example that it accepts', () => {
    expect(Object.keys(document.webhooks)).toEqual([...publicEventTypes]);
    for (const { type, payload, example } of publicEvents) {
      expect(payload.safeParse(example).error).toBeUndefined();
      const media = document.webhooks[type]?.post.requestBody.content['application/json'];
      expect(media?.example).toEqual(example);
      const name = media?.schema.$ref?.split('/').at(-1) ?? '';
      expect(document.components.schemas[name]?.properties).toHaveProperty('data');
    }
  });

  it('every parameter has a type and a description', () => {
    for (const { operationId, parameters } of operations.values()) {
      const lacking = parameters.filter(({ schema, description }) => !schema.type || !description);
      expect([operationId, lacking.map(({ name }) => name)]).toEqual([operationId, []]);
    }
  });
});

it.each(['updateWorkspace', 'deleteSchedule', 'updateWebhook'])(
  '%s names the 409 of a frozen workspace',
  id => {
    const route = allRoutes.find(candidate => candidate.id === id);
    expect(route && errorCodesOf(route).get(409)).toContain('invalid_request');
  },
);
