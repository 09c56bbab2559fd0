import type { Sql, Transaction } from '@hookline/shared/postgres';

/** `digest`: the SHA-256 of the bytes as 64 hexadecimal digits. `isNeeded`: a content refers to the file. */
export type DueFile = { digest: string; isNeeded: boolean };

/**
 * Records files that are about to be stored; they cannot be claimed for deletion before `checkAt`. Waits for
 * a deletion in progress, so that `put` sees its result. Sorted, so that two calls cannot deadlock.
 */
export async function recordFiles(sql: Sql, digests: readonly Buffer[], checkAt: Date): Promise<void> {
  await sql.query(
    `insert into slide_files (digest, look_at)
     select digest, $2 from unnest($1::bytea[]) as file (digest) group by digest order by digest
     on conflict (digest) do update set look_at = greatest(slide_files.look_at, excluded.look_at)`,
    [digests, checkAt],
  );
}

/** Records a thumbnail that is about to be stored. It is needed as long as the file it was made of. */
export async function recordThumbnail(
  sql: Sql,
  { digest, of, checkAt }: { digest: string; of: string; checkAt: Date },
): Promise<void> {
  await sql.query(
    `insert into slide_files (digest, look_at, thumbnail_of) values (decode($1, 'hex'), $3, decode($2, 'hex'))
     on conflict (digest) do update set look_at = greatest(slide_files.look_at, excluded.look_at)`,
    [digest, of, checkAt],
  );
}

/**
 * Claims files that are due, until the transaction ends. A file is needed by a picture, by the current
 * version of a content, by the file that it is a thumbnail of, by a version with a send permit, and by every
 * version of a content that changed after `unchangedSince`.
 */
export function claimDueFiles(
  tx: Transaction,
  at: Date,
  unchangedSince: Date,
  limit: number,
): Promise<DueFile[]> {
  return tx.query<DueFile>(
    `with due as materialized (
       select digest, thumbnail_of from slide_files where look_at <= $1 order by look_at limit $3 for update skip locked
     )
     select encode(due.digest, 'hex') as digest, exists (
       select 1 from slide_images i join contents c on c.id = i.content_id
       where i.digest = due.digest
         and (i.version = c.version or c.updated_at > $2 or exists (
           select 1 from send_permits p where p.content_id = i.content_id and p.version = i.version))
     ) or exists (select 1 from pictures p where p.digest = due.digest)
       or exists (select 1 from slide_files f where f.digest = due.thumbnail_of) as "isNeeded"
     from due`,
    [at, unchangedSince, limit],
  );
}

/**
 * Files that may be needed no more: the reaper checks them in an hour, once the decks that are being drawn
 * have read them. Locked in the order of `recordFiles`, so that the two cannot deadlock.
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

export async function postponeChecks(
  tx: Transaction,
  digests: readonly string[],
  checkAt: Date,
): Promise<void> {
  await tx.query(
    `update slide_files set look_at = $2
     where digest in (select decode(digest, 'hex') from unnest($1::text[]) as file (digest))`,
    [digests, checkAt],
  );
}

export async function deleteFiles(tx: Transaction, digests: readonly string[]): Promise<void> {
  await tx.query(
    `delete from slide_files
     where digest in (select decode(digest, 'hex') from unnest($1::text[]) as file (digest))`,
    [digests],
  );
}
