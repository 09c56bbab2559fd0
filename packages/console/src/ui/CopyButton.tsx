import { useEffect, useState } from 'react';
import { texts } from '../texts/shell.ts';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';

type Props = { text: string; label?: string; className?: string };

export function CopyButton({ text, label = texts.common.copy, className = '' }: Props) {
  const [outcome, setOutcome] = useState<'copied' | 'notCopied' | null>(null);
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), 2_000);
    return () => clearTimeout(timer);
  }, [outcome]);
  return (
    <Button
      size="small"
      className={className}
      onClick={({ currentTarget }) =>
        void copy(text, currentTarget).then(
          () => setOutcome('copied'),
          () => setOutcome('notCopied'),
        )
      }
      icon={<Icon name={outcome === 'copied' ? 'check' : 'copy'} />}
    >
      {outcome ? texts.common[outcome] : label}
    </Button>
  );
}

// `navigator.clipboard` exists on https and localhost only; a phone that reaches the machine
// by its address has none.
async function copy(text: string, button: HTMLElement): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  // Nothing outside of an open dialog can be selected.
  button.after(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  button.focus();
  if (!isCopied) throw new Error('not copied');
}
