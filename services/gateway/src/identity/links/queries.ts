import type { Sql } from '@hookline/shared/postgres';
import type { LinkKind } from './link.rules.ts';

export async function insertLink(
  sql: Sql,
  link: {
    tokenHash: Buffer;
    kind: LinkKind;
    subjectId: string;
    mailed: boolean;
    expiresAt: Date;
    now: Date;
  },
): Promise<void> {
  await sql.query(
    `delete from one_time_links where token_hash in
       (select token_hash from one_time_links where expires_at <= $1 order by expires_at limit 500 for update skip locked)`,
    [link.now],
  );
  await sql.query(
    `insert into one_time_links (token_hash, kind, subject_id, mailed, expires_at, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [link.tokenHash, link.kind, link.subjectId, link.mailed, link.expiresAt, link.now],
  );
}

export type Link = {
  subjectId: string;
  /** Sent to the address and nowhere else: it proves the address. */
  mailed: boolean;
};

export function findLink(
  sql: Sql,
  { tokenHash, kind }: { tokenHash: Buffer; kind: LinkKind },
  now: Date,
): Promise<Link | null> {
  return sql.row<Link>(
    `select subject_id as "subjectId", mailed from one_time_links
     where token_hash = $1 and kind = $2 and expires_at > $3`,
    [tokenHash, kind, now],
  );
}

/** Uses up every link of the subject. False when there was none: another request was first. */
export function deleteLinks(sql: Sql, subjectId: string, kind: LinkKind): Promise<boolean> {
  const values = [subjectId, kind];
  return sql.exists('delete from one_time_links where subject_id = $1 and kind = $2 returning 1', values);
}

/** Links of a kind made for a subject since a time. */
export function countLinks(
  sql: Sql,
  { subjectId, kind }: { subjectId: string; kind: LinkKind },
  since: Date,
): Promise<number> {
  return sql.value<number>(
    'select count(*)::int as count from one_time_links where subject_id = $1 and kind = $2 and created_at > $3',
    [subjectId, kind, since],
  );
}
