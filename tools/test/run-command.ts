import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** The repository's root. */
export const ROOT = resolve(import.meta.dirname, '../..');

export type CommandResult = { code: number; output: string };

export type CommandOptions = {
  cwd?: string;
  env?: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
};

/** Runs a tool of `node_modules` on our own Node; both of its streams are returned as one text. */
export function runTool(
  script: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  return runCommand(process.execPath, [resolve(ROOT, script), ...args], options);
}

/** The same for a standalone program. A missing one ends with 127. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  const child = spawn(command, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Not spawn's own timeout: that one keeps running, and keeps this process alive, when the program does not
  // exist.
  const timer = setTimeout(() => child.kill(), options.timeoutMs);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((done, fail) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      if (error.code === 'ENOENT') done({ code: 127, output: `${command} is not there` });
      else fail(error);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (signal !== null) output += `\nended by ${signal} (limit ${options.timeoutMs / 1_000} s)`;
      done({ code: code ?? 1, output });
    });
  });
}
