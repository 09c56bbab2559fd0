/**
 * Rotation of the keys that seal secrets at rest: every stored secret is opened and sealed again with the
 * current key.
 */

import type { SecretBox } from '../kernel/index.ts';
import type { Database, Sql } from './db.ts';

/** One row with its sealed texts. `context` is what the secrets are bound to. */
export type SealedRow = { id: string; context: string; sealed: readonly string[] };

/** A table that holds sealed secrets. Every service lists its own in `queries/sealed-*.ts`. */
export type SealedStore = {
  schema: string;
  table: string;
  /** The columns that hold sealed text, for the test that no table is forgotten. */
  columns: readonly string[];
  /** Rows with secrets, in the order of ids, after the given one. */
  list(sql: Sql, afterId: string, countMax: number): Promise<SealedRow[]>;
  /** Writes the new texts. Returns false when the row was changed since it was read. */
  replace(sql: Sql, row: SealedRow, sealed: readonly string[]): Promise<boolean>;
};

export type ResealCount = {
  /** Rows that were resealed (in a check: that would be). */
  resealed: number;
  current: number;
  /** Rows that another process changed first. Services seal with their current key. */
  changed: number;
  /** Ids of rows that none of the keys opens. They are left unchanged. */
  unreadable: string[];
};

const batchMax = 200;

/** Goes through a table once, in batches, while the services work. Repeatable. @param isCheck counts only */
export async function resealStore(
  db: Database,
  store: SealedStore,
  box: SecretBox,
  isCheck: boolean,
): Promise<ResealCount> {
  const count: ResealCount = { resealed: 0, current: 0, changed: 0, unreadable: [] };
  for (let afterId = ''; ; ) {
    const rows = await store.list(db, afterId, batchMax);
    for (const row of rows) await resealRow(db, store, box, row, isCheck, count);
    const last = rows.at(-1);
    if (!last || rows.length < batchMax) return count;
    afterId = last.id;
  }
}

async function resealRow(
  db: Database,
  store: SealedStore,
  box: SecretBox,
  row: SealedRow,
  isCheck: boolean,
  count: ResealCount,
): Promise<void> {
  const opened = openAll(box, row);
  if (opened === null) {
    count.unreadable.push(row.id);
  } else if (row.sealed.every(text => box.isCurrent(text))) {
    count.current += 1;
  } else {
    const sealed = opened.map(secret => box.seal(secret, row.context));
    const isWritten = isCheck || (await store.replace(db, row, sealed));
    if (isWritten) count.resealed += 1;
    else count.changed += 1;
  }
}

function openAll(box: SecretBox, row: SealedRow): string[] | null {
  try {
    return row.sealed.map(text => box.open(text, row.context));
  } catch {
    return null;
  }
}
