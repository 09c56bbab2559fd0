/**
 * What the SDKs are made from: the OpenAPI document's schemas, and each operation with its place in a client.
 */
import { buildOpenApi } from '@hookline/gateway/documents';
import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { honoursKey, type NamedRoute } from '@hookline/shared/contracts/route';
import { publicEvents } from '@hookline/shared/events';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: boolean | Schema;
};

export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
};

export type SdkOperation = {
  contract: NamedRoute;
  /** `content` in `hookline.content.create()`. */
  resource: string;
  method: string;
  isForKeys: boolean;
  pathParameters: Parameter[];
  query: Parameter[];
  /** Name of the body's schema. */
  body?: string;
  isBodyOptional: boolean;
  isUpload: boolean;
  takesKey: boolean;
  /** `page`: a list with a cursor, given in the parameter `cursor`; `rows`: all rows at once. */
  answers: { kind: 'record' | 'rows' | 'page'; schema: Schema; cursor?: 'cursor' | 'after' };
};

export type SdkModel = { schemas: Record<string, Schema>; operations: SdkOperation[] };

type Media = { schema: Schema };
type Operation = {
  parameters: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Names that the rule of `methodOf` would not make. */
const methodNames: Readonly<Record<string, string>> = {
  editContent: 'update',
  getAnalyticsSummary: 'summary',
  getVideoAnalytics: 'video',
  listLedger: 'ledger',
};

/** The page for a browser, and the one that is always 501, have no method. */
const leftOut: readonly string[] = ['tiktokCallback', 'remixContent'];

export function sdkModel(): SdkModel {
  const document = buildOpenApi('https://hookline.internal') as unknown as Document;
  const { schemas } = document.components;
  const operations = allRoutes
    .filter(({ id }) => !leftOut.includes(id))
    .map(contract => {
      const operation = document.paths[contract.path]?.[contract.method.toLowerCase()];
      if (!operation) throw new Error(`${contract.id} is not in the document`);
      return operationOf(contract, operation, schemas);
    });
  return { schemas, operations };
}

function operationOf(
  contract: NamedRoute,
  { parameters, requestBody, responses }: Operation,
  schemas: Record<string, Schema>,
): SdkOperation {
  const body = requestBody?.content['application/json']?.schema;
  const query = parameters.filter(({ in: place }) => place === 'query');
  const content = responses[contract.status]?.content;
  const file = contract.produces && content?.[contract.produces]?.schema;
  const data = file ?? schemas[nameOf(content?.['application/json']?.schema)]?.properties?.data ?? {};
  const cursor = query.find(({ name }) => name === 'cursor' || name === 'after')?.name;
  const kind = data.items === undefined ? 'record' : cursor === undefined ? 'rows' : 'page';
  const resource = contract.path.split('/')[1] ?? '';
  return {
    contract,
    resource,
    method: methodOf(contract.id, resource),
    isForKeys: contract.auth === 'key',
    pathParameters: parameters.filter(({ in: place }) => place === 'path'),
    query,
    ...(body === undefined ? {} : { body: nameOf(body) }),
    isBodyOptional: contract.bodyOptional === true,
    isUpload: contract.upload !== undefined,
    takesKey: honoursKey(contract),
    answers: {
      kind,
      schema: named(data.items ?? data, contract.id, schemas),
      ...(cursor === undefined ? {} : { cursor: cursor as 'cursor' | 'after' }),
    },
  };
}

/** A reference to the record; one without a name gets that of its operation, and is added to `schemas`. */
function named(schema: Schema, id: string, schemas: Record<string, Schema>): Schema {
  if (schema.properties === undefined) return schema;
  const name = `${capital(id)}Result`;
  schemas[name] = schema;
  return { $ref: `#/components/schemas/${name}` };
}

/** `createContent` of `content` is `create`, `listFirings` of `automations` stays. */
function methodOf(id: string, resource: string): string {
  const noun = capital(resource.replace(/s$/, ''));
  return methodNames[id] ?? (id.replace(new RegExp(`${noun}s?(?=[A-Z]|$)`), '') || id);
}

/** The name of the component that a schema refers to. @throws Error if it is not a reference */
export function nameOf(schema: Schema | undefined): string {
  const name = schema?.$ref?.split('/').at(-1);
  if (name === undefined) throw new Error(`${JSON.stringify(schema)} is not a reference`);
  return name;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Names of the schemas that the operations use, directly or not, without the envelopes. Sorted. */
export function recordNames({ schemas, operations }: SdkModel): string[] {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    for (const [, name = ''] of JSON.stringify(node ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      visit(schemas[name]);
    }
  };
  for (const { body, answers } of operations) {
    visit(answers.schema);
    if (body !== undefined) visit({ $ref: `#/components/schemas/${body}` });
  }
  return [...found].sort();
}

/** A parameter that is `true` or `false` as text. */
export function isFlag({ schema }: Parameter): boolean {
  return schema.enum?.length === 2 && schema.enum.includes('true') && schema.enum.includes('false');
}

/** Names of the schemas of the public events. */
export function eventNames({ schemas }: SdkModel): string[] {
  return publicEvents.map(({ type }) => {
    const name = Object.keys(schemas).find(
      key => key.endsWith('Event') && schemas[key]?.properties?.type?.const === type,
    );
    if (name === undefined) throw new Error(`${type} has no schema`);
    return name;
  });
}
