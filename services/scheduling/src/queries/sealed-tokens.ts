/** Tables with sealed secrets, for `npm run ops -- rotate-keys`. */
import type { SealedStore } from '@hookline/shared/postgres';

const tokens: SealedStore = {
  schema: 'scheduling',
  table: 'platform_accounts',
  columns: ['access_token_sealed', 'refresh_token_sealed'],
  async list(sql, afterId, countMax) {
    const rows = await sql.query<{ id: string; access: string; refresh: string }>(
      `select id, access_token_sealed as access, refresh_token_sealed as refresh
       from platform_accounts
       where id > $1 and access_token_sealed is not null and refresh_token_sealed is not null
       order by id limit $2`,
      [afterId, countMax],
    );
    return rows.map(({ id, access, refresh }) => ({ id, context: id, sealed: [access, refresh] }));
  },
  async replace(sql, { id, sealed: before }, after) {
    const rows = await sql.query(
      `update platform_accounts set access_token_sealed = $4, refresh_token_sealed = $5
       where id = $1 and access_token_sealed = $2 and refresh_token_sealed = $3 returning 1`,
      [id, ...before, ...after],
    );
    return rows.length > 0;
  },
};

type ConnectColumn = 'verifier_sealed' | 'code_sealed' | 'tokens_sealed';

/** Secrets of a connection that is under way, each sealed to the digest of its state. */
function connectSecrets(column: ConnectColumn): SealedStore {
  return {
    schema: 'scheduling',
    table: 'connect_states',
    columns: [column],
    async list(sql, afterId, countMax) {
      const rows = await sql.query<{ id: string; sealed: string }>(
        `select encode(state_digest, 'hex') as id, ${column} as sealed
         from connect_states
         where state_digest > decode($1, 'hex') and ${column} is not null
         order by state_digest limit $2`,
        [afterId, countMax],
      );
      return rows.map(({ id, sealed }) => ({ id, context: id, sealed: [sealed] }));
    },
    async replace(sql, { id, sealed: before }, after) {
      const rows = await sql.query(
        `update connect_states set ${column} = $3
         where state_digest = decode($1, 'hex') and ${column} = $2 returning 1`,
        [id, ...before, ...after],
      );
      return rows.length > 0;
    },
  };
}

export const sealedStores: readonly SealedStore[] = [
  tokens,
  connectSecrets('verifier_sealed'),
  connectSecrets('code_sealed'),
  connectSecrets('tokens_sealed'),
];
