import { readAtMost } from '@hookline/shared/http';
import { readIconHue } from '@hookline/slides';
import { type Dispatcher, request } from 'undici';

const timeoutMs = 4000;
const iconBytesMax = 1024 * 1024;
/** Image hosts of both stores. A picture's address is untrusted input: nothing else is fetched. */
const pictureHosts = /(?:^|\.)(?:mzstatic\.com|googleusercontent\.com|ggpht\.com)$/;

/**
 * Reads the color of an app's icon. Null if the address is not a store's, or the picture does not arrive
 * within 4 s and 1 MB: the import continues without it. Never throws.
 * @param storeUrls the configured stores, whose pictures are accepted too
 */
export async function readIconHueAt(
  connections: Dispatcher,
  iconUrl: string | null,
  storeUrls: readonly string[],
): Promise<number | null> {
  const bytes = iconUrl && (await fetchPicture(connections, iconUrl, storeUrls, iconBytesMax));
  return bytes ? await readIconHue(bytes) : null;
}

/**
 * Fetches a picture of a store page. Null if the address is not a store's, or the picture does not arrive
 * within 4 s and the given size. Redirects are not followed. Never throws.
 */
export async function fetchPicture(
  connections: Dispatcher,
  url: string,
  storeUrls: readonly string[],
  bytesMax: number,
): Promise<Buffer | null> {
  if (!isStoreAddress(url, storeUrls)) return null;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const { statusCode, body } = await request(url, { dispatcher: connections, signal });
    if (statusCode === 200) return await readAtMost(body, bytesMax);
    await body.dump({ limit: 64 * 1024 });
    return null;
  } catch {
    return null;
  }
}

function isStoreAddress(url: string, storeUrls: readonly string[]): boolean {
  const { protocol, hostname, origin } = new URL(url);
  const isConfigured = storeUrls.some(base => new URL(base).origin === origin);
  return isConfigured || (protocol === 'https:' && pictureHosts.test(hostname));
}
