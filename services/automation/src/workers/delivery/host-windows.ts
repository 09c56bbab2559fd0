/**
 * Limits this process's rate to one host, over all endpoints and accounts: many endpoints that name a third
 * party's host must not add up to a flood. A host that mostly answers with success gets the rate of one
 * endpoint; any other gets 2 deliveries a second until it does.
 */
import { burstMax, perSecondMax } from '../../rules/endpoint-window.ts';

/** Deliveries per second to an unproven host, and the burst allowed before that is known. */
export const unprovenPerSecond = 2;
export const unprovenBurst = 16;

// A success proves a host; seven failures in a row (0.9^7 < 0.5) make it unproven.
const weight = 0.1;
const provenFrom = 0.5;
const hostsMax = 10_000;

type HostWindow = { tokens: number; countedMs: number; share: number };

export type HostWindows = {
  /** Takes a place; false if the host has none now. */
  take(host: string): boolean;
  recordAnswer(host: string, isTaken: boolean): void;
};

/** @param clock monotonic milliseconds. */
export function createHostWindows(clock: () => number = () => performance.now()): HostWindows {
  const hosts = new Map<string, HostWindow>();

  function windowOf(host: string): HostWindow {
    let window = hosts.get(host);
    if (!window) {
      window = { tokens: unprovenBurst, countedMs: clock(), share: 0 };
      // Evicts the least recently used host.
      const [oldest] = hosts.size >= hostsMax ? hosts.keys() : [];
      if (oldest !== undefined) hosts.delete(oldest);
    } else hosts.delete(host);
    hosts.set(host, window);
    return window;
  }

  return {
    take(host) {
      const window = windowOf(host);
      const nowMs = clock();
      const isProven = window.share >= provenFrom;
      const [rate, most] = isProven ? [perSecondMax, burstMax] : [unprovenPerSecond, unprovenBurst];
      window.tokens = Math.min(most, window.tokens + ((nowMs - window.countedMs) * rate) / 1_000);
      window.countedMs = nowMs;
      if (window.tokens < 1) return false;
      window.tokens -= 1;
      return true;
    },
    recordAnswer(host, isTaken) {
      const window = windowOf(host);
      window.share = isTaken ? 1 : window.share * (1 - weight);
    },
  };
}
