import { setTimeout as delay } from 'node:timers/promises';
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
import { createMemoryCounter, revokedKey } from './memory.ts';
import type { RecordTexts } from './record-text.ts';
import type { RedisLink } from './redis-link.ts';
import { outcomeOf, tombstone } from './redis-script.ts';
import { usageOf } from './windows.ts';

export type RedisAdmissionsOptions = {
  link: RedisLink;
  limits: LimitSizes;
  replicas: number;
  loadKey: LoadKey;
  records: RecordTexts;
  nowMs: () => number;
};

type Candidate = { text: string; leaseMs: number };

type Question = {
  request: AdmissionRequest;
  countsIp: boolean;
  candidate: Candidate | null;
  resolve: (answer: string) => void;
  reject: (error: unknown) => void;
};

// A longer script would block Redis for all clients.
const questionsPerCallMax = 64;
const callEveryMs = 1;
// A record takes this long from Postgres to Redis.
const leaseMarginMs = 1_000;

/**
 * Limits and key records shared by several gateways. While Redis is down each falls back to its own memory.
 */
export function createRedisAdmissions(options: RedisAdmissionsOptions): Admissions {
  const { link, limits, loadKey, records, replicas, nowMs } = options;
  const ask = createQueue(link, limits);
  // A key is read for every request: without Redis this gateway cannot learn of a revocation.
  const fallback = createMemoryCounter({ limits: shareOf(limits, replicas), loadKey, nowMs });

  async function admitUnread(request: AdmissionRequest, keyHash: string): Promise<Admission> {
    const { key, candidate } = await readRow(options, keyHash);
    if (!key) return { outcome: 'unknown_key' };
    try {
      return await toAdmission(options, await ask(request, false, candidate), keyHash);
    } catch {
      return fallback.judgeKey(request, key);
    }
  }

  async function findKey(keyHash: string): Promise<KeyRecord | null> {
    const name = recordName(keyHash);
    const text = link.isUp ? await link.get(name).catch(() => null) : null;
    if (text?.startsWith('1 ')) return revokedKey;
    const cached = text === null ? null : records.read(keyHash, text);
    if (cached) return cached;
    const { key, candidate } = await readRow(options, keyHash);
    if (candidate && candidate.leaseMs > 0 && text === null && link.isUp) {
      // The next request reads the row if this fails.
      await link.setIfAbsent(name, candidate.text, candidate.leaseMs).catch(() => {});
    }
    return key;
  }

  return {
    async admit(request) {
      if (!link.isUp) return await fallback.admit(request);
      try {
        const answer = await ask(request, true, null);
        if (outcomeOf(answer) === 'unread') return await admitUnread(request, request.keyHash as string);
        const admission = toAdmission(options, answer, request.keyHash);
        return admission instanceof Promise ? await admission : admission;
      } catch (error) {
        // Postgres failed, not Redis: the fallback would query the same database.
        if (link.isUp) throw error;
        return await fallback.admit(request);
      }
    },
    async usage(request) {
      const { ip, keyHash } = request;
      const names = [`ip:${ip}`, `key:${keyHash}`, `content:${keyHash}`].map(name => `hookline:w:${name}`);
      const found = link.isUp ? await link.agesOf(names).catch(() => null) : null;
      if (!found) return await fallback.usage(request);
      const [perIp = [], perKey = [], contentPerKey = []] = found;
      return { perIp: usageOf(perIp), perKey: usageOf(perKey), contentPerKey: usageOf(contentPerKey) };
    },
    find: findKey,
    revoke: keyHash => revokeInRedis(link, keyHash),
    async replace(keyHash, key, ageMs) {
      const leaseLeftMs = Math.floor(leaseMs - ageMs);
      // Any older copy's lease has expired as well, but for one on its way to Redis.
      if (leaseLeftMs <= 0) return await delay(leaseMarginMs);
      const text = records.write(keyHash, key, leaseLeftMs);
      await confirmed(link.replace(recordName(keyHash), text, leaseLeftMs, key.readAtUs));
    },
    close: () => link.close(),
  };
}

/** What each gateway allows while none knows what the others admit. */
function shareOf(limits: LimitSizes, replicas: number): LimitSizes {
  const share = (limit: number): number => Math.max(1, Math.floor(limit / replicas));
  return {
    perIp: share(limits.perIp),
    perKey: share(limits.perKey),
    contentPerKey: share(limits.contentPerKey),
  };
}

