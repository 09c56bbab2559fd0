import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ownOrigin } from '../api.ts';
import { useMe } from '../me.ts';
import { toScheduleQuery, workspaceQuery } from '../queries.ts';
import { type SlotOffer, slotOfferQuery, takeSlot } from '../slot-offer.ts';
import { texts } from '../texts/shell.ts';
import { workTexts } from '../texts/work.ts';
import type { Content } from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { List } from '../ui/List.tsx';
import { Screen } from '../ui/Screen.tsx';
import { ZoneNote } from '../ui/TimeInZone.tsx';
import { showProblem, showToast } from '../ui/Toast.tsx';
import { useAction } from '../ui/useAction.ts';
import { dayAndTime } from '../zone.ts';

const words = workTexts.toSchedule;

/** The second queue: what is approved and has no time yet. */
export function ToSchedule() {
  const query = useInfiniteQuery(toScheduleQuery);
  // The list learns of a new schedule a moment later.
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  return (
    <Screen
      name={words.title}
      lead={
        <>
          {words.lead} <ZoneNote />
        </>
      }
    >
      <List
        query={query}
        label={words.title}
        keyOf={({ id }) => id}
        matches={({ id }) => !taken.has(id)}
        empty={
          <EmptyState icon="posts" title={words.empty}>
            {words.emptyBody}
          </EmptyState>
        }
        row={content => (
          <Row content={content} onTaken={() => setTaken(before => new Set([...before, content.id]))} />
        )}
      />
    </Screen>
  );
}

function Row({ content, onTaken }: { content: Content; onTaken: () => void }) {
  const navigate = useNavigate();
  const { canEdit } = useMe();
  const offer = useQuery(slotOfferQuery(content.appId)).data;
  const zone = useQuery(workspaceQuery).data?.timezone ?? 'UTC';
  const take = useAction((given: SlotOffer, key) => takeSlot(content.id, given, key), {
    changes: ['schedules', 'content'],
    onDone: ({ scheduledFor }) => {
      showToast({ text: texts.common.draftAt(dayAndTime(scheduledFor, zone)) });
      onTaken();
    },
    onFailed: showProblem,
  });
  const first = content.images[0];
  const toForm = (at?: string) =>
    void navigate({
      to: '/posts/$contentId/schedule',
      params: { contentId: content.id },
      search: at === undefined ? {} : { at },
    });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 p-3">
      <span className="grid h-16 w-9 shrink-0 place-items-center overflow-hidden rounded bg-deep">
        {first && (
          <img
            src={ownOrigin(first.thumbnailUrl ?? first.url)}
            alt=""
            loading="lazy"
            className="size-full object-cover"
          />
        )}
      </span>
      <Link
        to="/posts/$contentId"
        params={{ contentId: content.id }}
        className="line-clamp-2 min-w-0 flex-1 basis-48 font-semibold"
      >
        {content.result?.hook ?? workTexts.posts.untitled}
      </Link>
      {canEdit && (
        <div className="flex flex-wrap gap-2">
          {offer && (
            <Button
              size="small"
              tone="primary"
              busy={take.isPending}
              onClick={() => (offer.isDirect ? toForm(offer.at) : take.mutate(offer))}
            >
              {offer.label}
            </Button>
          )}
          <Button size="small" onClick={() => toForm()}>
            {texts.common.schedule}
          </Button>
        </div>
      )}
    </div>
  );
}
