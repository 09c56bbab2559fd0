import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { experimentsQuery } from '../../manage/queries.ts';
import { useMe } from '../../me.ts';
import { contentsQuery, recentSchedulesQuery, withoutTime } from '../../queries.ts';
import { planMax } from '../../rules/plan.ts';
import { manageTexts } from '../../texts/manage.ts';
import { planTexts } from '../../texts/plan.ts';
import type { Content, Experiment } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { ToDeck } from '../../ui/DeckLink.tsx';
import { Card } from '../../ui/Screen.tsx';
import { Shown } from '../../ui/Shown.tsx';
import { TimeInZone } from '../../ui/TimeInZone.tsx';
import { PlanDialog } from '../to-schedule/PlanDialog.tsx';
import { Compared } from './Worked.tsx';

const words = manageTexts.numbers.experiments;

/** Hooks that were compared on purpose, and what came out. Nothing where nobody did. */
export function Experiments() {
  return (
    <Shown query={useQuery(experimentsQuery)}>
      {experiments =>
        experiments.length > 0 && (
          <Card title={words.title}>
            {experiments.map(({ id, createdAt, readAfterHours, verdict, hooks, posts, isFinal }) => (
              <section key={id} className="grid gap-2 text-sm wrap-anywhere">
                <h3 className="text-soft">
                  <TimeInZone at={createdAt} /> · {words.read(readAfterHours)}
                </h3>
                <p className="text-base">{verdict}</p>
                {!isFinal && <Plan posts={posts} />}
                <ol className="grid gap-4">
                  {hooks.map(row => (
                    <Compared key={row.value} row={row} />
                  ))}
                </ol>
                <ul className="grid gap-1">
                  {posts.map(({ contentId, hook, views, leftOut }) => (
                    <li key={contentId}>
                      <ToDeck id={contentId} dir="auto" className="underline">
                        {hook}
                      </ToDeck>
                      {': '}
                      {views === null ? words.noViews : words.views(views.toLocaleString())}
                      {leftOut && `, ${words.leftOut[leftOut]}`}
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </Card>
        )
      }
    </Shown>
  );
}

/** Spreads the decks of an experiment that are approved and have no time yet over the accounts of their app. */
function Plan({ posts }: { posts: Experiment['posts'] }) {
  const { canEdit } = useMe();
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const [planned, setPlanned] = useState<readonly Content[] | null>(null);
  const ids = posts.map(({ contentId }) => contentId);
  const open = ids.filter((_, at) => posts[at]?.views === null).slice(0, 100);
  const found = useQuery(contentsQuery(open, withoutTime)).data ?? [];
  const sent = useQuery(recentSchedulesQuery).data?.data.filter(({ contentId }) => ids.includes(contentId));
  const decks = found.filter(({ id }) => !taken.has(id)).slice(0, planMax);
  return (
    <div className="text-base">
      {canEdit && decks.length > 0 && (
        <Button onClick={() => setPlanned(decks)}>{planTexts.open(decks.length)}</Button>
      )}
      {planned && (
        <PlanDialog
          decks={planned}
          busy={(sent ?? []).map(({ tiktokAccountId }) => tiktokAccountId)}
          onTaken={deck => setTaken(before => new Set([...before, deck]))}
          onClose={() => setPlanned(null)}
        />
      )}
    </div>
  );
}
