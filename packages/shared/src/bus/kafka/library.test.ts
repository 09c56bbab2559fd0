import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { quietIdleConnections, releaseDestroyedSockets } from './library.ts';

type Connection = { socket?: Socket; disconnect(): Promise<boolean> };
type Queue = {
  inflight: Map<number, object>;
  pending: object[];
  throttledUntil: number;
  scheduleRequestTimeoutCheck(): void;
  scheduleCheckPendingRequests(): void;
  checkPendingRequests(): void;
  destroy(): void;
};

const require = createRequire(import.meta.url);
const Connection: new (options: object) => Connection = require('kafkajs/src/network/connection.js');
const Queue: new (options: object) => Queue = require('kafkajs/src/network/requestQueue/index.js');
const silent = { debug() {}, info() {}, warn() {}, error() {}, namespace: () => silent };

/** @returns the `connect` listeners of a destroyed socket after 8 disconnects. */
async function listenersAfterDisconnects(): Promise<number> {
  const connection = new Connection({ host: '127.0.0.1', port: 1, logger: silent });
  const socket = new Socket();
  socket.destroy();
  connection.socket = socket;
  for (let count = 0; count < 8; count += 1) await connection.disconnect();
  return socket.listenerCount('connect');
}

it('a destroyed socket collects no listeners, however often kafkajs disconnects', async () => {
  // Shows that the defect is still there: without it the patch can go.
  expect(await listenersAfterDisconnects()).toBe(8);
  releaseDestroyedSockets();
  expect(await listenersAfterDisconnects()).toBe(0);
});

/** Checks of an idle connection within a second, and how long a request without an answer waits. */
function watchConnection(): { checks: number; waitedMs: number } {
  vi.useFakeTimers();
  try {
    let checks = 0;
    let waitedMs = 0;
    const began = Date.now();
    const isConnected = () => {
      checks += 1;
      return true;
    };
    const queue = new Queue({
      enforceRequestTimeout: true,
      requestTimeout: 10_000,
      logger: silent,
      isConnected,
    });
    queue.scheduleRequestTimeoutCheck();
    vi.advanceTimersByTime(1_000);
    const checksASecond = checks;
    const timeoutRequest = () => {
      waitedMs ||= Date.now() - began;
    };
    queue.inflight.set(1, { sentAt: began, requestTimeout: 10_000, timeoutRequest });
    vi.advanceTimersByTime(12_000);
    queue.destroy();
    expect(vi.getTimerCount()).toBe(0);
    return { checks: checksASecond, waitedMs };
  } finally {
    vi.useRealTimers();
  }
}

it('an idle connection is checked for overdue requests once a second', () => {
  // Shows that the defect is still there: without it the patch can go.
  expect(watchConnection()).toEqual({ checks: 10, waitedMs: 10_100 });
  quietIdleConnections();
  expect(watchConnection()).toEqual({ checks: 1, waitedMs: 11_000 });
});

/** The delay until the queue checks its requests again, by what waits and how long the broker throttles. */
function delayOf(pending: number, throttledMs: number): number | null {
  // Each reading of the clock is two milliseconds later than the one before.
  const now = vi.spyOn(Date, 'now').mockImplementation(() => 1_000 + 2 * now.mock.calls.length);
  // Not together with fake timers: the spy would put the fake one back.
  const schedule = vi.spyOn(globalThis, 'setTimeout').mockReturnValue({} as NodeJS.Timeout);
  try {
    const queue = new Queue({ requestTimeout: 10_000, logger: silent, isConnected: () => true });
    queue.pending = Array.from({ length: pending }, () => ({}));
    queue.throttledUntil = throttledMs > 0 ? 1_002 + throttledMs : -1;
    now.mockClear();
    schedule.mockClear();
    queue.scheduleCheckPendingRequests();
    queue.scheduleCheckPendingRequests();
    expect(schedule.mock.calls.length).toBeLessThan(2);
    return schedule.mock.calls[0]?.[1] ?? null;
  } finally {
    schedule.mockRestore();
    now.mockRestore();
  }
}

it('a queue without requests sets no timer with a negative delay, also when a throttle just ends', () => {
  quietIdleConnections();
  expect([delayOf(0, 0), delayOf(0, 1), delayOf(0, 500)]).toEqual([null, 1, 500]);
  expect([delayOf(1, 0), delayOf(1, 1), delayOf(1, 500)]).toEqual([10, 1, 500]);
});
