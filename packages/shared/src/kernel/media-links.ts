/** Signed links to slide images: the signature grants access, no key is needed. */
import { createHmac } from 'node:crypto';
import { sameBytes } from './same-bytes.ts';
import type { NamedKey } from './setting-forms.ts';

/** Lifetime of a link: longer than a reply may be replayed (24 h). */
export const linkLifetimeMs = 48 * 3_600_000;

export type MediaLinks = {
  /** `<publicUrl>/media/images/<imageId>?e=<unix seconds>&s=<signature>` */
  imageUrl(imageId: string, now: Date): string;
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
  return {
    imageUrl(imageId, now) {
      const expires = String(Math.floor((now.getTime() + linkLifetimeMs) / 1000));
      return `${publicUrl}/media/images/${imageId}?e=${expires}&s=${sign(current, imageId, expires)}`;
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
