import { columnsOf, type Sql, type Transaction } from '../../../postgres/index.ts';
import type { BusMessage } from '../../port.ts';
import { redriveGroup } from '../../topic-names.ts';

export type LogRow = {
  topic: string;
  position: number;
  key: string;
  value: string;
  headers: Record<string, string>;
};
export type TopicHeads = Record<string, number>;

/** Does not wait for a publisher: a conflict would wait for the transaction that moves the head. */
export async function insertTopics(sql: Sql, topics: readonly string[]): Promise<void> {
  await sql.query(
    `insert into topics (topic)
     select topic from unnest($1::text[]) as given (topic)
     where not exists (select from topics t where t.topic = given.topic)
     on conflict (topic) do nothing`,
    [topics],
  );
}

/**
 * Locks the topics' rows until the transaction ends, always in the same order so that publishers cannot
 * deadlock.
 */
export function lockTopics(tx: Transaction, topics: readonly string[]): Promise<string[]> {
  return tx.column<string>(
    `select topic
     from topics
     where topic = any($1::text[])
     order by topic
     for update`,
    [topics],
  );
}

/**
 * Appends the batch in order, moves the heads, and notifies the consumers at commit. The topics must be
 * locked. Returns the new heads.
 */
export async function insertMessages(tx: Transaction, batch: readonly BusMessage[]): Promise<TopicHeads> {
  const rows = await tx.query<{ heads: TopicHeads }>(
    `with incoming as (
       select i.topic, i.key, i.value, i.headers,
         row_number() over (partition by i.topic order by i.ordinal) as nth
       from unnest($1::text[], $2::text[], $3::text[], $4::jsonb[])
         with ordinality as i (topic, key, value, headers, ordinal)
     ),
     counted as (
       select topic, count(*) as n
       from incoming
       group by topic
     ),
     moved as (
       update topics t
       set head = t.head + c.n
       from counted c
       where t.topic = c.topic
       returning t.topic, t.head, t.head - c.n as base
     ),
     inserted as (
       insert into messages (topic, position, key, value, headers)
       select i.topic, m.base + i.nth, i.key, i.value, i.headers
       from incoming i
       join moved m using (topic)
     ),
     heads as (
       select jsonb_object_agg(topic, head) as heads
       from moved
     )
     select heads, pg_notify('bus', heads::text)
     from heads`,
    [...columnsOf(batch, 'topic', 'key', 'value'), batch.map(message => JSON.stringify(message.headers))],
  );
  return rows[0]?.heads ?? {};
}

