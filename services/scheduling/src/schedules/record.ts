import { type RowOf, recordOf } from '@hookline/shared/contracts/rows';
import { Schedule } from '@hookline/shared/contracts/schedules';
import type { MediaLinks } from '@hookline/shared/kernel';
import { isHeld } from './lateness.rules.ts';

export type ScheduleRow = RowOf<
  Omit<Schedule, 'tiktokAccountId' | 'waitsBecause' | 'thumbnailUrl'>,
  'scheduledFor' | 'sentAt'
> & {
  accountId: string;
  platformAccountId: string;
  coverImageId: string | null;
  hasOwnTitle: boolean;
  hasOwnDescription: boolean;
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
};

/** What a schedule begins with. */
const unsent = {
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
} as const;

/** The schedule is checked, and not written yet. */
export type NewSchedule = Omit<ScheduleRow, keyof typeof unsent> & {
  keyId: string | null;
  /** These keys made or changed the automation that asked for it. */
  keyIds: readonly string[];
};

export function toSchedule(row: ScheduleRow): Schedule {
  return recordOf(Schedule, {
    ...row,
    tiktokAccountId: row.platformAccountId,
    waitsBecause: whyItWaits(row),
  });
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
  return { ...row, ...unsent };
}
