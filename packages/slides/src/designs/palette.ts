import {
  clampChroma,
  converter,
  formatHex,
  modeLrgb,
  modeOklab,
  modeOklch,
  modeRgb,
  useMode as registerMode,
  wcagContrast,
} from 'culori/fn';

// Only the colour spaces in use: loading all of them costs 10 MB.
for (const mode of [modeRgb, modeLrgb, modeOklab, modeOklch]) registerMode(mode as typeof modeRgb);

const convertToOklch = converter('oklch');

/** An sRGB colour (0 to 255 each) in OKLCH; greys have no hue. */
export function toOklch(r: number, g: number, b: number): { l: number; c: number; h?: number | undefined } {
  const { l, c, h } = convertToOklch({ mode: 'rgb', r: r / 255, g: g / 255, b: b / 255 });
  return { l, c, h };
}

/**
 * One colour in OKLCH, mapped into sRGB by lowering chroma only, which preserves lightness and with it
 * contrast.
 */
export function oklch(lightness: number, chroma: number, hue: number): string {
  const color = clampChroma(
    { mode: 'oklch', l: lightness, c: chroma, h: ((hue % 360) + 360) % 360 },
    'oklch',
  );
  return formatHex(color);
}

/** A hex colour with an alpha from 0 to 1. */
export function withAlpha(hex: string, alpha: number): string {
  return `${hex}${Math.round(alpha * 255)
    .toString(16)
    .padStart(2, '0')}`;
}

/** What a colour looks like under another one of an alpha from 0 to 1. */
export function mix(below: string, over: string, alpha: number): string {
  const part = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map(at => Math.round(part(below, at) * (1 - alpha) + part(over, at) * alpha));
  return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`;
}

/** WCAG contrast ratio of two opaque colours, 1 to 21. */
export function contrastOf(one: string, other: string): number {
  return wcagContrast(one, other);
}

/** Lightness, chroma and hue of a colour. */
export function hueOf(hex: string): { l: number; c: number; h: number } {
  const { l = 0, c = 0, h = 0 } = convertToOklch(hex) ?? {};
  return { l, c, h };
}

/** The same colour at another hue, `degrees` further. */
export function turn(hex: string, degrees: number): string {
  const { l, c, h } = hueOf(hex);
  return oklch(l, c, h + degrees);
}

/** WCAG's minimum for text. */
const contrastMin = 4.5;

/**
 * White or near black, whichever is easier to read on this colour; black where neither reaches 4.5, on
 * mid-tones: white or black always has at least 4.58.
 */
export function inkOn(color: string): string {
  const [white, nearBlack] = [contrastOf('#ffffff', color), contrastOf('#101216', color)];
  if (Math.max(white, nearBlack) < contrastMin) return '#000000';
  return white >= nearBlack ? '#ffffff' : '#101216';
}
