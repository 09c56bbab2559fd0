import { readIconHue } from '@hookline/slides';
import { type Dispatcher, request } from 'undici';

const timeoutMs = 4000;
const bytesMax = 1024 * 1024;
/** Image hosts of both stores. An icon's address is untrusted input: nothing else is fetched. */
const iconHosts = /(?:^|\.)(?:mzstatic\.com|googleusercontent\.com|ggpht\.com)$/;

/**
 * Reads the color of an app's icon. Null if the address is not a store's, or the picture does not arrive
 * within 4 s and 1 MB: the import continues without it. Redirects are not followed. Never throws.
 * @param storeUrls the configured stores, whose pictures are accepted too
 */
export async function readIconHueAt(
  connections: Dispatcher,
  iconUrl: string | null,
  storeUrls: readonly string[],
): Promise<number | null> {
  if (iconUrl === null || !isStoreAddress(iconUrl, storeUrls)) return null;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const { statusCode, body } = await request(iconUrl, { dispatcher: connections, signal });
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

function isStoreAddress(iconUrl: string, storeUrls: readonly string[]): boolean {
  const { protocol, hostname, origin } = new URL(iconUrl);
  const isConfigured = storeUrls.some(base => new URL(base).origin === origin);
  return isConfigured || (protocol === 'https:' && iconHosts.test(hostname));
}
