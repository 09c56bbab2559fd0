import { useNavigate } from '@tanstack/react-router';
import { texts } from '../texts/shell.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';

export function NotFound() {
  const navigate = useNavigate();
  return (
    <main className="grid min-h-dvh place-items-center">
      <div>
        <h1 className="sr-only">{texts.common.notFound}</h1>
        <EmptyState
          icon="alert"
          title={texts.common.notFound}
          actions={
            <Button tone="primary" onClick={() => void navigate({ to: '/approve' })}>
              {texts.common.toApprove}
            </Button>
          }
        >
          {texts.common.notFoundBody}
        </EmptyState>
      </div>
    </main>
  );
}

/** Drawn instead of a screen that threw, or whose files were replaced by those of a newer version. */
export function ScreenError({ error }: { error: unknown }) {
  return (
    <div className="mx-auto grid max-w-xl gap-4 p-6">
      <h1 className="text-xl">{texts.common.screenFailed}</h1>
      <ErrorBox error={error} />
      <div>
        <Button tone="primary" onClick={() => location.reload()}>
          {texts.common.reload}
        </Button>
      </div>
    </div>
  );
}
