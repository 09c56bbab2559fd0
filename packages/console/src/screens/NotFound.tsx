import { useNavigate } from '@tanstack/react-router';
import { doorTexts } from '../texts/door.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';

const words = doorTexts.notFound;

export function NotFound() {
  const navigate = useNavigate();
  return (
    <main className="grid min-h-dvh place-items-center">
      <div>
        <h1 className="sr-only">{words.title}</h1>
        <EmptyState
          icon="alert"
          title={words.title}
          actions={
            <Button tone="primary" onClick={() => void navigate({ to: '/approve' })}>
              {words.toApprove}
            </Button>
          }
        >
          {words.body}
        </EmptyState>
      </div>
    </main>
  );
}
