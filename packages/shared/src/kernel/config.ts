import { readFileSync } from 'node:fs';
import {
  pickSettings,
  type Setting,
  type SettingName,
  type Settings,
  type SettingsOf,
  type SettingTable,
} from './settings.ts';

/** An invalid configuration. Its message is one sentence for the person who starts the process. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

/**
 * Reads settings from the environment: those of a table, or shared ones by name. The only place that reads
 * `process.env`. An empty variable counts as unset. A secret may be stored in a file that `<NAME>_FILE`
 * names.
 * @throws ConfigurationError naming the variable and the valid values; never its value when it is a secret
 */
export function loadSettings<const N extends SettingName>(
  names: readonly N[],
  env?: Record<string, string | undefined>,
): Settings<N>;
export function loadSettings<T extends SettingTable>(
  table: T,
  env?: Record<string, string | undefined>,
): SettingsOf<T>;
export function loadSettings(
  wanted: readonly SettingName[] | SettingTable,
  env: Record<string, string | undefined> = process.env,
): object {
  const values: Record<string, unknown> = {};
  const table: SettingTable = Array.isArray(wanted) ? pickSettings(...wanted) : (wanted as SettingTable);
  for (const [name, setting] of Object.entries<Setting>(table)) {
    const text = env[name] || (setting.secret ? readSecretFile(name, env) : undefined) || setting.default;
    if (text === undefined) continue;
    const result = setting.schema.safeParse(text);
    if (!result.success) {
      throw new ConfigurationError(`${name} ${result.error.issues[0]?.message ?? 'is malformed'}.`);
    }
    values[name] = result.data;
  }
  return Object.freeze(values);
}

/** The content of a mounted secret, without the trailing line break that editors add. */
function readSecretFile(name: string, env: Record<string, string | undefined>): string | undefined {
  const path = env[`${name}_FILE`];
  if (!path) return undefined;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(`${name}_FILE must name a file that can be read; ${path} cannot (${code}).`);
  }
}

/** The named settings, all of them set. @throws ConfigurationError naming the missing ones */
export function requireSettings<S extends object, const N extends keyof S & string>(
  given: S,
  names: readonly N[],
  because: string,
): S & { [K in N]-?: NonNullable<S[K]> } {
  const missing = names.filter(name => given[name] === undefined);
  if (missing.length > 0) throw new ConfigurationError(`${missing.join(', ')} must be set: ${because}.`);
  return given as S & { [K in N]-?: NonNullable<S[K]> };
}

/** The whole environment, to pass to a child process. */
export function inheritedEnvironment(): Record<string, string | undefined> {
  return { ...process.env };
}
