import { texts } from '../texts/shell.ts';
import { Spinner } from './Button.tsx';
import { useOnline } from './useOnline.ts';

/** Work whose end is not known. Without a connection it has not begun. */
export function Loading({ label = texts.common.loading }: { label?: string }) {
  const isOnline = useOnline();
  return (
    <div role="status" className="flex items-center justify-center gap-3 p-8 text-soft">
      {isOnline && <Spinner />}
      {isOnline ? label : texts.common.waitsForConnection}
    </div>
  );
}

/** Work that is counted. */
export function Progress({ label, done, total }: { label: string; done: number; total: number }) {
  return (
    <div className="grid gap-1.5">
      <p role="status" className="text-sm">
        {label}
      </p>
      <progress
        aria-label={label}
        value={done}
        max={total}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-well [&::-moz-progress-bar]:bg-go [&::-webkit-progress-bar]:bg-well [&::-webkit-progress-value]:bg-go"
      />
    </div>
  );
}
