/** A user with connected creators and approved decks, made through the public interface. */

import { controlHeaders } from '@hookline/testing/simulator-controls';
import type { DistributedProduct } from '../product/distributed.ts';
import { connectCreator, type Prepared, prepareAccount } from './api.ts';

export type Creators = {
  client: Prepared;
  contentIds: string[];
  accounts: { id: string; username: string }[];
};

/**
 * One user with approved decks and `count` connected creators, whose platform sets no caps but the pace.
 * @param creator further platform settings for each. @param prefix of their names there
 */
export async function prepareCreators(
  { baseUrl, simulatorsUrl }: DistributedProduct,
  {
    count,
    decks,
    creator = {},
    prefix = 'proof',
  }: { count: number; decks: number; creator?: Record<string, unknown>; prefix?: string },
): Promise<Creators> {
  const usernames = Array.from({ length: count }, (_, at) => `${prefix}.${at}`);
  for (const username of usernames) await putCreator(simulatorsUrl, username, creator);
  const client = await prepareAccount(baseUrl, usernames[0] ?? '');
  for (const username of usernames.slice(1)) await connectCreator(client, username);
  const accounts = await listAccounts(client);
  const contentIds: string[] = [];
  while (contentIds.length < decks) contentIds.push(await makeDeck(client, contentIds.length));
  return { client, contentIds, accounts };
}

async function putCreator(
  simulatorsUrl: string,
  username: string,
  creator: Record<string, unknown>,
): Promise<void> {
  const answer = await fetch(`${simulatorsUrl}/_control/tiktok/accounts/${username}`, {
    method: 'PUT',
    headers: controlHeaders,
    body: JSON.stringify({ openDraftsMax: 100_000, postsPerDayMax: 100_000, ...creator }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

async function listAccounts({ api, key }: Prepared): Promise<{ id: string; username: string }[]> {
  const found: { id: string; username: string }[] = [];
  for (let cursor = ''; ; ) {
    const page = await api<{ id: string; username: string }[]>('GET', `/accounts?limit=100${cursor}`, {
      token: key,
    });
    found.push(...page.data.map(({ id, username }) => ({ id, username })));
    const { nextCursor } = JSON.parse(page.text) as { nextCursor: string | null };
    if (nextCursor === null) return found;
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
  }
}

async function makeDeck({ api, key, appId }: Prepared, at: number): Promise<string> {
  const made = await api<{ id: string }>('POST', '/content', {
    token: key,
    headers: { 'idempotency-key': `deck ${at}` },
    body: { appId, type: 'slideshow', brief: { templateId: 'quote-card', slideCount: 3 } },
  });
  if (made.error) throw new Error(made.error.message);
  const approved = await api('POST', `/content/${made.data.id}/approve`, { token: key });
  if (approved.error) throw new Error(approved.error.message);
  return made.data.id;
}
