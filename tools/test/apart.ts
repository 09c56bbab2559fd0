/**
 * Folders with a lockfile of their own: installed on demand, and no part of the
 * root's install and type check.
 */
import { join } from 'node:path';
import { ensureInstalled } from '../install.mjs';
import { ROOT, runTool } from './run-command.ts';

/**
 * Installs such a folder, without install scripts.
 * @param name of the lock that other processes wait for: `.cache/install-<name>.lock`
 * @throws Error with one sentence
 */
export function installApart(dir: string, name: string, what: string): Promise<void> {
  return ensureInstalled({
    dir,
    lock: join(ROOT, `.cache/install-${name}.lock`),
    what,
    env: { ...process.env, npm_config_ignore_scripts: 'true' },
    say: line => console.log(`  ${line}`),
  });
}

/** Checks the types of such a folder. @returns what the compiler printed; null when it found nothing */
export async function findTypeErrors(dir: string): Promise<string | null> {
  const types = ['-p', dir, '--noEmit'];
  const { code, output } = await runTool('node_modules/typescript/bin/tsc', types, { timeoutMs: 300_000 });
  return code === 0 ? null : output;
}
