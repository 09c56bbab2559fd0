import type { Slide } from '@hookline/deck';
import { describe, expect, it } from 'vitest';
import { loadCanvas } from './canvas.ts';
import { prepareFonts, releaseFonts } from './layout/fonts.ts';
import { planSlides, renderDeck } from './render-deck.ts';
import { SlideTextError } from './slide-text-error.ts';

const deckOf = (hook: string, ...bodies: string[]): Slide[] => [
  { kind: 'cover', text: hook },
  ...bodies.map((text): Slide => ({ kind: 'body', text })),
  { kind: 'closing', text: 'Pebblo was made for weeks like that.' },
];
const plain = deckOf(
  '2 habits for a bad Tuesday',
  'Write one line. A page is too long.',
  'Stop while it is easy.',
);

/** Marker segments of a JPEG up to its scan: SOF0 (0xc0) is baseline. */
function readFrame(bytes: Buffer): { sof: number; width: number; height: number } {
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]!;
    if (marker >= 0xc0 && marker <= 0xc2) {
      return { sof: marker, height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
  }
  throw new Error('no frame');
}

describe('renderDeck', () => {
  it('gives one baseline JPEG of 1080 x 1920 per slide, in order', async () => {
    const rendered = await renderDeck({ slides: plain, seed: 'content_1' });
    expect(rendered.map(slide => slide.index)).toEqual([1, 2, 3, 4]);
    for (const { bytes, width, height, contentType } of rendered) {
      expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
      expect(readFrame(bytes)).toEqual({ sof: 0xc0, width: 1080, height: 1920 });
      expect([width, height, contentType]).toEqual([1080, 1920, 'image/jpeg']);
      expect(bytes.length).toBeLessThan(1_000_000);
    }
  });

  it('draws the same bytes for the same seed, others for another', async () => {
    const [one, again, other] = await Promise.all(
      ['content_1', 'content_1', 'content_2'].map(seed => renderDeck({ slides: plain, seed })),
    );
    expect(one!.every((slide, i) => slide.bytes.equals(again![i]!.bytes))).toBe(true);
    expect(one![0]!.bytes.equals(other![0]!.bytes)).toBe(false);
  });

  it.each([
    ['emoji', 'Water it 🌱 and wait 👩‍🌾 a week 👨‍👩‍👧‍👦 🇩🇪 👩🏽‍🤝‍👨🏿 1️⃣', 'en'],
    ['Japanese', '毎日5分で続ける3つのこと。忘れそうな時にもう一度。', 'ja'],
    ['Korean', '일주일에 7가지 방법을 시도해 보세요.', 'ko'],
    ['Chinese', '早起的7个方法，从今天开始。', 'zh'],
    ['Arabic', '5 طرق لتعلم English بسرعة!', 'ar'],
    ['Hebrew', '7 טיפים ל-iPhone (חדש).', 'he'],
    ['Cyrillic', 'Семь привычек для плохого вторника', 'ru'],
    ['Greek', 'Επτά συνήθειες για μια κακή μέρα', 'el'],
    ['Vietnamese', 'Bảy thói quen nhỏ cho một ngày tồi tệ', 'vi'],
    ['Hindi', 'छोटी आदतें जो टिकती हैं', 'hi'],
    ['Thai', 'เจ็ดนิสัยเล็กๆ สำหรับวันที่แย่', 'th'],
    ['arrows and stars', 'Before → after ★ done ✓ ₹5 €5', 'en'],
    ['a long word', `Donaudampfschifffahrtsgesellschaftskapitän ${'x'.repeat(120)}`, 'de'],
    ['emoji behind a word', `hahahahaha${'😂'.repeat(20)}`, 'en'],
    ['narrow and wide letters', `${'l'.repeat(60)}${'W'.repeat(30)}`, 'en'],
    ['letters that stand apart', `—${'W'.repeat(30)}`, 'en'],
    ['500 characters', 'A slide with many small words in it is long. '.repeat(11), 'en'],
  ])('draws %s without leaving a character out', async (_, text, language) => {
    const deck = { slides: deckOf(text, text), seed: 'content_1', language };
    const rendered = await renderDeck(deck);
    const canvas = (await loadCanvas()).createCanvas(1, 1);
    const { prepared } = await planSlides({ ...deck, template: 'photo-card' }, canvas);
    expect([...rendered, ...prepared].flatMap(slide => slide.dropped)).toEqual([]);
  });

  it.each([
    ['𝗧𝗿𝗮𝗰𝗸 𝒽𝒶𝒷𝒾𝓉𝓈, ℬ𝟚', 'Track habits, B2'],
    ['1⅓ cups, ⅔ VO₂: a 10‑minute ‐ walk', '1\u00a01/3 cups, 2/3 VO2: a 10-minute - walk'],
    ['✔ done ➜ ► next ✘', '✓ done → ▶ next ×'],
  ])('draws what no font has as what says the same: %s', async (text, alike) => {
    const [written, plain] = await Promise.all(
      [text, alike].map(one => renderDeck({ slides: deckOf(one, one), seed: 'content_1' })),
    );
    expect(written!.every(({ bytes }, i) => bytes.equals(plain![i]!.bytes))).toBe(true);
  });

  it('draws with a font that has the character, whatever ranges a package declares', async () => {
    const manrope = { package: '@fontsource/manrope', weight: 800 };
    const { family, missing } = await prepareFonts('қазақ Əli ₦5 ✈ w̶ord ☚', manrope, 'en');
    expect(missing).toEqual(['\u0336', '☚']);
    expect(family).toMatch(/^"Hookline manrope 800", "Hookline inter 800", .*emoji/);
  });

  it.each([
    [
      ['Open it.', 'Write one line.'],
      ['1', '2'],
    ],
    [
      ['5 minutes a day.', '7:30 is late, 1.5 l is enough.'],
      ['1', '2'],
    ],
    [['1. Open it.', '2. Write one line.'], []],
    [['1️⃣ Open it.', '2️⃣ Write one line.'], []],
    [['(1) Open it.', '② Write one line.'], []],
    [['2 – Open it.', '#1 Write one line.'], []],
  ])('numbers the items of "2 habits" unless they have numbers: %j', async (items, expected) => {
    const canvas = (await loadCanvas()).createCanvas(1, 1);
    const { layouts } = await planSlides({ slides: deckOf('2 habits', ...items), seed: 'a' }, canvas);
    const numbers = layouts.flatMap(({ blocks }) => blocks.filter(({ role }) => role === 'number'));
    expect(numbers.map(({ text }) => text)).toEqual(expected);
  });

  it('names the slide whose letters no font here has', async () => {
    const refused = renderDeck({ slides: deckOf('Two lines', 'One.', 'ሰላም ለዓለም'), seed: 'content_1' });
    await expect(refused).rejects.toThrow(SlideTextError);
    await expect(refused).rejects.toMatchObject({ slide: 3, reason: 'unsupported_characters' });
    await expect(refused).rejects.toThrow(/slide 3 .*U\+12/);
  });

  it('names the slide that is too long', async () => {
    const refused = renderDeck({
      slides: deckOf('Two lines', '毎'.repeat(500)),
      seed: 'content_1',
      language: 'ja',
    });
    await expect(refused).rejects.toMatchObject({ slide: 2, reason: 'too_long' });
  });

  it('leaves out symbols that no font has, and says which', async () => {
    const rendered = await renderDeck({
      slides: deckOf('Two \u{1f12f}lines', 'One \u{10fffd}more line.'),
      seed: 'a',
    });
    expect(rendered.map(slide => slide.dropped.length > 0)).toContain(true);
    const empty = renderDeck({ slides: deckOf('Two lines', '\u{10fffd}'), seed: 'a' });
    await expect(empty).rejects.toMatchObject({ slide: 2, reason: 'empty' });
  });
});

describe('releaseFonts', () => {
  it('gives every font back; the next deck loads them again and is the same', async () => {
    const deck = {
      slides: deckOf('3 rules for rain ☔', 'Carry the small umbrella.'),
      seed: 'content_fonts',
    };
    const { GlobalFonts } = await loadCanvas();
    const ours = (): number =>
      GlobalFonts.families.filter(({ family }) => family.startsWith('Hookline')).length;
    const first = await renderDeck(deck);
    expect(ours()).toBeGreaterThan(1);
    // The second time as another thread would, whose release this one does not hear of.
    for (const release of [releaseFonts, async () => GlobalFonts.removeAll()]) {
      await release();
      expect(ours()).toBe(0);
      const again = await renderDeck(deck);
      expect(again.map(slide => slide.bytes.toString('hex'))).toEqual(
        first.map(slide => slide.bytes.toString('hex')),
      );
    }
  });
});
