import type { Brief } from '@hookline/shared/contracts/brief';
import {
  type Content,
  type Decider,
  EventContent,
  type EventImage,
  type Job,
} from '@hookline/shared/contracts/content';
import type { ContentMoment } from '@hookline/shared/contracts/content-timeline';
import { type RowOf, recordOf } from '@hookline/shared/contracts/rows';
import type { Shown } from '../apps/record.ts';

export type ContentType = 'slideshow' | 'illustrated' | 'hook_video';
export type ContentStatus = 'queued' | 'running' | 'ready' | 'failed';
export type ApprovalStatus = 'pending' | 'approved' | 'rejected';
export type Decision = 'approved' | 'rejected';

/** `sending` means that a permit is open; `sent`, that one ended as sent and none is open. */
export type SendState = 'none' | 'sending' | 'sent';

export type ContentRow = RowOf<
  Omit<Content, 'brief' | 'templateId' | 'images' | 'approval' | 'origin' | 'notice' | 'error'>
> & {
  accountId: string;
  brief: Brief | null;
  archetype: string | null;
  language: string | null;
  notice: NonNullable<Content['notice']> | null;
  errorCode: string | null;
  errorMessage: string | null;
  originAutomationId: string | null;
  originFiringId: string | null;
  /** A person must confirm an `unconfirmed` brief before it counts as `auto`. */
  originApprovalMode: 'auto' | 'manual' | 'unconfirmed' | null;
  /**
   * A queued content waits for this. A ready one whose automation approves by itself was not approved because
   * of it.
   */
  waitsBecause: string | null;
  shown: Shown | null;
  requestId: string | null;
  decidedVersion: number | null;
  decision: Decision | null;
  decidedAt: Date | null;
  decidedByKeyId: string | null;
  decidedBy: Decider | null;
  decisionReason: string | null;
  /** The author made or last edited the version: a user id, or the id of a key whose creator is unknown. */
  authorId: string | null;
  /** An automation's content has null. */
  madeBy: Decider | null;
};

export type ContentWithImages = ContentRow & { images: EventImage[] };

export type ContentOfFiring = Pick<
  ContentRow,
  'id' | 'status' | 'approvalStatus' | 'decidedAt' | 'errorCode' | 'errorMessage' | 'waitsBecause'
> & { firingId: string };

/** Events carry image ids instead of links. */
export function toEventContent(row: ContentWithImages): EventContent {
  const { decision, decidedAt, decidedBy: by } = row;
  return recordOf(EventContent, {
    ...row,
    templateId: row.brief?.templateId ?? null,
    approval: decision &&
      decidedAt &&
      by && {
        ...{ version: row.decidedVersion ?? row.version, decision, decidedAt: decidedAt.toISOString() },
        ...{ keyId: row.decidedByKeyId, by, reason: row.decisionReason },
      },
    origin: toOrigin(row),
    notice: row.notice ?? undefined,
    error: row.errorCode ? toError(row) : undefined,
  });
}

export function toContent(
  row: ContentWithImages,
  slideUrls: (imageId: string) => { url: string; thumbnailUrl: string },
): Content {
  const { images, ...rest } = toEventContent(row);
  return { ...rest, images: images.map(({ imageId, ...image }) => ({ ...image, ...slideUrls(imageId) })) };
}

/** Every job corresponds to one content and has its id (API-2, "Job"). */
export function toJob(row: ContentRow): Job {
  return {
    id: row.id,
    status: row.status,
    resourceType: 'content',
    resourceId: row.id,
    cost: row.costCharged,
    error: row.errorCode ? toError(row) : null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function toOrigin(row: ContentRow): { automationId: string; firingId: string } | null {
  if (!row.originAutomationId || !row.originFiringId) return null;
  return { automationId: row.originAutomationId, firingId: row.originFiringId };
}

/** Contents are in the order of the firings; a firing without one has null. */
export function toContentsOfFirings(firingIds: readonly string[], rows: readonly ContentOfFiring[]) {
  const byFiring = new Map(rows.map(row => [row.firingId, row]));
  return firingIds.map(firingId => {
    const row = byFiring.get(firingId);
    if (!row) return null;
    const { id, status, approvalStatus, decidedAt, errorCode, waitsBecause } = row;
    const error = errorCode === null ? null : toError(row);
    return { id, status, approvalStatus, decidedAt: decidedAt?.toISOString() ?? null, error, waitsBecause };
  });
}

function toError(row: Pick<ContentRow, 'errorCode' | 'errorMessage'>): { code: string; message: string } {
  return { code: row.errorCode ?? 'internal_error', message: row.errorMessage ?? '' };
}

export type MomentRow = Omit<ContentMoment, 'at'> & { at: Date };

export function toMoment(row: MomentRow): ContentMoment {
  return { ...row, at: row.at.toISOString() };
}
