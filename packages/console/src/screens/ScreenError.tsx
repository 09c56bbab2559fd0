import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { loadParts } from '../later.ts';
import { texts } from '../texts/shell.ts';
import { ErrorBox } from '../ui/ErrorBox.tsx';

const isServed = () =>
  fetch(location.href, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Drawn instead of a screen that threw, or whose files could not be loaded. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = async () => {
    // Chromium before 156 remembers a file that failed: only a new page asks for it again.
    if (!(await loadParts()) && (await isServed())) return location.reload();
    await router.invalidate();
    reset();
  };
  return (
    <div className="mx-auto grid max-w-xl gap-4 p-6">
      <h1 className="text-xl">{texts.common.screenFailed}</h1>
      <ErrorBox error={error} onRetry={() => void retry()} />
    </div>
  );
}
