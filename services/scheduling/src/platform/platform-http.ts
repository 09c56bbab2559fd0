/** One request to TikTok, and what can be said of it afterwards: answered, never sent, or unknown. */
import { Agent, request } from 'undici';

export type Refused = { kind: 'refused'; code: string; message: string; logId: string; status: number };

/**
 * `unreachable`: nothing was sent, so the same call is safe. `ambiguous`: sent, and no readable answer came (or a
 * 5xx): it may have been done.
 */
export type Answer<T> =
  | { kind: 'ok'; value: T }
  | Refused
  | { kind: 'unreachable'; reason: string }
  | { kind: 'ambiguous'; reason: string };

export type RawAnswer = { kind: 'answered'; status: number; text: string } | Exclude<Answer<never>, Refused>;

export type PlatformRequest = {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
  timeoutMs: number;
};

const answerBytesMax = 1_000_000;

// Errors of the way to the platform: no byte of the request had left.
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function createPlatformAgent(): Agent {
  // No keep-alive: a socket that the other side closes just then would make a call ambiguous for nothing.
  return new Agent({
    connections: 32,
    pipelining: 0,
    connect: { timeout: 3_000 },
    maxResponseSize: answerBytesMax,
  });
}

export async function askPlatform(agent: Agent, asked: PlatformRequest): Promise<RawAnswer> {
  try {
    const answer = await request(asked.url, {
      method: asked.method,
      headers: asked.headers,
      ...(asked.body === undefined ? {} : { body: asked.body }),
      dispatcher: agent,
      signal: AbortSignal.timeout(asked.timeoutMs),
    });
    return { kind: 'answered', status: answer.statusCode, text: await answer.body.text() };
  } catch (error) {
    const { code = '', name } = error as { code?: string; name: string };
    const reason = code || name;
    return neverSent.has(code) ? { kind: 'unreachable', reason } : { kind: 'ambiguous', reason };
  }
}

type Fields = Record<string, unknown>;

/**
 * Parses JSON keeping integers that a number cannot hold as strings: post ids have 19 digits.
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(context?.source ?? '')
      ? context?.source
      : value;
  return JSON.parse(text, keepDigits);
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Decides on the body: success carries an `error` too, with code `ok`. */
export function readEnvelope(raw: RawAnswer): Answer<Fields> {
  if (raw.kind !== 'answered') return raw;
  const body = parseFields(raw.text);
  const error = fieldsOf(body?.error);
  const code = textOf(error.code);
  if (!body || !code) return { kind: 'ambiguous', reason: `status ${raw.status} without a readable answer` };
  if (code === 'ok') return { kind: 'ok', value: fieldsOf(body.data) };
  // A 5xx tells nothing about whether the work was done.
  if (raw.status >= 500 || code === 'internal_error') return { kind: 'ambiguous', reason: code };
  const message = textOf(error.message) || code;
  return { kind: 'refused', code, message, logId: textOf(error.log_id) ?? '', status: raw.status };
}

/** OAuth errors are flat, `error` being a string, and were seen with status 200 as well as 400. */
export function readOauthAnswer(raw: RawAnswer): Answer<Fields> {
  if (raw.kind !== 'answered') return raw;
  if (raw.status === 200 && raw.text.trim() === '') return { kind: 'ok', value: {} };
  const body = parseFields(raw.text);
  if (!body) return { kind: 'ambiguous', reason: `status ${raw.status} without a readable answer` };
  const nested = fieldsOf(body.error);
  const code = textOf(body.error) ?? textOf(nested.code);
  if (code && code !== 'ok') {
    const message = textOf(body.error_description) || textOf(nested.message) || code;
    return { kind: 'refused', code, message, logId: textOf(body.log_id) ?? '', status: raw.status };
  }
  if (raw.status >= 400) return { kind: 'ambiguous', reason: `status ${raw.status} without an error code` };
  return { kind: 'ok', value: body };
}

function parseFields(text: string): Fields | null {
  try {
    const value = parseExactJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}
