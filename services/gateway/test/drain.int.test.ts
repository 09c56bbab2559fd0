import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { signingKeysFor } from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOwner, startTestGateway } from './world.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

const content = perSuite(async () =>
  startOwner('content', app => {
    app.get('/media/images/:id', { config: { open: true } }, async (_request, reply) => {
      await new Promise<void>(resolve => {
        releaseSlow = resolve;
      });
      return reply.headers({ 'content-type': 'image/jpeg' }).send(Buffer.alloc(100_000));
    });
  }),
);
const survivor = perSuite(() => startTestGateway({ content: content.url }, { env: unlimited }));
let key: string;
/** Set once the slow request has reached the owner. */
let releaseSlow: (() => void) | null = null;
const gateways: ChildProcess[] = [];

beforeAll(async () => {
  key = (await survivor.mint((await survivor.signUp()).token)).key;
});
afterAll(async () => {
  for (const child of gateways) child.kill('SIGKILL');
});

const unlimited = { LIMIT_PER_IP: '1000000', LIMIT_PER_KEY: '1000000' };

async function startGatewayProcess(): Promise<{
  url: string;
  child: ChildProcess;
  exited: Promise<unknown>;
}> {
  const nowhere = 'http://127.0.0.1:1';
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATABASE_URL: survivor.database.roleUrl('gateway'),
      DATABASE_POOL_MAX: '4',
      SERVICE_SIGNING_KEYS: signingKeysFor('gateway'),
      CONTENT_URL: content.url,
      SCHEDULING_URL: nowhere,
      AUTOMATION_URL: nowhere,
      ANALYTICS_URL: nowhere,
      ...unlimited,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  gateways.push(child);
  let output = '';
  child.stdout.on('data', chunk => {
    output += chunk;
  });
  child.stderr.on('data', chunk => {
    output += chunk;
  });
  const exited = new Promise(resolve => child.on('exit', (code, signal) => resolve(code ?? signal)));
  const url = await eventually(() => {
    const found = /"url":"(http[^"]+)"/.exec(output)?.[1];
    if (!found) throw new Error(`not started: ${output}`);
    return found;
  }, 30_000);
  return { url, child, exited };
}

type Told = { status: number; isTold: boolean };

/** Sends one request, on a kept socket if there is one. Never sends it again automatically. */
function ask(url: string, agent: Agent, path: string): Promise<Told> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url + path,
      { agent, headers: { authorization: `Bearer ${key}` } },
      response => {
        response.resume();
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, isTold: response.headers.connection === 'close' }),
        );
      },
    );
    request.on('error', reject);
    request.end();
  });
}

const isListening = (url: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('connect', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('close', () => socket.destroy());
  }).then(result => result as boolean);

describe('SIGTERM under load', () => {
  it('fails none of over 500 requests: readiness first, every kept socket notified, requests in flight answered', async () => {
    const leaving = await startGatewayProcess();
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const failures: string[] = [];
    const served = { leaving: 0, survivor: 0, leavingAfterSignal: 0, told: 0 };
    let isLeavingReady = true;
    let signalled = false;
    let isOver = false;
    let sawUnreadyWhileListening = false;

    // Behaves like a load balancer: probes readiness, sends to ready gateways only, keeps its sockets.
    const probing = (async () => {
      while (!isOver) {
        const ready = await ask(leaving.url, new Agent(), '/readyz').catch(() => null);
        if (ready?.status === 503) sawUnreadyWhileListening = true;
        isLeavingReady = ready?.status === 200;
        await new Promise(resolve => setTimeout(resolve, 250));
      }
    })();
    const workers = Array.from({ length: 20 }, async (_, worker) => {
      while (!isOver) {
        const toLeaving = isLeavingReady && worker % 2 === 0;
        const url = toLeaving ? leaving.url : survivor.url;
        const answer = await ask(url, agent, '/api/v1/apps').catch(error => error as Error);
        if (answer instanceof Error || answer.status !== 200) {
          failures.push(`${toLeaving ? 'leaving' : 'survivor'}: ${JSON.stringify(answer)} ${String(answer)}`);
        } else if (toLeaving) {
          served.leaving += 1;
          if (signalled) served.leavingAfterSignal += 1;
          if (answer.isTold) served.told += 1;
        } else served.survivor += 1;
      }
    });

    await eventually(() => expect(served.leaving).toBeGreaterThan(150), 30_000);
    const slow = ask(leaving.url, agent, '/media/images/slow');
    await eventually(() => expect(releaseSlow).not.toBeNull());
    leaving.child.kill('SIGTERM');
    signalled = true;
    await eventually(async () => expect(await isListening(leaving.url)).toBe(false), 10_000);
    // The owner answers only now: nothing else listens or is in flight.
    expect(leaving.child.exitCode).toBeNull();
    releaseSlow?.();
    expect(await slow).toEqual({ status: 200, isTold: true });
    expect(await leaving.exited).toBe(0);
    await eventually(() => expect(served.leaving + served.survivor).toBeGreaterThan(500), 30_000);
    isOver = true;
    await Promise.all([...workers, probing]);
    agent.destroy();

    expect(failures).toEqual([]);
    expect(served.leavingAfterSignal).toBeGreaterThan(0);
    expect(served.told).toBeGreaterThan(0);
    expect(sawUnreadyWhileListening).toBe(true);
  });

  it('does not wait without connections and probes', async () => {
    const alone = await startGatewayProcess();
    const beganMs = performance.now();
    alone.child.kill('SIGTERM');
    expect(await alone.exited).toBe(0);
    expect(performance.now() - beganMs).toBeLessThan(1_900);
  });
});
