/**
 * `X-Service-Signature` is that of API-6, keyed with the whole secret string. The three headers of Standard
 * Webhooks 1.0.0 are keyed with the bytes that the base64 after `whsec_` encodes.
 */
import { createHmac } from 'node:crypto';

/** @param secrets the current one first, then those still in overlap */
export function signatureHeaders(
  secrets: readonly string[],
  eventId: string,
  at: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signed = `${eventId}.${timestamp}.${body}`;
  const serviceSignatures = secrets.map(secret => createHmac('sha256', secret).update(body).digest('hex'));
  const [current = '', previous] = serviceSignatures;
  return {
    'x-service-signature': current,
    // The spec's header has one value, so during an overlap the replaced secret signs in a separate header.
    ...(previous === undefined ? {} : { 'x-service-signature-previous': previous }),
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(secret => `v1,${standardSignature(secret, signed)}`).join(' '),
  };
}

function standardSignature(secret: string, signed: string): string {
  const key = secret.slice('whsec_'.length);
  // Node takes 2 µs with a string as the key, and 10 µs with the bytes that it encodes.
  return createHmac('sha256', key, { encoding: 'base64' }).update(signed).digest('base64');
}
