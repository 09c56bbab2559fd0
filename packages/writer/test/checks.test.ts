/** Sentences that people post, and sentences that nobody could answer for, through the checks of a model's text. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileAvoidedWords, planDeck } from '@hookline/deck';
import { describe, expect, it } from 'vitest';
import { extractMaterial } from '../src/listing/material.ts';
import { wordsOf } from '../src/llm/foreign-names.ts';
import { findBrokenRulesOf } from '../src/llm/text-rules.ts';

type Entry = { app: string; listing: string; topic: string | null; good: string[]; bad: [string, string][] };

const folder = join(import.meta.dirname, 'checks');
const entries = readdirSync(folder).flatMap(file =>
  (JSON.parse(readFileSync(join(folder, file), 'utf8')) as Entry[]).map(entry => ({
    ...entry,
    language: file.slice(0, 2),
  })),
);

/** The first rule that the text breaks as a slide, or null. */
function refusalOf(
  text: string,
  { app, listing: description, topic, language }: (typeof entries)[number],
): string | null {
  const source = { name: app, description, category: null, country: null, store: null, language };
  const { haystack: listing } = extractMaterial(source);
  const known = `${listing} ${topic ?? ''}`.toLowerCase();
  const [broken] = findBrokenRulesOf('body', 'slide1', text, {
    ...{ appName: app, language, listing, source: known, known: wordsOf(known), brief: {} },
    wanted: { plan: planDeck({}), hasHook: true, isCounted: false, appName: app },
    avoided: compileAvoidedWords([]),
  });
  return broken?.rule ?? null;
}

describe('the checks of a text', () => {
  it('refuse none of 150 good sentences in five languages', () => {
    const refused = entries.flatMap(entry =>
      entry.good.flatMap(text => {
        const rule = refusalOf(text, entry);
        return rule === null ? [] : [`${text} (${rule})`];
      }),
    );
    expect(refused).toEqual([]);
    expect(entries.flatMap(({ good }) => good).length).toBeGreaterThanOrEqual(150);
  });

  it('miss at most 5 in 100 sentences with something invented', () => {
    const missed = entries.flatMap(entry =>
      entry.bad.filter(([text]) => refusalOf(text, entry) === null).map(([text]) => text),
    );
    const all = entries.flatMap(({ bad }) => bad).length;
    expect(all).toBeGreaterThanOrEqual(100);
    expect(missed.length / all, missed.join('\n')).toBeLessThanOrEqual(0.05);
  });
});
