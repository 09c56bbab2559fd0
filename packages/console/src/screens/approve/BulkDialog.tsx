import { useState } from 'react';
import { api, isApiError } from '../../api.ts';
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
import { refusalOf, useOneByOne } from '../../ui/useOneByOne.ts';

const reasonMax = 500;

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
  const [chosen] = useState(decks);
  const [reason, setReason] = useState('');
  const words = workTexts.approve.bulk[kind];
  const { run, done, refused, error, isFinished, isRunning } = useOneByOne(
    chosen,
    async ({ id, version, approvalStatus }, key) => {
      const given = reason.trim() === '' ? {} : { reason: reason.trim() };
      await api.post(`/content/${id}/${kind}`, { version, approvalStatus, ...given }, { key });
      dropFromQueue(id);
      onDecided(id);
    },
    (failure, { result }) =>
      isApiError(failure, 'not_ready') ? texts.approve.notDecided(result?.hook ?? '') : refusalOf(failure),
  );

  const decideAll = async () => {
    const refusals = await run();
    if (refusals !== null) showToast({ text: words.done(chosen.length - refusals) });
    if (refusals === 0) onClose();
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
          onValue={setReason}
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
