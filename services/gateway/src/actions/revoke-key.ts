import { notFound } from '@hookline/shared/contracts';
import type { GatewayDeps } from '../deps.ts';
import type { Admissions } from '../limits/admission.ts';
import { markRevoked } from '../queries/api-keys.ts';
import type { ApiKeyRow } from '../records/api-key.ts';

/**
 * Revokes a key. Resolves once no gateway admits it: at once, or within 6 s while Redis cannot be reached
 * (D-51).
 * @throws ApiError `not_found`
 */
export async function revokeKey(
  deps: Pick<GatewayDeps, 'db' | 'now'> & { admissions: Pick<Admissions, 'revoke'> },
  accountId: string,
  id: string,
): Promise<ApiKeyRow> {
  const row = await markRevoked(deps.db, accountId, id, deps.now());
  if (!row) throw notFound('key');
  // Repeated for a key that is already revoked: the first call may have died between the two writes.
  await deps.admissions.revoke(row.keyHash.toString('base64url'));
  return row;
}
