/** Compares a load's answers with the databases and the simulated platforms: nothing lost, nothing twice. */

import { setTimeout as wait } from 'node:timers/promises';
import type { Load } from '../clients/product-load.ts';
import { openAsSuperuser } from '../product/database.ts';
import type { DistributedProduct } from '../product/distributed.ts';
import { readPlatformLog } from './platform-log.ts';

export type Duplicates = {
  /** Idempotency keys answered with a content. */
  keys: number;
  /** Contents beyond one per key, in the answers or in the database. */
  contents: number;
  /** Schedules of the load that became a post at the platform. */
  posts: number;
  /** Posts beyond one per schedule. */
  doublePosts: number;
  /** Schedules of the load that were not sent in time. */
  unsent: number;
};

/** Waits up to `withinMs` for pending posts. @param accountId whose contents are counted */
export async function countDuplicates(
  product: DistributedProduct,
  load: Load,
  contentsBefore: number,
  withinMs: number,
): Promise<Duplicates> {
  const db = openAsSuperuser(product.databaseUrl);
  try {
    const untilMs = performance.now() + withinMs;
    while (performance.now() < untilMs && (await countDue(db)) > 0) {
      await wait(500);
    }
    const contents = await countContents(db);
    const answered = [...load.contents.values()];
    const told = answered.reduce((sum, ids) => sum + new Set(ids).size - 1, 0);
    const [sent] = await db.query<{ titles: string[] }>(
      `select coalesce(array_agg(title), '{}') as titles from scheduling.schedules where status = 'sent'`,
    );
    const counts = new Map<string, number>();
    for (const call of readPlatformLog(product.simulatorsDir).calls) {
      if (call.arrivedAt === null || !load.titles.has(call.title)) continue;
      counts.set(call.title, (counts.get(call.title) ?? 0) + 1);
    }
    const isSent = new Set(sent?.titles);
    return {
      keys: answered.length,
      contents: told + Math.max(0, contents - contentsBefore - answered.length),
      posts: counts.size,
      doublePosts: [...counts.values()].reduce((sum, count) => sum + count - 1, 0),
      unsent: [...load.titles].filter(title => !isSent.has(title) || !counts.has(title)).length,
    };
  } finally {
    await db.close();
  }
}

export async function countContents(db: ReturnType<typeof openAsSuperuser>): Promise<number> {
  const [row] = await db.query<{ count: number }>('select count(*)::int as count from content.contents');
  return row?.count ?? 0;
}

async function countDue(db: ReturnType<typeof openAsSuperuser>): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from scheduling.schedules
     where status = 'sending' or (status = 'pending' and scheduled_for < now() + interval '1 hour')`,
  );
  return row?.count ?? 0;
}
