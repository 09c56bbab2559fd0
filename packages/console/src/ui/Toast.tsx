import { isApiError } from '../api.ts';
import { createStore } from '../store.ts';
import { texts } from '../texts/shell.ts';
import { Button } from './Button.tsx';
import { CopyButton } from './CopyButton.tsx';
import { Icon } from './Icon.tsx';
import { inZone } from './TimeInZone.tsx';

/** A line at the lower edge. A new one replaces the one before in its slot. */
export type ToastContent = {
  text: string;
  /** A second line, cut at the edge. */
  detail?: string;
  slot?: string;
  tone?: 'normal' | 'problem';
  /** Pressing one closes the toast. */
  actions?: readonly { label: string; onPress: () => void }[];
  /** It names the answer that this is about and has a copy button. */
  requestId?: string | null;
  /** Shows the time that is left before something is sent. */
  drains?: boolean;
  /** Default 6 s; null stays until it is closed or replaced. */
  forMs?: number | null;
};

type Toast = ToastContent & { key: number };

const toasts = createStore<readonly Toast[]>([]);
let count = 0;
const keepThose = (isKept: (toast: Toast) => boolean) => toasts.set(toasts.get().filter(isKept));

export function showToast(content: ToastContent): void {
  count += 1;
  const key = count;
  toasts.set([...toasts.get().filter(({ slot }) => slot !== content.slot), { ...content, key }]);
  const { forMs = 6_000 } = content;
  if (forMs !== null) setTimeout(() => keepThose(toast => toast.key !== key), forMs);
}

/** What a server refused, where no `ErrorBox` has a place. It stays until it is closed, also beside another one. */
export function showProblem(error: unknown): void {
  const text = inZone(error instanceof Error ? error.message : String(error));
  showToast({
    text,
    slot: text,
    tone: 'problem',
    requestId: isApiError(error) ? error.requestId : null,
    forMs: null,
  });
}

/** @param slot without it, all are closed */
export function closeToasts(slot?: string): void {
  keepThose(toast => slot !== undefined && toast.slot !== slot);
}

/** Rendered once, by the layout: above the buttons of a decision, and on a desktop beside them. */
export function ToastArea() {
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-[calc(var(--bar)+5.75rem)] z-30 grid justify-items-center gap-1.5 px-3 lg:right-auto lg:left-60 lg:w-112"
    >
      {toasts.use().map(({ key, text, detail, tone, actions = [], requestId, drains }) => {
        const close = () => keepThose(toast => toast.key !== key);
        return (
          <div
            key={key}
            className={`pointer-events-auto relative flex w-full max-w-md flex-wrap items-center gap-2 overflow-hidden rounded-control py-2 ps-4 pe-2 shadow-lift ${tone === 'problem' ? 'bg-float text-on-float' : 'bg-deep text-on-deep dark:border dark:border-line'}`}
          >
            <div className="grid min-w-0 flex-1 basis-24 grid-cols-[minmax(0,1fr)] gap-1 text-sm font-medium">
              <p>
                {text}
                {detail && (
                  <span dir="auto" className="block truncate text-xs font-normal">
                    {detail}
                  </span>
                )}
              </p>
              {requestId && (
                <p className="flex flex-wrap items-center gap-2">
                  <span>
                    {texts.common.requestId} <code className="font-mono text-xs">{requestId}</code>
                  </span>
                  <CopyButton text={requestId} className={onToast} />
                </p>
              )}
            </div>
            {actions.map(({ label, onPress }) => (
              <Button
                key={label}
                size="small"
                className={onToast}
                onClick={() => {
                  close();
                  onPress();
                }}
              >
                {label}
              </Button>
            ))}
            <Button
              size="small"
              tone="quiet"
              className={`ms-auto !text-inherit hover:!bg-white/15 !px-2 ${drains ? 'max-sm:hidden' : ''}`}
              aria-label={texts.common.close}
              onClick={close}
              icon={<Icon name="cross" className="size-4" />}
            />
            {drains && <span aria-hidden="true" className="drain absolute inset-x-0 bottom-0 h-1 bg-float" />}
          </div>
        );
      })}
    </div>
  );
}

const onToast =
  '!whitespace-normal wrap-anywhere !border-current !bg-transparent !text-inherit hover:!bg-white/15';
