import { ApiError } from '@hookline/shared/contracts';
import { type ExportedList, exportedLists, exportedOf } from '@hookline/shared/contracts/internal';
import { scopes } from '@hookline/shared/contracts/scopes';
import { bareCaller, type Caller } from '@hookline/shared/http';
import { type Page, readPage, toPage } from '@hookline/shared/kernel';
import type { IdentityDeps } from '../../identity-deps.ts';
import { listAudit } from '../audit/queries.ts';
import { toAuditEvent } from '../audit/record.ts';
import { listInvitations } from '../invitations/queries.ts';
import { toInvitation } from '../invitations/record.ts';
import { listApiKeys } from '../keys/queries.ts';
import { toApiKey } from '../keys/record.ts';
import { listReviewLinks } from '../review-links/queries.ts';
import { toReviewLink } from '../review-links/record.ts';
import { findWorkspace } from '../workspaces/queries.ts';
import { listMembers } from '../workspaces/queries-members.ts';
import { toMember, toWorkspace } from '../workspaces/record.ts';
import type { ExportRow } from './record.ts';
import { tarEnd, tarFile } from './tar.rules.ts';

type Deps = Pick<IdentityDeps, 'db' | 'peers' | 'now' | 'exports'>;
type ListPage = { data: Row[]; nextCursor: string | null };
type Row = Record<string, unknown>;
type Files = AsyncGenerator<[name: string, content: Buffer], void>;

const imageBytesMax = 20_000_000;
const pieceBytes = 65_536;
const pageMax = 100;

/**
 * The archive of an export. It is read while it is written: one page of records or one image at a time, so that its
 * memory does not depend on the size of the workspace.
 */
export async function* writeArchive(deps: Deps, row: ExportRow): AsyncGenerator<Buffer> {
  const at = deps.now();
  const { files: turns } = deps.exports.downloads;
  const turn = { workspace: row.accountId };
  const files = gather(deps, row);
  for (let isOver = false; !isOver; ) {
    await turns.enter(turn);
    try {
      const { value: file } = await files.next();
      isOver = !file;
      if (file) yield* piecesOf(tarFile(...file, at));
    } finally {
      turns.leave(turn);
    }
  }
  yield tarEnd;
}

/** Copies: what the stream still holds of a file must not keep the whole. */
function* piecesOf(parts: readonly Buffer[]): Generator<Buffer> {
  for (const part of parts) {
    for (let from = 0; from < part.length; from += pieceBytes) {
      yield Buffer.from(part.subarray(from, from + pieceBytes));
    }
  }
}

async function* gather(deps: Deps, { accountId, requestedBy }: ExportRow): Files {
  yield* ownRecords(deps, accountId);
  const caller = bareCaller({ accountId, keyId: null, userId: requestedBy, scopes });
  for (const list of exportedLists) yield* ownersRecords(deps, caller, list, '');
}

/** A list of an owner, with the images and the lists of each record. */
async function* ownersRecords(deps: Deps, caller: Caller, list: ExportedList, of: string): Files {
  let cursor = '';
  for (let page = 1; ; page += 1) {
    const answer = await readListPage(deps, caller, list, of, cursor);
    // The rest of the list went with its record.
    if (!answer) return;
    if (answer.data.length > 0) yield [fileName(list.kind, of, page), toLines(answer.data)];
    for (const row of answer.data) {
      for (const [name, link] of imagesOf(list.kind, row)) {
        const bytes = await readImage(deps, caller, link);
        if (bytes) yield [name, bytes];
      }
      for (const inner of list.inner ?? []) yield* ownersRecords(deps, caller, inner, String(row.id));
    }
    // The cursor of a log never ends.
    if (answer.nextCursor === null || (list.paging === 'log' && answer.data.length === 0)) return;
    cursor = `&${list.paging === 'log' ? 'after' : 'cursor'}=${encodeURIComponent(answer.nextCursor)}`;
  }
}

/** @returns null when the record that the list belongs to was deleted since it was read */
async function readListPage(
  { peers }: Pick<Deps, 'peers'>,
  caller: Caller,
  list: ExportedList,
  of: string,
  cursor: string,
): Promise<ListPage | null> {
  const first = list.path.includes('?') ? '&' : '?';
  const query = list.paging === 'whole' ? '' : `${first}limit=${pageMax}${cursor}`;
  const path = list.path.replace('{of}', encodeURIComponent(of)) + query;
  try {
    return await peers.call(exportedOf(list.service, path), { body: {}, caller, timeoutMs: 30_000 });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404 && of !== '') return null;
    // The retention has passed the cursor of a log: what is left of it is all later than what was read.
    if (error.status === 400 && list.paging === 'log' && cursor !== '') {
      return await readListPage({ peers }, caller, list, of, '');
    }
    throw error;
  }
}

function imagesOf(kind: string, row: Row): [name: string, link: string][] {
  if (kind === 'pictures' || kind === 'slides') return [[`images/${row.id}`, String(row.url)]];
  if (kind !== 'content') return [];
  const images = row.images as { index: number; url: string }[];
  return images.map(({ index, url }) => [`images/${row.id}-${index}.jpg`, url]);
}

/** Is null when the file is gone: the record says what it was. */
async function readImage({ peers }: Deps, caller: Caller, link: string): Promise<Buffer | null> {
  const { pathname, search } = new URL(link);
  try {
    return await peers.fetchBytes(pathname + search, { bytesMax: imageBytesMax, caller });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

async function* ownRecords({ db, now }: Deps, accountId: string): Files {
  const workspace = await findWorkspace(db, accountId);
  if (workspace) yield ['workspace.json', toLines([toWorkspace(workspace)])];
  yield* pages('members', toMember, (page: Page) => listMembers(db, accountId, page));
  yield* pages('invitations', toInvitation, (page: Page) => listInvitations(db, accountId, now(), page));
  yield* pages('review-links', toReviewLink, (page: Page) =>
    listReviewLinks(db, { accountId, contentId: null }, now(), page),
  );
  yield* pages('keys', toApiKey, (page: Page) => listApiKeys(db, { accountId, createdByUser: null }, page));
  for (let after = 0, page = 1; ; page += 1) {
    const rows = await listAudit(db, accountId, { after, limit: pageMax });
    if (rows.length > 0) yield [fileName('audit', '', page), toLines(rows.map(toAuditEvent))];
    if (rows.length < pageMax) return;
    after = Number(rows.at(-1)?.position);
  }
}

async function* pages<T extends { id: string; createdAt: Date }>(
  kind: string,
  toRecord: (row: NoInfer<T>) => Row,
  read: (page: Page) => Promise<T[]>,
): Files {
  let cursor: string | undefined;
  for (let at = 1; ; at += 1) {
    const page = readPage({ limit: pageMax, cursor });
    const { data, nextCursor } = toPage(await read(page), page, toRecord);
    if (data.length > 0) yield [fileName(kind, '', at), toLines(data)];
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

function fileName(kind: string, of: string, page: number): string {
  return `${kind}/${of === '' ? '' : `${of}-`}${String(page).padStart(6, '0')}.ndjson`;
}

function toLines(rows: readonly unknown[]): Buffer {
  return Buffer.from(rows.map(row => `${JSON.stringify(row)}\n`).join(''));
}
