import type { Slide } from '@hookline/deck';
import type { SKRSContext2D } from '@napi-rs/canvas';
import type { DeckToRender } from '../deck-to-render.ts';
import {
  type BlockRole,
  type Design,
  type PlacedBlock,
  sizeMin,
  sizeOf,
  slideWidth,
  textBox,
} from '../designs/design.ts';
import { edgesOf } from '../designs/ink.ts';
import type { Rows } from '../pack-pixels.ts';
import type { Photo } from '../photo-strips.ts';
import { SlideTextError } from '../slide-text-error.ts';
import { createMeasure, fitText, type TextBlock } from './fit-text.ts';
import { prepareFonts } from './fonts.ts';
import { type Part, signText, splitText } from './split-text.ts';
import { setTypographicQuotes } from './typographic-quotes.ts';

export type PreparedSlide = {
  index: number;
  kind: Slide['kind'];
  position: Slide['position'];
  isRtl: boolean;
  blocks: PreparedBlock[];
  /** The closing slide with the app's name, store and handle. */
  signed: PreparedBlock[];
  dropped: string[];
};

type PreparedBlock = TextBlock & { role: BlockRole };

export type SlideLayout = {
  kind: Slide['kind'];
  blocks: PlacedBlock[];
  scale: number;
  /** Extent of all text in px: its top and its height. */
  top: number;
  height: number;
  startX: number;
  textX: number;
  textAlign: 'left' | 'right' | 'center';
  isRtl: boolean;
  isSigned: boolean;
  /** The same slide in smaller type, to leave room for a screenshot. */
  compact?: SlideLayout | null;
};

/** A slide with its picture: its text has moved to where it covers nothing of it. */
export type PicturedSlide = {
  layout: SlideLayout;
  paint: (ctx: SKRSContext2D) => void;
  /** The place of its picture in `pictures`. */
  picture: number | null;
  /** What is under its text. */
  over?: { photo: Photo; rows: Rows };
};

/** Anton has one weight; the Han faces next to it would look thin at that weight. */
const hasHan = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u;

/**
 * Splits a slide into blocks, loads their fonts, and drops symbols that no font has; a letter that no font
 * has is an error.
 */
export async function prepareSlide(
  slide: Slide,
  { index, number }: { index: number; number: number | null },
  design: Design,
  { language = 'en', ...deck }: Pick<DeckToRender, 'language' | 'app' | 'brand'>,
): Promise<PreparedSlide> {
  const { kind, position } = slide;
  const text = setTypographicQuotes(tidyText(slide.text), language);
  const dropped: string[] = [];
  const unwritable: string[] = [];
  const prepare = async (parts: readonly Part[]): Promise<PreparedBlock[]> => {
    const blocks: PreparedBlock[] = [];
    for (const part of parts) {
      const shown = shownIn(design, kind, part, language);
      const { family, missing } = await prepareFonts(shown, design.face, language);
      unwritable.push(...missing.filter(grapheme => /[\p{L}\p{N}]/u.test(grapheme)));
      const kept = missing.reduce((rest, grapheme) => rest.replaceAll(grapheme, ''), shown).trim();
      dropped.push(...missing);
      if (kept) blocks.push({ ...styleOf(design, kind, part.role, kept), text: kept, family });
    }
    return blocks;
  };
  const parts = splitText(kind, text);
  const blocks = await prepare(number === null ? parts : [{ role: 'number', text: `${number}` }, ...parts]);
  if (unwritable.length > 0) throw new SlideTextError(index, 'unsupported_characters', unwritable);
  if (blocks.every(({ role }) => role === 'number')) throw new SlideTextError(index, 'empty', dropped);
  const isRtl = isRightToLeft(text, language);
  const whole = { index, kind, position, isRtl, blocks, signed: [], dropped: [...dropped] };
  const { app, brand } = deck;
  if (kind !== 'closing' || !(app || brand?.handle || brand?.logo || brand?.hasLogo)) return whole;
  const signed = await prepare(
    signText(text, { brand, app: app && { ...app, name: setTypographicQuotes(app.name, language) } }),
  );
  // The name of an app in a script that no font has leaves the slide as it was written.
  return unwritable.length > 0 ? whole : { ...whole, signed };
}

/** Lines of small capitals are hard to read, and the name of an app is written as its maker does. */
function shownIn({ uppercase }: Design, kind: Slide['kind'], { role, text }: Part, language: string): string {
  const canUppercase =
    uppercase &&
    role !== 'small' &&
    kind !== 'closing' &&
    /^[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Zyyy}\p{sc=Zinh}\p{M}]*$/u.test(text);
  return canUppercase ? text.toLocaleUpperCase(language) : text;
}

