import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '@hookline/shared/kernel';
import { afterEach, expect, it, vi } from 'vitest';
import { createStreams, type News } from './streams.ts';

const log = createLogger({ service: 'test', level: 'silent' });
afterEach(() => vi.useRealTimers());

const position = { feed: 1, changes: 1 };
const quiet: News = { isOpen: true, isGap: false, position, changes: [] };

/** A response whose reader takes everything. */
function quietReader() {
  const written: string[] = [];
  let closed = () => {};
  const response = {
    write: (text: string) => written.push(text),
    once: (_event: string, listener: () => void) => {
      closed = listener;
    },
    end: () => {},
    writableLength: 0,
  } as unknown as ServerResponse;
  return { written, response, close: () => closed() };
}

it('cuts off a reader who has stopped reading', async () => {
  const change = { kind: 'content', id: `content_${'x'.repeat(200)}` } as const;
  const news: News = {
    isOpen: true,
    isGap: false,
    position,
    changes: Array.from({ length: 1_000 }, () => ({ change, position })),
  };
  const streams = createStreams({ findNews: async asked => asked.map(() => news), log, everyMs: 1 });
  let response: ServerResponse | undefined;
  const server = createServer((_request, given) => {
    response = given;
    void streams.open({ sessionId: 's', accountId: 'a', position, response: given });
  }).listen(0);
  const reader = await new Promise<IncomingMessage>(resolve =>
    get({ port: (server.address() as AddressInfo).port }, resolve),
  );
  reader.on('error', () => {});
  reader.pause();
  for (let waited = 0; waited < 5_000 && !response?.destroyed; waited += 10) await delay(10);
  expect([response?.destroyed, streams.size]).toEqual([true, 0]);
  reader.destroy();
  server.close();
});

it('writes a comment every 15 s', async () => {
  vi.useFakeTimers();
  const streams = createStreams({ findNews: async asked => asked.map(() => quiet), log, everyMs: 1_000 });
  const { written, response } = quietReader();
  await streams.open({ sessionId: 's', accountId: 'a', position, response });
  await vi.advanceTimersByTimeAsync(45_500);
  expect(written.filter(text => text === ':\n\n')).toHaveLength(3);
  await streams.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([written.filter(text => text === ':\n\n').length, streams.size]).toEqual([3, 0]);
});

it('keeps four of a session that opens six at once', async () => {
  const streams = createStreams({ findNews: async asked => asked.map(() => quiet), log, everyMs: 1_000 });
  const readers = Array.from({ length: 6 }, quietReader);
  await Promise.all(
    readers.map(({ response }) => streams.open({ sessionId: 's', accountId: 'a', position, response })),
  );
  expect(streams.size).toBe(4);
  const replaced = readers.map(({ written }) => written.includes('retry: 60000\n\n'));
  expect(replaced).toEqual([true, true, false, false, false, false]);
  await streams.close();
});

it('full, ends the oldest stream of the workspace that has the most', async () => {
  const streams = createStreams({ findNews: async asked => asked.map(() => quiet), log, everyMs: 1_000 });
  const readers = Array.from({ length: 2_001 }, quietReader);
  for (const [at, { response }] of readers.entries()) {
    const accountId = at === 0 ? 'patient' : 'greedy';
    await streams.open({ sessionId: `s${at}`, accountId, position, response });
  }
  expect(streams.size).toBe(2_000);
  expect(readers.findIndex(({ written }) => written.includes('retry: 60000\n\n'))).toBe(1);
  await streams.close();
});

it('polls in one series when streams close and open during a poll', async () => {
  vi.useFakeTimers();
  let polls = 0;
  let release = () => {};
  const streams = createStreams({
    findNews: async asked => {
      polls += 1;
      // The first poll of the series; the one before it opened the stream.
      if (polls === 2) {
        await new Promise<void>(resolve => {
          release = resolve;
        });
      }
      return asked.map(() => quiet);
    },
    log,
    everyMs: 1_000,
  });
  const open = async () => {
    const reader = quietReader();
    await streams.open({ sessionId: 's', accountId: 'a', position, response: reader.response });
    return reader;
  };
  const first = await open();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(polls).toBe(2);
  first.close();
  await open();
  release();
  polls = 10;
  await vi.advanceTimersByTimeAsync(10_500);
  expect(polls - 10).toBe(10);
  await streams.close();
});
