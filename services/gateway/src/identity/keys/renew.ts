import type { IdentityDeps } from '../../identity-deps.ts';
import { listStandingKeys } from './queries.ts';
import { toKeyRecord } from './record.ts';

/**
 * Gives every gateway the new role or policy of live keys. Call it once the change is committed; after it, no
 * request is admitted on the old one (6 s at most, while Redis cannot be reached).
 * @param userId the member whose keys changed; null: those of the whole workspace
 */
export async function renewKeys(
  { db, now, admissions }: Pick<IdentityDeps, 'db' | 'now' | 'admissions'>,
  accountId: string,
  userId: string | null,
): Promise<void> {
  const beganMs = performance.now();
  const rows = await listStandingKeys(db, { accountId, createdByUser: userId }, now());
  const ageMs = performance.now() - beganMs;
  await Promise.all(
    rows.map(row => admissions.replace(row.keyHash.toString('base64url'), toKeyRecord(row), ageMs)),
  );
}
