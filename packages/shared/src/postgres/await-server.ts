/** Waits for a Postgres that is being started, and for nothing else. */
import { setTimeout as delay } from 'node:timers/promises';

const pauseMs = 500;

export type AwaitServerOptions = {
  /** No attempt begins later than this; 0: one attempt. */
  waitMs: number;
  /** Called once, before the first repetition, with the reason. */
  onWait?: ((reason: string) => void) | undefined;
};

/**
 * Connects, again while nothing listens yet or the server says that it is starting up.
 * @throws the error of the last attempt; any other error at once
 */
export async function awaitServer<T>(
  connect: () => Promise<T>,
  { waitMs, onWait }: AwaitServerOptions,
): Promise<T> {
  const untilMs = performance.now() + waitMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect();
    } catch (error) {
      const reason = explainStart(error);
      if (reason === null || performance.now() + pauseMs > untilMs) throw error;
      if (attempt === 1) onWait?.(reason);
      await delay(pauseMs);
    }
  }
}

/** 57P03, cannot_connect_now: starting up, shutting down or in recovery. */
function explainStart(error: unknown): string | null {
  const { code, message } = error as { code?: string; message: string };
  if (code === 'ECONNREFUSED') return 'the connection is refused';
  return code === '57P03' ? message : null;
}
