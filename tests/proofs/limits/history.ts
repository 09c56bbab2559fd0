/** The history of a run: what clients asked, when, and what they were told. The checker reads nothing else. */
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** What a request counts against, as `ip:<address>`, `key:<name>` or `content:<name>`. */
export type WindowName = string;
export type WindowKind = 'ip' | 'key' | 'content';

/** A request and its answer. Times are milliseconds of one monotonic clock, that of the recorder. */
export type Asked = {
  kind: 'asked';
  seq: number;
  /** The part of the run, which says by which rules the checker judges. */
  part: string;
  gateway: number;
  windows: WindowName[];
  /** Just before the first byte left. */
  sentMs: number;
  /** Just after the last byte came. */
  doneMs: number;
  /** 0: no answer came. */
  status: number;
  code: string | null;
  message: string | null;
  retryAfter: string | null;
  /** A second try of a refused request, after waiting as told or a second less. */
  after: { seq: number; waited: 'as told' | 'a second less' } | null;
};

/** The answer of `DELETE /keys/{id}`. */
export type Revoked = {
  kind: 'revoked';
  part: string;
  gateway: number;
  key: string;
  sentMs: number;
  doneMs: number;
  status: number;
};

export type Happened = { kind: 'fault'; what: string; atMs: number };

export type Line = Asked | Revoked | Happened;

export type Recorder = {
  write(line: Line): void;
  nextSeq(): number;
  close(): Promise<void>;
};

/** Writes every line to disk as it comes; nothing is kept in memory but counters. */
export function createRecorder(file: string): Recorder {
  const stream = createWriteStream(file, { mode: 0o600 });
  let seq = 0;
  return {
    write: line => {
      stream.write(`${JSON.stringify(line)}\n`);
    },
    nextSeq: () => {
      seq += 1;
      return seq;
    },
    close: () => new Promise(resolve => stream.end(resolve)),
  };
}

export async function readHistory(file: string): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    lines.push(JSON.parse(line) as Line);
  }
  return lines;
}

export function isAsked(line: Line): line is Asked {
  return line.kind === 'asked';
}

export function kindOf(name: WindowName): WindowKind {
  return name.slice(0, name.indexOf(':')) as WindowKind;
}
