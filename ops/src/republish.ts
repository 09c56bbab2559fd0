import type { Bus } from '@hookline/shared/bus';
import { type SentFilter, sentBatches } from '@hookline/shared/bus';
import { normaliseIsoTime } from '@hookline/shared/contracts';
import { topics } from '@hookline/shared/events';
import { ConfigurationError } from '@hookline/shared/kernel';
import { openDedicatedConnection } from '@hookline/shared/postgres';
import { defineCommand, type Env, type Print } from './command.ts';
import { outboxSchemas, sqlOf } from './queries/sql.ts';
import { type OperatorTarget, withTarget } from './target.ts';

export const command = defineCommand({
  does: 'publishes the events of the last three days again; consumers that handled them ignore them',
  options: {
    since: { type: 'string', value: 'time', says: 'those published at that time or later, in ISO 8601' },
    service: { type: 'string', says: `only those of one of ${outboxSchemas.join(', ')}` },
    topic: { type: 'string', says: 'only those of this topic' },
    check: { type: 'boolean', default: false, says: 'counts only' },
  },
  run: ({ env, values, print }) => republish(env, values, print),
});

export type RepublishCommand = {
  since?: string | undefined;
  service?: string | undefined;
  topic?: string | undefined;
  check?: boolean;
};

/** @returns true. @throws ConfigurationError with one sentence */
export async function republish(env: Env, command: RepublishCommand, print: Print): Promise<boolean> {
  const { since, service, topic, check: isCheck = false } = command;
  const at = new Date(normaliseIsoTime(since ?? '') ?? '');
  if (Number.isNaN(at.getTime()))
    throw new ConfigurationError('--since must be a time with its zone, such as 2026-11-21T09:00:00Z.');
  if (service !== undefined && !outboxSchemas.includes(service))
    throw new ConfigurationError(`--service must be one of ${outboxSchemas.join(', ')}.`);
  if (topic !== undefined && !topics.some(known => known === topic))
    throw new ConfigurationError(`--topic must be one of ${topics.join(', ')}.`);
  const schemas = service === undefined ? outboxSchemas : [service];
  return await withTarget(env, { schemas }, async target => {
    const bus = isCheck ? null : (await target.openBus()).bus;
    for (const schema of schemas) {
      const count = await publishAgain(target, schema, { since: at, topic }, bus);
      print(`${schema}: ${count} events ${isCheck ? 'would be published' : 'published'} again`);
    }
    return true;
  });
}

/**
 * In the order of first publication, which per key is the order of the changes. Nothing is written to the
 * database.
 */
async function publishAgain(
  target: OperatorTarget,
  schema: string,
  filter: SentFilter,
  bus: Bus | null,
): Promise<number> {
  const client = await openDedicatedConnection(target.adminUrl, 'hookline operator', { queryTimeoutMs: 0 });
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(`set local search_path to ${schema}`);
    let count = 0;
    for await (const batch of sentBatches(sqlOf(client), filter)) {
      await bus?.publish(batch);
      count += batch.length;
    }
    return count;
  } finally {
    await client.end();
  }
}
