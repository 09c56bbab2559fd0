import type { Sql, Transaction } from '@hookline/shared/postgres';

/** True when a password alone does not sign the person in. */
export async function hasPasskey(sql: Sql, userId: string): Promise<boolean> {
  return await sql.exists('select 1 from passkeys where user_id = $1 limit 1', [userId]);
}

export function countRecoveryCodes(sql: Sql, userId: string): Promise<number> {
  return sql.value<number>('select count(*)::int as count from recovery_codes where user_id = $1', [userId]);
}

/** Uses the code up. False when another sign-in was first. */
export function deleteRecoveryCode(tx: Transaction, userId: string, codeHash: Buffer): Promise<boolean> {
  const values = [userId, codeHash];
  return tx.exists('delete from recovery_codes where user_id = $1 and code_hash = $2 returning 1', values);
}

/** Empty removes all. */
export async function replaceRecoveryCodes(
  tx: Transaction,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.query('delete from recovery_codes where user_id = $1', [userId]);
  const values = [userId, hashes];
  await tx.query('insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])', values);
}

/** @returns how many passkeys there were */
export async function deleteSecondFactor(tx: Transaction, userId: string): Promise<number> {
  await replaceRecoveryCodes(tx, userId, []);
  return (await tx.query('delete from passkeys where user_id = $1 returning 1', [userId])).length;
}
