import { Link } from '@tanstack/react-router';
import { useMe } from '../me.ts';
import { texts } from '../texts/shell.ts';
import type { Content } from '../types.ts';
import { NewDeckButton } from './NewDeckButton.tsx';

/** What the maker of a deck should know of it, with the way out. */
export function DeckNotice({ content: { notice, appId } }: { content: Content }) {
  const { isOwner } = useMe();
  if (!notice) return null;
  return (
    <div className="grid justify-items-start gap-2 rounded-control bg-warn-wash p-3 text-sm text-warn-ink">
      <p>{texts.approve.notices[notice]}</p>
      {notice === 'topic_needs_model' && isOwner && (
        <Link
          to="/settings"
          hash="model"
          className="inline-flex items-center font-semibold underline underline-offset-2 pointer-coarse:min-h-11"
        >
          {texts.approve.connectModel}
        </Link>
      )}
      {notice === 'listing_too_short' && <NewDeckButton appId={appId} size="small" />}
    </div>
  );
}
