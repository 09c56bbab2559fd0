/** Carousels by Instagram's Graph API. The adapter proves the port: no public field offers it. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  askPlatform,
  createPlatformAgent,
  type Fields,
  fieldsOf,
  type PlatformAnswer,
  parseFields,
  textOf,
} from '@hookline/shared/http';
import type {
  Answer,
  Carrier,
  PhotoPost,
  PlatformOutcome,
  PostNumbers,
  Tokens,
} from '../../src/platform/carrier.rules.ts';
import { instagramReasons, reasonOfError } from './reasons.ts';
import { instagramClient } from './simulator.ts';

type Options = { url: string; clientId: string; clientSecret: string; timeoutMs: number };

const version = '/v25.0';
const scopes = [
  'instagram_business_basic',
  'instagram_business_content_publish',
  'instagram_business_manage_insights',
];
const readyWithinMs = 60_000;
const readyPollMs = 50;
const quotaSpent = {
  kind: 'refused',
  code: 'posts_of_the_day',
  message: 'no post is left',
  logId: '',
  status: 200,
} as const;

type Ask = (
  token: string,
  path: string,
  fields?: Record<string, string>,
  mayStart?: () => boolean,
) => Promise<Answer<Fields>>;

export function createInstagram(url: string, timeoutMs = 10_000): Carrier {
  const options = { url, ...instagramClient, timeoutMs };
  const agent = createPlatformAgent();
  const get: Ask = (token, path, fields = {}) => ask('GET', token, path, fields);
  const post: Ask = (token, path, fields = {}, mayStart) => ask('POST', token, path, fields, mayStart);

  async function ask(
    method: 'GET' | 'POST',
    token: string,
    path: string,
    fields: Record<string, string>,
    mayStart?: () => boolean,
  ): Promise<Answer<Fields>> {
    const query = new URLSearchParams(fields).toString();
    return readGraph(
      await askPlatform(agent, {
        method,
        url: options.url + version + path + (method === 'GET' ? `?${query}` : ''),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
        ...(method === 'POST' ? { body: query } : {}),
        timeoutMs: options.timeoutMs,
        ...(mayStart ? { mayStart } : {}),
      }),
    );
  }

  return {
    name: 'Instagram',
    slides: { countMax: 10, bytesMax: 8 * 1024 ** 2, shorterSideMax: 1_440, contentTypes: ['image/jpeg'] },
    reasons: instagramReasons,
    close: () => agent.close(),
    ...createLogin(options, agent),

    async getUserInfo(token) {
      const fields = { fields: 'user_id,username,name,profile_picture_url' };
      return mapOk(await get(token, '/me', fields), me => ({
        username: textOf(me.username),
        displayName: textOf(me.name),
        avatarUrl: textOf(me.profile_picture_url),
      }));
    },

    async getCreatorInfo(token) {
      const answer = await get(token, '/me/content_publishing_limit', { fields: 'quota_usage,config' });
      if (answer.kind !== 'ok') return answer;
      const [limit] = Array.isArray(answer.value.data) ? answer.value.data.map(fieldsOf) : [];
      const isSpent = Number(limit?.quota_usage) >= Number(fieldsOf(limit?.config).quota_total);
      const value = { username: null, displayName: null, commentDisabled: false };
      return isSpent
        ? quotaSpent
        : { kind: 'ok', value: { ...value, privacyLevels: ['PUBLIC_TO_EVERYONE'] } };
    },

    send: (token, asked, mayStart) => prepareContainers({ get, post }, token, asked, mayStart),

    async publish(token, publishId, mayStart) {
      const answer = await post(token, '/me/media_publish', { creation_id: publishId }, mayStart);
      return mapOk(answer, ({ id }) => ({ kind: 'complete', postId: textOf(id) }));
    },

    async getOutcome(token, publishId) {
      return mapOk(await get(token, `/${publishId}`, { fields: 'status_code,status' }), outcomeOf);
    },

    /** The address has a code that does not follow from the id. */
    postUrl: () => null,

    async readNumbers(token, postIds) {
      const numbers = new Map<string, PostNumbers>();
      for (const id of postIds) {
        const metric = 'views,likes,comments,shares';
        const answer = await get(token, `/${id}/insights`, { metric });
        if (answer.kind === 'ok') numbers.set(id, numbersOf(answer.value));
        else if (answer.kind !== 'refused' || answer.code !== 'media_missing') return answer;
      }
      return { kind: 'ok', value: numbers };
    },
  };
}

