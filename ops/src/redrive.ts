import { randomBytes } from 'node:crypto';
import type { Bus } from '@hookline/shared/bus';
import {
  countDeadLetters,
  type DeadLetter,
  deleteDealtWith,
  eachDeadLetter,
  listDeadRows,
  putBack,
  redriveGroup,
  reviveDeadRows,
} from '@hookline/shared/bus';
import { topics } from '@hookline/shared/events';
import { ConfigurationError } from '@hookline/shared/kernel';
import { defineCommand, type Print } from './command.ts';
import { outboxSchemas } from './queries/sql.ts';
import { type OpenBus, type OperatorTarget, withTarget } from './target.ts';

export type RedriveCommand = {
  action: 'show' | 'go' | 'discard';
  /** All topics when undefined. */
  topic?: string | undefined;
  eventId?: string | undefined;
};

export const command = defineCommand({
  does: 'puts dead letters back to their topics; without options it only shows them',
  options: {
    go: { type: 'boolean', default: false, says: 'puts all of them back' },
    event: { type: 'string', value: 'id', says: 'puts that one back; it still counts as not dealt with' },
    discard: {
      type: 'boolean',
      default: false,
      says: 'lets them go; what the bus refused is never discarded',
    },
    topic: { type: 'string', says: 'only those of this topic' },
  },
  async run({ env, values: { go, discard, event, topic }, print }) {
    if ([go, discard, event !== undefined].filter(Boolean).length > 1)
      throw new ConfigurationError('--go, --discard and --event exclude each other.');
    const action = go ? 'go' : discard ? 'discard' : 'show';
    return await redrive(env, { action, topic, eventId: event }, print);
  },
});

const linesMax = 100;

/**
 * @throws ConfigurationError for a topic that does not exist. @returns false when the requested event is not
 * dead, or when dead letters that are dealt with could not be deleted
 */
export async function redrive(
  env: Record<string, string | undefined>,
  command: RedriveCommand,
  print: Print,
): Promise<boolean> {
  const wanted = topics.filter(topic => command.topic === undefined || topic === command.topic);
  if (wanted.length === 0) {
    throw new ConfigurationError(`--topic must be one of ${topics.join(', ')}.`);
  }
  return await withTarget(env, { schemas: outboxSchemas }, async target => {
    const opened = await target.openBus();
    if (command.eventId !== undefined) return await putBackOne(opened, wanted, command.eventId, print);
    let isDone = true;
    if (command.action === 'show') await show(opened, wanted, print);
    else isDone = await settleAll(opened.bus, wanted, command.action, print);
    for (const schema of outboxSchemas) await settleRefused(target, schema, wanted, command.action, print);
    return isDone;
  });
}

/** Continues where the last run stopped, under a separate group, so that showing changes nothing. */
async function show(opened: OpenBus, wanted: readonly string[], print: Print): Promise<void> {
  const counts = await countDeadLetters(opened.bus, wanted);
  const waiting = [...counts.values()].reduce((sum, count) => sum + count, 0);
  for (const [topic, count] of counts) print(`${topic}: ${count} dead letters wait`);
  if (waiting === 0) return;
  const letters: DeadLetter[] = [];
  await scan(opened, wanted, async letter => {
    letters.push(letter);
  });
  // The newest are those that the last run did not handle.
  for (const letter of letters.slice(-Math.min(waiting, linesMax))) print(describe(letter));
}

async function putBackOne(
  opened: OpenBus,
  wanted: readonly string[],
  eventId: string,
  print: Print,
): Promise<boolean> {
  let isFound = false;
  await scan(opened, wanted, async (letter, message) => {
    if (letter.eventId !== eventId || isFound) return;
    isFound = true;
    await putBack(opened.bus, letter, message);
    print(`put back: ${describe(letter)}`);
  });
  if (!isFound) print(`No dead letter has the event id ${eventId}.`);
  return isFound;
}

async function scan(
  { bus, forget }: OpenBus,
  wanted: readonly string[],
  each: Parameters<typeof eachDeadLetter>[1]['each'],
): Promise<void> {
  const group = `operator.scan.${randomBytes(6).toString('hex')}`;
  try {
    await eachDeadLetter(bus, { topics: wanted, group, each });
  } finally {
    await forget(group);
  }
}

/** @returns false when those that are dealt with could not be deleted */
async function settleAll(
  bus: Bus,
  wanted: readonly string[],
  action: 'go' | 'discard',
  print: Print,
): Promise<boolean> {
  const done = await eachDeadLetter(bus, {
    topics: wanted,
    group: redriveGroup,
    async each(letter, message) {
      if (action === 'go') await putBack(bus, letter, message);
      print(`${action === 'go' ? 'put back' : 'discarded'}: ${describe(letter)}`);
    },
  });
  print(`${done} dead letters ${action === 'go' ? 'put back' : 'discarded'}.`);
  try {
    await deleteDealtWith(bus, wanted);
    return true;
  } catch (error) {
    print(`They could not be deleted from the bus: ${(error as Error).message}.`);
    print('Run this again within a week: after that Kafka counts them as not dealt with.');
    return false;
  }
}

/**
 * An event that the bus refused is never discarded here: it was acknowledged to a caller and reached nobody.
 */
async function settleRefused(
  target: OperatorTarget,
  schema: string,
  wanted: readonly string[],
  action: RedriveCommand['action'],
  print: Print,
): Promise<void> {
  const db = target.openSchema(schema);
  const rows = (await listDeadRows(db)).filter(row => wanted.includes(row.topic));
  if (rows.length === 0) return;
  for (const { eventId, topic, lastError } of rows.slice(0, linesMax)) {
    print(`${schema} could not publish ${eventId} to ${topic}: ${lastError ?? 'unknown'}`);
  }
  if (action !== 'go') return;
  const ids = rows.map(row => row.id);
  print(`${await reviveDeadRows(db, ids)} events of ${schema} put back into its outbox.`);
}

function describe({ topic, eventId, type, group, error, lastAt }: DeadLetter): string {
  return `${topic} ${eventId} (${type}) died in ${group} at ${lastAt}: ${error}`;
}
