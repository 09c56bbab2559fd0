import { readAtMost } from '@hookline/shared/http';
import { readIconHue } from '@hookline/slides';
import { type Dispatcher, request } from 'undici';

const timeoutMs = 4000;
const iconBytesMax = 1024 * 1024;
/** A picture's address is untrusted input: nothing but the image hosts of both stores is fetched. */
const pictureHosts = /(?:^|\.)(?:mzstatic\.com|googleusercontent\.com|ggpht\.com)$/;

/** Reads the color of an app's icon, or null: the import continues without it. Never throws. */
export async function readIconHueAt(
  connections: Dispatcher,
  iconUrl: string | null,
  storeUrls: readonly string[],
): Promise<number | null> {
  const bytes = iconUrl && (await fetchPicture(iconUrl, { connections, storeUrls, bytesMax: iconBytesMax }));
  return bytes ? await readIconHue(bytes) : null;
}

type PictureSource = { connections: Dispatcher; storeUrls: readonly string[]; bytesMax: number };

/** Fetches a picture from a store's hosts within 4 s, without following redirects, or null. Never throws. */
export async function fetchPicture(
  url: string,
  { connections, storeUrls, bytesMax }: PictureSource,
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
