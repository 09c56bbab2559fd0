/** The simulated platform's own log, read from its disk: every content/init call and its result. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@hookline/testing/eventually';

export type PlatformCall = {
  publishId: string;
  account: string;
  title: string;
  /** Epoch milliseconds. */
  acceptedAt: number;
  status: 'PROCESSING_DOWNLOAD' | 'SEND_TO_USER_INBOX' | 'PUBLISH_COMPLETE' | 'FAILED';
  failReason: string | null;
  /** Time at which it became a post or a draft; null when it did not. */
  arrivedAt: number | null;
  /** SHA-256 (hex) of the token in its slide links: identifies our attempt that made the call. */
  mediaDigest: string;
};

export type InitRequest = {
  at: number;
  account: string;
  publishId: string | null;
  code: string;
  fault: string | null;
};

export type PlatformLog = { calls: PlatformCall[]; inits: InitRequest[] };

type Share = Omit<PlatformCall, 'account' | 'acceptedAt' | 'mediaDigest'> & {
  username: string;
  createdAt: number;
  imageUrls: string[];
};

/** @param dir the simulators' folder. A last line that is being written is left out */
export function readPlatformLog(dir: string): PlatformLog {
  const shares = new Map<string, Share>();
  const inits = new Map<string, InitRequest>();
  for (const text of readFileSync(join(dir, 'journal.ndjson'), 'utf8').split('\n').slice(0, -1)) {
    const [table, key, row] = JSON.parse(text) as [string, string, unknown];
    if (table === 'shares') put(shares, key, row as Share | undefined);
    else if (table === 'initRequests') put(inits, key, row as InitRequest | undefined);
  }
  return {
    calls: [...shares.values()].map(share => ({
      publishId: share.publishId,
      account: share.username,
      title: share.title,
      acceptedAt: share.createdAt,
      status: share.status,
      failReason: share.failReason,
      arrivedAt: share.arrivedAt,
      mediaDigest: digestOf(share.imageUrls[0] ?? ''),
    })),
    inits: [...inits.values()],
  };
}

/** Waits for late pulls and slow calls to finish, so that no post is counted too early. */
export async function untilPlatformRests(dir: string): Promise<void> {
  await eventually(() => {
    const working = readPlatformLog(dir).calls.filter(call => call.status === 'PROCESSING_DOWNLOAD');
    if (working.length > 0) throw new Error(`${working.length} downloads are on their way`);
  }, 60_000);
}

function put<T>(table: Map<string, T>, key: string, row: T | undefined): void {
  if (row === undefined) table.delete(key);
  else table.set(key, row);
}

/** `/media/posts/{token}/{n}`: only the token's digest is kept. */
function digestOf(url: string): string {
  const token = /\/media\/posts\/([^/]+)\//.exec(url)?.[1] ?? '';
  return createHash('sha256').update(token).digest('hex');
}
