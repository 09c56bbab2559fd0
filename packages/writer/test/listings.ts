import { readFileSync } from 'node:fs';
import { type Listing, sourceOf } from '../eval/decks.ts';
import { extractMaterial } from '../src/listing/material.ts';

const read = (file: string) =>
  JSON.parse(readFileSync(new URL(`../eval/listings/${file}.json`, import.meta.url), 'utf8')) as (Listing & {
    language?: string;
  })[];
export const samples = read('sample');
export const listings = [...samples, ...read('messy'), ...read('makers')];
export const named = (name: string) => sourceOf(listings.find(listing => listing.name.startsWith(name))!);
export const linesOf = (name: string) => extractMaterial(named(name)).lines.map(({ text }) => text);
export const readText = (description: string, language = 'en') =>
  extractMaterial({ name: 'Fogline', description, category: null, country: 'us', store: 'apple', language });
export const textsOf = (description: string, language = 'en') =>
  readText(description, language).lines.map(({ text }) => text);
