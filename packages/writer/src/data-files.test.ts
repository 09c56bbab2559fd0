import { readdirSync, readFileSync } from 'node:fs';
import { findPromisedCount } from '@hookline/deck';
import { describe, expect, it } from 'vitest';
import { textsOfLines } from '../eval/judge.ts';
import { linesSchema } from './data-files.ts';
import { openingOf } from './distinct.ts';
import { getLines, writtenLanguages } from './lines.ts';
import { hasBannedPhrase, hasClaim } from './text-filters.ts';

const folder = new URL('../data/lines/', import.meta.url);
const files = readdirSync(folder);

it.each(files)('%s is what its schema describes', file => {
  const read = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
  expect(linesSchema.safeParse(read).error?.issues ?? []).toEqual([]);
});

it('reports a misspelt field', () => {
  const lines = JSON.parse(readFileSync(new URL('en.json', folder), 'utf8')) as object;
  expect(linesSchema.safeParse({ ...lines, hoks: {} }).success).toBe(false);
});

const slots =
  /\{(?:title|about|pitch|act|clause|a|b|aud|thing|other|kind|a_kind|line|app|n|told|store|name|maker|list|developer|subject)\}/gi;

describe.each(writtenLanguages)('the sentences in %s', language => {
  const lines = getLines(language);
  const slides = textsOfLines(lines);

  it('are whole, short enough with a long topic in them, and said by nobody', () => {
    const wrong = slides.filter(text => {
      const bare = text.replace(slots, 'x');
      const isWhole =
        /^["„“«¿\p{Lu}x].*[.!?]["“»]?$/u.test(bare) && !/[{}]| {2}|\b(\p{L}{3,}) \1\b/u.test(bare);
      return !isWhole || bare.split(/\s+/).length > 24 || /\b(?:I|my|mine|ich|mein|yo|mi)\b/.test(bare);
    });
    expect(wrong).toEqual([]);
  });

  it('claim nothing, and none is there twice', () => {
    expect(slides.filter(text => hasBannedPhrase(text) || hasClaim(text))).toEqual([]);
    expect(slides.filter((text, i) => slides.indexOf(text) !== i)).toEqual([]);
  });

  it('do not begin alike where one follows the other', () => {
    const pools = [...Object.values(lines.forms), lines.any, lines.kind.points];
    const alike = pools.flatMap(pool =>
      pool.filter((text, i) => i > 0 && openingOf(text) === openingOf(pool[i - 1]!)),
    );
    expect(alike).toEqual([]);
  });

  it('have three or more covers for each archetype of each form, with a count only in lists', () => {
    const { hooks } = lines;
    for (const form of ['topic', 'question', 'plain', 'kind'] as const) {
      for (const [archetype, texts] of Object.entries(hooks[form]!)) {
        expect([form, archetype, texts.length >= 3]).toEqual([form, archetype, true]);
        const promised = texts.map(text =>
          findPromisedCount(text.replaceAll('{n}', '7').replace(slots, 'word')),
        );
        expect(new Set(promised)).toEqual(new Set([archetype === 'listicle' ? 7 : null]));
      }
    }
  });

  it('have captions of 60 to 220 characters', () => {
    for (const caption of [...lines.captions.topic, ...lines.captions.kind])
      expect([caption, caption.length >= 60 && caption.length <= 220]).toEqual([caption, true]);
  });
});
