import type { IdentityDeps } from '../../identity-deps.ts';
import { touchLastUsed } from './queries.ts';

/**
 * Writes the uses of keys and sessions since the last call. If the write fails, they are logged and dropped.
 */
export async function recordKeyUse({
  db,
  log,
  uses,
}: Pick<IdentityDeps, 'db' | 'log' | 'uses'>): Promise<void> {
  for (const [table, use] of [
    ['api_keys', uses.keys],
    ['sessions', uses.sessions],
  ] as const) {
    const used = use.take();
    if (used.size === 0) continue;
    await touchLastUsed(db, table, [...used.keys()], [...used.values()]).catch(error => {
      log.warn({ err: error }, 'the last use of keys or sessions was not written');
    });
  }
}
