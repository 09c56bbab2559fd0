import type { Table } from '../state/journal.ts';
import type { Share } from './share.ts';

/** The shares, with an index by creator. */
export type ShareTable = Table<Share> & {
  /** Oldest first. */
  of(username: string): Share[];
};

export function createShareTable(rows: Table<Share>): ShareTable {
  const byCreator = new Map<string, Set<string>>();
  // Lives as long as the rows: a reset empties the table and leaves ids that match nothing.
  for (const share of rows.values()) idsOf(share.username).add(share.publishId);

  function idsOf(username: string): Set<string> {
    const ids = byCreator.get(username) ?? new Set<string>();
    byCreator.set(username, ids);
    return ids;
  }

  return {
    ...rows,
    put: (key, share) => {
      rows.put(key, share);
      idsOf(share.username).add(key);
    },
    of: username => {
      const ids = idsOf(username);
      const shares: Share[] = [];
      for (const id of ids) {
        const share = rows.get(id);
        if (share === undefined) ids.delete(id);
        else shares.push(share);
      }
      return shares;
    },
  };
}
