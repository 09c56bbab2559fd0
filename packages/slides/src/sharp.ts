import type Sharp from 'sharp';

let loading: Promise<typeof Sharp> | null = null;

/** Formats that are read. libvips also reads SVG, PDF, TIFF and more, each with a parser of its own. */
const readable = ['Jpeg', 'Png', 'Webp'].map(format => `VipsForeignLoad${format}`);

/** Loads sharp with the first picture: it takes 7 MB. */
export function loadSharp(): Promise<typeof Sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // One thread per picture, since several are made at once, and no cache: nothing is read twice.
    sharp.concurrency(1);
    sharp.cache(false);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: readable });
    return sharp;
  });
  return loading;
}
