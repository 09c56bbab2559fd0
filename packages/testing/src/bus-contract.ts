/**
 * The contract that every bus adapter must pass, against its real server. Each test uses separate topics and
 * groups.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  type Bus,
  type BusMessage,
  type MessageHandler,
  PoisonMessageError,
  type ReceivedMessage,
  type StoredMessage,
} from '@hookline/shared/bus';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Victim, VictimBus } from './bus-contract-victim.ts';

export type BusFixture = {
  /**
   * Another bus on the same server, as a second process would open it. `close` ends what the bus leaves open.
   */
  openBus(): { bus: Bus; close?: () => Promise<void> };
  victimBus: VictimBus;
  close(): Promise<void>;
};

type Opened = ReturnType<BusFixture['openBus']>;

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
/**
 * Kafka joins, session time-outs and rebalances take seconds, and three brokers share the machine with every
 * other test.
 */
export const patient = { timeout: 60_000, interval: 50 };
export const contractTimeout = { timeout: 150_000 };

export function busContract(name: string, openFixture: () => Promise<BusFixture>): void {
  describe(`bus contract: ${name}`, contractTimeout, () => {
    let fixture: BusFixture;
    let opened: Opened[] = [];
    let victims: ChildProcess[] = [];

    beforeAll(async () => {
      fixture = await openFixture();
    });
    afterAll(() => fixture?.close());
    afterEach(async () => {
      for (const victim of victims) victim.kill('SIGKILL');
      await Promise.all(
        opened.map(async ({ bus, close }) => {
          await bus.close(1_000);
          await close?.();
        }),
      );
      victims = [];
      opened = [];
    });

    function openBus(): Bus {
      const one = fixture.openBus();
      opened.push(one);
      return one.bus;
    }

    async function busWithTopic(): Promise<{ bus: Bus; topic: string }> {
      const bus = openBus();
      const topic = uniqueName('topic');
      await bus.ensureTopics([topic]);
      return { bus, topic };
    }

    async function deadLettersOf(bus: Bus, topic: string): Promise<ReceivedMessage[]> {
      const found: ReceivedMessage[] = [];
      await bus.subscribe({
        group: uniqueName('reader'),
        topics: [`${topic}.dlq`],
        handler: async message => {
          found.push(message);
        },
      });
      return found;
    }

    describe('publish and order', () => {
      it('300 messages of 30 keys reach a group, each key in order, across handlers of uneven speed', async () => {
        const { bus, topic } = await busWithTopic();
        const received: ReceivedMessage[] = [];
        await bus.subscribe({
          group: uniqueName('group'),
          topics: [topic],
          handler: async one => {
            await new Promise(resolve => setTimeout(resolve, (Number(one.value) * 7) % 11));
            received.push(one);
          },
        });
        const sent = Array.from({ length: 300 }, (_, n) => message(topic, `key ${n % 30}`, String(n)));
        for (let from = 0; from < 300; from += 100) await bus.publish(sent.slice(from, from + 100));
        await vi.waitFor(() => expect(received).toHaveLength(300), patient);
        const wanted = Map.groupBy(sent, one => one.key);
        const got = Map.groupBy(received, one => one.key);
        for (const [key, ofKey] of wanted) {
          expect(got.get(key)?.map(one => one.value)).toEqual(ofKey.map(one => one.value));
        }
      });

      it('headers, traceparent, key and value arrive byte for byte, unicode included', async () => {
        const { bus, topic } = await busWithTopic();
        const received: ReceivedMessage[] = [];
        await bus.subscribe({ group: uniqueName('group'), topics: [topic], handler: keepIn(received) });
        const sent: BusMessage = {
          topic,
          key: 'ключ 🗝',
          value: JSON.stringify({ text: 'Ünïcödé 漢字 🎞\u0000\u2028 "quoted" \\ back', n: 1.1 }),
          headers: {
            traceparent,
            ce_id: 'evt_1',
            ce_subject: 'größe 🙂',
            empty: '',
            'with-dash': ' spaced ',
          },
        };
        await bus.publish([sent]);
        await vi.waitFor(() => expect(received).toHaveLength(1), patient);
        expect(received[0]).toMatchObject(sent);
        expect(received[0]?.headers).toEqual(sent.headers);
        expect(received[0]).toMatchObject({ attempt: 1, offset: expect.stringMatching(/^\d+$/) });
      });

      it('publishing to, subscribing to and reading back a topic that was never made fails and names it', async () => {
        const { bus, topic } = await busWithTopic();
        const unknown = uniqueName('unknown');
        const batch = [message(topic, 'k', '1'), message(unknown, 'k', '2')];
        await expect(bus.publish(batch)).rejects.toThrow(unknown);
        const subscription = { group: uniqueName('group'), topics: [unknown], handler: async () => {} };
        await expect(bus.subscribe(subscription)).rejects.toThrow(unknown);
        await expect(bus.readBack(unknown, async () => true)).rejects.toThrow(unknown);
        const [lag] = await bus.lag('nobody', [topic]);
        expect(lag?.lag).toBe(0);
      });
    });

    describe('groups', () => {
      it('every group gets every message, also one that subscribes later', async () => {
        const { bus, topic } = await busWithTopic();
        const first: ReceivedMessage[] = [];
        const second: ReceivedMessage[] = [];
        const late: ReceivedMessage[] = [];
        await bus.subscribe({ group: uniqueName('first'), topics: [topic], handler: keepIn(first) });
        await bus.subscribe({ group: uniqueName('second'), topics: [topic], handler: keepIn(second) });
        await bus.publish(['a', 'b', 'c'].map(key => message(topic, key, key)));
        await vi.waitFor(() => expect([first.length, second.length]).toEqual([3, 3]), patient);
        await bus.subscribe({ group: uniqueName('late'), topics: [topic], handler: keepIn(late) });
        await vi.waitFor(() => expect(late).toHaveLength(3), patient);
      });

      it('two processes of one group: every message is handled, and one goes on when the other leaves', async () => {
        const { bus, topic } = await busWithTopic();
        const other = openBus();
        const group = uniqueName('group');
        const values = new Set<string>();
        const handler: MessageHandler = async ({ value }) => {
          values.add(value);
        };
        await bus.subscribe({ group, topics: [topic], handler });
        await other.subscribe({ group, topics: [topic], handler });
        await bus.publish(Array.from({ length: 40 }, (_, n) => message(topic, `k${n}`, `a${n}`)));
        await vi.waitFor(() => expect(values.size).toBe(40), patient);
        await bus.close();
        await other.publish(Array.from({ length: 40 }, (_, n) => message(topic, `k${n}`, `b${n}`)));
        await vi.waitFor(() => expect(values.size).toBe(80), patient);
      });

      it('the message in the hand of a process that is killed reaches the next one', async () => {
        const { bus, topic } = await busWithTopic();
        const group = uniqueName('group');
        await bus.publish([message(topic, 'k', 'in flight'), message(topic, 'k', 'behind it')]);
        const victim = startVictim({ bus: fixture.victimBus, group, topic });
        victims.push(victim.process);
        await vi.waitFor(() => expect(victim.output()).toContain('in flight'), patient);
        victim.process.kill('SIGKILL');
        await once(victim.process, 'exit');
        const received: ReceivedMessage[] = [];
        await bus.subscribe({ group, topics: [topic], handler: keepIn(received) });
        await vi.waitFor(
          () => expect(received.map(one => one.value)).toEqual(['in flight', 'behind it']),
          patient,
        );
      });
    });

    describe('readBack', () => {
      const keyed = (topic: string, values: readonly string[]) =>
        values.map(value => ({ ...message(topic, 'ключ', value), headers: { ce_id: value } }));

      /** The messages of each answer, as long as there are any. */
      async function readAll(bus: Bus, topic: string): Promise<StoredMessage[][]> {
        const answers: StoredMessage[][] = [];
        await bus.readBack(topic, async messages => {
          answers.push(messages);
          return true;
        });
        return answers;
      }

      it('gives the messages as a group gets them', async () => {
        const { bus, topic } = await busWithTopic();
        expect(await readAll(bus, topic)).toEqual([]);
        await bus.publish(keyed(topic, ['1', '2']));
        await bus.publish(keyed(topic, ['3']));
        const all = await readAll(bus, topic);
        const received: ReceivedMessage[] = [];
        await bus.subscribe({ group: uniqueName('group'), topics: [topic], handler: keepIn(received) });
        await vi.waitFor(() => expect(received).toHaveLength(3), patient);
        expect(all).toEqual([received.map(({ attempt: _, ...stored }) => stored)]);
      });

      it('does not wait for a member that died, and moves no cursor', async () => {
        const { bus, topic } = await busWithTopic();
        const group = uniqueName('group');
        await bus.publish(keyed(topic, ['1', '2']));
        const victim = startVictim({ bus: fixture.victimBus, group, topic });
        victims.push(victim.process);
        await vi.waitFor(() => expect(victim.output()).toContain('1'), patient);
        victim.process.kill('SIGKILL');
        await once(victim.process, 'exit');
        const beganMs = performance.now();
        expect(await readAll(bus, topic)).toMatchObject([[{ value: '1' }, { value: '2' }]]);
        // A session lasts 6 s at least.
        expect(performance.now() - beganMs).toBeLessThan(4_000);
        expect(await lagOf(bus, group, topic)).toBe(2);
      });

      it('gives the newest 1,000 first, and those before them only if they are wanted', async () => {
        const { bus, topic } = await busWithTopic();
        // More than one answer of a broker holds.
        const values = Array.from({ length: 1_250 }, (_, n) => `${n} ${'x'.repeat(2_000)}`);
        for (let from = 0; from < values.length; from += 100)
          await bus.publish(keyed(topic, values.slice(from, from + 100)));
        const valuesOf = (messages: StoredMessage[]) => messages.map(({ value }) => value);
        expect((await readAll(bus, topic)).map(valuesOf)).toEqual([values.slice(250), values.slice(0, 250)]);
        const newest: string[][] = [];
        await bus.readBack(topic, async messages => {
          newest.push(valuesOf(messages));
          return false;
        });
        expect(newest).toEqual([values.slice(250)]);
      });
    });

    describe('failing handlers', () => {
      it('poison is dead-lettered at once with its own key, value and headers and the story', async () => {
        const { bus, topic } = await busWithTopic();
        const group = uniqueName('group');
        const deadLetters = await deadLettersOf(bus, topic);
        const received: ReceivedMessage[] = [];
        await bus.subscribe({
          group,
          topics: [topic],
          handler: async one => {
            received.push(one);
            throw new PoisonMessageError('data.slides is missing\n\0 at somewhere');
          },
        });
        const sent = {
          ...message(topic, 'ключ', '{"not":"ours 🎞"}'),
          headers: { traceparent, ce_id: 'evt_9' },
        };
        await bus.publish([sent]);
        await vi.waitFor(() => expect(deadLetters).toHaveLength(1), patient);
        expect(received).toHaveLength(1);
        expect(deadLetters[0]).toMatchObject({ key: sent.key, value: sent.value });
        expect(deadLetters[0]?.headers).toEqual({
          traceparent,
          ce_id: 'evt_9',
          dlq_topic: topic,
          dlq_partition: String(received[0]?.partition),
          dlq_offset: received[0]?.offset,
          dlq_group: group,
          dlq_error_class: 'PoisonMessageError',
          dlq_error_message: 'data.slides is missing at somewhere',
          dlq_attempts: '1',
          dlq_first_at: expect.stringMatching(/^\d{4}-.*Z$/),
          dlq_last_at: expect.stringMatching(/^\d{4}-.*Z$/),
        });
        await vi.waitFor(async () => expect(await lagOf(bus, group, topic)).toBe(0), patient);
      });
    });

    describe('lag, close', () => {
      it('lag counts what the group has not settled and returns to 0', async () => {
        const { bus, topic } = await busWithTopic();
        const group = uniqueName('group');
        await bus.publish(Array.from({ length: 7 }, (_, n) => message(topic, `k${n}`, String(n))));
        expect(await lagOf(bus, group, topic)).toBe(7);
        const gate = Promise.withResolvers<void>();
        await bus.subscribe({ group, topics: [topic], handler: () => gate.promise });
        expect(await lagOf(bus, group, topic)).toBe(7);
        const settledOf = async () =>
          (await bus.lag(group, [topic])).reduce((sum, { settled }) => sum + settled, 0);
        const before = await settledOf();
        gate.resolve();
        await vi.waitFor(async () => expect(await lagOf(bus, group, topic)).toBe(0), patient);
        expect(await settledOf()).toBe(before + 7);
      });

      it('close finishes the message in flight, and the next process does not get it again', async () => {
        const { bus, topic } = await busWithTopic();
        const group = uniqueName('group');
        const { gate, begun, ended } = await subscribeGated(bus, group, topic);
        await bus.publish(['1', '2'].map(value => message(topic, 'k', value)));
        await vi.waitFor(() => expect(begun).toEqual(['1']), patient);
        const closed = bus.close();
        gate.resolve();
        await closed;
        expect([begun, ended]).toEqual([['1'], ['1']]);
        const next: ReceivedMessage[] = [];
        await openBus().subscribe({ group, topics: [topic], handler: keepIn(next) });
        await vi.waitFor(() => expect(next.map(one => one.value)).toEqual(['2']), patient);
      });

      it('close gives up after its time-out on a handler that never ends', async () => {
        const { bus, topic } = await busWithTopic();
        const received: ReceivedMessage[] = [];
        await bus.subscribe({
          group: uniqueName('group'),
          topics: [topic],
          handler: one => {
            received.push(one);
            return new Promise(() => {});
          },
        });
        await bus.publish([message(topic, 'k', '1')]);
        await vi.waitFor(() => expect(received).toHaveLength(1), patient);
        const startedAt = performance.now();
        await bus.close(300);
        expect(performance.now() - startedAt).toBeLessThan(3_000);
      });

      it('a closed bus says so and takes nothing more', async () => {
        const { bus, topic } = await busWithTopic();
        expect(await bus.health()).toEqual({ ok: true });
        await bus.close();
        expect(await bus.health()).toMatchObject({ ok: false });
        await expect(bus.publish([message(topic, 'k', '1')])).rejects.toThrow('closed');
      });
    });
  });
}

