import type { HTMLElement, parse as parseHtml } from 'node-html-parser';
import { cleanNumber, cleanText, cleanUrl, type ListingReading } from './clean.ts';
import { fetchStore, type StoreRequest } from './fetch.ts';
import type { StoreListingRef } from './url.rules.ts';

const screenshotsMax = 20;
/** A slide is this large; a smaller picture is not enlarged. */
const fullSize = '=w1080-h1920';
/** The parser moves the content of each element that is not closed, which took 8 s for 32,000 of them. */
const parseNoneClosedTags = true;

/** `baseUrl` is https://play.google.com or a stand-in. */
export async function readGooglePlay(
  ref: StoreListingRef,
  baseUrl: string,
  { connections, signal }: Pick<StoreRequest, 'connections' | 'signal'>,
): Promise<ListingReading> {
  const url = new URL('store/apps/details', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  url.searchParams.set('id', ref.storeId);
  url.searchParams.set('hl', ref.language ?? 'en');
  url.searchParams.set('gl', ref.country.toUpperCase());
  const answer = await fetchStore(url, { connections, language: ref.language ?? 'en', signal });
  if (!answer.ok) return answer;
  if (answer.status === 404) return { ok: false, error: 'not_found', detail: 'HTTP 404' };
  if (answer.status !== 200) return { ok: false, error: 'unavailable', detail: `HTTP ${answer.status}` };
  // The parser recurses, so that a page nested too deeply ends in a RangeError.
  return await parsePlayPage(answer.text, ref).catch(({ message }: Error) => ({
    ok: false,
    error: 'garbage',
    detail: message,
  }));
}

/** JSON-LD comes first, then the meta tags. The embedded arrays change without notice and are not read. */
async function parsePlayPage(html: string, ref: StoreListingRef): Promise<ListingReading> {
  // The parser takes 9 MB that an idle process does not need.
  const { parse } = await import('node-html-parser');
  const plainText = (value: unknown, charactersMax?: number) => toPlainText(parse, value, charactersMax);
  const blockTextElements = { script: true, style: false };
  const page = parse(withoutOpenComments(html), { comment: false, blockTextElements, parseNoneClosedTags });
  const data = findSoftwareApplication(page);
  const ogTitle = metaOf(page, 'og:title')?.replace(/\s+[-–]\s+[^-–]*Google Play[^-–]*$/u, '');
  const name = plainText(data?.name, 200) ?? cleanText(ogTitle, 200);
  if (!name) return { ok: false, error: 'garbage', detail: 'the page names no app' };
  const summary = plainText(data?.description) ?? cleanText(metaOf(page, 'og:description'));
  const full = page.querySelector('[data-g-id="description"]');
  const rating = asRecord(data?.aggregateRating);
  return {
    ok: true,
    listing: {
      store: 'google',
      storeId: ref.storeId,
      country: ref.country,
      addressLanguage: ref.language,
      name,
      summary,
      description: (full && plainText(full.innerHTML)) ?? summary ?? '',
      iconUrl: cleanUrl(data?.image) ?? cleanUrl(metaOf(page, 'og:image')),
      category:
        cleanText(page.querySelector('[itemprop="genre"]')?.text, 100) ??
        cleanText(data?.applicationCategory, 100),
      rating: cleanNumber(rating?.ratingValue),
      ratingCount: cleanNumber(rating?.ratingCount),
      screenshots: findScreenshots(page),
      developer: plainText(asRecord(data?.author)?.name, 200),
      storeUrl: cleanUrl(data?.url),
      fetchedAt: new Date().toISOString(),
    },
  };
}

function findSoftwareApplication(page: HTMLElement): Record<string, unknown> | null {
  for (const script of page.querySelectorAll('script[type="application/ld+json"]')) {
    try {
      const parsed: unknown = JSON.parse(script.rawText);
      const candidates = Array.isArray(parsed) ? parsed : [parsed];
      const found = candidates.map(asRecord).find(value => value?.['@type'] === 'SoftwareApplication');
      if (found) return found;
    } catch {
      // A broken block is skipped: the meta tags still name the app.
    }
  }
  return null;
}

/** Only screenshots of the app have an index; pictures of similar apps do not. */
function findScreenshots(page: HTMLElement): string[] {
  const indexOf = (image: HTMLElement): number => Number(image.getAttribute('data-screenshot-index'));
  const images = page
    .querySelectorAll('img[data-screenshot-index]')
    .toSorted((a, b) => indexOf(a) - indexOf(b));
  const urls = images
    .map(image => cleanUrl(image.getAttribute('src')) ?? cleanUrl(image.getAttribute('data-src')))
    .filter(url => url !== null)
    .map(inFullSize);
  return [...new Set(urls)].slice(0, screenshotsMax);
}

/** A page shows pictures 296 px high: the end of the address (`=w526-h296-rw`) is the size to send. */
function inFullSize(url: string): string {
  return url.replace(/=[swh]\d+(?:-[a-z0-9]+)*$/i, fullSize);
}

function metaOf(page: HTMLElement, property: string): string | undefined {
  return page.querySelector(`meta[property="${property}"]`)?.getAttribute('content');
}

/** Breaks become new lines, tags are removed, entities are decoded. */
function toPlainText(parse: typeof parseHtml, value: unknown, charactersMax?: number): string | null {
  if (typeof value !== 'string') return null;
  const broken = value.replace(/<br\s*\/?>|<\/(?:p|div|li)>/gi, '\n');
  return cleanText(parse(withoutOpenComments(broken), { parseNoneClosedTags }).text, charactersMax);
}

/** The parser looks for the end of each comment that has none, which took 2 s for 20,000 of them. */
function withoutOpenComments(html: string): string {
  const end = Math.max(0, html.lastIndexOf('-->'));
  return html.slice(0, end) + html.slice(end).replaceAll('<!--', '');
}

function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
