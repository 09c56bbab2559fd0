import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@hookline/embedded';
import { loadSecrets } from '@hookline/embedded/secrets';
import { insertUser } from '@hookline/gateway/testing';
import { newId } from '@hookline/shared/kernel';
import { migrateAll, type openDatabase } from '@hookline/shared/postgres';
import { openTestDatabase } from '@hookline/testing/database';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grant } from './credits.ts';
import { openTarget } from './target.ts';

const execute = promisify(execFile);

async function signUp(gateway: Parameters<typeof insertUser>[0], email: string): Promise<string> {
  const accountId = newId('acct');
  const user = { id: newId('user'), accountId, email, name: null, ownsWorkspace: true, passwordHash: 'none' };
  await insertUser(gateway, { ...user, now: new Date() });
  return accountId;
}

describe('npm run ops -- credits grant, on a distributed product', () => {
  const database = perSuite(createMigratedDatabase);
  let content: ReturnType<typeof openDatabase>;
  let audit: ReturnType<typeof openDatabase>;
  let accountId: string;
  let lines: string[] = [];

  beforeAll(async () => {
    const gateway = openTestDatabase(database.roleUrl('gateway'), 1);
    accountId = await signUp(gateway, 'maya@example.com');
    await signUp(gateway, 'leo@example.com');
    audit = gateway;
    content = openTestDatabase(database.roleUrl('content'), 2);
  });
  afterAll(async () => {
    await audit.close();
    await content.close();
  });

  const run = (email: string, amount: string, reference: string): Promise<boolean> => {
    lines = [];
    const env = { DATABASE_URL: database.url, SIGNUP_CREDITS: '25' };
    return grant(env, { email, amount, reference }, line => lines.push(line));
  };
  const ledger = () =>
    content.query(
      'select amount, reason, reference from credit_ledger where account_id = $1 order by amount',
      [accountId],
    );

  it('adds credits to the sign-up grant of an account that never generated', async () => {
    expect(await run('Maya@example.com', '100', 'invoice 17')).toBe(true);
    expect(lines).toEqual(['100 credits granted; the balance is 125.']);
    expect(await ledger()).toEqual([
      { amount: 25, reason: 'grant', reference: null },
      { amount: 100, reason: 'grant', reference: 'invoice 17' },
    ]);
  });

  it('grants a reference once, also when ten operators say it at once', async () => {
    await Promise.all(Array.from({ length: 10 }, () => run('maya@example.com', '7', 'ticket 4')));
    expect(await run('maya@example.com', '7', 'ticket 4')).toBe(true);
    expect(lines).toEqual(['Granted before, nothing changed; the balance is 132.']);
    expect(await ledger()).toHaveLength(3);
  });

  it('leaves a row in the audit log of the account for each command', async () => {
    const commands = await audit.query(
      `select actor_kind as actor, detail from audit_events where account_id = $1 and action = 'operator.command'
       order by position limit 1`,
      [accountId],
    );
    const detail = { command: 'credits grant', amount: 100, reference: 'invoice 17', isRepeat: false };
    expect(commands).toEqual([{ actor: 'operator', detail }]);
  });

  it('refuses a reference that belongs to another amount or account, and changes nothing', async () => {
    expect(await run('maya@example.com', '8', 'ticket 4')).toBe(false);
    expect(lines[0]).toMatch(/"ticket 4" was granted before: 7 credits to this account/);
    expect(await run('leo@example.com', '7', 'ticket 4')).toBe(false);
    expect(lines[0]).toMatch(/to another account/);
    expect(await ledger()).toHaveLength(3);
  });

  it.each([
    ['maya@example.com', '0', 'x', '--amount must be an integer from 1 to 1000000.'],
    ['maya@example.com', '1.5', 'x', '--amount must be'],
    ['maya@example.com', '1', ' ', '--reference must say'],
    ['nobody@example.com', '1', 'x', 'Nobody has signed up as nobody@example.com.'],
  ])('refuses %s %s "%s" in one sentence', async (email, amount, reference, message) => {
    await expect(run(email, amount, reference)).rejects.toThrow(message);
  });
});

describe('npm run ops -- credits grant, on the data folder of npm start', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'hookline-credits-'));
    const { databasePasswords } = await loadSecrets(dataDir);
    const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
    await migrateAll({ adminUrl: postgres.url, passwords: databasePasswords });
    await postgres.stop();
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it('starts its Postgres for as long as it takes', async () => {
    const target = await openTarget({ DATA_DIR: dataDir });
    await signUp(target.openSchema('gateway'), 'maya@example.com');
    await target.close();
    const entry = fileURLToPath(new URL('./main.ts', import.meta.url));
    const args = [
      'credits',
      'grant',
      '--email',
      'maya@example.com',
      '--amount',
      '10',
      '--reference',
      'trial',
    ];
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
    const done = await execute(process.execPath, [entry, ...args], { env, timeout: 40_000 });
    expect(done.stdout).toBe('10 credits granted; the balance is 35.\n');
    const without = execute(process.execPath, [entry, 'credits', 'take'], { env, timeout: 40_000 });
    await expect(without).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('npm run ops -- credits grant'),
    });
  }, 60_000);
});
