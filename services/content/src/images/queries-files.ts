import type { Sql, Transaction } from '@hookline/shared/postgres';

/** `digest` is in hexadecimal. `isNeeded` means that a content or a picture refers to the file. */
export type DueFile = { digest: string; isNeeded: boolean };

/**
 * Records files that are about to be stored, in order, so that two calls cannot deadlock.
 * @returns false, recording nothing, if one of them is being deleted
 */
export async function recordFiles(
  sql: Sql,
  {
    digests,
    checkAt,
    thumbnailOf = null,
  }: { digests: readonly Buffer[]; checkAt: Date; thumbnailOf?: Buffer | null },
): Promise<boolean> {
  const { isWhole } = await sql.only<{ isWhole: boolean }>(
    `with asked as materialized (select distinct digest from unnest($1::bytea[]) as file (digest)),
     recorded as (
       insert into slide_files as f (digest, look_at, thumbnail_of)
       select digest, $2, $3 from asked order by digest
       on conflict (digest) do update
       set look_at = greatest(f.look_at, excluded.look_at), delete_holder = null, delete_lease_until = null
       where ${isNotDeleted('f')}
       returning 1
     )
     select (select count(*) from recorded) = (select count(*) from asked) as "isWhole"`,
    [digests, checkAt, thumbnailOf],
  );
  return isWhole;
}

/** No reaper deletes the file, or the lease of one that died has run out. */
function isNotDeleted(alias: string): string {
  return `coalesce(${alias}.delete_lease_until < clock_timestamp(), true)`;
}

export type FileClaim = {
  holder: string;
  leaseMs: number;
  at: Date;
  unchangedSince: Date;
  limit: number;
  neededAt: Date;
  retryAt: Date;
};

/**
 * Claims files that are due. Unneeded files get the holder's lease, so that nobody stores them while they are
 * deleted. A file is needed by a picture, by the current version of a content, by the file that it is a
 * thumbnail of, by a version with a send permit, and by versions of a content changed after `unchangedSince`.
 */
export function claimDueFiles(sql: Sql, claim: FileClaim): Promise<DueFile[]> {
  return sql.query<DueFile>(
    `with due as materialized (
       select digest, thumbnail_of from slide_files f where look_at <= $1 and ${isNotDeleted('f')}
       order by look_at limit $3 for update skip locked
     ),
     checked as (
       select due.digest, exists (
         select 1 from slide_images i join contents c on c.id = i.content_id
         where i.digest = due.digest
           and (i.version = c.version or c.updated_at > $2 or exists (
             select 1 from send_permits p where p.content_id = i.content_id and p.version = i.version))
       ) or exists (select 1 from pictures p where p.digest = due.digest)
         or exists (select 1 from slide_files f where f.digest = due.thumbnail_of) as is_needed
       from due
     )
     update slide_files f
     set look_at = case when is_needed then $4::timestamptz else $5 end,
       delete_holder = case when is_needed then null else $6 end,
       delete_lease_until = case when is_needed then null else clock_timestamp() + $7 * interval '1 ms' end
     from checked where f.digest = checked.digest
     returning encode(f.digest, 'hex') as digest, is_needed as "isNeeded"`,
    [claim.at, claim.unchangedSince, claim.limit, claim.neededAt, claim.retryAt, claim.holder, claim.leaseMs],
  );
}

/** Rows are locked in the order of `recordFiles`, so that the two cannot deadlock. */
const heldFiles = `with asked as (select decode(digest, 'hex') as digest from unnest($1::text[]) as file (digest)),
  held as materialized (
    select digest from slide_files where digest in (select digest from asked) and delete_holder = $2
    order by digest for update
  )`;

/** Extends the lease: nobody else stores or deletes the files. */
export async function holdFiles(
  sql: Sql,
  holder: string,
  digests: readonly string[],
  leaseMs: number,
): Promise<void> {
  await sql.query(
    `${heldFiles} update slide_files f set delete_lease_until = clock_timestamp() + $3 * interval '1 ms'
     from held where f.digest = held.digest`,
    [digests, holder, leaseMs],
  );
}

export async function releaseFiles(sql: Sql, holder: string, digests: readonly string[]): Promise<void> {
  await sql.query(
    `${heldFiles} update slide_files f set delete_holder = null, delete_lease_until = null
     from held where f.digest = held.digest`,
    [digests, holder],
  );
}

export async function deleteFiles(sql: Sql, holder: string, digests: readonly string[]): Promise<void> {
  const values = [digests, holder];
  await sql.query(`${heldFiles} delete from slide_files where digest in (select digest from held)`, values);
}

/**
 * Lets the reaper check files in an hour, once the decks that are being drawn have read them. Rows are locked
 * in the order of `recordFiles`.
 */
export async function checkSoon(tx: Transaction, digests: readonly Buffer[], at: Date): Promise<void> {
  await tx.query(
    `with file as materialized (
       select digest from slide_files where digest = any($1::bytea[]) order by digest for update
     )
     update slide_files set look_at = least(look_at, $2::timestamptz + interval '1 hour') from file where slide_files.digest = file.digest`,
    [digests, at],
  );
}
