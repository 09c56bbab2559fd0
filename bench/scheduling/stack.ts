/**
 * The processes between a due schedule and the platform: content, scheduling as API and as worker, the
 * simulators.
 */
import { join } from 'node:path';
import { freePort } from '@hookline/embedded/free-port';
import type { ServiceName } from '@hookline/shared/contracts/scopes';
import { createCallSigner } from '@hookline/shared/http';
import { loadSettings, newId } from '@hookline/shared/kernel';
import { signingKeysFor, testCaller, testSecrets } from '@hookline/testing/service-harness';
import { controlHeaders, controlToken } from '@hookline/testing/simulator-controls';
import { answers, launch, type MeasuredProcess } from '../harness/launch.ts';
import type { BenchDatabase } from '../harness/postgres.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read without their schemas here.
export type Json = any;

export type Stack = {
  database: BenchDatabase;
  /** Calls a service as the gateway would, always as the same caller. */
  ask(service: 'content' | 'scheduling', method: string, path: string, body?: unknown): Promise<Json>;
  control(method: string, path: string, body?: unknown): Promise<Json>;
  stop(): Promise<void>;
};

/** The platform's delay before it pulls: a live draft took 5 to 10 s from the call to the inbox. */
export const pullDelayMs = 5_000;

export async function startStack(database: BenchDatabase, workDir: string): Promise<Stack> {
  const [simulatorsPort, contentPort, apiPort, workerPort] = await Promise.all([1, 2, 3, 4].map(freePort));
  const url = (port: number | undefined): string => `http://127.0.0.1:${port}`;
  const processes: MeasuredProcess[] = [];
  const begin = async (name: string, args: string[], env: Record<string, string>, readyUrl: string) => {
    const started = await launch({
      name,
      command: process.execPath,
      args,
      env: { NODE_ENV: 'production', ...env },
      logFile: join(workDir, `${name.replaceAll(' ', '-')}.log`),
      isReady: () => answers(readyUrl),
    });
    processes.unshift(started);
  };
  const simulators = url(simulatorsPort);
  const service = (
    name: ServiceName,
    port: number | undefined,
    env: Record<string, string>,
  ): [string[], Record<string, string>, string] => [
    [join(import.meta.dirname, 'service-process.ts'), name, database.roleUrl('bus')],
    {
      PORT: String(port),
      DATABASE_URL: database.roleUrl(name),
      SERVICE_SIGNING_KEYS: signingKeysFor(name),
      CONTENT_URL: url(contentPort),
      // In the product a gateway stands in front of this one.
      PUBLIC_URL: `http://localhost:${apiPort}`,
      DATA_DIR: join(workDir, 'data'),
      ...testSecrets,
      ...env,
    },
    `${url(port)}/readyz`,
  ];
  const tiktok = {
    TIKTOK_API_URL: `${simulators}/tiktok`,
    TIKTOK_AUTH_URL: `${simulators}/tiktok`,
    TIKTOK_CLIENT_KEY: 'simulator-client-key',
    TIKTOK_CLIENT_SECRET: 'simulator-client-secret',
  };
  const stop = async (): Promise<void> => {
    for (const one of processes) await one.stop();
  };
  try {
    await begin(
      'simulators',
      [join(import.meta.dirname, '../../packages/simulators/src/main.ts')],
      {
        SIMULATORS_PORT: String(simulatorsPort),
        SIMULATORS_CONTROL_TOKEN: controlToken,
        DATA_DIR: join(workDir, 'simulators'),
        SIMULATORS_WEBHOOK_URL: `${url(apiPort)}/platform/tiktok/events`,
        SIMULATORS_PULL_DELAY_MS: String(pullDelayMs),
      },
      `${simulators}/`,
    );
    await begin(
      'content',
      ...service('content', contentPort, {
        APP_STORE_URL: `${simulators}/appstore`,
        GOOGLE_PLAY_URL: `${simulators}/googleplay`,
        SIGNUP_CREDITS: '100000',
        DAILY_GENERATIONS: '100000',
      }),
    );
    await begin('scheduling api', ...service('scheduling', apiPort, { ...tiktok, ROLE: 'api' }));
    await begin('scheduling worker', ...service('scheduling', workerPort, { ...tiktok, ROLE: 'worker' }));
    const bases = { content: url(contentPort), scheduling: url(apiPort) };
    const caller = testCaller();
    const keys = loadSettings(['SERVICE_SIGNING_KEYS'], { SERVICE_SIGNING_KEYS: signingKeysFor('gateway') });
    const sign = createCallSigner(keys.SERVICE_SIGNING_KEYS ?? []);
    return {
      database,
      async ask(audience, method, path, body) {
        const text = body === undefined ? null : JSON.stringify(body);
        const call = { sender: 'gateway', audience, method, path, caller, body: text } as const;
        const answer = await fetch(bases[audience] + path, {
          method,
          headers: {
            ...sign({ ...call, requestId: newId('req') }),
            accept: 'application/json',
            ...(text === null ? {} : { 'content-type': 'application/json', 'idempotency-key': newId('req') }),
          },
          body: text,
        });
        const answered = await answer.text();
        if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${answered}`);
        return (JSON.parse(answered) as Json).data;
      },
      control: async (method, path, body) => {
        const init = body === undefined ? {} : { body: JSON.stringify(body) };
        const answer = await fetch(`${simulators}/_control/${path}`, {
          ...{ method, headers: controlHeaders, ...init },
        });
        if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
        return await answer.json();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
