/** Polls both health routes of a process, each on a new connection, and records the answers. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Service } from '../../kit/product/distributed.ts';

export type Probe = {
  service: Service;
  livez: { asked: number; failed: number; slowestMs: number };
  /** Starts a new history of `/readyz`. */
  forget(): void;
  /** First time that `/readyz` answered other than 200, or too late; null: never. */
  firstUnreadyMs(): number | null;
  /** Time of the first 200 of the final unbroken series; null when the last answer was not a 200. */
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
