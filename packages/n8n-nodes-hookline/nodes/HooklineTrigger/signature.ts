/** The signature of Standard Webhooks, which every delivery carries. */
import { createHmac, timingSafeEqual } from 'node:crypto';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const toleranceSeconds = 300;

/**
 * Null for a delivery that the secret signed in the last five minutes; else what is wrong with it.
 * @param body the bytes as received
 * @param nowMs milliseconds since 1970
 */
export function complaintAbout(
  body: Uint8Array,
  headers: Headers,
  secret: string,
  nowMs: number,
): string | null {
  const id = one(headers['webhook-id']);
  const timestamp = one(headers['webhook-timestamp']);
  const signatures = one(headers['webhook-signature']);
  if (id === '' || timestamp === '' || signatures === '')
    return 'the headers of Standard Webhooks are missing';
  const isRecent = Math.abs(nowMs / 1_000 - Number(timestamp)) <= toleranceSeconds;
  if (!isRecent) return `webhook-timestamp is more than ${toleranceSeconds} s from now`;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  // While a secret is rotated there is a signature for each.
  const isSigned = signatures.split(' ').some(part => {
    const given = Buffer.from(part.startsWith('v1,') ? part.slice(3) : '', 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned ? null : 'no signature matches the secret';
}

const one = (value: string | readonly string[] | undefined): string =>
  typeof value === 'string' ? value : (value?.[0] ?? '');
