import type { PublicRoute } from '../public-api.ts';

/**
 * True when the answer waits for somebody else's server.
 * @param body as received
 */
export function waitsOutside({ contract }: Pick<PublicRoute, 'contract'>, body: unknown): boolean {
  if (contract?.waitsOutside !== 'unlessScheduled') return contract?.waitsOutside === 'always';
  return !Buffer.isBuffer(body) || !isScheduled(body);
}

/** Read as the owner reads it. A body that is no JSON is refused there at once. */
function isScheduled(body: Buffer): boolean {
  try {
    const value = JSON.parse(body.toString('utf8')) as { scheduledFor?: unknown } | null;
    return (value?.scheduledFor ?? null) !== null;
  } catch {
    return true;
  }
}