/** Takes the group's lock for as long as the connection lives; false when another connection holds it. */
export async function tryLockGroup(sql: Sql, group: string): Promise<boolean> {
  const rows = await sql.query<{ locked: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('hookline bus ' || $1, 0)) as locked`,
    [group],
  );
  return rows[0]?.locked ?? false;
}

export async function readHeads(sql: Sql, topics: readonly string[]): Promise<TopicHeads> {
  const rows = await sql.query<{ topic: string; head: string }>(
    `select topic, head
     from topics
     where topic = any($1::text[])`,
    [topics],
  );
  return Object.fromEntries(rows.map(row => [row.topic, Number(row.head)]));
}

export function listMessages(sql: Sql, topic: string, afterPosition: number, rowsMax: number) {
  return readLog(sql, 'and position > $2 order by position', [topic, afterPosition, rowsMax]);
}

/** The newest messages before a position are listed, oldest first. */
export async function listMessagesBefore(
  sql: Sql,
  topic: string,
  beforePosition: number,
  rowsMax: number,
): Promise<LogRow[]> {
  const read = 'and position < $2 order by position desc';
  return (await readLog(sql, read, [topic, beforePosition, rowsMax])).reverse();
}

async function readLog(sql: Sql, which: string, values: [string, number, number]): Promise<LogRow[]> {
  const rows = await sql.query<Omit<LogRow, 'position'> & { position: string }>(
    `select topic, position, key, value, headers from messages where topic = $1 ${which} limit $3`,
    values,
  );
  return rows.map(row => ({ ...row, position: Number(row.position) }));
}

/** A new group starts before the oldest message that is still kept. */
export async function insertCursors(sql: Sql, group: string, topics: readonly string[]): Promise<void> {
  await sql.query(
    `insert into cursors (group_name, topic, position)
     select $1, t.topic,
       coalesce((select min(m.position) - 1 from messages m where m.topic = t.topic), t.head)
     from topics t
     where t.topic = any($2::text[])
     on conflict (group_name, topic) do nothing`,
    [group, topics],
  );
}

export async function listCursors(
  sql: Sql,
  group: string,
  topics: readonly string[],
): Promise<{ topic: string; position: number }[]> {
  const rows = await sql.query<{ topic: string; position: string }>(
    `select topic, position
     from cursors
     where group_name = $1 and topic = any($2::text[])`,
    [group, topics],
  );
  return rows.map(row => ({ topic: row.topic, position: Number(row.position) }));
}

/** Never moves a cursor back, so a late write of a consumer that lost its lock is harmless. */
export async function moveCursors(
  sql: Sql,
  group: string,
  positions: readonly { topic: string; position: number }[],
): Promise<void> {
  await sql.query(
    // Losing a cursor in a crash only repeats messages, so the commit need not wait for the disk.
    `with unsynced as (
       select set_config('synchronous_commit', 'off', true)
     )
     update cursors c
     set position = moved.position
     from unnest($2::text[], $3::bigint[]) as moved (topic, position), unsynced
     where c.group_name = $1 and c.topic = moved.topic and c.position < moved.position`,
    [group, ...columnsOf(positions, 'topic', 'position')],
  );
}

/** Messages kept and not yet settled by the group; for a group that never subscribed, all of them. */
export async function listLags(
  sql: Sql,
  group: string,
  topics: readonly string[],
): Promise<{ topic: string; lag: number; settled: number; confirmed: number | null; end: number }[]> {
  const rows = await sql.query<{ topic: string; head: string; settled: string; cursor: string | null }>(
    `select t.topic, t.head, c.position as cursor,
       coalesce(
         c.position,
         (select min(m.position) - 1 from messages m where m.topic = t.topic),
         t.head
       ) as settled
     from topics t
     left join cursors c on c.topic = t.topic and c.group_name = $1
     where t.topic = any($2::text[])
     order by t.topic`,
    [group, topics],
  );
  // Positions begin at 1, so the next offset is the last settled one plus 1.
  return rows.map(({ topic, head, settled, cursor }) => ({
    topic,
    lag: Number(head) - Number(settled),
    settled: Number(settled),
    confirmed: cursor === null ? null : Number(cursor) + 1,
    end: Number(head) + 1,
  }));
}

/**
 * Deletes at most `rowsMax` of the oldest messages that every group of their topic settled and that are older
 * than the given days; returns their number. Skips topics that no group reads. Dead letters are kept until
 * the operator has dealt with them, even if other groups have read them.
 */
export async function deleteSettledMessages(sql: Sql, daysMin: number, rowsMax: number): Promise<number> {
  const rows = await sql.query<{ position: string }>(
    `with settled as (
       select topic, min(position) as position
       from cursors
       where topic not like '%.dlq' or group_name = $3
       group by topic
     )
     delete from messages
     where (topic, position) in (
       select m.topic, m.position
       from settled s
       join messages m on m.topic = s.topic and m.position <= s.position
       where m.created_at < now() - make_interval(days => $1)
       limit $2
     )
     returning position`,
    [daysMin, rowsMax, redriveGroup],
  );
  return rows.length;
}

/** Deletes at most `rowsMax` of the messages that the group has settled; returns their number. */
export async function deleteSettledOf(
  sql: Sql,
  group: string,
  topics: readonly string[],
  rowsMax: number,
): Promise<number> {
  const rows = await sql.query<{ position: string }>(
    `delete from messages
     where (topic, position) in (
       select m.topic, m.position
       from cursors c
       join messages m on m.topic = c.topic and m.position <= c.position
       where c.group_name = $1 and c.topic = any($2::text[])
       limit $3
     )
     returning position`,
    [group, topics, rowsMax],
  );
  return rows.length;
}

/** Removes a group: its messages are no longer kept for it. */
export async function deleteCursors(sql: Sql, group: string): Promise<void> {
  await sql.query('delete from cursors where group_name = $1', [group]);
}
