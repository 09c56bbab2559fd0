/** Which product a command talks to, and with which key. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Profile, readConfig } from './config-file.ts';
import { usage } from './failure.ts';
import type { Io } from './io.ts';

export type Access = {
  /** With its path, without a slash at the end. */
  baseUrl: string;
  apiKey: string | undefined;
  /** Where the key comes from, for people. */
  source: string;
  /** The profile has it, or `npm start` on this machine wrote it. */
  email?: string | undefined;
  password?: string | undefined;
};

export type AccessFlags = { baseUrl?: string; profile?: string };

const defaultBaseUrl = 'http://localhost:8080/api/v1';

/** @throws Failure `usage` */
export function toBaseUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text.includes('://') ? text : `https://${text}`);
  } catch {
    throw usage(`"${text}" is not an address; a base URL looks like ${defaultBaseUrl}.`);
  }
  if (!['http:', 'https:'].includes(url.protocol) || url.username || url.search || url.hash) {
    throw usage(`"${url.origin}" is not a base URL; one looks like ${defaultBaseUrl}.`);
  }
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path === '' ? '/api/v1' : path);
}

type FirstRun = { baseUrl: string; apiKey: string; agentKey?: string; email?: string; password?: string };

/**
 * The product of `npm start`: its data folder is named by DATA_DIR, or is `.data` here or in a folder above.
 * A file of another user is not believed.
 */
export function findLocalProduct(env: Io['env'], from: string): (FirstRun & { path: string }) | null {
  const places = env.DATA_DIR
    ? [resolve(from, env.DATA_DIR)]
    : foldersAbove(from).map(dir => join(dir, '.data'));
  for (const place of places) {
    const path = join(place, 'first-run.json');
    try {
      const { uid, mode } = statSync(path);
      if (process.getuid && uid !== process.getuid()) continue;
      if ((mode & 0o022) !== 0) continue;
      const found = JSON.parse(readFileSync(path, 'utf8')) as FirstRun;
      if (typeof found.baseUrl === 'string') return { ...found, path };
    } catch {
      // The file is missing or half written: the next folder may have one.
    }
  }
  return null;
}

function foldersAbove(from: string): string[] {
  const above = dirname(from);
  return above === from ? [from] : [from, ...foldersAbove(above)];
}

/**
 * Flag, then environment, then configuration file, then the product of `npm start`. A stored key is
 * used only with the address that it was stored for. The profile of a flag is used as it is,
 * whatever the environment says.
 * @throws Failure `usage` for a profile that does not exist, or that is of another
 * address than the flag names
 */
export function resolveAccess(flags: AccessFlags, env: Io['env'], from: string): Access {
  if (flags.profile !== undefined) return profileAccess(flags.profile, flags.baseUrl, env);
  const asked = flags.baseUrl ?? env.HOOKLINE_BASE_URL;
  const baseUrl = asked === undefined || asked === '' ? undefined : toBaseUrl(asked);
  const profileName = env.HOOKLINE_PROFILE || undefined;
  if (env.HOOKLINE_API_KEY) {
    // No header can carry it, and the errors of fetch quote what they refuse.
    if (!/^[\x20-\x7e]+$/.test(env.HOOKLINE_API_KEY)) {
      throw usage('HOOKLINE_API_KEY is not a key: it has a line end, or a character that is not ASCII.');
    }
    const known = baseUrl ?? storedProfile(profileName, env)?.baseUrl ?? findLocalProduct(env, from)?.baseUrl;
    return {
      baseUrl: known === undefined ? defaultBaseUrl : toBaseUrl(known),
      apiKey: env.HOOKLINE_API_KEY,
      source: 'HOOKLINE_API_KEY',
    };
  }
  const profile = storedProfile(profileName, env);
  if (profile !== null && (baseUrl === undefined || baseUrl === profile.baseUrl)) return accessOf(profile);
  const local = findLocalProduct(env, from);
  if (local !== null && (baseUrl === undefined || baseUrl === toBaseUrl(local.baseUrl))) {
    return {
      baseUrl: toBaseUrl(local.baseUrl),
      apiKey: local.agentKey ?? local.apiKey,
      email: local.email,
      password: local.password,
      source: `${local.agentKey === undefined ? 'apiKey, which approves and publishes,' : 'agentKey'} in ${local.path}`,
    };
  }
  return { baseUrl: baseUrl ?? defaultBaseUrl, apiKey: undefined, source: 'no key' };
}

function profileAccess(name: string, asked: string | undefined, env: Io['env']): Access {
  const profile = storedProfile(name, env);
  if (profile === null) throw usage(`There is no profile "${name}".`);
  if (asked !== undefined && toBaseUrl(asked) !== profile.baseUrl) {
    throw usage(
      `The profile "${name}" is for ${profile.baseUrl}, not for ${toBaseUrl(asked)}: leave one out.`,
    );
  }
  return accessOf(profile);
}

function accessOf({ name, baseUrl, apiKey, email }: Profile & { name: string }): Access {
  return { baseUrl, apiKey, email, source: `profile ${name}` };
}

function storedProfile(name: string | undefined, env: Io['env']) {
  const config = readConfig(env);
  const chosen = name ?? config.profile;
  const profile = chosen === undefined ? undefined : config.profiles[chosen];
  if (profile !== undefined && chosen !== undefined) return { ...profile, name: chosen };
  if (name === undefined) return null;
  const names = Object.keys(config.profiles);
  throw usage(
    `There is no profile "${name}"${names.length > 0 ? `; there are ${names.join(', ')}` : ''}.`,
    `hookline login --profile ${name}`,
  );
}
