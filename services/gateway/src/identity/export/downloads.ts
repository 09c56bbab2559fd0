import { ApiError, rateLimited } from '@hookline/shared/contracts';

/**
 * Downloads of exports at once in one gateway: each has up to two images of 20 MB in memory, also
 * while its reader is slow.
 */
export const downloadsMax = 4;
/** An address has a second one only while no other address wants it. */
export const downloadsPerAddress = 2;
/** When somebody may try again while others run. */
const busySeconds = 30;

export type Downloads = {
  /** Counts a download of a workspace. `cut` may end it for another. */
  begin(accountId: string, address: string, cut: () => void): () => void;
};

export function createDownloads(isExcepted: (address: string) => boolean): Downloads {
  // Maps a workspace to its download, the oldest first.
  const running = new Map<string, { address: string; cut: () => void }>();

  function cutSecond(): boolean {
    const seen = new Set<string>();
    for (const [accountId, { address, cut }] of running) {
      if (seen.has(address)) {
        running.delete(accountId);
        cut();
        return true;
      }
      if (!isExcepted(address)) seen.add(address);
    }
    return false;
  }

  return {
    begin(accountId, address, cut) {
      const own = [...running.values()].filter(other => other.address === address).length;
      const ofAddress = isExcepted(address) ? 0 : own;
      if (running.has(accountId) || ofAddress >= downloadsPerAddress) throw rateLimited(busySeconds);
      if (running.size >= downloadsMax && (ofAddress > 0 || !cutSecond())) {
        throw new ApiError('service_unavailable', 'Too many exports are downloaded now; try again.', {
          retryAfterSeconds: busySeconds,
        });
      }
      const download = { address, cut };
      running.set(accountId, download);
      return () => {
        if (running.get(accountId) === download) running.delete(accountId);
      };
    },
  };
}

const patienceMs = 60_000;
const bytesPerMs = 32;

/** Cuts a download whose reader is slower than 32 KB/s for a minute. The time that the archive takes does not count. */
export async function* paced(archive: AsyncIterable<Buffer>, cut: () => void, maxMs = patienceMs) {
  let leftMs = maxMs;
  for await (const piece of archive) {
    leftMs = Math.min(leftMs, maxMs) + piece.length / bytesPerMs;
    const since = performance.now();
    const timer = setTimeout(cut, leftMs);
    try {
      yield piece;
    } finally {
      clearTimeout(timer);
    }
    leftMs -= performance.now() - since;
  }
}
