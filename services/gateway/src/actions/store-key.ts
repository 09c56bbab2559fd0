import { randomBytes } from 'node:crypto';
import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import { insertApiKey, type NewApiKey } from '../queries/api-keys.ts';
import { insertAudit } from '../queries/audit-events.ts';
import type { ApiKeyRow } from '../records/api-key.ts';
import type { By } from '../records/audit-event.ts';
import { hashApiKey, makeApiKey, visiblePrefix } from '../rules/api-key.ts';

type KeyToStore = Omit<NewApiKey, 'id' | 'prefix' | 'keyHash'>;

/**
 * Stores a new key and its row of the audit log. What a key needs is checked before.
 * @param byOf who made it, of the stored row
 * @param more of the audit row's detail
 * @returns its plain text too, which is nowhere else
 */
export async function storeKey(
  tx: Transaction,
  byOf: (row: ApiKeyRow) => By,
  given: KeyToStore,
  more: Record<string, unknown> = {},
): Promise<{ row: ApiKeyRow; key: string }> {
  const { accountId, name, scopes, expiresAt, now } = given;
  const key = makeApiKey(randomBytes(32));
  const row = await insertApiKey(tx, {
    ...given,
    id: newId('key', now.getTime()),
    prefix: visiblePrefix(key),
    keyHash: Buffer.from(hashApiKey(key), 'base64url'),
  });
  await insertAudit(tx, byOf(row), now, {
    accountId,
    action: 'key.created',
    subject: { kind: 'key', id: row.id },
    detail: { name, prefix: row.prefix, scopes, expiresAt: expiresAt?.toISOString() ?? null, ...more },
  });
  return { row, key };
}
