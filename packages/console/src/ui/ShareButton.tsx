import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { later } from '../later.ts';
import { useMe } from '../me.ts';
import { reviewLinksOf, rowsOf } from '../queries.ts';
import { texts } from '../texts/shell.ts';
import type { Content } from '../types.ts';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';

const ShareDialog = later(() => import('../screens/talk/Share.tsx'), 'ShareDialog');

type Props = { content: Content; size?: 'normal' | 'small'; isIconOnPhone?: boolean };

/**
 * Opens the links that show a deck to somebody without an account. Offers to share the current version once an edit
 * has ended the links to the older ones. Renders nothing for people who may not edit.
 */
export function ShareButton({ content, size = 'normal', isIconOnPhone = false }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { canEdit } = useMe();
  const links = useInfiniteQuery({ ...reviewLinksOf(content.id), enabled: canEdit && content.version > 1 });
  const shared = rowsOf(links).map(({ version }) => version);
  const isOutdated = shared.length > 0 && !shared.includes(content.version);
  if (!canEdit || content.status !== 'ready') return null;
  return (
    <>
      <Button
        size={size}
        tone={isOutdated ? 'primary' : 'plain'}
        onClick={() => setOpen(true)}
        icon={<Icon name="link" />}
      >
        <span className={isIconOnPhone && !isOutdated ? 'max-sm:sr-only' : ''}>
          {isOutdated ? texts.common.shareVersion(content.version) : texts.common.share}
        </span>
      </Button>
      {isOpen && (
        <Suspense>
          <ShareDialog key={content.version} content={content} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
