import { type Page, pageValues } from '@hookline/shared/kernel';
import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { CommentRow } from './record.ts';

export async function insertComment(tx: Transaction, row: CommentRow): Promise<void> {
  const { id, contentId, version, slide, text, by, createdAt } = row;
  await tx.query(
    `insert into comments (id, content_id, version, slide, text, made_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, contentId, version, slide, text, by, createdAt],
  );
}

export function countComments(sql: Sql, contentId: string): Promise<number> {
  return sql.value<number>('select count(*)::int as count from comments where content_id = $1', [contentId]);
}

export function listComments(sql: Sql, contentId: string, page: Page): Promise<CommentRow[]> {
  return sql.query<CommentRow>(
    `select id, content_id as "contentId", version, slide, text, made_by as by, created_at as "createdAt"
     from comments
     where content_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3))
     order by created_at desc, id desc
     limit $4`,
    [contentId, ...pageValues(page)],
  );
}
