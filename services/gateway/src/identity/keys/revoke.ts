import { notFound } from '@hookline/shared/contracts';
import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAudit } from '../audit/queries.ts';
import type { By } from '../audit/record.ts';
import { type KeyOwner, lockApiKey, markRevoked } from './queries.ts';
import type { ApiKeyRow, KeyCopies } from './record.ts';

/**
 * Revokes a key. Resolves once no gateway admits it: at once, or within 6 s while Redis cannot be reached
 * (D-51). A second call keeps the first time.
 */
export async function revokeKey(
  deps: Pick<IdentityDeps, 'db' | 'now'> & { admissions: Pick<KeyCopies, 'revoke'> },
  by: By,
  { id, ...owner }: KeyOwner & { id: string },
): Promise<ApiKeyRow> {
  const now = deps.now();
  const row = await deps.db.transaction(async tx => {
    const known = await lockApiKey(tx, owner, id);
    if (!known) throw notFound('key');
    const [revoked] = await markRevoked(tx, [id], now);
    if (!revoked) return known;
    const subject = { kind: 'key' as const, id };
    const detail = { name: known.name, prefix: known.prefix };
    await insertAudit(
      { tx, by, now },
      {
        accountId: owner.accountId,
        action: by.actor.kind === 'operator' ? 'operator.command' : 'key.revoked',
        subject,
        detail,
      },
    );
    return revoked;
  });
  // Repeated for a key that is already revoked: the first call may have died between the two writes.
  await deps.admissions.revoke(row.keyHash.toString('base64url'));
  return row;
}

/** Resolves once no gateway admits the keys. */
export async function forgetKeys(
  { admissions }: Pick<IdentityDeps, 'admissions'>,
  keys: readonly Pick<ApiKeyRow, 'keyHash'>[],
): Promise<void> {
  await Promise.all(keys.map(({ keyHash }) => admissions.revoke(keyHash.toString('base64url'))));
}
