import { Suspense, useState } from 'react';
import { later } from '../later.ts';
import { useMe } from '../me.ts';
import { texts } from '../texts/shell.ts';
import type { Content } from '../types.ts';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';

const ShareDialog = later(() => import('../screens/talk/Share.tsx'), 'ShareDialog');

/** Links to a deck for somebody without an account. Nothing for who may not make one. */
export function ShareButton({ content, size = 'normal' }: { content: Content; size?: 'normal' | 'small' }) {
  const [isOpen, setOpen] = useState(false);
  const { canEdit } = useMe();
  if (!canEdit || content.status !== 'ready') return null;
  return (
    <>
      <Button size={size} onClick={() => setOpen(true)} icon={<Icon name="link" />}>
        {texts.common.share}
      </Button>
      {isOpen && (
        <Suspense>
          <ShareDialog content={content} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
