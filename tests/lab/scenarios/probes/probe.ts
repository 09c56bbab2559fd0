/** Asks a process for both health routes again and again, each on a connection of its own, and keeps what it said. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Service } from '../../kit/product/distributed.ts';

export type Probe = {
  service: Service;
  livez: { asked: number; failed: number; slowestMs: number };
  /** Begins a new history of `/readyz`. */
  forget(): void;
  /** When `/readyz` first answered other than 200, or not in time; null: it never did. */
  firstUnreadyMs(): number | null;
  /** When the first 200 came after which there were only 200s; null: the last answer was none. */
  readyForGoodSinceMs(): number | null;
  stop(): void;
};

const askEveryMs = 100;
const answerWithinMs = 2_000;

export function startProbe(service: Service, url: string): Probe {
  let history: { answeredMs: number; isReady: boolean }[] = [];
  const livez = { asked: 0, failed: 0, slowestMs: 0 };
  let isOver = false;

  async function ask(path: string): Promise<boolean> {
    const options = { headers: { connection: 'close' }, signal: AbortSignal.timeout(answerWithinMs) };
    const answer = await fetch(url + path, options).catch(() => null);
    await answer?.arrayBuffer().catch(() => {});
    return answer?.status === 200;
  }

  async function askOn(): Promise<void> {
    while (!isOver) {
      const isReady = await ask('/readyz');
      history.push({ answeredMs: performance.now(), isReady });
      const askedMs = performance.now();
      if (!(await ask('/livez'))) livez.failed += 1;
      livez.asked += 1;
      livez.slowestMs = Math.max(livez.slowestMs, performance.now() - askedMs);
      await wait(askEveryMs);
    }
  }

  void askOn();
  return {
    service,
    livez,
    forget() {
      history = [];
    },
    firstUnreadyMs: () => history.find(one => !one.isReady)?.answeredMs ?? null,
    readyForGoodSinceMs() {
      const lastUnready = history.findLastIndex(one => !one.isReady);
      return history[lastUnready + 1]?.answeredMs ?? null;
    },
    stop() {
      isOver = true;
    },
  };
}
