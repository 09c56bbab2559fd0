import { describe, expect, it } from 'vitest';
import { balanceLines, cutPieces } from './line-breaks.ts';

const measure = (text: string) => [...text].length;
const linesOf = (text: string, width: number, language = 'en') =>
  balanceLines(cutPieces(text, language), width, measure);

describe('balanceLines', () => {
  it('loses no word and keeps to the width', () => {
    const text = 'Keep the list short. Three lines that get done beat twelve lines that follow you to bed.';
    for (let width = 12; width < 60; width++) {
      const lines = linesOf(text, width)!;
      expect(lines.join(' ').replaceAll('\u00a0', ' ')).toBe(text);
      expect(Math.max(...lines.map(measure))).toBeLessThanOrEqual(width);
    }
  });

  it('leaves no short word alone on the last line when another break is as good', () => {
    expect(linesOf('How freelancers get paid on time', 28)!.at(-1)).not.toBe('time');
  });

  it('keeps a number with its noun and an article with what follows', () => {
    expect(linesOf('These are 5 habits for a bad Tuesday', 14)!.some(line => /( |^)(5|a)$/.test(line))).toBe(
      false,
    );
  });

  it('keeps "two-minute" whole, and a short last word with the one before it', () => {
    for (let width = 11; width < 40; width++) {
      expect(linesOf('Pebblo has two-minute habits.', width)!.some(line => /-$/.test(line))).toBe(false);
    }
    for (let width = 13; width < 29; width++)
      expect(linesOf("Today's goal: let something go", width)!.at(-1)).not.toBe('go');
  });

  it('says null for a word that is wider than the line', () => {
    expect(linesOf('Donaudampfschifffahrt', 10)).toBeNull();
  });

  it('hyphenates a long word between syllables where that is allowed, and shows the hyphen only at a line end', () => {
    const hyphenated = (text: string, width: number) =>
      balanceLines(cutPieces(text, 'de', true), width, measure);
    expect(hyphenated('Verantwortlichkeiten wechseln', 12)).toEqual([
      'Verantwort-',
      'lichkeiten',
      'wechseln',
    ]);
    expect(hyphenated('Für Patchworkfamilien:', 11)).toEqual(['Für', 'Patchwork-', 'familien:']);
    expect(hyphenated('Ein Donnerstagsessen und mehr', 29)).toEqual(['Ein Donnerstagsessen und mehr']);
    expect(hyphenated('x'.repeat(40), 12)).toBeNull();
    for (const word of ['Vorratsschrank', 'Zuckerbäckerinnen', 'photographers', 'Gartenstuhlkissen']) {
      const [head, tail] = cutPieces(word, 'de', true).map(({ text }) => text);
      expect([word, head]).not.toEqual([word, word]);
      expect(`${head} ${tail}`).not.toMatch(/c k|s ch|p h|s tuhl/);
    }
  });

  it.each([
    ['eingeschlafen', 'einge-schlafen'],
    ['Kühlschranktür', 'Kühl-schranktür'],
    ['subscription', 'subscrip-tion'],
    ['Kleineschritte', 'Kleine-schritte'],
  ])('cuts %s before all consonants of a syllable: %s', (word, cut) => {
    const pieces = cutPieces(word, 'de', true);
    expect(pieces.map(({ text }) => text).join('-')).toBe(cut);
  });

  it('never begins a Japanese line with a small kana or a full stop', () => {
    for (let width = 5; width < 20; width++) {
      const lines = linesOf('毎日5分だけの英単語アプリです。ちょっとずつ、ゆっくり。', width, 'ja');
      for (const line of lines ?? []) expect(line).not.toMatch(/^[。、っょゃゅー]/u);
    }
  });
});
