import { randomBytes } from 'node:crypto';
import { testKafkaBrokers } from '@hookline/infra/test-infra';
import { message, uniqueName } from '@hookline/testing/bus-contract';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../postgres/db.ts';
import { createKafkaBus } from './kafka/bus.ts';
import { type Bus, PoisonMessageError } from './port.ts';
import { createPostgresLogBus } from './postgres-log/bus.ts';
import { countDeadLetters, type DeadLetter, eachDeadLetter, putBack, redriveHeader } from './redrive.ts';

const log = pino({ level: 'silent' });
const patient = { timeout: 25_000, interval: 50 };
const brokers = (await testKafkaBrokers())?.split(',') ?? null;

const adapters: [string, boolean, (closing: (() => Promise<void>)[]) => Promise<Bus>][] = [
  [
    'Kafka',
    brokers === null,
    async () => createKafkaBus({ brokers: brokers ?? [], clientId: 'hookline-redrive', log }),
  ],
  [
    'Postgres log',
    false,
    async closing => {
      const database = await createMigratedDatabase();
      const pool = openDatabase({ url: database.roleUrl('bus'), connectionsMax: 4, name: 'test', log });
      closing.push(
        () => pool.close(),
        () => database.drop(),
      );
      return createPostgresLogBus({ database: pool, log });
    },
  ],
];

describe.each(adapters)('dead letters on %s', (_name, isAbsent, open) => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  it.skipIf(isAbsent)(
    'go back once each, also to the group that died of them; what dies again waits for the next run',
    async () => {
      const bus = await open(closing);
      closing.unshift(() => bus.close(1_000));
      const topic = uniqueName('topic');
      const group = uniqueName('group');
      const redriveGroup = `redrive.${randomBytes(4).toString('hex')}`;
      await bus.ensureTopics([topic]);
      const broken = new Set(['a', 'b', 'c', 'd']);
      const handled: string[] = [];
      await bus.subscribe({
        group,
        topics: [topic],
        async handler({ key, headers }) {
          if (broken.has(key)) throw new PoisonMessageError('cannot be read');
          expect(Object.keys(headers).filter(name => name.startsWith('dlq_'))).toEqual([]);
          if (key !== 'e') expect(headers[redriveHeader]).toBe(group);
          handled.push(key);
        },
      });
      await bus.publish(['a', 'b', 'c', 'd', 'e'].map(key => message(topic, key, `"${key}"`)));
      const waiting = async () => (await countDeadLetters(bus, [topic], redriveGroup)).get(topic);
      await vi.waitFor(async () => expect(await waiting()).toBe(4), patient);

      broken.clear();
      broken.add('d');
      const letters: DeadLetter[] = [];
      const run = () =>
        eachDeadLetter(bus, {
          topics: [topic],
          group: redriveGroup,
          async each(letter, received) {
            letters.push(letter);
            await putBack(bus, letter, received);
          },
        });
      expect(await run()).toBe(4);
      expect(letters.map(letter => letter.key).sort()).toEqual(['a', 'b', 'c', 'd']);
      expect(letters[0]).toMatchObject({ topic, group, error: 'PoisonMessageError: cannot be read' });
      await vi.waitFor(() => expect(handled.toSorted()).toEqual(['a', 'b', 'c', 'e']), patient);
      // Dead again, and still there: it was not processed twice.
      await vi.waitFor(async () => {
        const again = await countDeadLetters(bus, [topic], `other.${randomBytes(4).toString('hex')}`);
        expect(again.get(topic)).toBe(5);
      }, patient);
      expect(letters).toHaveLength(4);
    },
    60_000,
  );
});
