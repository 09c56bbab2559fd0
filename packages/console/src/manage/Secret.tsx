import { useEffect } from 'react';
import { manageTexts } from '../texts/manage.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';

type Props = { title: string; lead: string; secret: string; onClose: () => void };

/** A text that the server answers once and never again: the browser asks before it is left. */
export function SecretDialog({ title, lead, secret, onClose }: Props) {
  useEffect(() => {
    const ask = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      byButtonOnly
      actions={
        <Button tone="primary" onClick={onClose}>
          {manageTexts.manage.stored}
        </Button>
      }
    >
      <p className="text-soft">{lead}</p>
      <div className="flex flex-wrap items-center gap-3 rounded-control bg-well p-3">
        <code className="min-w-0 flex-1 font-mono text-sm whitespace-pre-line">{secret}</code>
        <CopyButton text={secret} />
      </div>
    </Dialog>
  );
}
