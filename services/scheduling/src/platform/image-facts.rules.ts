/** A slide image is checked against the platform's limits (D-31). */
import type { ErrorCode } from '@hookline/shared/contracts';

/** Bytes of another format have no `contentType`; an unreadable header has no sizes. */
export type ImageFacts = {
  bytes: number;
  contentType: 'image/jpeg' | 'image/webp' | null;
  width: number | null;
  height: number | null;
};

export type SlideLimits = {
  countMax: number;
  bytesMax: number;
  shorterSideMax: number;
  contentTypes: readonly ImageFacts['contentType'][];
};

/** The first bytes decide, not the name. */
export function contentTypeOf(bytes: Buffer): ImageFacts['contentType'] {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg';
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'image/webp' : null;
}

export type SlideProblem = {
  code: Extract<ErrorCode, 'unsupported_image_format' | 'image_too_large'>;
  slide: number;
  measured: number | string;
  limit: number | string;
  message: string;
};

export function findSlideProblem(
  slide: number,
  facts: ImageFacts,
  { bytesMax, shorterSideMax, contentTypes }: SlideLimits,
): SlideProblem | null {
  const { bytes, contentType, width, height } = facts;
  if (bytes > bytesMax) {
    const message = `Slide ${slide} has ${bytes} bytes; the limit is ${bytesMax}.`;
    return { code: 'image_too_large', slide, measured: bytes, limit: bytesMax, message };
  }
  if (!contentTypes.includes(contentType) || width === null || height === null) {
    const message = `Slide ${slide} must be a readable image of type ${contentTypes.join(' or ')}.`;
    const [measured, limit] = [contentType ?? 'another format', contentTypes.join(', ')];
    return { code: 'unsupported_image_format', slide, measured, limit, message };
  }
  const shorter = Math.min(width, height);
  if (shorter <= shorterSideMax) return null;
  const message = `Slide ${slide} is ${width}x${height} px; its shorter side must be at most ${shorterSideMax} px.`;
  return { code: 'image_too_large', slide, measured: shorter, limit: shorterSideMax, message };
}
