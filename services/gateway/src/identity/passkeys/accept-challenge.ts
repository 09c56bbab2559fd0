import { sha256 } from '@hookline/shared/kernel/sha256';
import type { IdentityDeps } from '../../identity-deps.ts';
import { markStateUsed } from '../users/queries-oidc.ts';

/** Uses a challenge up. False when it was used, has expired or is of another step. */
export async function acceptChallenge(
  { db, now, passkeys }: Pick<IdentityDeps, 'db' | 'now' | 'passkeys'>,
  text: string,
  purpose: string,
): Promise<boolean> {
  const expiresAt = passkeys.challenges.read(text, purpose);
  if (expiresAt === null || expiresAt <= now()) return false;
  return await markStateUsed(db, { stateHash: sha256(text), expiresAt, now: now() });
}
