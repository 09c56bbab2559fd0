/** The service with the real simulators behind it and one clock for both. One per test file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Caller } from '@hookline/shared/caller';
import { newId } from '@hookline/shared/ids';
import { eventually } from '@hookline/shared/testing/eventually';
import {
  startTestService,
  type TestAnswer,
  type TestService,
  testCaller,
  testSecrets,
} from '@hookline/shared/testing/service-harness';
import { startSimulators } from '@hookline/simulators/simulators';
import type { Timings } from '../src/options.ts';
import { createAnalytics } from '../src/service.ts';

/** What JSON.parse gives: tests look into answers without a schema. */
export type Json = ReturnType<typeof JSON.parse>;

export type Answer = Omit<TestAnswer, 'body'> & { body: Json };

export type World = {
  service: TestService;
  env: Record<string, string>;
  /** What time it is for the service and for the platforms. */
  now(): Date;
  /** Moves both clocks. */
  advance(ms: number): void;
  /** Further processes of the same service on the same database and clock. */
  startAnother(): Promise<TestService>;
  control(method: string, path: string, body?: unknown): Promise<Json>;
  /** Puts a video's numbers at the platform. */
  put(platform: string, id: string, video: Record<string, unknown>): Promise<void>;
  setFaults(...faults: Record<string, unknown>[]): Promise<void>;
  call(caller: Caller, method: string, path: string, body?: unknown): Promise<Answer>;
  /** Registers a post. @returns its record. */
  register(caller: Caller, post: Record<string, unknown>): Promise<Json>;
  connect(caller: Caller, username: string): Promise<Json>;
  summary(caller: Caller, windowDays?: number): Promise<Json>;
  video(caller: Caller, videoId: string): Promise<Json>;
  /** The calls that asked for this id, oldest first. */
  callsFor(id: string): Promise<Json[]>;
  stop(): Promise<void>;
};

export type WorldOptions = {
  timings?: Partial<Timings>;
  env?: Record<string, string>;
  role?: 'api' | 'all';
};

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
export const startAt = '2026-11-21T12:00:00.000Z';

export const testTimings: Partial<Timings> = { pollMs: 500, callTimeoutMs: 2_000 };

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hookline-analytics-'));
  let clock = Date.parse(startAt);
  const simulators = await startSimulators({ port: 0, dataDir, now: () => clock });
  const url = `http://127.0.0.1:${simulators.port}`;
  const env: Record<string, string> = {
    ...testSecrets,
    YOUTUBE_API_URL: `${url}/youtube`,
    YOUTUBE_API_KEY: 'a-key-of-the-operator',
    INSTAGRAM_API_URL: `${url}/instagram`,
    ...options.env,
  };
  const definition = createAnalytics({ ...testTimings, ...options.timings });
  const now = (): Date => new Date(clock);
  const service = await startTestService(definition, { env: { ...env, ROLE: options.role ?? 'all' }, now });
  const others: TestService[] = [];

  const world: World = {
    service,
    env,
    now,
    advance(ms) {
      clock += ms;
    },
    async startAnother() {
      const another = await startTestService(definition, { env, now, database: service.database });
      others.push(another);
      return another;
    },
    async control(method, path, body) {
      const answer = await fetch(`${url}/_control/${path}`, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Json;
    },
    put: (platform, id, video) => world.control('PUT', `videos/${platform}/${id}`, video),
    setFaults: (...faults) =>
      world.control(
        'PUT',
        'faults',
        faults.map(fault => ({ share: 1, ...fault })),
      ),
    call: (caller, method, path, body) =>
      service.call(method, path, { caller, ...(body === undefined ? {} : { body }) }),
    register: (caller, post) =>
      made(world.call(caller, 'POST', '/v1/analytics/posts', { videoId: 'v', platform: 'youtube', ...post })),
    connect: (caller, username) =>
      made(
        world.call(caller, 'POST', '/v1/analytics/sources', {
          platform: 'instagram',
          accessToken: `simulator-token-${username}`,
        }),
      ),
    summary: (caller, windowDays = 30) =>
      read(world.call(caller, 'GET', `/v1/analytics/summary?windowDays=${windowDays}`)),
    video: (caller, videoId) => read(world.call(caller, 'GET', `/v1/analytics/content/${videoId}`)),
    async callsFor(id) {
      const calls = (await world.control('GET', 'metric-calls')) as { ids: string[] }[];
      return calls.filter(call => call.ids.includes(id));
    },
    async stop() {
      await Promise.all(others.map(other => other.stop()));
      await service.stop();
      await simulators.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return world;
}

async function made(answering: Promise<Answer>): Promise<Json> {
  const { status, text, body } = await answering;
  if (status !== 201) throw new Error(`${status}: ${text}`);
  return body.data;
}

async function read(answering: Promise<Answer>): Promise<Json> {
  const { status, text, body } = await answering;
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return body.data;
}

/** A caller with a session on an account of its own. */
export function session(): Caller {
  return testCaller({ keyId: null, userId: newId('user'), scopes: [] });
}

let lastId = 0;

/** A platform id that no other test has. */
export function freshId(platform: 'youtube' | 'instagram' = 'youtube'): string {
  lastId += 1;
  const digits = String(lastId).padStart(9, '0');
  return platform === 'youtube' ? `yt${digits}` : `17${digits}`;
}

/** Waits for the post's numbers and answers the post as the API shows it. */
export function measured(
  world: World,
  caller: Caller,
  videoId: string,
  expected: Record<string, unknown>,
): Promise<Json> {
  return eventually(async () => {
    const { posts } = await world.video(caller, videoId);
    for (const [name, value] of Object.entries(expected)) {
      if (posts[0][name] !== value) throw new Error(`${name} is ${posts[0][name]}: ${JSON.stringify(posts)}`);
    }
    return posts[0];
  }, 10_000);
}
