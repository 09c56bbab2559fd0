/** Signed links to slide images: the signature grants access, no key is needed. */
import { createHmac } from 'node:crypto';
import { hourMs } from './rules/durations.ts';
import { sameBytes } from './same-bytes.ts';
import type { NamedKey } from './setting-forms.ts';

/** Lifetime of a link: longer than a reply may be replayed (24 h). */
export const linkLifetimeMs = 48 * hourMs;

/**
 * Thumbnails link until a full hour, so that lists read within it give the same link and
 * browsers keep the picture.
 */
const thumbnailStepMs = hourMs;

/** Width of a thumbnail in pixels. */
export const thumbnailWidth = 270;

export type MediaLinks = {
  /** `<publicUrl>/media/images/<imageId>?e=<unix seconds>&s=<signature>` */
  imageUrl(imageId: string, now: Date): string;
  /** Links to an image and to its thumbnail, `…&w=270`. @param lifetimeMs at least; by default 48 h */
  slideUrls(imageId: string, now: Date, lifetimeMs?: number): { url: string; thumbnailUrl: string };
  /** True while the link has not expired and its signature matches. */
  isValid(imageId: string, expires: string, signature: string, now: Date): boolean;
};

export function createMediaLinks(publicUrl: string, ring: readonly NamedKey[]): MediaLinks {
  const current = ring[0];
  if (!current) throw new Error('a media signing key is needed');
  const sign = (entry: NamedKey, imageId: string, expires: string): string =>
    createHmac('sha256', entry.key)
      .update(`${imageId}\n${expires}`)
      .digest()
      .subarray(0, 24)
      .toString('base64url');
  const link = (imageId: string, untilMs: number): string => {
    const expires = String(Math.floor(untilMs / 1000));
    return `${publicUrl}/media/images/${imageId}?e=${expires}&s=${sign(current, imageId, expires)}`;
  };
  return {
    imageUrl: (imageId, now) => link(imageId, now.getTime() + linkLifetimeMs),
    slideUrls(imageId, now, lifetimeMs = linkLifetimeMs) {
      const untilMs = now.getTime() + lifetimeMs;
      const stepMs = lifetimeMs < thumbnailStepMs ? 1 : thumbnailStepMs;
      const thumbnail = link(imageId, Math.ceil(untilMs / stepMs) * stepMs);
      return { url: link(imageId, untilMs), thumbnailUrl: `${thumbnail}&w=${thumbnailWidth}` };
    },
    isValid(imageId, expires, signature, now) {
      if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 < now.getTime()) return false;
      // Compared as text: decoded as base64url, the same bytes have many spellings.
      const given = Buffer.from(signature);
      return ring.some(entry => {
        const expected = Buffer.from(sign(entry, imageId, expires));
        return sameBytes(given, expected);
      });
    },
  };
}
