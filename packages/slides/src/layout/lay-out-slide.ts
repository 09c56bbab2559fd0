import type { Slide } from '@hookline/deck';
import type { SKRSContext2D } from '@napi-rs/canvas';
import {
  type BlockRole,
  type Design,
  type PlacedBlock,
  slideWidth,
  textBox,
} from '../designs/design-system.ts';
import { SlideTextError } from '../slide-text-error.ts';
import { createMeasure, fitText, type TextBlock } from './fit-text.ts';
import { prepareFonts } from './fonts.ts';
import { setTypographicQuotes } from './typographic-quotes.ts';

export type PreparedSlide = {
  index: number;
  kind: Slide['kind'];
  isRtl: boolean;
  blocks: (TextBlock & { role: BlockRole })[];
  dropped: string[];
};

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
};

/** A short first sentence becomes the lead: at most eight words and 52 characters, followed by more text. */
const leadSentence = /^(.{2,52}?[.!?:。！？])(?:\s+|(?<=[。！？]))(\S.*)$/su;

function splitRoles(slide: Slide, text: string): { role: BlockRole; text: string }[] {
  if (slide.kind === 'cover') return [{ role: 'hook', text }];
  if (slide.kind === 'closing') return [{ role: 'closing', text }];
  const [, lead, detail] = leadSentence.exec(text) ?? [];
  const isLead = lead && detail && !lead.endsWith(':') && lead.split(/\s+/).length <= 8;
  if (isLead) {
    return [
      // A clock time is not a sentence.
      { role: 'lead', text: lead.replace(/^(\d{1,2}:\d{2})\.$/, '$1') },
      { role: 'detail', text: detail },
    ];
  }
  // One or two sentences fill the slide alone; more than that is running text.
  return [{ role: text.length <= 150 ? 'statement' : 'detail', text }];
}

/** Anton has one weight; the Han faces next to it would look thin at that weight. */
const hasHan = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u;

/**
 * Splits a slide into blocks, loads their fonts, and drops symbols that no font has; a letter that no font
 * has is an error.
 */
export async function prepareSlide(
  slide: Slide,
  index: number,
  design: Design,
  language: string,
): Promise<PreparedSlide> {
  const dropped: string[] = [];
  const blocks: PreparedSlide['blocks'] = [];
  const text = setTypographicQuotes(tidyText(slide.text), language);
  for (const part of splitRoles(slide, text)) {
    const { uppercase, face, ...style } = design.style(part.role, slide.kind);
    const canUppercase =
      uppercase && /^[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Zyyy}\p{sc=Zinh}\p{M}]*$/u.test(part.text);
    const shown = canUppercase ? part.text.toLocaleUpperCase(language) : part.text;
    const faceUsed = face === 'display' ? design.display : design.text;
    const { family, missing } = await prepareFonts(shown, faceUsed, language);
    const unwritable = missing.filter(grapheme => /[\p{L}\p{N}]/u.test(grapheme));
    if (unwritable.length > 0) throw new SlideTextError(index, 'unsupported_characters', unwritable);
    const kept = missing.reduce((rest, grapheme) => rest.replaceAll(grapheme, ''), shown).trim();
    dropped.push(...missing);
    const weight = hasHan.test(kept) ? Math.max(style.weight, face === 'display' ? 800 : 500) : style.weight;
    const sizeMax = Math.round(style.sizeMax * enlargementOf(part.role, kept));
    if (kept) blocks.push({ ...style, weight, sizeMax, role: part.role, text: kept, family });
  }
  if (blocks.length === 0) throw new SlideTextError(index, 'empty', dropped);
  return { index, kind: slide.kind, isRtl: isRightToLeft(text), blocks, dropped };
}

/** A text of a few words is set larger, and so is a clock time over its scene. */
function enlargementOf(role: BlockRole, text: string): number {
  if (role === 'statement') return text.length <= 14 ? 1.6 : text.length <= 48 ? 1.3 : 1;
  return role === 'lead' && /^\d{1,2}:\d{2}$/.test(text) ? 1.6 : 1;
}

/** Normalises spaces and removes control characters; emoji joiners and direction marks stay. */
function tidyText(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** The first letter decides, as in the Unicode paragraph rule. */
function isRightToLeft(text: string): boolean {
  const first = /\p{L}/u.exec(text)?.[0] ?? '';
  return /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}]/u.test(first);
}

/** Places every line of a slide; null when the text does not fit at its smallest size. */
export function layOutSlide(
  ctx: SKRSContext2D,
  slide: PreparedSlide,
  design: Design,
  language: string,
  scaleMax: number,
): SlideLayout | null {
  const area = design.area(slide.kind);
  const box = { width: textBox.width, height: area.height };
  // Body slides keep nearly one size through the deck; a cover or a closing may trade more of its size for
  // even lines.
  const fitted = fitText(ctx, slide.blocks, box, language, scaleMax, slide.kind === 'body' ? 2 : 7);
  if (!fitted) return null;
  const { height } = fitted;
  const share = { top: 0, shared: 0, middle: 0.5, bottom: 1 }[area.place];
  const top = area.top + (area.height - height) * share;
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
    return { ...block, role: slide.blocks[i]!.role, baselines, widths };
  });
  const { isRtl } = slide;
  // The platform mirrors its buttons for right-to-left languages, so the box moves with them.
  const startX = isRtl ? slideWidth - textBox.x : textBox.x;
  const middle = isRtl ? slideWidth - textBox.x - textBox.width / 2 : textBox.x + textBox.width / 2;
  const isCentred = design.align === 'center';
  const textAlign = isCentred ? 'center' : isRtl ? 'right' : 'left';
  return {
    kind: slide.kind,
    blocks,
    scale: fitted.scale,
    top,
    height,
    startX,
    textX: isCentred ? middle : startX,
    textAlign,
    isRtl,
  };
}

/** The same slide with its text `by` px further down. */
export function moveDown(layout: SlideLayout, by: number): SlideLayout {
  const blocks = layout.blocks.map(block => ({ ...block, baselines: block.baselines.map(y => y + by) }));
  return { ...layout, blocks, top: layout.top + by };
}
