import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { faultKinds } from '../faults/fault-kinds.ts';
import { metricsControl } from '../metrics/control.ts';
import { videoPlatforms } from '../metrics/videos.ts';
import type { StoreName } from '../stores/state.ts';
import { directPostsToday, openDrafts } from '../tiktok/creator-rules.ts';
import { removeAuthorization } from '../tiktok/oauth.ts';
import type { Share } from '../tiktok/share.ts';
import { publishDraft, takeDown } from '../tiktok/shares.ts';
import { type Creator, getClient, newCreator } from '../tiktok/state.ts';
import { resetWorld, type World } from '../world.ts';
import { refuse, withBody } from './body.ts';
import { guardControl } from './guard.ts';
import {
  ClientChange,
  CreatorChange,
  Disconnect,
  FaultList,
  ListingBody,
  Username,
  VideoBody,
} from './schemas.ts';

type Params = Record<string, string>;

/** The control routes for tests and people: received requests, faults, creators, listings, numbers. */
export function controlRoutes(app: FastifyInstance, world: World): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!guardControl(world, request, reply)) return reply;
    return undefined;
  });
  app.get('/posts', request => listPosts(world, accountOf(request)));
  app.get('/requests', request => world.requests.list(request.query as Params));
  app.get('/init-requests', request => listInitRequests(world, accountOf(request)));
  app.get('/llm/requests', () =>
    world.llm.requests.map(request => ({ ...request, at: new Date(request.at).toISOString() })),
  );
  app.get('/mails', request =>
    world.mails
      .list((request.query as Params).to ?? null)
      .map(mail => ({ ...mail, at: new Date(mail.at).toISOString() })),
  );
  app.get('/fault-kinds', () => faultKinds);
  app.get('/faults', () => world.faults.list());
  app.put('/faults', (request, reply) =>
    withBody(request, reply, FaultList, faults => {
      world.faults.replace(faults.map(fault => ({ ...fault, hits: 0 })));
      return world.faults.list();
    }),
  );
  app.post('/reset', () => {
    resetWorld(world);
    return { reset: true };
  });
  tiktokControl(app, world);
  metricsControl(app, world);
  app.put('/apps/:store/:storeId', (request, reply) => putListing(world, request, reply));
  app.put('/videos/:platform/:id', (request, reply) => putVideo(world, request, reply));
}

function tiktokControl(app: FastifyInstance, world: World): void {
  app.get('/tiktok/client', () => getClient(world.tiktok));
  app.put('/tiktok/client', (request, reply) =>
    withBody(request, reply, ClientChange, change => {
      world.tiktok.client.put('client', merged(getClient(world.tiktok), change));
      return getClient(world.tiktok);
    }),
  );
  app.get('/tiktok/accounts', () =>
    world.tiktok.creators.values().map(creator => shownCreator(world, creator)),
  );
  app.get('/tiktok/accounts/:username', (request, reply) => {
    const creator = world.tiktok.creators.get((request.params as Params).username ?? '');
    return creator === undefined ? unknown(reply, 'fake creator') : shownCreator(world, creator);
  });
  app.put('/tiktok/accounts/:username', (request, reply) => putCreator(world, request, reply));
  app.post('/tiktok/accounts/:username/disconnect', (request, reply) => {
    const username = (request.params as Params).username ?? '';
    if (world.tiktok.creators.get(username) === undefined) return unknown(reply, 'fake creator');
    return withBody(request, reply, Disconnect, ({ reason }) => {
      removeAuthorization(world, username, reason);
      return { username, reason };
    });
  });
  app.post('/tiktok/drafts/:publishId/publish', (request, reply) => {
    const isDone = publishDraft(world, (request.params as Params).publishId ?? '');
    if (!isDone) return unknown(reply, 'open draft');
    // The button on the inbox page submits a form; a script gets the same redirect and need not follow it.
    return reply.redirect('/', 303);
  });
  app.post('/tiktok/posts/:publishId/take-down', (request, reply) => {
    const { publishId = '' } = request.params as Params;
    return takeDown(world, publishId) ? { publishId, isPublic: false } : unknown(reply, 'public post');
  });
}

