/**
 * Limits this process's rate to one host, over all endpoints and accounts: many endpoints that name a third
 * party's host must not add up to a flood. Endpoints of a host that mostly answers with success share the
 * rate of one endpoint. Otherwise only those whose last delivery was taken do; the others share 2 deliveries
 * a second, so that dead paths of one account on a relay hold up no endpoint that works.
 */
import { burstMax, perSecondMax } from './endpoint-window.rules.ts';

/** Deliveries per second to an unproven host, and the burst allowed before that is known. */
export const unprovenPerSecond = 2;
export const unprovenBurst = 16;

// A success proves a host; seven failures in a row (0.9^7 < 0.5) make it unproven.
const weight = 0.1;
const provenFrom = 0.5;
// Of the burst. A hundred lanes that ask after a success must not take all of it before their answers count.
const keptForTaken = burstMax / 2;
const hostsMax = 10_000;
// About 5 MB. An endpoint that is forgotten is among the others until its next success.
const endpointsMax = 50_000;

type Tokens = { count: number; countedMs: number };
type HostWindow = { proven: Tokens; unproven: Tokens; share: number };

export type HostWindows = {
  /** Takes a place; false if the host has none now for this endpoint. */
  take(host: string, webhookId: string): boolean;
  /** To be called for deliveries that were sent. */
  recordAnswer(host: string, webhookId: string, isTaken: boolean): void;
};

/** @param clock monotonic milliseconds. */
export function createHostWindows(clock: () => number = () => performance.now()): HostWindows {
  const hosts = new Map<string, HostWindow>();
  // Endpoints whose last delivery was taken, with the host that took it: an endpoint may move to another one.
  const takenBy = new Map<string, string>();

  function windowOf(host: string): HostWindow {
    let window = hosts.get(host);
    if (!window) {
      const countedMs = clock();
      window = {
        proven: { count: burstMax, countedMs },
        unproven: { count: unprovenBurst, countedMs },
        share: 0,
      };
      evictOldest(hosts, hostsMax);
    } else hosts.delete(host);
    hosts.set(host, window);
    return window;
  }

  function takeToken(tokens: Tokens, perSecond: number, most: number, kept = 0): boolean {
    const nowMs = clock();
    tokens.count = Math.min(most, tokens.count + ((nowMs - tokens.countedMs) * perSecond) / 1_000);
    tokens.countedMs = nowMs;
    if (tokens.count < kept + 1) return false;
    tokens.count -= 1;
    return true;
  }

  return {
    take(host, webhookId) {
      const { proven, unproven, share } = windowOf(host);
      if (takenBy.get(webhookId) === host) return takeToken(proven, perSecondMax, burstMax);
      // At a proven host too: those that are taken may use up all of the other tokens.
      if (share >= provenFrom && takeToken(proven, perSecondMax, burstMax, keptForTaken)) return true;
      return takeToken(unproven, unprovenPerSecond, unprovenBurst);
    },
    recordAnswer(host, webhookId, isTaken) {
      const window = windowOf(host);
      const wasProven = window.share >= provenFrom;
      window.share = isTaken ? 1 : window.share * (1 - weight);
      // The burst is for a host that is not known, not for one that has begun to fail.
      if (wasProven && window.share < provenFrom) window.unproven = { count: 0, countedMs: clock() };
      takenBy.delete(webhookId);
      if (!isTaken) return;
      evictOldest(takenBy, endpointsMax);
      takenBy.set(webhookId, host);
    },
  };
}

/** Makes room for one more. The first key is the one that was used least recently. */
function evictOldest(map: Map<string, unknown>, sizeMax: number): void {
  const [oldest] = map.size >= sizeMax ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
}
