/** `npm start` on a database of somebody else's: one process at a time, with the keys that belong to it. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { ConfigurationError } from '../kernel/index.ts';
import { awaitServer } from './await-server.ts';
import { closeDedicatedConnection, openDedicatedConnection, tryLock } from './dedicated-connection.ts';

// Any constant, as long as every product that starts uses the same one.
const productLock = 7_215_002;
// A server that is being started is waited for as long as the migrations do.
const startWaitMs = 30_000;
const retakeMs = 1_000;

export type DatabaseClaim = {
  adminUrl: string;
  /** Connection of the bus's role, with the password of the data folder. */
  ownUrl: string;
  secretsFile: string;
  /** Called once when another product has taken the database while this one could not reach it. */
  onLost: (reason: string) => void;
};

/**
 * Holds a lock until it is released, and takes it again on a new connection when the first was lost.
 * @throws ConfigurationError when the database cannot be used, another product runs on it, or its roles have
 * other passwords
 */
export async function claimDatabase(claim: DatabaseClaim): Promise<() => Promise<void>> {
  let isReleased = false;
  let holder = await awaitServer(take, { waitMs: startWaitMs }).catch((error: Error) => {
    if (error instanceof ConfigurationError) throw error;
    throw new ConfigurationError(`The database of DATABASE_URL cannot be used: ${error.message}.`);
  });
  const release = async (): Promise<void> => {
    isReleased = true;
    await closeDedicatedConnection(holder);
  };
  try {
    await refuseOtherKeys(holder, claim);
  } catch (error) {
    await release();
    throw error;
  }
  return release;

  async function take(): Promise<pg.Client> {
    const opened = await openDedicatedConnection(claim.adminUrl, 'hookline');
    if (!(await tryLock(opened, productLock))) {
      await closeDedicatedConnection(opened);
      throw new ConfigurationError(
        'Another Hookline runs on the database of DATABASE_URL: stop it first. To share the load, run the services as processes of their own (docs/kubernetes.md).',
      );
    }
    opened.once('end', () => void retake());
    return opened;
  }

  async function retake(): Promise<void> {
    while (!isReleased) {
      try {
        holder = await take();
        return;
      } catch (error) {
        if (error instanceof ConfigurationError) return claim.onLost(error.message);
        await delay(retakeMs, undefined, { ref: false });
      }
    }
  }
}

/**
 * The migrations give the roles our passwords, which would cut off a product that has others. And whoever lacks
 * its passwords lacks its encryption keys.
 */
async function refuseOtherKeys(holder: pg.Client, { ownUrl, secretsFile }: DatabaseClaim): Promise<void> {
  const { username } = new URL(ownUrl);
  const known = await holder.query('select from pg_roles where rolname = $1', [username]);
  if (known.rowCount === 0) return;
  try {
    await closeDedicatedConnection(await openDedicatedConnection(ownUrl, 'hookline'));
  } catch (error) {
    if ((error as { code?: string }).code !== '28P01') throw error;
    throw new ConfigurationError(
      `The Postgres of DATABASE_URL was set up from another data folder: its role "${username}" has another password than in ${secretsFile}. Start with that folder (a container keeps it in the volume /data), or name a server without Hookline's roles.`,
    );
  }
}
