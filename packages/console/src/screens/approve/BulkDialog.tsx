import { useState } from 'react';
import { api, isApiError, newKey } from '../../api.ts';
import { dropFromQueue, queryClient } from '../../queries.ts';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import type { Content } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { Progress } from '../../ui/Progress.tsx';
import { showToast } from '../../ui/Toast.tsx';

const reasonMax = 500;

type Chosen = Content & { key: string };
type Props = {
  kind: 'approve' | 'reject';
  decks: readonly Content[];
  onDecided: (id: string) => void;
  onClose: () => void;
};

/**
 * Decides on decks one after the other, each in the version that was seen. A refused one is named and skipped.
 */
export function BulkDialog({ kind, decks, onDecided, onClose }: Props) {
  // The list as it was when the dialog opened: what is decided leaves the queue behind it.
  const [chosen] = useState(() => decks.map(deck => ({ ...deck, key: newKey() })));
  const [done, setDone] = useState<number | null>(null);
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const [error, setError] = useState<unknown>(null);
  const [reason, setReason] = useState('');
  const words = workTexts.approve.bulk[kind];
  const isFinished = done === chosen.length;
  const isRunning = done !== null && error === null && !isFinished;

  const decideAll = async () => {
    setError(null);
    let count = done ?? 0;
    setDone(count);
    const reasons = new Map(refused);
    try {
      for (const deck of chosen.slice(count)) {
        const refusal = await decideOne(deck, kind, reason.trim());
        if (refusal === null) {
          dropFromQueue(deck.id);
          onDecided(deck.id);
        } else setRefused(new Map(reasons.set(deck.id, refusal)));
        count += 1;
        setDone(count);
      }
      showToast({ text: words.done(count - reasons.size) });
      if (reasons.size === 0) onClose();
    } catch (failure) {
      setError(failure);
    }
    await queryClient.invalidateQueries({ queryKey: ['content'] });
  };

  return (
    <Dialog
      title={words.title(chosen.length)}
      onClose={() => isRunning || onClose()}
      actions={
        <>
          <Button disabled={isRunning} onClick={onClose}>
            {isFinished ? texts.common.close : texts.common.cancel}
          </Button>
          {!isFinished && (
            <Button
              tone={kind === 'approve' ? 'go' : 'float'}
              busy={isRunning}
              onClick={() => void decideAll()}
            >
              {texts.common[kind]}
            </Button>
          )}
        </>
      }
    >
      <p className="text-soft">{words.lead}</p>
      <ul className="grid max-h-60 gap-1 overflow-y-auto">
        {chosen.map(({ id, result }) => (
          <li key={id} className="border-b border-line py-1.5">
            <span dir="auto">{result?.hook}</span>
            {refused.has(id) && <span className="block text-sm text-float-ink">{refused.get(id)}</span>}
          </li>
        ))}
      </ul>
      {kind === 'reject' && done === null && (
        <TextArea
          label={workTexts.approve.reason}
          isOptional
          maxLength={reasonMax}
          value={reason}
          onChange={event => setReason(event.target.value)}
        />
      )}
      {done !== null && (
        <Progress
          label={words.running(done - refused.size, chosen.length)}
          done={done}
          total={chosen.length}
        />
      )}
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}

/** @returns why it was refused, or null @throws what concerns the others too, such as a lost connection */
async function decideOne(
  { id, version, approvalStatus, result, key }: Chosen,
  kind: Props['kind'],
  reason: string,
): Promise<string | null> {
  const body = { version, approvalStatus, ...(reason === '' ? {} : { reason }) };
  try {
    await api.post(`/content/${id}/${kind}`, body, { key });
    return null;
  } catch (error) {
    if (isApiError(error, 'not_ready')) return texts.approve.notDecided(result?.hook ?? '');
    const isOfThisDeck = isApiError(error) && [400, 403, 404, 409, 422].includes(error.status);
    if (isOfThisDeck) return error.message;
    throw error;
  }
}
