/**
 * The `id` of a stream's events: the position in the feed, as in the cursors of `/events`, and that
 * of the gateway's changes.
 */
import { createPositionCursor } from '@hookline/shared/contracts';

export type Position = {
  feed: number | null;
  changes: number | null;
};

const feedCursor = createPositionCursor('feed', 'feed');

export function writePosition({ feed, changes }: Position): string | null {
  return feed === null ? null : `${feedCursor.encode(feed)}.${changes ?? 0}`;
}

/**
 * A cursor of `/events` is a position, too; the changes of the gateway are then read from the first one kept.
 * @returns null for a text that no stream has sent
 */
export function readPosition(text: string): Position | null {
  const [, cursor = '', changes = '0'] = /^([\w-]{1,64})(?:\.(\d{1,15}))?$/.exec(text) ?? [];
  try {
    return { feed: feedCursor.decode(cursor), changes: Number(changes) };
  } catch {
    return null;
  }
}
