/**
 * Containers and posts of the Graph API, as strict as documented. Of what a second publishing of a container
 * does the documentation says nothing; here it makes a second post.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { imageSize } from 'image-size';

export type Operation = 'token' | 'me' | 'limit' | 'media' | 'media_publish' | 'status' | 'insights' | 'pull';
export type GraphError = { code: number; subcode?: number; message: string; status?: number };
/** The kinds are those of the simulated TikTok; `refused` answers with the error. */
export type InstagramFault = {
  operation: Operation;
  kind: string;
  times?: number;
  share?: number;
  delayMs?: number;
  error?: GraphError;
};
type Grant = { username: string; scopes: string[]; expiresAt: number; issuedAt: number };
type Container = {
  username: string;
  isItem: boolean;
  images: string[];
  caption: string;
  status: 'IN_PROGRESS' | 'FINISHED' | 'PUBLISHED' | 'ERROR' | 'EXPIRED';
  subcode: number | null;
};
export type InstagramPost = {
  id: string;
  containerId: string;
  images: string[];
  caption: string;
  at: number;
};
export type InstagramAccount = {
  id: string;
  postsPerDayMax: number;
  posts: InstagramPost[];
  /** Calls that got past the token, in order. */
  calls: Operation[];
};

export type State = {
  accounts: Map<string, InstagramAccount>;
  codes: Map<string, { username: string; redirectUri: string; scopes: string[] }>;
  grants: Map<string, Grant>;
  containers: Map<string, Container>;
  faults: InstagramFault[];
};

export class Refusal extends Error {
  readonly error: GraphError;
  constructor(error: GraphError) {
    super(error.message);
    this.error = error;
  }
}

export const scopes = {
  basic: 'instagram_business_basic',
  publish: 'instagram_business_content_publish',
  insights: 'instagram_business_manage_insights',
};

const dayMs = 86_400_000;
const imageBytesMax = 8 * 1024 ** 2;
const captionMax = 2_200;
const carouselMax = 10;
const processingMs = 60;

export const badToken: GraphError = { code: 190, message: 'Invalid OAuth access token' };
const missing: GraphError = { code: 100, subcode: 33, message: 'Unsupported request. Object does not exist' };
const denied: GraphError = { code: 10, message: 'Application does not have permission for this action' };
const longCaption: GraphError = { code: 100, subcode: 2207010, message: 'The caption was too long' };
const builderGone: GraphError = {
  code: 24,
  subcode: 2207008,
  message: 'The requested resource does not exist',
};
const notReady: GraphError = { code: 9007, subcode: 2207027, message: 'Media ID is not available' };
const tooMany: GraphError = { code: 9, subcode: 2207042, message: 'You reached maximum number of posts' };
const badCarousel: GraphError = {
  code: 100,
  subcode: 2207028,
  message: 'Your post will not work as a carousel',
};

export const param = (name: string): GraphError => ({
  code: 100,
  message: `(#100) The parameter ${name} is required`,
});

const newId = (): string => `1789${BigInt(`0x${randomBytes(6).toString('hex')}`)}`;

export function accountOf({ accounts }: State, username: string): InstagramAccount {
  const found = accounts.get(username);
  if (found) return found;
  const made: InstagramAccount = { id: newId(), postsPerDayMax: 100, posts: [], calls: [] };
  accounts.set(username, made);
  return made;
}

export function drawFault({ faults }: State, operation: Operation): InstagramFault | null {
  const fault = faults.find(
    one => one.operation === operation && (one.times ?? 1) > 0 && Math.random() < (one.share ?? 1),
  );
  if (fault?.times !== undefined) fault.times -= 1;
  return fault ?? null;
}

/** @throws Refusal */
export function enter({ grants }: State, token: string | null, scope: string): Grant {
  const grant = grants.get(token ?? '');
  if (!grant || grant.expiresAt < Date.now()) throw new Refusal(badToken);
  if (!grant.scopes.includes(scope)) throw new Refusal(denied);
  return grant;
}

type GraphCall = {
  operation: Operation;
  method: string;
  id: string;
  token: string | null;
  fields: URLSearchParams;
};

