import { type Fields, fieldsOf, type PlatformAnswer, parseFields, textOf } from '@hookline/shared/http';
import type { Answer } from './carrier.rules.ts';

/** The body decides: success carries an `error` too, with code `ok`. */
export function readEnvelope(raw: PlatformAnswer): Answer<Fields> {
  if (raw.kind !== 'answered') return raw;
  const body = parseFields(raw.text);
  const error = fieldsOf(body?.error);
  const code = textOf(error.code);
  if (!body || !code) return { kind: 'ambiguous', reason: `status ${raw.status} without a readable answer` };
  if (code === 'ok') return { kind: 'ok', value: fieldsOf(body.data) };
  // A 5xx does not say whether the work was done.
  if (raw.status >= 500 || code === 'internal_error') return { kind: 'ambiguous', reason: code };
  const message = textOf(error.message) || code;
  return { kind: 'refused', code, message, logId: textOf(error.log_id) ?? '', status: raw.status };
}

/** TikTok has trouble of its own, or limits us: it refused nothing. */
const passingErrors = new Set(['server_error', 'temporarily_unavailable', 'rate_limit_exceeded']);

/** OAuth errors are flat, with `error` a string, and occur with status 200 as well as 400. */
export function readOauthAnswer(raw: PlatformAnswer): Answer<Fields> {
  if (raw.kind !== 'answered') return raw;
  if (raw.status === 200 && raw.text.trim() === '') return { kind: 'ok', value: {} };
  const body = parseFields(raw.text);
  if (!body) return { kind: 'ambiguous', reason: `status ${raw.status} without a readable answer` };
  const nested = fieldsOf(body.error);
  const code = textOf(body.error) ?? textOf(nested.code);
  if (code && code !== 'ok') {
    const isPassing = raw.status >= 500 || raw.status === 429 || passingErrors.has(code);
    if (isPassing) return { kind: 'ambiguous', reason: code };
    const message = textOf(body.error_description) || textOf(nested.message) || code;
    return { kind: 'refused', code, message, logId: textOf(body.log_id) ?? '', status: raw.status };
  }
  if (raw.status >= 400) return { kind: 'ambiguous', reason: `status ${raw.status} without an error code` };
  return { kind: 'ok', value: body };
}
