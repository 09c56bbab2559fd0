import type { ReactNode } from 'react';
import { manageTexts } from '../texts/manage.ts';

/** One figure with its name, and what is left of a ceiling. */
export function Figure({ name, value, hint }: { name: string; value: ReactNode; hint?: ReactNode }) {
  return (
    <div className="grid content-start gap-1 rounded-card border border-line bg-sheet p-4">
      <p className="text-sm text-soft">{name}</p>
      <p className="font-display text-xl leading-tight tabular-nums">{value}</p>
      {hint && <div className="text-sm text-soft">{hint}</div>}
    </div>
  );
}

/** How much of a limit is used, once that is more than half. The text says it; the bar repeats it. */
export function Meter({ label, used, limit }: { label: string; used: number; limit: number }) {
  if (used * 2 <= limit) return null;
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuetext={manageTexts.manage.ofLimit(used, limit)}
      aria-valuenow={Math.min(used, limit)}
      aria-valuemin={0}
      aria-valuemax={limit}
      className="h-2.5 overflow-hidden rounded-full border border-edge bg-well"
    >
      <span
        className={`block h-full ${used > limit * 0.8 ? 'bg-float' : 'bg-go'} forced-colors:bg-[Highlight]`}
        style={{ width: `${limit === 0 ? 100 : Math.min(100, (100 * used) / limit)}%` }}
      />
    </div>
  );
}
