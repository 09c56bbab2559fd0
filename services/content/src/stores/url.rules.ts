/** `country` is the storefront in lower case; `language` is null unless the URL names one. */
export type StoreListingRef = {
  store: 'apple' | 'google';
  storeId: string;
  country: string;
  language: string | null;
};

/** A lookup in the App Store covers one storefront, so an app that was not found is looked up once more. */
export function fallbackStorefront(ref: StoreListingRef): StoreListingRef | null {
  return ref.store === 'apple' && ref.country !== 'us' ? { ...ref, country: 'us' } : null;
}

export type StoreUrlReading = ({ ok: true } & StoreListingRef) | { ok: false; reason: string };

const wanted =
  'must be the address of one app, like https://apps.apple.com/us/app/duolingo/id570060128 or https://play.google.com/store/apps/details?id=com.duolingo';
const refuse = (reason: string): StoreUrlReading => ({ ok: false, reason });

/**
 * Parses an App Store or Google Play address. The host must equal a store's, so that
 * "apps.apple.com.example.com" and addresses with a user name, a port or plain http are refused.
 */
export function parseStoreUrl(text: string): StoreUrlReading {
  if (text.length > 2048) return refuse('must be at most 2048 characters long');
  if (!URL.canParse(text)) return refuse(wanted);
  const url = new URL(text);
  if (url.username || url.password || url.port) return refuse(wanted);
  if (url.protocol === 'market:') return readPlay(url, url.host === 'details');
  if (url.protocol !== 'https:') return refuse('must begin with https://');
  if (url.hostname === 'apps.apple.com' || url.hostname === 'itunes.apple.com') return readApple(url);
  if (url.hostname === 'play.google.com') {
    return readPlay(url, /^\/store\/apps\/details(?:\/|$)/.test(url.pathname));
  }
  return refuse(wanted);
}

function readApple(url: URL): StoreUrlReading {
  const segments = url.pathname.split('/').filter(Boolean);
  const [first = '', second] = segments;
  const storefront = /^([a-z]{2})(?:-([a-z]{2,4}))?$/i.exec(first);
  const kind = storefront ? second : first;
  if (kind !== 'app') return refuse(`${wanted} (developer, bundle and story pages are not apps)`);
  const storeId = segments.findLast(segment => /^id\d{1,15}$/.test(segment))?.slice(2);
  if (!storeId) return refuse('must contain the id of the app, like /id570060128');
  const language = url.searchParams.get('l');
  return {
    ok: true,
    store: 'apple',
    storeId,
    country: storefront?.[1]?.toLowerCase() ?? 'us',
    language: language && /^[a-z]{2}(-[a-z]{2,4})?$/i.test(language) ? language : null,
  };
}

function readPlay(url: URL, isDetails: boolean): StoreUrlReading {
  if (!isDetails) return refuse(wanted);
  const storeId = url.searchParams.get('id') ?? '';
  // A package name has two or more dotted parts and is case-sensitive; Google accepts less than 255.
  if (storeId.length > 255 || !/^[a-zA-Z]\w*(\.[a-zA-Z]\w*)+$/.test(storeId)) {
    return refuse('must carry the package of the app, like ?id=com.duolingo');
  }
  const country = url.searchParams.get('gl');
  const language = url.searchParams.get('hl');
  return {
    ok: true,
    store: 'google',
    storeId,
    country: country && /^[a-z]{2}$/i.test(country) ? country.toLowerCase() : 'us',
    language: language && /^[a-z]{2,3}([-_][a-z0-9]{2,4})?$/i.test(language) ? language : null,
  };
}
