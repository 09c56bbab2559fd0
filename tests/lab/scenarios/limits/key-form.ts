/** G-K1: a mistyped key or a non-key costs no lookup, and the scan pattern finds nothing but keys. */
import { randomFillSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { createLogger } from '@hookline/shared/kernel';
import { openDatabase } from '@hookline/shared/postgres';
import { eventually } from '@hookline/testing/eventually';
import { askPort } from '../../../../tools/infra/src/child-server.ts';
import { listFiles } from '../../../../tools/test/source-files.ts';
import { anyIp } from '../../kit/clients/http-client.ts';
import { repositoryRoot } from '../../kit/product/processes.ts';
import type { Client, User } from './client.ts';
import type { Stack } from './stack.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The pattern of SECURITY.md, repeated here so that the page itself is tested. */
const pattern = /\bsvc_live_[0-9A-Za-z]{49}\b/g;

export type KeyFormFindings = {
  malformed: number;
  /** Lookups by well-formed keys, which show that the counters work. */
  control: number;
  /** Lookups beyond those. */
  lookups: number;
  scanned: number;
  hits: number;
};

function checksumOf(body: string): string {
  let value = crc32(body);
  let text = '';
  for (let place = 0; place < 6; place += 1) {
    text = digits[value % 62] + text;
    value = Math.floor(value / 62);
  }
  return text;
}

function randomDigits(count: number): string {
  const bytes = randomFillSync(Buffer.alloc(count));
  return Array.from(bytes, byte => digits[byte % 62]).join('');
}

function wellFormedKey(): string {
  const body = `svc_live_${randomDigits(43)}`;
  return body + checksumOf(body);
}

/** A random typing mistake, different at every call. */
function mistype(key: string): string {
  const at = 9 + Math.floor(Math.random() * (key.length - 11));
  const other = digits[(digits.indexOf(key[at] as string) + 1 + Math.floor(Math.random() * 60)) % 62];
  const slips = [
    () => key.slice(0, at) + other + key.slice(at + 1),
    () => key.slice(0, at) + key.slice(at + 1),
    () => key.slice(0, at) + other + key.slice(at),
    () => `${key.slice(0, at)}${key[at + 1]}${key[at]}${key.slice(at + 2)}`,
    () => key.slice(0, at),
    () => key.replace('svc_live_', 'svc_test_'),
    () => key.toLowerCase(),
    () => `${key}${other}`,
    () => randomDigits(58),
    () => `svc_live_${randomDigits(49)}`,
  ];
  const slip = (slips[Math.floor(Math.random() * slips.length)] as () => string)();
  return slip === key ? `${key}x` : slip;
}

/** Requires exclusive use of the gateways: it reads counters of Redis and Postgres before and after. */
export async function runKeyForm(
  stack: Stack,
  client: Client,
  user: User,
  { requests, strings }: { requests: number; strings: number },
): Promise<KeyFormFindings> {
  const { key } = await user.mint();
  const log = createLogger({ service: 'limits', level: 'silent' });
  const db = openDatabase({ url: stack.databaseUrl, connectionsMax: 1, name: 'limits', log });
  const scansOf = async (): Promise<number> => {
    const rows = await db.query<{ scans: number }>(
      `select (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int as scans
       from pg_stat_user_tables where relname = 'api_keys'`,
      [],
    );
    return rows[0]?.scans ?? 0;
  };
  try {
    const control = 60;
    // Minting a key reads the table too, and an idle session of Postgres reports its scans up to 10 s later.
    await wait(11_000);
    const [getsBefore, scansBefore] = [await redisGets(stack.redis.url), await scansOf()];
    await refuseAll(client, requests, () => mistype(key));
    await refuseAll(client, control, wellFormedKey);
    const gets = (await redisGets(stack.redis.url)) - getsBefore;
    // As above: the counters arrive up to 10 s late.
    const scans = await eventually(async () => {
      const seen = (await scansOf()) - scansBefore;
      if (seen < control) throw new Error(`Postgres has counted ${seen} of ${control} look-ups`);
      return seen;
    }, 30_000);
    const lookups = Math.abs(gets - control) + Math.abs(scans - control);
    const hits = scanRandomStrings(strings) + scanRepository();
    return { malformed: requests, control, lookups, scanned: strings, hits };
  } finally {
    await db.close();
  }
}

async function refuseAll(client: Client, count: number, makeToken: () => string): Promise<void> {
  for (let sent = 0; sent < count; sent += 60) {
    const batch = Array.from({ length: Math.min(60, count - sent) }, async (_, index) => {
      const gateway = index % client.gateways;
      const answer = await client.send(gateway, { path: '/api/v1/apps', token: makeToken(), ip: anyIp() });
      if (answer.status !== 401) throw new Error(`a key that nobody minted was answered ${answer.status}`);
    });
    await Promise.all(batch);
  }
}

/** The only GETs of the gateway's script are reads of key records. */
async function redisGets(url: string): Promise<number> {
  const info = await askPort(Number(new URL(url).port), Buffer.from('INFO commandstats\r\n'));
  if (!info?.includes('cmdstat_')) throw new Error('Redis reported no command counters');
  return Number(/^cmdstat_get:calls=(\d+)/m.exec(info.toString())?.[1] ?? 0);
}

/**
 * Strings of a key's very form: the pattern takes them, so the checksum must refuse each.
 * @returns those it takes
 */
function scanRandomStrings(count: number): number {
  let hits = 0;
  const perBlock = 10_000;
  const block = Buffer.alloc(perBlock * 49);
  for (let done = 0; done < count; done += perBlock) {
    randomFillSync(block);
    for (let index = 0; index < block.length; index += 1) {
      block[index] = digits.charCodeAt((block[index] as number) % 62);
    }
    const text = block.toString('latin1');
    for (let at = 0; at < text.length; at += 49) {
      const body = `svc_live_${text.slice(at, at + 43)}`;
      if (checksumOf(body) === text.slice(at + 43, at + 49)) hits += 1;
    }
  }
  return hits;
}

/** Every file of the repository. @returns strings that look like a key */
function scanRepository(): number {
  let hits = 0;
  for (const file of listFiles(repositoryRoot, [''])) {
    const found = readFileSync(join(repositoryRoot, file), 'latin1').match(pattern) ?? [];
    for (const key of found) console.log(`  ${file} holds what looks like a key: ${key.slice(0, 17)}...`);
    hits += found.length;
  }
  return hits;
}
