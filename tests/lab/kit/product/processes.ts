/** Product processes as an operator starts them: an ordinary command, an environment, signals. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@hookline/testing/eventually';
import { controlToken } from '@hookline/testing/simulator-controls';

export const repositoryRoot = fileURLToPath(new URL('../../../../', import.meta.url));

export type ProductProcess = {
  name: string;
  pid: number;
  /** Everything printed so far, both streams. */
  output(): string;
  /** Standard output alone. */
  stdout(): string;
  signal(signal: NodeJS.Signals): void;
  /** Resolves with the exit code, or the signal's name. */
  exited: Promise<number | string>;
  isRunning(): boolean;
};

const running = new Set<ProductProcess>();

/** Starts `node <nodeFlags> <file> <args>` with this environment plus PATH, HOME and the simulators' token. */
export function startProcess(
  name: string,
  file: string,
  env: Record<string, string>,
  args: readonly string[] = [],
  nodeFlags: readonly string[] = [],
): ProductProcess {
  const child: ChildProcess = spawn(process.execPath, [...nodeFlags, file, ...args], {
    cwd: repositoryRoot,
    // Uses the same compile cache as the bootstrap.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: join(repositoryRoot, 'node_modules/.cache/node-compile'),
      SIMULATORS_CONTROL_TOKEN: controlToken,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let everything = '';
  let standard = '';
  child.stdout?.on('data', chunk => {
    everything += chunk;
    standard += chunk;
  });
  child.stderr?.on('data', chunk => {
    everything += chunk;
  });
  let hasExited = false;
  const exited = new Promise<number | string>(resolve => {
    child.on('exit', (code, signal) => {
      hasExited = true;
      running.delete(started);
      resolve(code ?? signal ?? 'unknown');
    });
  });
  const started: ProductProcess = {
    name,
    pid: child.pid ?? -1,
    output: () => everything,
    stdout: () => standard,
    signal: signal => {
      child.kill(signal);
    },
    exited,
    isRunning: () => !hasExited,
  };
  running.add(started);
  return started;
}

/** Ends everything that a test file left running: SIGTERM first, then SIGKILL. */
export async function stopAllProcesses(): Promise<void> {
  const left = [...running];
  for (const one of left) one.signal('SIGTERM');
  const timer = setTimeout(() => {
    for (const one of left) one.signal('SIGKILL');
  }, 20_000);
  await Promise.all(left.map(one => one.exited));
  clearTimeout(timer);
}

/** Each worker of a ring takes ports of its own: two could choose the same one before either's process has it. */
const worker = Number(process.env.VITEST_POOL_ID ?? 0) % 8;

/**
 * Ports that nobody listens on. Below those that the kernel gives to outgoing connections (32768 and up), one
 * of which would take a port between here and the start of the process.
 */
export async function freePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  while (held.size < count) {
    const port = 20_000 + 8 * randomInt(1_500) + worker;
    const server = held.has(port) ? null : await tryListen(port);
    if (server) held.set(port, server);
  }
  await Promise.all([...held.values()].map(server => new Promise(done => server.close(done))));
  return [...held.keys()];
}

/** Null when the port is taken. */
function tryListen(port: number): Promise<Server | null> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

/** Waits for `/readyz`, or fails at once with the output when the process has ended. */
export async function untilReady(one: ProductProcess, url: string, timeoutMs = 30_000): Promise<void> {
  await eventually(async () => {
    if (!one.isRunning()) return;
    const response = await fetch(`${url}/readyz`);
    if (!response.ok) throw new Error(`${one.name} is not ready: ${await response.text()}`);
  }, timeoutMs);
  if (!one.isRunning()) throw new Error(`${one.name} ended:\n${one.output().slice(-2_000)}`);
}
