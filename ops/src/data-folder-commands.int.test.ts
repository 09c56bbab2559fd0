import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lockDataFolder, startEmbeddedPostgres } from '@hookline/embedded';
import { encryptionRingOf, loadSecrets } from '@hookline/embedded/secrets';
import { PoisonMessageError } from '@hookline/shared/bus';
import { topics } from '@hookline/shared/events';
import { createSecretBox, loadSettings } from '@hookline/shared/kernel';
import { migrateAll } from '@hookline/shared/postgres';
import { eventually } from '@hookline/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTarget } from './target.ts';

const execute = promisify(execFile);
let dataDir: string;
const env = () => ({ DATA_DIR: dataDir });

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hookline-operator-'));
  const { databasePasswords } = await loadSecrets(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
  await migrateAll({ adminUrl: postgres.url, passwords: databasePasswords });
  await postgres.stop();
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function run(name: string, args: string[] = [], changed: Record<string, string> = {}) {
  const entry = fileURLToPath(new URL('./main.ts', import.meta.url));
  const started = execute(process.execPath, [entry, name, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env(), ...changed },
    timeout: 40_000,
  });
  return await started.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

const boxOf = (ring: string) =>
  createSecretBox(loadSettings(['ENCRYPTION_KEYS'], { ENCRYPTION_KEYS: ring }).ENCRYPTION_KEYS ?? []);

describe('npm run ops -- rotate-keys on the data folder of npm start', () => {
  it('makes a key, seals everything with it, and keeps only that one', async () => {
    const before = await encryptionRingOf(dataDir);
    const target = await openTarget(env());
    const db = target.openSchema('scheduling');
    await db.query(`insert into creators (open_id) values ('o')`);
    await db.query(
      `insert into platform_accounts (id, account_id, open_id, username, display_name, status, scopes,
         access_token_sealed, access_expires_at, refresh_token_sealed, refresh_expires_at, connected_at, created_at, updated_at)
       values ('a', 'a', 'o', 'u', 'U', 'connected', '{}', $1, now(), $2, now(), now(), now(), now())`,
      [boxOf(before).seal('act.1', 'a'), boxOf(before).seal('rft.1', 'a')],
    );
    await target.close();
    const done = await run('rotate-keys');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain('refresh_token_sealed): 1 resealed');
    expect(done.stdout).not.toContain('ENCRYPTION_KEYS');
    const after = await encryptionRingOf(dataDir);
    expect(after.split(',')).toHaveLength(1);
    expect(after).not.toBe(before);
    const path = join(dataDir, 'secrets.json');
    expect(readFileSync(path, 'utf8')).not.toContain(before.split(':')[1]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const again = await openTarget(env());
    const [row] = await again
      .openSchema('scheduling')
      .query<{ sealed: string }>('select access_token_sealed as sealed from platform_accounts');
    expect(boxOf(after).open(row!.sealed, 'a')).toBe('act.1');
    await again.close();
  }, 60_000);

  it('refuses while the product runs, and not because its pid is that of another process now', async () => {
    const runFile = {
      pid: process.pid,
      gatewayUrl: '',
      simulatorsUrl: '',
      postgres: { port: 1, pid: 1 },
      logFile: '',
    };
    writeFileSync(join(dataDir, 'run.json'), JSON.stringify(runFile));
    const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
    const refused = await run('rotate-keys');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/runs \(process \d+\): stop it first\.\n$/);
    await postgres.stop();
    // As after a crash: the file stays, and the pid is given to somebody else.
    expect(await run('rotate-keys')).toMatchObject({ code: 0, stderr: '' });
    rmSync(join(dataDir, 'run.json'));
  }, 60_000);
});

it('a run file that a full disk cut short is none', async () => {
  writeFileSync(join(dataDir, 'run.json'), '');
  const listed = await run('deletions');
  rmSync(join(dataDir, 'run.json'));
  expect(listed).toMatchObject({ code: 0, stderr: '' });
}, 60_000);

it('a closed connection or a cluster of another version is reported in one sentence', async () => {
  const server = createServer(socket => socket.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ended = await run('deletions', [], { DATABASE_URL: `postgres://u:secret@127.0.0.1:${port}/d` });
  server.close();
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/^hookline ops deletions: .*\.\n$/) });
  const version = join(dataDir, 'postgres/cluster/PG_VERSION');
  const before = readFileSync(version, 'utf8');
  writeFileSync(version, '17');
  const old = await run('deletions');
  writeFileSync(version, before);
  expect(old).toMatchObject({ code: 2, stderr: expect.stringMatching(/^hookline ops deletions: .*\.\n$/) });
}, 60_000);

