import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { experimentsQuery } from '../../manage/queries.ts';
import { manageTexts } from '../../texts/manage.ts';
import { Card } from '../../ui/Screen.tsx';
import { Shown } from '../../ui/Shown.tsx';
import { TimeInZone } from '../../ui/TimeInZone.tsx';
import { Compared } from './Worked.tsx';

const words = manageTexts.numbers.experiments;

/** Hooks that were compared on purpose, and what came out. Nothing where nobody did. */
export function Experiments() {
  return (
    <Shown query={useQuery(experimentsQuery)}>
      {experiments =>
        experiments.length > 0 && (
          <Card title={words.title}>
            {experiments.map(({ id, createdAt, readAfterHours, verdict, hooks, posts }) => (
              <section key={id} className="grid gap-2 text-sm wrap-anywhere">
                <h3 className="text-soft">
                  <TimeInZone at={createdAt} /> · {words.read(readAfterHours)}
                </h3>
                <p className="text-base">{verdict}</p>
                <ol className="grid gap-4">
                  {hooks.map(row => (
                    <Compared key={row.value} row={row} />
                  ))}
                </ol>
                <ul className="grid gap-1">
                  {posts.map(({ contentId, hook, views, leftOut }) => (
                    <li key={contentId}>
                      <Link to="/posts/$contentId" params={{ contentId }} className="underline">
                        {hook}
                      </Link>
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