export function uniqueName(prefix: string): string {
  return `${prefix}.${randomBytes(5).toString('hex')}`;
}

export function message(topic: string, key: string, value: string): BusMessage {
  return { topic, key, value, headers: { traceparent } };
}

export function keepIn(kept: ReceivedMessage[]): MessageHandler {
  return async received => {
    kept.push(received);
  };
}

/** Each message waits in the handler until `gate` is resolved. */
async function subscribeGated(bus: Bus, group: string, topic: string) {
  const held = { gate: Promise.withResolvers<void>(), begun: [] as string[], ended: [] as string[] };
  await bus.subscribe({
    group,
    topics: [topic],
    handler: async ({ value }) => {
      held.begun.push(value);
      await held.gate.promise;
      held.ended.push(value);
    },
  });
  return held;
}

export async function lagOf(bus: Bus, group: string, topic: string): Promise<number> {
  const lags = await bus.lag(group, [topic]);
  return lags.reduce((sum, { lag }) => sum + lag, 0);
}

export function startVictim(victim: Victim): { process: ChildProcess; output(): string } {
  const file = fileURLToPath(new URL('./bus-contract-victim.ts', import.meta.url));
  const child = spawn(process.execPath, [file, JSON.stringify(victim)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return { process: child, output: () => output };
}
