import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { listOf } from '../../queries.ts';
import { stageOfSchedule } from '../../rules/next-step.ts';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import type { Schedule } from '../../types.ts';
import { List } from '../../ui/List.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { StageBadge } from '../../ui/StageBadge.tsx';
import { Thumbnail } from '../../ui/Thumbnail.tsx';
import { TimeInZone } from '../../ui/TimeInZone.tsx';

const words = workTexts.posts;

const statuses = { all: undefined, waiting: 'pending', posted: 'sent', failed: 'failed' } as const;
type State = keyof typeof statuses;
const isState = (text: string | undefined): text is State => text !== undefined && text in statuses;

type Props = {
  tiktokAccountId: string;
  state: string | undefined;
  onState: (state: State) => void;
  /** The choices shown next to the states. */
  children: ReactNode;
};

/** What was or will be posted to one account. A deck may be there more than once; one without a time is not. */
export function OfAccount({ tiktokAccountId, state, onState, children }: Props) {
  const shown = isState(state) ? state : 'all';
  const asked = { tiktokAccountId, status: statuses[shown] };
  const query = useInfiniteQuery(listOf<Schedule>(['schedules', 'of-account'], '/schedules', asked));
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Pills
          label={words.filterLabel}
          name="state"
          names={words.ofAccount}
          value={shown}
          onChange={onState}
        />
        {children}
      </div>
      <List
        query={query}
        label={texts.screens.posts}
        keyOf={({ id }) => id}
        empty={<p className="py-10 text-center text-soft">{words.emptyFilter}</p>}
        row={schedule => (
          <div className="relative flex items-center gap-4 p-3 hover:bg-well/60">
            <Thumbnail images={schedule.thumbnailUrl ? [{ url: schedule.thumbnailUrl }] : []} />
            <div className="grid min-w-0 flex-1 gap-1">
              <Link
                to="/posts/$contentId"
                params={{ contentId: schedule.contentId }}
                dir="auto"
                className="line-clamp-2 font-semibold after:absolute after:inset-0"
              >
                {schedule.title || words.untitled}
              </Link>
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
                <StageBadge stage={stageOfSchedule(schedule)} />
                <TimeInZone at={schedule.sentAt ?? schedule.scheduledFor} />
              </p>
              {schedule.failure && (
                <p className="line-clamp-2 text-sm text-float-ink">{schedule.failure.message}</p>
              )}
            </div>
          </div>
        )}
      />
    </>
  );
}
