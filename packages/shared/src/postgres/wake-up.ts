/**
 * One listening connection per process, shared by everything in it that waits for `notify`. Channels are of a
 * whole database.
 */
import type pg from 'pg';
import type { Logger } from '../kernel/index.ts';
import { closeDedicatedConnection, openDedicatedConnection } from './dedicated-connection.ts';

export type WakeUp = {
  /**
   * Calls back at each notification of the channel, with its text, and without one once it is listened to and after
   * every reconnection (one may have been missed).
   */
  on(channel: string, listener: (text?: string) => void): void;
  close(): Promise<void>;
};

const reconnectMs = 1_000;
// A vanished host sends nothing, just like a quiet channel.
const proofEveryMs = 10_000;

export function openWakeUp(url: string, name: string, log: Logger): WakeUp {
  const listeners = new Map<string, Set<(text?: string) => void>>();
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
      opened.on('notification', ({ channel, payload }) => {
        for (const listener of listeners.get(channel) ?? []) listener(payload);
      });
      const current = opened;
      opened.on('end', () => {
        if (connection !== current) return;
        connection = null;
        reconnect();
      });
      // Includes channels that are added in the meantime.
      for (const channel of listeners.keys()) await listen(opened, channel);
      prove(opened);
    } catch (error) {
      log.debug({ err: error }, 'the wake-up connection is away');
      // A connection that cannot listen would stay open after the next one is made.
      connection = null;
      if (opened) await closeDedicatedConnection(opened).catch(() => {});
      reconnect();
    }
  }

  async function listen(opened: pg.Client, channel: string): Promise<void> {
    await opened.query(`listen ${channel}`);
    for (const listener of listeners.get(channel) ?? []) listener();
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
      const known = listeners.get(channel);
      if (known) known.add(listener);
      else listeners.set(channel, new Set([listener]));
      const opened = connection;
      // Also where the channel is known: this listener may have missed one.
      if (opened)
        listen(opened, channel).catch(error => {
          log.debug({ err: error }, 'the wake-up connection cannot listen');
          void closeDedicatedConnection(opened);
        });
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await opening;
      if (connection) await closeDedicatedConnection(connection);
    },
  };
}
