import type { OwnFields } from '@hookline/shared/contracts/own-fields';
import type { PrivacyLevel, Schedule, ScheduleFailure } from '@hookline/shared/contracts/schedules';
import type { By } from '@hookline/shared/events';
import type { MediaLinks } from '@hookline/shared/kernel';
import { isHeld } from './lateness.rules.ts';

export type ScheduleRow = OwnFields & {
  id: string;
  accountId: string;
  platformAccountId: string;
  contentId: string;
  contentVersion: number;
  status: Schedule['status'];
  mode: Schedule['mode'];
  privacyLevel: PrivacyLevel | null;
  scheduledFor: Date;
  coverImageId: string | null;
  title: string;
  description: string;
  hasOwnTitle: boolean;
  hasOwnDescription: boolean;
  disableComment: boolean;
  brandOrganic: boolean;
  brandedContent: boolean;
  aiGenerated: boolean;
  autoAddMusic: boolean;
  outcome: Schedule['outcome'];
  failure: ScheduleFailure | null;
  platformPostId: string | null;
  platformPostUrl: string | null;
  sentAt: Date | null;
  automationId: string | null;
  createdBy: By | null;
  firingId: string | null;
  isImmediate: boolean;
  heldSince: Date | null;
  /** Since a restore: it may have been posted. */
  isKeptBack: boolean;
  /** Its workspace, or everybody, sends nothing now. */
  isStopped: boolean;
  fence: number;
  tries: number;
  resends: number;
  /** The request and span that created it are not always stored. */
  requestId: string | null;
  traceparent: string | null;
  slidesDigest: string;
  /** Its deck takes part in an experiment with hooks. */
  isCompared: boolean;
  createdAt: Date;
  updatedAt: Date;
};

/** The schedule is checked, and not written yet. */
export type NewSchedule = Omit<
  ScheduleRow,
  | 'status'
  | 'outcome'
  | 'failure'
  | 'platformPostId'
  | 'platformPostUrl'
  | 'sentAt'
  | 'heldSince'
  | 'isKeptBack'
  | 'isStopped'
  | 'fence'
  | 'tries'
  | 'resends'
  | 'traceparent'
> & {
  keyId: string | null;
  /** These keys made or changed the automation that asked for it. */
  keyIds: readonly string[];
};

export function toSchedule(row: ScheduleRow): Schedule {
  return {
    id: row.id,
    contentId: row.contentId,
    contentVersion: row.contentVersion,
    tiktokAccountId: row.platformAccountId,
    status: row.status,
    mode: row.mode,
    privacyLevel: row.privacyLevel,
    scheduledFor: row.scheduledFor.toISOString(),
    title: row.title,
    description: row.description,
    disableComment: row.disableComment,
    brandOrganic: row.brandOrganic,
    brandedContent: row.brandedContent,
    aiGenerated: row.aiGenerated,
    autoAddMusic: row.autoAddMusic,
    waitsBecause: whyItWaits(row),
    outcome: row.outcome,
    failure: row.failure,
    platformPostId: row.platformPostId,
    platformPostUrl: row.platformPostUrl,
    sentAt: row.sentAt?.toISOString() ?? null,
    automationId: row.automationId,
    createdBy: row.createdBy,
    externalId: row.externalId,
    metadata: row.metadata,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function whyItWaits(row: ScheduleRow): Schedule['waitsBecause'] {
  if (row.isKeptBack) return 'kept_back';
  if (row.isStopped) return 'sending_paused';
  return row.status === 'pending' && isHeld(row) ? 'approval' : null;
}

/** Events hold no links. */
export function toScheduleWithPicture(
  row: ScheduleRow,
  { links, now }: { links: MediaLinks; now: () => Date },
): Schedule {
  const { coverImageId } = row;
  const thumbnailUrl = coverImageId && links.slideUrls(coverImageId, now()).thumbnailUrl;
  return { ...toSchedule(row), thumbnailUrl };
}

/** Whoever revokes its key sees these fields. */
export function toScheduleOfKey({ id, contentId, platformAccountId, scheduledFor }: ScheduleRow) {
  return { id, contentId, tiktokAccountId: platformAccountId, scheduledFor: scheduledFor.toISOString() };
}

/** This is the row that the insert would write. */
export function asWaiting(row: NewSchedule): ScheduleRow {
  return {
    ...row,
    status: 'pending',
    outcome: null,
    failure: null,
    platformPostId: null,
    platformPostUrl: null,
    sentAt: null,
    heldSince: null,
    isKeptBack: false,
    isStopped: false,
    fence: 0,
    tries: 0,
    resends: 0,
    traceparent: null,
  };
}