/** One container per slide, then one that holds them. None is visible, and each expires after 24 hours. */
async function prepareContainers(
  { get, post }: { get: Ask; post: Ask },
  token: string,
  { title, description, imageUrls }: PhotoPost,
  mayStart: () => boolean,
): Promise<Answer<{ publishId: string }>> {
  const create = async (fields: Record<string, string>): Promise<Answer<string>> => {
    const made = await post(token, '/me/media', fields, mayStart);
    if (made.kind !== 'ok') return made;
    const id = textOf(made.value.id);
    return id ? await awaitReady(get, token, id) : { kind: 'ambiguous', reason: 'a container without an id' };
  };
  const caption = [title, description].filter(Boolean).join('\n\n');
  const [only] = imageUrls;
  if (only && imageUrls.length === 1)
    return mapOk(await create({ image_url: only, caption }), publishId => ({ publishId }));
  const children: string[] = [];
  for (const imageUrl of imageUrls) {
    const child = await create({ image_url: imageUrl, is_carousel_item: 'true' });
    if (child.kind !== 'ok') return child;
    children.push(child.value);
  }
  const carousel = await create({ media_type: 'CAROUSEL', children: children.join(','), caption });
  return mapOk(carousel, publishId => ({ publishId }));
}

async function awaitReady(get: Ask, token: string, id: string): Promise<Answer<string>> {
  for (const until = performance.now() + readyWithinMs; performance.now() < until; await delay(readyPollMs)) {
    const answer = await get(token, `/${id}`, { fields: 'status_code,status' });
    if (answer.kind !== 'ok') return answer;
    const outcome = outcomeOf(answer.value);
    // Nothing is posted yet, so what passes is tried anew like a call without an answer.
    if (outcome.kind === 'failed' && instagramReasons[outcome.reason]?.passing)
      return { kind: 'ambiguous', reason: outcome.reason };
    if (outcome.kind === 'failed')
      return { kind: 'refused', code: outcome.reason, message: outcome.reason, logId: '', status: 200 };
    if (answer.value.status_code === 'FINISHED') return { kind: 'ok', value: id };
  }
  return { kind: 'ambiguous', reason: 'a container did not get ready' };
}

/** FINISHED is ready to be published. */
function outcomeOf({ status_code, status }: Fields): PlatformOutcome {
  switch (status_code) {
    case 'PUBLISHED':
      return { kind: 'complete', postId: null };
    case 'ERROR':
      return { kind: 'failed', reason: reasonOfError(0, Number(status)) };
    case 'EXPIRED':
      return { kind: 'failed', reason: 'container_gone' };
    default:
      return { kind: 'open' };
  }
}

function numbersOf({ data }: Fields): PostNumbers {
  const totalOf = (name: string): number | null => {
    const metric = Array.isArray(data) ? data.map(fieldsOf).find(one => one.name === name) : undefined;
    const [first] = Array.isArray(metric?.values) ? metric.values.map(fieldsOf) : [];
    return typeof first?.value === 'number' ? first.value : null;
  };
  const [likes, comments, shares] = [totalOf('likes'), totalOf('comments'), totalOf('shares')];
  return { views: totalOf('views') ?? 0, likes, comments, shares, publishedAt: null };
}

