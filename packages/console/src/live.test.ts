import type { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { followChanges, waitBeforeMs } from './live.ts';

it('the wait doubles up to a minute, with up to half of it left out', () => {
  expect([0, 1, 4, 5, 30].map(attempt => waitBeforeMs(attempt, 1))).toEqual([
    2_000, 4_000, 32_000, 60_000, 60_000,
  ]);
  expect(waitBeforeMs(0, 0)).toBe(1_000);
});

/** The part of EventSource that the browser plays: it opens, is cut, or is refused. */
class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static readonly opened: Stream[] = [];
  readyState = 0;
  constructor() {
    super();
    Stream.opened.push(this);
  }
  open() {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  fail(readyState: number) {
    this.readyState = readyState;
    this.dispatchEvent(new Event('error'));
  }
  close() {
    this.readyState = 2;
  }
}

beforeEach(() => {
  Stream.opened.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', Stream);
  vi.stubGlobal('document', { visibilityState: 'visible' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('a stream that was refused is opened again, and everything is read again then', () => {
  const read = vi.fn();
  const end = followChanges({ invalidateQueries: read } as Pick<QueryClient, 'invalidateQueries'>);
  Stream.opened[0]?.open();
  expect(read).not.toHaveBeenCalled();

  Stream.opened[0]?.fail(0);
  vi.advanceTimersByTime(5_000);
  expect(Stream.opened).toHaveLength(1);

  Stream.opened[0]?.fail(2);
  vi.advanceTimersByTime(2_000);
  expect(Stream.opened).toHaveLength(2);
  Stream.opened[1]?.fail(2);
  vi.advanceTimersByTime(4_000);
  expect(Stream.opened).toHaveLength(3);
  Stream.opened[2]?.open();
  expect(read).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(60_000);
  expect(read).toHaveBeenCalledOnce();

  Stream.opened[2]?.fail(2);
  end();
  vi.advanceTimersByTime(120_000);
  expect(Stream.opened).toHaveLength(3);
});

it('without a stream everything is read again each 20 s', () => {
  const read = vi.fn();
  const end = followChanges({ invalidateQueries: read } as Pick<QueryClient, 'invalidateQueries'>);
  Stream.opened[0]?.fail(0);
  vi.advanceTimersByTime(41_000);
  expect(read).toHaveBeenCalledTimes(2);
  end();
});

it('changes that keep coming are read less and less often, and one after a pause at once', () => {
  const read = vi.fn();
  const end = followChanges({ invalidateQueries: read } as Pick<QueryClient, 'invalidateQueries'>);
  const [stream] = Stream.opened;
  stream?.open();
  const change = () =>
    stream?.dispatchEvent(Object.assign(new Event('change'), { data: JSON.stringify({ kind: 'key' }) }));
  // Each reads `keys`, `events` and `audit`.
  const readsIn = (ms: number, everyMs: number) => {
    read.mockClear();
    for (let at = 0; at < ms; at += everyMs) {
      change();
      vi.advanceTimersByTime(everyMs);
    }
    return read.mock.calls.length / 3;
  };
  expect(readsIn(250, 50)).toBe(1);
  const reads = readsIn(60_000, 50);
  expect(reads).toBeGreaterThanOrEqual(7);
  expect(reads).toBeLessThanOrEqual(12);
  // The last of them is read 3.5 s later. A change 7.8 s after that does not wait another 8 s.
  vi.advanceTimersByTime(11_300);
  expect(readsIn(250, 250)).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(readsIn(250, 50)).toBe(1);
  end();
});
