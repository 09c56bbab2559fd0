import { ApiError } from '@hookline/shared/contracts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onceSettled } from './once-settled.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Refuses with `code` until `untilMs`, then succeeds. */
function refusedUntil(untilMs: number, code: 'already_sending' | 'already_sent') {
  const startMs = performance.now();
  const work = vi.fn(async () => {
    if (performance.now() - startMs < untilMs) throw new ApiError(code);
    return 'done';
  });
  return { work, answer: onceSettled(work) };
}

it('waits for the end of a post that arrives a moment later', async () => {
  const { answer } = refusedUntil(250, 'already_sending');
  await vi.advanceTimersByTimeAsync(300);
  expect(await answer).toBe('done');
});

it('gives up after a second', async () => {
  const { answer, work } = refusedUntil(5_000, 'already_sending');
  const refused = expect(answer).rejects.toMatchObject({ code: 'already_sending' });
  await vi.advanceTimersByTimeAsync(1_000);
  await refused;
  const asked = work.mock.calls.length;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(work).toHaveBeenCalledTimes(asked);
});

it('says everything else at once', async () => {
  const { answer, work } = refusedUntil(5_000, 'already_sent');
  await expect(answer).rejects.toMatchObject({ code: 'already_sent' });
  expect(work).toHaveBeenCalledOnce();
});
