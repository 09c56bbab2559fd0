/** A Redis that disappears silently: its host is lost, or it is demoted and its name points to another. */
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RedisProcess, startRedis } from '@hookline/infra/redis';
import { testRedisUrl } from '@hookline/infra/test-infra';
import { eventually } from '@hookline/testing/eventually';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { createRedisAdmissions } from '../src/edge/limits/redis.ts';
import { openRedisLink, type RedisLink } from '../src/edge/limits/redis-link.ts';
import { randomIp, silent, testRecords } from './world.ts';

const canRun = (await testRedisUrl()) !== null;
const limits = { perIp: 300, perKey: 120, contentPerKey: 10 };

/** One address in front of changing servers. */
type Address = {
  url: string;
  /** Sends new connections to this server. Existing connections stay with theirs. */
  point(server: RedisProcess): void;
  /** Swallows every byte of the existing connections, without FIN or RST. New connections pass. */
  loseHost(): void;
  /** true: accepts new connections and never answers. false: later connections pass again. */
  mute(isMute: boolean): void;
  close(): void;
};

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function startServer(): Promise<RedisProcess> {
  const workDir = mkdtempSync(join(tmpdir(), 'hookline-redis-'));
  const server = await startRedis({ workDir });
  cleanUps.push(async () => {
    await server.stop();
    rmSync(workDir, { recursive: true, force: true });
  });
  return server;
}

async function startAddress(first: RedisProcess): Promise<Address> {
  let target = Number(new URL(first.url).port);
  let isMute = false;
  const pairs = new Set<{ near: Socket; far: Socket; isLost: boolean }>();
  const server = createServer(near => {
    near.on('error', () => {});
    if (isMute) return;
    const far = connect(target, '127.0.0.1');
    const pair = { near, far, isLost: false };
    pairs.add(pair);
    near.on('data', bytes => pair.isLost || far.write(bytes));
    far.on('data', bytes => pair.isLost || near.write(bytes));
    far.on('error', () => {});
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('close', () => pair.isLost || other.destroy());
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.close();
    for (const { near, far } of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  cleanUps.push(close);
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    point: to => {
      target = Number(new URL(to.url).port);
    },
    loseHost: () => {
      for (const pair of pairs) {
        pair.isLost = true;
        pair.far.destroy();
      }
    },
    mute: is => {
      isMute = is;
    },
    close,
  };
}

async function openLimiter(url: string) {
  const link: RedisLink = await openRedisLink(url, silent);
  const admissions = createRedisAdmissions({
    ...{ link, limits, replicas: 2, nowMs: Date.now },
    loadKey: async () => null,
    records: testRecords(),
  });
  cleanUps.push(() => admissions.close());
  const ip = randomIp();
  return { link, admissions, ip, ask: () => admissions.admit({ ip, keyHash: null, isContent: false }) };
}

async function countAt(server: RedisProcess, ip: string): Promise<number> {
  const redis = new Redis(server.url);
  const count = await redis.llen(`hookline:w:ip:${ip}`);
  redis.disconnect();
  return count;
}

/** Sends requests until they are counted at the server; returns how many it counted. */
async function untilCountedAt(server: RedisProcess, { ask, ip }: Awaited<ReturnType<typeof openLimiter>>) {
  await eventually(async () => {
    await ask();
    expect(await countAt(server, ip)).toBeGreaterThan(0);
  }, 30_000);
}

describe.skipIf(!canRun)('the link to Redis', () => {
  it('dials again when the host of its connection is lost, and counts at the one that answers', async () => {
    const [lost, next] = [await startServer(), await startServer()];
    const address = await startAddress(lost);
    const limiter = await openLimiter(address.url);
    await limiter.ask();
    expect(await countAt(lost, limiter.ip)).toBe(1);
    address.point(next);
    address.loseHost();
    await untilCountedAt(next, limiter);
    expect(limiter.link.isUp).toBe(true);
  }, 90_000);

  it('leaves a primary that became a replica for the one its name leads to; revoking is fast again', async () => {
    const [old, next] = [await startServer(), await startServer()];
    const address = await startAddress(old);
    const limiter = await openLimiter(address.url);
    await limiter.ask();
    // As in a managed failover: the name points to the new primary, the old one replicates it, connections
    // stay open.
    address.point(next);
    const control = new Redis(old.url);
    await control.replicaof('127.0.0.1', Number(new URL(next.url).port));
    control.disconnect();
    await untilCountedAt(next, limiter);
    expect(limiter.link.isUp).toBe(true);
    // A revocation that Redis does not confirm takes 6 s: the lease of the record plus a margin.
    await eventually(async () => {
      const beganMs = performance.now();
      await limiter.admissions.revoke('some-key');
      expect(performance.now() - beganMs).toBeLessThan(5_000);
    }, 30_000);
  }, 90_000);

  it('stays down at a replica, which answers PING and takes no write, and is up once it is a primary', async () => {
    const [primary, replica] = [await startServer(), await startServer()];
    const control = new Redis(replica.url);
    cleanUps.push(() => control.disconnect());
    await control.replicaof('127.0.0.1', Number(new URL(primary.url).port));
    const limiter = await openLimiter((await startAddress(replica)).url);
    await limiter.ask();
    for (let attempt = 0; attempt < 15; attempt += 1) {
      await new Promise(resolve => setTimeout(resolve, 100));
      expect(limiter.link.isUp).toBe(false);
    }
    await control.replicaof('NO', 'ONE');
    await eventually(() => expect(limiter.link.isUp).toBe(true), 30_000);
  }, 90_000);

  it('opens within its limit at a server that accepts and says nothing, and recovers', async () => {
    const server = await startServer();
    const address = await startAddress(server);
    address.mute(true);
    const limiter = await openLimiter(address.url);
    expect(limiter.link.isUp).toBe(false);
    expect((await limiter.ask()).outcome).toBe('admitted');
    address.mute(false);
    await untilCountedAt(server, limiter);
  }, 60_000);
});
