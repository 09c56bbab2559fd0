/** Other starts than the first of `npm start` on one machine: settings, and what keeps it from starting. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@hookline/embedded';
import { isRunning } from '@hookline/embedded/running-process';
import { eventually } from '@hookline/testing/eventually';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { apiOf } from '../lab/kit/clients/api.ts';
import { repositoryRoot, startProcess } from '../lab/kit/product/processes.ts';
import { entry, newFolder, newPlace, start, stopAll } from './npm-start.ts';

afterAll(stopAll);

it('npm start ends clean when its terminal is closed while it prints', async () => {
  const place = await newPlace();
  const terminal = spawn('script', ['-qefc', `exec ${process.execPath} ${entry}`, '/dev/null'], {
    cwd: repositoryRoot,
    env: { ...process.env, ...place },
  });
  let shown = '';
  terminal.stdout.on('data', chunk => (shown += chunk));
  await eventually(() => expect(shown).toContain('The first journey'), 60_000);
  const { pid, postgres } = JSON.parse(readFileSync(join(place.DATA_DIR, 'run.json'), 'utf8'));
  terminal.kill('SIGKILL');
  await eventually(() => expect([pid, postgres.pid].filter(isRunning)).toEqual([]), 20_000);
});

it('npm start that is stopped during its first journey does not say that it runs', async () => {
  const one = startProcess('standalone', entry, await newPlace());
  await eventually(() => expect(one.stdout()).toContain('Signed up'), 60_000);
  one.signal('SIGINT');
  expect(await one.exited).toBe(0);
  expect(one.stdout()).not.toMatch(/Hookline runs|text model/);
});

describe('SIGN_UP=closed npm start', () => {
  it('runs no journey and says who makes the first user, whose link leads to this product', async () => {
    const place = await newPlace();
    const one = await start({ ...place, PORT: '0', SIGN_UP: 'closed' });
    const [, port] = /API +http:\/\/localhost:([1-9]\d+)\//.exec(one.stdout()) ?? [];
    expect(one.stdout()).toMatch(/Nobody can sign up, .+ create-owner/);
    const email = 'first@example.com';
    const made = startProcess('ops', 'ops/src/main.ts', place, ['create-owner', '--email', email]);
    expect(await made.exited, made.output()).toBe(0);
    const [link = ''] = /http:\S+/.exec(made.stdout()) ?? [];
    const { origin, searchParams } = new URL(link);
    const body = { token: searchParams.get('token'), password: 'a long enough password' };
    const set = await apiOf(`${origin}/api/v1`)('POST', '/auth/password-reset/confirm', { body });
    expect([origin, set.status]).toEqual([`http://localhost:${port}`, 200]);
    one.signal('SIGTERM');
    await one.exited;
  }, 120_000);
});

describe('DATABASE_URL and EMAIL_VERIFICATION=required npm start', () => {
  it('keeps everything in the Postgres that it names, as no superuser, and opens nothing to strangers', async () => {
    const server = await startEmbeddedPostgres({ dataDir: newFolder() });
    try {
      const client = new pg.Client(server.url);
      await client.connect();
      await client.query(`create role renter login createrole password 'rented'`);
      await client.query('create database rented owner renter');
      await client.end();
      const url = `postgres://renter:rented@127.0.0.1:${server.port}/rented`;
      const own = { ...(await newPlace()), DATABASE_URL: url, EMAIL_VERIFICATION: 'required' };
      const one = await start(own);
      expect(one.stdout()).toContain('first post');
      expect(one.stdout()).toContain('Another one waits for you');
      const api = apiOf(`http://localhost:${own.PORT}/api/v1`);
      const stranger = await api<{ session: { token: string } }>('POST', '/auth/sign-up', {
        body: { email: 'ann@example.com', password: 'a long enough password' },
      });
      const minted = await api('POST', '/keys', {
        token: stranger.data.session.token,
        body: { name: 'k', scopes: ['content:read'] },
      });
      expect([minted.status, minted.error?.message]).toEqual([403, expect.stringContaining('SMTP_URL')]);
      expect(existsSync(join(own.DATA_DIR, 'postgres', 'cluster'))).toBe(false);
      const checked = startProcess('ops', 'ops/src/main.ts', { DATABASE_URL: url }, ['check-invariants']);
      expect(await checked.exited, checked.output()).toBe(0);
      expect(checked.output()).toContain('bus: no dead letter waits');
      const refused = async (elsewhere: Record<string, string>): Promise<string> => {
        const ports = { PORT: '0', SIMULATORS_PORT: '0' };
        const second = startProcess('standalone', entry, { ...own, ...ports, ...elsewhere });
        expect(await second.exited).toBe(1);
        return second.output().trim();
      };
      const other = { DATA_DIR: newFolder() };
      const already = `^Hookline runs on .+ already .+: http://localhost:${own.PORT}/console`;
      expect(await refused({ PORT: own.PORT })).toMatch(new RegExp(already));
      expect(await refused({})).toMatch(new RegExp(already));
      expect(await refused(other)).toMatch(
        /^Another Hookline runs on the database of DATABASE_URL: stop it first\. .+\/kubernetes\.md\)\.$/,
      );
      one.signal('SIGTERM');
      expect(await one.exited).toBe(0);
      // The keys of the database are in the first folder.
      expect(await refused(other)).toMatch(
        /^The Postgres of DATABASE_URL was set up from another data folder: .+ volume .+\.$/,
      );
    } finally {
      await server.stop();
    }
  }, 180_000);
});

describe('what stops it from starting is one clear sentence and exit code 1', () => {
  async function failedStart(changed: Record<string, string>): Promise<string> {
    const one = startProcess('standalone', entry, { ...(await newPlace()), ...changed });
    expect(await one.exited).toBe(1);
    expect(one.output().trim().split('\n')).toHaveLength(1);
    return one.output();
  }

  it('PORT taken', async () => {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()));
    const address = server.address();
    const port = typeof address === 'object' && address ? String(address.port) : '';
    try {
      const dataDir = join(newFolder(), 'data');
      expect(await failedStart({ PORT: port, DATA_DIR: dataDir })).toMatch(
        // Ten more than the usual one is the simulators'.
        new RegExp(`Port ${port} .* is taken .*"PORT=${Number(port) + 1} npm start"`),
      );
      expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    } finally {
      server.close();
    }
  });

  it('HOST is another machine', async () => {
    expect(await failedStart({ HOST: '192.0.2.1' })).toMatch(/^HOST must be an address of this machine/);
  });

  it('data folder not writable', async () => {
    const file = join(newFolder(), 'a-file');
    writeFileSync(file, '');
    expect(await failedStart({ DATA_DIR: join(file, 'data') })).toMatch(
      /data folder .* cannot be written .* DATA_DIR/,
    );
  });

  it('keys in a file that is not there', async () => {
    expect(await failedStart({ ENCRYPTION_KEYS_FILE: '/nowhere' })).toMatch(
      /^ENCRYPTION_KEYS_FILE must name a file that can be read/,
    );
  });

  it('METRICS_HOST is another machine', async () => {
    expect(await failedStart({ METRICS_PORT: '9464', METRICS_HOST: '192.0.2.1' })).toMatch(
      /^METRICS_HOST, or HOST without it, must be an address of this machine/,
    );
  });

  it('half a configuration', async () => {
    expect(await failedStart({ TIKTOK_API_URL: 'https://open.tiktokapis.com' })).toMatch(/TIKTOK_CLIENT_KEY/);
  });
});

it('npm run doctor says which number of seconds it takes', async () => {
  const place = await newPlace();
  const doctor = startProcess('doctor', 'deploy/standalone/src/doctor.ts', place, ['--seconds', 'a few']);
  expect(await doctor.exited).toBe(1);
  expect(doctor.output()).toBe('--seconds must be an integer from 1 to 9999.\n');
});

it('npm run doctor names a setting of any service that would be refused', async () => {
  const wrong = { LIMIT_PER_IP: 'many', TIKTOK_SCOPES: 'all' };
  const doctor = startProcess('doctor', 'deploy/standalone/src/doctor.ts', {
    ...(await newPlace()),
    ...wrong,
  });
  expect(await doctor.exited).toBe(1);
  for (const name of Object.keys(wrong)) expect(doctor.output()).toContain(`  - ${name} must `);
});
