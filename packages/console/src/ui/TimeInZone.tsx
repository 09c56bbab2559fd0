import { useQuery } from '@tanstack/react-query';
import { queryClient, workspaceQuery } from '../queries.ts';
import { texts } from '../texts/shell.ts';
import { clock, dayAndTime, deviceZone, relative, timesIn } from '../zone.ts';

/**
 * To show times in: the zone of the workspace; until it is known, that of the device. A form that asks for a
 * time waits until it is known.
 */
export function useZone(): string {
  return useQuery(workspaceQuery).data?.timezone ?? deviceZone();
}

/** A text of the server, with its times in the same zone. It reads nothing: an error may be of nobody's workspace. */
export function inZone(text: string): string {
  return timesIn(text, queryClient.getQueryData(workspaceQuery.queryKey)?.timezone ?? deviceZone());
}

type Props = { at: string; isRelative?: boolean; isClock?: boolean };

/** A time in the zone of the workspace. */
export function TimeInZone({ at, isRelative = false, isClock = false }: Props) {
  const zone = useZone();
  const absolute = dayAndTime(at, zone);
  return (
    <time dateTime={at} title={`${absolute} (${zone})`} className="whitespace-nowrap">
      {isRelative ? relative(at) : isClock ? clock(at, zone) : absolute}
    </time>
  );
}

export function ZoneNote() {
  return <p className="text-sm text-soft">{texts.common.timesIn(useZone())}</p>;
}
