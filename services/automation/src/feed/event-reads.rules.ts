import type { Caller } from '@hookline/shared/http';
import type { EventReads } from './record.ts';

export function eventReadsOf({ scopes }: Pick<Caller, 'scopes'>): EventReads {
  return {
    readsContent: scopes.includes('content:read'),
    readsSchedules: scopes.includes('schedules:read'),
  };
}

/** Whoever moves an endpoint to another address decides where its events go. */
export function eventReadsAfter(
  current: EventReads & { url: string },
  url: string,
  caller: Pick<Caller, 'scopes'>,
): EventReads {
  const reads = eventReadsOf(caller);
  const stays = url === current.url;
  return {
    readsContent: reads.readsContent || (stays && current.readsContent),
    readsSchedules: reads.readsSchedules || (stays && current.readsSchedules),
  };
}
