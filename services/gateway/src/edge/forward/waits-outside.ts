import type { PublicRoute } from '../../public-api.ts';

/**
 * True when the answer waits for somebody else's server.
 * @param body as received
 */
export function waitsOutside({ contract }: Pick<PublicRoute, 'contract'>, body: unknown): boolean {
  switch (contract?.waitsOutside) {
    case 'always':
      return true;
    case 'unlessScheduled':
      return !has(body, ['scheduledFor', 'slot'], true);
    case 'withUrl':
      return has(body, ['url'], false);
    default:
      return false;
  }
}

/**
 * True when the body has one of the fields. Read as the owner reads it.
 * @param ifUnreadable the answer for a body that is not JSON, which the owner refuses at once
 */
function has(body: unknown, fields: readonly string[], ifUnreadable: boolean): boolean {
  if (!Buffer.isBuffer(body)) return false;
  try {
    const value = JSON.parse(body.toString('utf8')) as Record<string, unknown> | null;
    return fields.some(field => (value?.[field] ?? null) !== null);
  } catch {
    return ifUnreadable;
  }
}
