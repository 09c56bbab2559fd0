/** The process as a command sees it: streams, environment, signals. */
import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

export type Stream = {
  write(text: string | Uint8Array): void;
  isTty: boolean;
  /** Columns of the terminal; 80 without one. */
  columns: number;
  style(format: Style, text: string): string;
};

export type Io = {
  env: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadStream;
  stdout: Stream;
  stderr: Stream;
  /** True when a person can be asked: stdin and stderr are a terminal. */
  canAsk: boolean;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  now(): Date;
};

type Env = Io['env'];

/** NO_COLOR wins over FORCE_COLOR; neither has an effect when empty. */
function hasColor(isTty: boolean, env: Env): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return isTty && env.TERM !== 'dumb';
}

function streamOf(stream: NodeJS.WriteStream, env: Env): Stream {
  const isTty = stream.isTTY === true;
  const isColored = hasColor(isTty, env);
  return {
    write: text => {
      stream.write(text);
    },
    isTty,
    get columns() {
      return stream.columns > 0 ? stream.columns : 80;
    },
    style: (format, text) => (isColored ? styleText(format, text, { validateStream: false }) : text),
  };
}

export function processIo(env: Env, signal: AbortSignal): Io {
  return {
    env,
    stdin: process.stdin,
    stdout: streamOf(process.stdout, env),
    stderr: streamOf(process.stderr, env),
    canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
    signal,
    now: () => new Date(),
  };
}
