/** The content of the tables, to compare with the clients' answers. */
import { ledgerFiguresSql } from '@hookline/content/ops';
import pg from 'pg';
import type { Told } from './duplicates.ts';

export type LedgerFindings = { contents: number; charges: number; wrong: string[] };

/** @param databaseUrl the superuser's */
export async function checkLedger(databaseUrl: string, told: readonly Told[]): Promise<LedgerFindings> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const wrong: string[] = [];
    const { rows: accounts } = await client.query(
      `select figures.*,
         (select count(*)::int from content.idempotency_keys k where k.account_id = figures.account) as keys
       from (${ledgerFiguresSql}) figures`,
    );
    for (const row of accounts) {
      const isRight =
        row.charged === row.ready &&
        row.ledger === row.balance &&
        row.balance === row.granted - row.ready &&
        row.reserved === 0 &&
        row.contents === row.keys;
      if (!isRight) wrong.push(JSON.stringify(row));
    }
    const { rows: ids } = await client.query<{ id: string; charges: number }>(
      `select c.id, (select count(*)::int from content.credit_ledger l where l.content_id = c.id) as charges
       from content.contents c where c.id = any($1)`,
      [told.map(one => one.id)],
    );
    const charges = ids.reduce((sum, row) => sum + row.charges, 0);
    if (ids.length !== told.length) wrong.push(`${told.length} keys made ${ids.length} contents`);
    for (const row of ids) if (row.charges !== 1) wrong.push(`${row.id} was charged ${row.charges} times`);
    return { contents: ids.length, charges, wrong };
  } finally {
    await client.end();
  }
}
