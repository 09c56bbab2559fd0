/** `close-after` where Kafka outlived the loss: it knows what was posted since. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKafka } from '@hookline/infra/kafka';
import { canStartKafka } from '@hookline/infra/test-infra';
import type { Bus } from '@hookline/shared/bus';
import { createKafkaBus } from '@hookline/shared/bus/kafka';
import { type Topic, toHeaders } from '@hookline/shared/events';
import { createLogger, newId } from '@hookline/shared/kernel';
import { hourMs } from '@hookline/shared/kernel/durations';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runOps } from './commands.ts';

const hasKafka = await canStartKafka();
const log = createLogger({ service: 'test', level: 'silent' });
const topic: Topic = 'scheduling.schedules';
const since = new Date(Date.now() - hourMs);

const waiting = `
  insert into scheduling.creators (open_id) values ('creator');
  insert into scheduling.platform_accounts (id, account_id, open_id, username, display_name, status, scopes, connected_at,
      created_at, updated_at)
    values ('p', 'acct', 'creator', 'u', 'U', 'disconnected', '{}', now(), now(), now());
  insert into scheduling.schedules (id, account_id, platform_account_id, content_id, content_version, status, mode,
      scheduled_for, due_at, title, description, is_title_given, is_description_given, disable_comment, brand_organic,
      branded_content, ai_generated, auto_add_music, consented_at, is_immediate, created_at, updated_at)
    select id, 'acct', 'p', id, 1, 'pending', 'draft', now() + interval '9 hours', now() + interval '9 hours', '', '',
      true, true, false, false, false, false, false, now(), false, now() - interval '2 hours', now()
    from unnest(array['moved', 'untouched']) as made (id);
  insert into scheduling.event_sequences values ('schedule:moved', 1), ('schedule:untouched', 1)`;

describe.skipIf(!hasKafka)('npm run ops -- close-after with Kafka', () => {
  const workDir = mkdtempSync(join(tmpdir(), 'hookline-close-after-'));
  const kafka = perSuite(() => startKafka({ workDir }), 120_000);
  let bus: Bus;
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
  let admin: pg.Client;
  let lines: string[] = [];

  beforeAll(async () => {
    bus = createKafkaBus({ brokers: kafka.brokers.split(','), clientId: 'test', log, partitions: 1 });
    await bus.ensureTopics([topic]);
  }, 120_000);
  afterAll(async () => {
    await bus.close();
    rmSync(workDir, { recursive: true, force: true });
  });

  beforeEach(async () => {
    database = await createMigratedDatabase();
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(waiting);
  });
  afterEach(async () => {
    await admin.end();
    await database.drop();
  });

  async function publish(subject: string, sequence: number, at: Date): Promise<void> {
    const event = {
      ...{
        id: newId('event'),
        type: 'schedule.published',
        version: 1,
        topic,
        subject,
        accountId: 'acct',
        sequence,
      },
      ...{ time: at.toISOString(), source: '/services/scheduling', data: {} },
      traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
    } as const;
    await bus.publish([
      { topic, key: subject, value: '{}', headers: toHeaders({ ...event, requestId: null }) },
    ]);
  }

  async function closeAfter() {
    lines = [];
    const env = { DATABASE_URL: database.url, KAFKA_BROKERS: kafka.brokers };
    const isDone = await runOps(['close-after', '--since', since.toISOString()], env, line =>
      lines.push(line),
    );
    expect(isDone, lines.join('\n')).toBe(true);
    const { rows } = await admin.query(
      `select id, status, due_at is not null as "isDue" from scheduling.schedules order by id`,
    );
    return rows;
  }

  it('keeps back what waits while Kafka does not reach back to the instant', async () => {
    await publish('moved', 2, new Date());
    expect(await closeAfter()).toEqual([
      { id: 'moved', status: 'failed', isDue: false },
      { id: 'untouched', status: 'pending', isDue: false },
    ]);
    expect(lines).toContain(`The bus does not reach back to ${since.toISOString()}.`);
  });

  it('closes what has later events alone, behind 1,500 that the database has', async () => {
    await publish('untouched', 1, new Date(since.getTime() - hourMs));
    await publish('moved', 2, new Date());
    const known = { topic, key: 'untouched', value: '{}', headers: {} };
    await bus.publish(Array.from({ length: 1_500 }, () => known));
    expect(await closeAfter()).toEqual([
      { id: 'moved', status: 'failed', isDue: false },
      { id: 'untouched', status: 'pending', isDue: true },
    ]);
    expect(lines).toContain('1 schedules have later events on the bus: closed as outcome_unknown.');
  });
});
