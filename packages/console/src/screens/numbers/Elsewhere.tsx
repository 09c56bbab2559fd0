import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Bars } from '../../manage/Bars.tsx';
import { Figure } from '../../manage/Facts.tsx';
import { type DayRow, numbersList, type PostRow, type Summary, seriesQuery } from '../../manage/queries.ts';
import { rowsOf } from '../../queries.ts';
import { barsOf, sizeFor } from '../../rules/bars.ts';
import { manageTexts } from '../../texts/manage.ts';
import { Select } from '../../ui/Field.tsx';
import { Pages, Table } from '../../ui/List.tsx';
import { Card } from '../../ui/Screen.tsx';
import { Shown } from '../../ui/Shown.tsx';
import { TimeInZone } from '../../ui/TimeInZone.tsx';

const words = manageTexts.numbers;

type Props = { summary: Summary; days: number; from: string; to: string };

/** The posts on Instagram and YouTube. */
export function Elsewhere({ summary, days, from, to }: Props) {
  const [platform, setPlatform] = useState('');
  const query = useInfiniteQuery(numbersList(platform));
  return (
    <section className="grid gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 className="text-lg">{words.elsewhere}</h2>
        {(platform !== '' || rowsOf(query).length > 0) && (
          <Select
            isLabelHidden
            label={words.platform}
            value={platform}
            onValue={setPlatform}
            none={words.allPlatforms}
            options={(['instagram', 'youtube'] as const).map(name => [name, words.platforms[name]])}
          />
        )}
      </div>
      <Totals summary={summary} platform={platform} />
      <Shown query={useQuery(seriesQuery(from, to, platform || undefined))}>
        {totals => <Days totals={totals} days={days} to={to} />}
      </Shown>
      <Pages query={query} empty={<p className="text-soft">{words.emptyBody}</p>}>
        {rows => <Posts rows={rows} />}
      </Pages>
    </section>
  );
}

function Totals({ summary, platform }: { summary: Summary; platform: string }) {
  const { totals, byPlatform } = summary;
  if (totals.posts === 0) return null;
  const shown = platform === '' ? totals : byPlatform[platform as keyof typeof byPlatform];
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {(['views', 'likes', 'comments', 'posts'] as const).map(name => (
        <Figure key={name} name={words[name]} value={shown[name].toLocaleString()} />
      ))}
    </div>
  );
}

/** What each day added. A platform may correct a number downwards; no day takes views away. */
function gainsOf(totals: readonly DayRow[]): DayRow[] {
  return totals.slice(1).map((row, index) => {
    const before = totals[index] ?? row;
    const gain = (name: 'views' | 'likes' | 'comments') => Math.max(row[name] - before[name], 0);
    return { day: row.day, views: gain('views'), likes: gain('likes'), comments: gain('comments') };
  });
}

function Days({ totals, days, to }: { totals: readonly DayRow[]; days: number; to: string }) {
  const rows = gainsOf(totals);
  const size = sizeFor(days);
  // An empty chart says less than the empty list below.
  if (rows.every(({ views, likes, comments }) => views + likes + comments === 0)) return null;
  return (
    <Card>
      <Bars
        label={words.gained[size]}
        bars={barsOf(rows, { from: rows[0]?.day ?? to, to, size })}
        size={size}
      />
      <details>
        <summary className="text-sm text-soft">{words.asTable}</summary>
        <div className="mt-3">
          <Table
            label={words.byDay}
            rows={rows.toReversed()}
            keyOf={({ day }) => day}
            columns={[
              { name: words.day, cell: row => row.day },
              { name: words.views, isNumber: true, cell: row => row.views.toLocaleString() },
              { name: words.likes, isNumber: true, cell: row => row.likes.toLocaleString() },
              { name: words.comments, isNumber: true, cell: row => row.comments.toLocaleString() },
            ]}
          />
        </div>
      </details>
    </Card>
  );
}

function Posts({ rows }: { rows: readonly PostRow[] }) {
  return (
    <Table
      label={words.byPost}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { name: words.post, cell: row => row.videoId },
        { name: words.platform, cell: row => words.platforms[row.platform] ?? row.platform },
        { name: words.published, cell: row => row.publishedAt && <TimeInZone at={row.publishedAt} /> },
        { name: words.views, isNumber: true, cell: row => row.views?.toLocaleString() },
        { name: words.likes, isNumber: true, cell: row => row.likes?.toLocaleString() },
        { name: words.comments, isNumber: true, cell: row => row.comments?.toLocaleString() },
      ]}
    />
  );
}
