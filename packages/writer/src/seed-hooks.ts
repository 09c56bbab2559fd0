import { findPromisedCount } from '@hookline/deck';
import { fillersOf } from './fillers.ts';
import { extractMaterial, type MaterialSource } from './listing/material.ts';
import { similarityOf } from './words.ts';

const hooksMin = 3;
const hooksMax = 15;
const charactersMax = 90;

/**
 * Up to 15 distinct hooks for an app, the lines of its listing that can be a cover. None promises a number: its deck
 * would have that many slides.
 */
export function writeSeedHooks(app: MaterialSource): string[] {
  const material = extractMaterial(app);
  const { openings, lines, name } = material;
  const own = [...openings, ...(name.tagline ? [name.tagline] : []), ...lines.map(({ text }) => text)];
  const hooks: string[] = [];
  for (const text of own) {
    const isNew = hooks.every(
      other =>
        !text.includes(other) && !other.includes(text) && similarityOf(text, other, material.language) < 0.8,
    );
    if (isNew && text.length <= charactersMax && findPromisedCount(text) === null) hooks.push(text);
  }
  const spare = fillersOf(material, false, 2).plainCovers;
  return [...hooks, ...spare.slice(0, Math.max(0, hooksMin - hooks.length))].slice(0, hooksMax);
}
