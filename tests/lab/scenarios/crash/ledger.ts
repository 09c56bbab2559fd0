/** The invariants of the ledger, checked in the tables themselves. */
import { setTimeout as wait } from 'node:timers/promises';
import { ledgerFiguresSql } from '@hookline/content/ops';
import type pg from 'pg';

export type Ledger = {
  /** Records that a key or a firing of the account was used: one more content, and no more than that. */
  expectContent(accountId: string): void;
  /** Waits until every expected content of the account is ready. @throws Error after 40 s */
  isReady(accountId: string): Promise<void>;
  /** Waits until nothing is set aside or unpublished. @throws Error after 40 s */
  settled(only?: { reservationsOnly: boolean }): Promise<void>;
  /** Faults of a content and its account; empty when there are none. */
  checkContent(accountId: string, contentId: string, imagesWanted: number): Promise<string[]>;
  /** Faults of the ledger as a whole. */
  checkWhole(): Promise<string[]>;
};

type Figures = {
  account: string;
  balance: number;
  granted: number;
  spent: number;
  reserved: number;
  contents: number;
  ready: number;
  charged: number;
  ledger: number;
};

// A failed recovery costs another lease of 15 s.
export const settleMs = 40_000;

export function openLedger(admin: pg.Pool): Ledger {
  const expected = new Map<string, number>();
  const complaintsOf = (row: Figures): string[] => judge(row, expected.get(row.account) ?? 0);

  async function left(): Promise<{ reservations: number; outbox: number }> {
    const { rows } = await admin.query(
      `select (select count(*)::int from content.credit_reservations) as reservations,
              (select count(*)::int from content.outbox) as outbox`,
    );
    return rows[0];
  }

  async function findEvents(contentId: string): Promise<string[]> {
    const { rows } = await admin.query<{ id: string }>(
      `select distinct headers->>'ce_id' as id from bus.messages where key = $1 and headers->>'ce_type' = 'job.completed'`,
      [contentId],
    );
    return rows.map(row => row.id);
  }

  return {
    expectContent: accountId => void expected.set(accountId, (expected.get(accountId) ?? 0) + 1),
    isReady: accountId =>
      until(async () => {
        const { rows } = await admin.query<{ status: string; reason: string | null }>(
          'select status, error_code as reason from content.contents where account_id = $1',
          [accountId],
        );
        const ready = rows.filter(row => row.status === 'ready').length;
        const wanted = expected.get(accountId) ?? 0;
        const others = rows
          .filter(row => row.status !== 'ready')
          .map(row => `${row.status} ${row.reason ?? ''}`);
        return ready >= wanted ? null : `${ready} of ${wanted} contents are ready (${others.join(', ')})`;
      }),
    settled: ({ reservationsOnly = false } = { reservationsOnly: false }) =>
      until(async () => {
        const { reservations, outbox } = await left();
        if (reservations === 0 && (outbox === 0 || reservationsOnly)) return null;
        return `${reservations} credits set aside, ${outbox} events unpublished`;
      }),
    async checkContent(accountId, contentId, imagesWanted) {
      const { rows } = await admin.query<Figures>(`${ledgerFiguresSql} where a.account_id = $1`, [accountId]);
      const wrong = rows.flatMap(complaintsOf);
      if (rows.length === 0) wrong.push('the account has no credits row');
      const { rows: contents } = await admin.query<{ status: string; images: number }>(
        `select status, (select count(*)::int from content.slide_images i where i.content_id = c.id) as images
         from content.contents c where id = $1`,
        [contentId],
      );
      if (contents[0]?.status !== 'ready')
        wrong.push(`${contentId} is ${contents[0]?.status ?? 'not there'}`);
      if (contents[0]?.images !== imagesWanted) wrong.push(`${contentId} has ${contents[0]?.images} images`);
      const events = await findEvents(contentId);
      if (events.length !== 1) wrong.push(`${contentId} has ${events.length} different job.completed`);
      return wrong;
    },
    async checkWhole() {
      const { rows } = await admin.query<Figures>(ledgerFiguresSql);
      const { rows: running } = await admin.query(
        `select key from content.idempotency_keys where state = 'running'
         union all select id from content.contents where status not in ('ready', 'failed')`,
      );
      return [...rows.flatMap(complaintsOf), ...running.map(row => `${row.key} never ended`)];
    },
  };
}

function judge(row: Figures, expected: number): string[] {
  const wrong: string[] = [];
  if (row.charged !== row.ready) wrong.push(`${row.charged} charges for ${row.ready} ready contents`);
  if (row.balance !== row.granted - row.ready)
    wrong.push(`balance ${row.balance} of ${row.granted}, ready ${row.ready}`);
  if (row.spent !== row.charged || row.ledger !== row.balance)
    wrong.push(`spent ${row.spent}, ledger ${row.ledger}, balance ${row.balance}`);
  if (row.reserved !== 0) wrong.push(`${row.reserved} credits still set aside`);
  if (row.contents !== expected) wrong.push(`${row.contents} contents for ${expected} keys`);
  return wrong.map(what => `${row.account}: ${what}`);
}

/** Polls until nothing is missing any more. */
async function until(findMissing: () => Promise<string | null>): Promise<void> {
  const end = Date.now() + settleMs;
  for (;;) {
    const missing = await findMissing();
    if (missing === null) return;
    if (Date.now() > end) throw new Error(missing);
    await wait(20);
  }
}
