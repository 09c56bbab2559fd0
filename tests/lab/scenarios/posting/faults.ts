/** Faults of the platform and the network during a posting run, and how many of them took effect. */
import { controlHeaders } from '@hookline/testing/simulator-controls';
import type { TcpProxy } from '../../kit/faults/tcp-proxy.ts';
import type { ToxicShare } from '../../kit/faults/toxics.ts';

const init = (kind: string, share: number, delayMs?: number) => ({
  platform: 'tiktok',
  operation: 'content_init',
  kind,
  share,
  ...(delayMs === undefined ? {} : { delayMs }),
});

// Our calls give up after 10 s; the platform continues its work.
const slowerThanTimeoutMs = 12_000;

/** G-S1: 10 % accepted and the answer dropped, 5 % 5xx, 5 % 429, 5 % slower than the time-out; late pulls. */
export const platformFaults = [
  init('accepted_answer_dropped', 0.1),
  init('accepted_internal_error', 0.03),
  init('internal_error', 0.02),
  init('rate_limit_exceeded', 0.05),
  init('slow', 0.025, slowerThanTimeoutMs),
  init('accepted_then_slow', 0.025, slowerThanTimeoutMs),
  { platform: 'tiktok', operation: 'pull', kind: 'late_pull', share: 0.15, delayMs: 2_000 },
  { platform: 'tiktok', operation: 'pull', kind: 'late_pull', share: 0.15, delayMs: 13_000 },
  { platform: 'tiktok', operation: 'webhook', kind: 'duplicated', share: 0.1 },
  { platform: 'tiktok', operation: 'webhook', kind: 'late', share: 0.1, delayMs: 4_000 },
];

/** On the connection, for every call to the platform, status calls included. */
export const ways: readonly ToxicShare[] = [
  { kind: 'drop_answer', share: 0.02 },
  { kind: 'reset_peer', share: 0.02, afterMs: 3 },
  { kind: 'timeout', share: 0.01, afterMs: 30_000 },
  { kind: 'half_open', share: 0.01 },
  { kind: 'down', share: 0.01 },
  { kind: 'latency', share: 0.05, delayMs: 400 },
  { kind: 'slow_close', share: 0.02, delayMs: 1_000 },
];

type Struck = { operation: string; kind: string; hits: number };

export async function seenFaults(simulatorsUrl: string, way: TcpProxy): Promise<Record<string, number>> {
  const faults = (await (
    await fetch(`${simulatorsUrl}/_control/faults`, { headers: controlHeaders })
  ).json()) as Struck[];
  const hits = (...kinds: string[]): number =>
    faults.filter(fault => kinds.includes(fault.kind)).reduce((sum, fault) => sum + fault.hits, 0);
  return {
    dropped: hits('accepted_answer_dropped'),
    '5xx': hits('accepted_internal_error', 'internal_error'),
    '429': hits('rate_limit_exceeded'),
    slow: hits('slow', 'accepted_then_slow'),
    'late pulls': hits('late_pull'),
    'struck on the wire': Object.values(way.struck).reduce((sum, count) => sum + count, 0),
  };
}

/** With fewer the run proves nothing. About a third of the expected number; of kills two thirds. */
export function leastFaults(minutes: number): Record<string, number> {
  const least = (perMinute: number): number => Math.ceil(perMinute * minutes);
  return {
    kills: least(4),
    stops: least(1),
    dropped: least(6),
    '5xx': least(3),
    '429': least(3),
    slow: least(3),
    'late pulls': least(20),
    'struck on the wire': least(10),
    ambiguous: least(15),
    fenced: least(2),
  };
}
