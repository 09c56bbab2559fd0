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
 * next call. Locks belong to the connection: a user that gives it back keeps its locks while others have it,
 * so all of them must lock different things, for the same process.
 */
export function shareConnection(url: string, name: string): ConnectionSource {
  type Shared = { opened: Promise<pg.Client>; uses: number };
  const byConnection = new Map<pg.Client, Shared>();
  let current: Shared | null = null;

  function open(): Shared {
    const shared: Shared = { opened: openDedicatedConnection(url, name), uses: 0 };
    const forget = (): void => {
      if (current === shared) current = null;
    };
    shared.opened.then(connection => {
      byConnection.set(connection, shared);
      connection.once('end', forget);
    }, forget);
    return shared;
  }

  return {
    async take() {
      current ??= open();
      const shared = current;
      // Counted before the connection is open: giving it back in the meantime must not close it.
      shared.uses += 1;
      return await shared.opened;
    },
    async giveBack(connection) {
      const shared = byConnection.get(connection);
      if (!shared) return;
      shared.uses -= 1;
      if (shared.uses > 0) return;
      byConnection.delete(connection);
      if (current === shared) current = null;
      await closeDedicatedConnection(connection);
    },
  };
}
