import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createMediaLinks, linkLifetimeMs } from './media-links.ts';

const key = (id: string) => ({ id, key: createSecretKey(randomBytes(32)) });
const first = key('2026');
const links = createMediaLinks('http://localhost:8080', [first]);
const now = new Date('2026-11-21T09:00:00.000Z');

function partsOf(url: string): [expires: string, signature: string] {
  const { searchParams } = new URL(url);
  return [searchParams.get('e') ?? '', searchParams.get('s') ?? ''];
}

describe('media links', () => {
  it('are under /media/images and need no escaping', () => {
    const url = links.imageUrl('image_1', now);
    expect(url).toMatch(/^http:\/\/localhost:8080\/media\/images\/image_1\?e=\d+&s=[\w-]+$/);
    expect(links.isValid('image_1', ...partsOf(url), now)).toBe(true);
  });

  it('stay the same for an hour, and live 48 h or up to an hour longer', () => {
    const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
    const { url, thumbnailUrl } = links.slideUrls('image_1', at(1));
    expect(url).toBe(links.imageUrl('image_1', at(60)));
    expect(thumbnailUrl).toBe(`${url}&w=270`);
    expect(links.slideUrls('image_1', at(61)).url).not.toBe(url);
    expect(linkLifetimeMs).toBe(48 * 3_600_000);
    const isValid = (given: string, minutes: number) =>
      links.isValid('image_1', ...partsOf(given), at(minutes));
    expect([48 * 60 + 1, 49 * 60, 49 * 60 + 1].map(minutes => isValid(url, minutes))).toEqual([
      true,
      true,
      false,
    ]);
    const short = links.slideUrls('image_1', now, 600_000);
    for (const given of Object.values(short)) {
      expect([10, 11].map(minutes => isValid(given, minutes))).toEqual([true, false]);
    }
  });

  it('open no other image and no later time', () => {
    const [expires, signature] = partsOf(links.imageUrl('image_1', now));
    expect(links.isValid('image_2', expires, signature, now)).toBe(false);
    expect(links.isValid('image_1', String(Number(expires) + 1), signature, now)).toBe(false);
  });

  it.each([
    ['an empty signature', ''],
    ['a short one', 'AAAA'],
    ['none of ours', randomBytes(24).toString('base64url')],
  ])('are refused with %s', (_, signature) => {
    const [expires] = partsOf(links.imageUrl('image_1', now));
    expect(links.isValid('image_1', expires, signature, now)).toBe(false);
  });

  it('are refused with the right signature in another spelling', () => {
    const [expires, signature] = partsOf(links.imageUrl('image_1', now));
    for (const spelling of [`${signature}x`, `${signature}=`, `!${signature}`, signature.slice(0, -1)]) {
      expect(links.isValid('image_1', expires, spelling, now)).toBe(false);
    }
  });

  it('are refused with a time that is not a number of seconds', () => {
    for (const expires of ['', '1e12', '-1', ' 1', '9'.repeat(13), 'NaN']) {
      expect(links.isValid('image_1', expires, 'AAAA', now)).toBe(false);
    }
  });

  it('signed with an older key are still accepted; without that key they are not', () => {
    const parts = partsOf(links.imageUrl('image_1', now));
    const newest = key('2027');
    expect(createMediaLinks('http://x', [newest, first]).isValid('image_1', ...parts, now)).toBe(true);
    expect(createMediaLinks('http://x', [newest]).isValid('image_1', ...parts, now)).toBe(false);
  });
});