function createLogin(
  { url, clientId, clientSecret, timeoutMs }: Options,
  agent: ReturnType<typeof createPlatformAgent>,
): Pick<Carrier, 'authorizeUrl' | 'exchangeCode' | 'refreshTokens' | 'revokeToken'> {
  const longLived = async (path: string, query: Record<string, string>): Promise<Answer<Fields>> =>
    readGraph(
      await askPlatform(agent, {
        ...{ method: 'GET', url: `${url}${path}?${new URLSearchParams(query)}`, headers: {}, timeoutMs },
      }),
    );
  return {
    authorizeUrl(redirectUri, state) {
      const query = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', state };
      return `${url}/oauth/authorize?${new URLSearchParams({ ...query, scope: scopes.join(',') })}`;
    },

    /** The code gives a token of an hour, which is exchanged for one of 60 days. */
    async exchangeCode(code, redirectUri) {
      const fields = { client_id: clientId, client_secret: clientSecret, redirect_uri: redirectUri, code };
      const short = readGraph(
        await askPlatform(agent, {
          method: 'POST',
          url: `${url}/oauth/access_token`,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ ...fields, grant_type: 'authorization_code' }).toString(),
          timeoutMs,
        }),
      );
      if (short.kind !== 'ok') return short;
      const [given] = Array.isArray(short.value.data) ? short.value.data.map(fieldsOf) : [];
      const query = { grant_type: 'ig_exchange_token', client_secret: clientSecret };
      const token = textOf(given?.access_token) ?? '';
      const long = await longLived('/access_token', { ...query, access_token: token });
      return mapOk(long, value =>
        tokensOf(value, String(given?.user_id), (textOf(given?.permissions) ?? '').split(',')),
      );
    },

    /** A token is renewed by itself. */
    async refreshTokens(refreshToken) {
      const query = { grant_type: 'ig_refresh_token', access_token: refreshToken };
      const answer = await longLived('/refresh_access_token', query);
      const isOver = answer.kind === 'refused' && answer.code === 'access_token_invalid';
      return isOver ? { ...answer, code: 'invalid_grant' } : mapOk(answer, value => tokensOf(value, '', []));
    },

    /** Instagram Login has no call that ends a consent: a person ends it in the app. */
    revokeToken: async () => ({ kind: 'ok', value: null }),
  };
}

function tokensOf({ access_token, expires_in }: Fields, userId: string, granted: string[]): Tokens {
  const token = textOf(access_token) ?? '';
  const seconds = Number(expires_in) || 3_600;
  const canPublish = granted.includes('instagram_business_content_publish');
  const canRead = granted.includes('instagram_business_manage_insights');
  return {
    accessToken: token,
    refreshToken: token,
    accessSeconds: seconds,
    refreshSeconds: seconds,
    openId: `instagram:${userId}`,
    scopes: [...(canPublish ? ['video.publish'] : []), ...(canRead ? ['video.list'] : [])],
  };
}

/** Errors of Graph are an object, those of the code's exchange are flat. */
function readGraph(raw: PlatformAnswer): Answer<Fields> {
  if (raw.kind !== 'answered') return raw;
  const body = parseFields(raw.text);
  if (!body) return { kind: 'ambiguous', reason: `status ${raw.status} without a readable answer` };
  const error = fieldsOf(body.error);
  const isFlat = textOf(body.error_type) !== null;
  if (raw.status < 400 && !isFlat && body.error === undefined) return { kind: 'ok', value: body };
  const code = Number(isFlat ? body.code : error.code);
  // These do not say whether the work was done.
  if (raw.status >= 500 || error.is_transient === true || code === 1 || code === 2)
    return { kind: 'ambiguous', reason: `error ${code}` };
  const message = textOf(error.message) ?? textOf(body.error_message) ?? `error ${code}`;
  const reason = isFlat ? 'invalid_grant' : reasonOfError(code, Number(error.error_subcode));
  return {
    kind: 'refused',
    code: reason,
    message,
    logId: textOf(error.fbtrace_id) ?? '',
    status: raw.status,
  };
}

function mapOk<T, U>(answer: Answer<T>, change: (value: T) => U): Answer<U> {
  return answer.kind === 'ok' ? { kind: 'ok', value: change(answer.value) } : answer;
}