function styleOf(
  design: Design,
  kind: Slide['kind'],
  role: BlockRole,
  text: string,
): Omit<PreparedBlock, 'text' | 'family'> {
  const sizeMax = sizeOf(design, role, kind);
  return {
    ...design.ink(role, kind),
    role,
    weight: hasHan.test(text) ? 800 : design.face.weight,
    sizeMax,
    // A number keeps its size beside a text that shrinks.
    sizeMin: role === 'number' ? sizeMax : sizeMin,
    lineHeight: design.lineHeight + (role === 'small' ? 0.12 : 0),
    gapAfter: Math.round(sizeMax * (role === 'number' ? 0.1 : 0.3)),
  };
}

/**
 * What no font here has, and compatible characters say: letters of the mathematical alphabets, in which store
 * pages write headings, numbers below the line ("VO₂") and fractions.
 */
const unwritten = /[\u{1d400}-\u{1d7ff}ℊ-ℓℕℙ-ℝℤℨℬ-ℳ₀-₉⅐-⅞]/gu;
/** Hyphens and symbols that no font here has, or only a wide one, as others that say the same. */
const alike = new Map(
  ['‐-', '‑-', '✔✓', '✗×', '✘×', '➜→', '➔→', '➤→', '►▶', '▸▶'].map(pair => [...pair] as [string, string]),
);

/** Normalises spaces and removes control characters; emoji joiners and direction marks stay. */
function tidyText(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/(?<=\d)(?=[⅐-⅞])/gu, '\u00a0')
    .replace(unwritten, char => char.normalize('NFKC').replace('\u2044', '/'))
    .replace(/.(?!\ufe0f)/gu, char => alike.get(char) ?? char)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

const rtlLetter = /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}]/u;
const rtlLanguage = /^(?:ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)(?:-|$)/i;

/**
 * The first letter decides, as in the Unicode paragraph rule, except that a sentence of a language that is
 * written from the right may begin with a name.
 */
function isRightToLeft(text: string, language: string): boolean {
  return rtlLetter.test(rtlLanguage.test(language) ? text : (/\p{L}/u.exec(text)?.[0] ?? ''));
}

/**
 * Places every line of a slide, with `above` px for an icon over its text; null when the text does not fit at
 * its smallest size.
 */
export function layOutSlide(
  ctx: SKRSContext2D,
  slide: Omit<PreparedSlide, 'signed'>,
  design: Design,
  language: string,
  { scaleMax, above = 0, isSigned = false }: { scaleMax: number; above?: number; isSigned?: boolean },
): SlideLayout | null {
  const box = { width: textBox.width, height: textBox.height - above };
  // Body slides keep nearly one size through the deck; a cover may trade more of its size for even lines.
  const fitted = fitText(ctx, slide.blocks, box, language, scaleMax, slide.kind === 'body' ? 5 : 12);
  if (!fitted) return null;
  const { height } = fitted;
  const top = topOf(slide.position ?? 'middle', height + above) + above;
  let y = top;
  const blocks = fitted.blocks.map((block, i): PlacedBlock => {
    const measure = createMeasure(ctx, block);
    const step = block.size * block.lineHeight;
    // 0.78: the position of the baseline of these faces in a line of height 1.
    const baselines = block.lines.map(
      (_, line) => y + line * step + (step - block.size) / 2 + block.size * 0.78,
    );
    y += block.lines.length * step + block.gapAfter;
    const widths = block.lines.map(line => measure(line) * block.size);
    return { ...block, ...slide.blocks[i]!, baselines, widths };
  });
  const { isRtl } = slide;
  // The platform mirrors its buttons for right-to-left languages, so the box moves with them.
  const startX = isRtl ? slideWidth - textBox.x : textBox.x;
  const isCentred = design.align === 'center';
  const widest = Math.max(...blocks.flatMap(one => one.widths.map(width => width + edgesOf(one) * one.size)));
  // In the middle of the slide, or as near to it as the widest line allows.
  const middle = Math.min(slideWidth / 2, textBox.x + textBox.width - widest / 2);
  return {
    kind: slide.kind,
    blocks,
    scale: fitted.scale,
    top,
    height,
    startX,
    textX: isCentred ? (isRtl ? slideWidth - middle : middle) : startX,
    textAlign: isCentred ? 'center' : isRtl ? 'right' : 'left',
    isRtl,
    isSigned,
  };
}

/** The top of `height` px of text. */
export function topOf(position: NonNullable<Slide['position']>, height: number): number {
  return textBox.y + (textBox.height - height) * { top: 0, middle: 0.5, bottom: 1 }[position];
}

/** The same slide with its text beginning at another height. */
export function moveTo(layout: SlideLayout, top: number): SlideLayout {
  const by = Math.round(top - layout.top);
  const blocks = layout.blocks.map(block => ({ ...block, baselines: block.baselines.map(y => y + by) }));
  return { ...layout, blocks, top: layout.top + by };
}
