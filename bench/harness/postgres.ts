/** A Postgres for the bench, configured as `npm start` runs it: durable, small. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@hookline/embedded';
import { serviceNames } from '@hookline/shared/contracts/scopes';
import { migrateAll } from '@hookline/shared/postgres';
import pg from 'pg';

export type BenchDatabase = {
  /** The superuser's URL. */
  url: string;
  roleUrl(role: string): string;
};

export type BenchPostgres = {
  /** Creates an empty database. */
  create(name: string): Promise<string>;
  /** Creates a database with every schema of the product. */
  createMigrated(name: string): Promise<BenchDatabase>;
  stop(): Promise<void>;
};

export async function startBenchPostgres(workDir: string): Promise<BenchPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir: join(workDir, 'postgres') });
  const password = randomBytes(16).toString('hex');
  const passwords = Object.fromEntries(['bus', ...serviceNames].map(role => [role, password]));
  const create = async (name: string): Promise<string> => {
    await withClient(postgres.url, client => client.query(`create database ${pg.escapeIdentifier(name)}`));
    return changed(postgres.url, url => {
      url.pathname = `/${name}`;
    });
  };
  return {
    create,
    async createMigrated(name) {
      const url = await create(name);
      await migrateAll({ adminUrl: url, passwords });
      const roleUrl = (role: string): string =>
        changed(url, parts => {
          parts.username = role;
          parts.password = password;
        });
      return { url, roleUrl };
    },
    stop: () => postgres.stop(),
  };
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function changed(text: string, change: (url: URL) => void): string {
  const url = new URL(text);
  change(url);
  return url.href;
}
