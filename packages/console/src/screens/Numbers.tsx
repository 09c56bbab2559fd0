import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { summaryQuery } from '../manage/queries.ts';
import { dayMs } from '../rules/durations.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import { Select } from '../ui/Field.tsx';
import { Screen } from '../ui/Screen.tsx';
import { Shown } from '../ui/Shown.tsx';
import { Best, Brought } from './numbers/Best.tsx';
import { Elsewhere } from './numbers/Elsewhere.tsx';
import { Experiments } from './numbers/Experiments.tsx';
import { Worked } from './numbers/Worked.tsx';

const words = manageTexts.numbers;
const windows = [7, 30, 90, 365] as const;

export function Numbers() {
  const [days, setDays] = useState<number>(90);
  const to = new Date().toISOString().slice(0, 10);
  const before = (count: number) => new Date(Date.parse(to) - count * dayMs).toISOString().slice(0, 10);
  return (
    <Screen
      name={texts.screens.numbers}
      lead={words.lead}
      isWide
      actions={
        <Select
          isLabelHidden
          label={words.window}
          value={days}
          onValue={value => setDays(Number(value))}
          options={windows.map(count => [count, words.days(count)])}
        />
      }
    >
      <Shown query={useQuery(summaryQuery(days))}>
        {summary => (
          <>
            <Brought decks={summary.decks} days={days} from={before(days - 1)} to={to} />
            <Worked days={days} hasNumbers={summary.decks.posts > 0} />
            <Best decks={summary.decks} />
            <Experiments />
            <Elsewhere summary={summary} days={days} from={before(days)} to={to} />
          </>
        )}
      </Shown>
    </Screen>
  );
}