it('an unreadable folder is not reported as one without a product', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-operator-unread-'));
  const said = async () => (await run('deletions', [], { DATA_DIR: folder })).stderr;
  expect(await said()).toContain('holds no product');
  symlinkSync('secrets.json', join(folder, 'secrets.json'));
  expect(await said()).toContain('cannot be read (ELOOP)');
  rmSync(folder, { recursive: true });
}, 60_000);

it('secrets that are gone are not made anew: nothing that is sealed could be opened', async () => {
  const [path, aside] = [join(dataDir, 'secrets.json'), join(dataDir, 'aside')];
  renameSync(path, aside);
  const loaded = await loadSecrets(dataDir).catch((error: Error) => error.message);
  renameSync(aside, path);
  expect(loaded).toMatch(/secrets\.json is gone; .+Restore a copy/);
});

describe('npm run ops -- backup', () => {
  it('copies the whole folder of a stopped product', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hookline-operator-backup-'));
    const copy = join(folder, 'copy');
    mkdirSync(join(dataDir, 'images'), { recursive: true });
    writeFileSync(join(dataDir, 'images', 'image'), 'an image');
    const source = await openTarget(env());
    expect(await run('backup', [copy])).toMatchObject({ code: 2, stderr: expect.stringContaining('in use') });
    await source.close();
    expect(existsSync(copy)).toBe(false);
    expect(await run('backup', [copy])).toMatchObject({ code: 0 });
    expect(await run('backup', [copy])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/ exists: name a new folder/),
    });
    expect(statSync(copy).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(copy, 'images', 'image'), 'utf8')).toBe('an image');
    rmSync(folder, { recursive: true });
  }, 120_000);

  it('is refused where the database is elsewhere, which would not be in the copy', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hookline-operator-elsewhere-'));
    const [elsewhere, copy] = [join(folder, 'data'), join(folder, 'copy')];
    mkdirSync(elsewhere);
    await loadSecrets(elsewhere);
    // As `npm start` with DATABASE_URL leaves it.
    lockDataFolder(join(elsewhere, 'postgres'), () => {})();
    const refused = {
      code: 2,
      stderr: expect.stringMatching(/data has no database of its own: name it with DATABASE_URL\.\n$/),
    };
    expect(await run('backup', [copy], { DATA_DIR: elsewhere })).toMatchObject(refused);
    expect(await run('deletions', [], { DATA_DIR: elsewhere })).toMatchObject(refused);
    expect(existsSync(copy)).toBe(false);
    rmSync(folder, { recursive: true });
  }, 60_000);

  it('leaves nothing of a copy that cannot be made', async () => {
    const copy = join(dataDir, 'copy');
    expect(await run('backup', [copy])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('subdirectory of self'),
    });
    expect(existsSync(`${copy}.draft`)).toBe(false);
  }, 60_000);
});

