import { ApiError, rateLimited } from '@hookline/shared/contracts';

/**
 * Downloads of exports at once in one gateway: each has up to two images of 20 MB in memory, also
 * while its reader is slow.
 */
export const downloadsMax = 4;
/** Of them, those of one address, so that one slow reader cannot have them all. */
export const downloadsPerAddress = 2;
/** When somebody may try again while others run. */
const busySeconds = 30;

export type Downloads = {
  /**
   * Counts a download of a workspace.
   * @returns call it once the download has ended
   * @throws ApiError `rate_limited` while another of the workspace runs, or too many of the address;
   * `service_unavailable` while too many run here
   */
  begin(accountId: string, address: string): () => void;
};

/** @param isExcepted true for addresses that are not counted */
export function createDownloads(isExcepted: (address: string) => boolean): Downloads {
  // By workspace: the address that reads.
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
