/** The history of a run: the clients' requests, their times and answers. The checker reads nothing else. */
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Revocation } from '../../kit/checks/check-revocations.ts';
import type { Counted } from '../../kit/checks/check-windows.ts';

export type Asked = Counted & {
  kind: 'asked';
  seq: number;
  /** The part of the run, which selects the checker's rules. */
  part: string;
  gateway: number;
  code: string | null;
  message: string | null;
  retryAfter: string | null;
  /** A retry of a refused request, after waiting as requested or a second less. */
  after: { seq: number; waited: 'as told' | 'a second less' } | null;
};

export type Revoked = Revocation & { kind: 'revoked'; part: string; gateway: number };

export type Happened = { kind: 'fault'; what: string; atMs: number };

export type Line = Asked | Revoked | Happened;

export type Recorder = {
  write(line: Line): void;
  nextSeq(): number;
  close(): Promise<void>;
};

/** Writes every line to disk at once; only counters are kept in memory. */
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

export function isRevoked(line: Line): line is Revoked {
  return line.kind === 'revoked';
}
