import { describe, expect, it } from 'vitest';
import listings from '../../eval/listings/sample.json' with { type: 'json' };
import { describeApp } from '../app-details.ts';
import { hasClaim, isLegal } from '../text-filters.ts';
import { readAudiences } from './audiences.ts';
import { extractMaterial, lowerShouting, type MaterialSource } from './material.ts';
import { shortenName } from './short-name.ts';

function sourceOf(name: string): MaterialSource {
  const { description, category, store, ...listing } = listings.find(({ name: known }) =>
    known.startsWith(name),
  )!;
  return { name: listing.name, description, category, country: 'us', store: store as 'apple' | 'google' };
}

const featuresOf = (name: string) => extractMaterial(sourceOf(name)).features.map(feature => feature.text);

describe('extractMaterial', () => {
  it.each(listings.map(({ name, language }) => [name, language]))(
    'tells the language of %s: %s',
    (name, language) => {
      expect(extractMaterial(sourceOf(name!)).language).toBe(language);
    },
  );

  it('reads marked lines and labels as features', () => {
    expect(featuresOf('Pebblo')).toContain('Rest days that do not break your streak');
    expect(featuresOf('Coinbarn')).toContain('Split any bill in seconds');
    expect(featuresOf('Sprigly')).toContain(
      'Hand your plants over to a sitter with one link while you are on holiday',
    );
  });

  it('reads lines as stores have them', () => {
    const description = `Never lose your place again.

HOW IT WORKS
1. Create a group
2. Add what you paid
✔️ SMART REMINDERS - rings until you tap, even on silent
✔️ SAVINGS JARS - with a picture of the goal
■ 24 sounds: womb, rain on a tent
■ Starts again at 3 a.m.
+ iCloud sync for every photo
+ Live arrivals incl. freight
+ Split costs w/ passengers
+ Widget / Siri / CarPlay

WHAT'S NEW IN 4.2
* Faster maps everywhere`;
    const { features, pitch } = extractMaterial({ ...sourceOf('Fogline'), description });
    expect(features.map(({ text, detail }) => (detail ? `${text}: ${detail}` : text))).toEqual([
      'Rings until you tap, even on silent',
      'Savings jars: with a picture of the goal',
      '24 sounds: womb, rain on a tent',
      'Starts again at 3 a.m.',
      'iCloud sync for every photo',
      'Live arrivals including freight',
      'Split costs with passengers',
    ]);
    expect(pitch).toBe('Never lose your place again');
  });

  it('takes no quotation, rating, price or legal line', () => {
    for (const { name } of listings) {
      const { features, sentences } = extractMaterial(sourceOf(name));
      const texts = [...features.map(feature => feature.text), ...sentences];
      expect(
        texts.filter(text => hasClaim(text) || isLegal(text) || /Mira|Rated|10,000,000/.test(text)),
      ).toEqual([]);
    }
  });

  it.each([
    ['spaces', '• x', ' ', 'y'],
    ['wide spaces', '• x', '\u3000', 'y'],
    ['spaces behind a label', 'ABCD: ', ' ', 'y'],
    ['emoji and spaces', '• x', '😀 ', 'y'],
    ['variation selectors', '• abc def', '\ufe0f', 'y'],
    ['blank lines in capitals', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ. ', '\n', '!'],
    ['long lines', '• x', `${'😀 '.repeat(160)}y\n• x`, 'y'],
  ])('reads 10,000 characters of %s in milliseconds', (_what, first, repeated, last) => {
    const room = 10_000 - first.length - last.length;
    const description = first + repeated.repeat(room / repeated.length) + last;
    const startedMs = performance.now();
    extractMaterial({ ...sourceOf('Fogline'), description, language: 'en' });
    // About 10 ms; a pattern that takes the square of the length needs 270 to 2,000.
    expect(performance.now() - startedMs).toBeLessThan(200);
  });

  it('reads the start of a long line, spaces or not', () => {
    const description = `Never lose your place again.

•  Maps   that work offline: ${'for days '.repeat(80)}
• A route that you can share ${'(with anyone) '.repeat(33)}${'😀'.repeat(20)} and keep`;
    const { features } = extractMaterial({ ...sourceOf('Fogline'), description });
    expect(features.map(({ text }) => text)).toEqual([
      'Maps that work offline',
      'A route that you can share',
    ]);
  });

  it('keeps the line that each feature came from', () => {
    for (const { name, description } of listings) {
      const shouted = lowerShouting(description, shortenName(name).short);
      for (const { source } of extractMaterial(sourceOf(name)).features) expect(shouted).toContain(source);
    }
  });

  it('names the audience of a listing', () => {
    expect(extractMaterial(sourceOf('Pebblo')).audiences).toEqual(['students', 'shift workers']);
    expect(extractMaterial(sourceOf('Quillbill')).audiences).toContain('translators');
    expect(extractMaterial(sourceOf('Fogline')).audiences).toEqual([]);
    expect(readAudiences('Freelancers, translators and designers.', 'en')).toEqual([
      'freelancers',
      'translators',
      'designers',
    ]);
    expect(readAudiences('Check balances, search payments and get alerts.', 'en')).toEqual([]);
    expect(readAudiences('Made for picky kids.', 'en')).toEqual([]);
    expect(readAudiences('Sounds for rain, waves and old fans.', 'en')).toEqual([]);
    expect(readAudiences('For night owls and late starters.', 'en')).toEqual(['night owls', 'late starters']);
  });

  it('holds out on a listing cut to 80 characters, an empty one and a hostile one', () => {
    for (const { name } of listings) {
      const source = sourceOf(name);
      extractMaterial({ ...source, description: source.description!.slice(0, 80) });
    }
    expect(extractMaterial({ ...sourceOf('Fogline'), description: '' }).features).toEqual([]);
    const startedAt = performance.now();
    extractMaterial({
      ...sourceOf('Fogline'),
      description: `${'- a '.repeat(2000)}\n${'for x, '.repeat(1200)}`,
    });
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});

describe('shortenName', () => {
  it.each([
    ['Pebblo: Tiny Habit Tracker', 'Pebblo'],
    ['Coinbarn – Shared Budget Planner', 'Coinbarn'],
    ['コツコツ単語帳 - 毎日5分の英単語', 'コツコツ単語帳'],
    ['Snapsweep - Photo Cleaner, Duplicate Remover & Free Up Storage 2026', 'Snapsweep'],
    ['BARBELL LEDGER: GYM LOG', 'Barbell Ledger'],
    ['Fogline', 'Fogline'],
    ['IKEA', 'IKEA'],
    ['Notes® Pro (2026)', 'Notes Pro'],
    ['The Very Long Name of an App that goes on', 'The Very Long'],
  ])('%s -> %s', (name, short) => expect(shortenName(name).short).toBe(short));
});

describe('describeApp', () => {
  it('uses the maker’s own sentences, at most 400 characters', () => {
    for (const { name, developer } of listings) {
      const details = describeApp(sourceOf(name), developer);
      expect(details.length).toBeGreaterThan(40);
      expect(details.length).toBeLessThanOrEqual(400);
    }
  });

  it('says what and by whom when the listing says nothing', () => {
    const empty = { ...sourceOf('Fogline'), description: '' };
    expect(describeApp(empty, 'Ines Aldana')).toBe('Fogline is a weather app, made by Ines Aldana.');
  });
});
