import type { ChangesRequested, ContentCounts, Decider } from '@hookline/shared/contracts/content';
import { type Page, pageValues } from '@hookline/shared/kernel';
import type { Sql, Transaction } from '@hookline/shared/postgres';
import type {
  ApprovalStatus,
  ContentOfFiring,
  ContentRow,
  ContentStatus,
  ContentWithImages,
  Decision,
  SendState,
} from './record.ts';

const columns = `id, account_id as "accountId", app_id as "appId", type, status,
  approval_status as "approvalStatus", brief, result, archetype, language, writer, freshness, version, cost_charged as "costCharged", notice,
  error_code as "errorCode", error_message as "errorMessage",
  origin_automation_id as "originAutomationId", origin_firing_id as "originFiringId",
  origin_approval_mode as "originApprovalMode", waits_because as "waitsBecause",
  shown, experiment_id as "experimentId", external_id as "externalId", metadata, request_id as "requestId", decided_version as "decidedVersion", decision,
  decided_at as "decidedAt",
  decided_by_key_id as "decidedByKeyId",
  decided_by as "decidedBy",
  decision_reason as "decisionReason",
  changes_requested as "changesRequested",
  author_id as "authorId", made_by as "madeBy", created_at as "createdAt", updated_at as "updatedAt"`;

const withImages = `${columns}, coalesce((
    select jsonb_agg(jsonb_build_object('imageId', i.id, 'index', i.slide_index, 'width', i.width,
      'height', i.height, 'bytes', i.bytes, 'contentType', i.content_type) order by i.slide_index)
    from slide_images i where i.content_id = contents.id and i.version = contents.version
  ), '[]') as images`;

/** @returns false if the id, or a content of the firing, exists: another attempt was first */
export function insertContent(tx: Transaction, row: ContentRow): Promise<boolean> {
  return tx.exists(
    `insert into contents (id, account_id, app_id, type, status, approval_status, brief, result, version,
       cost_charged, notice, error_code, error_message, origin_automation_id, origin_firing_id,
       origin_approval_mode, request_id, created_at, updated_at, archetype, language, writer, author_id,
       made_by, shown, freshness, external_id, metadata)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
       $23, $24, $25, $26, $27, $28)
     on conflict do nothing
     returning id`,
    [
      ...[row.id, row.accountId, row.appId, row.type, row.status, row.approvalStatus, row.brief],
      ...[row.result, row.version, row.costCharged, row.notice, row.errorCode, row.errorMessage],
      ...[row.originAutomationId, row.originFiringId, row.originApprovalMode, row.requestId, row.createdAt],
      ...[row.updatedAt, row.archetype, row.language, row.writer, row.authorId, row.madeBy, row.shown],
      ...[row.freshness, row.externalId, row.metadata],
    ],
  );
}

export function findContent(sql: Sql, accountId: string, id: string): Promise<ContentWithImages | null> {
  return sql.row<ContentWithImages>(`select ${withImages} from contents where id = $1 and account_id = $2`, [
    id,
    accountId,
  ]);
}

export function hasContent(sql: Sql, accountId: string, id: string): Promise<boolean> {
  return sql.exists('select 1 from contents where id = $1 and account_id = $2', [id, accountId]);
}

