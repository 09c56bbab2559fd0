import { appendFileSync, existsSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { createLogger, loadSettings } from '@hookline/shared/kernel';
import type { Env } from './command.ts';

const readers = new Set(['timeline', 'dead-letters', 'check-invariants', 'deletions', 'help']);

/**
 * Runs a command, and leaves one JSON line of each that may have changed something: which, who ran it and
 * where, and how it ended. Of the arguments only the names of options: values may be secrets given by
 * mistake. The line goes to standard error or, without `DATABASE_URL` or a file of it, to `operator.log` in the
 * data folder.
 */
export async function logCommand(
  args: readonly string[],
  env: Env,
  work: () => Promise<boolean>,
): Promise<boolean> {
  const [command = 'help'] = args;
  if (readers.has(command) || args.includes('--help') || args.includes('-h')) return await work();
  const options = args.flatMap(argument => /^--[a-z-]+/.exec(argument)?.[0] ?? []);
  // Anything else may be a secret given by mistake.
  const line = {
    command: /^[a-z]{2,}(-[a-z]+)*$/.test(command) ? command : 'unknown',
    options,
    user: env.SUDO_USER ?? userName(),
    host: hostname(),
  };
  const log = createLogger({ service: 'operator', destination: { write: text => append(env, text) } });
  try {
    const isDone = await work();
    log.info({ ...line, outcome: isDone ? 'done' : 'refused' }, 'operator command');
    return isDone;
  } catch (error) {
    log.info({ ...line, outcome: 'not done' }, 'operator command');
    throw error;
  }
}

/** The command has ended: a line that cannot be written does not change how. */
function append(env: Env, text: string): void {
  try {
    if (env.DATABASE_URL || env.DATABASE_URL_FILE) process.stderr.write(text);
    else {
      const folder = resolve(loadSettings(['DATA_DIR'], env).DATA_DIR);
      if (existsSync(folder)) appendFileSync(join(folder, 'operator.log'), text, { mode: 0o600 });
    }
  } catch (error) {
    console.error(`hookline ops: the command was not logged: ${(error as Error).message}`);
  }
}

/** In a container, where the user may have no name, the number. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
