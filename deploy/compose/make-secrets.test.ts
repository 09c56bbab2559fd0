import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serviceNames } from '@hookline/shared/contracts/scopes';
import { callsBetweenServices, createCallSigner, createCallVerifier } from '@hookline/shared/http';
import { loadSettings, type NamedKey } from '@hookline/shared/kernel';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'hookline-secrets-'));
const script = fileURLToPath(new URL('make-secrets.mjs', import.meta.url));
// The first run is on a full disk, where no byte can be written.
const limited = 'trap "" XFSZ; ulimit -f 0; exec "$@"';
const full = spawnSync('sh', ['-c', limited, 'sh', process.execPath, script, folder], { encoding: 'utf8' });
execFileSync(process.execPath, [script, folder]);
afterAll(() => rmSync(folder, { recursive: true }));

const ringOf = (name: string): NamedKey[] =>
  loadSettings(['SERVICE_SIGNING_KEYS'], {
    SERVICE_SIGNING_KEYS: readFileSync(join(folder, name, 'signing-keys'), 'utf8'),
  }).SERVICE_SIGNING_KEYS ?? [];

it('a full disk leaves no empty secret, which the next run would keep', () => {
  expect(full.stderr).toContain('EFBIG');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  expect(paths.filter(path => path.endsWith('.new') || statSync(path).size < 32)).toEqual([]);
});

describe('the signing keys that are made for a deployment', () => {
  const asked = ['POST', '/v1/content'] as const;
  const call = { method: asked[0], path: asked[1], requestId: 'req_1', caller: null, body: '{}' };
  const pairs = serviceNames.flatMap(sender => serviceNames.map(audience => ({ sender, audience })));

  it('let exactly the services that call each other do so', () => {
    const believed = pairs.filter(({ sender, audience }) => {
      const headers = createCallSigner(ringOf(sender))({ ...call, sender, audience });
      return createCallVerifier(ringOf(audience), audience)(headers, ...asked) !== null;
    });
    const wanted = callsBetweenServices.map(([sender, audience]) => ({ sender, audience }));
    const toThemselves = serviceNames.map(name => ({ sender: name, audience: name }));
    expect(believed).toEqual(expect.arrayContaining([...wanted, ...toThemselves]));
    expect(believed).toHaveLength(wanted.length + toThemselves.length);
  });

  it('of one service sign in the name of no other', () => {
    for (const thief of serviceNames) {
      for (const held of ringOf(thief)) {
        for (const { sender, audience } of pairs.filter(
          pair => pair.sender !== thief && pair.audience !== thief,
        )) {
          const headers = createCallSigner([held])({ ...call, sender, audience });
          expect(createCallVerifier(ringOf(audience), audience)(headers, ...asked)).toBeNull();
        }
      }
    }
  });
});

it('the passwords of Redis and Kafka are the same on both sides', () => {
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8').trim();
  const [, ofRedis] = /^requirepass ([\w-]{32})$/.exec(read('redis/redis.conf')) ?? [];
  const [, ofKafka] =
    /^SCRAM-SHA-512=iterations=8192,password=([\w-]{32})$/.exec(read('kafka/user.properties')) ?? [];
  for (const name of ['gateway', 'ops'])
    expect(read(`${name}/redis-url`)).toBe(`redis://:${ofRedis}@redis:6379`);
  for (const name of [...serviceNames, 'ops']) expect(read(`${name}/kafka-password`)).toBe(ofKafka);
  expect(read('redis/password')).toBe(ofRedis);
});

it('a ring that an operator wrote is given on as it is, and every other secret is kept', () => {
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8').trim();
  const before = [read('gateway/database-url'), read('scheduling/signing-keys'), read('content/media-key')];
  const old = read('own/encryption');
  const ring = `two:${Buffer.alloc(32, 7).toString('base64')},one:${old}`;
  rmSync(join(folder, 'own/encryption'));
  writeFileSync(join(folder, 'own/encryption'), `${ring}\n`);
  execFileSync(process.execPath, [fileURLToPath(new URL('make-secrets.mjs', import.meta.url)), folder]);
  for (const name of ['content', 'scheduling', 'automation', 'analytics', 'ops'])
    expect(read(`${name}/encryption-keys`)).toBe(ring);
  expect([read('gateway/database-url'), read('scheduling/signing-keys'), read('content/media-key')]).toEqual(
    before,
  );
});

it('with the Postgres of somebody else, what an operator wrote for the other stores is kept too', () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'hookline-secrets-'));
  const run = () => execFileSync(process.execPath, [script, elsewhere, 'db.example.com:5432']);
  run();
  const files = ['content/s3-secret-key', 'ops/kafka-password'].map(name => join(elsewhere, name));
  for (const file of files) {
    rmSync(file);
    writeFileSync(file, 'of the store');
  }
  run();
  expect(files.map(file => readFileSync(file, 'utf8'))).toEqual(['of the store', 'of the store']);
  rmSync(elsewhere, { recursive: true });
});

it('a folder of one process passes check-secrets; the folder of all of them does not', () => {
  const check = (path: string) =>
    spawnSync(process.execPath, [fileURLToPath(new URL('own-secrets-only.mjs', import.meta.url)), path]);
  expect(check(join(folder, 'postgres')).status).toBe(0);
  const refused = check(folder);
  expect(refused.status).toBe(1);
  expect(String(refused.stderr)).toContain('needs Docker Engine 26 and Compose 2.26');
});
