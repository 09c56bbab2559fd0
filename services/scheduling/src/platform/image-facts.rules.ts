/** A slide image is checked against the platform's limits (D-31). */
import type { ErrorCode } from '@hookline/shared/contracts';

export const slidesMax = 35;
export const imageBytesMax = 20_000_000;
export const shorterSideMax = 1_080;

/** Bytes of another format have no `contentType`; an unreadable header has no sizes. */
export type ImageFacts = {
  bytes: number;
  contentType: 'image/jpeg' | 'image/webp' | null;
  width: number | null;
  height: number | null;
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

export function findSlideProblem(slide: number, facts: ImageFacts): SlideProblem | null {
  const { bytes, contentType, width, height } = facts;
  if (bytes > imageBytesMax) {
    const message = `Slide ${slide} has ${bytes} bytes; the limit is ${imageBytesMax}.`;
    return { code: 'image_too_large', slide, measured: bytes, limit: imageBytesMax, message };
  }
  if (!contentType || width === null || height === null) {
    const message = `Slide ${slide} is neither a JPEG nor a WebP image.`;
    const [measured, limit] = [contentType ?? 'another format', 'image/jpeg, image/webp'];
    return { code: 'unsupported_image_format', slide, measured, limit, message };
  }
  const shorter = Math.min(width, height);
  if (shorter <= shorterSideMax) return null;
  const message = `Slide ${slide} is ${width}x${height} px; its shorter side must be at most ${shorterSideMax} px.`;
  return { code: 'image_too_large', slide, measured: shorter, limit: shorterSideMax, message };
}
