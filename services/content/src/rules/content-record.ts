import type { Content, EventContent, Job } from '@hookline/shared/contracts/content';
import type { ContentRow, ContentWithImages } from '../queries/contents.ts';

/** The content as events carry it: image ids, no links. */
export function toEventContent(row: ContentWithImages): EventContent {
  return {
    id: row.id,
    appId: row.appId,
    type: row.type,
    status: row.status,
    approvalStatus: row.approvalStatus,
    result: row.result,
    costCharged: row.costCharged,
    version: row.version,
    brief: row.brief,
    images: row.images,
    approval:
      row.decision && row.decidedAt
        ? {
            version: row.decidedVersion ?? row.version,
            decision: row.decision,
            decidedAt: row.decidedAt.toISOString(),
            keyId: row.decidedByKeyId,
          }
        : null,
    origin: toOrigin(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    ...(row.notice ? { notice: row.notice } : {}),
    ...(row.errorCode ? { error: toError(row) } : {}),
  };
}

/** The content as the API answers it, with signed image links made at this moment. */
export function toContent(row: ContentWithImages, imageUrl: (imageId: string) => string): Content {
  const { images, ...rest } = toEventContent(row);
  return { ...rest, images: images.map(({ imageId, ...image }) => ({ ...image, url: imageUrl(imageId) })) };
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

function toError(row: ContentRow): { code: string; message: string } {
  return { code: row.errorCode ?? 'internal_error', message: row.errorMessage ?? '' };
}
