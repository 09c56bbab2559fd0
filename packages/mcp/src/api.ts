/** The API as the tools see it: one function over HTTP, so that they run in the gateway and beside it. */
import type { ErrorCode } from '@hookline/shared/contracts';

export type ApiAnswer = {
  status: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string | undefined>>;
  /** The parsed body; undefined when it is not JSON. */
  body: unknown;
};

/** @param path under `/api/v1`, with its query */
export type ApiCall = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<ApiAnswer>;

export type Api = {
  call: ApiCall;
  /** Reads a signed image link of an answer; null when it cannot be read. */
  readImage(url: string): Promise<{ bytes: Uint8Array; contentType: string } | null>;
  /** Address of the console without a trailing slash, such as `https://hookline.example/console`. */
  consoleUrl: string;
  /** The same in the workspace of the key, whichever one the reader of the link is in. */
  workspaceUrl(): Promise<string>;
  /** Differs between API keys, so that two keys never share an Idempotency-Key. Not a secret. */
  caller: string;
};

/** An error envelope, or an answer that is none. */
export class ApiFailure extends Error {
  override name = 'ApiFailure';
  readonly status: number;
  readonly code: ErrorCode;
  readonly requestId: string | undefined;
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, headers, body }: ApiAnswer) {
    type Envelope = { error?: { code: ErrorCode; message: string; requestId?: string; param?: string } };
    const given = (body as Envelope | undefined)?.error;
    super(given?.message ?? `The API answered ${status} without an error envelope.`);
    this.status = status;
    this.code = given?.code ?? 'internal_error';
    this.requestId = given?.requestId;
    this.param = given?.param;
    const seconds = Number(headers['retry-after']);
    this.retryAfterSeconds = Number.isInteger(seconds) && seconds > 0 ? seconds : undefined;
  }
}

/** The record that an earlier call with the same Idempotency-Key created is of no use any more. */
export class RecordEnded extends Error {
  override name = 'RecordEnded';
  readonly code: string;
  readonly nextStep: string;

  constructor(code: string, message: string, nextStep: string) {
    super(message);
    this.code = code;
    this.nextStep = nextStep;
  }
}

/** The answer's body. @throws ApiFailure for any status that is not 2xx */
export async function ask<T>(api: Api, ...request: Parameters<ApiCall>): Promise<T> {
  return bodyOf(await api.call(...request));
}

function bodyOf<T>(answer: ApiAnswer): T {
  if (answer.status < 200 || answer.status > 299 || answer.body === undefined) throw new ApiFailure(answer);
  return answer.body as T;
}

/**
 * Creates a record. For a repeat the API answers the record as it was created, so its present state is read;
 * a key that may create but not read gets the former.
 * @param path of the collection, without a query
 * @param once the headers that make the POST safe to repeat
 * @returns `isReplay`: an earlier call created it
 * @throws RecordEnded if it has been deleted since
 */
export async function create<T extends { id: string }>(
  api: Api,
  path: string,
  body: unknown,
  once: Readonly<Record<string, string>>,
): Promise<{ record: T; isReplay: boolean }> {
  const answer = await api.call('POST', path, body, once);
  const { data: created } = bodyOf<{ data: T }>(answer);
  if (answer.headers['idempotent-replayed'] === undefined) return { record: created, isReplay: false };
  try {
    const { data } = await ask<{ data: T }>(api, 'GET', `${path}/${encodeURIComponent(created.id)}`);
    return { record: data, isReplay: true };
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.code === 'missing_scope') return { record: created, isReplay: true };
    if (error.status !== 404) throw error;
    throw new RecordEnded(
      'not_found',
      `An earlier call with these arguments created ${created.id}, which was deleted since.`,
      'Do nothing if that was meant; the same call with another idempotencyKey creates a new one.',
    );
  }
}

/** A query string with its `?`; fields that are undefined are left out. */
export function queryOf(fields: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
}
