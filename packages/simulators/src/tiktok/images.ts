import { createHash } from 'node:crypto';
import { access, mkdir, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Agent, request } from 'undici';
import { pause, type World } from '../world.ts';
import type { PulledImage } from './share.ts';

export type Pulled = { image: PulledImage } | { failReason: string };

const bytesMax = 20_000_000;
const shorterSideMax = 1080;
const longerSideMax = 1920;
const connectRetryMs = 500;

// Pages show the newest slides; at 150 KB each this is about 600 MB at most.
const imagesKeptMax = 4000;

/**
 * Requests one photo as TikTok does: no redirects, 200 only; the bytes decide its type, not its name or
 * headers.
 */
export async function pullImage(world: World, agent: Agent, url: string): Promise<Pulled> {
  const bytes = await download(world, agent, url);
  if (typeof bytes === 'string') return { failReason: bytes };
  const checked = await checkImage(bytes);
  if (typeof checked === 'string') return { failReason: checked };
  const digest = createHash('sha256').update(bytes).digest('hex');
  const image: PulledImage = { digest, ...checked, bytes: bytes.length };
  await keep(world, image, bytes);
  return { image };
}

/** Type and size by the real header, or the fail reason. */
async function checkImage(
  bytes: Buffer,
): Promise<{ contentType: string; width: number; height: number } | string> {
  const contentType = contentTypeOf(bytes);
  if (contentType === null) return 'file_format_check_failed';
  // Loaded with the first picture.
  const { imageSize } = await import('image-size');
  let size: { width: number; height: number };
  try {
    size = imageSize(bytes);
  } catch {
    return 'file_format_check_failed';
  }
  const [shorter, longer] = [Math.min(size.width, size.height), Math.max(size.width, size.height)];
  if (shorter > shorterSideMax || longer > longerSideMax) return 'picture_size_check_failed';
  return { contentType, width: size.width, height: size.height };
}

export function imagePath(world: World, image: { digest: string }): string {
  return join(world.imagesDir, image.digest);
}

function contentTypeOf(bytes: Buffer): string | null {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg';
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'image/webp' : null;
}

// A connection that never opens is retried for a while; any HTTP answer is final.
async function download(world: World, agent: Agent, url: string): Promise<Buffer | string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await downloadOnce(world, agent, url);
    } catch (error) {
      const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
      if (!isRefused || attempt >= world.settings.pullConnectAttempts || world.stopped.signal.aborted) {
        return 'photo_pull_failed';
      }
      await pause(world, connectRetryMs * 2 ** (attempt - 1));
    }
  }
}

async function downloadOnce(world: World, agent: Agent, url: string): Promise<Buffer | string> {
  const timeout = AbortSignal.timeout(world.settings.pullTimeoutMs);
  const answer = await request(url, {
    dispatcher: agent,
    headers: { 'user-agent': 'TikTok-Photo-Pull (simulator)', accept: 'image/*' },
    signal: AbortSignal.any([timeout, world.stopped.signal]),
  });
  if (answer.statusCode !== 200) {
    await answer.body.dump();
    return 'photo_pull_failed';
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer.body) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > bytesMax) return 'picture_size_check_failed';
  }
  return Buffer.concat(chunks);
}

// Written under another name and renamed, so that a kill leaves no partial slide under a complete digest.
async function keep(world: World, image: PulledImage, bytes: Buffer): Promise<void> {
  const path = imagePath(world, image);
  const isKept = await access(path).then(
    () => true,
    () => false,
  );
  if (isKept) return;
  await mkdir(world.imagesDir, { recursive: true });
  const beside = `${path}.${process.hrtime.bigint()}`;
  await writeFile(beside, bytes);
  await rename(beside, path);
  const { images } = world.tiktok;
  images.put(image.digest, image.contentType);
  for (const digest of images.trim(imagesKeptMax)) {
    await unlink(imagePath(world, { digest })).catch(() => undefined);
  }
}
