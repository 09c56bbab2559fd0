import { errorCatalogue } from '@hookline/shared/contracts';
import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { honoursKey } from '@hookline/shared/contracts/route';
import { describe, expect, it } from 'vitest';
import { buildOpenApi } from './document.ts';
import { errorCodesOf } from './errors.ts';
import { tags } from './texts.ts';

type Operation = {
  operationId: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  requestBody?: { required: boolean };
  responses: Record<string, { $ref?: string; headers?: Record<string, unknown> }>;
};
type Response = {
  headers: Record<string, unknown>;
  content: Record<string, { schema: ErrorSchema; examples: Record<string, unknown> }>;
};
type ErrorSchema = { properties: { error: { properties: { code: { enum: string[] } } } } };

const document = buildOpenApi('https://hookline.internal') as {
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response>; securitySchemes: Record<string, unknown> };
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

describe.each(allRoutes.map(route => [route.id, route] as const))('%s in openapi.json', (id, route) => {
  const operation = operations.get(id) as Operation;

  it('says which status comes with which codes, and no others', () => {
    const wanted = errorCodesOf(route);
    for (const [status, codes] of wanted) {
      const { schema, examples: shown } =
        responseOf(operation, String(status)).content['application/json'] ?? {};
      expect(schema?.properties.error.properties.code.enum).toEqual(codes);
      expect(Object.keys(shown ?? {})).toEqual(codes);
    }
    const successes = [route.status, route.dryRunStatus ?? [], route.optionalSession ? 200 : []].flat();
    expect(Object.keys(operation.responses).sort()).toEqual(
      [...successes, ...wanted.keys()].map(String).sort(),
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
      route.scopes.length > 0 || route.roles !== undefined || id === 'signUp',
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
  it('names the server under its public address, and every tag once', () => {
    expect(document.servers.map(server => server.url)).toEqual(['https://hookline.internal/api/v1']);
    const used = new Set([...operations.values()].flatMap(operation => operation.tags));
    expect(document.tags.map(tag => tag.name).sort()).toEqual([...used].sort());
  });

  it('names every code of the catalogue somewhere', () => {
    const named = Object.values(document.components.responses).flatMap(
      response => response.content['application/json']?.schema.properties.error.properties.code.enum ?? [],
    );
    expect([...new Set(named)].sort()).toEqual(Object.keys(errorCatalogue).sort());
  });

  it('numbers of a query are numbers with their bounds', () => {
    const limit = operations.get('listApps')?.parameters.find(({ name }) => name === 'limit');
    expect(limit?.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 100 });
  });

  it('every reference points to a component', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      match => match[1] ?? '',
    );
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) {
      const [root, ...path] = reference.split('/');
      expect(root).toBe('#');
      expect(document).toHaveProperty(path);
    }
  });

  it('names each parameter of a path', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]);
      for (const operation of Object.values(methods)) {
        const given = operation.parameters.filter(({ in: place }) => place === 'path');
        expect(given.map(({ name }) => name).sort()).toEqual(wanted.sort());
      }
    }
  });
});
