/**
 * G-K3: many connections use keys all the time, before, during and after each is revoked at one of the
 * gateways.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { anyIp } from '../../kit/clients/http-client.ts';
import type { Client, User } from './client.ts';
import type { Recorder } from './history.ts';

export type RevocationLoadOptions = {
  connections: number;
  /** Keys being used and revoked at the same time. */
  revokers: number;
};

export type RevocationLoad = {
  /** Names the part of the run that the next requests belong to. */
  enter(part: string): void;
  /** Resolves when so many requests used a revoked key; on a busy machine after `maxMs` without them. */
  reach(count: number, maxMs: number): Promise<void>;
  /** Stops and waits for the last answers. */
  stop(): Promise<void>;
};

type Key = { id: string; key: string; name: string };

/** Number of revoked keys that stay in use. */
const revokedMax = 40;
let keysMade = 0;

export function startRevocationLoad(
  client: Client,
  user: User,
  recorder: Recorder,
  { connections, revokers }: RevocationLoadOptions,
): RevocationLoad {
  const live: Key[] = [];
  const revoked: Key[] = [];
  let part = 'revocation';
  let usesOfRevoked = 0;
  let isOver = false;

  async function use(): Promise<void> {
    while (!isOver) {
      // Favours the most recently revoked: a gateway's cache is most likely stale right after.
      const from = revoked.length > 0 && (live.length === 0 || randomInt(10) < 6) ? revoked : live;
      const key = from[from.length - 1 - Math.min(randomInt(from.length || 1), randomInt(from.length || 1))];
      if (!key) {
        await delay(5);
        continue;
      }
      if (from === revoked) usesOfRevoked += 1;
      const ip = anyIp();
      await client.ask(
        { path: '/api/v1/schedules', token: key.key, ip },
        { part, gateway: randomInt(client.gateways), windows: [`ip:${ip}`, `key:${key.name}`] },
      );
    }
  }

  async function revokeAgainAndAgain(): Promise<void> {
    while (!isOver) {
      const minted = await user.mint(randomInt(client.gateways)).catch(() => null);
      if (!minted) continue;
      keysMade += 1;
      const key = { ...minted, name: `v${keysMade}` };
      live.push(key);
      await delay(50 + randomInt(250));
      const gateway = randomInt(client.gateways);
      const question = {
        method: 'DELETE' as const,
        path: `/api/v1/keys/${key.id}`,
        token: user.token,
        ip: anyIp(),
      };
      const sentMs = performance.now();
      const answer = await client.send(gateway, question).catch(() => null);
      if (answer) {
        const { status, doneMs } = answer;
        recorder.write({ kind: 'revoked', part, gateway, key: key.name, sentMs, doneMs, status });
      }
      live.splice(live.indexOf(key), 1);
      revoked.push(key);
      if (revoked.length > revokedMax) revoked.shift();
    }
  }

  const working = [
    ...Array.from({ length: connections }, use),
    ...Array.from({ length: revokers }, revokeAgainAndAgain),
  ];
  return {
    enter: name => {
      part = name;
    },
    async reach(count, maxMs) {
      const untilMs = performance.now() + maxMs;
      while (usesOfRevoked < count && performance.now() < untilMs) await delay(500);
    },
    async stop() {
      isOver = true;
      await Promise.all(working);
    },
  };
}
