import { countDeadLetters } from '@hookline/shared/bus';
import { topics } from '@hookline/shared/events';
import { ConfigurationError } from '@hookline/shared/kernel';
import { checkInvariants, type Finding, openDedicatedConnection } from '@hookline/shared/postgres';
import { defineCommand, type Env, type Print } from './command.ts';
import { allInvariants } from './queries/invariants.ts';
import { sqlOf } from './queries/sql.ts';
import { allSchemas, type OperatorTarget, withTarget } from './target.ts';

export const command = defineCommand({
  does: 'checks whether everything that must always hold of the tables does; changes nothing',
  run: ({ env, print }) => check(env, print),
});

/** @returns false when an invariant is broken */
async function check(env: Env, print: Print): Promise<boolean> {
  return await withTarget(env, { schemas: allSchemas }, async target => {
    const findings = await readFindings(target.adminUrl);
    const deadLetters = await findDeadLetters(target, env);
    if (deadLetters) findings.push(deadLetters);
    else print('not checked: dead letters, which are on Kafka (KAFKA_BROKERS is not set)');
    for (const { name, total, broken } of findings) {
      print(`${total === 0 ? 'ok    ' : 'BROKEN'} ${name}${total === 0 ? '' : `: ${total}`}`);
      for (const { id, what } of broken) print(`         ${id}: ${what}`);
      if (total > broken.length) print(`         and ${total - broken.length} more`);
    }
    const count = findings.filter(({ total }) => total > 0).length;
    print(`${findings.length} invariants, ${count} broken`);
    return count === 0;
  });
}

/**
 * Reads everything at one instant, whatever is written in the meantime; it may take long, since it reads
 * whole tables.
 */
async function readFindings(adminUrl: string): Promise<Finding[]> {
  const client = await openDedicatedConnection(adminUrl, 'hookline operator', { queryTimeoutMs: 0 });
  try {
    await client.query('begin isolation level repeatable read read only');
    return await checkInvariants(sqlOf(client), allInvariants);
  } finally {
    await client.end();
  }
}

/** Null when they cannot be counted here. */
async function findDeadLetters(target: OperatorTarget, env: Env): Promise<Finding | null> {
  const opened = await target.openBus().catch((error: unknown) => {
    if (error instanceof ConfigurationError && !env.KAFKA_BROKERS) return null;
    throw error;
  });
  if (opened === null) return null;
  const counts = [...(await countDeadLetters(opened.bus, topics))].filter(([, count]) => count > 0);
  return {
    name: 'bus: no dead letter waits',
    total: counts.reduce((sum, [, count]) => sum + count, 0),
    broken: counts.map(([topic, count]) => ({ id: topic, what: `${count}, shown by dead-letters` })),
  };
}
