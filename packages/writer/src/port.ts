import type { CtaMode } from '@hookline/deck';
import type { archetypes, Brief, SlideshowResult } from '@hookline/shared/contracts/content';
import type { MaterialSource } from './listing/material.ts';

export type Archetype = (typeof archetypes)[number];

/** `seed` is the content id: what a writer draws by lot, it draws from the seed. */
export type WriteRequest = { seed: string; app: MaterialSource; brief: Brief };

/** The texts of a deck, and what the renderer needs to know of how they were written. */
export type WrittenDeck = {
  result: SlideshowResult;
  archetype: Archetype;
  ctaMode: CtaMode;
  /** BCP 47 language of the generated texts. */
  language: string;
};

/** Writes the texts of a deck. Throws `WritingRefused` when there is nothing usable to write; no other error is the caller's. */
export type Writer = { write: (request: WriteRequest) => Promise<WrittenDeck> };

/** Nothing usable can be written, with a reason that the caller may read; the content becomes `failed`, uncharged. */
export class WritingRefused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'WritingRefused';
    this.code = code;
  }
}
