import { randomBytes } from 'node:crypto';
import { newId } from '@hookline/shared/kernel';
import { type Database, isUniqueViolation } from '@hookline/shared/postgres';
import { insertAudit } from '../audit/queries.ts';
import { byOperator } from '../audit/record.ts';
import { linkLifetimeMs } from '../links/link.rules.ts';
import { makeLink } from '../mail/send.ts';
import { toWorkspaceId } from '../standing/workspace.rules.ts';
import { insertUser } from '../users/queries.ts';
import { createPasswords } from './hasher.ts';

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
      const subject = { kind: 'user' as const, id };
      const detail = { command: 'create-owner', email };
      await insertAudit(
        { tx, by: byOperator, now },
        { accountId, action: 'operator.command', subject, detail },
      );
      const expiresAt = new Date(now.getTime() + linkLifetimeMs.password_reset);
      const deps = { db: tx, publicUrl, now: () => now };
      return {
        workspaceId: toWorkspaceId(accountId),
        url: await makeLink(deps, {
          kind: 'password_reset',
          subjectId: id,
          expiresAt,
          mailed: false,
        }),
      };
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_unique')) return null;
    throw error;
  }
}
