/** Detects work that never ends: a round of a worker, a message in a consumer's handler. */
import { watchGauge } from './gauges.ts';
import type { Logger } from './logger.ts';
import { sharedMetrics } from './shared-metrics.ts';

// Every wait in the product has a limit, and no work adds up to anywhere near two minutes.
const stuckAfterMs = 120_000;
const tickMs = 5_000;

type Piece = { name: string; log: Pick<Logger, 'error'>; ticks: number };

const inProgress = new Set<Piece>();
/** Runs while any work is in progress. */
let ticking: NodeJS.Timeout | undefined;

/**
 * Runs the work and watches it. Work that has taken 2 min is logged once and listed by `stuckWork` until it
 * ends. The time is counted in ticks of this process, so that a suspended process (a paused VM) does not
 * report all its work as stuck.
 * @param name of the worker, or the consumer group
 */
export async function watchWork<T>(
  name: string,
  log: Pick<Logger, 'error'>,
  work: () => Promise<T>,
): Promise<T> {
  const piece: Piece = { name, log, ticks: 0 };
  inProgress.add(piece);
  ticking ??= setInterval(tick, tickMs).unref();
  try {
    return await work();
  } finally {
    inProgress.delete(piece);
    if (inProgress.size === 0) {
      clearInterval(ticking);
      ticking = undefined;
    }
  }
}

/**
 * Names of the work that has been running for over 2 min, each once. A process that has any must be replaced.
 */
export function stuckWork(): string[] {
  return [...new Set([...inProgress].filter(isStuck).map(piece => piece.name))];
}

/** `hookline.job.stuck` of the names, 0 included. Call it once per name, when its work begins. */
export function watchStuck(name: string): void {
  watchGauge(sharedMetrics.metrics.jobStuck, () => {
    const value = [...inProgress].filter(piece => piece.name === name && isStuck(piece)).length;
    return [{ value, attributes: { 'hookline.job.name': name } }];
  });
}

function isStuck({ ticks }: Piece): boolean {
  return ticks * tickMs >= stuckAfterMs;
}

function tick(): void {
  for (const piece of inProgress) {
    piece.ticks += 1;
    if (piece.ticks * tickMs !== stuckAfterMs) continue;
    const seconds = stuckAfterMs / 1_000;
    piece.log.error({ worker: piece.name, seconds }, 'a piece of work does not end; the process is not live');
  }
}
