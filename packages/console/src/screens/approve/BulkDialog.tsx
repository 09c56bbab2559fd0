import { useState } from 'react';
import { api, newKey } from '../../api.ts';
import { queryClient } from '../../queries.ts';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import type { Content } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { Progress } from '../../ui/Progress.tsx';
import { showToast } from '../../ui/Toast.tsx';

type Props = { decks: readonly Content[]; onClose: () => void };

/** Approves decks one after the other, each in the version that was seen. Stops at the first refusal. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function BulkDialog({ decks, onClose }: Props) {
  // The list as it was when the dialog opened: what is approved leaves the queue behind it.
  const [chosen] = useState(decks);
  const [done, setDone] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const words = workTexts.approve;
  const isRunning = done !== null && error === null;

  const approveAll = async () => {
    setError(null);
    let count = done ?? 0;
    setDone(count);
    try {
      for (const { id, version } of chosen.slice(count)) {
        await api.post(`/content/${id}/approve`, { version }, { key: newKey() });
        count += 1;
        setDone(count);
      }
      showToast({ text: words.bulkDone(count) });
      onClose();
    } catch (failure) {
      setError(failure);
    }
    await queryClient.invalidateQueries({ queryKey: ['content'] });
  };

  return (
    <Dialog
      title={words.bulkTitle(chosen.length)}
      onClose={() => isRunning || onClose()}
      actions={
        <>
          <Button disabled={isRunning} onClick={onClose}>
            {texts.common.cancel}
          </Button>
          <Button tone="go" busy={isRunning} onClick={() => void approveAll()}>
            {texts.common.approve}
          </Button>
        </>
      }
    >
      <p className="text-soft">{words.bulkLead}</p>
      <ul className="grid max-h-60 gap-1 overflow-y-auto">
        {chosen.map(({ id, result }) => (
          <li key={id} className="border-b border-line py-1.5">
            {result?.hook}
          </li>
        ))}
      </ul>
      {done !== null && (
        <Progress label={words.bulkRunning(done, chosen.length)} done={done} total={chosen.length} />
      )}
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}
