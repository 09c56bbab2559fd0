/** An event of the feed in plain words. */
import type { FeedEvent } from '../manage/queries.ts';
import { shortName } from './account-name.ts';

type Told = {
  [name in
    | 'id'
    | 'contentId'
    | 'resourceId'
    | 'title'
    | 'tiktokAccountId'
    | 'reason'
    | 'displayName']?: string;
} & {
  username?: string | null;
  result?: { hook?: string } | null;
  failure?: { message: string } | null;
  approval?: { reason?: string | null } | null;
  changesRequested?: { reason: string } | null;
};

/** @param names of accounts and decks by their ids */
export function toldBy({ data }: Pick<FeedEvent, 'data'>, names: ReadonlyMap<string, string>) {
  const told = data as Told;
  const { displayName, username = null, tiktokAccountId = '' } = told;
  const contentId = [told.contentId, told.resourceId, told.id].find(id => id?.startsWith('content_'));
  return {
    contentId,
    title: told.result?.hook ?? told.title ?? names.get(contentId ?? ''),
    account: displayName === undefined ? names.get(tiktokAccountId) : shortName({ username, displayName }),
    why:
      told.failure?.message ??
      told.changesRequested?.reason ??
      told.approval?.reason ??
      told.reason ??
      undefined,
  };
}
