import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSecretBox, loadSettings } from '@hookline/shared/kernel';
import { type Database, resealStore } from '@hookline/shared/postgres';
import { openTestDatabase } from '@hookline/testing/database';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealedStores } from './rotate-keys.ts';

const execute = promisify(execFile);
const entry = fileURLToPath(new URL('./main.ts', import.meta.url));
const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const [oldKey, newKey, lostKey] = [key('old'), key('new'), key('lost')];
const boxOf = (...ring: string[]) =>
  createSecretBox(
    loadSettings(['ENCRYPTION_KEYS'], { ENCRYPTION_KEYS: ring.join(',') }).ENCRYPTION_KEYS ?? [],
  );

const database = perSuite(createMigratedDatabase);
let scheduling: Database;
let automation: Database;

beforeAll(async () => {
  const open = (role: string) => openTestDatabase(database.roleUrl(role), 3);
  scheduling = open('scheduling');
  automation = open('automation');
  await scheduling.query(`insert into creators (open_id) values ('o')`);
});
afterAll(async () => {
  await Promise.all([scheduling.close(), automation.close()]);
});

async function addAccount(id: string, ring: string): Promise<void> {
  const box = boxOf(ring);
  await scheduling.query(
    `insert into platform_accounts (id, account_id, open_id, username, display_name, status, scopes,
       access_token_sealed, access_expires_at, refresh_token_sealed, refresh_expires_at, connected_at, created_at, updated_at)
     values ($1, $1, 'o', 'u', 'U', 'connected', '{}', $2, now(), $3, now(), now(), now(), now())`,
    [id, box.seal(`act.${id}`, id), box.seal(`rft.${id}`, id)],
  );
}

async function tokensOf(id: string, ring: string): Promise<string[]> {
  const [row] = await scheduling.query<{ access: string; refresh: string }>(
    'select access_token_sealed as access, refresh_token_sealed as refresh from platform_accounts where id = $1',
    [id],
  );
  const box = boxOf(ring);
  return [box.open(row!.access, id), box.open(row!.refresh, id)];
}

async function run(args: string[], env: Record<string, string>) {
  const started = execute(process.execPath, [entry, 'rotate-keys', ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: database.url,
      ...env,
    },
    timeout: 20_000,
  });
  return await started.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

describe('npm run ops -- rotate-keys', () => {
  it('seals every secret with the first key; the old one is needed no more, and nothing shows a secret', async () => {
    // More than a batch.
    for (let n = 0; n < 205; n += 1) await addAccount(`account_${String(n).padStart(3, '0')}`, oldKey);
    const digest = randomBytes(32);
    await scheduling.query(
      `insert into connect_states (state_digest, account_id, verifier_sealed, redirect_uri, expires_at)
       values ($1, 'a', $2, 'http://localhost', now())`,
      [digest, boxOf(oldKey).seal('verifier', digest.toString('hex'))],
    );
    const secrets = [
      { sealed: boxOf(newKey).seal('whsec_two', 'webhook_1'), until: null },
      { sealed: boxOf(oldKey).seal('whsec_one', 'webhook_1'), until: '2030-01-01T00:00:00.000Z' },
    ];
    await automation.query(
      `insert into webhooks (id, account_id, url, events, secrets, created_at, updated_at)
       values ('webhook_1', 'a', 'https://example.com', '{job.completed}', $1, now(), now())`,
      [JSON.stringify(secrets)],
    );
    const ENCRYPTION_KEYS = `${newKey},${oldKey}`;
    const checked = await run(['--check'], { ENCRYPTION_KEYS });
    expect(checked).toMatchObject({ code: 0 });
    expect(checked.stdout).toContain('refresh_token_sealed): 205 to reseal, 0 current');
    expect(await tokensOf('account_000', oldKey)).toEqual(['act.account_000', 'rft.account_000']);

    const done = await run([], { ENCRYPTION_KEYS });
    expect(done.code).toBe(0);
    const line = { command: 'rotate-keys', outcome: 'done', user: expect.stringMatching(/./) };
    expect(JSON.parse(done.stderr)).toMatchObject(line);
    expect(done.stdout).toContain('refresh_token_sealed): 205 resealed, 0 current');
    expect(done.stdout).toContain('scheduling.connect_states (verifier_sealed): 1 resealed');
    expect(done.stdout).toContain('automation.webhooks (secrets): 1 resealed');
    expect(done.stdout).toContain('Every secret is sealed with "new".\nThe other keys may be taken out');
    expect(done.stdout).not.toMatch(/act\.|whsec_/);
    expect(await tokensOf('account_204', newKey)).toEqual(['act.account_204', 'rft.account_204']);
    const [webhook] = await automation.query<{ secrets: { sealed: string; until: string | null }[] }>(
      'select secrets from webhooks',
    );
    const opened = webhook!.secrets.map(({ sealed, until }) => [
      boxOf(newKey).open(sealed, 'webhook_1'),
      until,
    ]);
    expect(opened).toEqual([
      ['whsec_two', null],
      ['whsec_one', '2030-01-01T00:00:00.000Z'],
    ]);
    const again = await run([], { ENCRYPTION_KEYS: newKey });
    expect(again.stdout).toContain('refresh_token_sealed): 0 resealed, 205 current');
  });

  it('leaves a secret that no key opens, names its row, and ends with 1', async () => {
    await addAccount('account_lost', lostKey);
    const done = await run([], { ENCRYPTION_KEYS: `${newKey},${oldKey}` });
    expect(done.code).toBe(1);
    expect(done.stdout).toContain('1 that no given key opens (account_lost)');
    expect(await tokensOf('account_lost', lostKey)).toEqual(['act.account_lost', 'rft.account_lost']);
    await scheduling.query(`delete from platform_accounts where id = 'account_lost'`);
  });

  it('never overwrites a token that was refreshed in the meantime', async () => {
    await addAccount('account_busy', oldKey);
    const store = sealedStores.find(one => one.table === 'platform_accounts');
    const refreshed = boxOf(newKey).seal('act.refreshed', 'account_busy');
    const count = await resealStore(
      scheduling,
      {
        ...store!,
        async replace(sql, row, sealed) {
          await scheduling.query('update platform_accounts set access_token_sealed = $2 where id = $1', [
            row.id,
            refreshed,
          ]);
          return await store!.replace(sql, row, sealed);
        },
      },
      boxOf(newKey, oldKey),
      false,
    );
    expect(count).toMatchObject({ changed: 1, resealed: 0 });
    const [row] = await scheduling.query<{ access: string }>(
      `select access_token_sealed as access from platform_accounts where id = 'account_busy'`,
    );
    expect(boxOf(newKey).open(row!.access, 'account_busy')).toBe('act.refreshed');
  });

  // The gateway reseals its push key itself: its key follows from that of the services.
  it('knows every column of the product whose name says that it is sealed', async () => {
    const known = sealedStores.flatMap(({ schema, table, columns }) =>
      columns.map(column => `${schema}.${table}.${column}`),
    );
    const admin = openTestDatabase(database.url, 1);
    const columns = await admin.query<{ name: string }>(
      `select table_schema || '.' || table_name || '.' || column_name as name from information_schema.columns
       where (column_name like '%sealed%' and table_name <> 'push_keys') or (table_name = 'webhooks' and column_name = 'secrets')`,
    );
    await admin.close();
    expect(columns.length).toBeGreaterThan(0);
    expect(columns.map(({ name }) => name).sort()).toEqual(known.sort());
  });
});