describe('npm run ops -- redrive', () => {
  it('shows, puts back one, puts back all, and revives what the bus refused', async () => {
    const target = await openTarget(env());
    const { bus } = await target.openBus();
    await bus.ensureTopics(topics);
    const died: string[] = [];
    await bus.subscribe({
      group: 'content.automation-fired',
      topics: ['automation.firings'],
      async handler({ key }) {
        died.push(key);
        throw new PoisonMessageError('the data does not fit');
      },
    });
    const event = (n: number) => ({
      topic: 'automation.firings',
      key: `firing_${n}`,
      value: '{}',
      headers: { ce_id: `event_${n}`, ce_type: 'automation.fired' },
    });
    await bus.publish([event(1), event(2), event(3)]);
    const lag = async () => (await bus.lag('nobody', ['automation.firings.dlq']))[0]?.lag;
    await eventually(async () => expect(await lag()).toBe(3));
    const content = target.openSchema('content');
    await content.query(
      `insert into outbox_dead (id, event_id, topic, key, payload, headers, attempts, last_error, created_at)
       values (7, 'event_dead', 'content.jobs', 'content_1', '{}', '{}', 10, 'too large', now())`,
    );
    await target.close();

    const shown = await run('redrive');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain('automation.firings: 3 dead letters wait');
    expect(shown.stdout).toMatch(
      /event_2 \(automation\.fired\) died in content\.automation-fired at .+: PoisonMessageError: the data does not fit/,
    );
    expect(shown.stdout).toContain('content could not publish event_dead to content.jobs: too large');

    expect((await run('redrive', ['--event', 'event_2'])).stdout).toMatch(/^put back: .*event_2/);
    expect((await run('redrive', ['--event', 'event_9'])).code).toBe(1);
    const narrowed = await run('redrive', ['--go', '--topic', 'content.jobs']);
    expect(narrowed.stdout).toContain('1 events of content put back into its outbox.');
    const gone = await run('redrive', ['--go']);
    expect(gone.stdout).toContain('3 dead letters put back.');
    expect((await run('redrive')).stdout).toContain('automation.firings: 0 dead letters wait');

    const after = await openTarget(env());
    const messages = await after
      .openSchema('bus')
      .query<{ key: string; headers: object }>(
        `select key, headers from messages where topic = 'automation.firings' order by position`,
      );
    // The three as published, the one, and the three again; keys have no order among each other.
    const keys = messages.map(({ key }) => key);
    expect(keys.slice(0, 4)).toEqual(['firing_1', 'firing_2', 'firing_3', 'firing_2']);
    expect(keys.slice(4).sort()).toEqual(['firing_1', 'firing_2', 'firing_3']);
    // Only the group in which it died receives it again.
    expect(messages.at(3)?.headers).toEqual({
      ce_id: 'event_2',
      ce_type: 'automation.fired',
      redrive_group: 'content.automation-fired',
    });
    // Nothing is left to come back.
    const dead = await after.openSchema('bus').query(`select 1 from messages where topic like '%.dlq'`);
    expect(dead).toEqual([]);
    const cursors = await after
      .openSchema('bus')
      .query<{ group_name: string }>('select group_name from cursors');
    expect(cursors.map(row => row.group_name).filter(name => name.startsWith('operator.scan'))).toEqual([]);
    const outbox = await after.openSchema('content').query('select 1 from outbox');
    expect(outbox).toHaveLength(1);
    await after.close();
  }, 90_000);
});

describe('npm run ops -- republish', () => {
  it('publishes again what was published since, in its order, as often as it is asked', async () => {
    const target = await openTarget(env());
    const [content, bus] = [target.openSchema('content'), target.openSchema('bus')];
    await (await target.openBus()).bus.ensureTopics(topics);
    await bus.query('delete from messages');
    await content.query(
      'select ensure_outbox_day(current_date - ahead) from generate_series(-1, 1) as ahead',
    );
    // 1,200 events: more than a batch; the first hundred are older, every third is of another topic.
    await content.query(
      `insert into outbox_sent (id, event_id, topic, key, payload, headers, created_at, sent_at)
       select n, 'event_' || n, case n % 3 when 0 then 'content.approvals' else 'content.jobs' end, 'key_' || n % 7,
         '{"n": ' || n || '}', jsonb_build_object('ce_id', 'event_' || n), now(),
         now() - case when n <= 100 then interval '2 hours' else interval '10 minutes' end
       from generate_series(1, 1200) n order by random()`,
    );
    await target.close();
    const since = ['--since', new Date(Date.now() - 3_600_000).toISOString()];
    expect((await run('republish', [...since, '--check'])).stdout).toContain(
      'content: 1100 events would be published again',
    );
    const done = await run('republish', [...since, '--service', 'content']);
    expect(done).toMatchObject({ code: 0, stderr: '', stdout: 'content: 1100 events published again\n' });
    expect((await run('republish', [...since, '--topic', 'content.jobs'])).stdout).toContain(
      'content: 733 events published again',
    );
    const after = await openTarget(env());
    const messages = await after
      .openSchema('bus')
      .query<{ key: string; n: number; value: string; id: string }>(
        `select key, (value::jsonb->>'n')::int as n, value, headers->>'ce_id' as id from messages
         where topic = 'content.approvals' order by position`,
      );
    expect(messages).toHaveLength(367);
    expect(messages.every(({ n, value, id }) => id === `event_${n}` && value === `{"n": ${n}}`)).toBe(true);
    for (const key of new Set(messages.map(message => message.key))) {
      const ofKey = messages.filter(message => message.key === key).map(({ n }) => n);
      expect(ofKey).toEqual(ofKey.toSorted((a, b) => a - b));
    }
    await after.close();
  }, 90_000);
});
