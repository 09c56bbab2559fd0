import type { GatewayDeps } from '../deps.ts';
import { touchApiKeys } from '../queries/api-keys.ts';

/** Writes the uses of keys since the last call. Those that cannot be written are logged and dropped. */
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
