import type { Caller } from '@hookline/shared/http';
import type { EventReads } from './record.ts';

/** What events give a caller whole (D-68). */
export function eventReadsOf({ scopes }: Pick<Caller, 'scopes'>): EventReads {
  return {
    readsContent: scopes.includes('content:read'),
    readsSchedules: scopes.includes('schedules:read'),
  };
}

/**
 * What an endpoint is given whole after a caller set its address: whoever moves it
 * decides where its events go.
 */
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
