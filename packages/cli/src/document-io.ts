import type { Io, Stream } from './io.ts';

const stream: Stream = { write: () => undefined, isTty: false, columns: 110, style: (_format, text) => text };

/** For the tree of commands without a process around it. */
export const documentIo: Io = {
  env: {},
  stdin: process.stdin,
  stdout: stream,
  stderr: stream,
  canAsk: false,
  signal: new AbortController().signal,
  now: () => new Date(0),
};