function putCreator(world: World, request: FastifyRequest, reply: FastifyReply): unknown {
  const username = Username.safeParse((request.params as Params).username);
  if (!username.success) return refuse(reply, `username ${username.error.issues[0]?.message}`);
  return withBody(request, reply, CreatorChange, body => {
    const { username: _name, openId: _open, unionId: _union, counters: _counters, ...change } = body;
    const known =
      world.tiktok.creators.get(username.data) ?? newCreator(username.data, world.settings.clientKey);
    const creator = merged(known, change);
    world.tiktok.creators.put(creator.username, creator);
    return shownCreator(world, creator);
  });
}

function putListing(world: World, request: FastifyRequest, reply: FastifyReply): unknown {
  const { store, storeId = '' } = request.params as Params;
  if (store !== 'appstore' && store !== 'googleplay') return unknown(reply, 'store');
  const pattern = store === 'appstore' ? /^\d{1,15}$/ : /^[A-Za-z]\w*(\.\w+)+$/;
  if (!pattern.test(storeId))
    return refuse(reply, 'storeId must be digits (appstore) or a package name (googleplay)');
  return withBody(request, reply, ListingBody, listing => {
    world.stores.put(store satisfies StoreName, { storeId, ...listing });
    return { storeId, ...listing };
  });
}

function putVideo(world: World, request: FastifyRequest, reply: FastifyReply): unknown {
  const { platform, id = '' } = request.params as Params;
  const known = videoPlatforms.find(each => each === platform);
  if (known === undefined) return unknown(reply, 'platform');
  return withBody(request, reply, VideoBody, video => world.videos.put(known, { id, ...video }));
}

function listPosts(world: World, account: string | null): unknown[] {
  return world.tiktok.shares
    .values()
    .filter(share => share.arrivedAt !== null && (account === null || share.username === account))
    .sort((a, b) => (a.arrivedAt ?? 0) - (b.arrivedAt ?? 0))
    .map(shownPost);
}

function shownPost(share: Share): Record<string, unknown> {
  return {
    postId: share.postId,
    morePostIds: share.morePostIds ?? [],
    publishId: share.publishId,
    account: share.username,
    mode: share.mode,
    status: share.status,
    privacyLevel: share.privacyLevel,
    title: share.title,
    description: share.description,
    imageDigests: share.images.map(image => image.digest),
    isAigc: share.isAigc,
    brandContent: share.brandContent,
    brandOrganic: share.brandOrganic,
    disableComment: share.disableComment,
    autoAddMusic: share.autoAddMusic,
    acceptedAt: new Date(share.createdAt).toISOString(),
    at: new Date(share.arrivedAt ?? 0).toISOString(),
  };
}

function listInitRequests(world: World, account: string | null): unknown[] {
  return world.tiktok.initRequests
    .values()
    .filter(row => account === null || row.account === account)
    .map(row => ({ ...row, at: new Date(row.at).toISOString() }));
}

function shownCreator(world: World, creator: Creator): Record<string, unknown> {
  const { shares: all } = world.tiktok;
  const shares = all.of(creator.username);
  const now = world.now();
  return {
    ...creator,
    counters: {
      accepted: shares.length,
      arrived: shares.filter(share => share.arrivedAt !== null).length,
      failed: shares.filter(share => share.status === 'FAILED').length,
      openDrafts: openDrafts(creator, all, now),
      directPostsToday: directPostsToday(creator, all, now),
    },
  };
}

function accountOf(request: FastifyRequest): string | null {
  const { account } = request.query as Record<string, unknown>;
  return typeof account === 'string' && account !== '' ? account : null;
}

function merged<T extends object>(known: T, change: { [K in keyof T]?: T[K] | undefined }): T {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...known, ...Object.fromEntries(given) };
}

function unknown(reply: FastifyReply, what: string): unknown {
  reply.code(404);
  return { error: { message: `no such ${what}` } };
}
