import type { Sql } from '@hookline/shared/postgres';
import type { StoreListing } from '../records/app.ts';

/** Identifies a page of a store; `language` is '' where the address names none. */
export type ListingKey = { store: string; storeId: string; country: string; language: string };

/** A page that was read after `since`, or null. */
export async function findListing(sql: Sql, key: ListingKey, since: Date): Promise<StoreListing | null> {
  const [row] = await sql.query<{ listing: StoreListing }>(
    `select listing from store_listings
     where store = $1 and store_id = $2 and country = $3 and language = $4 and fetched_at > $5`,
    [key.store, key.storeId, key.country, key.language, since],
  );
  return row?.listing ?? null;
}

export async function keepListing(sql: Sql, key: ListingKey, listing: StoreListing, at: Date): Promise<void> {
  await sql.query(
    `insert into store_listings (store, store_id, country, language, listing, fetched_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (store, store_id, country, language) do update
       set listing = excluded.listing, fetched_at = excluded.fetched_at`,
    [key.store, key.storeId, key.country, key.language, listing, at],
  );
}

/** Deletes pages read before the given time. @returns their number, at most 1,000 */
export async function pruneListings(sql: Sql, before: Date): Promise<number> {
  const pruned = await sql.query(
    `delete from store_listings where ctid in (
       select ctid from store_listings where fetched_at < $1 order by fetched_at limit 1000
     ) returning 1`,
    [before],
  );
  return pruned.length;
}

/** Turns at a store: one every `everyMs`, and up to `burst` at once after a pause. */
export type StorePace = { everyMs: number; burst: number };

/**
 * Takes the next turn at a store, shared by every process and account, if it comes within `waitMaxMs`.
 * @returns milliseconds until the turn; `taken: false` with the milliseconds until one is free
 */
export async function takeStoreTurn(
  sql: Sql,
  store: string,
  { everyMs, burst }: StorePace,
  waitMaxMs: number,
): Promise<{ taken: boolean; waitMs: number }> {
  const ms = (parameter: string) => `${parameter} * interval '1 millisecond'`;
  const earliest = `greatest(store_turns.next_at, now() - ${ms('$3::float8')})`;
  const [turn] = await sql.query<{ waitMs: number }>(
    `insert into store_turns (store, next_at) values ($1, now() - ${ms('$3::float8')} + ${ms('$2::float8')})
     on conflict (store) do update set next_at = ${earliest} + ${ms('$2::float8')}
       where ${earliest} <= now() + ${ms('$4::float8')}
     returning greatest(0, extract(epoch from next_at - ${ms('$2::float8')} - now()) * 1000)::float8 as "waitMs"`,
    [store, everyMs, everyMs * (burst - 1), waitMaxMs],
  );
  if (turn) return { taken: true, waitMs: turn.waitMs };
  const [busy] = await sql.query<{ waitMs: number }>(
    `select greatest(0, extract(epoch from next_at - now()) * 1000)::float8 as "waitMs"
     from store_turns where store = $1`,
    [store],
  );
  return { taken: false, waitMs: busy?.waitMs ?? everyMs };
}
