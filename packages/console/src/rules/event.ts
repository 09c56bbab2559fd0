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

/** The id of its deck. */
export function deckIn({ data }: Pick<FeedEvent, 'data'>): string | undefined {
  const { contentId, resourceId, id } = data as Told;
  return [contentId, resourceId, id].find(given => given?.startsWith('content_'));
}

/** @param names of accounts by their ids */
export function toldBy({ data }: Pick<FeedEvent, 'data'>, names: ReadonlyMap<string, string>) {
  const told = data as Told;
  const { displayName, username = null, tiktokAccountId = '' } = told;
  return {
    title: told.result?.hook ?? told.title,
    account: displayName === undefined ? names.get(tiktokAccountId) : shortName({ username, displayName }),
    why:
      told.failure?.message ??
      told.changesRequested?.reason ??
      told.approval?.reason ??
      told.reason ??
      undefined,
  };
}
