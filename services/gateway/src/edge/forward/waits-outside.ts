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
      return asks(
        body,
        ({ scheduledFor, slot, mode }) => mode === 'publish' || (scheduledFor ?? slot) == null,
      );
    case 'unlessMoved':
      return asks(body, fields => Object.keys(fields).some(field => !ofMove.has(field)));
    case 'withUrl':
      return asks(body, ({ url }) => url != null);
    default:
      return false;
  }
}

const ofMove = new Set(['scheduledFor', 'slot', 'externalId', 'metadata']);

/** Reads the body as the owner does, who refuses one that is not JSON at once. */
function asks(body: unknown, judge: (fields: Record<string, unknown>) => boolean): boolean {
  if (!Buffer.isBuffer(body)) return false;
  try {
    return judge((JSON.parse(body.toString('utf8')) as Record<string, unknown> | null) ?? {});
  } catch {
    return false;
  }
}
