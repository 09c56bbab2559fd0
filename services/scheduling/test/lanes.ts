/** The platforms that the posting protocol is tried on, each in the words of its own simulator. */
import { randomBytes } from 'node:crypto';
import type { EventContent } from '@hookline/shared/contracts/content';
import type { Caller } from '@hookline/shared/http';
import { testCaller } from '@hookline/testing/service-harness';
import type { InstagramFault } from './instagram/graph.ts';
import type { Json, World } from './world.ts';

export type Lane = {
  /** Fields of a schedule to it. */
  order: Record<string, unknown>;
  /** How a post ends that was made. */
  outcome: 'sent_to_drafts' | 'published';
  ready(slides?: number): Promise<{ caller: Caller; content: EventContent; account: Json; username: string }>;
  posts(username: string): Promise<unknown[]>;
  /** Calls of this operation that arrived. */
  calls(username: string, operation: string): Promise<unknown[]>;
  setFaults(...faults: Record<string, unknown>[]): Promise<void>;
};

export type LaneName = 'TikTok' | 'Instagram';

/** The call after which there may be a post. */
export const postingCall = { TikTok: 'content_init', Instagram: 'media_publish' } as const;

const order = { mode: 'publish', privacyLevel: 'PUBLIC_TO_EVERYONE' };

export function laneOf(world: World, name: LaneName): Lane {
  if (name === 'TikTok') {
    return {
      order: {},
      outcome: 'sent_to_drafts',
      ready: slides => world.ready(slides),
      posts: username => world.posts(username),
      calls: username => world.control('GET', `init-requests?account=${username}`),
      setFaults: (...faults) => world.setFaults(...faults),
    };
  }
  const { instagram } = world;
  return {
    order,
    outcome: 'published',
    async ready(slides = 3) {
      const caller = testCaller();
      const username = `i.${randomBytes(6).toString('hex')}`;
      const account = await world.connect(caller, { username, carrier: 'instagram' });
      return { caller, content: world.content.addDeck(caller.accountId, { slides }), account, username };
    },
    posts: async username => instagram.account(username).posts,
    calls: async (username, operation) =>
      instagram.account(username).calls.filter(call => call === operation),
    setFaults: async (...faults) => instagram.setFaults(...(faults as InstagramFault[])),
  };
}
