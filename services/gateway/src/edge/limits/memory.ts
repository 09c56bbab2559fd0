import { approvalPolicies } from '@hookline/shared/contracts/approval-policy';
import type { KeyRecord } from '../../identity/keys/record.ts';
import {
  type Admission,
  type AdmissionRequest,
  type Admissions,
  type LimitSizes,
  type LoadKey,
  leaseMs,
  refusalOf,
  tombstoneMs,
  toRetryAfterSeconds,
  type WindowsUsage,
} from './admission.ts';
import { createWindows, type Windows } from './windows.ts';

export type MemoryAdmissionsOptions = {
  limits: LimitSizes;
  loadKey: LoadKey;
  nowMs: () => number;
  monotonicMs?: () => number;
};

const sweepEveryMs = 60_000;
const recordsMax = 10_000;

/** Stands for a revoked key: nothing but the refusal is read from it. */
export const revokedKey: KeyRecord = {
  keyId: '',
  readAtUs: 0,
  accountId: '',
  role: 'viewer',
  scopes: [],
  approvalPolicy: approvalPolicies.open,
  deletesAtMs: null,
  actor: { kind: 'key', id: '', name: '' },
  createdBy: null,
  expiresAtMs: null,
  isRevoked: true,
};

/** Limits and key records of a single gateway (standalone). */
export function createMemoryAdmissions(options: MemoryAdmissionsOptions): Admissions {
  const { limits, loadKey, nowMs, monotonicMs = () => performance.now() } = options;
  const windows = createWindows();
  const records = new Map<string, { key: KeyRecord; untilMs: number }>();
  const sweeping = setInterval(() => {
    const now = monotonicMs();
    windows.sweep(now);
    for (const [name, record] of records) if (record.untilMs <= now) records.delete(name);
  }, sweepEveryMs);
  sweeping.unref();

  async function findKey(keyHash: string): Promise<KeyRecord | null> {
    const known = records.get(keyHash);
    if (known && known.untilMs > monotonicMs()) return known.key;
    const readAtMs = monotonicMs();
    const key = await loadKey(keyHash);
    // A revocation during the read takes precedence.
    const current = records.get(keyHash);
    if (current && current.untilMs > monotonicMs()) return current.key;
    if (key && records.size < recordsMax) records.set(keyHash, { key, untilMs: readAtMs + leaseMs });
    return key;
  }

  return {
    async admit(request) {
      const refusal = takeIp(windows, limits, request.ip, monotonicMs());
      if (refusal) return refusal;
      if (!request.keyHash) return { outcome: 'admitted', key: null };
      const key = await findKey(request.keyHash);
      return takeKey(windows, limits, request, key, nowMs(), monotonicMs());
    },
    async usage(request) {
      return usageIn(windows, request, monotonicMs());
    },
    find: findKey,
    async revoke(keyHash) {
      records.set(keyHash, { key: revokedKey, untilMs: monotonicMs() + tombstoneMs });
    },
    async replace(keyHash, key, ageMs) {
      const current = records.get(keyHash);
      const isCurrent = current && current.untilMs > monotonicMs();
      // A revocation takes precedence over a record that was read before it.
      if (isCurrent && (current.key === revokedKey || current.key.readAtUs > key.readAtUs)) return;
      records.set(keyHash, { key, untilMs: monotonicMs() + leaseMs - ageMs });
    },
    async close() {
      clearInterval(sweeping);
    },
  };
}

export function usageIn(
  windows: Windows,
  { ip, keyHash }: Pick<AdmissionRequest, 'ip' | 'keyHash'>,
  monotonicMs: number,
): WindowsUsage {
  return {
    perIp: windows.usage(`ip ${ip}`, monotonicMs),
    perKey: windows.usage(`key ${keyHash}`, monotonicMs),
    contentPerKey: windows.usage(`content ${keyHash}`, monotonicMs),
  };
}

export function takeIp(
  windows: Windows,
  limits: LimitSizes,
  ip: string,
  monotonicMs: number,
): Admission | null {
  const waitMs = windows.waitMs(`ip ${ip}`, limits.perIp, monotonicMs);
  if (waitMs > 0) return { outcome: 'ip_limited', retryAfterSeconds: toRetryAfterSeconds(waitMs) };
  windows.take(`ip ${ip}`, limits.perIp, monotonicMs);
  return null;
}

export function takeKey(
  windows: Windows,
  limits: LimitSizes,
  { keyHash, isContent }: AdmissionRequest,
  key: KeyRecord | null,
  nowMs: number,
  monotonicMs: number,
): Admission {
  const refusal = refusalOf(key, nowMs);
  if (refusal) return { outcome: refusal };
  const keyWaitMs = windows.waitMs(`key ${keyHash}`, limits.perKey, monotonicMs);
  const contentWaitMs = isContent
    ? windows.waitMs(`content ${keyHash}`, limits.contentPerKey, monotonicMs)
    : 0;
  const waitMs = Math.max(keyWaitMs, contentWaitMs);
  if (waitMs > 0) return { outcome: 'key_limited', retryAfterSeconds: toRetryAfterSeconds(waitMs) };
  windows.take(`key ${keyHash}`, limits.perKey, monotonicMs);
  if (isContent) windows.take(`content ${keyHash}`, limits.contentPerKey, monotonicMs);
  return { outcome: 'admitted', key };
}
