import type { Sql } from '@hookline/shared/postgres';

export type ConnectState = {
  stateDigest: Buffer;
  accountId: string;
  /** This person began it; null for a caller that is no person. */
  userId: string | null;
  carrier: string;
  appId: string | null;
  verifierSealed: string | null;
  redirectUri: string;
  /** The console opens this page afterwards; null: none. */
  returnTo: string | null;
  expiresAt: Date;
};

export type CodeKept = { codeSealed: string; proofDigest: Buffer };
export type ReturnedConnect = ConnectState & CodeKept & { tokensSealed: string | null };

const columns = `state_digest as "stateDigest", account_id as "accountId", user_id as "userId", carrier, app_id as "appId",
  verifier_sealed as "verifierSealed", redirect_uri as "redirectUri", expires_at as "expiresAt",
  code_sealed as "codeSealed", proof_digest as "proofDigest",
  tokens_sealed as "tokensSealed", return_to as "returnTo"`;

export async function insertConnectState(sql: Sql, state: ConnectState): Promise<void> {
  await sql.query(
    `insert into connect_states (state_digest, account_id, app_id, verifier_sealed, redirect_uri, expires_at, user_id,
       return_to, carrier)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[state.stateDigest, state.accountId, state.appId, state.verifierSealed, state.redirectUri],
      ...[state.expiresAt, state.userId, state.returnTo, state.carrier],
    ],
  );
}

/** A connection keeps the first code that it gets. @returns null if there is no such connection. */
export function keepCode(
  sql: Sql,
  digest: Buffer,
  { codeSealed, proofDigest }: CodeKept,
  now: Date,
): Promise<Pick<ConnectState, 'expiresAt' | 'returnTo'> | null> {
  return sql.row<Pick<ConnectState, 'expiresAt' | 'returnTo'>>(
    `update connect_states set code_sealed = $2, proof_digest = $3
     where state_digest = $1 and expires_at > $4 and (proof_digest is null or proof_digest = $3)
     returning expires_at as "expiresAt", return_to as "returnTo"`,
    [digest, codeSealed, proofDigest, now],
  );
}

/** Only who began it can claim it. Without `proofDigest` none is needed. */
export function claimReturnedConnect(
  sql: Sql,
  by: { stateDigest: Buffer; accountId: string; userId: string | null; proofDigest: Buffer | null },
  { now, takenUntil }: { now: Date; takenUntil: Date },
): Promise<ReturnedConnect | null> {
  return sql.row<ReturnedConnect>(
    `update connect_states set taken_until = $6
     where state_digest = $1 and account_id = $2 and (user_id is null or user_id = $3) and expires_at > $5
       and code_sealed is not null and ($4::bytea is null or proof_digest = $4)
       and (taken_until is null or taken_until <= $5)
     returning ${columns}`,
    [by.stateDigest, by.accountId, by.userId, by.proofDigest, now, takenUntil],
  );
}

export async function releaseReturnedConnect(sql: Sql, digest: Buffer): Promise<void> {
  await sql.query('update connect_states set taken_until = null where state_digest = $1', [digest]);
}

export async function keepTokens(sql: Sql, digest: Buffer, tokensSealed: string): Promise<void> {
  const values = [digest, tokensSealed];
  await sql.query('update connect_states set tokens_sealed = $2 where state_digest = $1', values);
}

/** A state is taken once: the second callback with it finds nothing. */
export async function takeConnectState(sql: Sql, digest: Buffer, now: Date): Promise<ConnectState | null> {
  const [row] = await sql.query<ConnectState>(
    `delete from connect_states where state_digest = $1 returning ${columns}`,
    [digest],
  );
  return row && row.expiresAt > now ? row : null;
}

/** States are valid for 10 minutes and deleted an hour later. */
export async function pruneConnectStates(sql: Sql, now: Date, countMax: number): Promise<number> {
  const rows = await sql.query(
    `delete from connect_states where state_digest in (
       select state_digest from connect_states where expires_at < $1::timestamptz - interval '1 hour'
       order by expires_at limit $2)
     returning 1`,
    [now, countMax],
  );
  return rows.length;
}
