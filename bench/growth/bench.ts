/** The cost of the polls that run all day, at 1,000 rows and at 1,000,000. */
import { claimDeliveries } from '@hookline/automation/testing';
import { findLedgerDrift } from '@hookline/content/testing';
import type { ServiceName } from '@hookline/shared/contracts/scopes';
import { createLogger } from '@hookline/shared/kernel';
import { type Database, openDatabase } from '@hookline/shared/postgres';
import pg from 'pg';
import { findWaiting } from '../../packages/shared/src/bus/outbox/queries/rows.ts';
import { percentileOf } from '../../tests/lab/kit/checks/percentile.ts';
import { type BenchRun, defineBench, type Measurement } from '../harness/bench.ts';
import { type Figure, ratioOf } from '../harness/figures.ts';
import { type BenchPostgres, startBenchPostgres } from '../harness/postgres.ts';
import { printTable, runRounds } from '../harness/rounds.ts';

const sizes = [1_000, 1_000_000] as const;
const polls = 100;
const perAccount = 10;
const endpointsMax = 20_000;
const log = createLogger({ service: 'bench', level: 'silent' });

type Place = {
  name: string;
  outbox: Database;
  ledger: Database;
  deliveries: Database;
  floor: number;
  /** Holds the snapshot under which published rows stay in the index. */
  snapshot: pg.Client;
};

async function fill(postgres: BenchPostgres, size: number): Promise<Place> {
  const { url, roleUrl } = await postgres.createMigrated(`growth_${size}`);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const snapshot = new pg.Client({ connectionString: url });
  await snapshot.connect();
  await fillLedger(admin, size);
  await fillDeliveries(admin, size);
  await admin.query('vacuum analyze');
  // Published events leave dead rows for as long as a snapshot is open.
  await snapshot.query('begin isolation level repeatable read read only');
  await snapshot.query('select 1 from automation.outbox limit 1');
  await admin.query(
    `insert into automation.outbox (event_id, topic, key, payload, headers)
     select 'evt_' || n, 'automation.events', n::text, '{}', '{}' from generate_series(1, $1::int) n`,
    [size],
  );
  await admin.query('delete from automation.outbox');
  const { rows } = await admin.query<{ floor: number }>(
    `insert into automation.outbox (event_id, topic, key, payload, headers)
     values ('evt_last', 'automation.events', 'last', '{}', '{}') returning id::int - 1 as floor`,
  );
  await admin.end();
  const open = (service: ServiceName): Database =>
    openDatabase({ url: roleUrl(service), connectionsMax: 1, name: 'bench growth', log });
  return {
    name: `${size.toLocaleString('en-US')} rows`,
    outbox: open('automation'),
    ledger: open('content'),
    deliveries: open('automation'),
    floor: rows[0]?.floor ?? 0,
    snapshot,
  };
}

/** Ledgers of ten rows: a grant and nine charges, an hour old. */
async function fillLedger(admin: pg.Client, size: number): Promise<void> {
  const charges = perAccount - 1;
  await admin.query(
    `insert into content.credit_accounts (account_id, balance, granted, spent, created_at, updated_at)
     select 'acct_' || n, 100 - $2::int, 100, $2::int, now() - interval '1 hour', now() - interval '1 hour'
     from generate_series(1, $1::int) n`,
    [size / perAccount, charges],
  );
  await admin.query(
    `insert into content.credit_ledger (id, account_id, amount, reason, content_id, created_at, updated_at)
     select 'cred_' || n || '_' || k, 'acct_' || n, case when k = 0 then 100 else -1 end,
       case when k = 0 then 'grant' else 'generation' end, case when k > 0 then 'cont_' || n || '_' || k end,
       now() - interval '1 hour', now() - interval '1 hour'
     from generate_series(1, $1::int) n, generate_series(0, $2::int) k`,
    [size / perAccount, charges],
  );
}

/**
 * Half of the deliveries ended, half wait for tomorrow, each at its own endpoint up to 20,000; one is due.
 */
