import type { Sql, Transaction } from '@hookline/shared/postgres';
import { oneRow } from '@hookline/shared/postgres';
import type { PasskeyRow } from './record.ts';

const columns = `id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey",
  sign_count::float8 as "signCount", name, created_at as "createdAt", last_used_at as "lastUsedAt"`;

export function listPasskeys(sql: Sql, userId: string): Promise<PasskeyRow[]> {
  return sql.query<PasskeyRow>(
    `select ${columns} from passkeys where user_id = $1 order by created_at desc, id desc`,
    [userId],
  );
}

export async function findPasskey(sql: Sql, credentialId: Buffer): Promise<PasskeyRow | null> {
  const rows = await sql.query<PasskeyRow>(`select ${columns} from passkeys where credential_id = $1`, [
    credentialId,
  ]);
  return rows[0] ?? null;
}

export async function insertPasskey(
  tx: Transaction,
  passkey: Omit<PasskeyRow, 'lastUsedAt'>,
): Promise<PasskeyRow> {
  const rows = await tx.query<PasskeyRow>(
    `insert into passkeys (id, user_id, credential_id, public_key, sign_count, name, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${columns}`,
    [
      passkey.id,
      passkey.userId,
      passkey.credentialId,
      passkey.publicKey,
      passkey.signCount,
      passkey.name,
      passkey.createdAt,
    ],
  );
  return oneRow(rows);
}

/** False when the passkey is gone, or its count is not higher than the last one: it may have been copied. */
export async function markUsed(
  sql: Sql,
  { id, signCount }: { id: string; signCount: number },
  now: Date,
): Promise<boolean> {
  const rows = await sql.query(
    `update passkeys set sign_count = $2, last_used_at = $3
     where id = $1 and (sign_count < $2 or (sign_count = 0 and $2 = 0)) returning 1`,
    [id, signCount, now],
  );
  return rows.length > 0;
}

export async function deletePasskey(
  tx: Transaction,
  { id, userId }: { id: string; userId: string },
): Promise<PasskeyRow | null> {
  const rows = await tx.query<PasskeyRow>(
    `delete from passkeys where id = $1 and user_id = $2 returning ${columns}`,
    [id, userId],
  );
  return rows[0] ?? null;
}
