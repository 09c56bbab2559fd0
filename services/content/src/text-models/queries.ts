import type { SealedStore, Sql } from '@hookline/shared/postgres';
import type { LastTest, OwnModel, TextModelRow } from './record.ts';

export function findTextModel(sql: Sql, accountId: string): Promise<TextModelRow | null> {
  return sql.row<TextModelRow>(
    `select case when provider is not null then json_build_object('provider', provider, 'model', model,
         'baseUrl', base_url, 'keySealed', key_sealed) end as own,
       last_test as "lastTest", learns, updated_at as "updatedAt"
     from text_models where account_id = $1`,
    [accountId],
  );
}

export async function saveTextModel(
  sql: Sql,
  accountId: string,
  { own, lastTest, updatedAt }: Pick<TextModelRow, 'lastTest' | 'updatedAt'> & { own: OwnModel },
): Promise<void> {
  const { provider, model, baseUrl, keySealed } = own;
  await sql.query(
    `insert into text_models (account_id, provider, model, base_url, key_sealed, last_test, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (account_id) do update set provider = excluded.provider, model = excluded.model,
       base_url = excluded.base_url, key_sealed = excluded.key_sealed, last_test = excluded.last_test,
       updated_at = excluded.updated_at`,
    [accountId, provider, model, baseUrl, keySealed, lastTest, updatedAt],
  );
}

/** Keeps the test, unless the model has changed since `tested` was read. */
export async function saveLastTest(
  sql: Sql,
  accountId: string,
  { tested, lastTest, now }: { tested: TextModelRow | null; lastTest: LastTest; now: Date },
): Promise<void> {
  await sql.query(
    `insert into text_models as known (account_id, last_test, updated_at) values ($1, $2, $3)
     on conflict (account_id) do update set last_test = excluded.last_test where known.updated_at = $4`,
    [accountId, lastTest, now, tested?.updatedAt ?? null],
  );
}

export async function deleteTextModel(sql: Sql, accountId: string, now: Date): Promise<void> {
  await sql.query(
    `update text_models set provider = null, model = null, base_url = null, key_sealed = null, last_test = null,
       updated_at = $2
     where account_id = $1`,
    [accountId, now],
  );
}

export async function saveLearns(sql: Sql, accountId: string, learns: boolean, now: Date): Promise<void> {
  await sql.query(
    `insert into text_models (account_id, learns, updated_at) values ($1, $2, $3)
     on conflict (account_id) do update set learns = $2`,
    [accountId, learns, now],
  );
}

const keys: SealedStore = {
  schema: 'content',
  table: 'text_models',
  columns: ['key_sealed'],
  async list(sql, afterId, countMax) {
    const rows = await sql.query<{ id: string; sealed: string }>(
      `select account_id as id, key_sealed as sealed from text_models
       where account_id > $1 and key_sealed is not null order by account_id limit $2`,
      [afterId, countMax],
    );
    return rows.map(({ id, sealed }) => ({ id, context: id, sealed: [sealed] }));
  },
  async replace(sql, { id, sealed: before }, after) {
    return await sql.exists(
      `update text_models set key_sealed = $3 where account_id = $1 and key_sealed = $2 returning 1`,
      [id, ...before, ...after],
    );
  },
};

/** Tables with sealed secrets, for `npm run ops -- rotate-keys`. */
export const sealedStores: readonly SealedStore[] = [keys];
