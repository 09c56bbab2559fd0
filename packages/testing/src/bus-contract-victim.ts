/**
 * A consumer process for the contract suite to kill: it takes one message, reports that on stdout and never
 * settles it. Its one argument is a `Victim` as JSON.
 */

import type { Bus } from '@hookline/shared/bus';
import { createKafkaBus } from '@hookline/shared/bus/kafka';
import { createPostgresLogBus } from '@hookline/shared/bus/postgres-log';
import { openDatabase } from '@hookline/shared/postgres';
import { pino } from 'pino';

export type VictimBus =
  | { adapter: 'postgres'; url: string }
  | { adapter: 'kafka'; brokers: string[]; groupSuffix: string; sessionTimeoutMs: number };

export type Victim = { bus: VictimBus; group: string; topic: string };

const log = pino({ level: 'silent' });

function openBus(bus: VictimBus): Bus {
  if (bus.adapter === 'kafka') return createKafkaBus({ ...bus, clientId: 'victim', log });
  const database = openDatabase({ url: bus.url, connectionsMax: 2, name: 'bus victim', log });
  return createPostgresLogBus({ database, log });
}

const { bus, group, topic } = JSON.parse(process.argv[2] ?? '') as Victim;
await openBus(bus).subscribe({
  group,
  topics: [topic],
  handler: message => {
    process.stdout.write(`${message.value}\n`);
    return new Promise(() => {});
  },
});
// A promise that never settles does not keep a process alive; the kill must hit a busy process.
setInterval(() => {}, 60_000);
