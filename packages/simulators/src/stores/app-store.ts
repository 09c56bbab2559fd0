import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { meetFault } from '../faults/answers.ts';
import type { World } from '../world.ts';
import { iconPng, screenshotPng } from './icon.ts';
import type { Listing } from './state.ts';

type Query = Record<string, unknown>;

/** Apple's `/lookup`: no key, `text/javascript`, and "not found" as 200 with no results. */
export function appStoreRoutes(app: FastifyInstance, world: World): void {
  app.get('/lookup', (request, reply) => lookup(world, request, reply));
  app.get('/artwork/:storeId/:size', (request, reply) => {
    const { storeId } = request.params as { storeId: string };
    return reply.type('image/png').send(iconPng(storeId));
  });
  app.get('/screenshots/:storeId/:file/:size', (request, reply) => {
    const { storeId, file, size } = request.params as { storeId: string; file: string; size: string };
    const [, width, height] = /^(\d{2,4})x(?:(\d{2,4})bb|0w)\.png$/.exec(size) ?? [];
    if (width === undefined) return reply.code(404).send();
    const box = { width: Number(width), height: Number(height ?? 8_192) };
    return reply.type('image/png').send(screenshotPng(storeId, file, box));
  });
}

async function lookup(world: World, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const met = await meetFault(world, reply, 'appstore', 'lookup');
  if (met.isAnswered) return reply;
  if (met.fault?.kind === 'rate_limited') return reply.code(403).type('text/html').send('<h1>Forbidden</h1>');
  const query = request.query as Query;
  const wrong = ['country', 'lang', 'entity'].filter(
    name => query[name] !== undefined && !isKnown(name, query[name]),
  );
  if (wrong.length > 0) {
    const errorMessage = `Invalid value(s) for key(s): [${wrong.join(', ')}]`;
    return reply.code(400).type('text/javascript; charset=utf-8').send(JSON.stringify({ errorMessage }));
  }
  const found = met.fault?.kind === 'not_found' ? [] : listingsFor(world, query);
  const results = found.map(listing => resultOf(world, listing, countryOf(query)));
  const body = JSON.stringify({ resultCount: results.length, results }, null, 1);
  return reply.type('text/javascript; charset=utf-8').send(`\n\n\n${body}\n\n\n`);
}

/** A country is one of ISO 3166, `uk` is none; a language may have one behind it. */
function isKnown(name: string, value: unknown): boolean {
  if (name === 'entity') return value === 'software';
  const [first = '', country, more] =
    name === 'country' ? ['en', String(value)] : String(value).split(/[-_]/);
  const code = country?.toUpperCase();
  const isCountry =
    code === undefined ||
    (/^[A-Z]{2}$/.test(code) &&
      Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}` &&
      new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) !== undefined);
  return isCountry && more === undefined && /^[a-z]{2}$/i.test(first);
}

function listingsFor(world: World, query: Query): Listing[] {
  const country = countryOf(query);
  const ids = typeof query.id === 'string' ? query.id.split(',') : [];
  const byId = ids.map(id => world.stores.find('appstore', id.trim())).filter(listing => listing !== null);
  const byBundle =
    typeof query.bundleId === 'string'
      ? world.stores.list('appstore').filter(listing => bundleIdOf(listing) === query.bundleId)
      : [];
  return [...byId, ...byBundle].filter(({ country: only }) => only === null || only === country);
}

function countryOf(query: Query): string {
  return typeof query.country === 'string' && query.country !== '' ? query.country.toLowerCase() : 'us';
}

function bundleIdOf(listing: Listing): string {
  return `example.simulator.app${listing.storeId}`;
}

function resultOf(world: World, listing: Listing, country: string): Record<string, unknown> {
  const { publicUrl } = world.settings;
  const icon = (size: number) =>
    listing.iconUrl ?? `${publicUrl}/appstore/artwork/${listing.storeId}/${size}x${size}bb.png`;
  return {
    wrapperType: 'software',
    kind: 'software',
    trackId: Number(listing.storeId),
    bundleId: bundleIdOf(listing),
    trackName: listing.name,
    trackCensoredName: listing.name,
    description: listing.description,
    artworkUrl512: icon(512),
    artworkUrl100: icon(100),
    artworkUrl60: icon(60),
    primaryGenreName: listing.category,
    primaryGenreId: 6007,
    genres: [listing.category],
    genreIds: ['6007'],
    averageUserRating: 4.6,
    userRatingCount: 1284,
    averageUserRatingForCurrentVersion: 4.6,
    userRatingCountForCurrentVersion: 1284,
    screenshotUrls: Array.from(
      { length: listing.screenshots ?? 0 },
      (_, n) => `${publicUrl}/appstore/screenshots/${listing.storeId}/${n + 1}.png/392x696bb.png`,
    ),
    ipadScreenshotUrls: [],
    appletvScreenshotUrls: [],
    trackViewUrl: `https://apps.apple.com/${country}/app/id${listing.storeId}?uo=4`,
    artistId: 990_000_001,
    artistName: listing.developer,
    artistViewUrl: `https://apps.apple.com/${country}/developer/id990000001?uo=4`,
    sellerName: listing.developer,
    price: 0,
    formattedPrice: 'Free',
    currency: 'USD',
    version: '2.3.1',
    releaseDate: '2024-03-04T08:00:00Z',
    currentVersionReleaseDate: '2026-10-12T09:30:00Z',
    contentAdvisoryRating: '4+',
    minimumOsVersion: '16.0',
    languageCodesISO2A: [listing.language.toUpperCase()],
    fileSizeBytes: '48230400',
  };
}
