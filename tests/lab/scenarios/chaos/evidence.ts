/**
 * The state of the product's databases and the bus at rest, read by a superuser and stored next to the
 * history.
 */

import { ledgerFiguresSql } from '@hookline/content/ops';
import { allInvariants } from '@hookline/ops/invariants';
import { type DeadLetter, eachDeadLetter } from '@hookline/shared/bus';
import { createKafkaBus } from '@hookline/shared/bus/kafka';
import { topics } from '@hookline/shared/events';
import { createLogger } from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
import { checkInvariants } from '@hookline/shared/postgres';
import { type PostingDatabase, readPostingDatabase } from '../../kit/checks/posting-database.ts';

export type LedgerRow = {
  account: string;
  balance: number;
  granted: number;
  ready: number;
  charged: number;
  ledger: number;
};

export type ContentRow = {
  id: string;
  appId: string;
  accountId: string;
  status: string;
  approvalStatus: string;
  firingId: string | null;
};

export type ScheduleRow = {
  id: string;
  accountId: string;
  firingId: string | null;
  isDue: boolean;
  isHeld: boolean;
};

export type FiringRow = {
  id: string;
  automationId: string;
  /** Milliseconds of the epoch. */
  slotMs: number;
  status: string;
  reason: string | null;
};

export type Evidence = {
  ledger: LedgerRow[];
  contents: ContentRow[];
  /** The last sequence of each resource that content committed. */
  sequences: { resource: string; sequence: number }[];
  /** In addition to what the posting proof reads. */
  schedules: ScheduleRow[];
  posting: PostingDatabase;
  firings: FiringRow[];
  deadLetters: Pick<DeadLetter, 'topic' | 'key' | 'group' | 'error'>[];
  /** The product's invariants, as in `npm run ops check-invariants`. */
  broken: string[];
};

/** @param db as its superuser. @param brokers of its bus. @param until counts work due by then as due */
export async function readEvidence(db: Database, brokers: string, until: Date): Promise<Evidence> {
  return {
    ledger: await db.query<LedgerRow>(ledgerFiguresSql),
    contents: await db.query<ContentRow>(
      `select id, app_id as "appId", account_id as "accountId", status, approval_status as "approvalStatus",
         origin_firing_id as "firingId"
       from content.contents`,
    ),
    sequences: await db.query(
      `select resource, sequence::int as sequence from content.event_sequences order by resource`,
    ),
    schedules: await db.query<ScheduleRow>(
      `select id, account_id as "accountId", firing_id as "firingId", scheduled_for <= $1 as "isDue",
         held_since is not null as "isHeld"
       from scheduling.schedules`,
      [until],
    ),
    posting: await readPostingDatabase(db),
    firings: await db.query<FiringRow>(
      `select id, automation_id as "automationId", (extract(epoch from slot) * 1000)::float8 as "slotMs", status, reason
       from automation.firings`,
    ),
    deadLetters: await readDeadLetters(brokers),
    broken: (await checkInvariants(db, allInvariants)).flatMap(({ name, broken }) =>
      broken.map(({ id, what }) => `${name}: ${id}: ${what}`),
    ),
  };
}

async function readDeadLetters(brokers: string): Promise<Evidence['deadLetters']> {
  const log = createLogger({ service: 'proof', level: 'silent' });
  const bus = createKafkaBus({ brokers: brokers.split(','), clientId: 'proof', log });
  const found: Evidence['deadLetters'] = [];
  try {
    await eachDeadLetter(bus, {
      topics,
      // Read-only: no other group's cursor moves.
      group: 'proof.scan',
      each: async ({ topic, key, group, error }) => void found.push({ topic, key, group, error }),
    });
  } finally {
    await bus.close();
  }
  return found;
}
