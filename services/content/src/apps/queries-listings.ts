import { pruneBatch } from '@hookline/shared/kernel';
import type { Sql } from '@hookline/shared/postgres';
import type { StoreListing } from '../stores/record.ts';

/** `language` is '' where the address names none. */
export type ListingKey = { store: string; storeId: string; country: string; language: string };

/**
 * @returns a page that was read after `readSince`, or `not_found` if the store had none after `notFoundSince`
 */
export async function findListing(
  sql: Sql,
  key: ListingKey,
  { readSince, notFoundSince }: { readSince: Date; notFoundSince: Date },
): Promise<StoreListing | 'not_found' | null> {
  const [row] = await sql.query<{ listing: StoreListing | null }>(
    `select listing from store_listings
     where store = $1 and store_id = $2 and country = $3 and language = $4
       and fetched_at > case when listing = 'null' then $6::timestamptz else $5::timestamptz end`,
    [key.store, key.storeId, key.country, key.language, readSince, notFoundSince],
  );
  return row ? (row.listing ?? 'not_found') : null;
}

/** @param listing null, stored as JSON null, if the store has no such app */
export async function keepListing(
  sql: Sql,
  key: ListingKey,
  listing: StoreListing | null,
  at: Date,
): Promise<void> {
  await sql.query(
    `insert into store_listings (store, store_id, country, language, listing, fetched_at)
     values ($1, $2, $3, $4, coalesce($5::jsonb, 'null'), $6)
     on conflict (store, store_id, country, language) do update
       set listing = excluded.listing, fetched_at = excluded.fetched_at`,
    [key.store, key.storeId, key.country, key.language, listing, at],
  );
}

/** Deletes pages read before the given time. @returns their number, at most 1,000 */
export async function pruneListings(sql: Sql, before: Date): Promise<number> {
  const pruned = await sql.query(
    `delete from store_listings where ctid in (
       select ctid from store_listings where fetched_at < $1 order by fetched_at limit ${pruneBatch}
     ) returning 1`,
    [before],
  );
  return pruned.length;
}

/** A store grants one turn every `everyMs`, and up to `burst` at once after a pause. */
export type StorePace = { everyMs: number; burst: number };

/** `waitMs` is the time until the turn if no other account begins to wait. */
export type StoreTurn = { granted: true } | { granted: false; waitMs: number };

/**
 * Takes the next turn at a store if it is free and no account waits whose last turn is older. Otherwise the
 * account waits: others leave it the next turn for `waitingMs`, which must exceed the pause between two
 * tries.
 */
export async function takeStoreTurn(
  sql: Sql,
  { store, accountId, waitingMs }: { store: string; accountId: string; waitingMs: number },
  { everyMs, burst }: StorePace,
): Promise<StoreTurn> {
  await sql.query(
    `insert into store_callers (store, account_id, waiting_until)
     values ($1, $2, now() + $3 * interval '1 millisecond')
     on conflict (store, account_id) do update set waiting_until = excluded.waiting_until`,
    [store, accountId, waitingMs],
  );
  const every = "$3::float8 * interval '1 millisecond'";
  const full = "now() - $4::float8 * interval '1 millisecond'";
  const [turn] = await sql.query<{ granted: boolean; waitMs: number }>(
    `with ahead as (
       select count(*) as count from store_callers c, store_callers own
       where own.store = $1 and own.account_id = $2 and c.store = $1 and c.waiting_until > now()
         and (c.turn_at, c.account_id) < (own.turn_at, own.account_id)
     ), taken as (
       insert into store_turns (store, next_at) select $1, ${full} + ${every} from ahead where count = 0
       on conflict (store) do update set next_at = greatest(store_turns.next_at, ${full}) + ${every}
         where store_turns.next_at <= now()
       returning 1
     ), served as (
       update store_callers set turn_at = clock_timestamp(), waiting_until = now()
       where store = $1 and account_id = $2 and exists (select from taken)
     )
     select exists (select from taken) as "granted",
       (select greatest(0, extract(epoch from
          coalesce((select greatest(next_at, ${full}) from store_turns where store = $1), ${full})
          + count * ${every} - now()) * 1000)::float8 from ahead) as "waitMs"`,
    [store, accountId, everyMs, everyMs * (burst - 1)],
  );
  return turn?.granted ? { granted: true } : { granted: false, waitMs: turn?.waitMs ?? everyMs };
}

/** Deletes accounts that have not called a store since `before`. @returns their number, at most 1,000 */
export async function pruneStoreCallers(sql: Sql, before: Date): Promise<number> {
  const pruned = await sql.query(
    `delete from store_callers where ctid = any(array(
       select ctid from store_callers where waiting_until < $1 order by waiting_until limit ${pruneBatch}
     )) returning 1`,
    [before],
  );
  return pruned.length;
}