async function fillDeliveries(admin: pg.Client, size: number): Promise<void> {
  const endpoints = Math.min(size / 2, endpointsMax);
  await admin.query(
    `insert into automation.webhooks (id, account_id, url, events, secrets, created_at, updated_at)
     select 'hook_' || n, 'acct_1', 'https://receiver.example/' || n, '{job.completed}', '[]', now(), now()
     from generate_series(0, $1::int) n`,
    [endpoints],
  );
  await admin.query(
    `insert into automation.deliveries (id, webhook_id, event_id, event_type, resource, sequence, status, attempted_at,
       next_attempt_at, created_at, updated_at)
     select 'del_' || n, 'hook_' || (n / 2) % $2::int, 'evt_' || n, 'job.completed', 'job:' || n, 1,
       case when n % 2 = 0 then 'delivered' else 'pending' end, now(),
       case when n % 2 = 1 then now() + interval '1 day' end, now(), now()
     from generate_series(1, $1::int) n`,
    [size, endpoints],
  );
  await admin.query(
    `insert into automation.feed_events (id, account_id, position, type, resource, sequence, data, created_at)
     values ('evt_due', 'acct_1', 1, 'job.completed', 'job:due', 1, '{}', now())`,
  );
  await admin.query(
    `insert into automation.deliveries (id, webhook_id, event_id, event_type, resource, sequence, status,
       next_attempt_at, created_at, updated_at)
     values ('del_due', 'hook_' || $1::int, 'evt_due', 'job.completed', 'job:due', 1, 'pending', now(), now(), now())`,
    [endpoints],
  );
}

async function pollOutbox({ outbox, floor }: Place): Promise<void> {
  const { rows } = await findWaiting(outbox, floor, 500);
  if (rows.length !== 1) throw new Error(`${rows.length} rows wait instead of one`);
}

async function pollLedger({ ledger }: Place): Promise<void> {
  const { drifting } = await findLedgerDrift(ledger, { sweptTo: '', suspects: [] });
  // Their contents are not there, which is the drift that the poll must find.
  if (drifting.length !== 100) throw new Error(`${drifting.length} accounts differ instead of 100`);
}

/** Claims the one that is due, and makes it due again. */
async function claimDelivery({ deliveries }: Place): Promise<void> {
  const now = new Date();
  const leaseUntil = new Date(now.getTime() + 6_000);
  const asked = { now, leaseUntil, token: 'bench', room: new Map(), roomElse: 4, limit: 256 };
  const claim = await deliveries.transaction(tx =>
    claimDeliveries(tx, { ...asked, dueAfter: null, walkAfter: '' }),
  );
  if (claim.deliveries.length !== 1) throw new Error(`${claim.deliveries.length} deliveries were claimed`);
  await deliveries.query(
    `update deliveries set next_attempt_at = now() - interval '1 second', lease_token = null where id = 'del_due'`,
  );
}

async function medianMs(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let poll = 0; poll < polls; poll += 1) {
    const beganMs = performance.now();
    await work();
    times.push(performance.now() - beganMs);
  }
  return percentileOf(
    times.toSorted((a, b) => a - b),
    0.5,
  );
}

async function run({ workDir, beginMeasuring }: BenchRun): Promise<Measurement> {
  const postgres = await startBenchPostgres(workDir);
  const places: Place[] = [];
  try {
    for (const size of sizes) places.push(await fill(postgres, size));
    beginMeasuring();
    const growth = await runRounds(places, 5, async place => ({
      outboxMs: await medianMs(() => pollOutbox(place)),
      ledgerMs: await medianMs(() => pollLedger(place)),
      claimMs: await medianMs(() => claimDelivery(place)),
    }));
    printTable('one poll', growth, ['outboxMs', 'ledgerMs', 'claimMs']);
    const [few, many] = places.map(({ name }) => growth[name] as Record<string, Figure>);
    const ratio = (measure: string): Figure => ratioOf(many?.[measure] as Figure, few?.[measure] as Figure);
    return {
      notes: [
        'Medians of 100 polls, five interleaved rounds; ratios are taken within each round.',
        'Outbox: one pending event, with published events still visible to an open snapshot. Ledger: a sweep of 100 accounts with ten rows each. Claim: one due delivery among deliveries that have ended or are scheduled for the next day, each at its own endpoint up to 20,000.',
      ],
      measured: {
        growth,
        outboxRatio: ratio('outboxMs'),
        ledgerRatio: ratio('ledgerMs'),
        claimRatio: ratio('claimMs'),
      },
    };
  } finally {
    for (const { outbox, ledger, deliveries, snapshot } of places) {
      await Promise.all([outbox, ledger, deliveries].map(db => db.close()));
      await snapshot.end();
    }
    await postgres.stop();
  }
}

export const bench = defineBench({
  about: 'the polls that run all day (outbox, ledger, webhook claim) at 1,000 rows and at 1,000,000',
  takes: 'about 3 minutes',
  run,
});
