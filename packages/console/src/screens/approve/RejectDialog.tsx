import { useState } from 'react';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextArea } from '../../ui/Field.tsx';

const reasonMax = 500;

type Props = { onReject: (reason?: string) => void; onClose: () => void };

// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function RejectDialog({ onReject, onClose }: Props) {
  const [chips, setChips] = useState<readonly string[]>([]);
  const [text, setText] = useState('');
  const words = workTexts.approve;
  const reason = [...chips, text.trim()].filter(Boolean).join('. ').slice(0, reasonMax);
  return (
    <Dialog
      title={words.rejectTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button tone="float" onClick={() => onReject(reason || undefined)}>
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
              onClick={() => setChips(isOn ? chips.filter(other => other !== chip) : [...chips, chip])}
            >
              {chip}
            </Button>
          );
        })}
      </fieldset>
      <TextArea
        label={words.reason}
        isOptional
        maxLength={reasonMax}
        value={text}
        onChange={event => setText(event.target.value)}
      />
    </Dialog>
  );
}
