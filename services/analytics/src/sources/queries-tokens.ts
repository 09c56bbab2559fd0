/** Tables with sealed secrets, for `npm run ops -- rotate-keys`. */
import type { SealedStore } from '@hookline/shared/postgres';

const tokens: SealedStore = {
  schema: 'analytics',
  table: 'metric_sources',
  columns: ['token_sealed'],
  async list(sql, afterId, countMax) {
    const rows = await sql.query<{ id: string; sealed: string }>(
      `select id, token_sealed as sealed from metric_sources where id > $1 order by id limit $2`,
      [afterId, countMax],
    );
    return rows.map(({ id, sealed }) => ({ id, context: id, sealed: [sealed] }));
  },
  async replace(sql, { id, sealed: before }, after) {
    const rows = await sql.query(
      `update metric_sources set token_sealed = $3 where id = $1 and token_sealed = $2 returning 1`,
      [id, ...before, ...after],
    );
    return rows.length > 0;
  },
};

export const sealedStores: readonly SealedStore[] = [tokens];
