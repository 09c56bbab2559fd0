import { useEffect, useState } from 'react';
import { keepDraft, type RejectDraft, readDraft } from '../../drafts.ts';
import { ownerNow } from '../../queries.ts';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextArea } from '../../ui/Field.tsx';

const reasonMax = 500;

type Props = Pick<RejectDraft, 'id' | 'linkedId'> & {
  isReady: boolean;
  onReject: (reason?: string) => void;
  onBringBack: (reason: string) => void;
  onClose: () => void;
};

export function RejectDialog({ id, linkedId, isReady, onReject, onBringBack, onClose }: Props) {
  const [{ chips, text }, setDraft] = useState<Pick<RejectDraft, 'chips' | 'text'>>(() => {
    const kept = readDraft<RejectDraft>('reject');
    return kept?.id === id ? kept : { chips: [], text: '' };
  });
  const words = workTexts.approve;
  const reason = [...chips, text.trim()].filter(Boolean).join('. ').slice(0, reasonMax);
  useEffect(
    () => keepDraft('reject', reason === '' ? null : { id, linkedId, chips, text }),
    [id, linkedId, chips, text, reason],
  );
  // What is left for another screen is given up; a sign-in on the way brings it back.
  useEffect(
    () => () => {
      if (ownerNow() !== null) keepDraft('reject', null);
    },
    [],
  );
  return (
    <Dialog
      title={words.rejectTitle}
      onClose={onClose}
      actions={
        <>
          <Button className="max-sm:order-last max-sm:w-full" onClick={onClose}>
            {texts.common.cancel}
          </Button>
          <Button
            className="max-sm:grow"
            disabled={!isReady || reason === ''}
            onClick={() => onBringBack(reason)}
          >
            {words.bringBack}
          </Button>
          <Button
            tone="float"
            className="max-sm:grow"
            disabled={!isReady}
            onClick={() => onReject(reason || undefined)}
          >
            {texts.common.reject}
          </Button>
        </>
      }
    >
      <p className="text-soft">{words.rejectLead}</p>
      <fieldset aria-label={words.chipsLabel} className="flex flex-wrap gap-2">
        {words.chips.map(chip => {
          const isOn = chips.includes(chip);
          return (
            <Button
              key={chip}
              size="small"
              aria-pressed={isOn}
              className={`!rounded-full ${isOn ? '!border-float !bg-float-wash !text-float-ink' : ''}`}
              onClick={() =>
                setDraft({ text, chips: isOn ? chips.filter(other => other !== chip) : [...chips, chip] })
              }
            >
              {chip}
            </Button>
          );
        })}
      </fieldset>
      <TextArea
        label={words.reason}
        hint={reason === '' && words.reasonHint}
        maxLength={reasonMax}
        value={text}
        onValue={value => setDraft({ chips, text: value })}
      />
    </Dialog>
  );
}
