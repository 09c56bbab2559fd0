import { ApiError, rateLimited } from '@hookline/shared/contracts';

/**
 * Downloads of exports at once in one gateway: each has up to two images of 20 MB in memory, also
 * while its reader is slow.
 */
export const downloadsMax = 4;
/** One slow reader cannot have them all. */
export const downloadsPerAddress = 2;
/** When somebody may try again while others run. */
const busySeconds = 30;

export type Downloads = {
  /** Counts a download of a workspace. */
  begin(accountId: string, address: string): () => void;
};

export function createDownloads(isExcepted: (address: string) => boolean): Downloads {
  // Maps a workspace to the address that reads.
  const running = new Map<string, string>();
  return {
    begin(accountId, address) {
      const ofAddress = [...running.values()].filter(other => other === address).length;
      if (running.has(accountId) || (ofAddress >= downloadsPerAddress && !isExcepted(address))) {
        throw rateLimited(busySeconds);
      }
      if (running.size >= downloadsMax) {
        throw new ApiError('service_unavailable', 'Too many exports are downloaded now; try again.', {
          retryAfterSeconds: busySeconds,
        });
      }
      running.set(accountId, address);
      return () => {
        running.delete(accountId);
      };
    },
  };
}
