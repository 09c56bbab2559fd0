import type { Bar, BarSize } from '../rules/bars.ts';
import { locale } from '../zone.ts';

type Props = {
  /** What it shows, and what a screen reader says of it. */
  label: string;
  bars: readonly Bar[];
  size: BarSize;
};

/** Each bar with its figure. Of the days below it, as many as a phone has room for. */
export function Bars({ label, bars, size }: Props) {
  const most = Math.max(...bars.map(({ value }) => value), 1);
  const named = Math.ceil(bars.length / 5);
  return (
    <figure className="m-0 grid gap-2">
      <figcaption className="text-sm text-soft">{label}</figcaption>
      <ol aria-label={label} className="flex h-44 gap-1">
        {bars.map(({ from, value }, at) => (
          <li
            key={from}
            aria-label={`${nameOf(from, size)}: ${value.toLocaleString()}`}
            title={`${nameOf(from, size)}: ${value.toLocaleString()}`}
            className="flex min-w-0 flex-1 flex-col justify-end text-xs whitespace-nowrap"
          >
            <span aria-hidden="true" className="flex justify-center tabular-nums max-[18rem]:hidden">
              {value > 0 && <span>{short(value)}</span>}
            </span>
            <span
              aria-hidden="true"
              className="shrink-0 rounded-t-sm border-b-2 border-go bg-go forced-colors:bg-[Highlight]"
              style={{ height: `${(value / most) * 7.5}rem` }}
            />
            <span aria-hidden="true" className="relative h-5 shrink-0 text-soft">
              {at % named === 0 && (
                <span className={`absolute top-1 ${at === bars.length - 1 ? 'end-0' : 'start-0'}`}>
                  {nameOf(from, size)}
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </figure>
  );
}

function nameOf(day: string, size: BarSize): string {
  const shown =
    size === 'month' ? { month: 'short' as const } : { month: 'short' as const, day: 'numeric' as const };
  return new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', ...shown }).format(Date.parse(day));
}

function short(value: number): string {
  return Intl.NumberFormat(locale(), { notation: 'compact', maximumSignificantDigits: 2 }).format(value);
}
