import { isApiError } from '../api.ts';
import { texts } from '../texts/shell.ts';
import { Button } from './Button.tsx';
import { CopyButton } from './CopyButton.tsx';

type Props = { error: unknown; onRetry?: (() => void) | undefined; title?: string };

/** The message of the envelope with its request id, which support asks for. */
export function ErrorBox({ error, onRetry, title = texts.common.failed }: Props) {
  const message = error instanceof Error ? error.message : String(error);
  const requestId = isApiError(error) ? error.requestId : null;
  return (
    <div role="alert" className="grid gap-2 rounded-control border border-float/50 bg-float-wash p-4">
      <p className="font-semibold text-float-ink">{title}</p>
      <p>{message}</p>
      <div className="flex flex-wrap items-center gap-2">
        {onRetry && (
          <Button size="small" onClick={onRetry}>
            {texts.common.tryAgain}
          </Button>
        )}
        {requestId && (
          <>
            <span className="text-sm">
              {texts.common.requestId} <code className="font-mono text-xs">{requestId}</code>
            </span>
            <CopyButton text={requestId} />
          </>
        )}
      </div>
    </div>
  );
}
