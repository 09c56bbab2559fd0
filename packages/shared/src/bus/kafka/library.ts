import { createRequire } from 'node:module';
import { type LogEntry, logLevel } from 'kafkajs';
import type { BusLog } from '../delivery.ts';

// Repeated for every attempt while a broker is away; this adapter logs it once.
const repetitiveNamespaces = ['BrokerPool', 'Connection', 'Producer'];

/** Most errors of kafkajs are retried; those that end a consumer or a send are logged by this adapter. */
export function writeLog(log: BusLog, { level, namespace, log: entry }: LogEntry): void {
  const { message, timestamp: _, logger: __, stack: ___, ...fields } = entry;
  const isWarning = level <= logLevel.WARN && !repetitiveNamespaces.includes(namespace);
  log[isWarning ? 'warn' : 'debug']({ namespace, ...fields }, `kafkajs: ${message}`);
}

type Request = { sentAt: number; requestTimeout: number; timeoutRequest(): void };
type RequestQueue = {
  pending: readonly unknown[];
  inflight: ReadonlyMap<number, Request>;
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  enforceRequestTimeout: boolean;
  requestTimeoutIntervalId?: NodeJS.Timeout;
  isConnected(): boolean;
  destroy(): void;
  checkPendingRequests(): void;
};
let isQuiet = false;

/** The shortest limit of a request is 10 s. */
const timeoutCheckMs = 1_000;
/** As in kafkajs. */
const pendingCheckMs = 10;

/**
 * kafkajs 2.2.4 re-arms a timer with a negative delay on each open connection: an idle producer and consumer
 * ran 3,250 timers a second, 4 % of a core. A timer is needed only while a request waits or the broker
 * throttles. Each connection also checks every 100 ms whether a request is overdue, 40 to 70 timers a second
 * in an idle service; once a second is enough.
 */
export function quietIdleConnections(): void {
  if (isQuiet) return;
  isQuiet = true;
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as {
    prototype: {
      scheduleCheckPendingRequests(this: RequestQueue): void;
      scheduleRequestTimeoutCheck(this: RequestQueue): void;
    };
  };
  prototype.scheduleRequestTimeoutCheck = function checkEverySecond() {
    if (!this.enforceRequestTimeout) return;
    this.destroy();
    this.requestTimeoutIntervalId = setInterval(() => {
      for (const request of this.inflight.values())
        if (Date.now() - request.sentAt > request.requestTimeout) request.timeoutRequest();
      if (!this.isConnected()) this.destroy();
    }, timeoutCheckMs);
  };
  prototype.scheduleCheckPendingRequests = function scheduleWhenWaiting() {
    if (this.throttleCheckTimeoutId) return;
    // The clock is read once: a throttle that ended between two readings made the delay negative again.
    const throttledMs = this.throttledUntil - Date.now();
    if (throttledMs <= 0 && this.pending.length === 0) return;
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      },
      throttledMs > 0 ? throttledMs : pendingCheckMs,
    );
  };
}

type Connection = { socket?: { destroyed: boolean } | undefined };
let isReleasing = false;

/**
 * kafkajs 2.2.4 calls `unref` on a connection's socket at each disconnect, also when the socket is
 * destroyed; Node then adds a `connect` listener that is never called. A group whose broker stays
 * away collects more than ten.
 */
export function releaseDestroyedSockets(): void {
  if (isReleasing) return;
  isReleasing = true;
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/connection.js') as {
    prototype: { disconnect(this: Connection): Promise<boolean> };
  };
  const disconnect = prototype.disconnect;
  prototype.disconnect = function disconnectOnce() {
    if (this.socket?.destroyed) this.socket = undefined;
    return disconnect.call(this);
  };
}
