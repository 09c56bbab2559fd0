/** Requests of the node, without anything of n8n: what goes where, pages, and what is made of an error. */

type Kind = 'plain' | 'time' | 'rows' | 'count' | 'json';

export type Field = {
  name: string;
  in: 'path' | 'query' | 'body';
  /** Where it goes; two names are a field of an object within the body. */
  to: readonly string[];
  /** `count`: 0 is "not given". `rows`: a collection of objects. `time`: may lack its zone. `json`: an object as text. */
  kind: Kind;
  /** What a row may leave out: n8n fills it with the empty text. */
  optional?: Readonly<Record<string, Kind>>;
  /** The collection of optional fields that it is in. */
  from?: string;
};

export type Operation = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  answers: 'record' | 'rows' | 'page';
  cursor?: 'cursor' | 'after';
  takesKey?: boolean;
  isUpload?: boolean;
  /** The answer may come before the work is done. */
  waits?: boolean;
  fields: readonly Field[];
};

export type Json = { [name: string]: unknown };

export type Request = {
  method: Operation['method'];
  path: string;
  query: Json;
  headers: Record<string, string>;
  body?: Json | Uint8Array;
};

export type Answer = { status: number; headers: Json; body: unknown };
export type Send = (request: Request) => Promise<Answer>;

export type Call = {
  operation: Operation;
  /** The value of a parameter; null where the operation has none of this name. */
  parameter: (name: string) => unknown;
  send: Send;
  /** Time of a parameter with its zone, as ISO 8601. */
  instant: (value: unknown) => string;
  idempotencyKey: string;
  file?: { bytes: Uint8Array; name: string };
  sleep: (ms: number) => Promise<void>;
};

const rowsPerPage = 100;
const waitMs = 120_000;
const pollEveryMs = 2_000;

/** An answer that is not a success: the API's code and message, or what came instead of them. */
export class HooklineFailure extends Error {
  readonly code: string;
  readonly status: number | null;
  readonly requestId: string | null;

  constructor(message: string, facts: { code: string; status: number | null; requestId: string | null }) {
    super(message);
    this.code = facts.code;
    this.status = facts.status;
    this.requestId = facts.requestId;
  }

  get details(): string {
    return [
      `Code: ${this.code}`,
      ...(this.status === null ? [] : [`status: ${this.status}`]),
      ...(this.requestId === null ? [] : [`request id: ${this.requestId}`]),
    ].join(', ');
  }
}

/** The records that the operation answers. @throws HooklineFailure */
export async function callOperation(call: Call): Promise<Json[]> {
  const { operation, send } = call;
  const request = requestOf(call);
  if (operation.answers === 'page') return readPages(call, request);
  const { data } = await ask(send, request);
  const rows = Array.isArray(data) ? (data as Json[]) : [(data ?? {}) as Json];
  const [first] = rows;
  if (operation.waits === true && call.parameter('wait') === true && first !== undefined) {
    return [await finished(call, first)];
  }
  return rows;
}

/** @throws HooklineFailure unless the answer is an envelope with `data` */
export async function ask(send: Send, request: Request): Promise<Json> {
  const { status, headers, body } = await send(request);
  const envelope = (typeof body === 'object' && body !== null ? body : {}) as Json;
  if (status >= 200 && status < 300 && 'data' in envelope) return envelope;
  const error = (envelope.error ?? {}) as Json;
  const requestId = text(error.requestId) ?? text(headers['x-request-id']);
  const code = text(error.code);
  if (code !== null) throw new HooklineFailure(text(error.message) ?? code, { code, status, requestId });
  throw new HooklineFailure(
    `${request.method} ${request.path} answered ${status} and not with an envelope of Hookline: is the base URL right?`,
    { code: 'no_envelope', status, requestId },
  );
}

/** The same key for every attempt of one item in one run of one node. */
export function derivedKey(parts: readonly (string | number)[]): string {
  return ['n8n', ...parts].join('-').slice(0, 200);
}

