import { randomBytes } from 'node:crypto';
import { testKafkaBrokers } from '@hookline/infra/test-infra';
import { message, uniqueName } from '@hookline/testing/bus-contract';
import { openTestDatabase } from '@hookline/testing/database';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createKafkaBus } from './kafka/bus.ts';
import { openGroups } from './kafka/test-groups.ts';
import { type Bus, PoisonMessageError } from './port.ts';
import { createPostgresLogBus } from './postgres-log/bus.ts';
import { deleteCursors } from './postgres-log/queries/log.ts';
import {
  countDeadLetters,
  type DeadLetter,
  deleteDealtWith,
  eachDeadLetter,
  putBack,
  redriveHeader,
} from './redrive.ts';

const log = pino({ level: 'silent' });
const patient = { timeout: 25_000, interval: 50 };
const brokers = (await testKafkaBrokers())?.split(',') ?? null;

type Adapter = {
  openBus(): Bus;
  /** As Kafka does after seven days with a group that has no members. */
  loseOffsets(group: string): Promise<void>;
};

const adapters: [string, boolean, (closing: (() => Promise<void>)[]) => Promise<Adapter>][] = [
  [
    'Kafka',
    brokers === null,
    async closing => {
      const groups = await openGroups(brokers ?? []);
      closing.push(() => groups.close());
      return {
        openBus: () => createKafkaBus({ brokers: brokers ?? [], clientId: 'hookline-redrive', log }),
        loseOffsets: group => vi.waitFor(() => groups.delete(group), patient),
      };
    },
  ],
  [
    'Postgres log',
    false,
    async closing => {
      const database = await createMigratedDatabase();
      const pool = openTestDatabase(database.roleUrl('bus'));
      closing.push(
        () => pool.close(),
        () => database.drop(),
      );
      return {
        openBus: () => createPostgresLogBus({ database: pool, log }),
        loseOffsets: group => deleteCursors(pool, group),
      };
    },
  ],
];

describe.each(adapters)('dead letters on %s', (_name, isAbsent, open) => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  function closeLater(bus: Bus): Bus {
    closing.unshift(() => bus.close(1_000));
    return bus;
  }

  it.skipIf(isAbsent)(
    'go back once each, also to the group that died of them; what dies again waits for the next run',
    async () => {
      const bus = closeLater((await open(closing)).openBus());
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

  it.skipIf(isAbsent)(
    'that were dealt with never come back, also when the bus forgets how far the operator was',
    async () => {
      const { openBus, loseOffsets } = await open(closing);
      const topic = uniqueName('topic');
      const group = uniqueName('redrive');
      const first = closeLater(openBus());
      await first.ensureTopics([topic]);
      await first.publish(['a', 'b', 'c'].map(key => message(`${topic}.dlq`, key, '{}')));
      const discard = (bus: Bus) => eachDeadLetter(bus, { topics: [topic], group, each: async () => {} });
      expect(await discard(first)).toBe(3);
      await first.publish([message(`${topic}.dlq`, 'a', '{}')]);
      await deleteDealtWith(first, [topic], group);
      // As the next run does, which need not know what this one deleted.
      await deleteDealtWith(first, [topic], group);
      // Kafka forgets only groups without members.
      await first.close();
      await loseOffsets(group);

      const second = closeLater(openBus());
      expect((await countDeadLetters(second, [topic], group)).get(topic)).toBe(1);
      expect(await discard(second)).toBe(1);
      await deleteDealtWith(second, [topic], group);
      expect((await countDeadLetters(second, [topic], uniqueName('other'))).get(topic)).toBe(0);
    },
    60_000,
  );
});
