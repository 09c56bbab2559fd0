import { cleanNumber, cleanText, cleanUrl, type ListingReading } from './clean.ts';
import { fetchStore, type StoreRequest } from './fetch.ts';
import type { StoreListing } from './record.ts';
import type { StoreListingRef } from './url.rules.ts';

/** `baseUrl` is https://itunes.apple.com or a stand-in. */
export async function readAppStore(
  ref: StoreListingRef,
  baseUrl: string,
  asking: Pick<StoreRequest, 'connections' | 'signal'>,
): Promise<ListingReading> {
  const url = new URL('lookup', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  url.searchParams.set('id', ref.storeId);
  url.searchParams.set('country', ref.country);
  url.searchParams.set('entity', 'software');
  if (ref.language) url.searchParams.set('lang', ref.language);
  const answer = await fetchStore(url, { ...asking, language: ref.language ?? 'en' });
  if (!answer.ok) return answer;
  // Apple refuses a language or a storefront that it does not know, and its pages name other languages.
  if (answer.status === 400 && ref.language)
    return await readAppStore({ ...ref, language: null }, baseUrl, asking);
  if (answer.status === 400 || answer.status === 404)
    return { ok: false, error: 'not_found', detail: `HTTP ${answer.status}` };
  if (answer.status !== 200) return { ok: false, error: 'unavailable', detail: `HTTP ${answer.status}` };
  return parseLookup(answer.text, ref);
}

/** The content type of a lookup is text/javascript, so the text itself decides. */
function parseLookup(text: string, ref: StoreListingRef): ListingReading {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { ok: false, error: 'garbage', detail: 'the lookup body is not JSON' };
  }
  const results = (body as { results?: unknown } | null)?.results;
  if (!Array.isArray(results))
    return { ok: false, error: 'garbage', detail: 'the lookup body has no results' };
  const found = (results as Record<string, unknown>[]).find(
    result => String(result?.trackId) === ref.storeId && (result.wrapperType ?? 'software') === 'software',
  );
  if (!found) {
    // A result with another id is another app.
    return { ok: false, error: 'not_found', detail: `no app ${ref.storeId} in storefront ${ref.country}` };
  }
  const listing = normalise(found, ref);
  return listing
    ? { ok: true, listing }
    : { ok: false, error: 'garbage', detail: 'the lookup has no trackName' };
}

function normalise(result: Record<string, unknown>, ref: StoreListingRef): StoreListing | null {
  const name = cleanText(result.trackName, 200);
  if (!name) return null;
  const screenshots = [result.screenshotUrls, result.ipadScreenshotUrls].flatMap(value =>
    Array.isArray(value) ? value : [],
  );
  return {
    store: 'apple',
    storeId: ref.storeId,
    country: ref.country,
    addressLanguage: ref.language,
    name,
    summary: null,
    description: cleanText(result.description) ?? '',
    iconUrl:
      cleanUrl(result.artworkUrl512) ?? cleanUrl(result.artworkUrl100) ?? cleanUrl(result.artworkUrl60),
    category: cleanText(result.primaryGenreName, 100),
    rating: cleanNumber(result.averageUserRating),
    ratingCount: cleanNumber(result.userRatingCount),
    screenshots: screenshots
      .map(cleanUrl)
      .filter(url => url !== null)
      .map(inFullWidth)
      .slice(0, 20),
    developer: cleanText(result.artistName, 200) ?? cleanText(result.sellerName, 200),
    storeUrl: cleanUrl(result.trackViewUrl),
    fetchedAt: new Date().toISOString(),
  };
}

/** A lookup names thumbnails: the end of an address (`/392x696bb.png`) is the size. A slide is 1080 px wide. */
function inFullWidth(url: string): string {
  return url.replace(/\/\d+x\d+bb(?=\.\w+$)/, '/1080x0w');
}
