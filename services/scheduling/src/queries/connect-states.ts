import type { Sql } from '@hookline/shared/postgres';

export type ConnectState = {
  stateDigest: Buffer;
  accountId: string;
  appId: string | null;
  verifierSealed: string | null;
  redirectUri: string;
  expiresAt: Date;
};

export async function insertConnectState(sql: Sql, state: ConnectState): Promise<void> {
  await sql.query(
    `insert into connect_states (state_digest, account_id, app_id, verifier_sealed, redirect_uri, expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      state.stateDigest,
      state.accountId,
      state.appId,
      state.verifierSealed,
      state.redirectUri,
      state.expiresAt,
    ],
  );
}

/** Consumes a state: of two callbacks with the same one, the second finds nothing. */
export async function takeConnectState(sql: Sql, digest: Buffer, now: Date): Promise<ConnectState | null> {
  const [row] = await sql.query<ConnectState>(
    `delete from connect_states where state_digest = $1
     returning state_digest as "stateDigest", account_id as "accountId", app_id as "appId",
       verifier_sealed as "verifierSealed", redirect_uri as "redirectUri", expires_at as "expiresAt"`,
    [digest],
  );
  return row && row.expiresAt > now ? row : null;
}

/** States are valid for 10 minutes and deleted an hour later. @returns the number deleted. */
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
