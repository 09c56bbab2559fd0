import { type ReactNode, useSyncExternalStore } from 'react';
import { isApiError } from '../api.ts';
import { texts } from '../texts/shell.ts';
import { Button } from './Button.tsx';
import { CopyButton } from './CopyButton.tsx';
import { Icon } from './Icon.tsx';

/** One line at the lower edge. A new one replaces the one before. */
export type ToastContent = {
  text: string;
  tone?: 'normal' | 'problem';
  /** Buttons, such as Undo. */
  actions?: ReactNode;
  /** Of the answer that this is about; shown with a copy button. */
  requestId?: string | null;
  /** Shows the time that is left before something is sent. */
  drains?: boolean;
  /** Default 6 s; null stays until it is closed or replaced. */
  forMs?: number | null;
};

let current: (ToastContent & { id: number }) | null = null;
let count = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function change(next: typeof current): void {
  current = next;
  for (const listener of listeners) listener();
}

/** @returns closes it, if it is still the one shown */
export function showToast(content: ToastContent): () => void {
  count += 1;
  const id = count;
  clearTimeout(timer);
  change({ ...content, id });
  const close = () => {
    if (current?.id === id) change(null);
  };
  const { forMs = 6_000 } = content;
  if (forMs !== null) timer = setTimeout(close, forMs);
  return close;
}

/** What a server refused, where no `ErrorBox` has a place. It stays until it is closed or replaced. */
export function showProblem(error: unknown): () => void {
  return showToast({
    text: error instanceof Error ? error.message : String(error),
    tone: 'problem',
    requestId: isApiError(error) ? error.requestId : null,
    forMs: null,
  });
}

export function closeToast(): void {
  change(null);
}

/** Rendered once, by the layout. */
export function ToastArea({ className = '' }: { className?: string }) {
  const toast = useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
  return (
    <div
      role="status"
      aria-live="polite"
      className={`pointer-events-none fixed inset-x-0 z-30 flex justify-center px-3 ${className}`}
    >
      {toast && (
        <div
          key={toast.id}
          className={`pointer-events-auto relative flex w-full max-w-md items-center gap-2 overflow-hidden rounded-control py-2 ps-4 pe-2 shadow-lift ${toast.tone === 'problem' ? 'bg-float text-on-float' : 'bg-deep text-on-deep dark:border dark:border-line'}`}
        >
          <div className="grid min-w-0 flex-1 gap-1 text-sm font-medium">
            <p>{toast.text}</p>
            {toast.requestId && (
              <p className="flex flex-wrap items-center gap-2">
                <span>
                  {texts.common.requestId} <code className="font-mono text-xs">{toast.requestId}</code>
                </span>
                <CopyButton text={toast.requestId} className={onToast} />
              </p>
            )}
          </div>
          {toast.actions}
          <Button
            size="small"
            tone="quiet"
            className="!text-inherit hover:!bg-white/15 !px-2"
            aria-label={texts.common.close}
            onClick={closeToast}
            icon={<Icon name="cross" className="size-4" />}
          />
          {toast.drains && (
            <span aria-hidden="true" className="drain absolute inset-x-0 bottom-0 h-1 bg-float" />
          )}
        </div>
      )}
    </div>
  );
}

const onToast = '!border-current !bg-transparent !text-inherit hover:!bg-white/15';

/** A button that fits on a toast. */
export function ToastButton({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <Button size="small" className={onToast} onClick={onClick}>
      {children}
    </Button>
  );
}
