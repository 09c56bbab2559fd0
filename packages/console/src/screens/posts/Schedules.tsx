import { useInfiniteQuery } from '@tanstack/react-query';
import { listOf } from '../../queries.ts';
import { stageOfSchedule } from '../../rules/next-step.ts';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import type { Schedule } from '../../types.ts';
import { List } from '../../ui/List.tsx';
import { DeckCard } from './DeckCard.tsx';

const words = workTexts.posts;

/** The filters that choose among schedules, not among decks. */
export const statuses = { scheduled: 'pending', posted: 'sent', notPosted: 'failed' } as const;
type Props = { tiktokAccountId: string | undefined; status: string | undefined };

/** What was or will be posted. A deck may be there more than once; one without a time is not. */
export function Schedules(asked: Props) {
  const query = useInfiniteQuery(listOf<Schedule>(['schedules', 'list'], '/schedules', asked));
  return (
    <List
      isGrid
      query={query}
      label={texts.screens.posts}
      empty={<p className="py-10 text-center text-soft">{words.emptyFilter}</p>}
      row={schedule => (
        <DeckCard
          id={schedule.contentId}
          name={schedule.title || words.untitled}
          cover={schedule.thumbnailUrl}
          stage={stageOfSchedule(schedule)}
          at={schedule.sentAt ?? schedule.scheduledFor}
          accountId={schedule.tiktokAccountId}
          why={schedule.failure?.message}
        />
      )}
    />
  );
}