/** @throws Refusal */
export function answerGraph(state: State, { operation, method, id, token, fields }: GraphCall): object {
  const scope = { me: scopes.basic, insights: scopes.insights }[operation as string] ?? scopes.publish;
  const { username } = enter(state, token, scope);
  const own = accountOf(state, username);
  own.calls.push(operation);
  const writes = operation === 'media' || operation === 'media_publish';
  if (writes !== (method === 'POST')) throw new Refusal(missing);
  if ((writes || operation === 'limit') && id !== 'me' && id !== own.id) throw new Refusal(missing);
  switch (operation) {
    case 'me':
      return { id: own.id, user_id: own.id, username, name: username, account_type: 'BUSINESS' };
    case 'limit': {
      const config = { quota_total: own.postsPerDayMax, quota_duration: 86_400 };
      return { data: [{ quota_usage: countToday(own), config }] };
    }
    case 'media':
      return { id: createContainer(state, username, fields) };
    case 'media_publish':
      return { id: publish(state, username, fields.get('creation_id') ?? '') };
    case 'insights': {
      if (!own.posts.some(post => post.id === id)) throw new Refusal(missing);
      const names = (fields.get('metric') ?? '').split(',');
      return { data: names.map((name, at) => ({ name, period: 'lifetime', values: [{ value: 100 - at }] })) };
    }
    default: {
      const container = state.containers.get(id);
      if (container?.username !== username) throw new Refusal(missing);
      const { status: status_code, subcode } = container;
      return { id, status_code, ...(subcode === null ? {} : { status: String(subcode) }) };
    }
  }
}

function countToday({ posts }: InstagramAccount): number {
  return posts.filter(post => post.at > Date.now() - dayMs).length;
}

/** @throws Refusal */
function createContainer(state: State, username: string, fields: URLSearchParams): string {
  const container: Container = {
    ...{ username, images: [], caption: fields.get('caption') ?? '', status: 'IN_PROGRESS', subcode: null },
    isItem: fields.get('is_carousel_item') === 'true',
  };
  if (container.caption.length > captionMax) throw new Refusal(longCaption);
  if (fields.get('media_type') === 'CAROUSEL') {
    const children = (fields.get('children') ?? '').split(',').map(child => state.containers.get(child));
    const areReady = children.every(
      child => child?.isItem && child.username === username && child.status === 'FINISHED',
    );
    if (children.length < 2 || children.length > carouselMax || !areReady) throw new Refusal(badCarousel);
    container.images = children.flatMap(child => child?.images ?? []);
    void delay(processingMs).then(() => {
      container.status = 'FINISHED';
    });
  } else {
    const url = fields.get('image_url');
    if (!url || !URL.canParse(url)) throw new Refusal(param('image_url'));
    container.images = [url];
    void pull(state, container, url);
  }
  const id = newId();
  state.containers.set(id, container);
  return id;
}

async function pull(state: State, container: Container, url: string): Promise<void> {
  const fault = drawFault(state, 'pull');
  if (fault?.delayMs) await delay(fault.delayMs);
  const answer = await fetch(url, { redirect: 'manual' }).catch(() => null);
  const isThere = answer?.status === 200 && fault?.kind !== 'photo_pull_failed';
  container.subcode = isThere ? imageProblem(Buffer.from(await answer.arrayBuffer())) : 2207052;
  container.status = container.subcode === null ? 'FINISHED' : 'ERROR';
}

/** @returns the subcode of the error, or null */
function imageProblem(bytes: Buffer): number | null {
  if (bytes.length > imageBytesMax) return 2207004;
  if (!bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 2207005;
  const { width, height } = imageSize(bytes);
  const ratio = width / height;
  return ratio < 0.8 || ratio > 1.91 ? 2207009 : null;
}

/** @throws Refusal */
function publish(state: State, username: string, containerId: string): string {
  const own = accountOf(state, username);
  const container = state.containers.get(containerId);
  if (container?.username !== username || container.isItem) throw new Refusal(builderGone);
  if (container.status === 'EXPIRED') throw new Refusal(builderGone);
  if (container.status !== 'FINISHED' && container.status !== 'PUBLISHED') throw new Refusal(notReady);
  if (countToday(own) >= own.postsPerDayMax) throw new Refusal(tooMany);
  const { images, caption } = container;
  const id = newId();
  container.status = 'PUBLISHED';
  own.posts.push({ id, containerId, images, caption, at: Date.now() });
  return id;
}
