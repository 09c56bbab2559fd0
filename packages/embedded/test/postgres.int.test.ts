import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@hookline/testing/eventually';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../src/free-port.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../src/postgres.ts';
import { isRunning, isZombie, waitUntilGone } from '../src/running-process.ts';

const GONE_TIMEOUT_MS = 10_000;

/**
 * A stopped cluster that most tests start from a copy of: initdb takes a second, the copy a tenth of that.
 */
const finished = mkdtempSync(join(tmpdir(), 'hookline-pg-finished-'));
let root = '';
let servers: EmbeddedPostgres[] = [];
let holders: ChildProcess[] = [];

beforeAll(async () => {
  const server = await startEmbeddedPostgres({ dataDir: finished });
  await server.stop();
});

afterAll(() => rmSync(finished, { recursive: true, force: true }));

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hookline-pg-'));
});

afterEach(async () => {
  for (const holder of holders) holder.kill('SIGKILL');
  for (const server of servers) await server.stop();
  holders = [];
  servers = [];
  rmSync(root, { recursive: true, force: true });
});

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: join(root, 'data'), ...options });
  servers.push(server);
  return server;
}

function readState(): { url: string } {
  return JSON.parse(readFileSync(join(root, 'data', 'run', 'pg.json'), 'utf8'));
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Another node process starts Postgres on the same folder and is killed without a chance to stop it. */
async function leaveOrphan(): Promise<{ pid: number; port: number }> {
  const { holder, orphan } = await holdPostgres();
  const ended = once(holder, 'exit');
  holder.kill('SIGKILL');
  await ended;
  return orphan;
}

async function holdPostgres(): Promise<{ holder: ChildProcess; orphan: { pid: number; port: number } }> {
  const holder = spawn(
    process.execPath,
    [join(import.meta.dirname, 'hold-postgres.ts'), join(root, 'data')],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  holders.push(holder);
  const ended = once(holder, 'exit').then(() => Promise.reject(new Error('the holder ended')));
  ended.catch(() => {});
  const [line] = await Promise.race([once(holder.stdout!, 'data'), ended]);
  return { holder, orphan: JSON.parse(String(line)) };
}

describe('startEmbeddedPostgres on a fresh folder', () => {
  it('starts cold below a 0700 folder, in UTF-8 and with fsync, on loopback only', async () => {
    chmodSync(root, 0o700);
    const server = await start();
    const sql = `select current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
      current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets`;
    const expected = { encoding: 'UTF8', fsync: 'on', addresses: '127.0.0.1', sockets: '' };
    expect(await query(server.url, sql)).toEqual([expected]);
    expect(server.reused).toBe(false);
  });

  it('leaves nothing half-made behind when initdb was killed', async () => {
    mkdirSync(join(root, 'data', 'cluster.new-dead', 'base'), { recursive: true });
    await start();
    expect(existsSync(join(root, 'data', 'cluster.new-dead'))).toBe(false);
  });

  it('says that the cluster was made by another version', async () => {
    mkdirSync(join(root, 'data', 'cluster'), { recursive: true });
    writeFileSync(join(root, 'data', 'cluster', 'PG_VERSION'), '17\n');
    writeFileSync(join(root, 'data', 'password'), 'x\n');
    await expect(start()).rejects.toThrow(/was made by Postgres 17 and this is Postgres 18/);
  });
});

describe('startEmbeddedPostgres on an existing cluster', () => {
  beforeEach(() => cpSync(finished, join(root, 'data'), { recursive: true }));

  it('refuses a wrong password and keeps the right one in files that only the owner can read', async () => {
    const server = await start();
    const wrong = new URL(server.url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
    const state = join(root, 'data', 'run', 'pg.json');
    expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ url: server.url, pid: server.pid });
    expect([state, join(root, 'data', 'password')].map(path => statSync(path).mode & 0o777)).toEqual([
      0o600, 0o600,
    ]);
  });

  it.runIf(process.platform === 'linux')(
    'accepts connections after systemd has emptied /dev/shm at the logout of its user',
    async () => {
      const { url } = await start();
      // Their statistics do not fit into the memory that Postgres plans for statistics.
      const create = `for i in 1..1500 loop execute format('create table t%s ()', i); end loop`;
      await query(url, `do $$ begin ${create}; end $$`);
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query('select pg_backend_pid() as pid from pg_stat_user_tables limit 1');
      const maps = readFileSync(`/proc/${rows[0].pid}/maps`, 'utf8');
      await client.end();
      for (const [file] of maps.matchAll(/\/dev\/shm\/PostgreSQL\.\d+/g)) rmSync(file, { force: true });
      expect(await query(url, 'select count(*)::int from pg_stat_user_tables')).toEqual([{ count: 1500 }]);
    },
  );

  it('takes over the server that a killed process left running', async () => {
    const orphan = await leaveOrphan();
    const server = await start();
    expect(server).toMatchObject({ pid: orphan.pid, port: orphan.port, reused: true });
    await server.stop();
    expect(isRunning(orphan.pid)).toBe(false);
  });

  it('replaces a left server when another port is asked for', async () => {
    const orphan = await leaveOrphan();
    const port = await freePort();
    const server = await start({ port });
    expect(server).toMatchObject({ port, reused: false });
    expect(isRunning(orphan.pid)).toBe(false);
  });

  it('replaces a left server that does not know our password', async () => {
    const orphan = await leaveOrphan();
    writeFileSync(join(root, 'data', 'password'), 'another\n');
    await expect(start()).rejects.toThrow(/refuses the password/);
    expect(isRunning(orphan.pid)).toBe(false);
  });

  it('reports when Postgres dies, and starts again on the same folder with its rows', async () => {
    const exited = Promise.withResolvers<string>();
    const first = await start({ onExit: exited.resolve });
    await query(first.url, 'create table notes as select 7 as n');
    process.kill(first.pid, 'SIGKILL');
    expect(await exited.promise).toContain('SIGKILL');
    const second = await start();
    expect(await query(second.url, 'select n from notes')).toEqual([{ n: 7 }]);
  });

  it('reports the death of a server that was taken over', async () => {
    await leaveOrphan();
    const exited = Promise.withResolvers<string>();
    const server = await start({ onExit: exited.resolve });
    process.kill(server.pid, 'SIGKILL');
    expect(await exited.promise).toContain(String(server.pid));
  });

  it('ignores a postmaster.pid whose pid now belongs to another program', async () => {
    const first = await start();
    await first.stop();
    const file = `${process.pid}\n${join(root, 'data', 'cluster')}\n1\n1\n\n127.0.0.1\n0 0\nready   \n`;
    writeFileSync(join(root, 'data', 'cluster', 'postmaster.pid'), file);
    const second = await start();
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts despite the zombie of a killed server, with its rows', async () => {
    const { holder, orphan } = await holdPostgres();
    await query(readState().url, 'create table notes as select 7 as n');
    // A stopped parent reaps nothing, like PID 1 of some containers; it would still own its lock.
    holder.kill('SIGSTOP');
    process.kill(orphan.pid, 'SIGKILL');
    await eventually(() => expect(isZombie(orphan.pid)).toBe(true), GONE_TIMEOUT_MS);
    rmSync(join(root, 'data', 'lock'));
    const server = await start();
    expect(isZombie(orphan.pid)).toBe(true);
    expect(server.reused).toBe(false);
    expect(await query(server.url, 'select n from notes')).toEqual([{ n: 7 }]);
  });

  it('ends backends that outlive their server and hold its shared memory', async () => {
    const orphan = await leaveOrphan();
    const client = new pg.Client({ connectionString: readState().url });
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const backend = rows[0]!.pid;
    process.kill(backend, 'SIGSTOP');
    process.kill(orphan.pid, 'SIGKILL');
    await waitUntilGone(orphan.pid, GONE_TIMEOUT_MS);
    expect(isRunning(backend)).toBe(true);
    const server = await start();
    expect(server.reused).toBe(false);
    expect(isRunning(backend)).toBe(false);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await client.end().catch(() => {});
  });

  it('says who uses the folder when it is started twice', async () => {
    await start();
    await expect(start()).rejects.toThrow(`is in use by process ${process.pid}`);
  });

  it('says that the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    await expect(start({ port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken`);
    other.close();
  });
});
