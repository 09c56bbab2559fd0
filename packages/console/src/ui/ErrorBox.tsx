import { useEffect, useEffectEvent, useId } from 'react';
import { ApiError, isApiError } from '../api.ts';
import { waitBeforeMs } from '../live.ts';
import { createStore } from '../store.ts';
import { texts } from '../texts/shell.ts';
import { Button } from './Button.tsx';
import { CopyButton } from './CopyButton.tsx';
import { inZone } from './TimeInZone.tsx';
import { useOnline } from './useOnline.ts';

type Props = {
  error: unknown;
  onRetry?: (() => void) | undefined;
  /** It is called only where the reason passes: a refusal would be repeated. */
  onPassed?: () => void;
  title?: string;
  /** Whoever reads it repeats it already. */
  repeatsItself?: boolean;
};

/**
 * The message of the envelope; behind Details its request id, which support asks for. A read that failed for a reason that
 * passes is repeated by itself, and all such reads on screen have one notice.
 */
export function ErrorBox({
  error,
  onRetry,
  onPassed = onRetry,
  title = texts.common.failed,
  repeatsItself = false,
}: Props) {
  if (onPassed && error instanceof ApiError && passes(error))
    return <Passing error={error} onRetry={onPassed} repeatsItself={repeatsItself} />;
  const message = inZone(error instanceof Error ? error.message : String(error));
  const requestId = isApiError(error) ? error.requestId : null;
  return (
    <div role="alert" className="grid gap-2 rounded-control border border-float/50 bg-float-wash p-4">
      <p className="font-semibold text-float-ink">{title}</p>
      <p>{message}</p>
      {onRetry && (
        <Button size="small" className="justify-self-start" onClick={onRetry}>
          {texts.common.tryAgain}
        </Button>
      )}
      {requestId && (
        <details className="text-sm">
          <summary className="w-fit pointer-coarse:py-3">{texts.common.details}</summary>
          <p className="flex flex-wrap items-center gap-2">
            {texts.common.requestId} <code className="font-mono text-xs">{requestId}</code>
            <CopyButton text={requestId} />
          </p>
        </details>
      )}
    </div>
  );
}

/** No answer, too many requests, or a server that is away. */
function passes({ status }: ApiError): boolean {
  return status === 0 || status === 429 || status >= 500;
}

/** The reads that wait for their next try. The first shows the notice of all. */
const waiting = createStore<readonly { id: string; retry: () => void }[]>([]);

type PassingProps = { error: ApiError; onRetry: () => void; repeatsItself: boolean };

function Passing({ error, onRetry, repeatsItself }: PassingProps) {
  const id = useId();
  const first = waiting.use()[0]?.id;
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    const again = () => retry();
    waiting.set([...waiting.get(), { id, retry: again }]);
    const timer = repeatsItself ? undefined : setTimeout(again, error.retryAfterMs ?? waitBeforeMs(2));
    return () => {
      clearTimeout(timer);
      waiting.set(waiting.get().filter(box => box.id !== id));
    };
  }, [error, id, repeatsItself]);
  const isOnline = useOnline();
  if (first !== id) return null;
  // The line above the screen says that there is no connection.
  if (!isOnline) return <p className="text-soft">{texts.common.waitsForConnection}</p>;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-control bg-warn-wash p-4 text-warn-ink"
    >
      <p className="flex-1 basis-60">
        {error.message} {texts.common.againByItself}
      </p>
      <Button
        size="small"
        onClick={() => {
          for (const { retry } of waiting.get()) retry();
        }}
      >
        {texts.common.tryAgain}
      </Button>
    </div>
  );
}
