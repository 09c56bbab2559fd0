/** The service with the real simulators and one clock for both. One per test file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { startSimulators } from '@hookline/simulators/simulators';
import { eventually } from '@hookline/testing/eventually';
import {
  startTestService,
  type TestAnswer,
  type TestService,
  testCaller,
  testSecrets,
} from '@hookline/testing/service-harness';
import { controlHeaders, controlToken } from '@hookline/testing/simulator-controls';
import { createAnalytics } from '../src/service.ts';
import type { Timings } from '../src/timings.ts';

/** The result of JSON.parse: tests read answers without a schema. */
export type Json = ReturnType<typeof JSON.parse>;

export type Answer = Omit<TestAnswer, 'body'> & { body: Json };

export type World = {
  service: TestService;
  env: Record<string, string>;
  /** The current time of the service and the platforms. */
  now(): Date;
  /** Moves both clocks. */
  advance(ms: number): void;
  /** Starts another process of the service on the same database and clock. */
  startAnother(): Promise<TestService>;
  control(method: string, path: string, body?: unknown): Promise<Json>;
  /** Sets a video's numbers at the platform. */
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
  /** Initial time of both clocks. */
  startMs?: number;
};

export const startAt = '2026-11-21T12:00:00.000Z';

export const testTimings: Partial<Timings> = { pollMs: 500, callTimeoutMs: 2_000, askMs: 3_000 };

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hookline-analytics-'));
  let clock = options.startMs ?? Date.parse(startAt);
  const simulators = await startSimulators({ port: 0, controlToken, dataDir, now: () => clock });
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
        headers: controlHeaders,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
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

/** A caller with a session on a new account. */
export function session(): Caller {
  return testCaller({ keyId: null, userId: newId('user'), scopes: [] });
}

let lastId = 0;

/** A platform id that no other test uses. */
export function freshId(platform: 'youtube' | 'instagram' = 'youtube'): string {
  lastId += 1;
  const digits = String(lastId).padStart(9, '0');
  return platform === 'youtube' ? `yt${digits}` : `17${digits}`;
}

/** Numbers computed from the snapshots; rollups and newest numbers must agree with them. */
export async function disagreements(world: World): Promise<Json[]> {
  return await world.service.db.query(
    `with newest as (
       select distinct on (post_id) post_id, views, likes, comments from metric_snapshots
       order by post_id, collected_at desc
     ), counted as (
       select p.account_id, p.platform, (coalesce(p.published_at, p.created_at) at time zone 'UTC')::date as day,
              count(*) as posts, coalesce(sum(n.views), 0) as views, coalesce(sum(n.likes), 0) as likes,
              coalesce(sum(n.comments), 0) as comments
       from published_posts p left join newest n on n.post_id = p.id
       group by 1, 2, 3
     ), days as (
       select distinct on (post_id, day) post_id, (collected_at at time zone 'UTC')::date as day, views, likes, comments
       from metric_snapshots order by post_id, day, collected_at desc
     )
     select 'rollup' as what, to_jsonb(r) as kept, to_jsonb(c) as counted
     from (select * from daily_rollups where posts <> 0 or views <> 0 or likes <> 0 or comments <> 0) r
     full join counted c using (account_id, platform, day)
     where (r.posts, r.views, r.likes, r.comments) is distinct from (c.posts, c.views, c.likes, c.comments)
     union all
     select 'newest', to_jsonb(c), to_jsonb(n) from collections c left join newest n using (post_id)
     where (c.views, c.likes, c.comments) is distinct from (n.views, n.likes, n.comments)
     union all
     select 'day', to_jsonb(d), to_jsonb(s) from post_days d full join days s using (post_id, day)
     where (d.views, d.likes, d.comments) is distinct from (s.views, s.likes, s.comments)`,
  );
}

/** Waits for the post's numbers and returns the post as the API shows it. */
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
