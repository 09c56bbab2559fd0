import type pg from 'pg';
import { closeDedicatedConnection, openDedicatedConnection } from './dedicated-connection.ts';

/** Where a session for LISTEN and session locks comes from. */
export type ConnectionSource = {
  take(): Promise<pg.Client>;
  /** Called once for each `take`, also when the connection was lost. Never rejects. */
  giveBack(connection: pg.Client): Promise<void>;
};

/** Each call opens a connection, which ends when it is given back. */
export function dedicatedConnections(url: string, name: string): ConnectionSource {
  return { take: () => openDedicatedConnection(url, name), giveBack: closeDedicatedConnection };
}

/**
 * One connection for all that take it, which ends with the last of them; one that was lost is replaced at the
 * next call. Locks belong to the connection: one who gives it back still holds what it locked while others
 * have it, so they must lock different things, for the same process.
 */
export function shareConnection(url: string, name: string): ConnectionSource {
  const uses = new Map<pg.Client, number>();
  let opening: Promise<pg.Client> | null = null;

  function open(): Promise<pg.Client> {
    const opened = openDedicatedConnection(url, name);
    const forget = (): void => {
      if (opening === opened) opening = null;
    };
    opened.then(connection => connection.once('end', forget), forget);
    return opened;
  }

  return {
    async take() {
      opening ??= open();
      const connection = await opening;
      uses.set(connection, (uses.get(connection) ?? 0) + 1);
      return connection;
    },
    async giveBack(connection) {
      const left = (uses.get(connection) ?? 1) - 1;
      if (left > 0) {
        uses.set(connection, left);
        return;
      }
      uses.delete(connection);
      opening = null;
      await closeDedicatedConnection(connection);
    },
  };
}
