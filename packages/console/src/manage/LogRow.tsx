import type { ReactNode } from 'react';
import { Icon } from '../ui/Icon.tsx';
import { inZone, TimeInZone } from '../ui/TimeInZone.tsx';

type Props = { picture?: ReactNode; what: ReactNode; about: string; at: string; children: ReactNode };

/** What happened, in two lines; a press opens the details. */
export function LogRow({ picture, what, about, at, children }: Props) {
  const line = 'group-open:line-clamp-none';
  return (
    <details className="group">
      <summary className="flex items-start gap-3 px-4 py-3 hover:bg-well/60">
        <Icon name="forward" className="mt-0.5 size-4 group-open:rotate-90" />
        {picture}
        <span className="grid min-w-0 flex-1 gap-0.5">
          <span className={`line-clamp-2 ${line}`}>{what}</span>
          {about && (
            <span dir="auto" className={`line-clamp-2 text-sm text-soft ${line}`}>
              {inZone(about)}
            </span>
          )}
        </span>
        <span className="text-sm text-soft">
          <TimeInZone at={at} isClock />
        </span>
      </summary>
      <div className="grid gap-2 ps-11 pe-4 pb-4 text-sm">{children}</div>
    </details>
  );
}