export async function lockContent(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<ContentWithImages | null> {
  const locked = await tx.query('select 1 from contents where id = $1 and account_id = $2 for update', [
    id,
    accountId,
  ]);
  return locked.length === 0 ? null : findContent(tx, accountId, id);
}

export type ContentFilter = {
  status?: ContentStatus | undefined;
  /** `pending` selects only contents that are ready to be decided, unless `changesRequested` is given. */
  approvalStatus?: ApprovalStatus | undefined;
  origin?: 'api' | 'automation' | undefined;
  appId?: string | undefined;
  /** Separated by commas. */
  ids?: string | undefined;
  /** `true` or `false`, as callers write it; so is the next. */
  scheduled?: string | undefined;
  changesRequested?: string | undefined;
  q?: string | undefined;
  externalId?: string | undefined;
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
};

// Each sign of Chinese and Japanese is a word, since no spaces are between theirs.
const signs = String.raw`\u3005-\u3007\u3040-\u30ff\u3400-\u9fff`;
const piece = new RegExp(`[${signs}]|[^${signs}]+`, 'gu');
// Postgres takes "iPhone/iPad", "24/7", "pebblo.app" and "-20" for one word each. A result has texts and no
// numbers.
const apart = String.raw`regexp_replace(translate(coalesce(result, '{}')::text, './@+-', '     '), '[${signs}]', ' \& ', 'g')::jsonb`;
// The account is a word too, so that the words of others are passed over.
const words = `(to_tsvector('simple', account_id) || jsonb_to_tsvector('simple', ${apart}, '["string"]'))`;

/** Every word of the text, or one that begins so, as Postgres takes it. A text without a word finds nothing. */
function toQuery(text: string): string {
  // A "ü" that is pasted may be two characters; texts have one.
  const asked = text.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return asked.map(word => `${word.match(piece)!.join(' <-> ')}:*`).join(' & ');
}

export function listContents(
  sql: Sql,
  accountId: string,
  filter: ContentFilter,
  page: Page,
): Promise<ContentWithImages[]> {
  const { status, approvalStatus, scheduled, origin, appId, q, externalId, createdFrom, createdTo } = filter;
  const changesRequested = filter.changesRequested ?? (approvalStatus === 'pending' ? 'false' : null);
  return sql.query<ContentWithImages>(
    `select ${withImages}
     from contents
     where account_id = $1
       and ($2::text is null or status = $2)
       and ($3::text is null or app_id = $3)
       -- The status is implied by every decision; it lets the partial indexes serve the filter.
       and ($4::text is null or (approval_status = $4 and status = 'ready'))
       and (coalesce($5::text, '') <> 'api' or origin_automation_id is null)
       and (coalesce($5, '') <> 'automation' or origin_automation_id is not null)
       and ($6::timestamptz is null or (created_at, id) < ($6, $7))
       and ($9::boolean is null or is_scheduled = $9)
       and ($10::text is null or numnode(to_tsquery('simple', $10)) > 0 and ${words} @@ (plainto_tsquery('simple', $1) && to_tsquery('simple', $10)))
       and ($11::text is null or external_id = $11)
       and ($12::timestamptz is null or created_at >= $12)
       and ($13::timestamptz is null or created_at < $13)
       and ($14::boolean is null or (changes_requested is not null) = $14)
       and ($15::text[] is null or id = any($15))
     order by created_at desc, id desc
     limit $8`,
    [
      accountId,
      status ?? null,
      appId ?? null,
      approvalStatus ?? null,
      origin ?? null,
      ...pageValues(page),
      scheduled ?? null,
      q === undefined ? null : toQuery(q),
      externalId ?? null,
      ...[createdFrom, createdTo].map(time => (time === undefined ? null : new Date(time))),
      changesRequested,
      filter.ids?.split(',') ?? null,
    ],
  );
}

/** Each number stops at `max`, so that an account of a million rows costs as little as one of `max`. */
export function countContents(sql: Sql, accountId: string, max: number): Promise<ContentCounts> {
  const counted = (condition: string): string =>
    `(select count(*)::int from (
        select from contents where account_id = $1 and ${condition} limit $2) as counted)`;
  const ready = (approval: ApprovalStatus): string =>
    counted(`status = 'ready' and approval_status = '${approval}'`);
  return sql.only<ContentCounts>(
    `select ${counted(`status = 'ready' and approval_status = 'pending' and changes_requested is null`)} as pending,
       ${counted('changes_requested is not null')} as "changesRequested", ${ready('approved')} as approved, ${ready('rejected')} as rejected,
       ${counted(`status = 'failed'`)} as failed,
       ${counted(`status = 'ready' and approval_status = 'approved' and not is_scheduled
         and exists (select from slide_images i where i.content_id = contents.id and i.version = contents.version)`)} as "toSchedule"`,
    [accountId, max],
  );
}

/** Locks the content: call it before anything else of its schedules is written. */
export async function setScheduled(tx: Transaction, id: string): Promise<void> {
  await tx.query('update contents set is_scheduled = true where id = $1', [id]);
}

/** A withdrawn schedule leaves its content to be scheduled, unless another waits, posted it or failed. */
export async function unsetScheduled(tx: Transaction, id: string, withdrawnId: string): Promise<void> {
  await tx.query('select 1 from contents where id = $1 for no key update', [id]);
  await tx.query(
    `update contents set is_scheduled = false
     where id = $1 and is_scheduled
       and not exists (select 1 from known_schedules where content_id = $1 and is_waiting and schedule_id <> $2)
       and not exists (
         select 1 from content_timeline t
         where t.content_id = $1 and t.schedule_id <> $2 and t.what in ('delivered', 'not_delivered')
           and not exists (
             select 1 from content_timeline w
             where w.content_id = $1 and w.schedule_id = t.schedule_id and w.what = 'withdrawn'))`,
    [id, withdrawnId],
  );
}

export type NewDecision = {
  decision: Decision;
  by: Decider;
  reason: string | null;
  requestId: string | null;
  at: Date;
};

/** Records a decision on the current version. The row must be locked. */
export async function decideContent(
  tx: Transaction,
  { id, version }: Pick<ContentRow, 'id' | 'version'>,
  { decision, by, reason, requestId, at }: NewDecision,
): Promise<void> {
  const keyId = by.kind === 'key' ? by.id : null;
  await tx.query(
    `with decided as (
       update contents
       set approval_status = $2, decision = $2, decided_version = $3, decided_at = $4, decided_by_key_id = $5,
           decided_by = $7, decision_reason = $8, changes_requested = null, updated_at = $4
       where id = $1
       returning id
     )
     insert into approvals (content_id, version, decision, key_id, request_id, decided_at, decided_by, reason)
     select id, $3, $2, $5, $6, $4, $7, $8 from decided`,
    [id, decision, version, at, keyId, requestId, by, reason],
  );
}

/** Takes the content out of the approval queue until its next version. The row must be locked. */
export async function setChangesRequested(
  tx: Transaction,
  id: string,
  request: ChangesRequested,
): Promise<void> {
  const values = [id, request, request.at];
  await tx.query('update contents set changes_requested = $2, updated_at = $3 where id = $1', values);
}

type Edited = Pick<ContentRow, 'result' | 'brief' | 'writer' | 'freshness' | 'shown' | 'authorId'> & {
  at: Date;
};

/** The texts stay with the decision that approved them. */
export async function keepApproved(
  tx: Transaction,
  { id, version, result }: Pick<ContentRow, 'id' | 'version' | 'result'>,
): Promise<void> {
  await tx.query(
    `update approvals set result = $3 where content_id = $1 and version = $2 and decision = 'approved'`,
    [id, version, result],
  );
}

/** Replaces a version with the next one. @returns false if another edit was first */
export function updateResult(
  tx: Transaction,
  { id, version }: Pick<ContentRow, 'id' | 'version'>,
  { result, brief, writer, freshness, shown, authorId, at }: Edited,
): Promise<boolean> {
  return tx.exists(
    `update contents
     set result = $3, version = version + 1, approval_status = 'pending', decision = null,
         decided_version = null, decided_at = null, decided_by_key_id = null, decided_by = null,
         decision_reason = null, changes_requested = null, author_id = $5, shown = $6,
         freshness = $7, brief = $8, writer = $9, updated_at = $4
     where id = $1 and version = $2
     returning id`,
    [id, version, result, at, authorId, shown, freshness, brief, writer],
  );
}

export async function findSendState(sql: Sql, contentId: string): Promise<SendState> {
  const [row] = await sql.query<{ open: boolean | null; sent: boolean | null }>(
    `select bool_or(released_at is null) as open, bool_or(outcome = 'sent') as sent
     from send_permits where content_id = $1`,
    [contentId],
  );
  if (row?.open) return 'sending';
  return row?.sent ? 'sent' : 'none';
}

export function listContentsOfFirings(sql: Sql, firingIds: readonly string[]): Promise<ContentOfFiring[]> {
  return sql.query<ContentOfFiring>(
    `select origin_firing_id as "firingId", id, status, approval_status as "approvalStatus",
       decided_at as "decidedAt", error_code as "errorCode", error_message as "errorMessage",
       waits_because as "waitsBecause"
     from contents where origin_firing_id = any($1::text[])`,
    [firingIds],
  );
}
