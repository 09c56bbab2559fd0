/** Watches the gateways' output: one that reports that Redis does not answer counts alone for a while. */
import type { DistributedProduct } from '../../kit/product/distributed.ts';
import type { Recorder } from '../../kit/run/history.ts';
import { epochMs } from './clock.ts';
import type { ChaosLine } from './history.ts';

const checkEveryMs = 200;
const said = 'Redis does not answer';
/**
 * It may have counted alone this long before it is noticed, and this long after until it counts in Redis
 * again.
 */
const [beforeMs, afterMs] = [2_000, 5_000];

/** @returns a function that stops watching */
export function watchAlone(product: DistributedProduct, recorder: Recorder<ChaosLine>): () => void {
  const seen = new Map<unknown, number>();
  const timer = setInterval(() => {
    for (const gateway of product.everStarted('gateway')) {
      const count = gateway.output().split(said).length - 1;
      if (count === (seen.get(gateway) ?? 0)) continue;
      seen.set(gateway, count);
      const nowMs = epochMs(performance.now());
      const [sinceMs, untilMs] = [nowMs - beforeMs, nowMs + afterMs];
      recorder.write({ kind: 'alone', sinceMs, untilMs, hasRedisForgotten: false });
    }
  }, checkEveryMs);
  return () => clearInterval(timer);
}
