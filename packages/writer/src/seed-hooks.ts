import { compileAvoidedWords, seedRandom } from '@hookline/deck';
import { similarityOf } from './distinct.ts';
import { writeHooks } from './hooks.ts';
import { chooseLanguage } from './lines.ts';
import { extractMaterial, type MaterialSource } from './listing/material.ts';
import type { Archetype } from './port.ts';
import { readPeople, readSubject } from './subject.ts';

/** One hook for each; lists have different lengths. */
const wanted: readonly [Archetype, number][] = [
  ['listicle', 5],
  ['authority', 4],
  ['pov_results', 4],
  ['listicle', 7],
  ['motivational', 4],
  ['transformation', 4],
  ['listicle', 3],
  ['authority', 4],
  ['listicle', 6],
  ['pov_results', 4],
  ['motivational', 4],
  ['listicle', 8],
  ['transformation', 4],
  ['listicle', 4],
  ['authority', 4],
];

/**
 * Up to 15 distinct hooks for an app, of every archetype, the same for the same listing; `listingKey` is
 * store and id. A deck written for one of them has its archetype.
 */
export function writeSeedHooks(app: MaterialSource, listingKey: string): string[] {
  const material = extractMaterial(app);
  const language = chooseLanguage(material.language);
  const plain = readSubject({ material, language, topic: undefined, isNameless: false });
  const groups = readPeople(material, language);
  const chosen: string[] = [];
  for (const [i, [archetype, count]] of wanted.entries()) {
    const subject = { ...plain, slots: { ...plain.slots, aud: groups[i % Math.max(1, groups.length)] } };
    const random = seedRandom(listingKey, `seed hook ${i}`);
    const hook = writeHooks({ subject, archetype, count, avoided: compileAvoidedWords(), random }).find(
      ({ text }) => chosen.every(other => similarityOf(bare(other), bare(text)) < 1),
    );
    if (hook) chosen.push(hook.text);
  }
  return chosen;
}

const bare = (hook: string) => hook.toLowerCase().replace(/\d+/g, '#');
