import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { iconPng } from '../stores/icon.ts';
import { imagePath } from '../tiktok/images.ts';
import { type Creator, type Share, sharesOf } from '../tiktok/state.ts';
import type { World } from '../world.ts';
import { type Html, html, sendPage } from './html.ts';

const shownMax = 12;

const audiences: Record<string, string> = {
  PUBLIC_TO_EVERYONE: 'Everyone',
  MUTUAL_FOLLOW_FRIENDS: 'Friends',
  FOLLOWER_OF_CREATOR: 'Followers',
  SELF_ONLY: 'Only me',
};

/** What a person sees: every creator's inbox and feed, one page per post, and the slides as they were pulled. */
export function pageRoutes(app: FastifyInstance, world: World): void {
  app.get('/', (_request, reply) => sendPage(reply, 200, 'Simulated TikTok', homePage(world)));
  app.get('/tiktok', (_request, reply) => reply.redirect('/', 302));
  app.get('/tiktok/:handle', (request, reply) => profile(world, request, reply));
  for (const kind of ['photo', 'video']) {
    app.get(`/tiktok/:handle/${kind}/:postId`, (request, reply) => post(world, request, reply));
  }
  app.get('/tiktok/slides/:digest', (request, reply) => slide(world, request, reply));
  app.get('/tiktok/avatars/:file', (request, reply) => {
    const { file } = request.params as { file: string };
    return reply.type('image/png').send(iconPng(file));
  });
}

function profile(world: World, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { handle } = request.params as { handle: string };
  const creator = handle.startsWith('@') ? world.tiktok.creators.get(handle.slice(1)) : undefined;
  if (creator === undefined) return missing(reply, 'Couldn’t find this account');
  return sendPage(
    reply,
    200,
    creator.displayName,
    html`<main><p><a href="/">All creators</a></p>${section(world, creator)}</main>`,
  );
}

function post(world: World, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { handle, postId } = request.params as { handle: string; postId: string };
  const share = sharesOf(world.tiktok, handle.replace(/^@/, '')).find(
    one => one.postId === postId && one.arrivedAt !== null,
  );
  // A wrong id answers 200 on tiktok.com as well.
  if (share === undefined) return missing(reply, 'This post is not available');
  return sendPage(reply, 200, share.title || 'Photo post', postPage(share));
}

async function slide(world: World, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { digest } = request.params as { digest: string };
  const contentType = world.tiktok.images.get(digest);
  if (contentType === undefined) return reply.code(404).type('text/plain').send('Not found');
  const path = imagePath(world, { digest });
  await access(path);
  reply.header('cache-control', 'max-age=86400, immutable').header('x-content-type-options', 'nosniff');
  return reply.type(contentType).send(createReadStream(path));
}

function homePage(world: World): Html {
  return html`<main>
<h1>Simulated TikTok</h1>
<p class="quiet">Nothing here is real: these creators stand in for TikTok accounts, so that you can see what your posts look like when they arrive.</p>
${world.tiktok.creators.values().map(creator => section(world, creator))}
</main>`;
}

function section(world: World, creator: Creator): Html {
  const shares = sharesOf(world.tiktok, creator.username).reverse();
  const inbox = shares.filter(share => share.status === 'SEND_TO_USER_INBOX' && share.isDraftOpen);
  const feed = shares.filter(share => share.status === 'PUBLISH_COMPLETE');
  return html`<section>
<div class="head"><img src="/tiktok/avatars/${creator.username}.png" alt=""><div>
<h2>${creator.displayName}</h2><a class="quiet" href="/tiktok/@${creator.username}">@${creator.username}</a></div></div>
<h3>Inbox: drafts waiting for the creator (${inbox.length})</h3>${cards(inbox)}
<h3>Feed: published (${feed.length})</h3>${cards(feed)}
</section>`;
}

function cards(shares: Share[]): Html {
  if (shares.length === 0) return html`<p class="quiet">Nothing yet.</p>`;
  return html`<div class="posts">${shares.slice(0, shownMax).map(card)}</div>`;
}

function card(share: Share): Html {
  const cover = share.images[share.coverIndex] ?? share.images[0];
  const finish =
    share.status === 'SEND_TO_USER_INBOX'
      ? html`<form method="post" action="/_control/tiktok/drafts/${share.publishId}/publish"><button>Post it</button></form>`
      : null;
  return html`<div><a href="${pathOf(share)}">
${cover === undefined ? null : html`<img class="cover" src="/tiktok/slides/${cover.digest}" alt="Cover slide" loading="lazy">`}
<span class="caption">${share.title || share.description || 'Untitled'}</span>
<small>${share.images.length === 1 ? '1 slide' : `${share.images.length} slides`}, ${audienceOf(share)}</small></a>${finish}</div>`;
}

function postPage(share: Share): Html {
  const tags = [
    share.status === 'SEND_TO_USER_INBOX' ? 'Draft in the inbox' : 'Published',
    audienceOf(share),
    ...(share.isAigc ? ['AI-generated'] : []),
    ...(share.brandContent ? ['Paid partnership'] : share.brandOrganic ? ['Promotional content'] : []),
    ...(share.disableComment ? ['Comments off'] : []),
  ];
  return html`<main>
<p><a href="/tiktok/@${share.username}">@${share.username}</a></p>
<h1>${share.title || 'Photo post'}</h1>
<p>${tags.map(tag => html`<span class="tag">${tag}</span>`)}</p>
<div class="slides">${share.images.map((image, index) => html`<img src="/tiktok/slides/${image.digest}" width="${image.width}" height="${image.height}" alt="Slide ${index + 1}">`)}</div>
<p class="text">${share.description}</p>
<p class="quiet">Arrived ${new Date(share.arrivedAt ?? 0).toISOString()}, post ${share.postId}</p>
</main>`;
}

function audienceOf(share: Share): string {
  return share.privacyLevel === null
    ? 'audience open'
    : (audiences[share.privacyLevel] ?? share.privacyLevel);
}

function pathOf(share: Share): string {
  return `/tiktok/@${share.username}/photo/${share.postId}`;
}

function missing(reply: FastifyReply, text: string): FastifyReply {
  return sendPage(
    reply,
    200,
    text,
    html`<main class="narrow"><h1>${text}</h1><p><a href="/">All creators</a></p></main>`,
  );
}
