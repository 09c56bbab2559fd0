/** The OpenAPI 3.1 document, built from the contracts that the services validate with. */
import { isDeepStrictEqual } from 'node:util';
import { honoursKey, idempotencyKeyPattern, type NamedRoute } from '@hookline/shared/contracts/route';
import { publicRoutes } from '../../public-api.ts';
import { type DocumentParts, errorResponses, page, requestIdHeader } from './errors.ts';
import { type Components, type Json, toSchema } from './schemas.ts';
import { apiDescription, describeOperation, tags } from './texts.ts';
import { webhooksOf } from './webhooks.ts';

export function buildOpenApi(publicUrl: string): Json {
  const parts: DocumentParts = { schemas: new Map(), responses: new Map() };
  const contracts = publicRoutes.flatMap(({ contract, isConsole }) =>
    contract && !isConsole ? [contract] : [],
  );
  for (const contract of contracts) answerSchema(contract, parts.schemas);
  const webhooks = webhooksOf(parts.schemas);
  const paths: Record<string, Json> = {};
  for (const contract of contracts) {
    const method = contract.method.toLowerCase();
    paths[contract.path] = { ...paths[contract.path], [method]: operation(contract, parts) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hookline API',
      version: '1.0.0',
      description: apiDescription,
      contact: { name: 'The operator of this Hookline', url: `${publicUrl}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: `${publicUrl}/api/v1`,
        description: 'Production; there is no other environment',
        'x-internal': false,
      },
    ],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key, `svc_live_...`, created with `POST /keys`. Each operation names its scopes.',
        },
        session: {
          type: 'http',
          scheme: 'bearer',
          description: 'A login session, `sess_...`, from `POST /auth/sign-in`.',
        },
      },
      headers: sharedHeaders,
      schemas: Object.fromEntries(parts.schemas),
      responses: Object.fromEntries(parts.responses),
    },
  };
}

const sharedHeaders = {
  RequestId: {
    description: 'Unique per request; the same as `error.requestId`. Quote it when you ask for help.',
    required: true,
    schema: { type: 'string', maxLength: 64, pattern: '^req_[0-9A-Za-z_-]{1,32}$' },
  },
  RetryAfter: {
    description: 'Seconds to wait. A request sent after that time is accepted.',
    required: true,
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 86_400 },
  },
  IdempotentReplayed: {
    description:
      '`true` when this is the stored response to an earlier request with the same `Idempotency-Key`.',
    required: false,
    schema: { type: 'string', enum: ['true'] },
  },
};

function operation(contract: NamedRoute, parts: DocumentParts): Json {
  return {
    operationId: contract.id,
    summary: contract.summary,
    description: describeOperation(contract),
    tags: [tagOf(contract)],
    security: securityOf(contract),
    'x-scopes': contract.scopes,
    ...(contract.idempotency ? { 'x-idempotency': contract.idempotency } : {}),
    parameters: parametersOf(contract, parts.schemas),
    ...requestBodyOf(contract, parts.schemas),
    responses: {
      ...successesOf(contract, parts.schemas),
      ...errorResponses(contract, parts),
    },
  };
}

function securityOf(contract: NamedRoute): Json[] {
  if (contract.optionalSession) return [{}, { session: [] }];
  if (contract.auth === 'none') return [];
  return contract.auth === 'key' ? [{ apiKey: [] }] : [{ session: [] }];
}

const uploadSchema = (bytesMax: number): Json => ({
  type: 'object',
  required: ['file'],
  properties: {
    file: {
      ...{ type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' },
      maxLength: bytesMax,
    },
  },
});

function requestBodyOf(contract: NamedRoute, schemas: Components): Json {
  if (contract.upload) {
    const schema = uploadSchema(contract.upload.bytesMax);
    const example = { file: 'the bytes of a JPEG, PNG or WebP' };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema, example } } } };
  }
  if (!contract.body) return {};
  const schema = toSchema(contract.body, contract.method === 'POST' ? 'post' : 'change', schemas);
  const content = { 'application/json': { schema, example: contract.example.body } };
  return { requestBody: { required: contract.bodyOptional !== true, content } };
}

function parametersOf(contract: NamedRoute, schemas: Components): Json[] {
  const parameters = [...fieldsOf(contract, 'path', schemas), ...fieldsOf(contract, 'query', schemas)];
  if (honoursKey(contract)) {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: contract.idempotency === 'required',
      description:
        'A new value for each resource that you intend to create. A retry with the same value and body within 24 h gets the stored response; with another body it is refused.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: idempotencyKeyPattern },
      example: '5f0c7a52-3c1e-4c57-9a39-0c1f7d3f8a11',
    });
  }
  return parameters;
}

/** Query numbers arrive as text; the document names the type they are parsed to. Times stay text. */
function fieldsOf(contract: NamedRoute, place: 'path' | 'query', schemas: Components): Json[] {
  const source = place === 'path' ? contract.params : contract.query;
  if (!source) return [];
  const object = toSchema(source, place === 'path' ? 'change' : 'answer', schemas) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const asSent = toSchema(source, 'change', schemas).properties as Record<string, Json>;
  return Object.entries(object.properties ?? {}).map(([name, parsed]) => {
    const { description } = parsed;
    // The result of a transformation has no schema.
    const { examples, ...field } = { ...('type' in parsed ? parsed : asSent[name]) };
    const { description: _, ...schema } = field;
    return {
      name,
      in: place,
      required: place === 'path' || (object.required ?? []).includes(name),
      description,
      schema,
      ...(Array.isArray(examples) ? { example: examples[0] } : {}),
    };
  });
}

function successesOf(contract: NamedRoute, schemas: Components): Json {
  const success = successOf(contract, schemas);
  if (contract.optionalSession) {
    return { 200: { ...success, description: 'With a session' }, [contract.status]: success };
  }
  if (contract.dryRunStatus === undefined) return { [contract.status]: success };
  const dryRun = successOf(contract, schemas, withoutRecordId(contract.example.response));
  const description = 'The record that would have been created. Nothing was written.';
  return { [contract.dryRunStatus]: { ...dryRun, description }, [contract.status]: success };
}

function withoutRecordId(answer: unknown): unknown {
  const { data } = answer as { data: Json };
  return { data: { ...data, id: null } };
}

/** 33 slides and their texts take less. */
const fileBytesMax = 100_000_000;

function successOf(contract: NamedRoute, schemas: Components, example = contract.example.response): Json {
  const headers = honoursKey(contract)
    ? { ...requestIdHeader, 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } }
    : requestIdHeader;
  const description = { 200: 'OK', 201: 'Created', 202: 'Accepted' }[contract.status];
  if (contract.produces) {
    const file = { schema: { type: 'string', format: 'binary', maxLength: fileBytesMax } };
    return { description: 'The file', headers, content: { [contract.produces]: file } };
  }
  const schema = answerSchema(contract, schemas);
  if (!schema) {
    return {
      description: 'A page for the person who connects the account',
      headers,
      content: { 'text/html': page },
    };
  }
  return { description, headers, content: { 'application/json': { schema, example } } };
}

/**
 * A reference to the named answer of a route: `AppResponse` holds one `App`, `AppList` several. An answer
 * without a named record has the name of its operation. Null for a page.
 */
function answerSchema(contract: NamedRoute, schemas: Components): Json | null {
  if (!contract.response) return null;
  const schema = toSchema(contract.response, 'answer', schemas);
  const { data } = schema.properties as { data: Json & { items?: Json } };
  const record = nameIn(data);
  const item = nameIn(data.items);
  const ofOperation = `${contract.id.charAt(0).toUpperCase()}${contract.id.slice(1)}Response`;
  const name = record ? `${record}Response` : item ? `${item}List` : ofOperation;
  const present = schemas.get(name);
  const free = present === undefined || isDeepStrictEqual(present, schema) ? name : ofOperation;
  schemas.set(free, schema);
  return { $ref: `#/components/schemas/${free}` };
}

function nameIn(schema: Json | undefined): string | undefined {
  return typeof schema?.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
}

function tagOf(contract: NamedRoute): string {
  return contract.path.split('/')[1] ?? '';
}
