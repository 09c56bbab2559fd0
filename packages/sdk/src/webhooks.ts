/** Verification of deliveries, for receivers. */
import type { HooklineEvent } from './generated/types.ts';

export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError';
}

export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** How far the delivery's time may be from now. Default 300. */
  toleranceSeconds?: number | undefined;
  /**
   * `standard`: the headers of Standard Webhooks, which carry the time. `service`: `X-Service-Signature` of
   * the body alone, which does not protect from a repeat of an old delivery. Default `standard`.
   */
  signature?: 'standard' | 'service' | undefined;
};

const encoder = new TextEncoder();

/**
 * Checks the signature of a delivery and returns its event.
 * @param body the bytes as received, before any JSON parser
 * @param secret `whsec_...`; several while a secret is being rotated
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<HooklineEvent> {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const secrets = [secret].flat();
  const isGenuine =
    options.signature === 'service'
      ? await hasServiceSignature(bytes, headers, secrets)
      : await hasStandardSignature(bytes, headers, secrets, options.toleranceSeconds ?? 300);
  if (!isGenuine) throw new WebhookVerificationError('No signature of the delivery matches a secret.');
  return JSON.parse(new TextDecoder().decode(bytes)) as HooklineEvent;
}

async function hasStandardSignature(
  body: Uint8Array,
  headers: WebhookHeaders,
  secrets: readonly string[],
  toleranceSeconds: number,
): Promise<boolean> {
  const id = required(headers, 'webhook-id');
  const timestamp = required(headers, 'webhook-timestamp');
  const given = required(headers, 'webhook-signature')
    .split(' ')
    .flatMap(part => (part.startsWith('v1,') ? [fromBase64(part.slice(3))] : []));
  const ageSeconds = Date.now() / 1_000 - Number(timestamp);
  if (!(Math.abs(ageSeconds) <= toleranceSeconds)) {
    throw new WebhookVerificationError(`webhook-timestamp is more than ${toleranceSeconds} s from now.`);
  }
  const head = encoder.encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  return matchesAny(
    secrets.map(secret => fromBase64(secret.replace(/^whsec_/, ''))),
    given,
    signed,
  );
}

function hasServiceSignature(
  body: Uint8Array,
  headers: WebhookHeaders,
  secrets: readonly string[],
): Promise<boolean> {
  const given = [required(headers, 'x-service-signature'), read(headers, 'x-service-signature-previous')];
  const signatures = given.flatMap(hex => (hex === null ? [] : [fromHex(hex)]));
  return matchesAny(
    secrets.map(secret => encoder.encode(secret)),
    signatures,
    body,
  );
}

/** `verify` compares in constant time. */
async function matchesAny(
  keys: readonly Uint8Array[],
  signatures: readonly Uint8Array[],
  signed: Uint8Array,
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const bytes of keys) {
    if (bytes.length === 0) continue;
    const key = await crypto.subtle.importKey('raw', own(bytes), algorithm, false, ['verify']);
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, own(signature), own(signed))) return true;
    }
  }
  return false;
}

/** WebCrypto takes no view of shared memory. */
function own(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}

function required(headers: WebhookHeaders, name: string): string {
  const value = read(headers, name);
  if (value === null) throw new WebhookVerificationError(`The header ${name} is missing.`);
  return value;
}

function read(headers: WebhookHeaders, name: string): string | null {
  if (typeof headers.get === 'function') return headers.get(name);
  const record = headers as Readonly<Record<string, string | readonly string[] | undefined>>;
  const found = Object.keys(record).find(key => key.toLowerCase() === name);
  const value = found === undefined ? undefined : record[found];
  return typeof value === 'string' ? value : (value?.[0] ?? null);
}

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), character => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/[0-9a-f]{2}/gi) ?? [], pair => Number.parseInt(pair, 16));
}
