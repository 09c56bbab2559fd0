/** `$XDG_CONFIG_HOME/hookline/config.json`: profiles with their keys, for the owner's eyes alone. */
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { noAccess, usage } from './failure.ts';
import type { Io } from './io.ts';

export type Profile = { baseUrl: string; apiKey?: string; email?: string };
export type Config = { profile?: string; profiles: Record<string, Profile> };

export function configPath(env: Io['env']): string {
  // The XDG specification: a relative path is ignored.
  const given = env.XDG_CONFIG_HOME;
  const base = given?.startsWith('/') ? given : join(env.HOME ?? homedir(), '.config');
  return join(base, 'hookline', 'config.json');
}

/** @throws Failure when others can read the file, or it is not ours to understand */
export function readConfig(env: Io['env']): Config {
  const path = configPath(env);
  let text: string;
  try {
    const isShared = process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
    if (isShared) throw noAccess(`${path} can be read by others, and holds keys.`, `chmod 600 ${path}`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { profiles: {} };
    if (code === 'EACCES') throw noAccess(`${path} cannot be read.`);
    throw error;
  }
  try {
    const config = JSON.parse(text) as Partial<Config>;
    return { ...config, profiles: { ...config.profiles } };
  } catch {
    throw usage(`${path} is not JSON.`, 'Correct it, or delete it and log in again.');
  }
}

/** Replaces the file in one step. */
export function writeConfig(env: Io['env'], config: Config): string {
  const path = configPath(env);
  renameSync(writeDraft(path, `${JSON.stringify(config, null, 2)}\n`), path);
  return path;
}

/**
 * What `listen` and `trigger` sign with: the same until the file is deleted, so that a receiver keeps working.
 * The secret is in a file of its own, which only the first of several commands at once can create.
 */
export function webhookSecret(env: Io['env']): string {
  if (env.HOOKLINE_WEBHOOK_SECRET) return env.HOOKLINE_WEBHOOK_SECRET;
  const path = join(dirname(configPath(env)), 'webhook-secret');
  if (!existsSync(path)) {
    const draft = writeDraft(path, `whsec_${randomBytes(32).toString('base64')}\n`);
    try {
      linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    rmSync(draft);
  }
  return readFileSync(path, 'utf8').trim();
}

function writeDraft(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  return draft;
}
