/** Every table has a documented retention. */
import { readFile } from 'node:fs/promises';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { expect, it } from 'vitest';
import { openDedicatedConnection } from './dedicated-connection.ts';

const database = perSuite(createMigratedDatabase);
const admin = perSuite(() => openDedicatedConnection(database.url, 'test'));

const shared =
  /^(outbox|outbox_sent|outbox_floor|outbox_dead|inbox|event_sequences|idempotency_keys|workspace_standings)$/;

it('SECURITY.md names the retention of every table, and of no other', async () => {
  const { rows } = await admin.query<{ schema: string; name: string }>(
    `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migrations'
       and n.nspname not in ('pg_catalog', 'information_schema')`,
  );
  const tables = rows.map(({ schema, name }) => `${shared.test(name) ? 'messaging' : schema}.${name}`);
  const text = await readFile(new URL('../../../../SECURITY.md', import.meta.url), 'utf8');
  const sections = text.split('\n## Retention\n')[1]?.matchAll(/^\| \S.*? \| (`.*?) \|/gm) ?? [];
  const named = [...sections].flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '));
  expect(named.toSorted()).toEqual([...new Set(tables)].toSorted());
});
