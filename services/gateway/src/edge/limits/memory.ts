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
  windowMs,
} from './admission.ts';
import { createWindows } from './windows.ts';

type CounterOptions = { limits: LimitSizes; loadKey: LoadKey; nowMs: () => number };

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

/** Limits of a single gateway (standalone), and key records that it read less than a lease ago. */
export function createMemoryAdmissions({ limits, loadKey, nowMs }: CounterOptions): Admissions {
  const records = new Map<string, { key: KeyRecord; untilMs: number }>();
  const counter = createMemoryCounter({ limits, loadKey: findKey, nowMs });
  const sweeping = setInterval(() => {
    const now = performance.now();
    for (const [name, record] of records) if (record.untilMs <= now) records.delete(name);
  }, windowMs).unref();

  async function findKey(keyHash: string): Promise<KeyRecord | null> {
    const known = records.get(keyHash);
    if (known && known.untilMs > performance.now()) return known.key;
    const readAtMs = performance.now();
    const key = await loadKey(keyHash);
    // A revocation during the read takes precedence.
    const current = records.get(keyHash);
    if (current && current.untilMs > performance.now()) return current.key;
    if (key && records.size < recordsMax) records.set(keyHash, { key, untilMs: readAtMs + leaseMs });
    return key;
  }

  return {
    admit: counter.admit,
    usage: counter.usage,
    find: findKey,
    async revoke(keyHash) {
      records.set(keyHash, { key: revokedKey, untilMs: performance.now() + tombstoneMs });
    },
    async replace(keyHash, key, ageMs) {
      const current = records.get(keyHash);
      const isCurrent = current && current.untilMs > performance.now();
      // A revocation takes precedence over a record that was read before it.
      if (isCurrent && (current.key === revokedKey || current.key.readAtUs > key.readAtUs)) return;
      records.set(keyHash, { key, untilMs: performance.now() + leaseMs - ageMs });
    },
    async close() {
      clearInterval(sweeping);
    },
  };
}

/** Counts in this process alone. `loadKey` is called for every request with a key. */
export function createMemoryCounter({ limits, loadKey, nowMs }: CounterOptions) {
  const windows = createWindows();

  function judgeKey({ keyHash, isContent }: AdmissionRequest, key: KeyRecord | null): Admission {
    const refusal = refusalOf(key, nowMs());
    if (refusal) return { outcome: refusal };
    const now = performance.now();
    const keyWaitMs = windows.waitMs(`key ${keyHash}`, limits.perKey, now);
    const contentWaitMs = isContent ? windows.waitMs(`content ${keyHash}`, limits.contentPerKey, now) : 0;
    const waitMs = Math.max(keyWaitMs, contentWaitMs);
    if (waitMs > 0) return { outcome: 'key_limited', retryAfterSeconds: toRetryAfterSeconds(waitMs) };
    windows.take(`key ${keyHash}`, limits.perKey, now);
    if (isContent) windows.take(`content ${keyHash}`, limits.contentPerKey, now);
    return { outcome: 'admitted', key };
  }

  const admit: Admissions['admit'] = async request => {
    const now = performance.now();
    const waitMs = windows.waitMs(`ip ${request.ip}`, limits.perIp, now);
    if (waitMs > 0) return { outcome: 'ip_limited', retryAfterSeconds: toRetryAfterSeconds(waitMs) };
    windows.take(`ip ${request.ip}`, limits.perIp, now);
    if (!request.keyHash) return { outcome: 'admitted', key: null };
    return judgeKey(request, await loadKey(request.keyHash));
  };
  const usage: Admissions['usage'] = async ({ ip, keyHash }) => {
    const now = performance.now();
    return {
      perIp: windows.usage(`ip ${ip}`, now),
      perKey: windows.usage(`key ${keyHash}`, now),
      contentPerKey: windows.usage(`content ${keyHash}`, now),
    };
  };
  return { admit, usage, judgeKey };
}
