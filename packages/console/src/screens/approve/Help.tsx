import { useState } from 'react';
import { readFlag, writeFlag } from '../../flags.ts';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Checkbox } from '../../ui/Field.tsx';

export function Help({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(!readFlag('no-shortcuts'));
  const words = workTexts.approve;
  return (
    <Dialog
      title={texts.approve.help}
      onClose={onClose}
      actions={<Button onClick={onClose}>{texts.common.close}</Button>}
    >
      <dl className="grid grid-cols-[4rem_1fr] gap-y-2">
        {words.shortcuts.map(([key, what]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded border border-edge bg-well px-2 py-0.5 font-mono text-sm">{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        label={words.shortcutsOn}
        checked={isOn}
        onCheck={isOn => {
          setOn(isOn);
          writeFlag('no-shortcuts', !isOn);
        }}
      />
    </Dialog>
  );
}
