import { createHash } from 'node:crypto';
import type { Journal } from '../state/journal.ts';

export type YoutubeOperation = 'videos_list' | 'batch_get_stats';

/** The quotas of the developer's project; every key has the same ones but is counted separately. */
export type YoutubeClient = {
  /** Units per day and bucket; the day ends at midnight Pacific. */
  unitsPerDay: Record<YoutubeOperation, number>;
  /** Calls per sliding minute over both buckets. Null: no such limit. */
  callsPerMinuteMax: number | null;
  /** False: the method answers 404, as before June 2026. */
  hasBatchGetStats: boolean;
};

type Spent = { day: string; units: number; minute: number[] };

export type YoutubeQuota = {
  client(): YoutubeClient;
  change(client: YoutubeClient): void;
  /** Charges one unit, or returns the exhausted limit. */
  take(
    key: string,
    operation: YoutubeOperation,
    nowMs: number,
  ): 'taken' | 'quotaExceeded' | 'rateLimitExceeded';
  /** Units spent today, by bucket, over all keys. */
  spentToday(nowMs: number): Record<YoutubeOperation, number>;
};

const standard: YoutubeClient = {
  unitsPerDay: { videos_list: 10_000, batch_get_stats: 10_000 },
  callsPerMinuteMax: null,
  hasBatchGetStats: true,
};

const minuteMs = 60_000;
let pacific: Intl.DateTimeFormat | undefined;

function pacificDay(nowMs: number): string {
  // Made with the first use: it loads the time zones, 17 ms of a start.
  pacific ??= new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' });
  return pacific.format(nowMs);
}

export function createYoutubeQuota(journal: Journal): YoutubeQuota {
  const clients = journal.table<YoutubeClient>('youtubeClient');
  const spending = journal.table<Spent>('youtubeUnits');
  const client = (): YoutubeClient => clients.get('client') ?? standard;
  return {
    client,
    change: changed => clients.put('client', changed),
    take: (key, operation, nowMs) => {
      const day = pacificDay(nowMs);
      // The key is a secret of the caller, so only its digest is stored.
      const row = `${operation} ${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
      const known = spending.get(row);
      const spent = known?.day === day ? known.units : 0;
      const minute = (known?.minute ?? []).filter(at => at > nowMs - minuteMs);
      if (spent >= client().unitsPerDay[operation]) return 'quotaExceeded';
      if (minute.length >= (client().callsPerMinuteMax ?? Number.POSITIVE_INFINITY))
        return 'rateLimitExceeded';
      // Timestamps are kept only while a per-minute limit is set.
      const stamps = client().callsPerMinuteMax === null ? [] : [...minute, nowMs];
      spending.put(row, { day, units: spent + 1, minute: stamps });
      return 'taken';
    },
    spentToday: nowMs => {
      const day = pacificDay(nowMs);
      const sums = { videos_list: 0, batch_get_stats: 0 };
      for (const [row, { day: of, units }] of spending.entries()) {
        if (of === day) sums[row.split(' ')[0] as YoutubeOperation] += units;
      }
      return sums;
    },
  };
}
