import { createBreaker, createFairQueue, QueueFullError } from '@hookline/shared/kernel';
import type { Answer } from './carrier.rules.ts';

export type TokenGate = <T>(call: () => Promise<Answer<T>>) => Promise<Answer<T> | { kind: 'busy' }>;

const turnWithinMs = 2_000;

/**
 * A token endpoint that hangs must not take all senders. One that answered none of the last calls gets a
 * single probe a second. The gate answers `busy` if no turn came in time; nothing was sent then.
 */
export function createTokenGate(callsAtOnceMax: number): TokenGate {
  const queue = createFairQueue({ slots: () => callsAtOnceMax, waitMaxMs: turnWithinMs });
  const breaker = createBreaker();
  const turn = { workspace: 'all' };
  const down = { kind: 'unreachable', reason: 'the token endpoint answered none of the last calls' } as const;

  return async call => {
    if (breaker.isOpen(performance.now())) return down;
    try {
      await queue.enter(turn);
    } catch (error) {
      if (error instanceof QueueFullError) return { kind: 'busy' };
      throw error;
    }
    try {
      if (!breaker.mayCall(performance.now())) return down;
      const answer = await call();
      if (answer.kind === 'ok' || answer.kind === 'refused') breaker.succeeded();
      else breaker.failed(performance.now());
      return answer;
    } finally {
      queue.leave(turn);
    }
  };
}
