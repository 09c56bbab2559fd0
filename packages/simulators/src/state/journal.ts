import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Every change is one line in an append-only file, written before the answer that depends on it is sent. The
 * page cache survives a killed process, so there is no fsync; a power cut may lose the last lines. So may a full
 * disk: the change is in memory then, and the next one that fits writes everything.
 */
export type Table<T> = {
  get(key: string): T | undefined;
  put(key: string, value: T): void;
  remove(key: string): void;
  values(): T[];
  entries(): [string, T][];
  size(): number;
  /** Removes the oldest rows until at most `rowsMax` are left; returns their keys. */
  trim(rowsMax: number): string[];
};

export type Journal = {
  table<T>(name: string): Table<T>;
  clear(): void;
  close(): void;
};

type Tables = Map<string, Map<string, unknown>>;

// A journal with this many more lines than live rows is rewritten; at 300 bytes a line that is about 15 MB of
// history.
const staleLinesMax = 50_000;

/** Opens (and compacts) the journal in `dataDir`. A torn last line, left by a kill, is dropped. */
export function openJournal(dataDir: string): Journal {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'journal.ndjson');
  const tables = readTables(path);
  let fd = rewrite(path, tables, null);
  let linesWritten = 0;
  let isOpen = true;
  let isBehind = false;

  function append(name: string, key: string, value: unknown): void {
    if (!isOpen) return;
    try {
      if (isBehind || linesWritten > staleLinesMax + 4 * countRows(tables)) {
        fd = rewrite(path, tables, fd);
        linesWritten = 0;
        isBehind = false;
        return;
      }
      const bytes = Buffer.from(line(name, key, value));
      // A disk that gets full takes a part of a line.
      isBehind = writeSync(fd, bytes) < bytes.length;
      linesWritten += 1;
    } catch {
      isBehind = true;
    }
  }

  return {
    table: <T>(name: string) => tableOf<T>(tables, name, append),
    clear: () => {
      for (const rows of tables.values()) rows.clear();
      fd = rewrite(path, tables, fd);
    },
    close: () => {
      if (isOpen) closeSync(fd);
      isOpen = false;
    },
  };
}

function tableOf<T>(
  tables: Tables,
  name: string,
  append: (name: string, key: string, value: unknown) => void,
): Table<T> {
  const rows = rowsOf(tables, name) as Map<string, T>;
  function remove(key: string): void {
    if (rows.delete(key)) append(name, key, undefined);
  }
  return {
    get: key => rows.get(key),
    put: (key, value) => {
      rows.set(key, value);
      append(name, key, value);
    },
    remove,
    trim: rowsMax => {
      const removed: string[] = [];
      for (const key of rows.keys()) {
        if (rows.size <= rowsMax) break;
        remove(key);
        removed.push(key);
      }
      return removed;
    },
    values: () => [...rows.values()],
    entries: () => [...rows.entries()],
    size: () => rows.size,
  };
}

function rowsOf(tables: Tables, name: string): Map<string, unknown> {
  const rows = tables.get(name) ?? new Map<string, unknown>();
  tables.set(name, rows);
  return rows;
}

function countRows(tables: Tables): number {
  let count = 0;
  for (const rows of tables.values()) count += rows.size;
  return count;
}

function line(name: string, key: string, value: unknown): string {
  return `${JSON.stringify(value === undefined ? [name, key] : [name, key, value])}\n`;
}

function readTables(path: string): Tables {
  const tables: Tables = new Map();
  for (const text of readIfThere(path).split('\n')) {
    const row = parsedRow(text);
    if (row === null) continue;
    const rows = rowsOf(tables, row[0]);
    if (row.length === 2) rows.delete(row[1]);
    else rows.set(row[1], row[2]);
  }
  return tables;
}

function parsedRow(text: string): [string, string] | [string, string, unknown] | null {
  try {
    const row: unknown = JSON.parse(text);
    return Array.isArray(row) ? (row as [string, string, unknown]) : null;
  } catch {
    return null;
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function rewrite(path: string, tables: Tables, openFd: number | null): number {
  const lines: string[] = [];
  for (const [name, rows] of tables) {
    for (const [key, value] of rows) lines.push(line(name, key, value));
  }
  writeFileSync(`${path}.new`, lines.join(''), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  const fd = openSync(path, 'a', 0o600);
  if (openFd !== null) closeSync(openFd);
  return fd;
}
