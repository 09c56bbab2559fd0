/**
 * What TikTok's own controls cover of a slide of 1080 × 1920, in pixels. `blocked` is covered on every phone
 * that the sources measured, `caution` on some.
 */
const slideSize = { width: 1080, height: 1920 } as const;

export const safeZones = {
  blocked: { top: 100, bottom: 300, end: 120 },
  caution: { top: 250, bottom: 460, end: 180 },
} as const;

export type Margins = { top: number; bottom: number; end: number };

/** A margin as a share of the slide, in percent. */
export function share(pixels: number, of: 'width' | 'height'): string {
  return `${((pixels / slideSize[of]) * 100).toFixed(2)}%`;
}
