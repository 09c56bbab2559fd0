import { useEffect, useState } from 'react';
import { texts } from '../texts/shell.ts';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';

type Props = { text: string; label?: string; className?: string };

export function CopyButton({ text, label = texts.common.copy, className = '' }: Props) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <Button
      size="small"
      className={className}
      onClick={() => void copy(text).then(() => setCopied(true))}
      icon={<Icon name={isCopied ? 'check' : 'copy'} />}
    >
      {isCopied ? texts.common.copied : label}
    </Button>
  );
}

// `navigator.clipboard` exists on https and localhost only; a phone that reaches the machine
// by its address has none.
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
