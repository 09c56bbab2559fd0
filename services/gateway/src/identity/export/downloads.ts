import { rateLimited } from '@hookline/shared/contracts';
import { createFairQueue, type FairQueue } from '@hookline/shared/kernel';
import { minuteMs } from '@hookline/shared/kernel/durations';

/** Pages and images of all downloads in memory at once in one gateway, each of up to 20 MB. */
const filesMax = 4;
/** A reader may take 11 minutes for one. */
const waitMaxMs = 15 * minuteMs;
export const downloadsPerAddress = 2;
/** When somebody may try again while others run. */
const busySeconds = 30;

export type Downloads = {
  /** Counts a download of a workspace. */
  begin(accountId: string, address: string): () => void;
  /** Workspaces take turns, file by file, so that none waits for the end of another's archive. */
  files: FairQueue;
};

export function createDownloads(isExcepted: (address: string) => boolean): Downloads {
  /** The address of each workspace's download. */
  const running = new Map<string, string>();
  return {
    begin(accountId, address) {
      const ofAddress = [...running.values()].filter(other => other === address).length;
      const isFull = !isExcepted(address) && ofAddress >= downloadsPerAddress;
      if (isFull || running.has(accountId)) throw rateLimited(busySeconds);
      running.set(accountId, address);
      return () => void running.delete(accountId);
    },
    files: createFairQueue({ slots: () => filesMax, waitMaxMs }),
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
