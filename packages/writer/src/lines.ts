import { readdirSync } from 'node:fs';
import type { z } from 'zod';
import { type linesSchema, readDataFile } from './data-files.ts';

export type Lines = z.output<typeof linesSchema>;

const folder = new URL('../data/lines/', import.meta.url);
const loaded = new Map<string, Lines>();

/** Languages that decks are written in; all others get English (README.md, "The composer"). */
export const writtenLanguages: readonly string[] = readdirSync(folder)
  .map(file => file.replace(/\.json$/, ''))
  .sort();

/** The language a deck about a listing is written in. */
export function chooseLanguage(listingLanguage: string): string {
  return writtenLanguages.includes(listingLanguage) ? listingLanguage : 'en';
}

/** The sentences of a language, read once. */
export function getLines(language: string): Lines {
  let lines = loaded.get(language);
  if (!lines) {
    lines = readDataFile<typeof linesSchema>(new URL(`${language}.json`, folder));
    loaded.set(language, lines);
  }
  return lines;
}

export type Slots = Readonly<Record<string, string | number | undefined>>;

/**
 * Fills the slots of a sentence; "{Title}" inserts the value of `title` with a capital first letter. Null for
 * a slot without a value: a sentence with a hole in it is left out.
 */
export function fillLine(line: string, slots: Slots): string | null {
  let isWhole = true;
  const text = line.replace(/\{(\w+)\}/g, (_, slot: string) => {
    const value = slots[slot.charAt(0).toLowerCase() + slot.slice(1)];
    if (value === undefined) isWhole = false;
    const told = String(value);
    return /^\p{Lu}/u.test(slot) ? told.charAt(0).toUpperCase() + told.slice(1) : told;
  });
  return isWhole ? text : null;
}

/** The lines that the slots can fill, with the template each came from. */
export function fillLines(lines: readonly string[] | undefined, slots: Slots): Filled[] {
  return (lines ?? []).flatMap(template => {
    const text = fillLine(template, slots);
    return text === null ? [] : [{ text, template }];
  });
}

export type Filled = { text: string; template: string };
