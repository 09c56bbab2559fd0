import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { meetFault } from '../faults/answers.ts';
import { escapeHtml } from '../pages/html.ts';
import type { World } from '../world.ts';
import { type Box, iconPng, screenshotPng } from './icon.ts';
import type { Listing } from './state.ts';

const titleSuffixes: Record<string, string> = {
  de: ' – Apps bei Google Play',
  es: ' - Aplicaciones en Google Play',
  ja: ' - Google Play のアプリ',
};

/**
 * Google Play's details page: JSON-LD, meta tags and the full description in the HTML; an unknown package is
 * 404.
 */
export function googlePlayRoutes(app: FastifyInstance, world: World): void {
  app.get('/store/apps/details', (request, reply) => details(world, request, reply));
  // The path slug is not significant: the `id` parameter is the key.
  app.get('/store/apps/details/:slug', (request, reply) => details(world, request, reply));
  app.get('/artwork/:storeId', (request, reply) => {
    const { storeId } = request.params as { storeId: string };
    return reply.type('image/png').send(iconPng(storeId));
  });
  app.get('/image/:name', (request, reply) => {
    const { name } = request.params as { name: string };
    const [picture = '', size = 's512', more] = name.split('=');
    const box = boxOf(size);
    if (!box || more !== undefined) return reply.code(400).type('text/html').send('<h1>Bad Request</h1>');
    return reply.type('image/png').send(screenshotPng(picture, '', box));
  });
}

/** The size at the end of a picture's address: `w526-h296`, `w1080`, `h310-rw`, `s512`. */
function boxOf(size: string): Box | null {
  const [, width, height, side] =
    /^(?:w(\d{1,4}))?-?(?:h(\d{1,4}))?(?:s(\d{1,4}))?(?:-rw)?$/.exec(size) ?? [];
  if (width === undefined && height === undefined && side === undefined) return null;
  const max = 8_192;
  return { width: Number(width ?? side ?? max) || max, height: Number(height ?? side ?? max) || max };
}

async function details(world: World, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const met = await meetFault(world, reply, 'googleplay', 'details');
  if (met.isAnswered) return reply;
  reply.type('text/html; charset=utf-8');
  if (met.fault?.kind === 'rate_limited')
    return reply.code(429).send('<html><body>unusual traffic</body></html>');
  const { id, gl, hl } = request.query as Record<string, unknown>;
  const country = typeof gl === 'string' ? gl.toLowerCase() : 'us';
  const listing = typeof id === 'string' ? world.stores.find('googleplay', id) : null;
  const isHere = listing !== null && (listing.country === null || listing.country === country);
  if (!isHere || met.fault?.kind === 'not_found') {
    return reply
      .code(404)
      .send('<html><head><title>Not Found</title></head><body>not found on this server</body></html>');
  }
  return reply.send(detailsPage(world, listing, typeof hl === 'string' ? hl : 'en'));
}

function detailsPage(world: World, listing: Listing, language: string): string {
  const icon =
    listing.iconUrl ??
    `${world.settings.publicUrl}/googleplay/artwork/${encodeURIComponent(listing.storeId)}`;
  const url = `https://play.google.com/store/apps/details?id=${encodeURIComponent(listing.storeId)}`;
  const title = listing.name + (titleSuffixes[language.slice(0, 2)] ?? ' - Apps on Google Play');
  const summary = summaryOf(listing.description);
  const linkedData = {
    '@context': 'https://schema.org',
    '@type': 'SoftwareApplication',
    name: listing.name,
    url,
    description: summary,
    operatingSystem: 'ANDROID',
    applicationCategory: listing.category.toUpperCase().replace(/[^A-Z]+/g, '_'),
    image: icon,
    contentRating: 'Everyone',
    author: { '@type': 'Person', name: listing.developer },
    aggregateRating: { '@type': 'AggregateRating', ratingValue: '4.5', ratingCount: '1843' },
    offers: [
      { '@type': 'Offer', price: '0', priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
    ],
  };
  const screenshots = Array.from({ length: listing.screenshots ?? 0 }, (_, n) => {
    const image = `${world.settings.publicUrl}/googleplay/image/${encodeURIComponent(listing.storeId)}-${n + 1}`;
    return `<button aria-label="Expand"><img src="${image}=w526-h296-rw" srcset="${image}=w1052-h592-rw 2x" class="T75of B5GQxf" alt="Screenshot image" itemprop="image" data-screenshot-index="${n}" loading="lazy"></button>`;
  });
  // A picture of another app, as the real page has in its list of similar ones.
  const similar = `<img src="${icon}=s64-rw" srcset="${icon}=s128-rw 2x" class="T75of stzEZd" alt="Thumbnail image">`;
  const description = escapeHtml(listing.description).replaceAll('\n', '<br>');
  return `<!doctype html><html lang="${escapeHtml(listing.language)}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta property="og:title" content="${escapeHtml(title)}"><meta property="og:image" content="${escapeHtml(icon)}">
<meta property="og:description" content="${escapeHtml(summary)}"><meta property="og:url" content="${escapeHtml(url)}">
<script type="application/ld+json">${JSON.stringify(linkedData).replaceAll('<', '\\u003c')}</script></head>
<body><h1 itemprop="name">${escapeHtml(listing.name)}</h1><a href="/store/apps/developer">${escapeHtml(listing.developer)}</a>
<div>${screenshots.join('')}</div><div>${similar}</div><div itemprop="genre">${escapeHtml(listing.category)}</div><div data-g-id="description">${description}</div></body></html>`;
}

// Google's own short description has 80 characters.
function summaryOf(description: string): string {
  const first = description.split('\n', 1)[0] ?? '';
  return [...first].length <= 80 ? first : `${[...first].slice(0, 79).join('').trimEnd()}…`;
}
