import { randomBytes } from 'node:crypto';
import { newId } from '@hookline/shared/kernel';
import { type Database, isUniqueViolation } from '@hookline/shared/postgres';
import { createPasswords } from '../adapters/passwords.ts';
import { insertAudit } from '../queries/audit-events.ts';
import { insertUser } from '../queries/users.ts';
import { byOperator } from '../records/audit-event.ts';
import { linkLifetimeMs } from '../rules/link-token.ts';
import { toWorkspaceId } from '../rules/workspace-id.ts';
import { makeLink } from './send-mail.ts';

export type NewOwner = { email: string; name: string | undefined; publicUrl: string };

/**
 * Makes a person with a workspace, for operators. Nobody knows the password: the link sets it.
 * @returns null when somebody has signed up with the address
 */
export async function createOwner(
  db: Database,
  { email, name, publicUrl }: NewOwner,
): Promise<{ workspaceId: string; url: string } | null> {
  const passwordHash = await createPasswords().hash(randomBytes(32).toString('base64url'));
  const now = new Date();
  try {
    return await db.transaction(async tx => {
      const { id, accountId } = await insertUser(tx, {
        ...{ id: newId('user'), accountId: newId('acct'), email, name: name ?? null },
        ...{ passwordHash, ownsWorkspace: true, now },
      });
      await insertAudit(tx, byOperator, now, {
        accountId,
        action: 'operator.command',
        subject: { kind: 'user', id },
        detail: { command: 'create-owner', email },
      });
      const expiresAt = new Date(now.getTime() + linkLifetimeMs.password_reset);
      const deps = { db: tx, publicUrl, now: () => now };
      return {
        workspaceId: toWorkspaceId(accountId),
        url: await makeLink(deps, 'password_reset', id, { expiresAt, mailed: false }),
      };
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_unique')) return null;
    throw error;
  }
}
