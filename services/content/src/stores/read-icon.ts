import { readIconHue } from '@hookline/slides';
import { request } from 'undici';
import type { StoreBaseUrls } from './read-listing.ts';

const timeoutMs = 4000;
const bytesMax = 1024 * 1024;
/** Where both stores keep their pictures. An icon's address is foreign input: nothing else is fetched. */
const iconHosts = /(?:^|\.)(?:mzstatic\.com|googleusercontent\.com|ggpht\.com)$/;

/**
 * The colour of an app's icon, or null when there is none to be had: the address is of no store, or the picture is not there within
 * 4 s and 1 MB. An import goes on without it. Redirects are not followed. Never throws.
 */
export async function readIconColour(iconUrl: string | null, stores: StoreBaseUrls): Promise<number | null> {
  if (iconUrl === null || !isStoreAddress(iconUrl, stores)) return null;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const { statusCode, body } = await request(iconUrl, { signal });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax || statusCode !== 200) {
        body.destroy();
        return null;
      }
      chunks.push(chunk);
    }
    return await readIconHue(Buffer.concat(chunks));
  } catch {
    return null;
  }
}

function isStoreAddress(iconUrl: string, stores: StoreBaseUrls): boolean {
  const { protocol, hostname, origin } = new URL(iconUrl);
  const isConfigured = [stores.appStoreUrl, stores.googlePlayUrl].some(
    base => new URL(base).origin === origin,
  );
  return isConfigured || (protocol === 'https:' && iconHosts.test(hostname));
}
