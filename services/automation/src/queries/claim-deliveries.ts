import type { Transaction } from '@hookline/shared/postgres';
import type { ClaimedDelivery } from '../records/delivery.ts';

export type ClaimOptions = {
  now: Date;
  leaseUntil: Date;
  token: string;
  /** How many more deliveries of each endpoint may be taken; `roomElse` for endpoints not listed. */
  room: ReadonlyMap<string, number>;
  roomElse: number;
  limit: number;
  /** Only endpoints with a delivery that became due after this time are checked. Null: all endpoints. */
  dueAfter: Date | null;
  /** Where to continue the walk over endpoints: `walkedTo` of the previous claim, initially ''. */
  walkAfter: string;
};

export type Claim = {
  deliveries: ClaimedDelivery[];
  /** Endpoints after this one were not checked and may have due deliveries. Null if all were checked. */
  walkedTo: string | null;
  /** More were due than one claim reads. */
  isBehind: boolean;
  /** An endpoint has room for more than this claim looked for. */
  isPartial: boolean;
};

// Due rows read to decide the order. If there are fewer, these are all: endpoints without due rows cost
// nothing.
const frontMax = 1_000;
// One endpoint may fill the whole front. Then this many endpoints are also checked one by one per claim.
const walkMax = 500;
// Due rows of one endpoint checked per claim, so that a long queue behind one slow resource is not read
// repeatedly.
const readAheadMax = 200;

type ClaimRow = ClaimedDelivery & {
  walked: number;
  walkedTo: string | null;
  isBehind: boolean;
  isPartial: boolean;
};

/**
 * Takes due deliveries, longest waiting first and no more of one endpoint than there is room for. A first
 * attempt waits for the first attempts of the resource's earlier events, so that first deliveries come in
 * order.
 * @param tx a separate transaction of a database that plans each call.
 */
