import { Agent, request as httpRequest } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { createLogger } from '../kernel/logger.ts';
import { createCallVerifier } from './caller.ts';
import { createDrain, type Drain } from './drain.ts';
import { createServiceServer } from './server.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const agent = new Agent({ keepAlive: true });
let app: FastifyInstance | undefined;

afterEach(async () => {
  await app?.close();
});

/** A service with a route that answers when it is let go. */
async function listen(drain: Drain): Promise<{ url: string; letGo: () => void }> {
  const slow = Promise.withResolvers<void>();
  app = createServiceServer({
    log,
    verifyCall: createCallVerifier([], 'content'),
    readiness: [drain.readiness],
    drain,
  });
  app.get('/quick', { config: { open: true } }, async () => ({ data: {} }));
  app.get('/slow', { config: { open: true } }, async () => {
    await slow.promise;
    return { data: {} };
  });
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), letGo: slow.resolve };
}

function ask(url: string): Promise<{ status: number; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { agent }, response => {
      response.resume().on('end', () => {
        resolve({ status: response.statusCode ?? 0, connection: response.headers.connection });
      });
    });
    request.on('error', reject).end();
  });
}

it('a probed service says it is not ready, keeps serving and informs every caller, then finishes requests in flight', async () => {
  const drain = createDrain();
  const { url, letGo } = await listen(drain);
  expect(await ask(`${url}/readyz`)).toEqual({ status: 200, connection: 'keep-alive' });
  const slow = ask(`${url}/slow`);
  expect(await ask(`${url}/quick`)).toEqual({ status: 200, connection: 'keep-alive' });

  const beganMs = performance.now();
  let endedMs = 0;
  const ended = drain.run(app as FastifyInstance).then(() => {
    endedMs = performance.now() - beganMs;
  });
  expect((await ask(`${url}/readyz`)).status).toBe(503);
  expect((await ask(`${url}/readyz`)).status).toBe(503);
  expect(await ask(`${url}/quick`)).toEqual({ status: 200, connection: 'close' });
  await new Promise(resolve => setTimeout(resolve, 2_200));
  await expect(ask(`${url}/quick`)).rejects.toThrow('ECONNREFUSED');
  expect(endedMs).toBe(0);
  letGo();
  expect(await slow).toEqual({ status: 200, connection: 'close' });
  await ended;
  expect(endedMs).toBeGreaterThan(2_200);
});

it('without a prober it waits for nobody, but at the edge for open connections', async () => {
  const inside = createDrain();
  const { url } = await listen(inside);
  await ask(`${url}/quick`);
  const beganMs = performance.now();
  await inside.run(app as FastifyInstance);
  expect(performance.now() - beganMs).toBeLessThan(1_900);

  const edge = createDrain({ tellsConnections: true });
  const other = await listen(edge);
  await ask(`${other.url}/quick`);
  const edgeBeganMs = performance.now();
  await edge.run(app as FastifyInstance);
  expect(performance.now() - edgeBeganMs).toBeGreaterThan(1_900);
});

it('waits for a quick prober that fell silent to ask twice, and not for ever', async () => {
  const drain = createDrain();
  const { url } = await listen(drain);
  await ask(`${url}/readyz`);
  const beganMs = performance.now();
  const draining = drain.run(app as FastifyInstance);
  await new Promise(resolve => setTimeout(resolve, 3_500));
  expect((await ask(`${url}/quick`)).status).toBe(200);
  await ask(`${url}/readyz`);
  await new Promise(resolve => setTimeout(resolve, 800));
  await ask(`${url}/readyz`);
  await draining;
  expect(performance.now() - beganMs).toBeLessThan(5_000);
}, 15_000);

it('goes on for as long as somebody still sends, and not for ever', async () => {
  const drain = createDrain();
  const { url } = await listen(drain);
  await ask(`${url}/readyz`);
  const beganMs = performance.now();
  const asking = setInterval(() => void ask(`${url}/quick`).catch(() => {}), 100);
  await drain.run(app as FastifyInstance);
  clearInterval(asking);
  const tookMs = performance.now() - beganMs;
  expect(tookMs).toBeGreaterThan(5_500);
  expect(tookMs).toBeLessThan(8_000);
}, 15_000);

it('does not mistake a stall of its own for quiet: who waits to be accepted is answered', async () => {
  const drain = createDrain();
  const { url } = await listen(drain);
  await ask(`${url}/readyz`);
  const draining = drain.run(app as FastifyInstance);
  for (let probe = 0; probe < 2; probe += 1) await ask(`${url}/readyz`);
  await new Promise(resolve => setTimeout(resolve, 1_700));
  expect((await ask(`${url}/quick`)).status).toBe(200);
  const waiting = ask(`${url}/quick`);
  // After the client's connect, which takes the next tick, and before the server's loop accepts it.
  await new Promise<void>(resolve =>
    process.nextTick(() => {
      const untilMs = performance.now() + 900;
      while (performance.now() < untilMs);
      resolve();
    }),
  );
  expect((await waiting).status).toBe(200);
  await draining;
});
