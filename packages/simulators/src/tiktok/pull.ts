import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent } from 'undici';
import { defaultDelayMs } from '../faults/faults.ts';
import { pause, type World } from '../world.ts';
import { pullImage } from './images.ts';
import type { PulledImage, Share } from './share.ts';
import { completeShare, failShare } from './shares.ts';

/** Downloads the photos of accepted shares: several shares at a time, each share's photos in order. */
export type Puller = {
  start(share: Share): void;
  close(): Promise<void>;
};

const sharesAtOnceMax = 16;
const downloadWithinMs = 3_600_000;

export function createPuller(world: World): Puller {
  const { localhostIs } = world.settings;
  const lookUp: LookupFunction = (host, options, callback) =>
    lookup(host === 'localhost' ? localhostIs : host, options, callback);
  const connect = { timeout: 5000, lookup: lookUp };
  const agent = new Agent({ connections: 32, keepAliveTimeout: 2000, connect });
  const waiting: string[] = [];
  const running = new Set<Promise<void>>();

  function fill(): void {
    while (running.size < sharesAtOnceMax && !world.stopped.signal.aborted) {
      const publishId = waiting.shift();
      if (publishId === undefined) return;
      const job = pullShare(world, agent, publishId)
        .catch(() => failShare(world, publishId, 'internal'))
        .finally(() => {
          running.delete(job);
          fill();
        });
      running.add(job);
    }
  }

  return {
    start: share => {
      void pause(world, share.pullAt - world.now()).then(() => {
        waiting.push(share.publishId);
        fill();
      });
    },
    close: async () => {
      await Promise.allSettled(running);
      await agent.destroy();
    },
  };
}

async function pullShare(world: World, agent: Agent, publishId: string): Promise<void> {
  const share = world.tiktok.shares.get(publishId);
  if (share?.status !== 'PROCESSING_DOWNLOAD') return;
  const fault = world.faults.draw('tiktok', 'publish');
  if (fault?.kind === 'photo_pull_failed' || world.now() - share.createdAt > downloadWithinMs) {
    failShare(world, publishId, 'photo_pull_failed');
    return;
  }
  const images: PulledImage[] = [];
  for (const url of share.imageUrls) {
    const pulled = await pullImage(world, agent, url);
    // The closing simulator aborted the download itself: the share stays as it is, and the next start pulls
    // again.
    if (world.stopped.signal.aborted) return;
    if (world.tiktok.shares.get(publishId)?.status !== 'PROCESSING_DOWNLOAD') return;
    if ('failReason' in pulled) {
      failShare(world, publishId, pulled.failReason);
      return;
    }
    images.push(pulled.image);
  }
  await pause(world, world.settings.publishDelayMs);
  if (fault?.kind === 'slow_processing') await pause(world, fault.delayMs ?? defaultDelayMs);
  if (world.stopped.signal.aborted) return;
  if (fault !== null && fault.kind !== 'slow_processing') failShare(world, publishId, fault.kind);
  else completeShare(world, publishId, images);
}
