import { ApiError } from '@hookline/shared/contracts';
import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAuditInEach } from '../audit/queries.ts';
import { anonymousActor, type By } from '../audit/record.ts';
import { hasPasskey } from '../users/queries-second-factor.ts';

type Attempt = {
  userId: string;
  action?: 'auth.sign_in_failed' | 'auth.second_factor_asked';
  method: 'password' | 'passkey' | 'oidc';
  reason?: string;
};

/** Adds a row of an attempt that opened no session. */
export async function auditAttempt(
  { db, now }: Pick<IdentityDeps, 'db' | 'now'>,
  { userId, action = 'auth.sign_in_failed', ...detail }: Attempt,
  { address, requestId }: Omit<By, 'actor'>,
): Promise<void> {
  await db.transaction(async tx => {
    const by = { actor: anonymousActor, address, requestId };
    await insertAuditInEach({ tx, by, now: now() }, userId, { action, detail });
  });
}

/** @throws ApiError where the right password is not enough */
export async function requireNoPasskey(
  deps: Pick<IdentityDeps, 'db' | 'now'>,
  { id: userId }: { id: string },
  from: Omit<By, 'actor'>,
  message?: string,
): Promise<void> {
  if (!(await hasPasskey(deps.db, userId))) return;
  await auditAttempt(deps, { userId, action: 'auth.second_factor_asked', method: 'password' }, from);
  throw new ApiError('second_factor_required', message);
}
