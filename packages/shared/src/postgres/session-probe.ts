import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { ConfigurationError } from '../kernel/index.ts';
import { closeDedicatedConnection, openDedicatedConnection } from './dedicated-connection.ts';

// A notification takes milliseconds. A server that stalls for longer than this fails a start that could be
// repeated.
const noticeWithinMs = 5_000;
const noticeRepeatMs = 1_000;
/**
 * Transactions of one session that must use the same server process while the other session is in a
 * transaction.
 */
const rounds = 5;

/**
 * Checks that a connection to this address is a real session, as LISTEN, session locks, prepared statements
 * and session settings require. Rejects a pooler that gives each transaction another server connection.
 *
 * Opens two connections. The first listens and stays idle, the second notifies: through a transaction pooler
 * no server connection belongs to an idle client, so the notification never arrives, whatever other clients
 * do. A pooler may forward notifications anyway. So each connection must also keep its own server process,
 * the first while the second holds a transaction open and the other way round.
 * @throws ConfigurationError when the address does not give sessions; any other error when it cannot be
 * reached
 */
export async function requireSessions(url: string, name: string): Promise<void> {
  const first = await openDedicatedConnection(url, `${name} probe`);
  try {
    const second = await openDedicatedConnection(url, `${name} probe`);
    try {
      if (await haveSessions(first, second)) return;
    } finally {
      await closeDedicatedConnection(second);
    }
  } finally {
    await closeDedicatedConnection(first);
  }
  throw new ConfigurationError(
    `DATABASE_URL of ${name} leads to a pooler of transactions or statements; set it to pool sessions (PgBouncer: ` +
      'pool_mode = session), or name Postgres itself.',
  );
}

async function haveSessions(first: pg.Client, second: pg.Client): Promise<boolean> {
  return (await hearsNotice(first, second)) && (await keepServerProcesses(first, second));
}

async function hearsNotice(listener: pg.Client, sender: pg.Client): Promise<boolean> {
  const channel = `hookline_probe_${randomBytes(8).toString('hex')}`;
  const heard = new Promise<true>(resolve => {
    listener.on('notification', notice => {
      if (notice.channel === channel) resolve(true);
    });
  });
  await listener.query(`listen ${channel}`);
  const untilMs = performance.now() + noticeWithinMs;
  while (performance.now() < untilMs) {
    await sender.query(`notify ${channel}`);
    if (await Promise.race([heard, wait(noticeRepeatMs, false, { ref: false })])) return true;
  }
  return false;
}

async function keepServerProcesses(first: pg.Client, second: pg.Client): Promise<boolean> {
  const own = [await serverProcess(first), await serverProcess(second)];
  for (let round = 0; round < rounds; round += 1) {
    for (const busy of [first, second]) {
      await busy.query('begin');
      // The session in a transaction queries first: it would otherwise take a server connection only with its
      // first statement.
      await serverProcess(busy);
      const now = [await serverProcess(first), await serverProcess(second)];
      await busy.query('commit');
      if (now[0] !== own[0] || now[1] !== own[1]) return false;
    }
  }
  return own[0] !== own[1];
}

async function serverProcess(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid as number;
}
