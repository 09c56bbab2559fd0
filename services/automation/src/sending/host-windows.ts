/**
 * Limits this process's rate to one host, over all endpoints and accounts: many endpoints that name a third
 * party's host must not add up to a flood. Endpoints of a host that mostly answers with success share the
 * rate of one endpoint. Otherwise only those whose last delivery was taken do; the others share 2 deliveries
 * a second, so that dead paths of one account on a relay hold up no endpoint that works.
 */
import { burstMax, perSecondMax } from './endpoint-window.rules.ts';

export const unprovenPerSecond = 2;
export const unprovenBurst = 16;

// A success proves a host; so many failures in a row make it unproven.
const failuresMax = 7;
// A hundred lanes that ask after a success must not take the whole burst before their answers count.
const keptForTaken = burstMax / 2;
const hostsMax = 10_000;
// Endpoints take about 5 MB. One that is forgotten is among the others until its next success.
const endpointsMax = 50_000;

export type Tokens = { count: number; countedMs: number };
type HostWindow = { proven: Tokens; unproven: Tokens; failuresInRow: number };

export type HostWindows = {
  /** Takes a place; false if the host has none now for this endpoint. */
  take(host: string, webhookId: string): boolean;
  recordAnswer(host: string, webhookId: string, isTaken: boolean): void;
};

const endpointRate = { perSecond: perSecondMax, burst: burstMax, kept: 0 };
const sharedRate = { ...endpointRate, kept: keptForTaken };
const unprovenRate = { perSecond: unprovenPerSecond, burst: unprovenBurst, kept: 0 };

export function takeToken(tokens: Tokens, nowMs: number, rate = endpointRate): boolean {
  const added = ((nowMs - tokens.countedMs) * rate.perSecond) / 1_000;
  tokens.count = Math.min(rate.burst, tokens.count + added);
  tokens.countedMs = nowMs;
  if (tokens.count < rate.kept + 1) return false;
  tokens.count -= 1;
  return true;
}

export function createHostWindows(clock: () => number = () => performance.now()): HostWindows {
  const hosts = new Map<string, HostWindow>();
  // Values are the hosts that took the last delivery of an endpoint, which may move to another one.
  const takenBy = new Map<string, string>();

  function windowOf(host: string): HostWindow {
    const countedMs = clock();
    const window = hosts.get(host) ?? {
      proven: { count: burstMax, countedMs },
      unproven: { count: unprovenBurst, countedMs },
      failuresInRow: failuresMax,
    };
    setNewest(hosts, host, window, hostsMax);
    return window;
  }

  return {
    take(host, webhookId) {
      const { proven, unproven, failuresInRow } = windowOf(host);
      const nowMs = clock();
      if (takenBy.get(webhookId) === host) return takeToken(proven, nowMs);
      // Endpoints that are taken may use up all tokens of a proven host.
      const isProven = failuresInRow < failuresMax;
      return (isProven && takeToken(proven, nowMs, sharedRate)) || takeToken(unproven, nowMs, unprovenRate);
    },
    recordAnswer(host, webhookId, isTaken) {
      const window = windowOf(host);
      window.failuresInRow = isTaken ? 0 : window.failuresInRow + 1;
      if (isTaken) setNewest(takenBy, webhookId, host, endpointsMax);
      else takenBy.delete(webhookId);
    },
  };
}

/** Keys are in the order of their last use. */
function setNewest<T>(map: Map<string, T>, key: string, value: T, sizeMax: number): void {
  map.delete(key);
  const [oldest] = map.size >= sizeMax ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
