import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAuditInEach } from '../audit/queries.ts';
import { anonymousActor, type By } from '../audit/record.ts';
import { listWorkspacesOfPerson } from '../workspaces/queries.ts';

export async function auditFailedSignIn(
  { db, now }: Pick<IdentityDeps, 'db' | 'now'>,
  { userId, ...detail }: { userId: string } & { method: 'password' | 'passkey' | 'oidc'; reason?: string },
  { address, requestId }: Omit<By, 'actor'>,
): Promise<void> {
  await db.transaction(async tx => {
    const workspaces = await listWorkspacesOfPerson(tx, userId);
    const accountIds = workspaces.map(({ accountId }) => accountId);
    await insertAuditInEach(
      { tx, by: { actor: anonymousActor, address, requestId }, now: now() },
      accountIds,
      {
        action: 'auth.sign_in_failed',
        subject: { kind: 'user', id: userId },
        detail,
      },
    );
  });
}
