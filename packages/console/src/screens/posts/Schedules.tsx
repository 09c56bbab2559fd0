import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { accountsQuery, listOf } from '../../queries.ts';
import { shortName } from '../../rules/account-name.ts';
import { stageOfSchedule } from '../../rules/next-step.ts';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import type { Schedule } from '../../types.ts';
import { DeckLink } from '../../ui/DeckLink.tsx';
import { List } from '../../ui/List.tsx';
import { StageBadge } from '../../ui/StageBadge.tsx';
import { Thumbnail } from '../../ui/Thumbnail.tsx';
import { TimeInZone } from '../../ui/TimeInZone.tsx';

const words = workTexts.posts;

/** The filters that choose among schedules, not among decks. */
export const statuses = { scheduled: 'pending', posted: 'sent', notPosted: 'failed' } as const;
type Props = { tiktokAccountId: string | undefined; status: string | undefined };

/** What was or will be posted. A deck may be there more than once; one without a time is not. */
export function Schedules(asked: Props) {
  const query = useInfiniteQuery(listOf<Schedule>(['schedules', 'list'], '/schedules', asked));
  const accounts = useQuery(accountsQuery).data ?? [];
  const nameOf = (id: string) => accounts.filter(account => account.id === id).map(shortName);
  return (
    <List
      query={query}
      label={texts.screens.posts}
      keyOf={({ id }) => id}
      empty={<p className="py-10 text-center text-soft">{words.emptyFilter}</p>}
      row={schedule => (
        <div className="relative flex items-center gap-4 p-3 hover:bg-well/60">
          <Thumbnail images={schedule.thumbnailUrl ? [{ url: schedule.thumbnailUrl }] : []} />
          <div className="grid min-w-0 flex-1 gap-1">
            <DeckLink id={schedule.contentId} name={schedule.title || words.untitled} />
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
              <StageBadge stage={stageOfSchedule(schedule)} />
              <span>{nameOf(schedule.tiktokAccountId)}</span>
              <TimeInZone at={schedule.sentAt ?? schedule.scheduledFor} />
            </p>
            {schedule.failure && (
              <p className="line-clamp-2 text-sm text-float-ink">{schedule.failure.message}</p>
            )}
          </div>
        </div>
      )}
    />
  );
}
