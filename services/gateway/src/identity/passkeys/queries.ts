import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { PasskeyRow } from './record.ts';

const columns = `id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey",
  sign_count::float8 as "signCount", name, created_at as "createdAt", last_used_at as "lastUsedAt"`;

export function listPasskeys(sql: Sql, userId: string): Promise<PasskeyRow[]> {
  return sql.query<PasskeyRow>(
    `select ${columns} from passkeys where user_id = $1 order by created_at desc, id desc`,
    [userId],
  );
}

export function findPasskey(sql: Sql, credentialId: Buffer): Promise<PasskeyRow | null> {
  return sql.row<PasskeyRow>(`select ${columns} from passkeys where credential_id = $1`, [credentialId]);
}

export function insertPasskey(tx: Transaction, passkey: Omit<PasskeyRow, 'lastUsedAt'>): Promise<PasskeyRow> {
  return tx.only<PasskeyRow>(
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
}

/** False when the passkey is gone, or its count is not higher than the last one: it may have been copied. */
export function markUsed(
  sql: Sql,
  { id, signCount }: { id: string; signCount: number },
  now: Date,
): Promise<boolean> {
  return sql.exists(
    `update passkeys set sign_count = $2, last_used_at = $3
     where id = $1 and (sign_count < $2 or (sign_count = 0 and $2 = 0)) returning 1`,
    [id, signCount, now],
  );
}

export function deletePasskey(
  tx: Transaction,
  { id, userId }: { id: string; userId: string },
): Promise<PasskeyRow | null> {
  return tx.row<PasskeyRow>(`delete from passkeys where id = $1 and user_id = $2 returning ${columns}`, [
    id,
    userId,
  ]);
}
