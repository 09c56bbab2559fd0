/** One listening connection per process, shared by everything in it that waits for `notify`. */
import type pg from 'pg';
import type { Logger } from '../kernel/index.ts';
import { closeDedicatedConnection, openDedicatedConnection } from './dedicated-connection.ts';

export type WakeUp = {
  /**
   * Calls back at each notification of the channel, and after every reconnection (one may have been missed).
   */
  on(channel: string, listener: () => void): void;
  close(): Promise<void>;
};

const reconnectMs = 1_000;
// A vanished host sends nothing, just like a quiet channel.
const proofEveryMs = 10_000;

/** @param channels fixed at the start; `on` accepts only these */
export function openWakeUp(url: string, name: string, channels: readonly string[], log: Logger): WakeUp {
  const listeners = new Map<string, Set<() => void>>(channels.map(channel => [channel, new Set()]));
  const wakeAll = (): void => {
    for (const set of listeners.values()) for (const listener of set) listener();
  };
  let isClosed = false;
  let connection: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    let opened: pg.Client | undefined;
    try {
      opened = await openDedicatedConnection(url, name);
      if (isClosed) {
        await closeDedicatedConnection(opened);
        return;
      }
      connection = opened;
      opened.on('notification', ({ channel }) => {
        for (const listener of listeners.get(channel) ?? []) listener();
      });
      const current = opened;
      opened.on('end', () => {
        if (connection !== current) return;
        connection = null;
        reconnect();
      });
      for (const channel of channels) await opened.query(`listen ${channel}`);
      wakeAll();
      prove(opened);
    } catch (error) {
      log.debug({ err: error }, 'the wake-up connection is away');
      // A connection that cannot listen would stay open after the next one is made.
      connection = null;
      if (opened) await closeDedicatedConnection(opened).catch(() => {});
      reconnect();
    }
  }

  /** Ends a connection that does not answer. */
  function prove(opened: pg.Client): void {
    const timer = setInterval(() => {
      opened.query('select 1').catch(error => log.debug({ err: error }, 'the wake-up connection is lost'));
    }, proofEveryMs);
    timer.unref();
    opened.on('end', () => clearInterval(timer));
  }

  function reconnect(): void {
    if (isClosed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      void connect();
    }, reconnectMs);
  }

  const opening = connect();
  return {
    on(channel, listener) {
      const set = listeners.get(channel);
      if (!set) throw new Error(`the channel ${channel} is not listened to`);
      set.add(listener);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await opening;
      if (connection) await closeDedicatedConnection(connection);
    },
  };
}
