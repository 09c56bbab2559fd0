/**
 * G-W10: a dispatcher is killed while it waits for answers; measures the time until another one sends again.
 */
import { eventually } from '@hookline/testing/eventually';
import type { DistributedProduct } from '../../kit/product/distributed.ts';
import type { Recorder } from '../../kit/run/history.ts';
import type { Receivers } from '../../kit/servers/receivers.ts';
import type { WebhookLine } from './history.ts';

const withinMs = 30_000;

/**
 * Every endpoint hangs until the kill, so each delivery that the victim has in flight is a trial. Needs two
 * replicas of automation and a steady flow of events.
 * @returns milliseconds from the kill to the next arrival of the same delivery, one per trial
 */
export async function timeTakeOvers(
  product: DistributedProduct,
  receivers: Receivers,
  trialsMin: number,
  recorder: Recorder<WebhookLine>,
): Promise<number[]> {
  const tookMs: number[] = [];
  for (let round = 0; tookMs.length < trialsMin && round < 12; round += 1) {
    receivers.hanging.length = 0;
    for (const one of receivers.endpoints) one.mode = 'hanging';
    const [victim] = product.replicas('automation').slice(round % 2);
    if (!victim) throw new Error('no replica of automation is running');
    await eventually(() => {
      const waiting = receivers.hanging.filter(({ closedAt }) => closedAt === null);
      if (new Set(waiting.map(({ endpoint }) => endpoint)).size < receivers.endpoints.length * 0.9) {
        throw new Error('not every endpoint has a request yet');
      }
    }, withinMs);
    const before = new Set(receivers.hanging.filter(({ closedAt }) => closedAt !== null));
    victim.signal('SIGKILL');
    await victim.exited;
    const killedAt = Date.now();
    recorder.write({ kind: 'kill', service: 'automation' });
    const cut = () => receivers.hanging.filter(one => one.closedAt !== null && !before.has(one));
    await eventually(() => {
      if (cut().length === 0) throw new Error('nothing was cut');
    }, 2_000).catch(() => {});
    const trials = cut();
    for (const one of receivers.endpoints) one.mode = 'quick';
    // Hanging requests of the other replica would block its lanes, so those customers answer again, too.
    for (const one of receivers.hanging) if (one.closedAt === null) one.release();
    const restarted = product.restart(victim);
    await eventually(() => {
      const left = trials.filter(({ againAt }) => againAt === null).length;
      if (left > 0) throw new Error(`${left} were not taken over`);
    }, withinMs);
    tookMs.push(...trials.map(({ againAt }) => (againAt as number) - killedAt));
    await restarted;
  }
  return tookMs.sort((left, right) => left - right);
}
