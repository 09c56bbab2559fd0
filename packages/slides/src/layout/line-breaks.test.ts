import { describe, expect, it } from 'vitest';
import { balanceLines, cutPieces } from './line-breaks.ts';

const measure = (text: string) => [...text].length;
const linesOf = (text: string, width: number, language = 'en') =>
  balanceLines(cutPieces(text, language), width, measure)?.lines ?? null;

describe('balanceLines', () => {
  it('loses no word and keeps to the width', () => {
    const text = 'Keep the list short. Three lines that get done beat twelve lines that follow you to bed.';
    for (let width = 12; width < 60; width++) {
      const lines = linesOf(text, width)!;
      expect(lines.join(' ').replaceAll('\u00a0', ' ')).toBe(text);
      expect(Math.max(...lines.map(measure))).toBeLessThanOrEqual(width);
    }
  });

  it('null when it takes more lines than there may be', () => {
    const pieces = cutPieces('Keep the list short', 'en');
    expect([1, 2].map(max => balanceLines(pieces, 10, measure, max)?.lines.length ?? null)).toEqual([
      null,
      2,
    ]);
  });

  it('leaves no short word alone on the last line when another break is as good', () => {
    expect(linesOf('How freelancers get paid on time', 28)!.at(-1)).not.toBe('time');
  });

  it('keeps a number with its noun and an article with what follows', () => {
    expect(linesOf('These are 5 habits for a bad Tuesday', 14)!.some(line => /( |^)(5|a)$/.test(line))).toBe(
      false,
    );
  });

  it('keeps a decimal with its unit, and the short end of a sentence with it', () => {
    for (let width = 12; width < 40; width++) {
      const lines = [
        linesOf('2.4 m for the slipway, 3.1 m for the causeway', width)!,
        linesOf('See if you can eat it. Done.', width)!,
      ].flat();
      expect(lines.filter(line => /\d$|^it\./.test(line))).toEqual([]);
    }
  });

  it('keeps "two-minute" whole, and a short last word with the one before it', () => {
    for (let width = 11; width < 40; width++) {
      expect(linesOf('Pebblo has two-minute habits.', width)!.some(line => /-$/.test(line))).toBe(false);
    }
    for (let width = 13; width < 29; width++)
      expect(linesOf("Today's goal: let something go", width)!.at(-1)).not.toBe('go');
  });

  it('parts a number and the long word that it counts', () => {
    expect(linesOf('Warum stehen in einer Straße 40 Bohrmaschinen?', 14)).not.toBeNull();
  });

  it('says null for a word that is wider than the line', () => {
    expect(linesOf('Donaudampfschifffahrt', 10)).toBeNull();
  });

  it('keeps short words with what follows in every language', () => {
    for (const [language, text, width] of [
      ['pt', 'Saiba a que horas a praia tem areia', 17],
      ['pt', 'Gráfico do dia com nascer e pôr do sol', 16],
      ['fr', 'Menus de saison du lundi au vendredi', 17],
      ['it', 'Le ricette di casa con la voce di nonna', 18],
      ['de', 'Alles auf einmal zu dem Teil der zählt', 18],
    ] as const) {
      const ends = linesOf(text, width, language)!
        .slice(0, -1)
        .filter(line => /(?:^|\s)\p{L}{1,2}$/u.test(line));
      expect([text, ends]).toEqual([text, []]);
    }
  });

  it('breaks Japanese between phrases, not before an ending', () => {
    expect(linesOf('眠れない夜にやめてよかった5つのこと', 8, 'ja')).toEqual([
      '眠れない夜に',
      'やめてよかった',
      '5つのこと',
    ]);
  });

  it('leaves no two Japanese signs alone on the last line', () => {
    expect(linesOf('家族でカレンダーを共有', 8, 'ja')).toEqual(['家族で', 'カレンダーを共有']);
  });

  it('begins no line with a dash or a French question mark', () => {
    for (let width = 18; width < 40; width++) {
      const lines = linesOf('Wochenplan & Einkauf – was - essen wir « ce soir ? » · App Store', width)!;
      expect(lines.filter(line => /^[–·?»-]/u.test(line))).toEqual([]);
    }
  });

  it('never begins a Japanese line with a small kana or a full stop', () => {
    for (let width = 5; width < 20; width++) {
      const lines = linesOf('毎日5分だけの英単語アプリです。ちょっとずつ、ゆっくり。', width, 'ja');
      for (const line of lines ?? []) expect(line).not.toMatch(/^[。、っょゃゅー]/u);
    }
  });
});