/** A key's row, and its record for Redis; `leaseMs` is 0 when the read took longer than a lease. */
async function readRow(
  { loadKey, records }: RedisAdmissionsOptions,
  keyHash: string,
): Promise<{ key: KeyRecord | null; candidate: Candidate | null }> {
  const readAtMs = performance.now();
  const key = await loadKey(keyHash);
  if (!key) return { key, candidate: null };
  const leaseLeftMs = Math.floor(leaseMs - (performance.now() - readAtMs));
  return { key, candidate: { text: records.write(keyHash, key), leaseMs: Math.max(0, leaseLeftMs) } };
}

/** A promise only for a record that no gateway wrote. */
function toAdmission(
  options: RedisAdmissionsOptions,
  answer: string,
  keyHash: string | null,
): Admission | Promise<Admission> {
  const outcome = outcomeOf(answer);
  switch (outcome) {
    case 'admitted': {
      const key = keyHash === null ? null : options.records.read(keyHash, answer.slice(1));
      return key || keyHash === null ? { outcome, key } : readInstead(options, keyHash);
    }
    case 'ip_limited':
    case 'key_limited':
      return { outcome, retryAfterSeconds: toRetryAfterSeconds(Number(answer.slice(1)) / 1000) };
    case 'revoked':
    case 'expired':
      return { outcome };
    case 'unread':
      return { outcome: 'unknown_key' };
  }
}

/**
 * A record that no gateway wrote opens nothing: Postgres says what the key is. It is not replaced, because
 * a revocation may have taken its place since; a gateway's own record expires with its lease.
 */
async function readInstead({ loadKey, nowMs }: RedisAdmissionsOptions, keyHash: string): Promise<Admission> {
  const key = await loadKey(keyHash);
  const refusal = refusalOf(key, nowMs());
  return refusal ? { outcome: refusal } : { outcome: 'admitted', key };
}

/**
 * Resolves once no gateway admits the key: when Redis confirms, or after the lease of every copy has ended.
 */
export async function revokeInRedis(link: RedisLink, keyHash: string): Promise<void> {
  await confirmed(link.set(recordName(keyHash), tombstone, tombstoneMs));
}

/** Resolves when the write did, or, if it failed, when the lease of every copy has ended. */
async function confirmed(write: Promise<void>): Promise<void> {
  const isWritten = await write.then(
    () => true,
    () => false,
  );
  // Another gateway may still reach Redis: its copy of the record expires with the lease.
  if (!isWritten) await delay(leaseMs + leaseMarginMs);
}

function recordName(hash: string): string {
  return `hookline:key:${hash}`;
}

/**
 * Collects requests while a call is in flight and sends them with the next one: a lone request is sent at
 * once, and under load one call answers many.
 */
function createQueue(link: RedisLink, limits: LimitSizes) {
  const queue: Question[] = [];
  let isAsking = false;
  let askedAtMs = Number.NEGATIVE_INFINITY;

  async function flush(questions: Question[]): Promise<void> {
    const args: (string | number)[] = [];
    const candidates: (string | number)[] = [];
    let flags = '';
    for (const { request, countsIp, candidate } of questions) {
      const { ip, keyHash, isContent } = request;
      let flag = 48;
      if (countsIp) {
        flag += 1;
        args.push(`hookline:w:ip:${ip}`);
      }
      if (keyHash !== null) {
        flag += 2;
        args.push(recordName(keyHash), `hookline:w:key:${keyHash}`);
        if (isContent) {
          flag += 4;
          args.push(`hookline:w:content:${keyHash}`);
        }
      }
      if (candidate) {
        flag += 8;
        candidates.push(candidate.text, candidate.leaseMs);
      }
      flags += String.fromCharCode(flag);
    }
    const keyCount = args.length;
    args.push(windowMs * 1000, limits.perIp, limits.perKey, limits.contentPerKey, flags, ...candidates);
    try {
      // Requests queued behind the call that timed out must not wait for a second timeout.
      if (!link.isUp) throw new Error('Redis is away');
      const answers = await link.admit(keyCount, args);
      for (const [index, { resolve }] of questions.entries()) resolve(answers[index] ?? '');
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
  }

  /**
   * All requests of one turn go together, and under load those of a millisecond: a call costs as much as four
   * requests.
   */
  function askLater(): void {
    isAsking = true;
    if (performance.now() - askedAtMs < callEveryMs) setTimeout(ask, callEveryMs);
    else setImmediate(ask);
  }

  async function ask(): Promise<void> {
    askedAtMs = performance.now();
    await flush(queue.splice(0, questionsPerCallMax));
    if (queue.length > 0) askLater();
    else isAsking = false;
  }

  return (request: AdmissionRequest, countsIp: boolean, candidate: Question['candidate']): Promise<string> =>
    new Promise((resolve, reject) => {
      queue.push({ request, countsIp, candidate, resolve, reject });
      if (!isAsking) askLater();
    });
}
