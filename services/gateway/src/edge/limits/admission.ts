import type { KeyCopies, KeyRecord } from '../../identity/keys/record.ts';

export type LimitSizes = { perIp: number; perKey: number; contentPerKey: number };

/** A screen of the console reads up to ten records, and a person who clicks fast opens one a second. */
export function perSession({ perIp }: LimitSizes): number {
  return 2 * perIp;
}

/** Every limit counts the requests of the last 60 s (D-20). */
export const windowMs = 60_000;

/** A copy of a key record is used for this long after its row was read (D-51). */
export const leaseMs = 5_000;

/**
 * A revocation stays in the cache this long: longer than a read of the row that began before it can take (10
 * s), so a late reader cannot restore the old record.
 */
export const tombstoneMs = 60_000;

export type AdmissionRequest = {
  ip: string;
  /** SHA-256 of a well-formed key as base64url; null if no key counts. */
  keyHash: string | null;
  isContent: boolean;
};

/** `key` is null if the request needed no key. */
export type Admission =
  | { outcome: 'admitted'; key: KeyRecord | null }
  | { outcome: 'ip_limited' | 'key_limited'; retryAfterSeconds: number }
  | { outcome: 'unknown_key' | 'revoked' | 'expired' };

export type WindowUsage = {
  used: number;
  /** Milliseconds until the oldest no longer counts; null when none does. */
  resetsInMs: number | null;
};

export type WindowsUsage = { perIp: WindowUsage; perKey: WindowUsage; contentPerKey: WindowUsage };

/**
 * Admits requests: the IP window first, for every request, then the key's record, then the key's windows,
 * which count the request only when none of them refuses it.
 */
export type Admissions = KeyCopies & {
  admit(request: AdmissionRequest): Promise<Admission>;
  /** Reads the windows of the address and, unless it is null, of the key. Counts nothing. */
  usage(request: Pick<AdmissionRequest, 'ip' | 'keyHash'>): Promise<WindowsUsage>;
  /** Finds a record as old as for an admission at most. Counts nothing. */
  find(keyHash: string): Promise<KeyRecord | null>;
  close(): Promise<void>;
};

export type LoadKey = (keyHash: string) => Promise<KeyRecord | null>;

/** The refusal that follows from the record alone; null if the windows decide. */
export function refusalOf(
  key: KeyRecord | null,
  nowMs: number,
): 'unknown_key' | 'revoked' | 'expired' | null {
  if (!key) return 'unknown_key';
  if (key.isRevoked) return 'revoked';
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? 'expired' : null;
}

export function toRetryAfterSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000));
}
