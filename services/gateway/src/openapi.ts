/** The OpenAPI 3.1 document, made from the same contracts that the services validate with. */
import type { RouteContract } from '@hookline/shared/contracts/route';
import { ErrorEnvelope } from '@hookline/shared/envelope';
import { type ErrorCode, errorCatalogue } from '@hookline/shared/errors';
import { z } from 'zod';
import { publicRoutes } from './public-api.ts';

type Json = Record<string, unknown>;
type Components = Map<string, Json>;

/** @param publicUrl address up to, but without, `/api/v1`. */
export function buildOpenApi(publicUrl: string): Json {
  const components: Components = new Map();
  const errorSchema = toSchema(ErrorEnvelope, 'output', components);
  const paths: Record<string, Json> = {};
  for (const { contract } of publicRoutes) {
    if (!contract) continue;
    paths[contract.path] = {
      ...paths[contract.path],
      [contract.method.toLowerCase()]: operation(contract, components, errorSchema),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hookline API',
      version: '1.0.0',
      description:
        'Writes short-form slideshows for an app, holds each behind an approval, renders postable slides, posts them to TikTok as drafts or directly, and tells what happened. Every answer is `{ data }` or `{ error }`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${publicUrl}/api/v1` }],
    tags: [...new Set(publicRoutes.flatMap(({ contract }) => (contract ? [tagOf(contract)] : [])))].map(
      name => ({ name }),
    ),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, `svc_live_...`, minted with `POST /keys`.',
        },
        session: {
          type: 'http',
          scheme: 'bearer',
          description: 'A login session, `sess_...`, from `POST /auth/sign-in`.',
        },
      },
      schemas: Object.fromEntries(components),
    },
  };
}

function operation(contract: RouteContract, components: Components, errorSchema: Json): Json {
  const body = contract.body && toSchema(contract.body, 'input', components);
  const scopes = contract.scopes.length > 0 ? `Scopes: ${contract.scopes.join(', ')}.` : undefined;
  return {
    operationId: contract.id,
    summary: contract.summary,
    ...(scopes ? { description: scopes } : {}),
    tags: [tagOf(contract)],
    security: securityOf(contract),
    parameters: parametersOf(contract, components),
    ...(body
      ? {
          requestBody: {
            required: contract.bodyOptional !== true,
            content: { 'application/json': { schema: body } },
          },
        }
      : {}),
    responses: { ...successOf(contract, components), ...errorsOf(contract, errorSchema) },
  };
}

function securityOf(contract: RouteContract): Json[] {
  if (contract.auth === 'none') return [];
  // OpenAPI 3.1 lets the scopes of a bearer scheme be named as roles.
  return contract.auth === 'key' ? [{ apiKey: [...contract.scopes] }] : [{ session: [] }];
}

function parametersOf(contract: RouteContract, components: Components): Json[] {
  const parameters = [
    ...fieldsOf(contract.params, 'path', components),
    ...fieldsOf(contract.query, 'query', components),
  ];
  // A path parameter whose value nothing reads still has to be named.
  for (const [, name] of contract.path.matchAll(/\{(\w+)\}/g)) {
    if (!parameters.some(parameter => parameter.name === name)) {
      parameters.push({ name, in: 'path', required: true, schema: { type: 'string' } });
    }
  }
  if (contract.idempotency) {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: contract.idempotency === 'required',
      description: 'New for each intended resource; the same value within 24 h answers the same reply.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    });
  }
  return parameters;
}

function fieldsOf(schema: z.ZodType | undefined, place: 'path' | 'query', components: Components): Json[] {
  if (!schema) return [];
  const object = toSchema(schema, 'input', components) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(object.properties ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || (object.required ?? []).includes(name),
    schema: field,
  }));
}

function successOf(contract: RouteContract, components: Components): Json {
  const content = contract.response
    ? { 'application/json': { schema: toSchema(contract.response, 'output', components) } }
    : { 'text/html': { schema: { type: 'string' } } };
  const description = contract.status === 201 ? 'Created' : 'OK';
  return { [contract.status]: { description, headers: requestIdHeader, content } };
}

const requestIdHeader = { 'X-Request-Id': { schema: { type: 'string' } } };

/** One response per status, which names every code that can stand with it. */
function errorsOf(contract: RouteContract, errorSchema: Json): Json {
  const codes = new Map<number, Set<ErrorCode>>();
  const add = (code: ErrorCode, status: number = errorCatalogue[code].status): void => {
    codes.set(status, (codes.get(status) ?? new Set()).add(code));
  };
  add('invalid_request');
  add('rate_limited');
  for (const code of ['internal_error', 'db_error', 'service_unavailable'] as const) add(code);
  if (contract.auth !== 'none') add('unauthorized');
  if (contract.auth === 'key') {
    add('key_revoked');
    add('key_expired');
    if (contract.scopes.length > 0) add('missing_scope');
  }
  if (contract.body) for (const status of [413, 415]) add('invalid_request', status);
  if (contract.idempotency) add('invalid_request', 409);
  for (const code of contract.errors) {
    add(code);
    const entry = errorCatalogue[code];
    if ('otherStatus' in entry) add(code, entry.otherStatus);
  }
  const sorted = [...codes].sort(([left], [right]) => left - right);
  return Object.fromEntries(
    sorted.map(([status, set]) => [
      status,
      {
        description: [...set].map(code => `\`${code}\`: ${errorCatalogue[code].meaning}`).join('; '),
        headers:
          status === 429 || status === 503
            ? { ...requestIdHeader, 'Retry-After': { schema: { type: 'integer', minimum: 1 } } }
            : requestIdHeader,
        content: { 'application/json': { schema: errorSchema } },
      },
    ]),
  );
}

function tagOf(contract: RouteContract): string {
  return contract.path.split('/')[1] ?? '';
}

/** Named schemas go to the components; a name whose two directions differ gets a second one for input. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', components: Components): Json {
  const {
    $schema: _,
    $defs,
    ...root
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json & {
    $defs?: Record<string, Json>;
  };
  const names = new Map<string, string>();
  for (const name of Object.keys($defs ?? {})) names.set(name, name);
  let renamed = withRefs($defs ?? {}, names) as Record<string, Json>;
  for (const [name, definition] of Object.entries(renamed)) {
    const known = components.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
      names.set(name, io === 'input' ? `${name}Input` : `${name}Output`);
    }
  }
  renamed = withRefs($defs ?? {}, names) as Record<string, Json>;
  for (const [name, definition] of Object.entries(renamed)) {
    components.set(names.get(name) ?? name, definition);
  }
  return withRefs(root, names) as Json;
}

function withRefs(node: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(node)) return node.map(item => withRefs(item, names));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key !== '$ref') return [key, withRefs(value, names)];
      const name = String(value).replace('#/$defs/', '');
      return [key, `#/components/schemas/${names.get(name) ?? name}`];
    }),
  );
}