export async function claimDeliveries(tx: Transaction, options: ClaimOptions): Promise<Claim> {
  const { now, leaseUntil, token, room, roomElse, limit, dueAfter, walkAfter } = options;
  const rows = await tx.query<ClaimRow>(
    // The conditions leave the planner one choice: with statistics from before a backlog it chose a plan
    // that took 80 ms per claim, and 500 ms on a new table.
    `with recursive front as materialized (
       -- With the id, which only the index in this order leads to: any other would be sorted, as a whole.
       select webhook_id, id from deliveries
       where status = 'pending' and next_attempt_at <= $1 and next_attempt_at > $9
       order by next_attempt_at limit ${frontMax}
     ),
     walk as (
       -- One index entry per endpoint: its first by time.
       (select d.webhook_id, d.next_attempt_at, 1 as place from deliveries d
        where d.status = 'pending' and d.webhook_id > $7 and (select count(*) from front) = ${frontMax}
        order by d.webhook_id, d.next_attempt_at limit 1)
       union all
       select next.webhook_id, next.next_attempt_at, walk.place + 1
       from walk
       cross join lateral (
         select d.webhook_id, d.next_attempt_at from deliveries d
         where d.status = 'pending' and d.webhook_id > walk.webhook_id
         order by d.webhook_id, d.next_attempt_at limit 1
       ) next
       where walk.place < ${walkMax}
     ),
     free as (
       -- Where $4 rows of the front may go, only those in it: each endpoint's window would be thousands.
       -- A front of endpoints without room bounds nobody.
       select webhook_id, room,
         case when sum(due) over () >= $4 then least(room, greatest(due, $5)) else room end as slots
       from (
         select e.webhook_id, e.due, coalesce(r.slots, $5) as room
         from (
           select webhook_id, sum(due)::int as due from (
             select webhook_id, 1 as due from front
             union all select webhook_id, 0 from walk where next_attempt_at <= $1
           ) seen
           -- Disabled or deleted with more pending deliveries than one transaction ends. Almost always none.
           where webhook_id <> all (array(select id from webhooks where ends_deliveries))
           group by webhook_id
         ) e
         left join unnest($6::text[], $8::int[]) as r (webhook_id, slots) on r.webhook_id = e.webhook_id
       ) endpoints
       where room > 0
     ),
     picked as (
       select free.webhook_id, due.id, due.next_attempt_at
       from free
       cross join lateral (
         select d.id, d.next_attempt_at from deliveries d
         join (
           select near.id, near.next_attempt_at, near.sequence from deliveries near
           where near.webhook_id = free.webhook_id and near.status = 'pending' and near.next_attempt_at <= $1
           order by near.next_attempt_at, near.sequence limit ${readAheadMax}
         ) ahead on ahead.id = d.id
         -- Once more for the row as it is when it is locked; said so that only its id leads to it. On a table
         -- without statistics, "status = 'pending'" read all waiting rows for each row: 300 ms for 230.
         where coalesce(d.status, '') = 'pending' and coalesce(d.next_attempt_at, 'infinity') <= $1
           and (d.attempted_at is not null or not exists (
             -- "is not distinct from": an index on the endpoint would read its whole backlog
             -- for each of its rows.
             select 1 from deliveries earlier
             where earlier.resource = d.resource and earlier.webhook_id is not distinct from d.webhook_id
               and earlier.sequence < d.sequence and earlier.status = 'pending' and earlier.attempted_at is null
           ))
         -- By the rows that lead: those behind the last free slot are not looked up.
         order by ahead.next_attempt_at, ahead.sequence limit free.slots
         for update of d skip locked
       ) due
       order by due.next_attempt_at limit $4
     ),
     claimed as (
       update deliveries d set next_attempt_at = $2, lease_token = $3
       where d.id = any (array(select id from picked))
       returning d.*
     )
     select c.id, c.webhook_id as "webhookId", c.event_id as "eventId", c.event_type as "eventType", c.status,
       c.attempts, c.attempts_made as "attemptsMade", c.next_attempt_at as "nextAttemptAt",
       c.created_at as "createdAt", c.updated_at as "updatedAt", w.url, w.secrets, w.reads_content as "readsContent",
       w.reads_schedules as "readsSchedules",
       json_build_object('id', e.id, 'position', e.position, 'type', e.type, 'resource', e.resource,
         'sequence', e.sequence, 'data', e.data, 'createdAt', e.created_at, 'requestId', e.request_id, 'traceparent', e.traceparent) as event,
       walked.count as walked, walked.last as "walkedTo",
       (select count(*) from front) = ${frontMax} as "isBehind",
       exists (
         select 1 from free
         where slots < room and slots = (select count(*) from picked where picked.webhook_id = free.webhook_id)
       ) as "isPartial"
     from (
       select count(*)::int as count, max(webhook_id) as last,
         -- A claim lost in a crash of Postgres is made again, so its commit does not wait for the disk.
         set_config('synchronous_commit', 'off', true)
       from walk
     ) walked
     left join (claimed c
       -- One lookup per claimed row, whatever the statistics say: 256 rows at most.
       cross join lateral (select url, secrets, reads_content, reads_schedules from webhooks where id = c.webhook_id limit 1) w
       cross join lateral (select * from feed_events where id = c.event_id limit 1) e) on true
     order by c.created_at, e.sequence`,
    [
      ...[now, leaseUntil, token, limit, roomElse, [...room.keys()], walkAfter, [...room.values()]],
      dueAfter ?? '-infinity',
    ],
  );
  const [first] = rows;
  const deliveries = rows
    .filter(({ id }) => id !== null)
    // JSON has no type for times.
    .map(({ walked: _walked, walkedTo: _to, isBehind: _behind, isPartial: _partial, ...row }) => ({
      ...row,
      event: { ...row.event, createdAt: new Date(row.event.createdAt) },
    }));
  return {
    deliveries,
    walkedTo: first && first.walked === walkMax ? first.walkedTo : null,
    isBehind: first?.isBehind ?? false,
    isPartial: first?.isPartial ?? false,
  };
}
