import type { GatewayDeps } from '../deps.ts';
import { touchApiKeys } from '../queries/api-keys.ts';

/** Writes the key uses recorded since the last call. If the write fails, they are logged and dropped. */
export async function recordKeyUse({
  db,
  log,
  keyUse,
}: Pick<GatewayDeps, 'db' | 'log' | 'keyUse'>): Promise<void> {
  const used = keyUse.take();
  if (used.size === 0) return;
  await touchApiKeys(db, [...used.keys()], [...used.values()]).catch(error => {
    log.warn({ err: error }, 'the last use of keys was not written');
  });
}
