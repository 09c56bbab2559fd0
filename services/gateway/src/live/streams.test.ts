import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '@hookline/shared/kernel';
import { afterEach, expect, it, vi } from 'vitest';
import { createStreams, type News } from './streams.ts';

const log = createLogger({ service: 'test', level: 'silent' });
afterEach(() => vi.useRealTimers());

it('cuts off a reader who has stopped reading', async () => {
  const position = { feed: 1, changes: 1 };
  const change = { kind: 'content', id: `content_${'x'.repeat(200)}` } as const;
  const news: News = {
    isOpen: true,
    isGap: false,
    position,
    changes: Array.from({ length: 1_000 }, () => ({ change, position })),
  };
  const streams = createStreams({ look: async asked => asked.map(() => news), log, everyMs: 1 });
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
  const position = { feed: 1, changes: 1 };
  const quiet: News = { isOpen: true, isGap: false, position, changes: [] };
  const streams = createStreams({ look: async asked => asked.map(() => quiet), log, everyMs: 1_000 });
  const written: string[] = [];
  const response = {
    write: (text: string) => written.push(text),
    once: () => {},
    end: () => {},
    writableLength: 0,
  } as unknown as ServerResponse;
  await streams.open({ sessionId: 's', accountId: 'a', position, response });
  await vi.advanceTimersByTimeAsync(45_500);
  expect(written.filter(text => text === ':\n\n')).toHaveLength(3);
  await streams.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([written.filter(text => text === ':\n\n').length, streams.size]).toEqual([3, 0]);
});
