/** The same transactions without the product: what this machine's Postgres could do. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { withClient } from '../harness/postgres.ts';

const clients = 10;
const seconds = 5;

/** Adds its rows to those that the bench left, once no process of the product runs. @returns posts a second */
export async function pgbenchPosts(databaseUrl: string): Promise<number> {
  const accounts = await withClient(databaseUrl, async client => {
    const { rowCount } = await client.query(
      `create table content.bench_samples as
       select row_number() over () as n, samples.*
       from (
         select distinct on (c.account_id) c.account_id, c.app_id, c as content, k.response_body as reply,
           sent.topic, sent.payload, sent.headers
         from content.contents c
           join content.idempotency_keys k on k.account_id = c.account_id and k.resource_id = c.id
           join content.outbox_sent sent on sent.key = c.id
         where c.status = 'ready'
       ) samples`,
    );
    return rowCount;
  });
  const args = ['--no-vacuum', '--protocol=prepared', `--client=${clients}`, `--time=${seconds}`];
  const script = [`--define=accounts=${accounts}`, `--file=${join(import.meta.dirname, 'post.sql')}`];
  const output = execFileSync('pgbench', [...args, ...script, databaseUrl], {
    encoding: 'utf8',
    env: { ...process.env, PGOPTIONS: '-c search_path=content' },
  });
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(output)?.[1]);
  if (!(perSecond > 0)) throw new Error(`pgbench said nothing that can be read: ${output}`);
  return perSecond;
}
