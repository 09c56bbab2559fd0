import type { Scope } from '@hookline/shared/contracts/scopes';

/** What the gateway knows of an API key; a copy of the row in Postgres that lives at most `leaseMs`. */
export type KeyRecord = {
  keyId: string;
  accountId: string;
  scopes: readonly Scope[];
  expiresAtMs: number | null;
  isRevoked: boolean;
};

export type LimitSizes = { perIp: number; perKey: number; contentPerKey: number };

/** Every limit counts the requests of the last 60 s (D-20). */
export const windowMs = 60_000;

/** A copy of a key record is believed this long, counted from the moment its row was read (D-51). */
export const leaseMs = 5_000;

/**
 * A revocation stands in the cache this long: longer than any read of the row that began before it may take
 * (10 s), so that no late reader can put the old record back.
 */
export const tombstoneMs = 60_000;

export type AdmissionRequest = {
  ip: string;
  /** SHA-256 of a well-formed key as base64url; null where no key counts. */
  keyHash: string | null;
  /** Counts against the content limit too. */
  isContent: boolean;
};

/** `key` stands with every outcome that found one. */
export type Admission =
  | { outcome: 'admitted'; key: KeyRecord | null }
  | { outcome: 'ip_limited' | 'key_limited'; retryAfterSeconds: number }
  | { outcome: 'unknown_key' | 'revoked' | 'expired' };

/**
 * Decides who may pass: the IP window first, for every request; then the key's record; then the key's windows,
 * taken together only when none refuses.
 */
export type Admissions = {
  admit(request: AdmissionRequest): Promise<Admission>;
  /** Resolves once no gateway can admit the key any more. Call it after the row was changed. */
  revoke(keyHash: string): Promise<void>;
  close(): Promise<void>;
};

/** Reads a key's row. */
export type LoadKey = (keyHash: string) => Promise<KeyRecord | null>;

/** The outcome that a record alone decides, or null when the windows decide. */
export function refusalOf(
  key: KeyRecord | null,
  nowMs: number,
): 'unknown_key' | 'revoked' | 'expired' | null {
  if (!key) return 'unknown_key';
  if (key.isRevoked) return 'revoked';
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? 'expired' : null;
}

/** Whole seconds after which the same request passes; one second less would not do. */
export function toRetryAfterSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000));
}
