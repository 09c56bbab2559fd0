import { endAfterRestore } from '@hookline/automation/ops';
import { forgetBackup, readBackupInstant } from '@hookline/embedded/backup';
import { closeAfterRestore, readEvidence, resumeSending } from '@hookline/scheduling/ops';
import type { Bus } from '@hookline/shared/bus';
import { normaliseIsoTime } from '@hookline/shared/contracts';
import { ConfigurationError } from '@hookline/shared/kernel';
import { openDedicatedConnection, type Transaction } from '@hookline/shared/postgres';
import type pg from 'pg';
import { defineCommand, type Print } from './command.ts';
import { leapSequences, readClock, sqlOf } from './queries/sql.ts';
import { allSchemas, openWitness, withoutBus, withTarget } from './target.ts';

// More events than any one resource has, and small enough for a number in JSON.
const leap = 1_000_000;

export const command = defineCommand({
  does: 'settles a database that went back in time, as a restored backup did: what may have been posted is not sent',
  options: {
    since: {
      type: 'string',
      value: 'time',
      says: 'the instant that the data are from, ISO 8601, such as 2026-11-21T09:00:00Z; a folder of `backup` knows it',
    },
    'without-bus': withoutBus,
  },
  async run({ env, values, print }) {
    return await withTarget(env, { schemas: allSchemas }, async target => {
      const copiedAt = target.dataDir && (await readBackupInstant(target.dataDir));
      const takenAt = readInstant(values.since ?? copiedAt ?? '');
      const bus = await openWitness(target, values['without-bus']);
      const client = await openDedicatedConnection(target.adminUrl, 'hookline operator', {
        queryTimeoutMs: 0,
      });
      try {
        await client.query('begin');
        await settle(client, takenAt, bus, print);
        await client.query('commit');
      } finally {
        await client.end();
      }
      const resumed = await resumeSending({ db: target.openSchema('scheduling'), now: () => new Date() });
      if (resumed === null || resumed === 'unsettled') {
        print('Sending was paused again in the meantime: run this once more.');
        return false;
      }
      if (target.dataDir) await forgetBackup(target.dataDir);
      print('API keys and sessions that were revoked since are valid again: revoke them.');
      print('Sending goes on.');
      return true;
    });
  },
});

/** @throws ConfigurationError for an invalid instant, such as one of 30 February, or one in the future */
function readInstant(text: string): string {
  const at = new Date(normaliseIsoTime(text) ?? '');
  if (!(at.getTime() <= Date.now()))
    throw new ConfigurationError(
      '--since must be the past instant that the data are from, with its zone, such as 2026-11-21T09:00:00Z.',
    );
  return at.toISOString();
}

/**
 * Ends what may have continued after the instant of the data, in the transaction that is open on the client.
 * @param takenAt the instant, ISO 8601
 * @param bus is null if it was lost as well
 */
async function settle(client: pg.Client, takenAt: string, bus: Bus | null, print: Print): Promise<void> {
  const tx: Transaction = {
    ...sqlOf(client),
    inTransaction: true,
    // No service is running that could be notified.
    notifyAfterCommit() {},
  };
  const at = { backupAt: new Date(takenAt), now: await readClock(tx) };
  await tx.query('set local search_path to scheduling');
  const evidence = bus && (await readEvidence(tx, bus, at.backupAt));
  await leapSequences(tx, leap);
  const { sending, overdue, onBus, keptBack } = await closeAfterRestore(tx, { ...at, evidence });
  print(`${sending} schedules were being sent and ${overdue} became due since: closed as outcome_unknown.`);
  if (evidence) print(`${onBus} schedules have later events on the bus: closed as outcome_unknown.`);
  if (evidence && !evidence.isWhole) print(`The bus does not reach back to ${takenAt}.`);
  if (keptBack > 0) {
    print(`${keptBack} schedules wait and are kept back, because they may have been moved and posted since.`);
    print('Look at TikTok; then move or delete each, or let all go out: npm run ops -- release-kept-back.');
  }
  await tx.query('set local search_path to automation');
  const { firings, slots } = await endAfterRestore(tx, at);
  print(
    `${firings} open firings of automations are ended, ${slots} slots since then are recorded as skipped.`,
  );
}
