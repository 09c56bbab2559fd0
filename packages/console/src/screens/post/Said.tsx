import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import type { Content, TimelineEntry } from '../../types.ts';

const words = workTexts.post;

/** Why the deck was rejected, or what is to change. */
export function Said({ content: { changesRequested, approval } }: { content: Content }) {
  const said = changesRequested ?? approval;
  if (!said?.reason) return null;
  return (
    <p className="rounded-control bg-well p-3">
      <span className="block text-sm font-semibold">
        {words.reason} {said.by ? words.by(deciderName(said.by)) : ''}
      </span>
      <span dir="auto" className="block">
        {said.reason}
      </span>
    </p>
  );
}

/** Anybody can give any name to a review link. */
export function deciderName({ kind, name }: NonNullable<TimelineEntry['by']>): string {
  return kind === 'reviewer' ? `${texts.approve.kinds.reviewer} ${name}` : name;
}
