/**
 * An open-loop client: a fixed rate of requests, whether answers arrive or not. Undecided requests are
 * repeated.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { HttpClient } from '../../kit/clients/http-client.ts';
import type { Recorder } from '../../kit/run/history.ts';
import { epochMs } from './clock.ts';
import type { ChaosLine } from './history.ts';
import { codeOf, type Step } from './requests.ts';

export type Load = {
  /** Requests sent so far, and those without an answer. */
  sent(): number;
  silent(): number;
  /** Sends no new request; resolves when each was answered or given up. */
  stop(): Promise<void>;
  /**
   * Repeats undecided requests until they are decided. @throws Error for those still undecided after two
   * minutes
   */
  finish(): Promise<void>;
};

export type LoadOptions = {
  client: HttpClient;
  next: () => Step;
  perSecond: number;
  recorder: Recorder<ChaosLine>;
};

const again = { leastMs: 500, mostMs: 2_500 };
const finishWithinMs = 120_000;
const finishAtOnce = 4;
export function startLoad({ client, next, perSecond, recorder }: LoadOptions): Load {
  const undecided: { step: Step; fromMs: number }[] = [];
  let sent = 0;
  let silent = 0;
  let waiting = 0;

  async function send(step: Step): Promise<void> {
    waiting += 1;
    const sentMs = performance.now();
    const question = { ...step.question, path: `/api/v1${step.question.path}` };
    const answer = await client.send(0, question).catch(() => null);
    waiting -= 1;
    if (!answer) silent += 1;
    recorder.write({
      kind: 'asked',
      operation: step.operation,
      windows: step.windows,
      sentMs: epochMs(answer?.sentMs ?? sentMs),
      doneMs: epochMs(answer?.doneMs ?? performance.now()),
      status: answer?.status ?? 0,
      code: answer && answer.status >= 400 ? codeOf(answer) : null,
    });
    if (step.onAnswer?.(answer) !== 'again') return;
    const waitMs = 1_000 * Number(answer?.retryAfter ?? 0);
    const pauseMs = waitMs + again.leastMs + Math.random() * (again.mostMs - again.leastMs);
    undecided.push({ step: step.again?.() ?? step, fromMs: performance.now() + pauseMs });
  }

  function takeUndecided(): Step | undefined {
    const at = undecided.findIndex(({ fromMs }) => fromMs <= performance.now());
    return at < 0 ? undefined : undecided.splice(at, 1)[0]?.step;
  }

  const beganMs = performance.now();
  const timer = setInterval(() => {
    for (; (sent * 1_000) / perSecond <= performance.now() - beganMs; sent += 1)
      void send(takeUndecided() ?? next());
  }, 5);

  return {
    sent: () => sent,
    silent: () => silent,
    async stop() {
      clearInterval(timer);
      while (waiting > 0) await wait(20);
    },
    async finish() {
      const untilMs = performance.now() + finishWithinMs;
      while (undecided.length > 0) {
        if (performance.now() > untilMs)
          throw new Error(`still undecided: ${undecided.map(({ step }) => step.operation).join()}`);
        const batch = Array.from({ length: finishAtOnce }, takeUndecided).filter(step => step !== undefined);
        await Promise.all(batch.map(send));
        await wait(100);
      }
    },
  };
}
