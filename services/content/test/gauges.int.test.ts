import { openDedicatedConnection } from '@hookline/shared/postgres';
import { countPages } from '@hookline/testing/count-pages';
import { openTestDatabase } from '@hookline/testing/database';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { beforeAll, describe, expect, it } from 'vitest';
import { findLedgerDrift } from '../src/credits/queries-drift.ts';

const database = perSuite(createMigratedDatabase);
const admin = perSuite(() => openDedicatedConnection(database.url, 'test', { queryTimeoutMs: 0 }));
const db = perSuite(() => openTestDatabase(database.roleUrl('content'), 2));

beforeAll(async () => {
  // Inserts many rows in one statement.
  await admin.query('set search_path to content');
  await admin.query(`insert into apps values ('app', 'a', 'Pebblo', 'd', '{}', '{}', now(), now())`);
});

/** Creates accounts with the given number of charges each, all dated the day before. */
async function fill(prefix: string, accounts: number, charges: number): Promise<void> {
  await admin.query(
    `insert into credit_accounts (account_id, balance, granted, spent, created_at, updated_at)
     select '${prefix}' || to_char(n, 'FM00000'), 10, ${charges} + 10, ${charges}, now(), now() from generate_series(1, ${accounts}) n`,
  );
  await admin.query(
    `insert into credit_ledger (id, account_id, amount, reason, content_id, created_at, updated_at)
     select a.account_id || '_' || n, a.account_id, case n when 0 then ${charges} + 10 else -1 end,
       case n when 0 then 'grant' else 'generation' end, case n when 0 then null else a.account_id || '_c' || n end,
       now() - interval '1 day', now()
     from credit_accounts a, generate_series(0, ${charges}) n where a.account_id like '${prefix}%'`,
  );
  await admin.query(
    `insert into contents (id, account_id, app_id, type, status, result, cost_charged, created_at, updated_at)
     select a.account_id || '_c' || n, a.account_id, 'app', 'slideshow', 'ready', '{}', 1, now(), now()
     from credit_accounts a, generate_series(1, ${charges}) n where a.account_id like '${prefix}%'`,
  );
  await admin.query('analyze');
}

const costOfCheck = (): Promise<number> =>
  countPages(admin, sql => findLedgerDrift(sql, { sweptTo: '', suspects: [] }));

const check = (sweptTo = '', suspects: string[] = []) => findLedgerDrift(db, { sweptTo, suspects });

describe('the check of the ledger', () => {
  it('the ledger check finds changes by hand, in a recent account and in any account by the sweep', async () => {
    await fill('a', 250, 2);
    expect(await check()).toEqual({ drifting: [], sweptTo: 'a00100' });
    await admin.query(`update contents set cost_charged = 0 where id = 'a00150_c1'`);
    await admin.query(
      `update credit_accounts set balance = balance - 3, granted = granted - 3 where account_id = 'a00220'`,
    );
    const first = await check('a00100');
    expect(first).toEqual({
      drifting: [{ accountId: 'a00150', balances: 0, charges: 1, sweptTo: 'a00200' }],
      sweptTo: 'a00200',
    });
    const second = await check('a00200', ['a00150']);
    expect(
      second.drifting.map(({ accountId, balances, charges }) => [accountId, balances, charges]).sort(),
    ).toEqual([
      ['a00150', 0, 1],
      ['a00220', 3, 0],
    ]);
    expect(second.sweptTo).toBe('');
    await admin.query(
      `update contents set cost_charged = 1 where id = 'a00150_c1';
       update credit_accounts set balance = balance + 3, granted = granted + 3 where account_id = 'a00220'`,
    );
    expect((await check('a00200', ['a00150'])).drifting).toEqual([]);
    // Changed a moment ago, far from the sweep.
    await admin.query(
      `insert into credit_ledger (id, account_id, amount, reason, created_at, updated_at) values ('x', 'a00240', 5, 'grant', now(), now())`,
    );
    expect((await check()).drifting).toMatchObject([{ accountId: 'a00240', balances: 5 }]);
    await admin.query(`delete from credit_ledger where id = 'x'`);
  });

  it('the ledger check costs the same with 10,000 charges more', async () => {
    const few = await costOfCheck();
    await fill('b', 100, 100);
    expect(await costOfCheck()).toBeLessThanOrEqual(few * 1.3);
  }, 120_000);

  it('the ledger check leaves out an account that exceeds its row limit', async () => {
    await fill('0', 1, 20_001);
    await admin.query(`delete from credit_ledger where account_id = '000001' and reason = 'grant'`);
    expect((await check()).drifting).toEqual([]);
  });
});
