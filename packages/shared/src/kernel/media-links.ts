/** Signed links to slide images: the signature grants access, no key is needed. */
import { createHmac } from 'node:crypto';
import { hourMs } from './rules/durations.ts';
import { sameBytes } from './same-bytes.ts';
import type { NamedKey } from './setting-forms.ts';

/** The shortest lifetime of a link: longer than a reply may be replayed (24 h). */
export const linkLifetimeMs = 48 * hourMs;

/** Links end at a full hour: reads within an hour give the same link, and browsers keep the picture. */
const stepMs = hourMs;

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
  const link = (imageId: string, now: Date, lifetimeMs = linkLifetimeMs): string => {
    const untilMs = now.getTime() + lifetimeMs;
    const endMs = lifetimeMs < stepMs ? untilMs : Math.ceil(untilMs / stepMs) * stepMs;
    const expires = String(Math.floor(endMs / 1_000));
    return `${publicUrl}/media/images/${imageId}?e=${expires}&s=${sign(current, imageId, expires)}`;
  };
  return {
    imageUrl: (imageId, now) => link(imageId, now),
    slideUrls(imageId, now, lifetimeMs) {
      const url = link(imageId, now, lifetimeMs);
      return { url, thumbnailUrl: `${url}&w=${thumbnailWidth}` };
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
