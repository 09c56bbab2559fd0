import { createHash } from 'node:crypto';
import type { Settings } from '../options.ts';
import type { Journal, Table } from '../state/journal.ts';
import type { Share } from './share.ts';
import { createShareTable, type ShareTable } from './share-table.ts';

export type Creator = {
  username: string;
  displayName: string;
  openId: string;
  unionId: string;
  privacyLevels: string[];
  commentDisabled: boolean;
  canPost: boolean;
  banned: boolean;
  openDraftsMax: number;
  postsPerDayMax: number;
  initPerMinuteMax: number;
};

export type AccessToken = { username: string; scopes: string[]; expiresAt: number };

export type RefreshToken = { username: string; scopes: string[]; expiresAt: number };

export type Code = {
  username: string;
  scopes: string[];
  redirectUri: string;
  challenge: string | null;
  expiresAt: number;
};

export type InitRequest = {
  at: number;
  account: string;
  publishId: string | null;
  code: string;
  fault: string | null;
};

export type WebhookDelivery = {
  id: string;
  event: string;
  body: string;
  attempts: number;
  nextAt: number;
  firstAt: number;
};

/** The developer's client as the portal would show it; changed under `/_control/tiktok/client`. */
export type Client = {
  audited: boolean;
  /** Scopes that the app was given. */
  scopes: string[];
  webhookUrl: string | null;
  oauthErrorStatus: 200 | 400;
  accessTokenSeconds: number;
  refreshTokenSeconds: number;
};

/** Token tables are keyed by SHA-256 of the token: the state on disk contains no credential. */
export type TiktokState = {
  creators: Table<Creator>;
  client: Table<Client>;
  codes: Table<Code>;
  accessTokens: Table<AccessToken>;
  refreshTokens: Table<RefreshToken>;
  windows: Table<number[]>;
  shares: ShareTable;
  initRequests: Table<InitRequest>;
  webhooks: Table<WebhookDelivery>;
  /** Digest to content type of the slides kept on disk. */
  images: Table<string>;
};

const publicOptions = ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'];
const privateOptions = ['FOLLOWER_OF_CREATOR', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'];

export function createTiktok(journal: Journal): TiktokState {
  return {
    creators: journal.table('creators'),
    client: journal.table('client'),
    codes: journal.table('codes'),
    accessTokens: journal.table('accessTokens'),
    refreshTokens: journal.table('refreshTokens'),
    windows: journal.table('windows'),
    shares: createShareTable(journal.table('shares')),
    initRequests: journal.table('initRequests'),
    webhooks: journal.table('webhooks'),
    images: journal.table('images'),
  };
}

/** Adds the three initial creators if missing, and the client's settings. */
export function seedTiktok(state: TiktokState, settings: Settings): void {
  const seeds = [
    { username: 'maya.makes', displayName: 'Maya Makes', privacyLevels: publicOptions },
    { username: 'leo.quiet', displayName: 'Leo (quiet)', privacyLevels: privateOptions },
    { username: 'studio.nord', displayName: 'Studio Nord', privacyLevels: publicOptions },
  ];
  for (const seed of seeds) {
    if (state.creators.get(seed.username) === undefined) {
      state.creators.put(seed.username, { ...newCreator(seed.username, settings.clientKey), ...seed });
    }
  }
  const known = state.client.get('client');
  state.client.put('client', {
    audited: known?.audited ?? settings.isAudited,
    scopes: known?.scopes ?? settings.scopes,
    webhookUrl: settings.webhookUrl ?? known?.webhookUrl ?? null,
    oauthErrorStatus: known?.oauthErrorStatus ?? settings.oauthErrorStatus,
    accessTokenSeconds: known?.accessTokenSeconds ?? settings.accessTokenSeconds,
    refreshTokenSeconds: known?.refreshTokenSeconds ?? settings.refreshTokenSeconds,
  });
}

/** Drops what is expired for ever; called at start, so that the tables hold only live rows. */
export function pruneTiktok(state: TiktokState, now: number): void {
  for (const table of [state.codes, state.accessTokens, state.refreshTokens]) {
    for (const [key, row] of table.entries()) if (row.expiresAt <= now) table.remove(key);
  }
  for (const [key, times] of state.windows.entries()) {
    if ((times.at(-1) ?? 0) <= now - 60_000) state.windows.remove(key);
  }
}

/** A public creator with TikTok's usual caps: 15 direct posts a day, 5 open drafts, 6 inits a minute. */
export function newCreator(username: string, clientKey: string): Creator {
  return {
    username,
    displayName: username,
    openId: `-000${idFrom(`open ${clientKey} ${username}`)}`,
    unionId: idFrom(`union ${username}`),
    privacyLevels: publicOptions,
    commentDisabled: false,
    canPost: true,
    banned: false,
    openDraftsMax: 5,
    postsPerDayMax: 15,
    initPerMinuteMax: 6,
  };
}

export function getClient(state: TiktokState): Client {
  const client = state.client.get('client');
  if (client === undefined) throw new Error('the TikTok state was never seeded');
  return client;
}

export function isPublicCreator(creator: Creator): boolean {
  return creator.privacyLevels.includes('PUBLIC_TO_EVERYONE');
}

export function sharesOf(state: TiktokState, username: string): Share[] {
  return state.shares.of(username);
}

function idFrom(text: string): string {
  return createHash('sha256').update(text).digest('base64url').replace(/[-_]/g, 'x').slice(0, 32);
}
