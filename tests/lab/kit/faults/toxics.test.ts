import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { drawToxic, type Toxic } from './toxics.ts';

let server: Server;
let proxy: TcpProxy;
let arrived = 0;

beforeAll(async () => {
  server = createServer((_request, response) => {
    arrived += 1;
    // Later than the reset, so that there is something to cut.
    setTimeout(() => response.setHeader('connection', 'close').end('answer'), 20);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  proxy = await startTcpProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  proxy.mend();
  arrived = 0;
});
afterAll(async () => {
  await proxy.close();
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
});

async function ask(toxic: Toxic, timeoutMs = 5_000): Promise<{ text: string | null; tookMs: number }> {
  proxy.poison([{ ...toxic, share: 1 }]);
  const askedAt = performance.now();
  const text = await fetch(`http://127.0.0.1:${proxy.port}`, {
    method: 'POST',
    body: 'question',
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(timeoutMs),
  })
    .then(answer => answer.text())
    .catch(() => null);
  return { text, tookMs: performance.now() - askedAt };
}

it('lets what no toxic strikes through', async () => {
  proxy.poison([{ kind: 'down', share: 0 }]);
  expect(await (await fetch(`http://127.0.0.1:${proxy.port}`)).text()).toBe('answer');
});

it('drop_answer: the request arrives, its answer does not', async () => {
  expect((await ask({ kind: 'drop_answer' })).text).toBeNull();
  expect(arrived).toBe(1);
});

it('timeout: the request arrives, the caller waits in vain', async () => {
  const { text, tookMs } = await ask({ kind: 'timeout', afterMs: 10_000 }, 150);
  expect(text).toBeNull();
  expect(tookMs).toBeGreaterThanOrEqual(149);
  expect(arrived).toBe(1);
});

it('latency: the answer comes later', async () => {
  const { text, tookMs } = await ask({ kind: 'latency', delayMs: 120 });
  expect(text).toBe('answer');
  expect(tookMs).toBeGreaterThanOrEqual(119);
});

it('slow_close: the answer passes', async () => {
  expect((await ask({ kind: 'slow_close', delayMs: 50 })).text).toBe('answer');
});

it('half_open and down: nothing arrives', async () => {
  expect((await ask({ kind: 'half_open' }, 100)).text).toBeNull();
  expect((await ask({ kind: 'down' })).text).toBeNull();
  expect(arrived).toBe(0);
});

it('reset_peer: the exchange is cut', async () => {
  expect((await ask({ kind: 'reset_peer', afterMs: 0 })).text).toBeNull();
});

it('answers held back: the request arrives, its answer comes with no connection that was held', async () => {
  proxy.freeze('answers');
  const asking = fetch(`http://127.0.0.1:${proxy.port}`, { method: 'POST', body: 'question' })
    .then(answer => answer.text())
    .catch(() => null);
  await expect.poll(() => arrived).toBe(1);
  proxy.mend();
  expect(await asking).toBeNull();
});

it('counts what struck', async () => {
  const before = proxy.struck.down ?? 0;
  await ask({ kind: 'down' });
  expect(proxy.struck.down).toBe(before + 1);
});

it('draws by shares that add up', () => {
  const shares = [
    { kind: 'down', share: 0.1 },
    { kind: 'half_open', share: 0.2 },
  ] as const;
  expect([0.05, 0.1, 0.29, 0.31].map(value => drawToxic(shares, () => value)?.kind)).toEqual([
    'down',
    'half_open',
    'half_open',
    undefined,
  ]);
});
