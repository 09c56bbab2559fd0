import { type DeletionStep, ofAccount, where } from '@hookline/shared/leaving';
import type { Transaction } from '@hookline/shared/postgres';
import { workspaceOf } from '../sessions/queries.ts';

/**
 * Removes the members and what they had in the workspace: invitations, sessions, links of exports, and the
 * people who have no other workspace, with the mails and links for them.
 */
export async function deletePeople(tx: Transaction, accountId: string): Promise<void> {
  // The locks order this with the deletion of another workspace, which would leave common members to this one, and
  // with invitations: somebody who accepts one keeps their user.
  for (const table of ['users', 'oidc_users'])
    await tx.query(
      `select 1 from ${table} where id in (select user_id from members where account_id = $1) order by id for update`,
      [accountId],
    );
  const people = await tx.query<{ id: string; email: string | null }>(
    `select m.user_id as id, coalesce(u.email, o.email) as email
     from members m left join users u on u.id = m.user_id left join oidc_users o on o.id = m.user_id
     where m.account_id = $1 and not exists (
       select 1 from members other where other.user_id = m.user_id and other.account_id <> $1
     )`,
    [accountId],
  );
  const ids = people.map(({ id }) => id);
  const emails = people.flatMap(({ email }) => (email === null ? [] : [email.toLowerCase()]));
  await tx.query(
    `delete from one_time_links where subject_id = any($2::text[])
       or subject_id in (select id from invitations where account_id = $1)`,
    [accountId, ids],
  );
  await tx.query(
    `delete from mails where lower(recipient) = any($2::text[]) or split_part(subject_id, ' ', 1) = $1
       or subject_id in (select id from invitations where account_id = $1)`,
    [accountId, emails],
  );
  // People who keep another workspace lose these sessions too.
  await tx.query(
    `delete from sessions using members where members.account_id = $1 and members.user_id = sessions.user_id
       and ${workspaceOf('sessions')} = $1`,
    [accountId],
  );
  await tx.query('update users set owns_workspace = false where account_id = $1', [accountId]);
  await tx.query('delete from members where account_id = $1', [accountId]);
  await tx.query('delete from invitations where account_id = $1', [accountId]);
  await tx.query('delete from workspace_exports where account_id = $1', [accountId]);
  await tx.query('delete from users where id = any($1::text[])', [ids]);
  await tx.query('delete from oidc_users where id = any($1::text[])', [ids]);
}

/** All but its people. */
export const deletionSteps: readonly DeletionStep[] = [
  ofAccount('oauth_codes'),
  where('oauth_grants', 'key_id in (select id from api_keys where account_id = $1)'),
  ofAccount('api_keys'),
  ofAccount('changes'),
  ofAccount('workspace_exports'),
  ofAccount('pushes'),
  ofAccount('idempotency_keys'),
  // Members and invitations that a request in flight wrote go with it.
  ofAccount('workspaces'),
  // Last: a late event adds a row only while the workspace exists.
  ofAccount('audit_events'),
];