function requestOf({ operation, parameter, instant, idempotencyKey, file }: Call): Request {
  const { method, fields } = operation;
  const query: Json = {};
  const body: Json = {};
  let { path } = operation;
  for (const field of fields) {
    const given =
      field.from === undefined ? parameter(field.name) : collected(parameter(field.from), field.name);
    const value = sent(given, field, instant);
    if (field.in === 'path') path = path.replace(`{${field.to[0]}}`, encodeURIComponent(String(value ?? '')));
    else if (value === undefined) continue;
    else if (field.in === 'query') query[field.to[0] ?? ''] = value;
    else put(body, field.to, value);
  }
  for (const path of (collected(parameter('updateFields'), 'clear') ?? []) as string[])
    put(body, path.split('.'), null);
  const headers: Record<string, string> =
    operation.takesKey === true ? { 'idempotency-key': idempotencyKey } : {};
  if (file !== undefined) {
    const form = formOf(file);
    return { method, path, query, headers: { ...headers, 'content-type': form.type }, body: form.bytes };
  }
  const hasBody = method === 'PATCH' || fields.some(field => field.in === 'body');
  return { method, path, query, headers, ...(hasBody ? { body } : {}) };
}

/** Undefined: not sent. n8n has no empty value but the empty text. */
function sent(
  value: unknown,
  { kind, optional = {} }: Pick<Field, 'kind' | 'optional'>,
  instant: Call['instant'],
): unknown {
  if (value === undefined || value === null || value === '') return undefined;
  if (kind === 'count') return value === 0 ? undefined : value;
  if (kind === 'time') return instant(value);
  if (kind === 'json') return readJson(value);
  if (kind !== 'rows') return value;
  const rows = Array.isArray(value) ? (value as Json[]) : (value as { rows?: Json[] }).rows;
  return rows?.map(row => {
    const fields = Object.entries(row).map(([name, inner]) => {
      const own = optional[name];
      return [name, own === undefined ? inner : sent(inner, { kind: own }, instant)];
    });
    return Object.fromEntries(fields);
  });
}

/** A text that is no JSON is left for the API to refuse. */
function readJson(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    return value;
  }
}

function collected(collection: unknown, name: string): unknown {
  return typeof collection === 'object' && collection !== null ? (collection as Json)[name] : undefined;
}

function put(body: Json, [name = '', inner]: readonly string[], value: unknown): void {
  if (inner === undefined) body[name] = value;
  else body[name] = { ...(body[name] as Json | undefined), [inner]: value };
}

async function readPages({ operation, parameter, send }: Call, request: Request): Promise<Json[]> {
  const isBackward = request.query.order === 'newest';
  const cursor = isBackward ? 'before' : (operation.cursor ?? 'cursor');
  const wanted =
    parameter('returnAll') === true ? Number.POSITIVE_INFINITY : Number(parameter('limit') ?? 50);
  const rows: Json[] = [];
  let next: unknown = request.query[cursor];
  while (rows.length < wanted) {
    const limit = Math.min(rowsPerPage, wanted - rows.length);
    const query = { ...request.query, limit, ...(next === undefined ? {} : { [cursor]: next }) };
    const page = await ask(send, { ...request, query });
    const data = page.data as Json[];
    rows.push(...data);
    next = isBackward ? page.previousCursor : page.nextCursor;
    // A feed has a cursor even at its end.
    if (typeof next !== 'string' || data.length < limit) break;
  }
  return rows;
}

/** The deck when it is `ready` or `failed`. @throws HooklineFailure `wait_ran_out` */
async function finished({ send, sleep }: Call, content: Json): Promise<Json> {
  const id = encodeURIComponent(String(content.id));
  const read = async (path: string): Promise<Json> =>
    (await ask(send, { method: 'GET', path, query: {}, headers: {} })).data as Json;
  let { status } = content;
  for (let waited = 0; status !== 'ready' && status !== 'failed'; waited += pollEveryMs) {
    if (waited >= waitMs) {
      throw new HooklineFailure(`${content.id} is still ${status} after ${waitMs / 1_000} seconds.`, {
        code: 'wait_ran_out',
        status: null,
        requestId: null,
      });
    }
    await sleep(pollEveryMs);
    ({ status } = await read(`/jobs/${id}`));
  }
  return content.status === status ? content : read(`/content/${id}`);
}

/** The boundary is fixed, so that a repeat under the same key has the same body. */
function formOf({ bytes, name }: { bytes: Uint8Array; name: string }): { type: string; bytes: Uint8Array } {
  const boundary = 'hookline-n8n-3f1b7c52a9d84e06';
  const filename = name.replaceAll(/[^\w. -]/g, '_');
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`;
  const parts = [Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)];
  return { type: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat(parts) };
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
