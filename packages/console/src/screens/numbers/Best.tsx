import { useQuery } from '@tanstack/react-query';
import type { Summary } from '../../manage/queries.ts';
import { contentsQuery } from '../../queries.ts';
import { manageTexts } from '../../texts/manage.ts';
import { workTexts } from '../../texts/work.ts';
import type { Content } from '../../types.ts';
import { DeckLink } from '../../ui/DeckLink.tsx';
import { Card } from '../../ui/Screen.tsx';
import { Thumbnail } from '../../ui/Thumbnail.tsx';
import { TimeInZone } from '../../ui/TimeInZone.tsx';

const words = manageTexts.numbers.best;

/** What the decks of the period brought in all, and those with the most views. */
export function Best({ decks: { posts, views, best } }: { decks: Summary['decks'] }) {
  const read = useQuery(contentsQuery(best.map(({ contentId }) => contentId))).data;
  if (posts === 0) return null;
  return (
    <Card title={words.title(posts, views.toLocaleString())}>
      <ol className="-mx-2 grid">
        {best.map(deck => (
          <Row key={deck.contentId} of={deck} content={read?.find(({ id }) => id === deck.contentId)} />
        ))}
      </ol>
    </Card>
  );
}

type RowProps = { of: Summary['decks']['best'][number]; content: Content | undefined };

function Row({ of: { contentId, hook, views, postedAt, comparedFrom }, content }: RowProps) {
  return (
    <li className="relative flex items-center gap-3 rounded-control p-2 hover:bg-well/60">
      <Thumbnail images={content?.images ?? []} />
      <span className="grid min-w-0 flex-1 gap-1">
        <DeckLink id={contentId} name={hook || workTexts.posts.untitled} />
        <span className="text-sm text-soft">
          <TimeInZone at={postedAt} />
          {comparedFrom && (
            <>
              {' · '}
              {words.comparedFrom} <TimeInZone at={comparedFrom} />
            </>
          )}
        </span>
      </span>
      <span className="font-semibold tabular-nums">{views.toLocaleString()}</span>
    </li>
  );
}
