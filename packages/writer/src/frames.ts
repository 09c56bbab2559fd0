import { readdirSync } from 'node:fs';
import type { z } from 'zod';
import { framesSchema, readDataFile } from './data-files.ts';

export type Frames = z.output<typeof framesSchema>;

const folder = new URL('../data/frames/', import.meta.url);
const loaded = new Map<string, Frames>();

/** Languages that decks are written in; all others get English (README.md, "The composer"). */
export const writtenLanguages: readonly string[] = readdirSync(folder)
  .map(file => file.replace(/\.json$/, ''))
  .sort();

/** The language a deck about a listing is written in. */
export function chooseLanguage(listingLanguage: string): string {
  return writtenLanguages.includes(listingLanguage) ? listingLanguage : 'en';
}

export function getFrames(language: string): Frames {
  let frames = loaded.get(language);
  if (!frames) {
    frames = readDataFile(new URL(`${language}.json`, folder), framesSchema);
    loaded.set(language, frames);
  }
  return frames;
}

/**
 * Fills the slots of a frame. "{Moment}" inserts the value of `moment` with a capital first letter.
 * @throws Error for a slot without a value: no deck is better than one with a hole in it
 */
export function fillFrame(frame: string, values: Record<string, string | number | undefined>): string {
  return frame.replace(/\{(\w+)\}/g, (_, slot: string) => {
    const value = values[slot] ?? values[slot.charAt(0).toLowerCase() + slot.slice(1)];
    if (value === undefined) throw new Error(`no value for {${slot}} in "${frame}"`);
    const text = String(value);
    return /^\p{Lu}/u.test(slot) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  });
}

/** The names of the slots in a frame, lower case. */
export function slotsOf(frame: string): string[] {
  return [...frame.matchAll(/\{(\w+)\}/g)].map(([, slot]) => slot!.charAt(0).toLowerCase() + slot!.slice(1));
}
