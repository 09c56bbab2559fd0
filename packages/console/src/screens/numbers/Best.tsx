import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Bars } from '../../manage/Bars.tsx';
import type { Summary } from '../../manage/queries.ts';
import { contentsQuery } from '../../queries.ts';
import { barsOf, sizeFor } from '../../rules/bars.ts';
import { manageTexts } from '../../texts/manage.ts';
import { workTexts } from '../../texts/work.ts';
import type { Content } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { DeckLink } from '../../ui/DeckLink.tsx';
import { Card } from '../../ui/Screen.tsx';
import { Thumbnail } from '../../ui/Thumbnail.tsx';
import { TimeInZone } from '../../ui/TimeInZone.tsx';

const words = manageTexts.numbers.best;
const names = ['likes', 'comments', 'shares', 'saves'] as const;
const shownFirst = 5;

type Props = { decks: Summary['decks'] };

/** What the decks of the period brought in all, and when. */
export function Brought({ decks, days, from, to }: Props & { days: number; from: string; to: string }) {
  const size = sizeFor(days);
  if (decks.posts === 0) return null;
  return (
    <Card title={words.title(decks.posts, decks.views.toLocaleString())}>
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        {names.map(name => (
          <div key={name} className="flex flex-col-reverse">
            <dt className="text-sm text-soft">{workTexts.results[name]}</dt>
            <dd className="text-lg font-semibold tabular-nums">{decks[name]?.toLocaleString() ?? '–'}</dd>
          </div>
        ))}
      </dl>
      <Bars label={words.chart[size]} bars={barsOf(decks.days, { from, to, size })} size={size} />
    </Card>
  );
}

/** The decks of the period with the most views. */
export function Best({ decks: { best } }: Props) {
  const [isWhole, setWhole] = useState(false);
  const read = useQuery(contentsQuery(best.map(({ contentId }) => contentId))).data;
  if (best.length === 0) return null;
  return (
    <Card title={words.most}>
      <ol className="-mx-2 grid">
        {best.slice(0, isWhole ? best.length : shownFirst).map(deck => (
          <Row key={deck.contentId} of={deck} content={read?.find(({ id }) => id === deck.contentId)} />
        ))}
      </ol>
      {!isWhole && best.length > shownFirst && (
        <Button size="small" className="justify-self-start" onClick={() => setWhole(true)}>
          {words.whole(best.length)}
        </Button>
      )}
    </Card>
  );
}

type RowProps = { of: Summary['decks']['best'][number]; content: Content | undefined };

function Row({ of: deck, content }: RowProps) {
  const told = names.flatMap(name => {
    const count = deck[name];
    return count === null ? [] : `${count.toLocaleString()} ${workTexts.results[name].toLowerCase()}`;
  });
  return (
    <li className="relative flex items-center gap-3 rounded-control p-2 hover:bg-well/60">
      <Thumbnail images={content?.images ?? []} />
      <span className="grid min-w-0 flex-1 gap-1">
        <DeckLink id={deck.contentId} name={deck.hook || workTexts.posts.untitled} />
        <span className="text-sm text-soft">
          <TimeInZone at={deck.postedAt} />
          {told.length > 0 && ` · ${told.join(' · ')}`}
          {deck.comparedFrom && (
            <>
              {' · '}
              {words.comparedFrom} <TimeInZone at={deck.comparedFrom} />
            </>
          )}
        </span>
      </span>
      <span className="font-semibold tabular-nums">{deck.views.toLocaleString()}</span>
    </li>
  );
}
