import { hasEqualTimes } from '@hookline/shared/contracts/equal-times';
import { manageTexts } from '../texts/manage.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ClockField } from '../ui/LocalTime.tsx';
import { isClock } from '../zone.ts';
import { nextTime, type Weekday, weekdays } from './plan.ts';
import type { PostingTime } from './queries.ts';

const words = manageTexts.automations;
const postingTimesMax = 50;

export function areComplete(times: readonly PostingTime[]): boolean {
  return times.every(({ time, days }) => isClock(time) && days.length > 0) && !hasEqualTimes(times);
}

type Props = {
  times: readonly PostingTime[];
  onChange: (times: readonly PostingTime[]) => void;
  /** Without it the last time cannot be removed. */
  mayBeEmpty?: boolean;
};

export function PostingTimes({ times, onChange, mayBeEmpty = false }: Props) {
  const change = (at: number, changed: Partial<PostingTime>) =>
    onChange(times.map((given, index) => (index === at ? { ...given, ...changed } : given)));
  return (
    <>
      {times.map(({ time, days }, index) => (
        <div key={index} className="grid gap-3 rounded-control border border-line p-3">
          <div className="flex items-end gap-3">
            <ClockField
              label={words.time(index + 1)}
              required
              value={time}
              onChange={typed => change(index, { time: typed })}
            />
            {(mayBeEmpty || times.length > 1) && (
              <Button
                tone="quiet"
                aria-label={words.removeTime(index + 1)}
                onClick={() => onChange(times.filter((_, at) => at !== index))}
                icon={<Icon name="cross" />}
              />
            )}
          </div>
          <Days
            label={`${words.days} ${index + 1}`}
            days={days}
            onChange={changed => change(index, { days: changed })}
          />
        </div>
      ))}
      {hasEqualTimes(times) && (
        <p role="alert" className="text-sm font-medium text-float-ink">
          {words.twice}
        </p>
      )}
      {times.length < postingTimesMax && (
        <div>
          <Button
            size="small"
            onClick={() => onChange([...times, { time: nextTime(times), days: [...weekdays] }])}
            icon={<Icon name="plus" />}
          >
            {words.addTime}
          </Button>
        </div>
      )}
    </>
  );
}

type DaysProps = { label: string; days: readonly Weekday[]; onChange: (days: Weekday[]) => void };

function Days({ label, days, onChange }: DaysProps) {
  return (
    <fieldset aria-label={label} className="flex flex-wrap gap-2">
      {weekdays.map(day => (
        <label
          key={day}
          className="inline-flex min-h-9 items-center rounded-full border border-edge/60 px-3 text-sm font-medium has-checked:border-go has-checked:bg-go-wash has-checked:text-go-ink has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
        >
          <input
            type="checkbox"
            className="sr-only"
            checked={days.includes(day)}
            onChange={event =>
              onChange(
                weekdays.filter(given => (given === day ? event.target.checked : days.includes(given))),
              )
            }
          />
          {words.weekdays[day]}
        </label>
      ))}
    </fieldset>
  );
}
