import type { ReactNode } from 'react';

export type BadgeTone = 'quiet' | 'wait' | 'good' | 'bad' | 'warn';

const tones: Readonly<Record<BadgeTone, string>> = {
  quiet: 'bg-well text-soft',
  wait: 'bg-warn-wash text-warn-ink',
  good: 'bg-go-wash text-go-ink',
  bad: 'bg-float-wash text-float-ink',
  warn: 'bg-warn-wash text-warn-ink',
};

/** The state of a record. The text says it; the colour only repeats it. */
export function Badge({ tone = 'quiet', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center rounded-full px-2.5 py-0.5 text-xs font-semibold whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  );
}
