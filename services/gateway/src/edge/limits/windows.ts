/** Exact sliding windows in memory: per name, the stamps of the newest `limit` admitted requests. */

import { rateLimited } from '@hookline/shared/contracts';
import { toRetryAfterSeconds, type WindowUsage, windowMs } from './admission.ts';

export type Windows = {
  /** Milliseconds until one more request passes; 0 when it passes now. Counts nothing. */
  waitMs(name: string, limit: number, nowMs: number): number;
  usage(name: string, nowMs: number): WindowUsage;
  take(name: string, limit: number, nowMs: number): void;
  readonly size: number;
};

/** A ring of the newest stamps. It grows on demand, because few callers come near their limit. */
type Ring = { stamps: number[]; next: number };

/**
 * Keeps the newest `limit` stamps: the window is full exactly when the oldest of them is younger than 60 s.
 * @param namesMax maximum number of names; beyond it the least recently used one is dropped
 * @param lengthMs length of a window
 */
export function createWindows(namesMax = 100_000, lengthMs = windowMs): Windows {
  const rings = new Map<string, Ring>();

  return {
    waitMs(name, limit, nowMs) {
      const ring = rings.get(name);
      if (!ring || ring.stamps.length < limit) return 0;
      return Math.max(0, (ring.stamps[ring.next] ?? 0) + lengthMs - nowMs);
    },
    usage(name, nowMs) {
      const ages = rings.get(name)?.stamps.map(stamp => nowMs - stamp) ?? [];
      return usageOf(ages, lengthMs);
    },
    take(name, limit, nowMs) {
      const ring = rings.get(name) ?? { stamps: [], next: 0 };
      rings.delete(name);
      // The one used longest ago comes first.
      for (const [oldest, { stamps, next }] of rings) {
        const isEmpty = (stamps.at(next - 1) ?? 0) + lengthMs <= nowMs;
        if (!isEmpty && rings.size < namesMax) break;
        rings.delete(oldest);
      }
      rings.set(name, ring);
      if (ring.stamps.length < limit) {
        ring.stamps.push(nowMs);
        return;
      }
      ring.stamps[ring.next] = nowMs;
      ring.next = (ring.next + 1) % limit;
    },
    get size() {
      return rings.size;
    },
  };
}

export function usageOf(agesMs: readonly number[], lengthMs = windowMs): WindowUsage {
  const counted = agesMs.filter(age => age < lengthMs);
  return {
    used: counted.length,
    resetsInMs: counted.length === 0 ? null : lengthMs - Math.max(0, ...counted),
  };
}

type Counted = readonly { name: string; limit: number }[];

/** Counts a request in every window, or in none. @throws ApiError `rate_limited` when one of them is full */
export function countOrRefuse(windows: Windows, counted: Counted): void {
  refuseWhenFull(windows, counted);
  for (const { name, limit } of counted) windows.take(name, limit, performance.now());
}

/** Counts nothing. @throws ApiError `rate_limited` when one of the windows is full */
export function refuseWhenFull(windows: Windows, counted: Counted): void {
  const nowMs = performance.now();
  const waitMs = Math.max(...counted.map(({ name, limit }) => windows.waitMs(name, limit, nowMs)));
  if (waitMs > 0) throw rateLimited(toRetryAfterSeconds(waitMs));
}
