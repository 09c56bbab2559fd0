/** One request to an external platform and its outcome: answered, never sent, or unknown. */
import { Agent, type buildConnector, type Dispatcher, request } from 'undici';
import { neverConnected } from '../kernel/index.ts';

/**
 * `unreachable`: nothing was sent, so the same call is safe. `ambiguous`: sent, without a readable answer: it
 * may have been carried out.
 */
export type PlatformAnswer =
  | { kind: 'answered'; status: number; text: string; headers: Record<string, string | string[] | undefined> }
  | { kind: 'unreachable'; reason: string }
  | { kind: 'ambiguous'; reason: string };

export type PlatformRequest = {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
  timeoutMs: number;
  /** Called when the connection is open, just before the first byte is sent; false: nothing is sent. */
  mayStart?: () => boolean;
};

const answerBytesMax = 1_000_000;

// Before any byte of the request was sent, besides `neverConnected`.
const neverSent = new Set(['UND_ERR_CONNECT_TIMEOUT', 'NOT_STARTED']);

/** @param connect dials in place of undici's own connector */
export function createPlatformAgent(connections = 32, connect?: buildConnector.connector): Agent {
  // No keep-alive: a socket that the platform closes at that moment would make a call ambiguous for nothing.
  return new Agent({
    connections,
    pipelining: 0,
    connect: connect ?? { timeout: 3_000 },
    maxResponseSize: answerBytesMax,
  });
}

/**
 * Never throws and follows no redirect. A reason names the kind of fault, never the address, which may
 * contain a secret.
 */
export async function askPlatform(agent: Agent, asked: PlatformRequest): Promise<PlatformAnswer> {
  try {
    const answer = await request(asked.url, {
      method: asked.method,
      headers: asked.headers,
      ...(asked.body === undefined ? {} : { body: asked.body }),
      dispatcher: asked.mayStart ? agent.compose(startOnlyIf(asked.mayStart)) : agent,
      signal: AbortSignal.timeout(asked.timeoutMs),
    });
    const { statusCode: status, headers, body } = answer;
    return { kind: 'answered', status, text: await body.text(), headers };
  } catch (error) {
    // A timeout is a DOMException, whose numeric code is useless in a log.
    const { code: given, name } = error as { code?: unknown; name: string };
    const code = typeof given === 'string' ? given : '';
    const reason = code || name;
    const isUnsent = neverConnected(error) || neverSent.has(code);
    return isUnsent ? { kind: 'unreachable', reason } : { kind: 'ambiguous', reason };
  }
}

/**
 * A process may be suspended between the decision to call and the connection, so the permission is checked
 * again.
 */
function startOnlyIf(mayStart: () => boolean): Dispatcher.DispatcherComposeInterceptor {
  return dispatch => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        if (mayStart()) handler.onRequestStart?.(controller, context);
        else
          controller.abort(Object.assign(new Error('the right to call was lost'), { code: 'NOT_STARTED' }));
      },
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });
}

export type Fields = Record<string, unknown>;

/**
 * Parses JSON, keeping integers beyond a number's precision as strings: post ids have 19 digits.
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(context?.source ?? '')
      ? context?.source
      : value;
  return JSON.parse(text, keepDigits);
}

/** The text as a JSON object, or null. */
export function parseFields(text: string): Fields | null {
  try {
    const value = parseExactJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}

/** The value as an object; an empty one for anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** With U+FFFD for what Postgres stores in no text: an answer must not fail the write that settles the call. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD').toWellFormed() : null;
}
