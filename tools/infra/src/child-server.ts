import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname } from 'node:path';
import { isRunning, waitUntilGone } from '@hookline/embedded/running-process';

export type ChildServerOptions = {
  /** Its name in errors. */
  name: string;
  command: string;
  args: string[];
  logFile: string;
  /** True when it answers; polled every 50 ms. */
  isReady: () => Promise<boolean>;
  readyTimeoutMs: number;
  onPid?: (pid: number) => void;
};

/** A server process that tests may stop, kill and restart at the same address. */
export type ChildServer = {
  /** SIGTERM, and SIGKILL after 10 s. Repeatable. */
  stop(): Promise<void>;
  /** SIGKILL: the power cut. */
  kill(): Promise<void>;
  /** Stops it if it is running, starts it, resolves when it answers. */
  restart(): Promise<void>;
  pid(): number;
};

const STOP_TIMEOUT_MS = 10_000;

/**
 * Starts the server and waits until it answers. Throws a one-sentence error with the last line of its log.
 */
export async function startChildServer(options: ChildServerOptions): Promise<ChildServer> {
  let child = await launch(options);
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const pid = child.pid as number;
    if (!isRunning(pid)) return;
    child.kill(signal);
    if (await waitUntilGone(pid, STOP_TIMEOUT_MS)) return;
    child.kill('SIGKILL');
    await waitUntilGone(pid, STOP_TIMEOUT_MS);
  };
  return {
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGTERM');
      child = await launch(options);
    },
    pid: () => child.pid as number,
  };
}

async function launch(options: ChildServerOptions): Promise<ChildProcess> {
  const { name, command, args, logFile } = options;
  mkdirSync(dirname(logFile), { recursive: true });
  const logFd = openSync(logFile, 'a', 0o600);
  const child = spawn(command, args, {
    stdio: ['ignore', logFd, logFd],
    cwd: dirname(logFile),
    detached: true,
  });
  closeSync(logFd);
  child.unref();
  let ended: string | null = null;
  child.once('error', error => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended ??= `it ended with ${signal ?? code}`;
  });
  if (child.pid !== undefined) options.onPid?.(child.pid);
  const deadline = Date.now() + options.readyTimeoutMs;
  for (;;) {
    if (ended !== null) throw new Error(`${name} did not start (${ended}): ${lastLine(logFile)}`);
    if (await options.isReady()) return child;
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(
        `${name} did not answer within ${options.readyTimeoutMs / 1_000} s: ${lastLine(logFile)}`,
      );
    }
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

function lastLine(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8').trim().split('\n');
  return lines.findLast(line => /error|exception|fatal/i.test(line)) ?? lines.at(-1) ?? 'its log is empty';
}

/**
 * Sends `request` to a loopback port; resolves to the first bytes of the answer, null when there is none
 * within 1 s.
 */
export function askPort(port: number, request: Buffer): Promise<Buffer | null> {
  return new Promise(resolve => {
    const socket = createConnection({ host: '127.0.0.1', port });
    const finish = (answer: Buffer | null) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => finish(null));
    socket.once('error', () => finish(null));
    socket.once('close', () => finish(null));
    socket.once('data', finish);
    socket.write(request);
  });
}
