import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { eventually } from '@hookline/testing/eventually';
import { describe, expect, it } from 'vitest';
import { burstMax, perSecondMax, sendingMax, windowMax, windowStart } from './endpoint-window.rules.ts';
import { createLanes, type LaneItem, type Lanes, type Sent } from './lanes.ts';

type World = { lanes: Lanes<LaneItem>; sent: LaneItem[]; answer: (item: LaneItem, isTaken: boolean) => void };

/** Lanes whose sends end when the test decides. */
function open(sizeMax = 1_000): World & { rooms: () => number } {
  const sent: LaneItem[] = [];
  const waiting = new Map<string, (sent: Sent) => void>();
  let rooms = 0;
  const lanes = createLanes<LaneItem>({
    sizeMax,
    send: item =>
      new Promise(resolve => {
        sent.push(item);
        waiting.set(item.id, resolve);
      }),
    onRoom: () => {
      rooms += 1;
    },
  });
  const answer = (item: LaneItem, isTaken: boolean): void =>
    waiting.get(item.id)?.({ isTaken, recorded: Promise.resolve() });
  return { lanes, sent, answer, rooms: () => rooms };
}

const items = (webhookId: string, count: number): LaneItem[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${webhookId}-${index}`, webhookId }));

/** Answers everything until the lane's window has its maximum size. */
async function warmUp({ lanes, sent, answer }: World, webhookId: string): Promise<void> {
  lanes.add(items(webhookId, 10), lanes.room());
  await eventually(() => {
    for (const item of sent) answer(item, true);
    expect(lanes.size).toBe(0);
  });
  sent.length = 0;
}

describe('createLanes', () => {
  it('a lane begins with room for 4 deliveries', () => {
    const { lanes, sent } = open();
    lanes.add(items('a', windowStart), lanes.room());
    lanes.add(items('b', 1), lanes.room());
    expect(sent).toHaveLength(windowStart + 1);
    expect(lanes.room().get('a')).toBe(0);
  });

  it('a lane sends eight at a time of a window of 64, which falls to one at a failure', async () => {
    const world = open();
    const { lanes, sent, answer } = world;
    await warmUp(world, 'a');
    expect(lanes.room().get('a')).toBe(windowMax);
    lanes.add(items('a', 20), lanes.room());
    expect(sent).toHaveLength(sendingMax);
    answer(sent[0] as LaneItem, false);
    await eventually(() => expect(lanes.size).toBe(19));
    // Seven are in flight, more than the window of one: nothing new is sent.
    expect(sent).toHaveLength(sendingMax);
  });

  it('deliveries behind an endpoint that hangs are released, and one at a time is claimed from then on', async () => {
    const world = open();
    const { lanes, sent } = world;
    await warmUp(world, 'a');
    lanes.add(items('a', 64), lanes.room());
    expect(lanes.takeWaiting(60_000)).toEqual([]);
    expect(lanes.takeWaiting(0)).toHaveLength(64 - sendingMax);
    expect([lanes.size, sent.length, lanes.room().get('a')]).toEqual([sendingMax, sendingMax, 0]);
  });

  it('deliveries of an endpoint that changed are released, and those of no other', async () => {
    const world = open();
    const { lanes } = world;
    await warmUp(world, 'a');
    lanes.add(items('a', 64), lanes.room());
    expect(lanes.takeWaiting(0, 'b')).toEqual([]);
    expect(lanes.room().get('a')).toBe(0);
    expect(lanes.takeWaiting(0, 'a')).toHaveLength(64 - sendingMax);
  });

  it('one endpoint gets a burst and then its rate, and delays no other', async () => {
    const sent: { webhookId: string; atMs: number }[] = [];
    const lanes = createLanes<LaneItem>({
      sizeMax: 10_000,
      send: async ({ webhookId }) => {
        sent.push({ webhookId, atMs: performance.now() });
        return { isTaken: true, recorded: Promise.resolve() };
      },
      onRoom: () => {},
    });
    const count = burstMax + perSecondMax / 4;
    const beganMs = performance.now();
    lanes.add(items('backlog', count), lanes.room());
    await eventually(() => expect(sent.length).toBeGreaterThanOrEqual(burstMax));
    lanes.add(items('other', 1), lanes.room());
    await eventually(() => expect(sent).toHaveLength(count + 1));
    const last = sent.at(-1)?.atMs ?? 0;
    // However fast the machine is: never sooner than the rate allows.
    expect(last - beganMs).toBeGreaterThan(((count - burstMax) / perSecondMax) * 1_000 - 25);
    const turnOfOther = sent.findIndex(({ webhookId }) => webhookId === 'other');
    expect(turnOfOther).toBeLessThan(count);
  });

  it('a lane has room again when half of its window is free', async () => {
    const world = open();
    await warmUp(world, 'a');
    world.lanes.add(items('a', windowMax / 2 + 1), world.lanes.room());
    expect(world.lanes.room().get('a')).toBe(0);
    world.answer(world.sent[0] as LaneItem, true);
    await eventually(() => expect(world.lanes.room().get('a')).toBe(windowMax / 2));
  });

  it('a delivery in flight that is claimed a second time is sent once', () => {
    const { lanes, sent } = open();
    lanes.add(items('a', 2), lanes.room());
    lanes.add(items('a', 2), lanes.room());
    expect([lanes.size, sent.length]).toEqual([2, 2]);
  });

  it('a delivery that is recorded while it is claimed a second time is sent once', async () => {
    const { lanes, sent, answer } = open();
    const [item] = items('a', 1) as [LaneItem];
    lanes.add([item], lanes.room());
    const room = lanes.room();
    answer(item, true);
    await eventually(() => expect(lanes.size).toBe(0));
    lanes.add([item], room);
    expect(sent).toEqual([item]);
  });

  it('more is claimed when a lane that took all its room is half empty, or everything was full', async () => {
    const { lanes, sent, answer, rooms } = open();
    lanes.add(items('a', windowStart), lanes.room());
    for (const item of sent) answer(item, true);
    await eventually(() => expect(rooms()).toBeGreaterThan(0));
    const full = open(1);
    full.lanes.add(items('a', 1), new Map([['a', 10]]));
    full.answer(full.sent[0] as LaneItem, true);
    await eventually(() => expect(full.rooms()).toBe(1));
  });

  it('a burst is sent in parts, and goes on behind unanswered deliveries', async () => {
    const { lanes, sent, answer } = open();
    for (let endpoint = 0; endpoint < 30; endpoint += 1) lanes.add(items(`e${endpoint}`, 4), lanes.room());
    const atOnce = sent.length;
    expect(atOnce).toBeLessThan(60);
    answer(sent[0] as LaneItem, true);
    await eventually(() => expect(sent.length).toBeGreaterThan(atOnce));
    // No other endpoint answers, and the rest is sent regardless.
    await eventually(() => expect(sent).toHaveLength(120));
  });

  it('nothing is sent while 48 accepted deliveries are not recorded', async () => {
    const sent: LaneItem[] = [];
    let record: () => void = () => {};
    const recorded = new Promise<void>(resolve => {
      record = resolve;
    });
    const lanes = createLanes<LaneItem>({
      sizeMax: 1_000,
      // Slow and fast receivers.
      async send(item) {
        sent.push(item);
        await new Promise(resolve => setTimeout(resolve, item.webhookId.endsWith('0') ? 80 : 1));
        return { isTaken: true, recorded };
      },
      onRoom: () => {},
    });
    lanes.add(Array.from({ length: 50 }, (_, index) => items(`e${index}`, 4)).flat(), lanes.room());
    await new Promise(resolve => setTimeout(resolve, 400));
    expect(sent.length).toBeGreaterThanOrEqual(48);
    expect(sent.length).toBeLessThan(60);
    record();
    await eventually(() => expect(sent).toHaveLength(200));
    await lanes.settled();
  });

  it('deliveries whose answers arrived during a stall keep their places', async () => {
    const answers = new Int32Array(new SharedArrayBuffer(4));
    // Answers while this thread is stalled.
    const receiver = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
       const server = require('node:net').createServer(socket => socket.on('data', () => socket.write('.', () => {
         Atomics.add(workerData, 0, 1);
         Atomics.notify(workerData, 0);
       })));
       server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
      { eval: true, workerData: answers },
    );
    const sockets: Socket[] = [];
    try {
      const [port] = (await once(receiver, 'message')) as [number];
      for (let count = 0; count < 100; count += 1) {
        const socket = connect(port, '127.0.0.1');
        await once(socket, 'connect');
        sockets.push(socket);
      }
      let sent = 0;
      const lanes = createLanes<LaneItem>({
        sizeMax: 1_000,
        async send() {
          const socket = sockets[sent] as Socket;
          sent += 1;
          socket.write('.');
          await once(socket, 'data');
          return { isTaken: true, recorded: new Promise(() => {}) };
        },
        onRoom: () => {},
      });
      lanes.add(Array.from({ length: 100 }, (_, index) => items(`e${index}`, 1)).flat(), lanes.room());
      const atOnce = sent;
      const untilMs = performance.now() + 30_000;
      for (let seen = 0; seen < atOnce && performance.now() < untilMs; seen = Atomics.load(answers, 0))
        Atomics.wait(answers, 0, seen, 1_000);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      await new Promise(resolve => setTimeout(resolve, 200));
      expect(sent).toBe(atOnce);
    } finally {
      for (const socket of sockets) socket.destroy();
      await receiver.terminate();
    }
  });

  it('deliveries wait for a place at their host, in every lane in turn', async () => {
    const sent: LaneItem[] = [];
    let places = 3;
    const lanes = createLanes<LaneItem>({
      sizeMax: 1_000,
      async send(item) {
        sent.push(item);
        return { isTaken: false, recorded: Promise.resolve() };
      },
      onRoom: () => {},
      takeHostPlace: () => {
        places -= 1;
        return places >= 0;
      },
    });
    lanes.add(Array.from({ length: 20 }, (_, index) => items(`e${index}`, 1)).flat(), lanes.room());
    expect(sent).toHaveLength(3);
    expect(lanes.size).toBeGreaterThanOrEqual(17);
    places = 20;
    await eventually(() => expect(new Set(sent.map(({ webhookId }) => webhookId)).size).toBe(20), 10_000);
    await lanes.settled();
  });
});
