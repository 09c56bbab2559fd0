import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Chart } from '../manage/Chart.tsx';
import { Figure } from '../manage/Facts.tsx';
import {
  type DayRow,
  numbersList,
  type PostRow,
  type Summary,
  seriesQuery,
  summaryQuery,
} from '../manage/queries.ts';
import { dayMs } from '../rules/durations.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import { Select } from '../ui/Field.tsx';
import { Pages, Table } from '../ui/List.tsx';
import { Card, Screen } from '../ui/Screen.tsx';
import { Shown } from '../ui/Shown.tsx';
import { TimeInZone } from '../ui/TimeInZone.tsx';
import { Best } from './numbers/Best.tsx';
import { Experiments } from './numbers/Experiments.tsx';
import { Worked } from './numbers/Worked.tsx';

const words = manageTexts.numbers;
const windows = [7, 30, 90, 365] as const;

export function Numbers() {
  const [days, setDays] = useState<number>(90);
  const [platform, setPlatform] = useState('');
  const to = new Date().toISOString().slice(0, 10);
  const from = new Date(Date.parse(to) - days * dayMs).toISOString().slice(0, 10);
  return (
    <Screen name={texts.screens.numbers} lead={words.lead} isWide>
      <div className="grid max-w-lg grid-cols-2 gap-4">
        <Select label={words.window} value={days} onChange={event => setDays(Number(event.target.value))}>
          {windows.map(count => (
            <option key={count} value={count}>
              {words.days(count)}
            </option>
          ))}
        </Select>
        <Select label={words.platform} value={platform} onChange={event => setPlatform(event.target.value)}>
          <option value="">{words.allPlatforms}</option>
          {(['instagram', 'youtube'] as const).map(name => (
            <option key={name} value={name}>
              {words.platforms[name]}
            </option>
          ))}
        </Select>
      </div>
      <Shown query={useQuery(summaryQuery(days))}>
        {summary => (
          <>
            <Best decks={summary.decks} />
            <Worked days={days} hasNumbers={summary.decks.posts > 0} />
            <Experiments />
            <Totals summary={summary} platform={platform} />
          </>
        )}
      </Shown>
      <Shown query={useQuery(seriesQuery(from, to, platform || undefined))}>
        {totals => <Days totals={totals} from={from} to={to} />}
      </Shown>
      <Posts platform={platform} />
    </Screen>
  );
}

function Totals({ summary, platform }: { summary: Summary; platform: string }) {
  const { totals, byPlatform } = summary;
  if (totals.posts === 0) return null;
  const shown = platform === '' ? totals : byPlatform[platform as keyof typeof byPlatform];
  return (
    <section className="grid gap-3">
      <h2 className="text-lg">{words.elsewhere}</h2>
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {(['views', 'likes', 'comments', 'posts'] as const).map(name => (
          <Figure key={name} name={words[name]} value={shown[name].toLocaleString()} />
        ))}
      </div>
    </section>
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

function Days({ totals, from, to }: { totals: readonly DayRow[]; from: string; to: string }) {
  const rows = useMemo(() => gainsOf(totals), [totals]);
  const at = useMemo(() => rows.map(({ day }) => Date.parse(day) / 1_000), [rows]);
  const views = useMemo(
    () => [{ name: words.views, values: rows.map(row => row.views), color: 'go' as const }],
    [rows],
  );
  const engagement = useMemo(
    () => [
      { name: words.likes, values: rows.map(row => row.likes), color: 'float' as const },
      { name: words.comments, values: rows.map(row => row.comments), color: 'focus' as const },
    ],
    [rows],
  );
  // An empty chart says less than the empty list below.
  if (rows.every(({ views, likes, comments }) => views + likes + comments === 0)) return null;
  const sum = (value: (row: DayRow) => number) => rows.reduce((total, row) => total + value(row), 0);
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-2">
        <Card title={words.byDay}>
          <Chart
            label={words.chart(
              words.views,
              from,
              to,
              sum(row => row.views),
            )}
            days={at}
            series={views}
          />
        </Card>
        <Card title={words.engagementByDay}>
          <Chart
            label={words.chart(
              words.engagementByDay,
              from,
              to,
              sum(row => row.likes + row.comments),
            )}
            days={at}
            series={engagement}
          />
        </Card>
      </div>
      <details>
        <summary className="text-sm text-soft">{words.asTable}</summary>
        <div className="mt-3">
          <Table
            label={words.byDay}
            rows={[...rows].reverse()}
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
    </>
  );
}

const barsMax = 10;

/** The posts with the most views among those listed; the table below has the figures of each. */
function Bars({ rows }: { rows: readonly PostRow[] }) {
  const shown = rows
    .map(({ id, videoId, views }) => ({ id, videoId, views: views ?? 0 }))
    .filter(({ views }) => views > 0)
    .sort((a, b) => b.views - a.views)
    .slice(0, barsMax);
  const most = shown[0]?.views ?? 0;
  if (shown.length < 2) return null;
  return (
    <Card title={words.mostViews}>
      <ol className="grid gap-2 text-sm">
        {shown.map(({ id, videoId, views }) => (
          <li key={id} className="grid gap-1">
            <span className="flex justify-between gap-4">
              <span className="min-w-0 truncate">{videoId}</span>
              <span className="font-semibold tabular-nums">{views.toLocaleString()}</span>
            </span>
            <span aria-hidden="true" className="h-3 rounded-full bg-well">
              <span
                className="block h-full rounded-full bg-go"
                style={{ width: `${(views / most) * 100}%` }}
              />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Posts({ platform }: { platform: string }) {
  const query = useInfiniteQuery(numbersList(platform));
  return (
    <section className="grid gap-3">
      <h2 className="text-lg">{words.byPost}</h2>
      <Pages query={query} empty={<p className="text-soft">{words.emptyBody}</p>}>
        {rows => (
          <>
            <Bars rows={rows} />
            <Table
              label={words.byPost}
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                { name: words.post, cell: row => row.videoId },
                { name: words.platform, cell: row => words.platforms[row.platform] ?? row.platform },
                {
                  name: words.published,
                  cell: row => row.publishedAt && <TimeInZone at={row.publishedAt} />,
                },
                { name: words.views, isNumber: true, cell: row => row.views?.toLocaleString() },
                { name: words.likes, isNumber: true, cell: row => row.likes?.toLocaleString() },
                { name: words.comments, isNumber: true, cell: row => row.comments?.toLocaleString() },
              ]}
            />
          </>
        )}
      </Pages>
    </section>
  );
}
