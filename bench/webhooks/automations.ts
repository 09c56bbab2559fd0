/** Many automations: due in one minute, and the cost of finding due ones as they grow. */

import { setTimeout as wait } from 'node:timers/promises';
import { findNextFireAt, listDueAutomations, lockDueOf } from '@hookline/automation/testing';
import { createLogger } from '@hookline/shared/kernel';
import { type Database, openDatabase } from '@hookline/shared/postgres';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { percentileOf } from '../../tests/lab/kit/checks/percentile.ts';
import type { Stack } from './stack.ts';

/**
 * Automations of every kind of account; the first slot of each is this time plus `spreadMs` times its number.
 */
async function insertAutomations(
  db: Database,
  schema: string,
  count: number,
  first: Date,
  spreadMs: number,
): Promise<void> {
  await db.query(
    `insert into ${schema}.automations (id, account_id, app_id, tiktok_account_id, format, posting_times, timezone, brief,
       approval_mode, posting_mode, status, next_fire_at, created_at, updated_at)
     select 'automation_bench_' || $1::text || '_' || n, 'acct_bench_' || n % 1000, 'product_bench', 'account_bench',
       'slideshow', '[{"time":"09:00","days":["mon","tue","wed","thu","fri","sat","sun"]}]', 'Europe/Berlin',
       '{"templateId":"quote-card"}', 'manual', 'drafts', 'active',
       $2::timestamptz + n * $3 * interval '1 ms', now(), now()
     from generate_series(1, $4::int) as n`,
    [String(first.getTime()), first, spreadMs, count],
  );
}

/**
 * @returns seconds from the slot until every firing is committed and its event has left the outbox for the
 * bus
 */
export async function timeDueTogether(stack: Stack, count: number): Promise<number> {
  const { db } = stack;
  const slot = new Date(Date.now() + 5_000);
  await insertAutomations(db, 'automation', count, slot, 0);
  // The plan was written without the service, so this sends the service's own notification.
  await db.query(`select pg_notify('automation_plan', '')`);
  const until = Date.now() + 120_000;
  for (;;) {
    const [row] = await db.query<{ fired: number; waiting: number }>(
      `select (select count(*) from automation.firings where slot = $1)::int as fired,
         (select count(*) from automation.outbox)::int as waiting`,
      [slot],
    );
    if (row?.fired === count && row.waiting === 0) return (Date.now() - slot.getTime()) / 1_000;
    if (Date.now() > until)
      throw new Error(`${row?.fired} of ${count} fired, ${row?.waiting} wait for the bus`);
    await wait(20);
  }
}

export type DueCost = { automations: number; claimMs: number; nextMs: number };

/** Medians of a claim of 200 due automations (rolled back) and of finding the next slot. */
export async function measureDueCosts(sizes: readonly number[]): Promise<DueCost[]> {
  const database = await createMigratedDatabase();
  const options = {
    connectionsMax: 2,
    name: 'bench',
    log: createLogger({ service: 'bench', level: 'silent' }),
  };
  const db = openDatabase({ ...options, url: database.roleUrl('automation') });
  const costs: DueCost[] = [];
  let present = 0;
  try {
    // 200 are due, whatever the size. The rest are in the future, a second apart.
    const now = new Date();
    await insertAutomations(db, 'automation', 200, new Date(now.getTime() - 60_000), 1);
    for (const size of sizes) {
      while (present < size) {
        const count = Math.min(100_000, size - present);
        await insertAutomations(
          db,
          'automation',
          count,
          new Date(now.getTime() + 3_600_000 + present),
          1_000,
        );
        present += count;
      }
      await db.query('analyze automations');
      costs.push({
        automations: size,
        claimMs: await medianOf(() => claim(db, now)),
        nextMs: await medianOf(() => findNextFireAt(db, now)),
      });
    }
    return costs;
  } finally {
    await db.close();
    await database.drop();
  }
}

class RolledBack extends Error {}

async function claim(db: Database, now: Date): Promise<void> {
  await db
    .transaction(async tx => {
      const due = await listDueAutomations(tx, now, 0, 200);
      const ids = due.map(({ id }) => id);
      const rows = await lockDueOf(tx, ids, now);
      if (rows.length !== 200) throw new Error(`${rows.length} of 200 were due`);
      throw new RolledBack();
    })
    .catch(error => {
      if (!(error instanceof RolledBack)) throw error;
    });
}

async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const tookMs: number[] = [];
  for (let round = 0; round < 210; round += 1) {
    const began = performance.now();
    await work();
    // The first ones warm the caches.
    if (round >= 10) tookMs.push(performance.now() - began);
  }
  return percentileOf(
    tookMs.sort((left, right) => left - right),
    0.5,
  );
}
