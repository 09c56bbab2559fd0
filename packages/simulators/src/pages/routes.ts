import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { iconPng } from '../stores/icon.ts';
import { imagePath } from '../tiktok/images.ts';
import type { Share } from '../tiktok/share.ts';
import { type Creator, sharesOf } from '../tiktok/state.ts';
import type { World } from '../world.ts';
import { type Html, html, sendPage } from './html.ts';

const shownMax = 12;

const audiences: Record<string, string> = {
  PUBLIC_TO_EVERYONE: 'Everyone',
  MUTUAL_FOLLOW_FRIENDS: 'Friends',
  FOLLOWER_OF_CREATOR: 'Followers',
  SELF_ONLY: 'Only me',
};

/**
 * The pages for people: every creator's inbox and feed, one page per post, and the slides as they were
 * pulled.
 */
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
  const creators = world.tiktok.creators.values();
  const isSeen = (creator: Creator) => world.tiktok.shares.of(creator.username).length > 0;
  const quiet = creators.filter(creator => !isSeen(creator));
  return html`<main>
<h1>Simulated TikTok</h1>
<p class="quiet">These creators stand in for TikTok accounts: here is what your posts look like when they arrive. Nothing leaves this machine. Mails are in the <a href="/mail">mailbox</a>.</p>
${creators.filter(isSeen).map(creator => section(world, creator))}
${quiet.length === 0 ? null : quietCreators(quiet)}
</main>`;
}

function quietCreators(creators: Creator[]): Html {
  return html`<section><h3>Nothing has arrived yet for</h3><div class="row">${creators.map(
    creator =>
      html`<a class="chip" href="/tiktok/@${creator.username}"><img src="/tiktok/avatars/${creator.username}.png" alt=""> ${creator.displayName}</a>`,
  )}</div></section>`;
}

function section(world: World, creator: Creator): Html {
  const shares = sharesOf(world.tiktok, creator.username).reverse();
  const inbox = shares.filter(share => share.status === 'SEND_TO_USER_INBOX' && share.isDraftOpen);
  const feed = shares.filter(share => share.status === 'PUBLISH_COMPLETE');
  const onTheWay = shares.filter(share => share.status === 'PROCESSING_DOWNLOAD');
  const failed = shares.filter(share => share.status === 'FAILED');
  return html`<section>
<div class="head"><img src="/tiktok/avatars/${creator.username}.png" alt=""><div>
<h2>${creator.displayName}</h2><a class="quiet" href="/tiktok/@${creator.username}">@${creator.username}</a></div>
<div class="state">${creatorTags(creator)}</div></div>
${onTheWay.length === 0 ? null : html`<p class="quiet">On the way: ${onTheWay.length}</p>`}
<h3>Inbox <span>${inbox.length}</span></h3>${cards(inbox, 'No draft waits for the creator.')}
<h3>Feed <span>${feed.length}</span></h3>${cards(feed, 'Nothing is published.')}
${failed.length === 0 ? null : failures(failed)}
</section>`;
}

function creatorTags(creator: Creator): Html[] {
  const tags = [
    creator.privacyLevels.includes('PUBLIC_TO_EVERYONE') ? 'Public account' : 'Private account',
    ...(creator.banned ? ['Banned from posting'] : []),
    ...(creator.canPost ? [] : ['Cannot post now']),
    ...(creator.commentDisabled ? ['Comments off'] : []),
  ];
  return tags.map(tag => html`<span class="tag">${tag}</span>`);
}

function cards(shares: Share[], empty: string): Html {
  if (shares.length === 0) return html`<p class="quiet">${empty}</p>`;
  const more = shares.length - shownMax;
  return html`<div class="posts">${shares.slice(0, shownMax).map(card)}</div>
${more > 0 ? html`<p class="quiet">and ${more} older</p>` : null}`;
}

function card(share: Share): Html {
  const cover = share.images[share.coverIndex] ?? share.images[0];
  const isDraft = share.status === 'SEND_TO_USER_INBOX';
  const finish = isDraft
    ? html`<form method="post" action="/_control/tiktok/drafts/${share.publishId}/publish"><button>Post it as the creator</button></form>`
    : null;
  return html`<div class="card"><a href="${pathOf(share)}"><span class="frame">
${cover === undefined ? null : html`<img src="/tiktok/slides/${cover.digest}" alt="Cover slide" loading="lazy">`}
<span class="badge">${share.images.length === 1 ? '1 slide' : `${share.images.length} slides`}</span></span>
<span class="caption">${share.title || share.description || 'Untitled'}</span>
<small>${isDraft ? 'Draft' : audienceOf(share)}, ${timeOf(share.arrivedAt)}</small></a>${finish}</div>`;
}

function failures(shares: Share[]): Html {
  return html`<h3>Failed <span>${shares.length}</span></h3><ul class="failed">${shares
    .slice(0, shownMax)
    .map(
      share =>
        html`<li>${share.title || 'Untitled'} <code>${share.failReason ?? 'unknown'}</code> <small>${timeOf(share.createdAt)}</small></li>`,
    )}</ul>`;
}

function timeOf(atMs: number | null): string {
  return `${new Date(atMs ?? 0).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function postPage(share: Share): Html {
  const tags = [
    share.status === 'SEND_TO_USER_INBOX' ? 'Draft in the inbox' : 'Published',
    audienceOf(share),
    ...(share.isAigc ? ['AI-generated'] : []),
    ...(share.brandContent ? ['Paid partnership'] : share.brandOrganic ? ['Promotional content'] : []),
    ...(share.disableComment ? ['Comments off'] : []),
    ...(share.autoAddMusic ? ['Music added'] : []),
  ];
  return html`<main>
<p class="quiet"><a href="/">All creators</a> / <a href="/tiktok/@${share.username}">@${share.username}</a></p>
<h1>${share.title || 'Photo post'}</h1>
<p>${tags.map(tag => html`<span class="tag">${tag}</span>`)}</p>
<div class="slides">${share.images.map((image, index) => html`<figure><img src="/tiktok/slides/${image.digest}" width="${image.width}" height="${image.height}" alt="Slide ${index + 1}"><figcaption>${index + 1} of ${share.images.length}</figcaption></figure>`)}</div>
<p class="text">${share.description}</p>
<p class="quiet">Arrived ${timeOf(share.arrivedAt)}. Post ${share.postId}, share ${share.publishId}. ${share.images.map(image => html`${image.width} x ${image.height}`)[0] ?? null}</p>
</main>`;
}

function audienceOf(share: Share): string {
  return share.privacyLevel === null
    ? 'The creator chooses the audience'
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
