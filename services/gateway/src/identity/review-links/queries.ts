import { type Page, pageValues } from '@hookline/shared/kernel';
import { lockForCount, type Sql, type Transaction } from '@hookline/shared/postgres';
import { deletesAtColumn, policyColumn } from '../standing/queries.ts';
import type { ReviewLinkRow, StandingLinkRow } from './record.ts';

const columns = `l.id, l.account_id as "accountId", l.content_id as "contentId", l.version,
  l.may_decide as "mayDecide", l.created_by as "createdBy", l.member_id as "memberId", l.expires_at as "expiresAt",
  l.created_at as "createdAt"`;

export type LinksOfContent = { accountId: string; contentId: string };

export async function insertReviewLink(
  tx: Transaction,
  row: ReviewLinkRow,
  tokenHash: Buffer,
): Promise<void> {
  const { id, accountId, contentId, version, mayDecide, createdBy, memberId, expiresAt, createdAt } = row;
  await tx.query(
    `insert into review_links (id, account_id, content_id, version, may_decide, created_by, member_id, expires_at,
       created_at, token_hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [id, accountId, contentId, version, mayDecide, createdBy, memberId, expiresAt, createdAt, tokenHash],
  );
}

/** The count stays so until the transaction ends. Also deletes up to 500 links that have expired. */
export async function lockCountOfOpenLinks(
  tx: Transaction,
  { accountId, contentId }: LinksOfContent,
  now: Date,
): Promise<number> {
  await lockForCount(tx, 'review links', contentId);
  await tx.query(
    `delete from review_links where id in
       (select id from review_links where expires_at <= $1 order by expires_at limit 500 for update skip locked)`,
    [now],
  );
  return await tx.value<number>(
    `select count(*)::int as count from review_links
     where account_id = $1 and content_id = $2 and expires_at > $3`,
    [accountId, contentId, now],
  );
}

/** Lists the links that have not expired, for one content or, with null, for all. */
export function listReviewLinks(
  sql: Sql,
  { accountId, contentId }: { accountId: string; contentId: string | null },
  now: Date,
  page: Page,
): Promise<ReviewLinkRow[]> {
  return sql.query<ReviewLinkRow>(
    `select ${columns} from review_links l
     where account_id = $1 and ($5::text is null or content_id = $5) and expires_at > $6
       and ($2::timestamptz is null or (created_at, id) < ($2, $3))
     order by created_at desc, id desc limit $4`,
    [accountId, ...pageValues(page), contentId, now],
  );
}

export function deleteReviewLink(
  tx: Transaction,
  { accountId, contentId }: LinksOfContent,
  id: string,
): Promise<ReviewLinkRow | null> {
  return tx.row<ReviewLinkRow>(
    `delete from review_links l where id = $1 and account_id = $2 and content_id = $3 returning ${columns}`,
    [id, accountId, contentId],
  );
}

export async function findLinkMaker(sql: Sql, accountId: string, id: string): Promise<string | null> {
  const rows = await sql.query<{ memberId: string }>(
    'select member_id as "memberId" from review_links where account_id = $1 and id = $2',
    [accountId, id],
  );
  return rows[0]?.memberId ?? null;
}

/** Null for a link that expired, of a key that was revoked or expired, or of a workspace that is being deleted. */
export async function findStandingLink(
  sql: Sql,
  tokenHash: Buffer,
  now: Date,
): Promise<StandingLinkRow | null> {
  const rows = await sql.query<StandingLinkRow & { deletesAtMs: number | null }>(
    `select ${columns}, workspaces.name as workspace, m.role, k.scopes as "keyScopes", ${policyColumn},
       ${deletesAtColumn}
     from review_links l join workspaces using (account_id)
       join members m on m.account_id = l.account_id and m.user_id = l.member_id
       left join api_keys k on k.id = l.created_by->>'id' and k.revoked_at is null
         and (k.expires_at is null or k.expires_at > $2)
     where l.token_hash = $1 and l.expires_at > $2 and (l.created_by->>'kind' = 'person' or k.id is not null)`,
    [tokenHash, now],
  );
  const [link] = rows;
  return link && link.deletesAtMs === null ? link : null;
}
