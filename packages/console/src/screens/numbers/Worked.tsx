import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { decksQuery } from '../../manage/queries.ts';
import { useMe } from '../../me.ts';
import { toCsv } from '../../rules/csv.ts';
import { tryNext } from '../../rules/try-next.ts';
import { manageTexts } from '../../texts/manage.ts';
import type { DeckComparison } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Select } from '../../ui/Field.tsx';
import { Card } from '../../ui/Screen.tsx';
import { Shown } from '../../ui/Shown.tsx';
import { useZone } from '../../ui/TimeInZone.tsx';

const words = manageTexts.numbers.worked;
const shownMax = 10;

type Props = {
  days: number;
  /** Some deck has numbers, if only such as are not compared. */
  hasNumbers: boolean;
};

/** What decks brought: what worked, what did not, and what to try next. */
export function Worked({ days, hasNumbers }: Props) {
  const zone = useZone();
  const { canEdit } = useMe();
  const toPosts = canEdit && (
    <Link
      to="/posts"
      search={{ state: 'posted' }}
      className="inline-flex min-h-11 items-center rounded-control border border-edge/60 bg-sheet px-4 font-semibold text-ink hover:bg-well"
    >
      {words.toPosts}
    </Link>
  );
  return (
    <Shown query={useQuery(decksQuery(days, zone))}>
      {rows =>
        rows.length === 0 && hasNumbers ? (
          <p className="flex flex-wrap items-center justify-between gap-3 text-soft">
            {words.waits}
            {toPosts}
          </p>
        ) : rows.length === 0 ? (
          <EmptyState icon="numbers" title={words.empty} actions={toPosts}>
            <p>{words.emptyBody}</p>
          </EmptyState>
        ) : (
          <>
            <Answers rows={rows} />
            <Kinds rows={rows} />
          </>
        )
      }
    </Shown>
  );
}

function Answers({ rows }: { rows: readonly DeckComparison[] }) {
  const sayings = (verdict: DeckComparison['verdict']) =>
    rows
      .filter(row => row.verdict === verdict)
      .map(row => words.brought(words.kinds[row.of], valueName(row), row.lift));
  const advice = tryNext(rows).map(({ why, row }) => words.advice[why](words.kinds[row.of], valueName(row)));
  return (
    <div className="grid gap-4 lg:grid-cols-3">
      <Answer title={words.better} says={sayings('better')} />
      <Answer title={words.worse} says={sayings('worse')} />
      <Answer title={words.next} says={advice} />
    </div>
  );
}

function Answer({ title, says }: { title: string; says: readonly string[] }) {
  return (
    <Card title={title}>
      {says.length === 0 ? (
        <p className="text-soft">{words.tooEarly}</p>
      ) : (
        <ul className="grid gap-2">
          {says.slice(0, shownMax).map(one => (
            <li key={one} className="break-words">
              {one}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Kinds({ rows }: { rows: readonly DeckComparison[] }) {
  const [kind, setKind] = useState<DeckComparison['of']>('archetype');
  const kinds = [...new Set(rows.map(({ of }) => of))];
  const ofKind = rows.filter(({ of }) => of === kind);
  const shown = ofKind.filter((_, at) => at < shownMax || at >= ofKind.length - shownMax);
  return (
    <Card title={words.compared}>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Select
          label={words.by}
          value={kind}
          onValue={value => setKind(value as DeckComparison['of'])}
          options={kinds.map(of => [of, words.kinds[of]])}
        />
        <Button onClick={() => save(rows)}>{words.csv}</Button>
      </div>
      <ol className="grid gap-4 text-sm">
        {shown.map(row => (
          <Compared key={row.value} row={row} />
        ))}
      </ol>
      <p className="text-sm text-soft">{words.method}</p>
    </Card>
  );
}

export function Compared({ row }: { row: DeckComparison }) {
  return (
    <li className="grid gap-1">
      <span className="flex justify-between gap-4">
        <span dir="auto" className="min-w-0 break-words">
          {valueName(row)}
        </span>
        <span className="font-semibold whitespace-nowrap tabular-nums">{words.times(row.lift)}</span>
      </span>
      <Interval row={row} />
      <span className="text-soft">
        {words.verdicts[row.verdict]} · {words.range(row.low, row.high)} ·{' '}
        {words.decks(row.decks, row.views.toLocaleString())}
      </span>
    </li>
  );
}

/** From a quarter to four times the views; the middle is once. */
const placeOf = (lift: number) => `${Math.min(100, Math.max(0, 50 + 25 * Math.log2(lift)))}%`;
const tones = { better: 'bg-go', worse: 'bg-float', no_difference: 'bg-soft', too_early: 'bg-edge' } as const;

function Interval({ row: { low, lift, high, verdict } }: { row: DeckComparison }) {
  return (
    <span aria-hidden="true" className="relative block h-4 rounded-full bg-well">
      <span className="absolute inset-y-0 start-1/2 w-px bg-edge" />
      <span
        className={`absolute inset-y-1.5 rounded-full ${tones[verdict]}`}
        style={{ insetInlineStart: placeOf(low), insetInlineEnd: `calc(100% - ${placeOf(high)})` }}
      />
      <span
        className={`absolute top-0.5 size-3 -translate-x-1/2 rounded-full rtl:translate-x-1/2 ${tones[verdict]}`}
        style={{ insetInlineStart: placeOf(lift) }}
      />
    </span>
  );
}

const languages = new Intl.DisplayNames('en', { type: 'language' });

function valueName({ of, value }: DeckComparison): string {
  if (of === 'hour') return `${value}:00`;
  if (of === 'language') return languages.of(value) ?? value;
  if (of === 'hook') return value;
  return words.values[value] ?? value.replaceAll('_', ' ');
}

const columns = ['of', 'value', 'decks', 'views', 'typicalViews', 'lift', 'low', 'high', 'verdict'] as const;

function save(rows: readonly DeckComparison[]): void {
  const link = document.createElement('a');
  const table = rows.map(({ contentIds: _, ...row }) => row);
  // Without the mark, Excel reads it in the code page of Windows.
  link.href = URL.createObjectURL(new Blob(['\ufeff', toCsv(columns, table)], { type: 'text/csv' }));
  link.download = 'decks.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}
