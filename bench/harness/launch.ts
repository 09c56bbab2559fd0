import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export type MeasuredProcess = { pid: number; stop(): Promise<void> };

export type LaunchOptions = {
  name: string;
  command: string;
  args: readonly string[];
  env?: Record<string, string>;
  /** Receives stdout and stderr, like a container's log file. */
  logFile: string;
  /** Polled every 50 ms; the process must be ready within 20 s. */
  isReady: () => Promise<boolean>;
};

/** Starts a process whose only environment is `env` and PATH. @throws Error with the end of its log */
export async function launch(options: LaunchOptions): Promise<MeasuredProcess> {
  mkdirSync(dirname(options.logFile), { recursive: true });
  const log = openSync(options.logFile, 'w');
  const child = spawn(options.command, options.args, {
    env: { PATH: process.env.PATH ?? '', ...options.env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const failure = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', code => reject(new Error(`${options.name} ended with ${code}`)));
  });
  // Stopped later on purpose, which is not a failure.
  failure.catch(() => {});
  await Promise.race([waitUntilReady(options), failure]).catch(async (error: Error) => {
    await stop(child);
    throw new Error(`${error.message}: ${readFileSync(options.logFile, 'utf8').slice(-2_000)}`);
  });
  return { pid: child.pid as number, stop: () => stop(child) };
}

async function waitUntilReady({ name, isReady }: LaunchOptions): Promise<void> {
  const until = Date.now() + 20_000;
  while (!(await isReady().catch(() => false))) {
    if (Date.now() > until) throw new Error(`${name} was not ready within 20 s`);
    await wait(50);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(kill);
}

/** True when the URL answers with a status below 500. */
export async function answers(url: string, headers: Record<string, string> = {}): Promise<boolean> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(1_000) });
  await response.arrayBuffer();
  return response.status < 500;
}
