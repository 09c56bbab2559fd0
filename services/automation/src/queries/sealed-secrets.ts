/** Tables with sealed secrets, for `npm run ops -- rotate-keys`. */
import type { SealedStore } from '@hookline/shared/postgres';

const webhookSecrets: SealedStore = {
  schema: 'automation',
  table: 'webhooks',
  columns: ['secrets'],
  async list(sql, afterId, countMax) {
    const rows = await sql.query<{ id: string; sealed: string[] }>(
      `select id, array(select secret ->> 'sealed' from jsonb_array_elements(secrets)
                        with ordinality as list (secret, at) order by at) as sealed
       from webhooks
       where id > $1 and secrets <> '[]'
       order by id limit $2`,
      [afterId, countMax],
    );
    return rows.map(({ id, sealed }) => ({ id, context: id, sealed }));
  },
  async replace(sql, { id, sealed: before }, after) {
    const rows = await sql.query(
      `update webhooks w
       set secrets = (
         select jsonb_agg(jsonb_set(secret, '{sealed}', to_jsonb(($3::text[])[at])) order by at)
         from jsonb_array_elements(w.secrets) with ordinality as list (secret, at)
       )
       where id = $1
         and array(select secret ->> 'sealed' from jsonb_array_elements(w.secrets)
                   with ordinality as list (secret, at) order by at) = $2::text[]
       returning 1`,
      [id, before, after],
    );
    return rows.length > 0;
  },
};

export const sealedStores: readonly SealedStore[] = [webhookSecrets];
