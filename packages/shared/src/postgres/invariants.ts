/** Invariants of the tables, as queries that find violations. For the operator and for proof runs. */
import type { Sql } from './db.ts';

export type Invariant = {
  /** The invariant, in a few words. */
  name: string;
  /**
   * Finds the violating rows: `id` and `what`, both text. Tables are qualified with their schema; the
   * caller's role can read them all. It changes nothing.
   */
  sql: string;
};

export type Finding = {
  name: string;
  /** The number of violating rows; 0 when the invariant holds. */
  total: number;
  /** The first of them. */
  broken: { id: string; what: string }[];
};

const shownMax = 20;

/** Runs one after the other; in a repeatable-read transaction all of them see the same instant. */
export async function checkInvariants(sql: Sql, invariants: readonly Invariant[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, sql: text } of invariants) {
    const rows = await sql.query<{ id: string; what: string; total: number }>(
      `select id, what, count(*) over () as total from (${text}) broken order by id limit ${shownMax}`,
    );
    const broken = rows.map(({ id, what }) => ({ id, what }));
    findings.push({ name, total: Number(rows[0]?.total ?? 0), broken });
  }
  return findings;
}

/**
 * Invariants of a schema with an outbox. An event waits briefly; one that the bus refused waits for an
 * operator.
 */
export function outboxInvariants(schema: string): Invariant[] {
  return [
    {
      name: `${schema}: events are published within 10 minutes`,
      sql: `select event_id as id, topic || ' since ' || created_at || coalesce(': ' || last_error, '') as what
        from ${schema}.outbox where created_at < now() - interval '10 minutes'`,
    },
    {
      name: `${schema}: the bus refused no event`,
      sql: `select event_id as id, topic || ': ' || coalesce(last_error, 'unknown') as what from ${schema}.outbox_dead`,
    },
  ];
}
